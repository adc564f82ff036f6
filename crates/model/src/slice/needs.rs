//! The entries and names that a growing slice needs besides those that its seeds lead to.

use crate::ids::NameId;
use std::collections::BTreeSet;

/// The entries and names that a slice needs besides what its seeds lead to.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// The needed entries of the outline.
    pub(super) entries: BTreeSet<usize>,
    /// The needed names that are imported from other crates.
    pub(super) imported: BTreeSet<NameId>,
    /// The types whose fields or variants are needed.
    pub(super) transparent: BTreeSet<usize>,
    /// The needed traits that items derive, by their elements of the syntax tree.
    pub(super) derived: BTreeSet<(usize, usize)>,
}

impl Needs {
    pub(super) fn len(&self) -> usize {
        self.entries.len() + self.imported.len() + self.derived.len() + self.transparent.len()
    }
}
