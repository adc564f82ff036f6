//! The acceptance of candidates: the best candidate so far, the earlier ones to go back to, the time that candidates
//! get, and the log of all accepted programs.

mod best;
mod history;
mod pace;
mod size;
mod step_log;

pub(crate) use best::{Adopted, Best};
pub(crate) use pace::Pace;
pub(crate) use step_log::{KeptSteps, LoggedState, Occasion, Part, StepLog, Woven};
