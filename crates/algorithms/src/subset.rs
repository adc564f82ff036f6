//! The candidate of a list algorithm: some elements of the list, without a copy of the list.

use crate::bits::Bits;
use crate::fingerprint::{Fingerprint, of_element};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What a candidate does with a run of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Keeps the run alone: "reduce to subset".
    Keep,
    /// Removes the run: "reduce to complement".
    Remove,
}

/// Some elements of a list, named by their position in the list with which the search began.
///
/// A subset is the list that was current when it was proposed, and a run of it that is kept or
/// removed. Making or cloning one takes constant time; the iterators skip what is gone 64 elements
/// at a time. It stays valid, and unchanged, when the search goes on.
#[derive(Clone)]
pub struct Subset {
    pub(crate) list: Arc<Bits>,
    pub(crate) change: Change,
    pub(crate) range: Range<usize>,
    pub(crate) len: usize,
    pub(crate) fingerprint: Fingerprint,
}

impl Subset {
    /// How many elements are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many elements the list had with which the search began.
    #[must_use]
    pub fn original_len(&self) -> usize {
        self.list.bound()
    }

    /// Whether `element` is kept. It is not if there is no such element.
    #[must_use]
    pub fn keeps(&self, element: usize) -> bool {
        let in_range = self.range.contains(&element);
        self.list.contains(element) && in_range == (self.change == Change::Keep)
    }

    /// The elements that are kept, in ascending order.
    pub fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        self.part(Change::Keep)
    }

    /// All elements of the original list that are not kept, in ascending order.
    pub fn removed(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.original_len()).filter(|element| !self.keeps(*element))
    }

    /// The elements that were in the list when this was proposed and are not kept, in ascending
    /// order: what this step would remove.
    pub fn newly_removed(&self) -> impl Iterator<Item = usize> + '_ {
        self.part(Change::Remove)
    }

    /// A 128-bit number that depends on the kept elements alone and that different subsets of any
    /// list do not share, but for a probability of about 2^-128. 0 if nothing is kept.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// The subset that keeps exactly `elements` of a list of `original_len`, for tests of code that
    /// takes subsets. Elements beyond the list are left out.
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
            len,
            fingerprint,
        }
    }

    /// The elements of the current list that are kept, or those that are removed: they lie inside
    /// the run if that is what is done with the run, and outside otherwise.
    fn part(&self, change: Change) -> impl Iterator<Item = usize> + '_ {
        let Range { start, end } = self.range;
        let bound = self.original_len();
        let (first, second) = if self.change == change {
            (start..end, bound..bound)
        } else {
            (0..start, end..bound)
        };
        self.list.iter(first).chain(self.list.iter(second))
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
