//! The fidelity with which an input is searched: what guards a failing test, and the passes that
//! this leaves.

use crate::context::Context;
use crate::methods::Methods;
use crate::request::SearchOptions;
use reduce_guard::{CodePlace, MarkedCode, Prepared};
use reduce_model::Seed;
use reduce_oracle::{CrashKind, Plan, Signature};

/// Whether runs of a failing test are to show its cause: under mutants, or with a good version, which says more than mutants
/// do.
pub(super) fn shows_cause_in_a_run(context: &Context<'_>, plan: &Plan) -> bool {
    let is_stable = plan.run_policy.repeat <= 1 && !plan.is_hang();
    context.keeps_cause() && is_stable
}

/// Whether a failing test is guarded well enough by a good version or by mutants, or needs no guard. Whatever panics
/// mends a test that should panic, so that mutants say little about it, unless only those are asked that break no
/// other test.
pub(super) fn is_guarded(context: &Context<'_>, guard: &Prepared, failure: &Signature) -> bool {
    let may_be_told = failure.kind != CrashKind::NoPanic || context.reduces_test_alone();
    has_good_version(context) || guard.warning.is_none() && may_be_told
}

pub(super) fn has_good_version(context: &Context<'_>) -> bool {
    context.request.property.demands.good.is_some()
}

/// The part of string literals that stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptOfStrings {
    All,
    /// Each line of a string stays or goes as a whole.
    Lines,
    Nothing,
}

/// Decides what stays of strings, where a test fails because the code under test has refused its input, and the test did not
/// expect that, or because it did not read its input. What the mended code would do with the rest of the input no run shows,
/// unless there is a good version. Where mutants locate the bug, some of them read the rest as the mended code would.
pub(super) fn kept_of_strings(
    context: &Context<'_>,
    guard: &Prepared,
    failure: &Signature,
) -> KeptOfStrings {
    if !context.keeps_cause() || has_good_version(context) {
        return KeptOfStrings::Nothing;
    }
    let is_refused = guard.unwraps || is_refused(failure, guard.ignores_values);
    match guard.sets_in_vain {
        false if !is_refused => KeptOfStrings::Nothing,
        false if guard.is_located() => KeptOfStrings::Lines,
        _ => KeptOfStrings::All,
    }
}

/// Whether numbers and lines of strings stay as they are, because the test compares a value of the code under test with one that
/// is written out: of the two, the first may depend on them once the bug is mended. Others are no fewer tokens.
pub(super) fn keeps_values(context: &Context<'_>, guard: &Prepared, failure: &Signature) -> bool {
    let compares = failure.kind == CrashKind::Assertion && !guard.ignores_values;
    compares && context.keeps_cause() && !has_good_version(context)
}

/// Whether a failure is an error, or `None`, that came back in place of a value. A panic in the code under test, whose values do
/// not count, is none.
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

/// Returns the options of the search. Where the code under test stays as it is, nothing is done to what is linked,
/// and flags of the call are cargo's. Where the test is a part of the code's own crate, nothing is done to that as a
/// whole either.
///
/// Only passes that keep behaviour are made where no mutant guards the test.
pub(super) fn search_options(
    context: &Context<'_>,
    place: CodePlace<'_>,
    is_guarded: bool,
) -> SearchOptions {
    let options = context.request.search;
    let passes = options.passes;
    let passes = match (context.keeps_cause(), place) {
        (true, CodePlace::Beside(_)) => passes.for_part_of_crate(),
        (true, CodePlace::Linked | CodePlace::Within) => passes.of_test_alone(),
        (false, _) => passes,
    };
    let passes = match is_guarded || !context.keeps_cause() {
        true => passes,
        false => passes.keeping_behaviour(),
    };
    SearchOptions { passes, ..options }
}

/// Returns the methods by which the code under test is reduced after the test, if it is reduced. Where it has two versions
/// these say what may be done, and all of it is still there. Else the points that matter stay, and what did not run is gone
/// already. Where no mutant guards it, only what keeps behaviour is done, and macros stay whole; where no run shows what a
/// mended program may come to, no body is emptied. Of one version the compiler can say what its `entry` leads to.
pub(super) fn methods_for_whole(
    context: &Context<'_>,
    has_two_versions: bool,
    is_guarded: bool,
    marked: Option<&MarkedCode>,
    entry: &[Seed],
) -> Option<Methods> {
    let options = context.request.search;
    if !context.goes_on_into_code_under_test() {
        return None;
    }
    if has_two_versions {
        return Some(Methods::new(options));
    }
    let passes = options.passes.that_keep_the_cause();
    let knows_rest = marked.is_none_or(|marked| marked.knows_rest);
    let passes = match (is_guarded, knows_rest) {
        (true, true) => passes,
        (true, false) => passes.keeping_bodies(),
        (false, _) => passes.keeping_behaviour().keeping_macros(),
    };
    let methods = Methods::new(SearchOptions { passes, ..options });
    let methods = methods.with_bodies_last();
    Some(methods.slicing_merged(entry, is_guarded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_comes_back_has_refused_something() {
        let failure = |kind: CrashKind, message: &str| Signature {
            kind,
            file: None,
            position: None,
            message: message.to_owned(),
            query: None,
            signal: None,
            cycle: Vec::new(),
        };
        let returned = failure(CrashKind::ErrorReturned, "E(3)");
        assert!(is_refused(&returned, false));
        let message = "called `Result::unwrap()` on an `Err` value: E(3)";
        let unwrapped = failure(CrashKind::ProgramPanic, message);
        assert!(is_refused(&unwrapped, false));
        assert!(!is_refused(&unwrapped, true));
        let panic = failure(CrashKind::ProgramPanic, "no entry found for key");
        assert!(!is_refused(&panic, false));
        let message = "called `Option::unwrap()` on a `None` value";
        assert!(is_refused(
            &failure(CrashKind::ProgramPanic, message),
            false
        ));
        let compared = |left: &str, right: &str| {
            let text = format!("assertion `left == right` failed\n  left: {left}\n right: {right}");
            is_refused(&failure(CrashKind::Assertion, &text), false)
        };
        assert!(compared("Err(E(3))", "Ok(1)"));
        assert!(compared("Some(1)", "None"));
        assert!(!compared("Err(E(3))", "Err(E(4))"));
        assert!(!compared("1", "2"));
    }
}
