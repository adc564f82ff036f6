//! `replace_unmade_values`: puts something short in place of a value that nothing makes: of a parameter of a function
//! that nobody calls, and of a type that nothing makes a value of.

mod parameters;
mod structs;

use crate::keeps::Keeps;
use crate::pass::Pass;

pub(super) const PASS: Pass = Pass {
    name: "replace_unmade_values",
    about: "Replaces a parameter that nobody passes by a short value, and a type of which no value is made by `String`",
    example: ("fn f(a: u8, b: u8) { b = a; }", "fn f(b: u8) { b = 0; }"),
    keeps: Keeps::Types,
    work: &[parameters::WORK, structs::WORK],
};
