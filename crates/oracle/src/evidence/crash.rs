//! The crashes of a compiler run, and the ordinary errors that it reported.

use crate::evidence::diagnostics::{Remark, json_remark, own_location, parse, split_location};
use crate::signature::{CrashKind, Signature, normalise, shape};
use crate::system::process::{Ending, Outcome};
use std::collections::BTreeSet;
use std::time::Duration;

/// rustc's exit status after a panic.
const CRASH_STATUS: i32 = 101;
/// The payload of the panic that follows `bug!` and emitted delayed bugs.
const OPAQUE_PAYLOAD: &str = "Box<dyn Any>";
/// The message with which compilers before 1.73 end their report of a panic, printed as if it were another bug.
const OLD_CLOSING_WORDS: &str = "unexpected panic";
/// The messages of panics by which the runtime stops a panic that may not unwind any further.
const PANICS_OF_PANICS: [&str; 2] = [
    "panic in a destructor during cleanup",
    "panic in a function that cannot unwind",
];

/// The observation of one compiler run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The way in which the compiler ended.
    pub ending: Ending,
    /// The failure of the run, first; then those that follow it in the same run, as rustc goes on with other bodies after a
    /// panic, and prints all delayed bugs. Empty where the run did not fail.
    pub crashes: Vec<Signature>,
    /// The ordinary errors, in the order in which they were first printed: codes such as `E0308`, or
    /// normalised messages of those without a code.
    pub errors: Vec<String>,
    /// Wall time of the run.
    pub duration: Duration,
}

impl Observation {
    /// Reads what a compiler printed. Without exit status 101 or a signal there is no crash,
    /// whatever the output says.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let remarks = parse(&outcome.stderr);
        let crashes = crashes_after(outcome.ending, &remarks);
        let mut seen = BTreeSet::new();
        let errors = remarks.iter().filter_map(error_name);
        let errors = errors.filter(|name| seen.insert(name.clone())).collect();
        Self {
            ending: outcome.ending,
            crashes,
            errors,
            duration: outcome.wall,
        }
    }
}

/// Returns the signature of a compiler's crash, from the way in which it ended and its standard error.
pub(crate) fn crash_of(ending: Ending, stderr: &str) -> Option<Signature> {
    crashes_after(ending, &parse(stderr)).into_iter().next()
}

fn crashes_after(ending: Ending, remarks: &[Remark]) -> Vec<Signature> {
    match ending {
        Ending::Exited(CRASH_STATUS) => crashes_of(remarks, None),
        Ending::Signalled(signal) => crashes_of(remarks, Some(signal)),
        Ending::Exited(_)
        | Ending::TimedOut
        | Ending::Cancelled
        | Ending::Decided
        | Ending::Exceeded => vec![],
    }
}

/// Returns the crash of a compiler that another program, such as cargo, has started, if its output shows one. `signal` is
/// what the other program says that the compiler died of.
pub(crate) fn crash_in(text: &str, signal: Option<i32>) -> Option<Signature> {
    const MARKS: [&str; 5] = [
        "error: internal compiler error",
        "thread 'rustc' ",
        "error: rustc interrupted by",
        "LLVM ERROR: ",
        "rustc-LLVM ERROR: ",
    ];
    let is_mark = |line: &str| MARKS.iter().any(|mark| line.starts_with(mark));
    let is_crash = signal.is_some() || text.lines().any(is_mark);
    is_crash.then(|| crashes_of(&parse(text), signal).into_iter().next())?
}

/// Returns the first ordinary error that a compiler printed for people, or that cargo did.
pub(crate) fn first_error(text: &str, is_wanted: &dyn Fn(&str) -> bool) -> Option<String> {
    let remarks = parse(text);
    let mut names = remarks.iter().filter_map(error_name);
    names.find(|name| is_wanted(name))
}

/// Returns the first error that is wanted, with the shape of its message behind its code.
pub(crate) fn first_error_in_words(text: &str, is_wanted: &dyn Fn(&str) -> bool) -> Option<String> {
    let in_words = |remark: &Remark| match remark {
        Remark::Error {
            code: Some(code),
            message,
        } => Some(format!("{code}: {}", shape(message))),
        remark => error_name(remark),
    };
    let remarks = parse(text);
    let mut names = remarks.iter().filter_map(in_words);
    names.find(|name| is_wanted(name))
}

/// Returns the ordinary error that a line of JSON tells of.
pub(crate) fn error_in(line: &str) -> Option<String> {
    error_name(&json_remark(line)?)
}

/// Returns the name of an error: its code, or else its normalised message.
pub(crate) fn error_name(remark: &Remark) -> Option<String> {
    match remark {
        Remark::Error {
            code: Some(code), ..
        } => Some(code.clone()),
        Remark::Error {
            code: None,
            message,
        } => Some(normalise(message)),
        _ => None,
    }
}

/// Returns the signatures of all crashes in a run of the compiler that crashed; at least one.
fn crashes_of(remarks: &[Remark], signal: Option<i32>) -> Vec<Signature> {
    if remarks.contains(&Remark::StackOverflow) && signal.is_some() {
        let cycle = remarks.iter().find_map(|remark| match remark {
            Remark::Cycle(frames) => Some(frames.clone()),
            _ => None,
        });
        let overflow = Signature::of_kind(CrashKind::StackOverflow, "");
        return vec![Signature {
            cycle: cycle.unwrap_or_default(),
            ..overflow
        }];
    }
    let delayed = delayed_bugs(remarks);
    if !delayed.is_empty() {
        return delayed
            .into_iter()
            .map(|bug| Signature { signal, ..bug })
            .collect();
    }
    let (own, others) = remarks.split_at(next_crash(remarks).unwrap_or(remarks.len()));
    let query = own.iter().find_map(|remark| match remark {
        Remark::Query(name) => Some(name.clone()),
        _ => None,
    });
    let crash = first_panic(own).or_else(|| llvm_error(own));
    let crash = crash.map(|crash| Signature { signal, ..crash });
    let crash = crash.unwrap_or_else(|| unknown_crash(own, signal));
    let mut crashes = vec![Signature { query, ..crash }];
    if !others.is_empty() {
        crashes.extend(crashes_of(others, signal));
    }
    crashes
}

/// Finds the place at which the second panic or `bug!` begins. A bug and the panic that it ends in are one, and panics that
/// come of another one do not count, nor do bugs that are shown as the compiler has not come to the error that they were
/// delayed for, nor errors that are taken for bugs, as the second such panic is about their number.
fn next_crash(remarks: &[Remark]) -> Option<usize> {
    let begins = |from: usize| {
        let found = remarks[from..].iter().position(begins_crash)?;
        Some(from + found).filter(|&at| remarks[at] != Remark::DelayedBugsFollow)
    };
    let first = begins(0)?;
    let next = begins(first + 1)?;
    let next = match (&remarks[first], &remarks[next]) {
        (Remark::Internal { .. }, Remark::Panic { message, .. })
            if message == OPAQUE_PAYLOAD || is_error_as_bug(message) =>
        {
            begins(next + 1)?
        }
        _ => next,
    };
    let is_error = match &remarks[next] {
        Remark::Internal { code, .. } => code.is_some(),
        Remark::Panic { message, .. } => is_error_as_bug(message),
        _ => false,
    };
    (!is_error).then_some(next)
}

/// Returns whether a remark begins a crash that is no part of the crash before it, or the list of delayed bugs.
fn begins_crash(remark: &Remark) -> bool {
    match remark {
        Remark::DelayedBugsFollow => true,
        Remark::Internal { message, .. } => message != OLD_CLOSING_WORDS,
        Remark::Panic { location, message } => {
            !(compiler_path(location).starts_with("library/core/src/panicking.rs")
                && PANICS_OF_PANICS.iter().any(|one| message.starts_with(one)))
        }
        _ => false,
    }
}

/// Returns the delayed bugs, if no panic or other bug was printed before them.
fn delayed_bugs(remarks: &[Remark]) -> Vec<Signature> {
    let first = remarks.iter().position(|remark| {
        matches!(
            remark,
            Remark::DelayedBugsFollow | Remark::Panic { .. } | Remark::Internal { .. }
        )
    });
    let Some(first) = first.filter(|at| remarks[*at] == Remark::DelayedBugsFollow) else {
        return vec![];
    };
    let bugs = remarks[first..].iter().filter_map(|remark| match remark {
        Remark::Internal {
            message,
            delayed_at,
            ..
        } => Some(bug(CrashKind::DelayedBug, message, delayed_at.as_deref())),
        _ => None,
    });
    bugs.collect()
}

/// Returns the signature of the first panic or `bug!` among the remarks.
fn first_panic(remarks: &[Remark]) -> Option<Signature> {
    let at = remarks
        .iter()
        .position(|remark| matches!(remark, Remark::Panic { .. } | Remark::Internal { .. }))?;
    match &remarks[at] {
        Remark::Panic { location, message } => Some(match is_error_as_bug(message) {
            true => located(
                CrashKind::Panic,
                Some(location),
                error_before(&remarks[..at]),
            ),
            false => located(CrashKind::Panic, Some(location), normalise(message)),
        }),
        Remark::Internal {
            code,
            message,
            delayed_at,
        } => {
            let panic = remarks[at..].iter().find_map(|remark| match remark {
                Remark::Panic { location, message } => Some((location.as_str(), message.as_str())),
                _ => None,
            });
            Some(internal_error(
                code.as_deref(),
                message,
                delayed_at.as_deref(),
                panic,
            ))
        }
        _ => None,
    }
}

/// Returns the signature of an internal error, which depends on the panic that it ends in.
fn internal_error(
    code: Option<&str>,
    message: &str,
    delayed_at: Option<&str>,
    panic: Option<(&str, &str)>,
) -> Signature {
    match panic {
        Some((location, payload)) if is_error_as_bug(payload) => {
            located(CrashKind::Panic, Some(location), named_error(code, message))
        }
        Some((location, OPAQUE_PAYLOAD)) => {
            bug(CrashKind::Bug, message, delayed_at.or(Some(location)))
        }
        _ if delayed_at.is_some() => bug(CrashKind::DelayedBug, message, delayed_at),
        _ => bug(CrashKind::Bug, message, None),
    }
}

/// Whether a panic is that of `-Ztreat-err-as-bug`, of which the error is what matters.
fn is_error_as_bug(payload: &str) -> bool {
    payload.starts_with("aborting") && payload.contains("treat-err-as-bug")
}

fn error_before(remarks: &[Remark]) -> String {
    let error = remarks.iter().rev().find_map(|remark| match remark {
        Remark::Error { code, message } => Some(named_error(code.as_deref(), message)),
        _ => None,
    });
    error.unwrap_or_default()
}

/// Returns an error as the message of a signature.
pub(crate) fn named_error(code: Option<&str>, message: &str) -> String {
    let message = normalise(message);
    code.map_or(message.clone(), |code| format!("[{code}] {message}"))
}

/// Returns the signature of a bug. Its message begins with its location, or the location is said elsewhere. A delayed bug
/// is where it was delayed.
fn bug(kind: CrashKind, message: &str, location: Option<&str>) -> Signature {
    let is_elsewhere = kind == CrashKind::DelayedBug && location.is_some();
    match own_location(message).filter(|_| !is_elsewhere) {
        Some((location, message)) => located(kind, Some(location), normalise(message)),
        None => located(kind, location, normalise(message)),
    }
}

fn located(kind: CrashKind, location: Option<&str>, message: String) -> Signature {
    let parts = location.and_then(split_location);
    Signature {
        file: parts.map(|(path, ..)| compiler_path(path).to_owned()),
        position: parts.map(|(_, line, column)| (line, column)),
        ..Signature::of_kind(kind, message)
    }
}

/// Returns the path from `compiler/` or `library/` on; a dependency's from its own directory on.
pub(crate) fn compiler_path(path: &str) -> &str {
    for root in ["compiler/", "library/"] {
        let inner = path.rfind(&format!("/{root}")).map(|at| at + 1);
        if let Some(at) = inner.or(path.starts_with(root).then_some(0)) {
            return &path[at..];
        }
    }
    let registry = path
        .find("/registry/src/")
        .map(|at| &path[at + "/registry/src/".len()..]);
    registry
        .and_then(|rest| rest.split_once('/'))
        .map_or(path, |(_, inner)| inner)
}

fn llvm_error(remarks: &[Remark]) -> Option<Signature> {
    remarks.iter().find_map(|remark| match remark {
        Remark::Llvm(message) => Some(Signature::of_kind(CrashKind::LlvmError, normalise(message))),
        _ => None,
    })
}

/// Makes the signature of a crash that no known format describes: its message is where the signal came, as far as symbols
/// tell, else the last thing that was said.
fn unknown_crash(remarks: &[Remark], signal: Option<i32>) -> Signature {
    let frame = remarks.iter().find_map(|remark| match remark {
        Remark::Frame(symbol) => Some(format!("in {symbol}")),
        _ => None,
    });
    let last = remarks.iter().rev().find_map(|remark| match remark {
        Remark::Other(line) => Some(normalise(line)),
        _ => None,
    });
    let kind = signal.map_or(CrashKind::Panic, CrashKind::Signal);
    Signature::of_kind(kind, frame.or(last).unwrap_or_default())
}

#[cfg(test)]
mod tests;
