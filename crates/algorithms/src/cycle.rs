//! Going round the elements one by one, until none of those that are left can go.

use crate::bits::Bits;
use crate::subset::Kind;

/// The position of a cycle through the elements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cycle {
    direction: Direction,
    /// Elements before this position were visited (after it, if the direction is backwards).
    position: usize,
    /// The number of elements that are still to be visited before the cycle ends.
    left: usize,
    /// The furthest position that any cycle has come to.
    furthest: Reached,
}

/// In which order the elements of a list are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forwards,
    Backwards,
}

/// The position to which a search has come in its direction: what lies before was tried already.
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
    /// Nothing was tried yet of a list whose positions are below `bound`.
    pub(crate) fn nothing(direction: Direction, bound: usize) -> Self {
        Self(direction.begin(bound))
    }

    /// Whether `position` was tried before; it is afterwards.
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
    /// A cycle through the elements of `list`, of which there are `len`.
    pub(crate) fn new(direction: Direction, list: &Bits, len: usize) -> Self {
        Self {
            direction,
            position: direction.begin(list.bound()),
            left: len,
            furthest: Reached::nothing(direction, list.bound()),
        }
    }

    /// The next element, unless the cycle is at its end; after the last comes the first.
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

    /// The cycle after an element went and `len` are left: all of them are to be visited, from the
    /// next one on.
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
