//! `simplify_lists`: shortens a list, or leaves it out; what read an element of it reads another one, or asks the map
//! that the list was made of.

mod indices;
mod keys;
mod repeated;

use crate::keeps::Keeps;
use crate::pass::Pass;

pub(super) const PASS: Pass = Pass {
    name: "simplify_lists",
    about: "Deletes elements with the indices behind them, makes `[]` or `[x]` of `[x; n]`, and asks a map by a key in place of a list of it",
    example: ("fn f() { [1; 0][0]; }", "fn f() { [][0]; }"),
    keeps: Keeps::Nothing,
    work: &[keys::WORK, indices::WORK, repeated::WORK],
};
