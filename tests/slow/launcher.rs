//! Tests of more reductions by a launcher that give the same; `tests/launcher.rs` has one of a kind,
//! with few passes.

use crate::support::FEW_PASSES;
use crate::support::launched::{apart, check, killed, unreliable};

#[test]
fn a_crash_is_reduced_with_all_passes_by_a_launcher() {
    check("ice-library", &["--ice"], apart);
}

#[test]
fn a_test_that_mutants_guard_is_reduced_by_a_launcher_that_dies_now_and_then() {
    check("failing-tests", &["--lib"], unreliable);
}

/// A launcher that is killed in the middle may have written a part of the compiler's state.
#[test]
fn an_incremental_crash_is_reduced_by_a_launcher_that_is_killed_now_and_then() {
    let args = ["--incremental", "--before", "../before"];
    check("incremental-menu/after", &args, killed);
}

#[test]
fn a_failing_test_is_reduced_to_the_same_by_a_launcher_that_dies_now_and_then() {
    let args = ["--test", "others", "does_not_panic", "--passes", FEW_PASSES];
    check("failing-tests", &args, unreliable);
}
