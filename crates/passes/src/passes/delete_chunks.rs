//! `delete_chunks`: deletes pieces of code that only a macro understands.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::ListKind;

pub(super) const PASS: Pass = Pass {
    name: "delete_chunks",
    about: "Deletes pieces of what only a macro understands",
    example: (
        "macro_rules! m { (a) => {}; (b) => { c } }",
        "macro_rules! m { (a) => {}; (b) => { } }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::ByLevel(&[ListKind::Chunks])],
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_piece_of_a_call_goes() {
        check_has(&PASS, "m! { a => b; c => d; }", "m! { c => d; }");
    }

    #[test]
    fn a_call_that_looks_like_arguments_is_no_chunk() {
        check_not_applicable(&PASS, "fn f() { println!(a, b); }");
    }
}
