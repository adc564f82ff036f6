//! Ranges that lie in one another: which is the innermost around a place, and what is around that.

use crate::ids::Place;
use reduce_syntax::FileId;
use std::ops::Range;

/// Ranges, each of some text that a key names. Two of one key are nested or apart.
#[derive(Debug)]
pub(crate) struct Nesting<K> {
    /// The ranges in order of their keys, then starts, the longer first.
    sorted: Vec<Nested<K>>,
}

#[derive(Debug)]
struct Nested<K> {
    key: K,
    range: Range<usize>,
    /// Its index among the ranges that were given.
    idx: usize,
    /// The place in `sorted` of the next range around it.
    around: Option<usize>,
}

/// Places by their files.
pub(crate) fn nesting(places: impl IntoIterator<Item = Place>) -> Nesting<FileId> {
    Nesting::new(places.into_iter().map(|place| (place.file, place.range)))
}

impl<K: Ord + Copy> Nesting<K> {
    pub(crate) fn new(ranges: impl IntoIterator<Item = (K, Range<usize>)>) -> Self {
        let nested = |(idx, (key, range))| Nested {
            key,
            range,
            idx,
            around: None,
        };
        let mut sorted: Vec<Nested<K>> = ranges.into_iter().enumerate().map(nested).collect();
        sorted.sort_by_key(|one| {
            let end = std::cmp::Reverse(one.range.end);
            (one.key, one.range.start, end, one.idx)
        });
        link(&mut sorted);
        Self { sorted }
    }

    /// The ranges around a byte, the innermost first, as indices of those that were given.
    pub(crate) fn around(&self, key: K, at: usize) -> impl Iterator<Item = usize> + '_ {
        let after = self
            .sorted
            .partition_point(|one| (one.key, one.range.start) <= (key, at));
        let last = after.checked_sub(1);
        let last = last.filter(|&place| self.sorted[place].key == key);
        std::iter::successors(last, |&place| self.sorted[place].around)
            .filter(move |&place| self.sorted[place].range.contains(&at))
            .map(|place| self.sorted[place].idx)
    }

    /// Each range that another one is around, after the innermost of these, as indices of those that
    /// were given.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pair = |one: &Nested<K>| Some((self.sorted[one.around?].idx, one.idx));
        self.sorted.iter().filter_map(pair)
    }

    /// The ranges that begin in another one, itself included, as indices of those that were given.
    pub(crate) fn within(&self, key: K, outer: &Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let below = |at: usize| {
            self.sorted
                .partition_point(|one| (one.key, one.range.start) < (key, at))
        };
        let places = below(outer.start)..below(outer.end);
        let end = outer.end;
        self.sorted[places]
            .iter()
            .filter(move |one| one.range.end <= end)
            .map(|one| one.idx)
    }
}

fn link<K: Ord + Copy>(sorted: &mut [Nested<K>]) {
    let mut open: Vec<usize> = Vec::new();
    for place in 0..sorted.len() {
        let (before, rest) = sorted.split_at_mut(place);
        let one = &mut rest[0];
        let is_around =
            |outer: &Nested<K>| outer.key == one.key && outer.range.end >= one.range.end;
        while open.last().is_some_and(|&last| !is_around(&before[last])) {
            open.pop();
        }
        one.around = open.last().copied();
        open.push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(at: usize, expected: &[usize]) {
        let nesting = Nesting::new([(0, 4..6), (0, 0..10), (0, 1..3), (1, 0..9), (0, 4..6)]);
        assert_eq!(nesting.around(0, at).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_innermost_range_comes_first() {
        check(2, &[2, 1]);
        check(8, &[1]);
        check(10, &[]);
    }

    #[test]
    fn of_equal_ranges_the_later_one_is_the_inner() {
        check(5, &[4, 0, 1]);
    }

    #[test]
    fn another_text_has_other_ranges() {
        let nesting = Nesting::new([(0, 0..5), (2, 0..9)]);
        assert_eq!(nesting.around(1, 3).count(), 0);
        assert_eq!(nesting.around(2, 7).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn a_pair_is_a_range_and_the_next_one_around_it() {
        let nesting = Nesting::new([(0, 4..6), (0, 0..10), (0, 5..6), (1, 4..5), (0, 10..12)]);
        assert_eq!(nesting.pairs().collect::<Vec<_>>(), [(1, 0), (0, 2)]);
    }

    #[test]
    fn ranges_in_a_range_are_found() {
        let nesting = Nesting::new([(0, 0..10), (0, 1..3), (0, 4..6), (1, 4..5)]);
        assert_eq!(nesting.within(0, &(1..6)).collect::<Vec<_>>(), [1, 2]);
    }
}
