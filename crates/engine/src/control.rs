//! What whoever runs a reduction has a say in while it runs.

use crate::clock::Pauses;
use crate::live::Live;
use crate::question::Simulation;
use crate::skip::Skip;
use crate::turns::{AlwaysItsTurn, Turns};
use reduce_oracle::Cancel;
use std::sync::Arc;

/// The say of whoever runs a reduction. Clones share their state.
#[derive(Debug, Clone)]
pub struct Control {
    /// Stops it at once: what is under way ends, and the best so far is written.
    pub cancel: Cancel,
    /// Ends its search soon. All that follows a search is done as if it had come to its end.
    pub finish: Cancel,
    /// Ends the pass that is under way.
    pub skip: Skip,
    /// The pauses of the reduction, in which its clock stands still.
    pub pauses: Pauses,
    /// What a live view shows of it.
    pub live: Live,
    /// When it may call the compiler.
    pub turns: Arc<dyn Turns>,
    /// Where it is no real one, but a measurement of how much of it can be done at once.
    pub simulation: Option<Arc<Simulation>>,
}

impl Control {
    /// Of a reduction that takes these turns.
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

    /// Of a reduction that shares the machine with no other.
    ///
    /// # Errors
    /// Fails when the system has no file descriptor left.
    pub fn alone() -> std::io::Result<Self> {
        Self::new(Arc::new(AlwaysItsTurn))
    }
}
