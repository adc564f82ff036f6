//! The searches that a reduction makes: one file for each stage, and the table of their order.

mod alternatives;
mod at_once;
mod carve;
mod choices;
mod clean;
mod course;
mod crates;
mod difference;
mod expand;
mod expand_items;
mod expansion_limit;
mod flags;
mod fold_values;
mod forms;
mod inline_calls;
mod listing;
mod lists;
mod mains;
mod merge_files;
mod neighbours;
mod put_values;
mod readable;
mod recompute;
mod replace_std;
mod revisions;
mod rewrites;
mod row;
mod run_pass;
mod slices;
mod stages;
mod tidy;
mod trees;
mod unentered;
mod unroll_loops;
mod unused;
mod verify;

pub(crate) use course::{run, run_part, run_to_end, run_to_fixpoint, tidy};
pub(crate) use difference::places as places_of_difference;
pub use listing::{ListedPhase, listed_phases};
pub(crate) use revisions::{try_as_test, with_revisions};
pub(crate) use slices::cores;
pub(crate) use stages::{BEFORE_SLICES, BEFORE_WHOLE, BEGINNING, ERRORS};

#[cfg(test)]
mod tests;
