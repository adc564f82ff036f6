//! Makes one source text of a workspace: puts modules into one file, resolves `cfg`s and files that are read while compiling,
//! converts editions, expands macros, and merges crates.
//!
//! Most of it works on tokens, so that macros are treated as everything else is, and syntax that only the
//! compiler knows is no obstacle. This crate starts no process and reads no file: whoever calls it hands
//! over functions that read.
//!
//! - `modules`: a crate's files are collected from its root, by each `mod x;`. `modules/declared` also
//!   finds those in calls of macros, and `modules/expanded` those in the bodies of the crate's own macros.
//!   `modules/named` finds files by their names in programs that need not parse.
//! - `inline`: a crate of several files becomes one, as `mod x;` becomes `mod x { .. }`.
//! - `configuration`: what `cfg` turns off goes, and what it turns on stays without the attribute.
//! - `embed`: what `env!` and `include!` read stands in place of the calls.
//! - `editions`: a crate's text is brought into a later edition, with a file for each of its changes.
//! - `expansion`: what the compiler prints of an expanded program is made fit to be compiled again.
//!   `expansion/procedural` puts what procedural macros made in place of their calls alone, and
//!   `expansion/derives` and `std_calls` restore the derives and macros of the standard library.
//! - `unit_tests`: what is only there for a unit test becomes a tree of its own. `unit_tests/place` says what
//!   that is, `others` which tests may go, and `shared` puts the tests into another version of the crate.
//! - `merge`: a crate becomes a module of another, with the paths that lead into and out of it.
//! - `stub`: a crate of which a program only names types and traits, with nothing else in it.
//! - `joint`: several versions of a program stand side by side, each in a module.
//! - `versions`: two versions of a program as one text.
//! - `plain_tests`: a test of another kind, such as a doc test, is written as a plain one.
//! - `test_lines`: the function that stands in a line.
//! - `polled`: an asynchronous test is polled in a loop, without the runtime that it was written for.
//! - `unified_diff`: lines with their signs, as people read what changes.
//! - `rewriting`: a text is edited by its tokens.
//! - `imports`: use declarations and `extern crate`, by their tokens.
//! - `macro_definitions`: what stands in the body of a macro.
//! - `global_paths`: which `::` begins a path, and which goes on one.

mod configuration;
mod editions;
mod embed;
mod expansion;
mod global_paths;
mod imports;
mod inline;
mod joint;
mod macro_definitions;
mod merge;
mod modules;
mod plain_tests;
mod polled;
mod rewriting;
mod stub;
mod test_lines;
mod unified_diff;
mod unit_tests;
mod versions;

pub use configuration::{Configuration, configured, configured_in_place, decided_in_macros};
pub use editions::{Edition, UnknownEdition, in_current_grammar, in_edition};
pub use embed::{Readable, embedded};
pub use expansion::{
    expand_procedural, has_macro_calls, has_procedural_calls, tidy_expansion, with_derives,
};
pub use inline::inline_modules;
pub use joint::{
    JOINT_VARIABLE, JointCrate, JointFile, has_joint_main, joint_crate, joint_test, links_the_same,
};
pub use merge::{CrateText, Merged, merge_crate};
pub use modules::{collect_expanded, collect_sources, named_files};
pub use plain_tests::{
    FailingCase, FencedCode, FuzzTest, OfDoc, PlainTest, doc_test, failing_case, fuzz_test,
};
pub use polled::polled_without_runtime;
pub use stub::stub_of_crate;
pub use test_lines::function_in_line;
pub use unified_diff::unified_diff;
pub use unit_tests::{
    OtherTests, SharedUnitTest, SplitCrate, TestPlace, put_back, share_unit_test, split_unit_test,
};
pub use versions::{
    Difference, Side, narrowed, places_of_difference, two_versions, unified_difference, version_of,
    with_other_names,
};
