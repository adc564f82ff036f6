//! `shrink_numbers`: replaces numbers by smaller ones: 0 or 1, or a half.
//!
//! This is a pass of its own, as what a test expects may depend on numbers that no run shows to matter.

mod halved;
mod least;

use crate::keeps::Keeps;
use crate::pass::Pass;

pub(super) const PASS: Pass = Pass {
    name: "shrink_numbers",
    about: "Replaces numbers by 0 or 1, or makes them smaller by halves",
    example: ("fn f() { g(64); }", "fn f() { g(0); }"),
    keeps: Keeps::Types,
    work: &[least::WORK, halved::WORK],
};
