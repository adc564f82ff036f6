//! Starts the daemon in this process: in the foreground for a user, or detached for the client that started it and waits
//! for one line on the daemon's standard output.

use crate::error::{DaemonError, StartFailure, one_line};
use crate::home::Home;
use crate::runner::Reduce;
use crate::server::{Server, ServerOptions};
use reduce_platform::processes;
use reduce_protocol::to_line;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::sync::Arc;

/// The one who started a daemon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartedBy {
    /// A client, which waits for a report; the daemon leaves its session and terminal.
    Client,
    /// A user, in the foreground.
    User,
}

/// The line in which a new daemon tells the client that started it whether it listens.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StartReport {
    /// The daemon listens.
    Started {
        /// The process id of the daemon.
        pid: u32,
    },
    /// The daemon cannot run.
    Failed(StartFailure),
}

/// Runs a daemon to its end.
///
/// # Errors
/// Where another daemon runs, or what a daemon needs cannot be had.
pub fn serve(
    home: &Home,
    options: ServerOptions,
    reduce: Arc<Reduce>,
    started_by: StartedBy,
) -> Result<(), DaemonError> {
    if started_by == StartedBy::User {
        return Server::bind(home, options)?.run(reduce);
    }
    processes::leave_session();
    let bound = Server::bind(home, options);
    report(&match &bound {
        Ok(_) => StartReport::Started {
            pid: std::process::id(),
        },
        Err(error) => StartReport::Failed(failure(error)),
    });
    bound?.run(reduce)
}

fn failure(error: &DaemonError) -> StartFailure {
    StartFailure {
        message: one_line(error),
        already_running: matches!(error, DaemonError::AlreadyRunning { .. }),
    }
}

/// Tells the client whether the daemon listens, and closes the pipe to it, so that neither the daemon nor a child of its
/// keeps the client's end open. A client that is gone does not matter.
fn report(report: &StartReport) {
    if let Ok(line) = to_line(report) {
        let mut stdout = std::io::stdout();
        let _ = stdout
            .write_all(line.as_bytes())
            .and_then(|()| stdout.flush());
    }
    processes::let_go_of_output();
}
