//! The candidate of a list algorithm: some elements of the list, without a copy of the list.

use crate::bits::Bits;
use crate::fingerprint::{EMPTY, Fingerprint, of_element};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The change that a candidate makes to a run of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Keeps the run alone: "reduce to subset".
    Keep,
    /// Removes the run: "reduce to complement".
    Remove,
}

/// The reason why an algorithm made a candidate. *Toward a Better Understanding of Probabilistic
/// Delta Debugging*, IV-F, counts queries by it: what they cost, and how often they succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The candidate was made to see whether any element is needed.
    Empty,
    /// The candidate keeps a run of elements alone ("reduce to subset"; in the paper, an attempt on
    /// the complement).
    Subset,
    /// The candidate removes a run or a set of elements for the first time ("reduce to complement";
    /// in the paper, "other").
    Complement,
    /// The candidate tries again a removal that failed before something else was removed.
    Revisit,
    /// The candidate removes a single element at the end, for a 1-minimal result.
    OneByOne,
}

impl Kind {
    /// All kinds of candidates.
    pub const ALL: [Self; 5] = [
        Self::Empty,
        Self::Subset,
        Self::Complement,
        Self::Revisit,
        Self::OneByOne,
    ];

    /// Returns the name of the kind in a table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Subset => "subset",
            Self::Complement => "complement",
            Self::Revisit => "revisit",
            Self::OneByOne => "one by one",
        }
    }
}

/// Some elements of a list, named by their position in the list with which the search began.
///
/// A subset is the list that was current when it was proposed, and a part of it that is kept or
/// removed: a run, and some elements outside of the run. Cloning one takes constant time; the
/// iterators skip what is gone 64 elements at a time. It stays valid, and unchanged, when the
/// search goes on.
#[derive(Clone)]
pub struct Subset {
    pub(crate) list: Arc<Bits>,
    pub(crate) change: Change,
    pub(crate) range: Range<usize>,
    /// The elements outside of the run that are kept or removed with it, in ascending order.
    pub(crate) others: Arc<[usize]>,
    pub(crate) len: usize,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) kind: Kind,
}

impl Subset {
    /// Returns the number of elements that are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of elements in the list with which the search began.
    #[must_use]
    pub fn original_len(&self) -> usize {
        self.list.bound()
    }

    /// Whether `element` is kept. It is not if there is no such element.
    #[must_use]
    pub fn keeps(&self, element: usize) -> bool {
        self.list.contains(element) && self.is_in_part(element) == (self.change == Change::Keep)
    }

    /// Returns the elements that are kept, in ascending order.
    pub fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        self.part(Change::Keep)
    }

    /// Returns all elements of the original list that are not kept, in ascending order.
    pub fn removed(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.original_len()).filter(|element| !self.keeps(*element))
    }

    /// Returns the elements that were in the list when the candidate was proposed and that it does
    /// not keep, in ascending order: what this step would remove.
    pub fn newly_removed(&self) -> impl Iterator<Item = usize> + '_ {
        self.part(Change::Remove)
    }

    /// Whether `element` was in the list when the candidate was proposed, and is not kept.
    #[must_use]
    pub fn removes_newly(&self, element: usize) -> bool {
        self.list.contains(element) && !self.keeps(element)
    }

    /// Returns the fingerprint of the elements that this step would remove.
    pub(crate) fn newly_removed_fingerprint(&self) -> Fingerprint {
        self.newly_removed()
            .fold(EMPTY, |sum, one| sum ^ of_element(one))
    }

    /// Returns a 128-bit number that depends on the kept elements alone and that different subsets
    /// of any list do not share, but for a probability of about 2^-128. 0 if nothing is kept.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// Returns the reason why the algorithm made the candidate.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Makes the subset that keeps exactly `elements` of a list of `original_len`, for tests of
    /// code that takes subsets. Elements beyond the list are left out.
    #[must_use]
    pub fn from_elements(original_len: usize, elements: impl IntoIterator<Item = usize>) -> Self {
        let wanted: std::collections::BTreeSet<usize> = elements.into_iter().collect();
        let mut list = Bits::full(original_len);
        for gone in (0..original_len).filter(|element| !wanted.contains(element)) {
            list.remove(gone..gone + 1);
        }
        let range = 0..original_len;
        let fingerprint = list
            .iter(range.clone())
            .fold(0, |sum, one| sum ^ of_element(one));
        let len = list.count(&range);
        Self {
            list: Arc::new(list),
            change: Change::Keep,
            range,
            others: Arc::from([]),
            len,
            fingerprint,
            kind: Kind::Subset,
        }
    }

    fn is_in_part(&self, element: usize) -> bool {
        self.range.contains(&element) || self.others.binary_search(&element).is_ok()
    }

    /// Returns the elements of the current list that are kept, or those that are removed: they lie
    /// inside the part if that is what is done with the part, and outside otherwise.
    fn part(&self, change: Change) -> impl Iterator<Item = usize> + '_ {
        let is_inside = self.change == change;
        let (inside, outside) = if is_inside {
            (Some(self.inside()), None)
        } else {
            (None, Some(self.outside()))
        };
        inside
            .into_iter()
            .flatten()
            .chain(outside.into_iter().flatten())
    }

    fn inside(&self) -> impl Iterator<Item = usize> + '_ {
        let before = self
            .others
            .partition_point(|other| *other < self.range.start);
        let (before, after) = self.others.split_at(before);
        let run = self.list.iter(self.range.clone());
        before
            .iter()
            .copied()
            .chain(run)
            .chain(after.iter().copied())
    }

    fn outside(&self) -> impl Iterator<Item = usize> + '_ {
        let Range { start, end } = self.range;
        let left = self.list.iter(0..start);
        let right = self.list.iter(end..self.original_len());
        let mut others = self.others.iter().copied().peekable();
        left.chain(right).filter(move |element| {
            while others.next_if(|other| other < element).is_some() {}
            others.peek() != Some(element)
        })
    }
}

impl fmt::Debug for Subset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.kept()).finish()
    }
}

impl PartialEq for Subset {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Eq for Subset {}
