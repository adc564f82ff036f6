//! Sums over the first so many of a list of amounts that change: a Fenwick tree (P. M. Fenwick 1994,
//! *A New Data Structure for Cumulative Frequency Tables*). Linear memory, logarithmic time.

/// An amount that can be added up.
pub(crate) trait Amount: Copy {
    /// The amount of nothing.
    const ZERO: Self;

    /// Returns the sum of both amounts.
    fn plus(self, other: Self) -> Self;

    /// Returns this amount without `part`, which is a part of it.
    fn minus(self, part: Self) -> Self;
}

/// Arithmetic wraps, so that a number may be taken away by adding its negation.
impl Amount for u64 {
    const ZERO: Self = 0;

    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    fn minus(self, part: Self) -> Self {
        self.wrapping_sub(part)
    }
}

/// A list of amounts that can change, with quick sums over its first elements.
#[derive(Debug, Clone)]
pub(crate) struct Fenwick<A> {
    /// Entry `i`, counted from 1, has the sum of the amounts `i - lowest_bit(i)..i`.
    entries: Vec<A>,
}

impl<A> Default for Fenwick<A> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<A: Amount> Fenwick<A> {
    /// Returns the number of amounts.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Appends an amount.
    pub(crate) fn push(&mut self, amount: A) {
        let entry = self.entries.len() + 1;
        let start = entry - lowest_bit(entry);
        let before = self.prefix(entry - 1).minus(self.prefix(start));
        self.entries.push(amount.plus(before));
    }

    /// Adds to the amount at `index`. Does nothing beyond the end of the list.
    pub(crate) fn add(&mut self, index: usize, more: A) {
        self.change(index, |sum| sum.plus(more));
    }

    /// Subtracts from the amount at `index`. Does nothing beyond the end of the list.
    pub(crate) fn take(&mut self, index: usize, part: A) {
        self.change(index, |sum| sum.minus(part));
    }

    /// Returns the sum of the first `count` amounts.
    pub(crate) fn prefix(&self, count: usize) -> A {
        let (mut sum, mut entry) = (A::ZERO, count);
        while entry > 0 {
            sum = sum.plus(self.entries[entry - 1]);
            entry -= lowest_bit(entry);
        }
        sum
    }

    /// Returns the number of amounts from the front that can be added up while `is_below` holds for
    /// the sum; it holds for nothing, and for all sums up to some number of amounts.
    pub(crate) fn count_while(&self, is_below: impl Fn(A) -> bool) -> usize {
        let (mut count, mut sum) = (0, A::ZERO);
        let mut step = self.len().checked_ilog2().map_or(0, |log| 1 << log);
        while step > 0 {
            if let Some(entry) = self.entries.get(count + step - 1) {
                let next = sum.plus(*entry);
                if is_below(next) {
                    (count, sum) = (count + step, next);
                }
            }
            step /= 2;
        }
        count
    }

    fn change(&mut self, index: usize, change: impl Fn(A) -> A) {
        let mut entry = index + 1;
        while let Some(sum) = self.entries.get_mut(entry - 1) {
            *sum = change(*sum);
            entry += lowest_bit(entry);
        }
    }
}

impl<A: Amount> FromIterator<A> for Fenwick<A> {
    fn from_iter<I: IntoIterator<Item = A>>(amounts: I) -> Self {
        let mut fenwick = Self::default();
        amounts.into_iter().for_each(|amount| fenwick.push(amount));
        fenwick
    }
}

fn lowest_bit(number: usize) -> usize {
    number & number.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prefixes_agree_with_adding_up(
            mut numbers in prop::collection::vec(0_u64..100, 0..70),
            changes in prop::collection::vec((0_usize..80, 0_u64..50, any::<bool>()), 0..20),
            limit in 1_u64..3000,
        ) {
            let mut fenwick: Fenwick<u64> = numbers.iter().copied().collect();
            for (index, change, is_more) in changes {
                let left = numbers.get(index).copied().unwrap_or_default();
                let change = if is_more { change } else { change.min(left) };
                let number = numbers.get_mut(index);
                if is_more {
                    fenwick.add(index, change);
                    number.into_iter().for_each(|number| *number += change);
                } else {
                    fenwick.take(index, change);
                    number.into_iter().for_each(|number| *number -= change);
                }
            }
            let mut expected = 0;
            let mut below = 0;
            for (index, number) in numbers.iter().enumerate() {
                prop_assert_eq!(fenwick.prefix(index), expected);
                expected += number;
                below += usize::from(expected < limit);
            }
            prop_assert_eq!(fenwick.prefix(numbers.len()), expected);
            prop_assert_eq!(fenwick.count_while(|sum| sum < limit), below);
        }
    }
}
