//! Finds out what is known of a failing test: for the guard that holds it to its bug, for the values that its run shows, and for
//! the report. No pass uses it.
//!
//! - `carve` writes the test anew from what it did where it ran.
//! - `isolation` finds what may go from the test before its code under test is looked at.
//! - `expected` writes the value anew that the test expects.
//! - `taint` says which values of the test come from the code under test.
//! - `run_values` puts literals in place of expressions, and rounds in place of loops, with the values that they had where the
//!   program ran.
//! - `variables` tells which values the variables of the test have after each of its statements. Its probes and those of
//!   `run_values` are sets of `probes`.

mod carve;
mod expected;
mod isolation;
mod probes;
mod run_values;
mod taint;
mod variables;

pub use carve::{Carved, Carving, PassingTraces, TraceProbes};
pub use expected::{FailedComparison, with_expected_value};
pub use isolation::{
    ExpectedLiterals, FailedAt, Isolation, Narrowing, asserted_literals, borrowing_loops,
    borrowing_reads, borrowing_statements, cases, changes_behind_references,
    computes_expected_value, direct_mains, expected_literals, functions_of_assertion_macros,
    has_predicates, is_asserting_call, is_unwrapping, narrowings, passing_checks,
    printing_statements, reading_statements, unrelated_statements, without_borrows,
    without_other_tests, without_track_caller, without_words, written_lists,
};
pub use probes::{ProbeSet, ProbedSources};
pub use run_values::{ChangesByValues, Probes, RunValues, Unrolling, VALUES_VARIABLE};
pub use variables::{VARIABLES_VARIABLE, VariableProbes, VariableValues};
