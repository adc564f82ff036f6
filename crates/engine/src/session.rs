//! The state of a reduction. [`Session`] keeps three things: the best candidate so far with what belongs
//! to it (`best`), what is known of candidates and what was done (`ledger`), and what is being done
//! (`mode`). What is below these imports nothing of the session; its tasks, each in a file, stand above.

mod edits;
mod errors;
mod expected;
mod figures;
mod joint;
mod joint_state;
mod late;
mod ledger;
mod mode;
mod phases;
mod search;
mod skipped;
mod stages;
mod state;
mod steps;
mod stop;
mod trials;
mod verdicts;
mod wide;

#[cfg(test)]
pub(crate) use figures::Figures;
pub(crate) use mode::{Slice, StdLimit};
pub(crate) use search::run_search;
pub(crate) use state::{Session, Tools};
pub(crate) use wide::{run_one_wave, run_wide};
