//! `drop_calls`: replaces a call by a borrow of its receiver, by the tuple of its arguments, or by what an earlier
//! call has put into a variable.

mod borrows;
mod forwarded;
mod tuples;

use crate::keeps::Keeps;
use crate::pass::Pass;
pub(super) use tuples::operands;

pub(super) const PASS: Pass = Pass {
    name: "drop_calls",
    about: "Replaces a call by a borrow of what it takes, the tuple of its arguments, or what went into a variable before",
    example: ("fn f() { a::g(b, c()); }", "fn f() { (b, c()); }"),
    keeps: Keeps::Nothing,
    work: &[borrows::WORK, tuples::WORK, forwarded::WORK],
};
