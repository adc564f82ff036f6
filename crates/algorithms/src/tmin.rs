//! TMIN, the transformation-based minimizing algorithm (Hodován et al., *Extending Hierarchical
//! Delta Debugging with Hoisting*, III-B, Fig. 6): elements are not removed but replaced by smaller
//! ones, such as an expression by one of its own parts. With the hoistable descendants of Fig. 7 as
//! alternatives it is the inner step of HOIST (Fig. 8).
//!
//! Elements are gone through in cycles, and the alternatives of each in the order given. Once one
//! is accepted, the search goes on with the next element, and what failed before is tried again
//! when the cycle comes round to it: the replacement may have made it possible. The search ends when
//! a cycle accepts nothing.
//!
//! ```
//! use reduce_algorithms::{Replacement, Search, Tmin};
//!
//! let mut search = Tmin::new(vec![2, 0, 1]);
//! let mut accepted = Vec::new();
//! while let Some((ticket, candidate)) = search.propose() {
//!     let interesting = candidate != Replacement { element: 0, alternative: 0 };
//!     accepted.extend(search.answer(ticket, interesting).accepted.map(|step| step.candidate));
//! }
//! let first = Replacement { element: 0, alternative: 1 };
//! let second = Replacement { element: 2, alternative: 0 };
//! assert_eq!(accepted, [first, second]);
//! ```

use crate::bits::Bits;
use crate::speculative::{Sequential, Speculative};

/// A candidate of TMIN: the replacement of one element, in addition to the accepted ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Replacement {
    /// The element that is replaced: its position in the list.
    pub element: usize,
    /// The index of the alternative that takes the element's place, from 0.
    pub alternative: usize,
}

/// TMIN as a [`Search`](crate::Search).
///
/// The result is 1-maximal but for elements that were replaced, each of which is replaced once: of
/// the others, none can be replaced by any of its alternatives. Tests: at most
/// `(elements + 1) * alternatives`.
pub type Tmin = Speculative<TminMachine>;

impl Tmin {
    /// Makes a search of a list; `alternatives` has the number of alternatives of each element, of which the first is preferred.
    #[must_use]
    pub fn new(alternatives: Vec<usize>) -> Self {
        Self::from_machine(TminMachine::new(alternatives))
    }
}

/// The machine of TMIN, which makes one candidate at a time.
#[derive(Debug)]
pub struct TminMachine {
    alternatives: Vec<usize>,
    /// The elements that have alternatives and are not replaced.
    open: Bits,
    n_open: usize,
    cursor: TminMark,
}

/// The state of TMIN when it made a candidate.
#[derive(Debug, Clone, Copy)]
pub struct TminMark {
    /// The replacement that is tried next, or the first of a later element if this one has none
    /// left.
    next: Replacement,
    /// The number of elements that are still to be visited before the cycle ends.
    left: usize,
}

impl TminMachine {
    fn new(alternatives: Vec<usize>) -> Self {
        let mut open = Bits::full(alternatives.len());
        for (element, _) in alternatives
            .iter()
            .enumerate()
            .filter(|(_, count)| **count == 0)
        {
            open.remove(element..element + 1);
        }
        let n_open = open.count(&(0..alternatives.len()));
        let next = Replacement {
            element: 0,
            alternative: 0,
        };
        Self {
            alternatives,
            open,
            n_open,
            cursor: TminMark { next, left: n_open },
        }
    }

    /// Returns the next open element from `element` on, where the first comes after the last.
    fn open_from(&self, element: usize) -> Option<usize> {
        self.open.next(element).or_else(|| self.open.next(0))
    }

    /// Moves on to the alternative after `tried`, which is assumed to fail.
    fn move_past(&mut self, tried: Replacement) {
        let Replacement {
            element,
            alternative,
        } = tried;
        if alternative + 1 < self.alternatives[element] {
            self.cursor.next = Replacement {
                element,
                alternative: alternative + 1,
            };
        } else {
            self.cursor.next = Replacement {
                element: element + 1,
                alternative: 0,
            };
            self.cursor.left -= 1;
        }
    }
}

impl Sequential for TminMachine {
    type Candidate = Replacement;
    type Mark = TminMark;

    fn next_candidate(&mut self) -> Option<(Replacement, TminMark)> {
        let mark = self.cursor;
        if mark.left == 0 {
            return None;
        }
        let element = self.open_from(mark.next.element)?;
        let candidate = Replacement {
            element,
            ..mark.next
        };
        self.move_past(candidate);
        Some((candidate, mark))
    }

    fn take_back(&mut self, mark: TminMark) {
        self.cursor = mark;
    }

    fn accept(&mut self, candidate: &Replacement, _mark: TminMark) {
        let element = candidate.element;
        self.open.remove(element..element + 1);
        self.n_open -= 1;
        let next = Replacement {
            element: element + 1,
            alternative: 0,
        };
        self.cursor = TminMark {
            next,
            left: self.n_open,
        };
    }
}
