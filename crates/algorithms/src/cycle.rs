//! A cycle through the elements of a list, which tries to remove them one by one until none that is
//! left can go.

use crate::bits::Bits;
use crate::subset::Kind;

/// The position of a cycle through the elements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cycle {
    direction: Direction,
    /// The position up to which the elements were visited (from which on, if the direction is
    /// backwards).
    position: usize,
    /// The number of elements that are still to be visited before the cycle ends.
    left: usize,
    /// The furthest position that any cycle has come to.
    furthest: Reached,
}

/// The order in which the elements of a list are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forwards,
    Backwards,
}

/// The furthest position that a search has come to in its direction, up to which all elements were
/// tried already.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reached(usize);

impl Direction {
    pub(crate) fn from_the_end(from_the_end: bool) -> Self {
        if from_the_end {
            Self::Backwards
        } else {
            Self::Forwards
        }
    }

    /// Returns the first position of a list whose positions are below `bound`.
    fn begin(self, bound: usize) -> usize {
        match self {
            Self::Forwards => 0,
            Self::Backwards => bound,
        }
    }
}

impl Reached {
    /// Makes the state of a search that has tried nothing yet of a list whose positions are below
    /// `bound`.
    pub(crate) fn nothing(direction: Direction, bound: usize) -> Self {
        Self(direction.begin(bound))
    }

    /// Returns whether `position` was tried before, and notes that it is tried now.
    pub(crate) fn visit(&mut self, direction: Direction, position: usize) -> bool {
        let (is_old, next) = match direction {
            Direction::Forwards => (position < self.0, position + 1),
            Direction::Backwards => (position >= self.0, position),
        };
        if !is_old {
            self.0 = next;
        }
        is_old
    }
}

impl Cycle {
    /// Makes a cycle through the elements of `list`, of which there are `len`.
    pub(crate) fn new(direction: Direction, list: &Bits, len: usize) -> Self {
        Self {
            direction,
            position: direction.begin(list.bound()),
            left: len,
            furthest: Reached::nothing(direction, list.bound()),
        }
    }

    /// Returns the next element of the list, which the cycle begins again after the last one;
    /// `None` at the end of the cycle.
    pub(crate) fn visit_next(&mut self, list: &Bits) -> Option<(usize, Kind)> {
        self.left = self.left.checked_sub(1)?;
        let element = match self.direction {
            Direction::Forwards => list.next(self.position).or_else(|| list.next(0)),
            Direction::Backwards => list
                .previous(self.position)
                .or_else(|| list.previous(list.bound())),
        }?;
        self.position = match self.direction {
            Direction::Forwards => element + 1,
            Direction::Backwards => element,
        };
        let kind = if self.furthest.visit(self.direction, element) {
            Kind::Revisit
        } else {
            Kind::OneByOne
        };
        Some((element, kind))
    }

    /// Returns the cycle after an element was removed and `len` are left, all of which are to be visited from the next one on.
    pub(crate) fn go_on(self, len: usize) -> Self {
        Self { left: len, ..self }
    }

    /// Begins the cycle anew at the beginning of the list.
    pub(crate) fn restart(self, list: &Bits, len: usize) -> Self {
        Self {
            position: self.direction.begin(list.bound()),
            left: len,
            ..self
        }
    }
}
