//! `inline_types`: replaces another name for a type by the type: that of a struct that only wraps it, of an alias, or `Self`;
//! and that of numbers for an enum whose variants have no fields.

mod aliases;
mod enums;
mod newtypes;
mod own_type;

use crate::keeps::Keeps;
use crate::pass::Pass;

pub(super) const PASS: Pass = Pass {
    name: "inline_types",
    about: "Puts a type in place of a struct of one field, an alias or `Self`, numbers in place of an enum without fields, and `Self` in place of a type",
    example: ("type A = Vec<u8>; fn f(x: A) {}", "fn f(x: Vec<u8>) {}"),
    keeps: Keeps::Behaviour,
    work: &[newtypes::WORK, enums::WORK, aliases::WORK, own_type::WORK],
};
