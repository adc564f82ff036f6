//! Waits for the signals, such as that of Ctrl-C, by which a user asks for the end of a reduction. The first asks for the
//! best result so far, the second leaves. What follows within a second is the same request: `timeout` signals its child
//! and then the child's group.

use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_platform::signals::{Asked, Signals};
use std::time::{Duration, Instant};

/// The time after a signal in which other signals belong to the same request.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// The signals by which the user asks for the end of the reduction.
#[derive(Debug)]
pub(crate) struct Interrupts {
    signals: Signals,
    /// When a signal last asked for the end.
    last: Option<Instant>,
}

impl Interrupts {
    /// Makes these signals ask for the end of the reduction, rather than end this process. A client of the daemon may be
    /// killed by all but Ctrl-C, as the job goes on without it.
    pub(crate) fn new(asked: Asked) -> Result<Self, CommandError> {
        let signals = Signals::new(asked);
        Ok(Self {
            signals: signals.map_err(|error| CommandError::new(ExitStatus::Environment, error))?,
            last: None,
        })
    }

    /// Waits for the next signal that asks for the end. May be dropped and called again without loss.
    pub(crate) async fn next(&mut self) {
        loop {
            self.signals.next().await;
            let is_new = self.last.is_none_or(|last| last.elapsed() >= SAME_REQUEST);
            if is_new {
                self.last = Some(Instant::now());
                return;
            }
        }
    }
}
