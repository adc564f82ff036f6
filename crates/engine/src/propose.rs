//! Proposals: what is worth a try in a program, before anything is known of the candidates. What a single stage
//! proposes stands in that stage's file.

mod attempts;
mod changes;
mod methods;
mod moves;
mod proposals;
mod replacements;
mod seeds;
mod shortening;
mod single_edits;
mod tree_changes;

pub(crate) use attempts::Attempts;
pub(crate) use changes::{Change, Changes, disjoint_first};
pub(crate) use methods::{MergedProgram, Methods, Named, RemovableFlags, users};
pub(crate) use moves::{Again, Moves};
pub(crate) use proposals::{Proposals, Together, Wide};
pub(crate) use replacements::{Choices, Replacements};
pub(crate) use seeds::{named, seed_at};
pub(crate) use shortening::Shortening;
pub(crate) use single_edits::single_edits;
pub(crate) use tree_changes::TreeChanges;
