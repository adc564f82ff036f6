//! Switchable mutants in Rust sources, and the choice of a few that tell much.
//!
//! A failing test is reduced faithfully if each step keeps its outcome under every version of the code
//! under test. Nobody has those versions, but mutants stand in for them: small changes, all compiled into
//! one program, of which a variable switches one on (mutant schemata: Untch, Offutt and Harrold, 1993).
//!
//! [`instrument`] puts the switches into the text, [`Instrumented::drop_broken`] drops those that do not
//! compile, [`reached`] says which a run passed, [`spread`] under which the original is run, and [`choose`] which are
//! asked about candidates. This crate compiles and runs nothing.
//!
//! ```
//! use reduce_mutants::{Options, instrument};
//! use reduce_syntax::SourceTree;
//!
//! let text = "pub fn is_full(len: usize, capacity: usize) -> bool { len >= capacity }";
//! let sources = SourceTree::single("src/lib.rs".into(), text.into());
//! let instrumented = instrument(&sources, &Options::default());
//! let mutated: Vec<&str> = instrumented.mutants().iter().map(|one| &*one.mutated).collect();
//! assert_eq!(mutated, ["return false; ", "return true; ", "len > capacity", "len < capacity"]);
//! ```
//!
//! - `mutant`: a [`Mutant`] is a change with its place, its function and its number.
//! - `parentheses`: the text of a mutant without parentheses that it does not need, and how many tokens it changes.
//! - `changes`: which changes a file's functions are given; `changes/functions` knows which functions and
//!   what they return at once, `changes/statements` what is left out or negated, `changes/insertions` what may have been forgotten and `changes/conditions` which part of a
//!   condition (`changes/definitions` lists the functions for both), `changes/loops` what is
//!   done again, `changes/arms` which arms do not match, `changes/expressions` and
//!   `changes/operators` which operators become others, `changes/literals` which literals do, `changes/calls` and `changes/variables` what else is called and
//!   used (`changes/signatures` knows of which functions),
//!   and `changes/macros` what is changed in definitions of macros, with `changes/transcriber`.
//! - `modules`: which files are only there for tests, and how the modules of the others are called.
//! - `instrument`: mutants get numbers, and switches stand around what they change.
//! - `switched_text`: the text of a file with switches, and where each of them stands in it.
//! - `runtime`: the module that reads which mutant is on.
//! - `broken`: which mutants an error of the compiler is about.
//! - `reached`: the record of what a run has passed.
//! - `choice`: which mutants are asked.
//! - `entered`: which functions and blocks no run has entered, as far as mutants tell.
//! - `run_time`: constant functions that become ordinary ones.
//! - `reach`: the functions that are given switches.
//! - `mark_text`: the text of a mark. `marks`: comments by which mutants are found again in a text that was rewritten.
//!
//! See docs/decisions/mutants.md.

mod broken;
mod changes;
mod choice;
mod entered;
mod instrument;
mod mark_text;
mod marks;
mod modules;
mod mutant;
mod parentheses;
mod reach;
mod reached;
mod run_time;
mod runtime;
mod switched_text;
#[cfg(test)]
mod testing;

pub use choice::{choose, spread};
pub use entered::{unentered_blocks, unentered_bodies};
pub use instrument::{ErrorPlace, Instrumented, Options, instrument};
pub use marks::{Mark, Marks, is_marked, markable, marks_in, without_marks};
pub use mutant::{Mutant, MutantId, Operator, by_function};
pub use reach::Reach;
pub use reached::{MUTANT_VARIABLE, REACHED_VARIABLE, last_reached, reached};
pub use run_time::{names_in_constants, without_const};
