//! Runs a process to which lines are written, and whose lines are read, as long as somebody holds its handle.
//!
//! It is ours and no part of a query: it has our own environment, no limits, and a process group of its own, so that a signal
//! from the terminal does not end it. It is to end by itself when its input ends.

use super::groups::Groups;
use super::way;
use camino::Utf8Path;
use reduce_platform::processes::{self, Signal, start_when_free};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// The time that the process has to end by itself after its input has ended.
const BY_ITSELF: Duration = Duration::from_secs(1);
/// The number of bytes that are kept of the process's last output to standard error.
const LAST_WORDS: usize = 400;

/// A running process to which lines are written, and whose lines are read. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Dialogue {
    /// The lines that a thread is to write to the process, so that nobody waits for a process that does not read;
    /// `None` at the end.
    lines: Option<Sender<String>>,
    leader: Arc<Mutex<Leader>>,
}

/// The process that leads the group, and how it has ended.
#[derive(Debug)]
struct Leader {
    child: Child,
    /// The way the process ended, once it was reaped.
    ended: Option<String>,
}

/// A listener that is told each line that a process prints.
pub(crate) trait Listen: Send + Sync {
    /// Is told a line of the process, without the line's end.
    fn hear(&self, line: &str);
    /// Is told that no other line comes, and how the process has ended.
    fn hear_the_end(&self, how: &str);
}

impl Dialogue {
    /// Starts a program without arguments, and tells the listener each line that the program prints.
    ///
    /// # Errors
    /// Where it cannot be started.
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is a part of the one that starts children"
    )]
    pub(crate) fn start(program: &Utf8Path, listener: Arc<dyn Listen>) -> std::io::Result<Self> {
        let mut command = Command::new(program);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        processes::lead_group(&mut command);
        processes::inherit_nothing(&mut command);
        let mut child = start_when_free(|| command.spawn())?;
        Groups::begin(child.id());
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let leader = Arc::new(Mutex::new(Leader { child, ended: None }));
        let (lines, to_write) = mpsc::channel();
        let dialogue = Self {
            lines: Some(lines),
            leader: Arc::clone(&leader),
        };
        let (Some(input), Some(output), Some(errors)) = streams else {
            return Err(std::io::Error::other("it has no streams"));
        };
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        thread("say").spawn(move || write_all(input, &to_write))?;
        thread("hear").spawn(move || listen(output, errors, &leader, &*listener))?;
        Ok(dialogue)
    }

    /// Writes a line, with its end, to the process. Nothing happens where nobody is there any more: the listener
    /// hears of that.
    pub(crate) fn say(&self, line: String) {
        if let Some(lines) = &self.lines {
            let _gone = lines.send(line);
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        drop(self.lines.take());
        lock(&self.leader).end();
    }
}

impl Leader {
    /// Waits a moment for the process to end by itself, then kills its group, and returns how the process ended.
    /// Nothing of its group is left.
    fn end(&mut self) -> &str {
        let child = &mut self.child;
        self.ended.get_or_insert_with(|| {
            let has_ended = way::has_ended_within(child, BY_ITSELF).unwrap_or(false);
            processes::signal_group(child, Signal::Kill);
            Groups::end(child.id());
            match processes::reap(child) {
                Ok(ended) if has_ended => ended.status.to_string(),
                _ => "it said nothing more, and was killed".to_owned(),
            }
        })
    }
}

fn write_all(mut input: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

fn listen(output: ChildStdout, errors: ChildStderr, leader: &Mutex<Leader>, listener: &dyn Listen) {
    let last_words = std::thread::spawn(move || last_words(errors));
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        listener.hear(&line);
    }
    let ended = lock(leader).end().to_owned();
    // Something that it has left may hold the pipe open; its group is gone.
    let said = last_words.join().unwrap_or_default();
    match said.trim() {
        "" => listener.hear_the_end(&ended),
        said => listener.hear_the_end(&format!("{ended}, and `{said}`")),
    }
}

fn last_words(mut errors: ChildStderr) -> String {
    let (mut kept, mut chunk) = (Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = errors.read(&mut chunk) {
        kept.extend_from_slice(&chunk[..read]);
        kept.drain(..kept.len().saturating_sub(LAST_WORDS));
    }
    String::from_utf8_lossy(&kept).into_owned()
}

fn lock(leader: &Mutex<Leader>) -> MutexGuard<'_, Leader> {
    leader.lock().unwrap_or_else(PoisonError::into_inner)
}
