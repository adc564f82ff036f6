//! A program that a test has started: its output line by line while it runs, and its end.

use super::DEADLINE;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest time that the pipes of a program may stay open after its end.
const GRACE: Duration = Duration::from_secs(20);
/// The time between two questions of [`wait_until`].
const INTERVAL: Duration = Duration::from_millis(50);

/// A program that runs, with its output so far. Dropping it kills it.
pub(crate) struct Running {
    what: String,
    pid: u32,
    lines: Receiver<String>,
    /// The lines that were read already.
    read: Vec<String>,
    stderr: Receiver<String>,
    ended: Receiver<ExitStatus>,
    status: Option<ExitStatus>,
}

impl Running {
    /// Starts a program with nothing to read.
    pub(crate) fn start(command: Command) -> Self {
        Self::start_reading(command, Stdio::null())
    }

    /// Starts a program with this standard input.
    pub(crate) fn start_reading(mut command: Command, input: Stdio) -> Self {
        let what = format!("{command:?}");
        command
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        Self {
            pid: child.id(),
            lines: lines_of(&mut child),
            read: vec![],
            stderr: text_of(&mut child),
            ended: end_of(child),
            status: None,
            what,
        }
    }

    /// The number of the program's process.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Reads standard output, JSON lines, up to the first event of that name.
    ///
    /// # Panics
    /// Where the output ends before.
    pub(crate) fn wait_for(&mut self, event: &str) -> Value {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!(
                    "{}: no event `{event}`\n{}",
                    self.what,
                    self.read.join("\n")
                );
            };
            let parsed = parse_event(&line);
            self.read.push(line);
            if parsed["event"] == event {
                return parsed;
            }
        }
    }

    /// Waits for the program's end, and for the end of its output.
    ///
    /// # Panics
    /// Where it takes too long, or something that it left behind holds its output open.
    pub(crate) fn finish(mut self) -> Finished {
        match self.ended.recv_timeout(DEADLINE) {
            Ok(status) => self.status = Some(status),
            Err(_) => panic!("{}: not done after {} s", self.what, DEADLINE.as_secs()),
        }
        let mut read = std::mem::take(&mut self.read);
        loop {
            match self.lines.recv_timeout(GRACE) {
                Ok(line) => read.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("{}: stdout is held open", self.what),
            }
        }
        let stderr = self.stderr.recv_timeout(GRACE);
        let stderr = stderr.unwrap_or_else(|_| panic!("{}: stderr is held open", self.what));
        let status = self.status.expect("it has ended");
        Finished {
            what: self.what.clone(),
            status,
            lines: read,
            stderr,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.status.is_none() && self.ended.try_recv().is_err() {
            signal(self.pid, "KILL");
        }
    }
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    thread::spawn(move || {
        let lines = stdout.lines().map_while(Result::ok);
        lines.map(|line| sender.send(line)).find(Result::is_err)
    });
    receiver
}

fn text_of(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    let mut stderr = child.stderr.take().expect("it is piped");
    thread::spawn(move || {
        let mut bytes = vec![];
        // The text that was read before an error is worth more than the error.
        let _ = stderr.read_to_end(&mut bytes);
        sender.send(String::from_utf8_lossy(&bytes).into_owned())
    });
    receiver
}

fn end_of(mut child: Child) -> Receiver<ExitStatus> {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(child.wait().expect("a child can be waited for")));
    receiver
}

/// A program that has ended: its exit status, and what it said.
#[derive(Debug)]
pub(crate) struct Finished {
    what: String,
    status: ExitStatus,
    lines: Vec<String>,
    stderr: String,
}

impl Finished {
    /// The whole standard output.
    pub(crate) fn stdout(&self) -> String {
        self.lines.join("\n")
    }

    /// The whole standard error.
    pub(crate) fn stderr(&self) -> &str {
        &self.stderr
    }

    /// Both outputs, for messages whose place does not matter.
    pub(crate) fn everything(&self) -> String {
        format!("{}\n{}", self.stdout(), self.stderr)
    }

    /// Standard output as events, one a line.
    ///
    /// # Panics
    /// Where a line is not an event.
    pub(crate) fn events(&self) -> Vec<Value> {
        self.lines.iter().map(|line| parse_event(line)).collect()
    }

    /// The events of that name.
    pub(crate) fn events_named(&self, name: &str) -> Vec<Value> {
        self.events()
            .into_iter()
            .filter(|event| event["event"] == name)
            .collect()
    }

    /// Whether the program ended as a compiler that crashes does: code 101 or a signal.
    pub(crate) fn is_crash(&self) -> bool {
        let by_signal = self.status.signal().is_some();
        // A shell gives the signal of its child as 128 and more.
        by_signal
            || self
                .status
                .code()
                .is_some_and(|code| code == 101 || code >= 128)
    }

    /// Checks that the program ended with success.
    ///
    /// # Panics
    /// Where it ended otherwise.
    #[track_caller]
    pub(crate) fn expect_success(self) -> Self {
        self.expect_code(0)
    }

    /// Checks that the program ended with this exit code.
    ///
    /// # Panics
    /// Where it ended otherwise.
    #[track_caller]
    pub(crate) fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{self}");
        self
    }

    /// Checks that the program ended with this code, and that standard error has an error line, a
    /// hint and each of these texts.
    ///
    /// # Panics
    /// Where something is missing.
    #[track_caller]
    pub(crate) fn expect_failure(self, code: i32, texts: &[&str]) -> Self {
        for text in texts.iter().chain(&["error: ", "hint: "]) {
            assert!(
                self.stderr.contains(text),
                "no `{text}` in the error output\n{self}"
            );
        }
        self.expect_code(code)
    }
}

impl std::fmt::Display for Finished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, status) = (&self.what, self.status);
        write!(
            f,
            "{what}: {status}\nstdout:\n{}\nstderr:\n{}",
            self.stdout(),
            self.stderr
        )
    }
}

fn parse_event(line: &str) -> Value {
    let event: Value = serde_json::from_str(line)
        .unwrap_or_else(|error| panic!("the line is not JSON: {error}\n{line}"));
    assert!(
        event["event"].is_string(),
        "the line is not an event\n{line}"
    );
    event
}

/// Sends a signal, such as `INT`, to a process that this test started.
pub(crate) fn signal(pid: u32, name: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("kill -s {name} {pid}")]);
    // The process may have ended by itself.
    let _ = shell.stderr(Stdio::null()).status();
}

/// Asks every now and then until there is an answer. For what no event tells, such as that a process
/// is gone.
///
/// # Panics
/// Where there is none before the deadline.
#[track_caller]
pub(crate) fn wait_until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(
            Instant::now() < deadline,
            "{what}: not within {} s",
            DEADLINE.as_secs()
        );
        thread::park_timeout(INTERVAL);
    }
}
