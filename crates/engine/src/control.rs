//! The controls of a running reduction, by which its owner stops, pauses or watches it.

use crate::ask::Simulation;
use crate::clock::Pauses;
use crate::live::Live;
use crate::skip::Skip;
use crate::turns::{AlwaysItsTurn, Turns};
use reduce_oracle::Cancel;
use std::sync::Arc;

/// The controls by which the owner of a reduction stops, pauses or watches it. Clones share their
/// state.
#[derive(Debug, Clone)]
pub struct Control {
    /// A flag that stops the reduction at once: what is under way ends, and the best so far is
    /// written.
    pub cancel: Cancel,
    /// A flag that ends the search of the reduction soon. All that follows a search is done as if
    /// it had come to its end.
    pub finish: Cancel,
    /// A user's wish to skip the pass that is under way.
    pub skip: Skip,
    /// The pauses of the reduction, in which its clock stands still.
    pub pauses: Pauses,
    /// The state of the search for a live view.
    pub live: Live,
    /// The turns in which the reduction may call the compiler.
    pub turns: Arc<dyn Turns>,
    /// The simulation of workers, where the reduction is a measurement of how much can be done at
    /// once.
    pub simulation: Option<Arc<Simulation>>,
}

impl Control {
    /// Makes the controls of a reduction that takes these turns.
    ///
    /// # Errors
    /// Fails when the system has no file descriptor left.
    pub fn new(turns: Arc<dyn Turns>) -> std::io::Result<Self> {
        Ok(Self {
            cancel: Cancel::new()?,
            finish: Cancel::new()?,
            skip: Skip::default(),
            pauses: Pauses::default(),
            live: Live::default(),
            turns,
            simulation: None,
        })
    }

    /// Makes the controls of a reduction that shares the machine with no other one.
    ///
    /// # Errors
    /// Fails when the system has no file descriptor left.
    pub fn alone() -> std::io::Result<Self> {
        Self::new(Arc::new(AlwaysItsTurn))
    }
}
