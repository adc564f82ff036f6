//! The panics that were printed to a text, and which of them the failure is.
//!
//! Since 1.73 a panic is `thread 'NAME' panicked at PATH:LINE:COLUMN:` with the message on the next lines;
//! later a thread's number in brackets came after the name. Before it is
//! `thread 'NAME' panicked at 'MESSAGE', PATH:LINE:COLUMN`. A hook of the user's mostly prints the
//! same from `panicked at` on.
//!
//! Nothing shows the end of a message but what std prints after it, for the first panic a note. So what a program
//! prints to stderr after a later panic counts as part of its message.

use crate::evidence::diagnostics::split_location;

/// The beginning of the note that std prints after the message of the first panic.
const NOTE: &str = "note: run with `RUST_BACKTRACE";
/// The text that std prints before an error that was returned.
const ERROR: &str = "Error: ";
const PANICKED: &str = "panicked at ";
const THREAD: &str = "thread '";
/// The beginnings of lines that follow a message, besides the note and other panics.
const ENDS: [&str; 6] = [
    "memory allocation of ",
    "stack backtrace:",
    "thread caused non-unwinding panic",
    "thread panicked while ",
    "fatal runtime error: ",
    "test result: ",
];
/// The ends of messages with which a thread panics because another thread did.
const PASSED_ON: [&str; 2] = [": Any { .. }", "a scoped thread panicked"];

/// A panic as it was printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Panic<'a> {
    /// The thread's name; none where only a hook of the user's told of the panic.
    pub(super) thread: Option<&'a str>,
    /// The location, `PATH:LINE:COLUMN`.
    pub(super) location: &'a str,
    pub(super) message: String,
    /// The line on which the panic begins.
    pub(super) start: usize,
    /// The line after the panic's message.
    pub(super) end: usize,
    /// Whether nothing stands before the panic on its line.
    starts_line: bool,
}

/// The panics of a text, in their order.
pub(super) struct Panics<'a> {
    all: Vec<Panic<'a>>,
    thread: String,
}

impl<'a> Panics<'a> {
    /// Reads the panics of a text; `thread` is the name of the thread whose failure counts.
    pub(super) fn in_text(text: &'a str, thread: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let mut all = vec![];
        let mut at = 0;
        while at < lines.len() {
            let panic = read(&lines, at);
            at = panic.as_ref().map_or(at + 1, |panic| panic.end);
            all.extend(panic);
        }
        Self {
            all,
            thread: thread.to_owned(),
        }
    }

    /// Returns all panics, in their order.
    pub(super) fn all(&self) -> &[Panic<'a>] {
        &self.all
    }

    /// Returns the panic of which the thread died whose failure counts, if it died of one.
    pub(super) fn decisive(&self) -> Option<&Panic<'a>> {
        let best = self.all.iter().map(|panic| self.rank(panic)).min()?;
        let last = self.all.iter().rfind(|panic| self.rank(panic) == best)?;
        self.cause(last).or(Some(last))
    }

    /// Returns the panic where there is only one: a harness of the user's own has caught it and ends with a status of its
    /// own. Of several it is not known which of them it counts as a failure.
    pub(super) fn only(&self) -> Option<&Panic<'a>> {
        match &*self.all {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the last panic, and the one of the same thread before it.
    pub(super) fn last_two(&self) -> (Option<&Panic<'a>>, Option<&Panic<'a>>) {
        let Some((last, before)) = self.all.split_last() else {
            return (None, None);
        };
        let earlier = before.iter().rfind(|panic| panic.thread == last.thread);
        (Some(last), earlier)
    }

    /// Returns the rank of a panic: the less, the more likely it is the failure. libtest may run a test on
    /// the main thread; panics of others may have been resumed, and a hook tells no names.
    fn rank(&self, panic: &Panic<'_>) -> u8 {
        match panic.thread {
            Some(name) if name == self.thread => u8::from(!panic.starts_line),
            Some("main") => 2,
            _ => 3,
        }
    }

    /// Returns the panic of another thread, if `panic` only passes that on.
    fn cause(&self, panic: &Panic<'_>) -> Option<&Panic<'a>> {
        let is_passed_on = PASSED_ON.iter().any(|end| panic.message.ends_with(end));
        let mut earlier = self.all.iter().filter(|other| other.start < panic.start);
        let other = earlier.rfind(|other| other.thread != panic.thread);
        other.filter(|_| is_passed_on)
    }
}

/// Returns the error that was returned, if `Error: ..` begins one of the lines from `from` on: all from the last such line
/// on, as errors may print several lines.
pub(super) fn error_text(text: &str, from: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().skip(from).collect();
    let at = lines.iter().rposition(|line| line.starts_with(ERROR))?;
    let rest = lines.get(at..)?;
    let end = rest.iter().position(|line| ends_message(line));
    let error = rest.get(..end.unwrap_or(rest.len()))?.join("\n");
    Some(error.strip_prefix(ERROR)?.trim().to_owned())
}

/// Returns the panic that begins on a line.
fn read<'a>(lines: &[&'a str], at: usize) -> Option<Panic<'a>> {
    let header = Header::of(lines.get(at)?)?;
    let (message, location, end) = match header.rest {
        Rest::Message(text) => old_message(lines, at, text)?,
        Rest::Location(location) => {
            let end = message_end(lines, at + 1);
            let message = lines.get(at + 1..end)?.join("\n");
            (message, location, end)
        }
        Rest::LocationOnly(location) => (String::new(), location, at + 1),
    };
    Some(Panic {
        thread: header.thread,
        location,
        message: message.trim().to_owned(),
        start: at,
        end,
        starts_line: header.starts_line,
    })
}

/// The line on which a panic begins.
struct Header<'a> {
    thread: Option<&'a str>,
    starts_line: bool,
    rest: Rest<'a>,
}

/// The part of a line that follows `panicked at`.
enum Rest<'a> {
    /// The text after the quote, before 1.73.
    Message(&'a str),
    Location(&'a str),
    /// The location alone, from a hook that found no message.
    LocationOnly(&'a str),
}

impl<'a> Header<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let at = line.find(PANICKED)?;
        let (before, rest) = (&line[..at], &line[at + PANICKED.len()..]);
        let rest = Rest::of(rest)?;
        let whole = before.strip_prefix(THREAD).and_then(thread_name);
        let part = before.rsplit_once(THREAD);
        let thread = whole.or_else(|| part.and_then(|(_, name)| thread_name(name)));
        let is_apart = before.is_empty() || before.ends_with(' ');
        (thread.is_some() || (is_apart && rest.is_of_rust())).then_some(Self {
            thread,
            starts_line: whole.is_some() || before.is_empty(),
            rest,
        })
    }
}

impl<'a> Rest<'a> {
    fn of(text: &'a str) -> Option<Self> {
        if let Some(message) = text.strip_prefix('\'') {
            return Some(Self::Message(message));
        }
        match text.strip_suffix(':') {
            Some(location) => split_location(location).map(|_| Self::Location(location)),
            None => split_location(text).map(|_| Self::LocationOnly(text)),
        }
    }

    /// Whether the location is one of a Rust source; without a thread, a line proves little.
    fn is_of_rust(&self) -> bool {
        match self {
            Self::Message(_) => true,
            Self::Location(at) | Self::LocationOnly(at) => {
                split_location(at).is_some_and(|(path, ..)| path.ends_with(".rs"))
            }
        }
    }
}

/// Returns the name in `NAME' ` or `NAME' (NUMBER) `.
fn thread_name(text: &str) -> Option<&str> {
    let text = text.strip_suffix(' ')?;
    let numbered = text.strip_suffix(')').and_then(|text| {
        let (name, number) = text.rsplit_once("' (")?;
        number.bytes().all(|b| b.is_ascii_digit()).then_some(name)
    });
    numbered.or_else(|| text.strip_suffix('\''))
}

/// Returns the message in quotes, its location and the line after it. It ends on the first line that ends in a quote and a
/// location.
fn old_message<'a>(
    lines: &[&'a str],
    at: usize,
    first: &'a str,
) -> Option<(String, &'a str, usize)> {
    let mut message = String::new();
    let more = lines.get(at + 1..)?.iter().copied();
    let more = more.take_while(|line| !line.contains(PANICKED));
    for (n, line) in std::iter::once(first).chain(more).enumerate() {
        let parts = line.rsplit_once("', ");
        if let Some((text, location)) = parts.filter(|(_, at)| split_location(at).is_some()) {
            message.push_str(text);
            return Some((message, location.trim(), at + n + 1));
        }
        message.push_str(line);
        message.push('\n');
    }
    None
}

/// Returns the line after a message: where the note is, or else something that cannot be part of it.
fn message_end(lines: &[&str], from: usize) -> usize {
    let mut error = None;
    for (at, line) in lines.iter().enumerate().skip(from) {
        if line.starts_with(NOTE) {
            return at;
        }
        if ends_message(line) {
            return error.unwrap_or(at);
        }
        if line.starts_with(ERROR) && error.is_none() && at > from {
            error = Some(at);
        }
    }
    error.unwrap_or(lines.len())
}

/// Whether a line is surely no part of the message before it.
fn ends_message(line: &str) -> bool {
    let is_panic = || Header::of(line).is_some_and(|header| header.starts_line);
    let is_cut = || line.starts_with('[') && line.ends_with(" bytes left out]");
    let is_overflow = || line.starts_with(THREAD) && line.ends_with("has overflowed its stack");
    line.starts_with(NOTE)
        || ENDS.iter().any(|end| line.starts_with(end))
        || is_panic()
        || is_overflow()
        || is_cut()
}
