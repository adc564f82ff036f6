//! The current list of a list algorithm: what is left of it, and which candidates it has seen.

use crate::bits::Bits;
use crate::fingerprint::{EMPTY, Fingerprint, of_element};
use crate::subset::{Change, Subset};
use crate::tested::{Attempt, Tested};
use std::ops::Range;
use std::sync::Arc;

/// A run of the current list.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// Between which positions of the original list it lies.
    pub(crate) range: Range<usize>,
    /// How many elements of the current list lie there.
    pub(crate) len: usize,
    /// Their fingerprint.
    pub(crate) fingerprint: Fingerprint,
}

impl Run {
    /// The run without elements, which stands for the candidate "remove everything".
    pub(crate) const NOTHING: Self = Self {
        range: 0..0,
        len: 0,
        fingerprint: EMPTY,
    };

    /// The run of these elements: neighbours in the current list, in ascending order.
    pub(crate) fn of(elements: impl Iterator<Item = usize>) -> Self {
        elements.fold(Self::NOTHING, |run, element| Self {
            range: if run.len == 0 {
                element
            } else {
                run.range.start
            }..element + 1,
            len: run.len + 1,
            fingerprint: run.fingerprint ^ of_element(element),
        })
    }
}

/// The list as it is after what was accepted.
#[derive(Debug)]
pub(crate) struct Current {
    list: Arc<Bits>,
    len: usize,
    fingerprint: Fingerprint,
    tested: Tested,
}

impl Current {
    /// A list of `len` elements whose fingerprint is `fingerprint`.
    pub(crate) fn new(len: usize, fingerprint: Fingerprint) -> Self {
        Self {
            list: Arc::new(Bits::full(len)),
            len,
            fingerprint,
            tested: Tested::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn list(&self) -> &Bits {
        &self.list
    }

    /// The candidate that keeps or removes `run`, unless its outcome is known: it was made before,
    /// or it is the list itself, or it is empty.
    pub(crate) fn candidate(&mut self, change: Change, run: Run) -> Option<Subset> {
        let whole = change == Change::Keep && run.len == self.len;
        let nothing = change == Change::Remove && run.len == self.len;
        if whole || nothing || run.len == 0 {
            return None;
        }
        let subset = self.subset(change, &run);
        let fingerprint = subset.fingerprint;
        let attempt = Attempt {
            fingerprint,
            range: run.range,
            run_len: run.len,
        };
        self.tested.note(change, attempt).then_some(subset)
    }

    /// The candidate that removes everything.
    pub(crate) fn empty_candidate(&self) -> Subset {
        self.subset(Change::Keep, &Run::NOTHING)
    }

    /// Forgets the newest candidate, which was one to do `change`.
    pub(crate) fn take_back(&mut self, change: Change) {
        self.tested.take_back(change);
    }

    /// Makes `subset`, a candidate on this list, the list.
    pub(crate) fn accept(&mut self, subset: &Subset) {
        let gone = self.span_of_removed(subset);
        let list = Arc::make_mut(&mut self.list);
        match subset.change {
            Change::Remove => list.remove(subset.range.clone()),
            Change::Keep => {
                list.remove(0..subset.range.start);
                list.remove(subset.range.end..list.bound());
            }
        }
        self.len = subset.len;
        self.fingerprint = subset.fingerprint;
        let list = &self.list;
        self.tested
            .list_lost(&gone, self.len, |range| list.count(range));
    }

    fn subset(&self, change: Change, run: &Run) -> Subset {
        let (len, fingerprint) = match change {
            Change::Keep => (run.len, run.fingerprint),
            Change::Remove => (self.len - run.len, self.fingerprint ^ run.fingerprint),
        };
        let (list, range) = (Arc::clone(&self.list), run.range.clone());
        Subset {
            list,
            change,
            range,
            len,
            fingerprint,
        }
    }

    /// From the first element that `subset` removes to the last.
    fn span_of_removed(&self, subset: &Subset) -> Range<usize> {
        let Range { start, end } = subset.range;
        let bound = self.list.bound();
        let (from, to) = match subset.change {
            Change::Remove => (start, end),
            Change::Keep => (
                if self.list.previous(start).is_some() {
                    0
                } else {
                    end
                },
                if self.list.next(end).is_some() {
                    bound
                } else {
                    start
                },
            ),
        };
        let first = self.list.next(from).unwrap_or(from);
        let last = self.list.previous(to).unwrap_or(first);
        first..last + 1
    }
}
