//! Places that are nested: finds the innermost place around a byte, and the places around that one.

use crate::ids::{Place, Position};
use std::cmp::Reverse;

/// Places of which any two are nested or apart.
#[derive(Debug)]
pub(crate) struct Nesting {
    /// The places in the order of their files and starts, the longer first.
    sorted: Vec<Nested>,
}

#[derive(Debug)]
struct Nested {
    place: Place,
    /// The index of the place among the places that the nesting was made of.
    idx: usize,
    /// The index in `sorted` of the innermost place around this one.
    around: Option<usize>,
}

impl Nesting {
    pub(crate) fn new(places: impl IntoIterator<Item = Place>) -> Self {
        let nested = |(idx, place)| Nested {
            place,
            idx,
            around: None,
        };
        let mut sorted: Vec<Nested> = places.into_iter().enumerate().map(nested).collect();
        sorted.sort_by_key(|one| (one.place.start(), Reverse(one.place.range.end), one.idx));
        let mut open: Vec<usize> = Vec::new();
        for at in 0..sorted.len() {
            let is_around = |&outer: &usize| sorted[at].place.is_within(&sorted[outer].place);
            while open.last().is_some_and(|outer| !is_around(outer)) {
                open.pop();
            }
            sorted[at].around = open.last().copied();
            open.push(at);
        }
        Self { sorted }
    }

    /// Returns the places around a byte, the innermost first, as indices of those that the nesting
    /// was made of.
    pub(crate) fn around(&self, at: Position) -> impl Iterator<Item = usize> + '_ {
        let behind = self.sorted.partition_point(|one| one.place.start() <= at);
        std::iter::successors(behind.checked_sub(1), |&idx| self.sorted[idx].around)
            .map(|idx| &self.sorted[idx])
            .filter(move |one| at.is_in(&one.place))
            .map(|one| one.idx)
    }

    /// Returns each place that lies in another one, after the innermost such place, as indices of
    /// those that the nesting was made of.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pair = |one: &Nested| Some((self.sorted[one.around?].idx, one.idx));
        self.sorted.iter().filter_map(pair)
    }

    /// Returns the places that lie in a place, itself included, as indices of those that the
    /// nesting was made of.
    pub(crate) fn within(&self, outer: &Place) -> impl Iterator<Item = usize> + '_ {
        let below = |at: Position| self.sorted.partition_point(|one| one.place.start() < at);
        let (begins, end) = (below(outer.start())..below(outer.end()), outer.range.end);
        self.sorted[begins]
            .iter()
            .filter(move |one| one.place.range.end <= end)
            .map(|one| one.idx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::{FileId, SourceTree};
    use std::ops::Range;
    use std::sync::Arc;

    fn files() -> [FileId; 3] {
        let text = |name: &str| (Utf8PathBuf::from(name), Arc::from(""));
        let (path, root) = text("lib.rs");
        let mut sources = SourceTree::single(path, root);
        let [a, b] = ["a.rs", "b.rs"]
            .map(text)
            .map(|(path, text)| sources.add(path, text));
        [sources.root(), a, b]
    }

    fn nesting<const N: usize>(places: [(usize, Range<usize>); N]) -> Nesting {
        let files = files();
        Nesting::new(places.map(|(file, range)| Place::new(files[file], range)))
    }

    fn around(nesting: &Nesting, file: usize, at: usize) -> Vec<usize> {
        nesting.around(Position::new(files()[file], at)).collect()
    }

    #[track_caller]
    fn check(at: usize, expected: &[usize]) {
        let nesting = nesting([(0, 4..6), (0, 0..10), (0, 1..3), (1, 0..9), (0, 4..6)]);
        assert_eq!(around(&nesting, 0, at), expected);
    }

    #[test]
    fn the_innermost_place_comes_first() {
        check(2, &[2, 1]);
        check(8, &[1]);
        check(10, &[]);
    }

    #[test]
    fn of_equal_places_the_later_one_is_the_inner() {
        check(5, &[4, 0, 1]);
    }

    #[test]
    fn another_file_has_other_places() {
        let nesting = nesting([(0, 0..5), (2, 0..9)]);
        assert_eq!(around(&nesting, 1, 3), []);
        assert_eq!(around(&nesting, 2, 7), [1]);
    }

    #[test]
    fn a_pair_is_a_place_and_the_next_one_around_it() {
        let nesting = nesting([(0, 4..6), (0, 0..10), (0, 5..6), (1, 4..5), (0, 10..12)]);
        assert_eq!(nesting.pairs().collect::<Vec<_>>(), [(1, 0), (0, 2)]);
    }

    #[test]
    fn places_in_a_place_are_found() {
        let nesting = nesting([(0, 0..10), (0, 1..3), (0, 4..6), (1, 4..5)]);
        let outer = Place::new(files()[0], 1..6);
        assert_eq!(nesting.within(&outer).collect::<Vec<_>>(), [1, 2]);
    }
}
