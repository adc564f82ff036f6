//! `inline_values`: replaces the name of a constant or a variable by what that is made of.

mod constants;
mod variables;

use crate::keeps::Keeps;
use crate::pass::Pass;

pub(super) const PASS: Pass = Pass {
    name: "inline_values",
    about: "Puts the value of a constant or variable in place of its name, and the parts of a tuple of variables",
    example: ("fn f() { let x = g(); h(x); }", "fn f() { h(g()); }"),
    keeps: Keeps::Types,
    work: &[constants::WORK, variables::WORK],
};
