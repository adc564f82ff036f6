//! A mention of a name together with the definition that it means.

use crate::ids::Position;

/// A mention and the definition that it means, each by the position of its name. An import counts
/// as a definition too: of the name that it brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) mention: Position,
    pub(crate) definition: Position,
}
