//! Replaces in the messages of a program what changes from run to run, such as addresses and temporary paths. Everything
//! else stays: the values of a failed assertion are what the failure is.
//!
//! - the directory of the run becomes `$DIR`, a name below `/tmp` or `$TMPDIR` becomes `..`;
//! - addresses become `0x..`: in messages and output all hexadecimal numbers above 32 bits; in the
//!   values of assertions only what looks like a pointer, as values must stay;
//! - in messages, durations with a fraction become `$TIME`, numbers of threads `..`, lines of
//!   the program's own source `$SOURCE`, and the number of a line at their end, as in `failed in line 7`, `..`;
//! - numbers that known test harnesses measure or draw anew are masked (`measured`).

mod measured;

use crate::signature::LEFT;
use crate::text::escape::without_colours;
use measured::without_measured;

/// The length to which messages are cut, in characters: the beginning and the end stay.
const MAX_CHARS: usize = 16_000;
/// The beginnings of paths in directories for temporary files, whose names differ in each run.
const TEMPORARY: [&str; 4] = ["/tmp/", "/var/tmp/", "/dev/shm/", "$TMPDIR/"];
/// The number of hexadecimal digits above which a number is an address.
const MOST_DIGITS: usize = 8;
/// The first two digits of pointers of processes on Linux, on x86-64 and on ARM.
const POINTERS: [&str; 8] = ["55", "56", "7c", "7d", "7e", "7f", "aa", "ff"];
/// The number of hexadecimal digits of a pointer.
const POINTER_DIGITS: usize = 12;

/// The part of a failure's words that a text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Message,
    Values,
    Output,
}

/// Returns an output as it is compared, or searched by a user's pattern: without colours, addresses, the directory of the run, the numbers of
/// threads that panicked, and what harnesses measure.
pub(crate) fn normalise_output(text: &str, dir: &str) -> String {
    let plain = without_colours(text);
    without_measured(&replaced(&plain, dir, &|_| false, Part::Output))
}

/// Returns a message as it is part of a signature.
pub(super) fn normalise(message: &str, dir: &str, own: &dyn Fn(&str) -> bool) -> String {
    let message = without_expression(message);
    let at = message.find(LEFT).filter(|_| is_assertion(message));
    let (text, values) = message.split_at(at.unwrap_or(message.len()));
    let text = replaced(&without_measured(text), dir, own, Part::Message);
    let values = replaced(values, dir, own, Part::Values);
    shortened(text + &values)
}

/// Returns printed values as they are part of a signature, without what changes from run to run.
pub(super) fn normalise_values(text: &str, dir: &str, own: &dyn Fn(&str) -> bool) -> String {
    replaced(text, dir, own, Part::Values)
}

/// Whether a message is one of the standard library's assertions.
pub(super) fn is_assertion(message: &str) -> bool {
    let comparison = message.strip_prefix("assertion `left ");
    message.starts_with("assertion failed")
        || comparison.is_some_and(|rest| rest.contains("right` failed"))
}

/// Whether a path, which may begin with the directory of the run, is one of the program's.
pub(super) fn is_own(path: &str, dir: &str, own: &dyn Fn(&str) -> bool) -> bool {
    let relative = path.strip_prefix(dir).filter(|_| !dir.is_empty());
    let relative = relative.or_else(|| path.strip_prefix("$DIR"));
    let relative = relative.and_then(|path| path.strip_prefix('/'));
    own(path) || relative.is_some_and(own)
}

/// Removes source from a message: the expression of `assert!` and the pattern of `assert_matches!` are made smaller. A message that begins with a
/// backtick is that of `assert_eq!` before 1.73.
fn without_expression(message: &str) -> &str {
    const PLAIN: &str = "assertion failed";
    if message.starts_with("assertion `left matches right` failed") {
        return message
            .rsplit_once("\n right: ")
            .map_or(message, |(rest, _)| rest);
    }
    match message.strip_prefix("assertion failed: ") {
        Some(expression) if !expression.starts_with('`') => PLAIN,
        _ => message,
    }
}

/// Returns the first and the last characters of a message that is too long.
pub(super) fn shortened(message: String) -> String {
    let n_chars = message.chars().count();
    if n_chars <= MAX_CHARS {
        return message;
    }
    let half = MAX_CHARS / 2;
    let head: String = message.chars().take(half).collect();
    let tail: String = message.chars().skip(n_chars - half).collect();
    format!("{head}\n[..]\n{tail}")
}

/// Returns the text with all words replaced that change from run to run.
fn replaced(text: &str, dir: &str, own: &dyn Fn(&str) -> bool, part: Part) -> String {
    let text = without_dir(text, dir.trim_end_matches('/'));
    let mut result = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let other = rest.find(is_word).unwrap_or(rest.len());
        let (between, from_word) = rest.split_at(other);
        result.push_str(between);
        let end = from_word.find(|c| !is_word(c)).unwrap_or(from_word.len());
        let (word, after) = from_word.split_at(end);
        let (word, taken) = replaced_word(word, after, own, part);
        result.push_str(&word);
        rest = &after[taken..];
    }
    match part {
        Part::Values => result,
        Part::Message | Part::Output => without_thread_ids(&result),
    }
}

/// Returns a text with `$DIR` for a directory, but not for one whose name only begins like it.
fn without_dir(text: &str, dir: &str) -> String {
    let mut parts = text.split(dir);
    let Some(first) = parts.next().filter(|_| !dir.is_empty()) else {
        return text.to_owned();
    };
    let mut result = first.to_owned();
    for part in parts {
        let goes_on = part.starts_with(|c: char| is_word(c) && c != '/');
        result.push_str(if goes_on { dir } else { "$DIR" });
        result.push_str(part);
    }
    result
}

/// Returns the text that stands for a word, and the number of bytes after it that are part of it.
fn replaced_word(
    word: &str,
    after: &str,
    own: &dyn Fn(&str) -> bool,
    part: Part,
) -> (String, usize) {
    let is_message = part == Part::Message;
    if let Some(length) = line_length(word, after).filter(|_| is_message && is_own(word, "", own)) {
        return ("$SOURCE".to_owned(), length);
    }
    if let Some(length) = last_line_length(word, after).filter(|_| is_message) {
        return (format!("{word} .."), length);
    }
    if let Some(length) = number_length(word, after).filter(|_| is_message) {
        return (format!("{word}(..)"), length);
    }
    let name = word.trim_end_matches(['.', '-']);
    let dots = &word[name.len()..];
    if is_address(name, part) {
        return (format!("0x..{dots}"), 0);
    }
    if is_message && is_duration(name) {
        return (format!("$TIME{dots}"), 0);
    }
    (temporary(word).unwrap_or_else(|| word.to_owned()), 0)
}

/// Whether a character may be part of a path, number or name.
fn is_word(char: char) -> bool {
    char.is_alphanumeric() || "_./-@+~$".contains(char)
}

/// Returns the length of `:LINE:COLUMN` or `:LINE` after the path of a source.
fn line_length(word: &str, after: &str) -> Option<usize> {
    let rest = after.strip_prefix(':').filter(|_| word.ends_with(".rs"))?;
    let line = n_digits(rest);
    let column = rest[line..].strip_prefix(':').map_or(0, n_digits);
    let length = 1 + line + if column > 0 { 1 + column } else { 0 };
    (line > 0).then_some(length)
}

/// Returns the length of ` NUMBER` after `line`, where the line of text ends with it: snapshot libraries name the line of the assertion so. Where
/// a column or a message follows, it is a place in what was read.
fn last_line_length(word: &str, after: &str) -> Option<usize> {
    let rest = after.strip_prefix(' ').filter(|_| word == "line")?;
    let digits = n_digits(rest);
    let is_last = rest[digits..].is_empty() || rest[digits..].starts_with('\n');
    (digits > 0 && is_last).then_some(1 + digits)
}

/// Returns the length of `(NUMBER)` after `ThreadId`.
fn number_length(word: &str, after: &str) -> Option<usize> {
    let rest = after.strip_prefix('(').filter(|_| word == "ThreadId")?;
    let digits = n_digits(rest);
    rest[digits..].starts_with(')').then_some(digits + 2)
}

fn n_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn is_address(word: &str, part: Part) -> bool {
    let digits = word.strip_prefix("0x").unwrap_or_default();
    let is_pointer =
        || digits.len() == POINTER_DIGITS && POINTERS.iter().any(|start| digits.starts_with(start));
    digits.len() > MOST_DIGITS
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && (part != Part::Values || is_pointer())
}

/// Whether a text is a number with a fraction and a unit of time, as `Duration` is printed.
fn is_duration(word: &str) -> bool {
    let number = ["ns", "µs", "us", "ms", "s"]
        .iter()
        .find_map(|unit| word.strip_suffix(unit));
    let is_number = |text: &str| !text.is_empty() && n_digits(text) == text.len();
    let parts = number.and_then(|number| number.split_once('.'));
    parts.is_some_and(|(whole, fraction)| is_number(whole) && is_number(fraction))
}

/// Returns a path in a directory for temporary files, without the name that it has in this run.
fn temporary(word: &str) -> Option<String> {
    let root = TEMPORARY.iter().find(|root| word.starts_with(**root))?;
    let inner = &word[root.len()..];
    let rest = inner.find('/').map_or("", |at| &inner[at..]);
    (!inner.is_empty()).then(|| format!("{root}..{rest}"))
}

/// Removes the numbers that panics give with the names of threads.
fn without_thread_ids(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let cut = line.strip_prefix("thread '").and_then(|_| {
            let (name, rest) = line.split_once("' (")?;
            let rest = rest[n_digits(rest)..].strip_prefix(") ")?;
            let is_panic =
                rest.starts_with("panicked at ") || rest.starts_with("has overflowed its stack");
            is_panic.then(|| format!("{name}' {rest}"))
        });
        cut.unwrap_or_else(|| line.to_owned())
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHARS, normalise, normalise_output};

    const DIR: &str = "/scratch/w-1";

    fn normalised(message: &str) -> String {
        normalise(message, DIR, &|path| path.starts_with("src/"))
    }

    #[test]
    fn messages_lose_what_changes_from_run_to_run() {
        let table = [
            ("got 3 of 0x1f", "got 3 of 0x1f"),
            ("at 0x7f12a3b4c5d6.", "at 0x..."),
            ("(0x55aa11bb22cc)", "(0x..)"),
            ("0xnothexatall 0x", "0xnothexatall 0x"),
            ("took 1.25ms, not 0.5s.", "took $TIME, not $TIME."),
            ("took 12.5µs", "took $TIME"),
            ("waits 100ms, v1.2s.3, 1.s", "waits 100ms, v1.2s.3, 1.s"),
            (
                "ThreadId(12) ThreadId(x) ThreadId",
                "ThreadId(..) ThreadId(x) ThreadId",
            ),
            ("cannot open /scratch/w-1/a b", "cannot open $DIR/a b"),
            ("/scratch/w-1, /scratch/w-10/a", "$DIR, /scratch/w-10/a"),
            (
                "\"/tmp/.tmpA1b2/x.txt\", /tmp/y",
                "\"/tmp/../x.txt\", /tmp/..",
            ),
            ("in /tmp/ and /tmpfs/x", "in /tmp/ and /tmpfs/x"),
            ("[src/a.rs:10:5] x = 3", "[$SOURCE] x = 3"),
            ("'a' failed in line 10", "'a' failed in line .."),
            ("at line 3 column 5", "at line 3 column 5"),
            ("line 3: no value; outline 4", "line 3: no value; outline 4"),
            ("src/a.rs:10: x, src/a.rs", "$SOURCE: x, src/a.rs"),
            ("/scratch/w-1/src/a.rs:10", "$SOURCE"),
            ("other/a.rs:10:5", "other/a.rs:10:5"),
            (
                "child:\nthread 'a' (12) panicked at other/a.rs:1:2:\nm",
                "child:\nthread 'a' panicked at other/a.rs:1:2:\nm",
            ),
            ("", ""),
        ];
        for (message, expected) in table {
            assert_eq!(normalised(message), expected, "{message}");
        }
    }

    #[test]
    fn values_of_assertions_stay_but_for_pointers_and_directories() {
        let table = [
            "1.25ms",
            "0x1234567890",
            "src/a.rs:10:5",
            "ThreadId(3)",
            "\"a\\nb\"",
        ];
        let around = |text: &str, value: &str| {
            format!("assertion `left == right` failed: {text}\n  left: {value}\n right: {value}")
        };
        for value in table {
            let expected = around("$TIME", value);
            assert_eq!(normalised(&around("1.5s", value)), expected);
        }
        let table = [
            ("0x7ffe3c2a1b40", "0x.."),
            ("\"/scratch/w-1/x\"", "\"$DIR/x\""),
            ("/tmp/x1", "/tmp/.."),
        ];
        for (value, expected) in table {
            assert_eq!(normalised(&around("m", value)), around("m", expected));
        }
    }

    #[test]
    fn a_message_that_is_too_long_keeps_both_ends() {
        let long = format!("a{}é", "x".repeat(2 * MAX_CHARS));
        let short = normalised(&long);
        assert!(short.starts_with("ax") && short.ends_with("xé"));
        assert!(short.chars().count() < MAX_CHARS + 10);
    }

    #[test]
    fn output_that_is_compared_keeps_all_but_what_no_two_runs_share() {
        let table = [
            ("\x1b[1mx\x1b[0m 0x7f12a3b4c5d6 0x1f\r\n", "x 0x.. 0x1f\n"),
            ("1.25ms src/a.rs:1:2", "1.25ms src/a.rs:1:2"),
            ("/scratch/w-1/a\n\n", "$DIR/a\n\n"),
            (
                "thread 'a b' (12) panicked at src/a.rs:1:2:\nthread 'x' (3) said",
                "thread 'a b' panicked at src/a.rs:1:2:\nthread 'x' (3) said",
            ),
            (
                "test result: ok. 1 passed; 0 failed; 0 ignored; finished in 0.12s\n",
                "test result: ok. 1 passed; 0 failed; 0 ignored; finished in $TIME\n",
            ),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(normalise_output(text, DIR), expected);
        }
        assert_eq!(normalise_output("/a $", ""), "/a $");
    }
}
