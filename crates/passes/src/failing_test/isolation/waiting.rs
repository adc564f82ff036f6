//! Finds calls that let time pass. Mutants of the code under test show nothing of them: what is stale, expired or late only after
//! a while has the same outcome without the wait under each mutant that does not look at the time.

use reduce_syntax::{SourceTree, TokenCursor};

/// The functions and methods of the standard library and of async runtimes that wait.
const WAITING: [&str; 5] = [
    "park_timeout",
    "sleep",
    "sleep_ms",
    "sleep_until",
    "wait_timeout",
];

/// Returns the bytes of a text at which functions that wait are called.
pub(super) fn waits(text: &str) -> Vec<usize> {
    let cursor = TokenCursor::new(text);
    let is_call = |idx: &usize| {
        let before = idx.checked_sub(1);
        let is_defined = before.is_some_and(|before| cursor.is(before, "fn"));
        WAITING.contains(&cursor.word(*idx)) && cursor.is(idx + 1, "(") && !is_defined
    };
    let calls = cursor.indices().filter(is_call);
    calls.map(|idx| cursor.range(idx).start).collect()
}

/// Counts the calls in a program that let time pass.
pub(super) fn count_waits(sources: &SourceTree) -> usize {
    sources.files().map(|(_, _, text)| waits(text).len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_wait_are_found() {
        let text = "fn sleep() {} f(sleep); thread::sleep(d); sleep_ms(1); /* sleep(1) */";
        let found = waits(text).into_iter();
        let found: Vec<&str> = found.map(|at| &text[at..at + 8]).collect();
        assert_eq!(found, ["sleep(d)", "sleep_ms"]);
    }
}
