//! `shorten_strings`: makes strings empty and characters spaces, or shortens strings.
//!
//! This is a pass of its own, as a parser that refuses a text may not have read the rest of it, and as what a test expects may
//! depend on strings that no run shows to matter.

mod emptied;
mod shorter;

use crate::keeps::Keeps;
use crate::pass::Pass;
pub(super) use shorter::Literal;

pub(super) const PASS: Pass = Pass {
    name: "shorten_strings",
    about: "Replaces strings by empty ones and characters by spaces, or makes strings shorter by halves, fields and characters",
    example: ("fn f() { g(\"abcd\"); }", "fn f() { g(\"cd\"); }"),
    keeps: Keeps::Types,
    work: &[emptied::WORK, shorter::WORK],
};
