//! Reads what the probes of a program have recorded in a run.

use super::runtime::{ENDED, ENTERED, MOST_ROUNDS, NO_LITERAL, ROUND};
use super::shown::Shown;
use std::collections::{BTreeMap, HashMap};

/// The values that runs of a program with probes have shown.
#[derive(Debug, Clone, Default)]
pub struct RunValues {
    /// The value at each site, as a literal; `None` where it was not always the same, or no literal can be written for it.
    pub(super) values: Values,
    /// The values in the rounds of each loop; `None` where the loop was entered more than once, so that the rounds cannot be told
    /// apart.
    pub(super) loops: BTreeMap<usize, Option<Rounds>>,
}

/// The rounds of a loop, from the first on.
#[derive(Debug, Clone, Default)]
pub(super) struct Rounds {
    pub(super) values: Vec<Values>,
    /// Whether the loop had more rounds than were recorded.
    pub(super) is_cut: bool,
    /// Whether the code after the loop ran: nothing in the loop has left the function, or panicked.
    pub(super) has_ended: bool,
}

/// The values of sites, each as a literal, by the index of the site.
pub(super) type Values = BTreeMap<usize, Option<String>>;

impl RunValues {
    /// Reads the values from the record that a run has written.
    #[must_use]
    pub fn read(record: &[u8]) -> Self {
        let mut observed = Self::default();
        // The loops of each thread, whose rounds are its own.
        let mut threads: HashMap<&str, Vec<usize>> = HashMap::new();
        let record = String::from_utf8_lossy(record);
        let lines = record.lines().filter_map(|line| line.split_once(' '));
        for (thread, event) in lines {
            observed.event(event, threads.entry(thread).or_default());
        }
        observed
    }

    fn event(&mut self, event: &str, loops: &mut Vec<usize>) {
        if let Some(idx) = event.strip_prefix(ENTERED) {
            idx.parse()
                .into_iter()
                .for_each(|idx| self.enter(idx, loops));
        } else if let Some(idx) = event.strip_prefix(ROUND) {
            idx.parse()
                .into_iter()
                .for_each(|idx| self.round(idx, loops));
        } else if let Some(idx) = event.strip_prefix(ENDED) {
            let rounds = idx.parse().ok().and_then(|idx| self.loops.get_mut(&idx));
            let rounds = rounds.and_then(Option::as_mut);
            rounds
                .into_iter()
                .for_each(|rounds| rounds.has_ended = true);
        } else if let Some((idx, value)) = event.split_once(' ')
            && let Ok(idx) = idx.parse()
        {
            let value = (value != NO_LITERAL).then(|| value.to_owned());
            self.value(idx, value, loops);
        }
    }

    fn enter(&mut self, idx: usize, loops: &mut Vec<usize>) {
        let is_new = !self.loops.contains_key(&idx);
        self.loops.insert(idx, is_new.then(Rounds::default));
        loops.push(idx);
    }

    fn round(&mut self, idx: usize, loops: &[usize]) {
        let known = self.loops.entry(idx).or_default();
        match known {
            Some(rounds) if loops.contains(&idx) => rounds.begin(),
            // Another thread has entered it.
            _ => *known = None,
        }
    }

    fn value(&mut self, idx: usize, value: Option<String>, loops: &[usize]) {
        for one in loops {
            let rounds = self.loops.get_mut(one).and_then(Option::as_mut);
            let last = rounds.and_then(|rounds| rounds.values.last_mut());
            last.into_iter()
                .for_each(|last| note(last, idx, value.clone()));
        }
        note(&mut self.values, idx, value);
    }

    /// Adds the values of another run: those that differ become unknown. What was not evaluated there stays as it is.
    pub fn merge(&mut self, other: Self) {
        for (idx, value) in other.values {
            // Values that only another version of the code under test evaluates say nothing of this one.
            if self.values.contains_key(&idx) {
                note(&mut self.values, idx, value);
            }
        }
        for (idx, rounds) in other.loops {
            if let Some(known) = self.loops.get_mut(&idx) {
                *known = known.take().zip(rounds).map(Rounds::merged);
            }
        }
    }

    /// Forgets the values that are one of these, as the failure shows them, or hold one: a program that only writes down what
    /// should be computed has nothing to do with the failure any more.
    #[must_use]
    pub fn without(mut self, shown: &[&str]) -> Self {
        let shown: Vec<Shown> = shown.iter().map(|text| Shown::new(text)).collect();
        let rounds = self.loops.values_mut().flatten();
        let rounds = rounds.flat_map(|rounds| &mut rounds.values);
        for values in rounds.chain([&mut self.values]) {
            for value in values.values_mut() {
                let is_shown = |literal: &String| shown.iter().any(|one| one.is_held_by(literal));
                *value = value.take().filter(|literal| !is_shown(literal));
            }
        }
        self
    }
}

impl Rounds {
    fn begin(&mut self) {
        match self.values.len() < MOST_ROUNDS {
            true => self.values.push(Values::new()),
            false => self.is_cut = true,
        }
    }

    /// Keeps of the rounds of two runs what was equal in both. If the other has left the loop it says nothing of what would have
    /// followed.
    fn merged((mut one, other): (Self, Self)) -> Self {
        if other.has_ended {
            one.values.truncate(other.values.len());
        }
        let last = other.values.len().checked_sub(1);
        let left_in = last.filter(|_| !other.has_ended);
        for (nth, (values, theirs)) in one.values.iter_mut().zip(&other.values).enumerate() {
            let is_known = |idx: &usize| left_in != Some(nth) || theirs.contains_key(idx);
            for (idx, value) in values.iter_mut().filter(|(idx, _)| is_known(idx)) {
                let is_same = theirs.get(idx) == Some(value);
                *value = value.take().filter(|_| is_same);
            }
        }
        one
    }
}

fn note(values: &mut Values, idx: usize, value: Option<String>) {
    let known = values.entry(idx).or_insert_with(|| value.clone());
    if *known != value {
        *known = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the first site in each round of the loop `5`.
    fn rounds(observed: &RunValues) -> Option<Vec<Option<&str>>> {
        let rounds = observed.loops.get(&5)?.as_ref()?;
        let values = rounds.values.iter();
        Some(values.map(|round| round.get(&0)?.as_deref()).collect())
    }

    #[track_caller]
    fn check(record: &str, expected: Option<&[Option<&str>]>) {
        let observed = RunValues::read(record.as_bytes());
        assert_eq!(rounds(&observed).as_deref(), expected);
    }

    #[test]
    fn values_belong_to_the_round_in_which_they_were_seen() {
        check(
            "t 0 9\nt >5\nt .5\nt 0 1\nt .5\nt .5\nt 0 2\nt 0 3\n",
            Some(&[Some("1"), None, None]),
        );
        check("t 0 9\nt >5\n", Some(&[]));
        check("t 0 9\n", None);
    }

    #[test]
    fn rounds_of_a_loop_that_is_entered_twice_are_not_told_apart() {
        check("t >5\nt .5\nt >5\nt .5\n", None);
        check("t >5\nt .5\nu .5\n", None);
    }

    #[test]
    fn other_threads_have_no_part_in_a_round() {
        check("t >5\nt .5\nu 0 2\nt 0 1\n", Some(&[Some("1")]));
    }

    #[test]
    fn the_first_rounds_of_two_runs_are_compared() {
        let mut observed = RunValues::read(b"t >5\nt .5\nt 0 1\nt .5\nt 0 2\nt .5\nt 0 3\n");
        observed.merge(RunValues::read(b"t >5\nt .5\nt 0 1\nt .5\nt 0 4\nt <5\n"));
        assert_eq!(rounds(&observed), Some(vec![Some("1"), None]));
        observed.merge(RunValues::read(b"t 0 7\n"));
        assert_eq!(rounds(&observed), Some(vec![Some("1"), None]));
        observed.merge(RunValues::read(b"t >5\nt <5\n"));
        assert_eq!(rounds(&observed), Some(vec![]));
    }

    #[test]
    fn a_run_that_leaves_a_loop_says_nothing_of_what_follows() {
        let mut observed = RunValues::read(b"t >5\nt .5\nt 0 1\nt .5\nt 0 2\nt .5\nt 0 3\n");
        observed.merge(RunValues::read(b"t >5\nt .5\nt 0 1\nt .5\n"));
        let all = Some(vec![Some("1"), Some("2"), Some("3")]);
        assert_eq!(rounds(&observed), all);
        observed.merge(RunValues::read(b"t >5\n"));
        assert_eq!(rounds(&observed), all);
        observed.merge(RunValues::read(b"t >5\nt .5\nt .5\nt 0 4\n"));
        assert_eq!(rounds(&observed), Some(vec![None, None, Some("3")]));
    }

    #[test]
    fn values_that_the_failure_shows_are_forgotten() {
        let observed = RunValues::read(b"t 1 -70\nt >5\nt .5\nt 0 4\nt .5\nt 0 Some(-70)\n");
        let left = observed.without(&["Some(-70)", "9"]);
        assert_eq!(left.values[&1], None);
        assert_eq!(rounds(&left), Some(vec![Some("4"), None]));
    }

    #[test]
    fn a_loop_of_many_rounds_is_cut() {
        let record = format!("t >5\n{}", "t .5\n".repeat(MOST_ROUNDS + 1));
        let observed = RunValues::read(record.as_bytes());
        let rounds = observed.loops[&5].as_ref();
        assert!(rounds.is_some_and(|rounds| rounds.is_cut));
    }
}
