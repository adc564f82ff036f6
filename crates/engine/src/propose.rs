//! The first step of a candidate's way: proposals. Here is what is worth a try in a program, before anything is known of
//! the candidates.

mod attempts;
mod methods;
mod moves;
mod seeds;
mod single_edits;

pub(crate) use attempts::{Attempts, Fingerprint};
pub(crate) use methods::{MergedProgram, Methods, Named, Parts, RemovableFlags, users};
pub(crate) use moves::{Again, Moves};
pub(crate) use seeds::{named, seed_at};
pub(crate) use single_edits::single_edits;
