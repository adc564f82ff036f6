//! The current list of a list algorithm: its elements that are left, and the candidates that were
//! made of it.

use crate::bits::Bits;
use crate::closure::{Closure, Visits};
use crate::fenwick::Amount;
use crate::fingerprint::EMPTY;
use crate::list::List;
use crate::subset::{Change, Kind, Subset};
use crate::sums::{Sum, Sums};
use crate::tested::{Attempt, Tested};
use std::ops::Range;
use std::sync::Arc;

/// The list of a search at one moment, without the elements that accepted candidates have removed.
#[derive(Debug)]
pub(crate) struct Current {
    list: Arc<Bits>,
    sums: Sums,
    total: Sum,
    closure: Option<Closure>,
    visits: Visits,
    tested: Tested,
    nothing_else: Arc<[usize]>,
}

/// The part of a list that a candidate is about: the elements of a run, or some that lie anywhere.
struct Part {
    /// The run's positions in the original list.
    range: Range<usize>,
    /// The elements of the part that lie outside of the run, in ascending order.
    others: Arc<[usize]>,
    sum: Sum,
}

impl Current {
    pub(crate) fn new(list: List) -> Self {
        let sums = Sums::new(&list.weights);
        Self {
            list: Arc::new(Bits::full(list.len())),
            total: sums.of(&(0..list.len())),
            sums,
            closure: list.closure,
            visits: Visits::default(),
            tested: Tested::default(),
            nothing_else: Arc::from([]),
        }
    }

    /// Returns the number of elements that are left.
    pub(crate) fn len(&self) -> usize {
        self.total.len
    }

    pub(crate) fn list(&self) -> &Bits {
        &self.list
    }

    pub(crate) fn sums(&self) -> &Sums {
        &self.sums
    }

    /// Makes the candidate that keeps or removes what is left in `range`, unless its outcome is
    /// known: it was made before, or it is the list itself, or it is empty.
    pub(crate) fn candidate(
        &mut self,
        change: Change,
        range: Range<usize>,
        kind: Kind,
    ) -> Option<Subset> {
        let sum = self.sums.of(&range);
        let part = Part {
            range,
            others: Arc::clone(&self.nothing_else),
            sum,
        };
        self.untested(change, part, kind)
    }

    /// Makes the candidate that removes `elements`, all of which are left, unless its outcome is
    /// known. They are given in ascending order.
    pub(crate) fn candidate_without(&mut self, elements: &[usize], kind: Kind) -> Option<Subset> {
        let one = |sum: Sum, element: &usize| sum.plus(self.sums.one(*element));
        let part = Part {
            range: 0..0,
            sum: elements.iter().fold(Sum::ZERO, one),
            others: elements.into(),
        };
        self.untested(Change::Remove, part, kind)
    }

    /// Makes the candidate that removes everything.
    pub(crate) fn empty_candidate(&self) -> Subset {
        let part = Part {
            range: 0..0,
            others: Arc::clone(&self.nothing_else),
            sum: Sum::ZERO,
        };
        self.subset(Change::Keep, part, Kind::Empty)
    }

    /// Forgets the newest candidate, of which `change` says whether it kept or removed its part.
    pub(crate) fn take_back(&mut self, change: Change) {
        self.tested.take_back(change);
    }

    /// Makes `subset`, an accepted candidate, the current list.
    pub(crate) fn accept(&mut self, subset: &Subset) {
        let gone: Vec<usize> = subset.newly_removed().collect();
        let list = Arc::make_mut(&mut self.list);
        for &element in &gone {
            list.remove(element..element + 1);
            self.sums.remove(element);
        }
        self.total = self.sums.of(&(0..self.list.bound()));
        if let (Some(first), Some(last)) = (gone.first(), gone.last()) {
            let sums = &self.sums;
            self.tested
                .list_lost(&(*first..last + 1), self.total.len, |range| {
                    sums.of(range).len
                });
        }
    }

    fn untested(&mut self, change: Change, part: Part, kind: Kind) -> Option<Subset> {
        if part.sum.len == 0 {
            return None;
        }
        let run_len = part.sum.len - part.others.len();
        let part = self.closed(change, part);
        if part.sum.len == self.total.len {
            return None;
        }
        let attempt = Attempt {
            fingerprint: EMPTY,
            range: span(&part),
            list_len: self.total.len,
            run_len: match change {
                Change::Keep => run_len,
                Change::Remove => part.sum.len,
            },
            run: part.range.clone(),
        };
        let subset = self.subset(change, part, kind);
        let attempt = Attempt {
            fingerprint: subset.fingerprint,
            ..attempt
        };
        self.tested.note(change, attempt).then_some(subset)
    }

    /// Adds to a part the elements that have to be kept or removed with it.
    fn closed(&mut self, change: Change, part: Part) -> Part {
        let Some(closure) = &self.closure else {
            return part;
        };
        let run = self.list.iter(part.range.clone());
        let elements = run.chain(part.others.iter().copied());
        let beyond = closure.beyond(change, elements, &self.list, &mut self.visits);
        if beyond.is_empty() {
            return part;
        }
        let one = |sum: Sum, element: &usize| sum.plus(self.sums.one(*element));
        let sum = beyond.iter().fold(part.sum, one);
        let mut others = [&*part.others, &beyond].concat();
        others.sort_unstable();
        Part {
            others: others.into(),
            sum,
            ..part
        }
    }

    fn subset(&self, change: Change, part: Part, kind: Kind) -> Subset {
        let kept = match change {
            Change::Keep => part.sum,
            Change::Remove => self.total.minus(part.sum),
        };
        Subset {
            list: Arc::clone(&self.list),
            change,
            range: part.range,
            others: part.others,
            len: kept.len,
            fingerprint: kept.fingerprint,
            kind,
        }
    }
}

/// Returns the smallest range of positions in which all of a part lies.
fn span(part: &Part) -> Range<usize> {
    let run = Some(part.range.clone()).filter(|range| !range.is_empty());
    let first = part.others.first().copied().unwrap_or(usize::MAX);
    let last = part.others.last().map_or(0, |last| last + 1);
    match run {
        Some(run) => run.start.min(first)..run.end.max(last),
        None => first.min(last)..last,
    }
}
