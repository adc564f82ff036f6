//! A mention together with the definition that it means.

use crate::ids::Position;

/// A mention and the definition that it means, each by where its name stands. An import counts as a
/// definition too: of the name that it brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) mention: Position,
    pub(crate) definition: Position,
}
