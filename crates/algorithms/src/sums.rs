//! Sums over runs of a list that loses elements: how many elements are left in a run, what they
//! weigh, and the fingerprint of their set, each in logarithmic time. A run may have holes, where
//! elements went that others brought along.

use crate::fenwick::{Amount, Fenwick};
use crate::fingerprint::{EMPTY, Fingerprint, of_element};
use std::ops::Range;

/// The number, weight and fingerprint of the elements that are left in a run of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum {
    /// The number of elements that are left in the run.
    pub(crate) len: usize,
    /// The sum of the elements' weights. Wider than one weight, so that it cannot overflow.
    pub(crate) weight: u128,
    /// The fingerprint of the set of elements that are left in the run.
    pub(crate) fingerprint: Fingerprint,
}

/// The sums over all elements of a list that are left, for any run of it.
#[derive(Debug)]
pub(crate) struct Sums {
    weights: Box<[u64]>,
    sums: Fenwick<Sum>,
}

impl Amount for Sum {
    const ZERO: Self = Self {
        len: 0,
        weight: 0,
        fingerprint: EMPTY,
    };

    fn plus(self, other: Self) -> Self {
        Self {
            len: self.len + other.len,
            weight: self.weight + other.weight,
            fingerprint: self.fingerprint ^ other.fingerprint,
        }
    }

    fn minus(self, part: Self) -> Self {
        Self {
            len: self.len - part.len,
            weight: self.weight - part.weight,
            fingerprint: self.fingerprint ^ part.fingerprint,
        }
    }
}

impl Sums {
    /// Makes the sums over a list from which nothing was removed. A weight of 0 counts as 1: lists
    /// of light elements are then split in the middle too.
    pub(crate) fn new(weights: &[u64]) -> Self {
        let weights: Box<[u64]> = weights.iter().map(|weight| (*weight).max(1)).collect();
        let all = weights.iter().enumerate();
        let sums = all.map(|(element, weight)| sum_of(element, *weight));
        Self {
            sums: sums.collect(),
            weights,
        }
    }

    /// Returns the sum of one element that is left.
    pub(crate) fn one(&self, element: usize) -> Sum {
        sum_of(element, self.weights[element])
    }

    /// Returns the sum over the elements between two positions of the original list.
    pub(crate) fn of(&self, range: &Range<usize>) -> Sum {
        self.before(range.end).minus(self.before(range.start))
    }

    /// Returns the sum over the elements before a position.
    pub(crate) fn before(&self, position: usize) -> Sum {
        self.sums.prefix(position)
    }

    /// Removes an element that is left from the sums.
    pub(crate) fn remove(&mut self, element: usize) {
        self.sums.take(element, self.one(element));
    }

    /// Returns the first element with which the elements from the front weigh `weight` or more
    /// together; the number of elements of the original list if all together weigh less.
    pub(crate) fn reaches(&self, weight: u128) -> usize {
        self.sums.count_while(|sum| sum.weight < weight)
    }
}

fn sum_of(element: usize, weight: u64) -> Sum {
    Sum {
        len: 1,
        weight: u128::from(weight),
        fingerprint: of_element(element),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_summed_up_without_what_is_gone() {
        let mut sums = Sums::new(&[3, 0, 5, 7]);
        sums.remove(2);
        let expected = Sum {
            len: 2,
            weight: 8,
            fingerprint: of_element(1) ^ of_element(3),
        };
        assert_eq!(sums.of(&(1..4)), expected);
        assert_eq!(sums.of(&(2..3)), Sum::ZERO);
        assert_eq!(
            [4, 5, 11, 12].map(|weight| sums.reaches(weight)),
            [1, 3, 3, 4]
        );
    }

    #[test]
    fn weights_do_not_overflow() {
        let sums = Sums::new(&[u64::MAX, u64::MAX]);
        assert_eq!(sums.of(&(0..2)).weight, 2 * u128::from(u64::MAX));
    }
}
