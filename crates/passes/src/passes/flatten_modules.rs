//! `flatten_modules`: replaces a module by its items, with the paths that lead into and out of it.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};

pub(super) const PASS: Pass = Pass {
    name: "flatten_modules",
    about: "Replaces a module by its items, with the paths that lead into and out of it",
    example: (
        "mod m { pub struct S; } fn f(_: m::S) {}",
        "pub struct S; fn f(_: S) {}",
    ),
    keeps: Keeps::Behaviour,
    work: &[Work::Flatten],
};

#[cfg(test)]
mod tests {
    use super::super::testing::check_not_applicable;
    use super::PASS;

    #[test]
    fn without_modules_there_is_nothing_to_do() {
        check_not_applicable(&PASS, "struct S;");
    }
}
