//! The engine in the client's own process, for `--no-daemon`: the same store, no socket.

use crate::error::DaemonError;
use crate::home::Home;
use crate::runner::{HINTS_IN_PROCESS, Reduce, Runner};
use crate::update::Update;
use camino::Utf8PathBuf;
use reduce_engine::{Cancel, Control, Event, ReductionRequest};
use std::sync::Arc;
use tokio::sync::mpsc;

/// A reduction on a thread of this process. Dropping it does not stop the thread.
#[derive(Debug)]
pub struct LocalRun {
    updates: mpsc::UnboundedReceiver<Update>,
    cancel: Cancel,
}

impl LocalRun {
    /// Starts it.
    ///
    /// # Errors
    /// Where the scratch directory or the thread cannot be made. All else is an [`Update::Failed`].
    pub fn start(
        home: &Home,
        capture_program: Utf8PathBuf,
        reduce: Arc<Reduce>,
        request: ReductionRequest,
    ) -> Result<Self, DaemonError> {
        let runner = Runner::new(home, capture_program, reduce, HINTS_IN_PROCESS)?;
        let control = Control::alone().map_err(DaemonError::Runtime)?;
        let cancel = control.cancel.clone();
        let (sender, updates) = mpsc::unbounded_channel();
        let run = move || {
            // A receiver that is gone wants no updates.
            let send = |update| drop(sender.send(update));
            let emit = |event| send(Update::Event(event));
            let ended = runner.run("run", &request, &emit, &control);
            // Closes the store before the end is told: whoever hears of it may leave.
            drop(runner);
            send(match ended {
                Ok(summary) => Update::Event(Event::Finished(Box::new(summary))),
                Err(failure) => Update::Failed(failure),
            });
        };
        let thread = reduce_engine::thread("engine");
        thread.spawn(run).map_err(DaemonError::Runtime)?;
        Ok(Self { updates, cancel })
    }

    /// The next update; `None` after the last. May be dropped and called again without loss.
    pub async fn next(&mut self) -> Option<Update> {
        self.updates.recv().await
    }

    /// Asks the engine to write the best so far and to end.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }
}
