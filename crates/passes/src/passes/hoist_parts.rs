//! `hoist_parts`: replaces an item, a module, a statement or an expression by a part of it.

mod blocks;
mod elements;
mod expressions;
mod items;

use crate::keeps::Keeps;
use crate::pass::Pass;

pub(super) const PASS: Pass = Pass {
    name: "hoist_parts",
    about: "Replaces an item, module, statement or expression by what is in it, and all elements of a list by a part of each",
    example: ("const C: u8 = f(1) + 2;", "const C: u8 = f(1);"),
    keeps: Keeps::Nothing,
    work: &[items::WORK, blocks::WORK, expressions::WORK, elements::WORK],
};
