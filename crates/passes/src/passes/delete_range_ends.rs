//! `delete_range_ends`: removes the start or the end of a range, so that the range begins or ends where its list does. That
//! may be where it did in the runs that were seen and not in others, so that it is no part that may be there or not.

use crate::keeps::Keeps;
use crate::pass::{Pass, Work};
use reduce_syntax::ListKind;

pub(super) const PASS: Pass = Pass {
    name: "delete_range_ends",
    about: "Deletes where a range begins or ends",
    example: ("fn f() { g(&x[a..b]); }", "fn f() { g(&x[..b]); }"),
    keeps: Keeps::Nothing,
    work: Work::Everywhere(&[ListKind::RangeEnds]),
};

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn each_end_goes_alone() {
        check(
            &PASS,
            "fn f() { g(a..=b, c..); }",
            &["fn f() { g(..=b, c..); }", "fn f() { g(a..=b, ..); }"],
        );
    }

    #[test]
    fn a_whole_range_has_no_ends() {
        check_not_applicable(&PASS, "fn f() { g(..); }");
    }
}
