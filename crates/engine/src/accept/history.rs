//! The programs that were the best so far, to go back to when the last one does not fail any more. All of the last few
//! are kept, and fewer of those before, so that a long search needs little more memory than a short one.

use crate::candidate::Candidate;

/// The number of newest programs that are all kept.
const ALL_OF: usize = 4;

/// The programs that were the best so far, oldest first, with the number of each.
#[derive(Debug, Default)]
pub(super) struct History {
    states: Vec<(usize, Candidate)>,
    n_pushed: usize,
}

impl History {
    /// Adds the newest program to the history, and drops some of the older ones. Of the others, one of the age `a`
    /// stays where its number is a multiple of a power of two that grows with `a`: what is dropped once would be
    /// dropped later too.
    pub(super) fn push(&mut self, state: Candidate) {
        let newest = self.n_pushed;
        self.states.push((newest, state));
        self.n_pushed += 1;
        self.states
            .retain(|(number, _)| number % stride(newest - number) == 0);
    }

    /// Returns the kept programs, newest first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = &Candidate> {
        self.states.iter().rev().map(|(_, state)| state)
    }
}

/// Returns the distance between the numbers of programs that are kept at some age: one stays if its
/// number is a multiple of it.
fn stride(age: usize) -> usize {
    match age / ALL_OF {
        0 => 1,
        quarters => quarters.next_power_of_two(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::CompileOptions;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    fn state(number: usize) -> Candidate {
        let text = Arc::from(format!("// {number}"));
        Candidate {
            tree: SourceTree::single("lib.rs".into(), text),
            compile_options: CompileOptions::default(),
        }
    }

    fn kept_of(count: usize) -> Vec<usize> {
        let mut history = History::default();
        (0..count).for_each(|number| history.push(state(number)));
        let text = |state: &Candidate| state.tree.text(state.tree.root()).to_owned();
        let numbers = history.newest_first().map(text);
        numbers
            .map(|text| text[3..].parse().expect("it is a number"))
            .collect()
    }

    #[test]
    fn the_first_state_and_the_last_ones_are_kept_and_few_between() {
        assert_eq!(kept_of(3), [2, 1, 0]);
        let kept = kept_of(10_000);
        assert_eq!(&kept[..4], [9_999, 9_998, 9_997, 9_996]);
        assert_eq!(kept.last(), Some(&0));
        assert!(kept.len() < 64, "{kept:?}");
    }

    #[test]
    fn the_gaps_between_kept_states_grow_with_their_age() {
        let kept = kept_of(1_000);
        for pair in kept.windows(2) {
            let (age, gap) = (999 - pair[1], pair[0] - pair[1]);
            assert!(gap <= age.max(1), "{age}: {gap}");
        }
    }
}
