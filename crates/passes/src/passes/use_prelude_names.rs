//! `use_prelude_names`: replaces a trait without members, or something imported from std, by a name that needs no import.

mod std_paths;
mod traits;

use crate::keeps::Keeps;
use crate::pass::Pass;

pub(super) const PASS: Pass = Pass {
    name: "use_prelude_names",
    about: "Puts names of the prelude in place of traits without members, imports from std and paths into it",
    example: (
        "use std::cell::Cell; static S: fn(u8) -> A = Cell::new;",
        "static S: fn(u8) -> A = Vec::new;",
    ),
    keeps: Keeps::Nothing,
    work: &[traits::WORK, std_paths::WORK],
};
