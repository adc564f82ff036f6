//! A set of list elements as one bit each: small enough to be copied at each acceptance (12 kB for
//! 100,000 elements), and searched 64 elements at a time.

use std::ops::Range;

const WORD: usize = 64;

/// A set of the numbers below `len`.
#[derive(Debug, Clone)]
pub(crate) struct Bits {
    words: Box<[u64]>,
    len: usize,
}

impl Bits {
    /// Makes the set of all numbers below `len`.
    pub(crate) fn full(len: usize) -> Self {
        let words = (0..len.div_ceil(WORD))
            .map(|word| mask(word, 0..len))
            .collect();
        Self { words, len }
    }

    /// Returns the bound below which all numbers of the set are.
    pub(crate) fn bound(&self) -> usize {
        self.len
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        number < self.len && self.words[number / WORD] >> (number % WORD) & 1 == 1
    }

    pub(crate) fn remove(&mut self, range: Range<usize>) {
        for word in words_of(&range) {
            self.words[word] &= !mask(word, range.clone());
        }
    }

    /// Returns the least number in the set that is at least `from`.
    pub(crate) fn next(&self, from: usize) -> Option<usize> {
        let first = from / WORD;
        let mut word = self.words.get(first)? & (u64::MAX << (from % WORD));
        let mut index = first;
        while word == 0 {
            index += 1;
            word = *self.words.get(index)?;
        }
        Some(index * WORD + word.trailing_zeros() as usize)
    }

    /// Returns the greatest number in the set that is less than `before`.
    pub(crate) fn previous(&self, before: usize) -> Option<usize> {
        let range = 0..before.min(self.len);
        let (index, word) = words_of(&range)
            .rev()
            .map(|index| (index, self.words[index] & mask(index, range.clone())))
            .find(|(_, word)| *word != 0)?;
        Some(index * WORD + WORD - 1 - word.leading_zeros() as usize)
    }

    /// Returns the number of elements of `range` that are in the set.
    pub(crate) fn count(&self, range: &Range<usize>) -> usize {
        words_of(range)
            .map(|word| (self.words[word] & mask(word, range.clone())).count_ones() as usize)
            .sum()
    }

    /// Returns the numbers of `range` that are in the set, in ascending order.
    pub(crate) fn iter(&self, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.next(range.start), |number| self.next(number + 1))
            .take_while(move |number| *number < range.end)
    }
}

/// Returns the indices of the words that hold the bits of `range`.
fn words_of(range: &Range<usize>) -> Range<usize> {
    if range.is_empty() {
        0..0
    } else {
        range.start / WORD..range.end.div_ceil(WORD)
    }
}

/// Returns a mask of the bits of `range` that lie in word number `word`.
fn mask(word: usize, range: Range<usize>) -> u64 {
    let base = word * WORD;
    let low = range.start.saturating_sub(base).min(WORD);
    let high = range.end.saturating_sub(base).min(WORD);
    ones(high) & !ones(low)
}

/// Returns a word whose lowest `count` bits are set.
fn ones(count: usize) -> u64 {
    if count >= WORD {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn bits_agree_with_a_set(
            len in 0_usize..300,
            holes in prop::collection::vec((0_usize..300, 0_usize..90), 0..6),
            at in 0_usize..330,
            width in 0_usize..330,
        ) {
            let mut bits = Bits::full(len);
            let mut set: BTreeSet<usize> = (0..len).collect();
            for (start, length) in holes {
                let (start, end) = (start.min(len), (start + length).min(len));
                bits.remove(start..end);
                set.retain(|number| !(start..end).contains(number));
            }
            prop_assert_eq!(bits.next(at), set.range(at..).next().copied());
            prop_assert_eq!(bits.previous(at), set.range(..at).next_back().copied());
            prop_assert_eq!(bits.contains(at), set.contains(&at));
            let range = at.min(len)..(at + width).min(len);
            let expected: Vec<usize> = set.range(range.clone()).copied().collect();
            prop_assert_eq!(bits.count(&range), expected.len());
            prop_assert_eq!(bits.iter(range).collect::<Vec<_>>(), expected);
        }
    }
}
