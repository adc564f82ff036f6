//! Less of what two versions differ in, where they are one text.

use super::oracle::ClosureOracle;
use super::{Setting, make, methods, spaced};
use crate::ask::Crates;
use crate::session::Session;
use reduce_gather::{Side, version_of};
use reduce_oracle::Verdict;

const PROGRAM: &str = "fn f() { #[cfg(before)] { a(1); } #[cfg(after)] { a(2); } }
    fn g() { #[cfg(before)] { b(); } #[cfg(after)] { c(); } d(); }
    #[cfg(after)] fn h() {}";

/// Makes an oracle that finds interesting what calls `a` with 1 before, and with 2 after.
fn oracle(crates: Crates) -> ClosureOracle {
    let property = |candidate: &crate::candidate::Candidate| {
        let text = candidate.tree.text(candidate.tree.root());
        let [before, after] = Side::ALL.map(|side| version_of(text, side));
        match before.contains("a(1)") && after.contains("a(2)") {
            true => Verdict::Interesting,
            false => Verdict::Rejected,
        }
    };
    ClosureOracle::new(property).linking(crates)
}

fn narrowed(crates: Crates) -> String {
    let files = [("lib.rs", PROGRAM)];
    let oracle = oracle(crates);
    let run = |session: &mut Session<'_>| make(session, &methods(), "narrow_difference").map(drop);
    let found = Setting::new(&files, &oracle).run_with(run).unwrap();
    let [(_, text)] = found.files.as_slice() else {
        panic!("there is one file");
    };
    spaced(text)
}

#[test]
fn only_the_part_of_a_difference_stays_that_breaks_the_program() {
    let expected =
        "fn f() { #[cfg(before)] a(1); #[cfg(after)] a(2); } fn g() { c(); d(); } fn h() {}";
    let crates = Crates::of_files(vec![], &[]).with_two_versions();
    assert_eq!(narrowed(crates), spaced(expected));
}

#[test]
fn a_program_of_one_version_has_no_difference() {
    let crates = Crates::of_files(vec![], &[]);
    assert_eq!(narrowed(crates), spaced(PROGRAM));
}
