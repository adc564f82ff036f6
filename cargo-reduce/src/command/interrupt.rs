//! Signals that ask for the end. The first asks for the best result so far, the second leaves. What follows within a second
//! is the same request: `timeout` signals its child and then the child's group.

use crate::error::CommandError;
use crate::exit::ExitStatus;
use std::time::{Duration, Instant};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How long after a signal another one says nothing new.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// Which signals ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attention {
    /// Ctrl-C. A client of the daemon may otherwise be killed: the job goes on.
    Interrupt,
    /// Ctrl-C, and what ends a process otherwise: the engine runs in this one.
    All,
}

/// Waits for signals.
#[derive(Debug)]
pub(crate) struct Interrupts {
    interrupt: Signal,
    /// Absent where they keep their usual effect.
    terminate: Option<(Signal, Signal)>,
    /// When the last request came.
    last: Option<Instant>,
}

impl Interrupts {
    /// Takes the signals over.
    pub(crate) fn new(attention: Attention) -> Result<Self, CommandError> {
        let take =
            |kind| signal(kind).map_err(|error| CommandError::new(ExitStatus::Environment, error));
        let terminate = match attention {
            Attention::Interrupt => None,
            Attention::All => Some((take(SignalKind::terminate())?, take(SignalKind::hangup())?)),
        };
        Ok(Self {
            interrupt: take(SignalKind::interrupt())?,
            terminate,
            last: None,
        })
    }

    /// Waits for the next request. May be dropped and called again without loss.
    pub(crate) async fn next(&mut self) {
        loop {
            self.signal().await;
            let is_new = self.last.is_none_or(|last| last.elapsed() >= SAME_REQUEST);
            if is_new {
                self.last = Some(Instant::now());
                return;
            }
        }
    }

    async fn signal(&mut self) {
        match &mut self.terminate {
            None => drop(self.interrupt.recv().await),
            Some((terminate, hang_up)) => tokio::select! {
                _ = self.interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
            },
        }
    }
}
