//! The messages of std, libc or the C++ runtime before a process was aborted.

use super::panics::{Panic, Panics};

/// The messages of panics that only say that another one could not go on.
const NO_UNWIND: [&str; 2] = [
    "panic in a function that cannot unwind",
    "panic in a destructor during cleanup",
];
/// The messages of libc and the C++ runtime, at the start of a line.
const FOREIGN: [&str; 9] = [
    "double free or corruption",
    "free(): ",
    "malloc(): ",
    "malloc_consolidate(): ",
    "munmap_chunk(): ",
    "realloc(): ",
    "corrupted ",
    "*** ",
    "terminate called ",
];

/// The reason why a process was aborted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Abort<'a> {
    pub(super) message: String,
    pub(super) location: Option<&'a str>,
}

/// Whether std has printed that a stack overflowed.
pub(super) fn is_stack_overflow(stderr: &str) -> bool {
    let follows = stderr.lines().skip(1);
    let mut pairs = stderr.lines().zip(follows);
    pairs.any(|(line, next)| {
        line.starts_with("thread '")
            && line.ends_with("has overflowed its stack")
            && next.starts_with("fatal runtime error: stack overflow")
    })
}

/// Returns the last message that explains why a process was aborted. A panic alone does where panics abort; one that
/// was caught before a call of `abort` looks the same.
pub(super) fn abort<'a>(stderr: &str, panics: &Panics<'a>) -> Abort<'a> {
    let (last, earlier) = panics.last_two();
    let lines: Vec<&str> = stderr.lines().collect();
    let remark = lines.iter().rposition(|line| Remark::of(line).is_some());
    let after_panic = remark.filter(|at| last.is_none_or(|panic| *at >= panic.end));
    let remark = after_panic.and_then(|at| lines.get(at).and_then(|line| Remark::of(line)));
    match (remark, last) {
        (Some(Remark::NonUnwinding) | None, Some(last)) => of_panic(last, earlier),
        (Some(Remark::WhilePanicking(text)), Some(last)) => Abort {
            message: format!("{}\n{text}", last.message),
            location: Some(last.location),
        },
        (Some(Remark::Said(text) | Remark::WhilePanicking(text)), _) => without_place(text),
        (Some(Remark::NonUnwinding) | None, None) => without_place(""),
    }
}

fn without_place<'a>(message: &str) -> Abort<'a> {
    Abort {
        message: message.to_owned(),
        location: None,
    }
}

/// Returns the abort after a panic. A panic that could not unwind comes after the one that matters.
fn of_panic<'a>(last: &Panic<'a>, earlier: Option<&Panic<'a>>) -> Abort<'a> {
    let is_second = NO_UNWIND.contains(&last.message.as_str());
    match earlier.filter(|_| is_second) {
        Some(first) => Abort {
            message: format!("{}\n{}", first.message, last.message),
            location: Some(first.location),
        },
        None => Abort {
            message: last.message.clone(),
            location: Some(last.location),
        },
    }
}

/// A line that explains an abort.
enum Remark<'a> {
    /// The message of a panic that cannot unwind: the panic before it is the reason for the abort.
    NonUnwinding,
    /// The message of a panic that came while another one was dealt with.
    WhilePanicking(&'a str),
    /// Any other message.
    Said(&'a str),
}

impl<'a> Remark<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let line = line.trim_end();
        if line.starts_with("thread caused non-unwinding panic") {
            return Some(Self::NonUnwinding);
        }
        if line.starts_with("thread panicked while ") {
            return Some(Self::WhilePanicking(line.trim_end_matches(". aborting.")));
        }
        if let Some(error) = line.strip_prefix("fatal runtime error: ") {
            let error = error.strip_suffix(", aborting").unwrap_or(error);
            return Some(Self::Said(error));
        }
        let is_foreign = FOREIGN.iter().any(|start| line.starts_with(start))
            || (line.contains(": Assertion `") && line.ends_with("' failed."));
        let is_memory = line.starts_with("memory allocation of ") && line.ends_with(" failed");
        (is_foreign || is_memory).then_some(Self::Said(line))
    }
}
