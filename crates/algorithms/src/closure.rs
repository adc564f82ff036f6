//! Elements of a list that have to go together, such as a definition and its users.
//!
//! A list algorithm on a list with a closure works on *closed* sets: what it removes has all
//! its users in it, and what it keeps has all that it needs. So a candidate does not fail for the
//! sole reason that a user was left behind.

use crate::bits::Bits;
use crate::subset::Change;

/// The elements of a list that have to go together: whoever removes one removes its users too.
/// Indirect users go along too.
///
/// Memory: in proportion to the elements and the pairs given.
///
/// ```
/// use reduce_algorithms::{Closure, Ddmin, List, Search};
///
/// // 1 and 2 use 0; 3 uses 2.
/// let closure = Closure::new(4, [(0, 1), (0, 2), (2, 3)]);
/// let mut search = Ddmin::over(List::new(4).with_closure(closure), Default::default());
/// let removed: Vec<Vec<usize>> = std::iter::from_fn(|| search.propose())
///     .map(|(_, candidate)| candidate.removed().collect())
///     .collect();
/// assert_eq!(removed, [vec![0, 1, 2, 3], vec![2, 3], vec![3], vec![1]]);
/// ```
#[derive(Debug, Clone)]
pub struct Closure {
    users: Adjacency,
    needs: Adjacency,
}

impl Closure {
    /// Makes the closure of a list of `len` elements in which `(needed, user)` are these pairs.
    /// Cycles are allowed: all of a cycle goes or stays.
    ///
    /// # Panics
    /// If a pair names an element that the list does not have.
    #[must_use]
    pub fn new(len: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
        assert!(
            pairs
                .iter()
                .all(|&(needed, user)| needed < len && user < len),
            "a pair names an element beyond the list"
        );
        let users = Adjacency::new(len, &mut pairs);
        for pair in &mut pairs {
            *pair = (pair.1, pair.0);
        }
        let needs = Adjacency::new(len, &mut pairs);
        Self { users, needs }
    }

    /// Returns the number of elements of the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.users.starts.len() - 1
    }

    /// Whether the list has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the elements that have to be kept for `elements` to stay, these included, in
    /// ascending order.
    ///
    /// # Panics
    /// If one of them is not in the list.
    #[must_use]
    pub fn kept_with(&self, elements: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let elements: Vec<usize> = elements.into_iter().collect();
        let (all, mut visits) = (Bits::full(self.len()), Visits::default());
        let of = elements.iter().copied();
        let mut kept = self.beyond(Change::Keep, of, &all, &mut visits);
        kept.extend(elements);
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    /// Returns the elements that must be kept or removed with `elements` for the set to be closed, as far as it is in
    /// `list`; without `elements` themselves; in ascending order. Takes time in proportion to what
    /// is visited.
    pub(crate) fn beyond(
        &self,
        change: Change,
        elements: impl Iterator<Item = usize>,
        list: &Bits,
        visits: &mut Visits,
    ) -> Vec<usize> {
        let next = match change {
            Change::Remove => &self.users,
            Change::Keep => &self.needs,
        };
        visits.begin(self.len());
        let mut todo: Vec<usize> = elements.filter(|element| visits.enter(*element)).collect();
        let mut found = Vec::new();
        while let Some(element) = todo.pop() {
            for &other in next.of(element) {
                if list.contains(other) && visits.enter(other) {
                    todo.push(other);
                    found.push(other);
                }
            }
        }
        found.sort_unstable();
        found
    }
}

/// The elements that belong to each element, all in one array.
#[derive(Debug, Clone)]
struct Adjacency {
    starts: Box<[usize]>,
    others: Box<[usize]>,
}

impl Adjacency {
    fn new(len: usize, pairs: &mut Vec<(usize, usize)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; len + 1];
        for (element, _) in pairs.iter() {
            starts[element + 1] += 1;
        }
        for element in 0..len {
            starts[element + 1] += starts[element];
        }
        Self {
            starts: starts.into(),
            others: pairs.iter().map(|(_, other)| *other).collect(),
        }
    }

    fn of(&self, element: usize) -> &[usize] {
        &self.others[self.starts[element]..self.starts[element + 1]]
    }
}

/// Marks of the elements that a walk has visited, which need not be cleared between many walks.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    /// The walk in which each element was last visited.
    last: Vec<u64>,
    walk: u64,
}

impl Visits {
    fn begin(&mut self, len: usize) {
        self.last.resize(len, 0);
        self.walk += 1;
    }

    /// Marks an element as visited, and returns whether this walk had not visited it before.
    fn enter(&mut self, element: usize) -> bool {
        std::mem::replace(&mut self.last[element], self.walk) != self.walk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(change: Change, elements: &[usize], expected: &[usize]) {
        // 1 and 2 use 0, 3 uses 2, 4 and 5 use each other; 6 uses 3 but is gone.
        let closure = Closure::new(7, [(0, 1), (0, 2), (2, 3), (4, 5), (5, 4), (3, 6)]);
        let mut list = Bits::full(7);
        list.remove(6..7);
        let mut visits = Visits::default();
        for _ in 0..2 {
            let elements = elements.iter().copied();
            let found = closure.beyond(change, elements, &list, &mut visits);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn users_go_along_however_indirect() {
        check(Change::Remove, &[0], &[1, 2, 3]);
        check(Change::Remove, &[2], &[3]);
        check(Change::Remove, &[1, 3], &[]);
    }

    #[test]
    fn what_is_needed_is_kept_along() {
        check(Change::Keep, &[3], &[0, 2]);
        check(Change::Keep, &[0], &[]);
    }

    #[test]
    fn what_is_kept_with_elements_has_these_too() {
        let closure = Closure::new(5, [(0, 1), (0, 2), (2, 3)]);
        assert_eq!(closure.kept_with([3, 4]), [0, 2, 3, 4]);
        assert!(closure.kept_with([]).is_empty());
    }

    #[test]
    fn cycles_go_and_stay_as_a_whole() {
        check(Change::Remove, &[4], &[5]);
        check(Change::Keep, &[4], &[5]);
    }
}
