//! Has the passes of a reduction: the edits by which each removes, replaces or rewrites parts of a program; and edits that make a
//! result look as if a person had written it.
//!
//! - `pass`: a pass has a name and an example, says what it keeps, and finds its edits.
//! - `passes` is the registry of all passes, in their order and their groups. Each pass is one file, with an example and
//!   its tests. Beside the passes stands what several of them share:
//!   - `functions` finds functions with their calls.
//!   - `data` finds types with their fields and variants, and the expressions and patterns made of them.
//!   - `generics` finds generic parameters with their arguments, lifetimes and impls.
//!   - `paths` finds imports, modules and paths.
//!   - `expressions` finds blocks, reads literals and names, and says which short values a type has.
//!   - `literals` finds literals of the same text.
//! - `keeps` says what a pass leaves as it was.
//! - `program` is a crate as the passes see it: parsed, with its lists, and with what its names mean. A
//!   `Change` of it collects edits until they are a candidate.
//! - `visit` walks over the syntax of a program, for all who look for something in it.
//! - `precedence` knows which expression may stand where without parentheses.
//! - `passes::local_std` finds which items of the standard library a program names, and puts local items
//!   in their place. It is no pass, since it may make a program larger.
//! - `passes::inline_macros::items` puts items in place of the macro calls that stand for them; it is no pass for the same
//!   reason.
//! - `flatten` replaces a module by its items, with the paths that lead into and out of it.
//! - `rolling` makes loops of statements that repeat.
//! - `readable` gives definitions short names, puts items into their usual order, and takes out statements that do nothing.
//! - `dead_code` leaves out what the compiler calls dead.
//! - `endless` makes programs end where they would loop for ever.
//! - `entry` makes a `main` of a test.
//! - `named_values` puts numbers that an error names in place of what computes them.
//! - `failing_test` is what the guard of a failing test and its report need to know of the test. No pass uses it.

mod dead_code;
mod endless;
mod entry;
mod failing_test;
mod flatten;
mod keeps;
mod named_values;
mod pass;
mod passes;
mod precedence;
mod program;
mod readable;
mod rolling;
mod visit;

pub use dead_code::{
    without_dead_code, without_faulty_declarations, without_hints, without_visibilities,
};
pub use endless::{
    Halting, count_endless_loops, count_loops_in_constants, halting_at_loops, halting_in_constants,
};
pub use entry::test_as_main;
pub use failing_test::{
    Carved, Carving, ChangesByValues, ExpectedLiterals, FailedAt, FailedComparison, Isolation,
    Narrowing, PassingTraces, ProbeSet, ProbedSources, Probes, RunValues, TraceProbes, Unrolling,
    VALUES_VARIABLE, VARIABLES_VARIABLE, VariableProbes, VariableValues, asserted_literals,
    borrowing_loops, borrowing_reads, borrowing_statements, cases, changes_behind_references,
    computes_expected_value, direct_mains, expected_literals, functions_of_assertion_macros,
    has_predicates, is_asserting_call, is_unwrapping, narrowings, passing_checks,
    printing_statements, reading_statements, unrelated_statements, with_expected_value,
    without_borrows, without_other_tests, without_track_caller, without_words, written_lists,
};
pub use flatten::flattenings_at_level;
pub use keeps::Keeps;
pub use named_values::{named_values, values_in_place};
pub use pass::{Pass, Rewriter, Work};
pub use passes::{
    COARSE_PASSES, CUTTING_LINES, EMPTYING_BODIES, FINE_PASSES, INLINE_MACROS, KEEPING_CAUSE,
    LAST_PASSES, PASSES, ROUND_PASSES, SHORTENING_STRINGS, SHRINKING_NUMBERS, STRUCTURAL_PASSES,
    StdItem, expand_items_of_macros, inlinings, is_assertion_name, std_items, std_names, std_words,
    with_items_of_macros, with_macros_inlined,
};
pub use program::Program;
pub use readable::{canonical_names, idiomatic_order, without_idle_statements};
