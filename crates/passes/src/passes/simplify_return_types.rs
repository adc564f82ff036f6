//! `simplify_return_types`: makes functions return nothing, or what is in the `Option` or `Result` that they return.

mod dropped;
mod unwrapped;

use crate::keeps::Keeps;
use crate::pass::Pass;

pub(super) const PASS: Pass = Pass {
    name: "simplify_return_types",
    about: "Drops a return type, or returns what is in an `Option` or `Result` in place of these",
    example: ("fn f() -> u8 { g() }", "fn f() { g(); }"),
    keeps: Keeps::Nothing,
    work: &[dropped::WORK, unwrapped::WORK],
};
