//! The leeway of a search: the changes that may be made to a program without its bug being lost.

use crate::fidelity::Fidelity;
use crate::findings::Findings;
use reduce_oracle::{CrashKind, Signature};

/// The changes that may be made to a program without its bug being lost. Without a guard that says
/// what is right, less may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leeway {
    /// Whether the test is guarded well enough, or needs no guard, so that the values that it computes
    /// may change.
    pub is_guarded: bool,
    /// The part of string literals that stays as it is.
    pub strings: KeptOfStrings,
    /// Whether numbers and lines of strings stay as they are.
    pub keeps_values: bool,
    /// Whether it is known what a mended program may run, so that code that did not run may go.
    pub knows_rest: bool,
}

/// The part of string literals that stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptOfStrings {
    /// Strings stay as they are.
    All,
    /// Each line of a string stays or goes as a whole.
    Lines,
    /// Any part of a string may go.
    Nothing,
}

impl Leeway {
    /// The leeway where every change may be made.
    pub(crate) const ALL: Self = Self {
        is_guarded: true,
        strings: KeptOfStrings::Nothing,
        keeps_values: false,
        knows_rest: true,
    };

    /// Decides the leeway of a reduction without a good version. Whatever panics mends a test that should panic, so that
    /// mutants say little about it, unless only those are asked that break no other test.
    pub(crate) fn without_version(
        fidelity: Fidelity,
        findings: &Findings,
        failure: &Signature,
    ) -> Self {
        if fidelity.may_lose_cause() {
            return Self::ALL;
        }
        let may_be_told = failure.kind != CrashKind::NoPanic || fidelity == Fidelity::Test;
        Self {
            is_guarded: (findings.warning.is_none() || findings.is_held_by_calls) && may_be_told,
            strings: kept_of_strings(findings, failure),
            keeps_values: keeps_values(findings, failure),
            knows_rest: true,
        }
    }
}

/// Decides which parts of strings stay, where a test fails because the code under test has refused its input, and the test
/// did not expect that, or because it did not read its input. What the mended code would do with the rest of the input no
/// run shows. Where mutants locate the bug, some of them read the rest as the mended code would.
fn kept_of_strings(findings: &Findings, failure: &Signature) -> KeptOfStrings {
    let is_refused = findings.unwraps || is_refused(failure, findings.ignores_values);
    match findings.sets_in_vain {
        false if !is_refused => KeptOfStrings::Nothing,
        false if findings.is_located => KeptOfStrings::Lines,
        _ => KeptOfStrings::All,
    }
}

/// Whether numbers and lines of strings stay as they are, because the test compares a value of the code under test with one
/// that is written out: the computed value may depend on them once the bug is mended. Others are no fewer tokens.
fn keeps_values(findings: &Findings, failure: &Signature) -> bool {
    failure.kind == CrashKind::Assertion && !findings.ignores_values
}

/// Whether a failure is an error, or `None`, that a call returned in place of a value. A panic in the code under test, whose
/// values do not count, is none.
fn is_refused(failure: &Signature, ignores_values: bool) -> bool {
    let is_unwrapped = |kind: &str| {
        failure
            .message
            .starts_with(&format!("called `{kind}::unwrap()`"))
    };
    match failure.kind {
        CrashKind::ErrorReturned => true,
        CrashKind::ProgramPanic => {
            !ignores_values && (is_unwrapped("Result") || is_unwrapped("Option"))
        }
        CrashKind::Assertion => !ignores_values && failure.compared().is_some_and(is_half_refused),
        _ => false,
    }
}

/// Whether one of two compared values is an error or `None`, and the other one is not. Which of them is expected is not
/// known.
fn is_half_refused([left, right]: [&str; 2]) -> bool {
    let are = |refused: &str, given: &str| {
        let is_pair =
            |(one, other): (&str, &str)| one.starts_with(refused) && other.starts_with(given);
        is_pair((left, right)) || is_pair((right, left))
    };
    are("Err(", "Ok(") || are("None", "Some(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_cause_may_be_lost_everything_may_be_done() {
        let weak = Findings {
            warning: Some("no mutant tells anything".to_owned()),
            ..Findings::default()
        };
        let assertion = Signature::of_kind(CrashKind::Assertion, "a");
        let leeway = |fidelity| Leeway::without_version(fidelity, &weak, &assertion);
        assert_eq!(leeway(Fidelity::Free), Leeway::ALL);
        assert!(!leeway(Fidelity::Test).is_guarded && leeway(Fidelity::Test).keeps_values);
    }

    #[test]
    fn a_test_that_should_panic_is_guarded_only_where_it_is_reduced_alone() {
        let should_panic = Signature::of_kind(CrashKind::NoPanic, "");
        let found = Findings::default();
        let leeway = |fidelity| Leeway::without_version(fidelity, &found, &should_panic);
        assert!(leeway(Fidelity::Test).is_guarded);
        assert!(!leeway(Fidelity::Whole).is_guarded);
    }

    #[test]
    fn of_strings_that_were_refused_lines_may_go_where_the_bug_is_located() {
        let refused = Signature::of_kind(CrashKind::ErrorReturned, "E(3)");
        let strings = |is_located, sets_in_vain| {
            let found = Findings {
                is_located,
                sets_in_vain,
                ..Findings::default()
            };
            Leeway::without_version(Fidelity::Test, &found, &refused).strings
        };
        assert_eq!(strings(false, false), KeptOfStrings::All);
        assert_eq!(strings(true, false), KeptOfStrings::Lines);
        assert_eq!(strings(true, true), KeptOfStrings::All);
    }

    #[test]
    fn an_error_that_comes_back_has_refused_something() {
        let returned = Signature::of_kind(CrashKind::ErrorReturned, "E(3)");
        assert!(is_refused(&returned, false));
        let message = "called `Result::unwrap()` on an `Err` value: E(3)";
        let unwrapped = Signature::of_kind(CrashKind::ProgramPanic, message);
        assert!(is_refused(&unwrapped, false));
        assert!(!is_refused(&unwrapped, true));
        let panic = Signature::of_kind(CrashKind::ProgramPanic, "no entry found for key");
        assert!(!is_refused(&panic, false));
        let message = "called `Option::unwrap()` on a `None` value";
        assert!(is_refused(
            &Signature::of_kind(CrashKind::ProgramPanic, message),
            false
        ));
        let compared = |left: &str, right: &str| {
            let text = format!("assertion `left == right` failed\n  left: {left}\n right: {right}");
            is_refused(&Signature::of_kind(CrashKind::Assertion, &text), false)
        };
        assert!(compared("Err(E(3))", "Ok(1)"));
        assert!(compared("Some(1)", "None"));
        assert!(!compared("Err(E(3))", "Err(E(4))"));
        assert!(!compared("1", "2"));
    }
}
