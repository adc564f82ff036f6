//! The needs of a growing slice: what it has besides what its seeds lead to.

use crate::ids::NameId;
use std::collections::BTreeSet;

/// The entries and names that a slice needs besides what its seeds lead to.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Entries of the outline.
    pub(super) entries: BTreeSet<usize>,
    /// Names of what is imported from other crates.
    pub(super) imported: BTreeSet<NameId>,
    /// Types with what is in them.
    pub(super) transparent: BTreeSet<usize>,
    /// Traits that items derive, by their elements of the syntax tree.
    pub(super) derived: BTreeSet<(usize, usize)>,
}

impl Needs {
    pub(super) fn len(&self) -> usize {
        self.entries.len() + self.imported.len() + self.derived.len() + self.transparent.len()
    }
}
