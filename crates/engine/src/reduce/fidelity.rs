//! Chooses the guard of a failing test, and the passes that may be used with it.

use crate::context::Context;
use crate::propose::Methods;
use crate::request::SearchOptions;
use reduce_guard::{CodePlace, GuardKind, KeptOfStrings, Leeway};
use reduce_model::Seed;
use reduce_oracle::Plan;

/// Whether a failing test is run to show the cause of its failure.
pub(super) fn shows_cause_in_a_run(context: &Context<'_>, plan: &Plan) -> bool {
    let is_stable = plan.run_policy.repeat <= 1 && !plan.is_hang();
    context.keeps_cause() && is_stable
}

/// Chooses the guard of a reduction. A good version says more than mutants do.
pub(super) fn guard_kind(context: &Context<'_>, shows_cause_in_a_run: bool) -> GuardKind {
    match (has_good_version(context), shows_cause_in_a_run) {
        (true, isolates) => GuardKind::GoodVersion { isolates },
        (false, true) => GuardKind::Mutants,
        (false, false) => GuardKind::Nothing,
    }
}

fn has_good_version(context: &Context<'_>) -> bool {
    context.request.property.demands.good.is_some()
}

/// Returns the options of the search. Where the code under test stays as it is, nothing is done to what is linked,
/// and flags of the call are cargo's. Where the test is a part of the code's own crate, nothing is done to that as a
/// whole either.
///
/// Only passes that keep behaviour are made where nothing guards the test.
pub(super) fn search_options(
    context: &Context<'_>,
    place: CodePlace<'_>,
    leeway: Leeway,
) -> SearchOptions {
    let options = context.request.search;
    let passes = options.passes;
    let passes = match (context.keeps_cause(), place) {
        (true, CodePlace::Beside(_)) => passes.for_part_of_crate(),
        (true, CodePlace::Linked | CodePlace::Within) => passes.of_test_alone(),
        (false, _) => passes,
    };
    let passes = match leeway.is_guarded || !context.keeps_cause() {
        true => passes,
        false => passes.keeping_behaviour(),
    };
    SearchOptions { passes, ..options }
}

/// Returns the search options without the passes that change strings and numbers which have to
/// stay.
pub(super) fn keeping_literals(options: SearchOptions, leeway: Leeway) -> SearchOptions {
    let passes = options.passes;
    let passes = match leeway.strings {
        KeptOfStrings::All => passes.keeping_strings(),
        KeptOfStrings::Lines => passes.keeping_lines(),
        KeptOfStrings::Nothing => passes,
    };
    let passes = match leeway.keeps_values {
        true => passes.keeping_values(),
        false => passes,
    };
    SearchOptions { passes, ..options }
}

/// Returns the methods by which the code under test is reduced after the test, if it is reduced. Where it has two versions
/// these say what may be done, and all of it is still there. Else the points that matter stay, and what did not run is gone
/// already. Where nothing guards it, only what keeps behaviour is done, and macros stay whole; where no run shows what a
/// mended program may come to, no body is emptied. Of one version the compiler can say what its `entry` leads to.
pub(super) fn methods_for_whole(
    context: &Context<'_>,
    has_two_versions: bool,
    leeway: Leeway,
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
    let passes = match (leeway.is_guarded, leeway.knows_rest) {
        (true, true) => passes,
        (true, false) => passes.keeping_bodies(),
        (false, _) => passes.keeping_behaviour().keeping_macros(),
    };
    let methods = Methods::new(SearchOptions { passes, ..options });
    let methods = methods.with_bodies_last();
    Some(methods.slicing_merged(entry, leeway.is_guarded))
}
