//! Signals that ask for the end. The first asks for the best result so far, the second leaves. What follows within a second
//! is the same request: `timeout` signals its child and then the child's group.

use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_platform::signals::{Asked, Signals};
use std::time::{Duration, Instant};

/// The time after a signal in which another one belongs to the same request.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// Waits for signals.
#[derive(Debug)]
pub(crate) struct Interrupts {
    signals: Signals,
    /// The time of the last request.
    last: Option<Instant>,
}

impl Interrupts {
    /// Takes the signals over. A client of the daemon may be killed by all but Ctrl-C, as the job goes on without it.
    pub(crate) fn new(asked: Asked) -> Result<Self, CommandError> {
        let signals = Signals::new(asked);
        Ok(Self {
            signals: signals.map_err(|error| CommandError::new(ExitStatus::Environment, error))?,
            last: None,
        })
    }

    /// Waits for the next request. May be dropped and called again without loss.
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
