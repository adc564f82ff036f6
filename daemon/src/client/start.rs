//! Starts a daemon. With the one in `oracle`, this is the only function that starts a process.

use crate::error::{DaemonError, StartFailure};
use crate::home::Home;
use crate::startup::StartReport;
use camino::Utf8PathBuf;
use reduce_platform::processes::inherit_nothing;
use reduce_protocol::from_line;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// The time that a daemon may take to say that it listens.
const PATIENCE: Duration = Duration::from_secs(10);

/// The command that starts a daemon: the program calls [`crate::serve`] with
/// [`crate::StartedBy::Client`] then.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The executable, absolute.
    pub program: Utf8PathBuf,
    /// The arguments of the executable, which hand over the paths of the [`Home`].
    pub arguments: Vec<String>,
}

/// Starts a daemon and waits until it listens or says why it cannot.
pub(super) async fn start(home: &Home, launch: &Launch) -> Result<(), DaemonError> {
    let mut child = spawn(home, launch)?;
    let Some(stdout) = child.stdout.take() else {
        return Ok(());
    };
    let (sender, report) = oneshot::channel();
    let read = move || drop(sender.send(read_report(stdout)));
    std::thread::Builder::new()
        .spawn(read)
        .map_err(DaemonError::Runtime)?;
    match timeout(PATIENCE, report).await {
        Ok(Ok(Some(StartReport::Started { .. }))) => Ok(()),
        Ok(Ok(Some(StartReport::Failed(failure)))) => Err(DaemonError::NotStarted(failure)),
        Ok(_) => Err(DaemonError::NotStarted(StartFailure {
            message: format!("it ended without a word; its log is `{}`", home.log()),
            already_running: false,
        })),
        Err(_) => Err(DaemonError::NoAnswer {
            seconds: PATIENCE.as_secs(),
            log: home.log(),
        }),
    }
}

/// Starts the daemon's process with an empty environment, as each request brings the one that it needs. Nothing that the
/// client has open stays open in the daemon: neither its caller's lock, nor the pipe whose end its caller waits for.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that starts the daemon"
)]
fn spawn(home: &Home, launch: &Launch) -> Result<Child, DaemonError> {
    let made = std::fs::create_dir_all(&home.base);
    made.map_err(DaemonError::io("create directory", &home.base))?;
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(home.log());
    let log = log.map_err(DaemonError::io("open", home.log()))?;
    let mut command = Command::new(&launch.program);
    command.args(&launch.arguments).env_clear().current_dir("/");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log);
    inherit_nothing(&mut command);
    command
        .spawn()
        .map_err(DaemonError::io("start", &launch.program))
}

/// Reads the line in which a new daemon says whether it listens, or returns `None` if it ended without one.
fn read_report(stdout: ChildStdout) -> Option<StartReport> {
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).ok()?;
    from_line(&line).ok()
}
