//! The partition of a list into the runs of a round, from the runs that the round before has left.

use crate::current::Current;
use std::ops::Range;

/// A way to partition a list into runs, round after round.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Partition {
    /// ddmin: the whole list into twice as many runs of about equal length.
    Even,
    /// W-ddmin: each run into two of about equal weight. Runs of one element leave the rounds.
    Weighted,
    /// CDD: the whole list into runs of a length that depends on the round alone.
    Counted {
        /// The probability at first that an element is in the result.
        initial_probability: f64,
    },
}

impl Partition {
    /// Returns the runs of the next round, where `runs` are left of the last one and `round` rounds
    /// were before. `None`: the rounds are over.
    pub(crate) fn next(
        self,
        current: &Current,
        runs: &[Range<usize>],
        round: u32,
    ) -> Option<Vec<Range<usize>>> {
        match self {
            Self::Even if runs.len() < current.len() => Some(split(current, 2 * runs.len())),
            Self::Even => None,
            Self::Weighted => {
                let halves = runs.iter().filter_map(|run| halves(current, run));
                Some(halves.flatten().collect()).filter(|runs: &Vec<_>| !runs.is_empty())
            }
            Self::Counted {
                initial_probability,
            } => {
                let size = |round| subset_size(initial_probability, round);
                let is_over = round > 0 && size(round - 1) == 1;
                (!is_over).then(|| split_by(current, size(round)))
            }
        }
    }
}

/// Splits the list into `n_runs` runs that differ in length by one at most, or into its elements
/// if there are fewer.
fn split(current: &Current, n_runs: usize) -> Vec<Range<usize>> {
    let n_runs = n_runs.min(current.len());
    let bound = |index: usize| index * current.len() / n_runs;
    runs_of(
        current,
        (0..n_runs).map(|index| bound(index + 1) - bound(index)),
    )
}

/// Splits the list into runs of `size` elements; the last may have fewer.
fn split_by(current: &Current, size: usize) -> Vec<Range<usize>> {
    let starts = (0..current.len()).step_by(size);
    runs_of(current, starts.map(|start| size.min(current.len() - start)))
}

/// Splits the list into runs of these lengths, which are not 0 and make up the list.
fn runs_of(current: &Current, lens: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let list = current.list();
    let mut elements = list.iter(0..list.bound());
    lens.map(|len| {
        let first = elements.next().expect("the lengths make up the list");
        let last = elements.by_ref().take(len - 1).last().unwrap_or(first);
        first..last + 1
    })
    .collect()
}

/// Splits a run into two parts whose weights are as close as can be (`weightedPartition` of WDD,
/// Algorithm 1), the lighter one first where there are two ways. `None` for a single element.
fn halves(current: &Current, run: &Range<usize>) -> Option<[Range<usize>; 2]> {
    let (list, sums) = (current.list(), current.sums());
    let first = list.next(run.start)?;
    let last = list.previous(run.end)?;
    if first >= last {
        return None;
    }
    let before = sums.before(run.start).weight;
    let total = sums.of(run).weight;
    // The element with which the first half gets at least half of the weight.
    let middle = sums.reaches(before + total.div_ceil(2));
    let lower = middle.max(list.next(first + 1).unwrap_or(last));
    let upper = (middle + 1).min(last);
    let distance = |at: usize| (2 * sums.of(&(run.start..at)).weight).abs_diff(total);
    let split = if distance(lower) <= distance(upper) {
        lower
    } else {
        upper
    };
    Some([run.start..split, split..run.end])
}

/// Returns the number of elements that a run has in a round, counted from 0 (`ComputeSize` of CDD,
/// Algorithm 2).
///
/// It maximises `s * (1 - p)^s`, what is removed times how probable it is that it can be, where `p`
/// grows by 1.582 with each round. Of two sizes with the same gain it takes the larger.
pub(crate) fn subset_size(initial_probability: f64, round: u32) -> usize {
    let probability = initial_probability * 1.582_f64.powf(f64::from(round));
    if probability >= 1.0 {
        return 1;
    }
    let gain = |size: f64| size * (1.0 - probability).powf(size);
    // Lemma III.3: the best size is one of the two next to -1 / ln(1 - p).
    let best = -1.0 / (-probability).ln_1p();
    let (lower, upper) = (best.floor().max(1.0), best.ceil().max(1.0));
    // `s * q^s` is the same for s and s + 1 where q = s / (s + 1), but for rounding.
    let size = if gain(upper) * (1.0 + 1e-9) >= gain(lower) {
        upper
    } else {
        lower
    };
    size as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::List;
    use crate::subset::{Change, Kind};

    fn check(weights: &[u64], expected: [Range<usize>; 2]) {
        let current = Current::new(List::weighted(weights));
        assert_eq!(halves(&current, &(0..weights.len())), Some(expected));
    }

    #[test]
    fn halves_are_close_in_weight() {
        check(&[5, 8, 7, 7, 8, 16, 25, 6], [0..5, 5..8]);
        check(&[5, 8, 7, 7, 8], [0..3, 3..5]);
        check(&[16, 25, 6], [0..1, 1..3]);
    }

    #[test]
    fn halves_are_never_empty() {
        check(&[100, 1], [0..1, 1..2]);
        check(&[1, 100], [0..1, 1..2]);
        check(&[1, 1, 100], [0..2, 2..3]);
        check(&[u64::MAX, u64::MAX], [0..1, 1..2]);
    }

    #[test]
    fn halves_without_weight_are_equally_long() {
        check(&[0, 0, 0, 0, 0, 0], [0..3, 3..6]);
    }

    #[test]
    fn halves_do_not_exist_for_one_element() {
        let current = Current::new(List::new(1));
        assert_eq!(halves(&current, &(0..1)), None);
    }

    #[test]
    fn halves_of_a_run_with_holes_both_have_elements() {
        let mut current = Current::new(List::new(6));
        for gone in [1..2, 4..6] {
            let without = current.candidate(Change::Remove, gone, Kind::Complement);
            current.accept(&without.expect("it is new"));
        }
        assert_eq!(halves(&current, &(0..6)), Some([0..2, 2..6]));
        assert_eq!(halves(&current, &(1..6)), Some([1..3, 3..6]));
        assert_eq!(halves(&current, &(3..6)), None);
        assert_eq!(halves(&current, &(4..6)), None);
    }

    fn sizes(initial_probability: f64) -> Vec<usize> {
        let sizes = (0..).map(|round| subset_size(initial_probability, round));
        let mut found: Vec<usize> = Vec::new();
        for size in sizes {
            found.push(size);
            if size == 1 {
                break;
            }
        }
        found
    }

    #[test]
    fn sizes_are_those_of_the_paper() {
        assert_eq!(sizes(0.25), [4, 2, 1]);
        assert_eq!(sizes(0.1), [10, 6, 3, 2, 1]);
        assert_eq!(sizes(0.9), [1]);
        assert_eq!(sizes(1e-6)[0], 1_000_000);
        assert!(sizes(1e-6).is_sorted_by(|a, b| a > b));
    }
}
