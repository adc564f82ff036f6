//! The failures that a run of a program or of one test showed. Pure functions of what a process left; nothing is started here.
//!
//! Programs print what they like, so what they print never makes a failure: the exit status, the
//! signal or the harness's own result does. Only then is the output searched for what was said.
//!
//! The last panic of the thread that failed counts, where there are several: earlier ones were caught. That thread is named like the
//! test, or `main` (as libtest did until 1.66 with one thread). If it says nothing but that another thread panicked, the other's
//! panic counts.
//!
//! A panic of a library's assertion may name no values, as it has printed them before: then the difference that was printed
//! is a part of the message (`printed`).
//!
//! Messages stay as they were said, but for what changes from run to run and for lines of the
//! program's own source. So a candidate that renames a type whose `{:?}` is part of the message
//! fails in another way. The expression of a plain `assert!(..)` is not part of the message, as it
//! is source: it gets smaller like the rest. An `assert!` with a message of its own cannot be told
//! from a `panic!`.

mod aborts;
mod comparison;
mod harness;
mod message;
mod panics;
mod printed;

pub use comparison::Comparison;
pub(crate) use harness::{ended_tests, failed_tests, passed_tests, tests_listed};
pub(crate) use message::normalise_output;
pub(crate) use printed::has_difference;

use crate::evidence::crash::compiler_path;
use crate::evidence::diagnostics::split_location;
use crate::signature::{CrashKind, Signature};
use crate::system::process::{Ending, Outcome};
use crate::text::escape::without_colours;
use panics::{Panic, Panics};
use printed::{difference, with_difference, without_difference};
use reduce_platform::processes::is_abort;
use serde::{Deserialize, Serialize};

/// The exit status of a `main` that returned `Err`.
const ERROR_STATUS: i32 = 1;
/// The exit status after a panic of the main thread, and of a harness whose test failed.
const PANIC_STATUS: i32 = 101;
/// The message of rustdoc about a doc test that should have panicked, and that of libtest about any test.
const NO_DOC_PANIC: &str = "succeeded, but it's marked `should_panic`";
const NO_PANIC: &str = "test did not panic as expected";
/// The beginning of libtest-mimic's message about a test that panicked.
const REPEATED_PANIC: &str = "test panicked: ";
/// The message of old versions of libtest for a test that returned `Err`: a panic of its own.
const OLD_ERROR: &str = "the test returned a termination value with a non-zero status code";

/// A run of a program that has ended.
pub(crate) struct Ran<'a> {
    /// The end of the process, and what it printed. For libtest with `--nocapture`, so that panics are in stderr.
    pub(crate) outcome: &'a Outcome,
    /// The directory in which the program ran; empty where it does not matter. Messages have `$DIR` instead.
    pub(crate) dir: &'a str,
    /// The function that tells whether a source path, as in the location of a panic, is of the program that is reduced.
    pub(crate) own: &'a dyn Fn(&str) -> bool,
}

/// The harness that prints the result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Harness {
    /// libtest, with `--exact TEST --test-threads=1 --nocapture`.
    Libtest {
        /// The path of the test.
        test: String,
    },
    /// No harness: a `main`, or a harness of the user's own.
    None,
}

impl Harness {
    /// Returns the name of the thread that runs what may fail.
    pub(crate) fn thread(&self) -> &str {
        match self {
            Self::Libtest { test } => test,
            Self::None => "main",
        }
    }
}

/// Whether a source path, as in the location of a panic, is none of the standard library's: crates
/// that are linked may become part of the program.
pub(crate) fn is_not_of_std(path: &str) -> bool {
    !path.starts_with("/rustc/") && !compiler_path(path).starts_with("library/")
}

/// Returns the failures of the run: at most one signature for now; none where it succeeded, or where the test is gone or ignored. A
/// test that calls `exit(0)` succeeds, as it does for cargo.
pub(crate) fn failures(ran: &Ran<'_>, harness: &Harness) -> Vec<Signature> {
    let stderr = without_colours(&ran.outcome.stderr);
    let stdout = without_colours(&ran.outcome.stdout);
    let said = Said {
        panics: Panics::in_text(&stderr, harness.thread()),
        stderr: &stderr,
        stdout: &stdout,
    };
    let failure = match ran.outcome.ending {
        Ending::Exited(0) | Ending::Cancelled | Ending::Decided | Ending::Exceeded => None,
        Ending::TimedOut => Some(Signature::of_kind(CrashKind::Hang, "")),
        Ending::Signalled(signal) => Some(signalled(ran, &said, signal)),
        Ending::Exited(status) => Some(exited(ran, &said, harness, status)),
    };
    let failure = failure.map(|failure| match failure.kind {
        CrashKind::ProgramPanic => with_values(failure, ran, &said),
        _ => failure,
    });
    failure.into_iter().collect()
}

/// Returns a panic with the values that were printed before it, where they show a difference.
fn with_values(failure: Signature, ran: &Ran<'_>, said: &Said<'_>) -> Signature {
    let start = said.panics.decisive().map(|panic| panic.start);
    let before = said.stderr.lines().take(start.unwrap_or(usize::MAX));
    let Some(difference) = difference(said.stdout.lines(), before) else {
        return failure;
    };
    let difference = message::normalise_values(&difference, ran.dir, ran.own);
    let message = with_difference(&failure.message, &difference);
    Signature {
        message: message::shortened(message),
        ..failure
    }
}

/// Returns the [`failures`] of a run in a tree of ours, whose own sources are all but those of the standard library.
pub(crate) fn failures_in(outcome: &Outcome, tree: &str, harness: &Harness) -> Vec<Signature> {
    let ran = Ran {
        outcome,
        dir: tree,
        own: &is_not_of_std,
    };
    failures(&ran, harness)
}

/// Returns the section of rustdoc's output about a doc test that failed.
pub(crate) fn doc_section(output: &str, test: &str) -> Option<String> {
    harness::captured(&without_colours(output), test)
}

/// Returns the failure of a doc test, from what rustdoc prints: a panic without its place, or a panic that did not come.
/// `None` where it shows neither.
pub(crate) fn doc_failure(output: &str, test: &str, tree: &str) -> Option<Signature> {
    let section = doc_section(output, test)?;
    // Doc tests that are compiled as one program are run by libtest.
    if section.contains(NO_DOC_PANIC) || section.contains(NO_PANIC) {
        return Some(Signature::of_kind(CrashKind::NoPanic, NO_PANIC));
    }
    let panics = Panics::in_text(&section, "main");
    let said = &panics.decisive()?.message;
    let message = message::normalise(said, tree, &is_not_of_std);
    Some(Signature::of_kind(panic_kind(said), message))
}

/// Returns the message of the last panic of which `message` is what is left in a signature, as it was printed.
pub(crate) fn raw_message(text: &str, message: &str) -> Option<String> {
    let plain = without_colours(text);
    let panics = Panics::in_text(&plain, "main");
    let message = without_difference(message);
    let is_meant =
        |panic: &&Panic<'_>| message::normalise(&panic.message, "", &is_not_of_std) == message;
    let found = panics.all().iter().rfind(is_meant)?;
    Some(found.message.clone())
}

/// Returns the text that a run has printed after the message of the panic by which it has failed, without colours; nothing where it
/// has not panicked.
pub(crate) fn text_after_panic(stderr: &str, harness: &Harness) -> String {
    let plain = without_colours(stderr);
    let panics = Panics::in_text(&plain, harness.thread());
    let end = panics.decisive().map_or(usize::MAX, |panic| panic.end);
    plain.lines().skip(end).collect::<Vec<_>>().join("\n")
}

/// The text that a run has printed, without colours.
struct Said<'a> {
    panics: Panics<'a>,
    stderr: &'a str,
    stdout: &'a str,
}

fn signalled(ran: &Ran<'_>, said: &Said<'_>, signal: i32) -> Signature {
    if aborts::is_stack_overflow(said.stderr) {
        return Signature::of_kind(CrashKind::StackOverflow, "");
    }
    if !is_abort(signal) {
        return Signature::of_kind(CrashKind::Signal(signal), "");
    }
    let abort = aborts::abort(said.stderr, &said.panics);
    let message = message::normalise(&abort.message, ran.dir, ran.own);
    Signature {
        message,
        ..located(ran, CrashKind::Abort, abort.location)
    }
}

fn exited(ran: &Ran<'_>, said: &Said<'_>, harness: &Harness, status: i32) -> Signature {
    let failure = match harness {
        Harness::Libtest { test } if status == PANIC_STATUS => {
            harness::has_failed(said.stdout).then(|| test_failed(ran, said, test))
        }
        Harness::Libtest { .. } => None,
        Harness::None => repeated(ran, said).or_else(|| match status {
            PANIC_STATUS => panicked(ran, said.panics.decisive()),
            ERROR_STATUS => {
                error_returned(ran, said.stderr, 0).or_else(|| caught(ran, said, status))
            }
            _ => caught(ran, said, status),
        }),
    };
    failure.unwrap_or_else(|| Signature::of_kind(CrashKind::ExitStatus(status), ""))
}

/// Returns the failure of the one test of which a user's own harness says that it failed, if that is not a panic which was
/// printed when it happened. Of several, the first by name counts where none panicked.
fn repeated(ran: &Ran<'_>, said: &Said<'_>) -> Option<Signature> {
    let told = harness::told(said.stdout);
    let is_clear = told.len() == 1 || said.panics.all().is_empty();
    let (name, text) = told.into_iter().next().filter(|_| is_clear)?;
    let text = text.trim();
    if let Some(panic) = text.strip_prefix(REPEATED_PANIC) {
        let is_printed = !said.panics.all().is_empty();
        let message = message::normalise(panic, ran.dir, ran.own);
        return (!is_printed).then(|| Signature::of_kind(panic_kind(panic), message));
    }
    let panics = Panics::in_text(text, name);
    let message = message::normalise(text, ran.dir, ran.own);
    panicked(ran, panics.decisive()).or_else(|| {
        let is_said = !message.is_empty();
        is_said.then(|| Signature::of_kind(CrashKind::ErrorReturned, message))
    })
}

/// Returns the failure of a program that ends with a status after a panic: a harness of the user's own has caught it.
fn caught(ran: &Ran<'_>, said: &Said<'_>, status: i32) -> Option<Signature> {
    Some(Signature {
        kind: CrashKind::ExitStatus(status),
        ..panicked(ran, said.panics.only())?
    })
}

/// Returns the failure of a test of which the harness says that it failed.
fn test_failed(ran: &Ran<'_>, said: &Said<'_>, test: &str) -> Signature {
    if let Some(note) = harness::no_panic_note(said.stdout, test) {
        let message = message::normalise(&note, ran.dir, ran.own);
        return Signature::of_kind(CrashKind::NoPanic, message);
    }
    let silent = || Signature::of_kind(CrashKind::ProgramPanic, "");
    let failure = error_or_panic(ran, said.stderr, &said.panics);
    failure
        .or_else(|| {
            let captured = harness::captured(said.stdout, test)?;
            error_or_panic(ran, &captured, &Panics::in_text(&captured, test))
        })
        .unwrap_or_else(silent)
}

/// Returns the later one of the last panic and a returned error: a test that returns `Err` prints the error after all
/// panics that it caught.
fn error_or_panic(ran: &Ran<'_>, text: &str, panics: &Panics<'_>) -> Option<Signature> {
    let panic = panics.decisive();
    if panic.is_some_and(|panic| panic.message.contains(OLD_ERROR)) {
        let returned = error_returned(ran, text, 0);
        return returned.or_else(|| Some(Signature::of_kind(CrashKind::ErrorReturned, "")));
    }
    let end = panic.map_or(0, |panic| panic.end);
    error_returned(ran, text, end).or_else(|| panicked(ran, panic))
}

/// Returns the failure in `Error: ..`, as std prints what a `main` or a test returns, in the lines from `from` on.
fn error_returned(ran: &Ran<'_>, text: &str, from: usize) -> Option<Signature> {
    let error = panics::error_text(text, from)?;
    let message = message::normalise(&error, ran.dir, ran.own);
    Some(Signature::of_kind(CrashKind::ErrorReturned, message))
}

fn panicked(ran: &Ran<'_>, panic: Option<&Panic<'_>>) -> Option<Signature> {
    let panic = panic?;
    Some(Signature {
        message: message::normalise(&panic.message, ran.dir, ran.own),
        ..located(ran, panic_kind(&panic.message), Some(panic.location))
    })
}

fn panic_kind(message: &str) -> CrashKind {
    match message::is_assertion(message) {
        true => CrashKind::Assertion,
        false => CrashKind::ProgramPanic,
    }
}

/// Makes the signature of a failure with the place at which it happened. A failure in the program's own source has no
/// place, since code moves; the lines of all other sources stay as they are.
fn located(ran: &Ran<'_>, kind: CrashKind, location: Option<&str>) -> Signature {
    let parts = location.and_then(split_location);
    let parts = parts.filter(|(path, ..)| !message::is_own(path, ran.dir, ran.own));
    Signature {
        file: parts.map(|(path, ..)| compiler_path(path).to_owned()),
        position: parts.map(|(_, line, column)| (line, column)),
        ..Signature::of_kind(kind, "")
    }
}

#[cfg(test)]
mod tests;
