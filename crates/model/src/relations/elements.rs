//! Parts of a crate, and which of them are around a place, across the files of its modules.

use super::nesting::{Nesting, nesting};
use super::references::Reference;
use crate::ids::{Place, Position};
use reduce_syntax::FileId;
use std::collections::BTreeMap;

/// Parts of a crate.
pub(super) struct Elements<'d> {
    nesting: Nesting<FileId>,
    declared: &'d BTreeMap<FileId, Position>,
}

impl<'d> Elements<'d> {
    /// `declared` says where the `mod x;` of each file stands.
    pub(super) fn new(parts: &[Place], declared: &'d BTreeMap<FileId, Position>) -> Self {
        Self {
            nesting: nesting(parts.iter().cloned()),
            declared,
        }
    }

    /// The innermost part around a mention, and what is around the definition; nothing if one of
    /// them is around both.
    pub(super) fn user_and_used(&self, reference: &Reference) -> Option<(usize, Vec<usize>)> {
        let users: Vec<usize> = self.around(reference.mention).collect();
        let user = *users.first()?;
        let mut used: Vec<usize> = self.around(reference.definition).collect();
        if used.contains(&user) {
            return None;
        }
        used.retain(|one| !users.contains(one));
        Some((user, used))
    }

    /// What is around a place, the innermost first.
    fn around(&self, place: Position) -> impl Iterator<Item = usize> + '_ {
        let declaration = |place: &Position| self.declared.get(&place.file).copied();
        std::iter::successors(Some(place), declaration)
            .flat_map(|Position { file, at }| self.nesting.around(file, at))
    }
}
