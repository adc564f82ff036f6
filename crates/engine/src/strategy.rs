//! The searches that a reduction makes.

mod alternatives;
mod at_once;
mod choices;
mod clean;
mod crates;
mod difference;
mod expand;
mod expand_items;
mod expansion_limit;
mod fixpoint;
mod flags;
mod fold_values;
mod forms;
mod inline_calls;
mod lists;
mod mains;
mod neighbours;
mod put_values;
mod readable;
mod recompute;
mod replace_std;
mod revisions;
mod rewrites;
mod rounds;
mod run_pass;
mod search;
mod seeds;
mod single_edits;
mod slices;
mod tidy;
mod trees;
mod unentered;
mod unroll_loops;
mod unused;
mod verify;
mod wide;

pub(crate) use clean::forbid_errors;
pub(crate) use crates::embed_inputs;
pub(crate) use difference::{narrow_difference, places as places_of_difference};
pub(crate) use fixpoint::run_to_fixpoint;
pub(crate) use flags::{RemovableFlags, delete_flags};
pub(crate) use mains::run_as_main;
pub(crate) use readable::{leave_marks_out, make_readable};
pub(crate) use revisions::{try_as_test, with_revisions};
pub(crate) use seeds::{Named, named};
pub(crate) use single_edits::single_edits;
pub(crate) use slices::{Slice, keep_slice};
pub(crate) use tidy::tidy;
pub(crate) use verify::verify_minimal;

#[cfg(test)]
mod tests;
