//! The last step of a candidate's way: the best candidate so far, with what belongs to it, and the log of all that were.

mod best;
mod history;
mod pace;
mod size;
mod step_log;

pub(crate) use best::{Adopted, Best};
pub(crate) use pace::Pace;
pub(crate) use step_log::{KeptSteps, LoggedState, Occasion, Part, StepLog, Woven};
