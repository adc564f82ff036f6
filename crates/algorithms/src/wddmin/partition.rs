//! The weighted partitions of W-ddmin (WDD, IV-A), and what is known of the original list.
//!
//! A partition is removed as a whole or not at all, so one that is left has all its elements: it
//! is a range of the original list, and prefix sums over the original list give its weight and
//! fingerprint in constant time, however much is gone around it.

use crate::current::Run;
use crate::fingerprint::{Fingerprint, prefixes};
use std::ops::Range;

/// Prefix sums over the original list.
#[derive(Debug)]
pub(crate) struct Prefixes {
    /// `weights[i]` is the weight of `0..i`. Wider than one weight, so that it cannot overflow.
    weights: Box<[u128]>,
    fingerprints: Box<[Fingerprint]>,
}

impl Prefixes {
    /// A weight of 0 counts as 1: lists of light elements are then split in the middle too.
    pub(crate) fn new(weights: &[u64]) -> Self {
        let mut sum = 0;
        let sums = weights.iter().map(|weight| {
            sum += u128::from(*weight.max(&1));
            sum
        });
        let sums = std::iter::once(0).chain(sums).collect();
        Self {
            weights: sums,
            fingerprints: prefixes(weights.len()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.weights.len() - 1
    }

    /// The run of a range that has lost nothing.
    pub(crate) fn run(&self, range: Range<usize>) -> Run {
        let fingerprint = self.fingerprints[range.end] ^ self.fingerprints[range.start];
        Run {
            len: range.len(),
            fingerprint,
            range,
        }
    }

    /// `weightedPartition` for one partition: two parts whose weights are as close as can be, the
    /// lighter one first where there are two ways. `None` for a single element.
    pub(crate) fn halves(&self, range: &Range<usize>) -> Option<[Range<usize>; 2]> {
        if range.len() < 2 {
            return None;
        }
        let inner = range.start + 1..range.end;
        let total = self.weights[range.start] + self.weights[range.end];
        let middle =
            inner.start + self.weights[inner.clone()].partition_point(|weight| 2 * weight < total);
        let upper = middle.min(inner.end - 1);
        let lower = (upper - 1).max(inner.start);
        let distance = |at: usize| (2 * self.weights[at]).abs_diff(total);
        let split = if distance(lower) <= distance(upper) {
            lower
        } else {
            upper
        };
        Some([range.start..split, split..range.end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(weights: &[u64], expected: [Range<usize>; 2]) {
        assert_eq!(
            Prefixes::new(weights).halves(&(0..weights.len())),
            Some(expected)
        );
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
        assert_eq!(Prefixes::new(&[3]).halves(&(0..1)), None);
    }
}
