//! Finds the test function in a given line of a file, for a person who knows only where a test failed. Read by tokens, so that
//! functions in calls of macros are found too.

use reduce_syntax::TokenCursor;
use std::ops::Range;

/// The words that may stand between a function's visibility and `fn`.
const BEFORE_FN: [&str; 5] = ["async", "const", "default", "unsafe", "extern"];

/// Returns the path, within its file, of the function in this line, counted from 1: the modules of the file around it, and its
/// name. Its attributes and comments belong to it. Of functions in each other it is the outermost.
///
/// Returns `None` where no function stands in the line.
#[must_use]
pub fn function_in_line(text: &str, line: usize) -> Option<String> {
    let line = bytes_of_line(text, line)?;
    let cursor = TokenCursor::new(text);
    let mut functions = cursor
        .indices()
        .filter(|&at| cursor.is(at, "fn") && cursor.is_name(at + 1));
    let function = functions.find(|&at| {
        bytes_of_function(&cursor, at)
            .is_some_and(|bytes| bytes.start < line.end && line.start < bytes.end)
    })?;
    let mut path: Vec<&str> = cursor
        .groups_around(function)
        .filter_map(|opening| opening.checked_sub(2))
        .filter(|&before| cursor.is(before, "mod"))
        .map(|before| cursor.word(before + 1))
        .collect();
    path.reverse();
    path.push(cursor.word(function + 1));
    Some(path.join("::"))
}

/// Returns the bytes of a line, with its line break.
fn bytes_of_line(text: &str, line: usize) -> Option<Range<usize>> {
    let before = line.checked_sub(1)?;
    let mut lines = text.split_inclusive('\n');
    let start = lines.by_ref().take(before).map(str::len).sum();
    let length = lines.next()?.len();
    Some(start..start + length)
}

/// Returns the bytes of the function whose `fn` is the token `at`, with its attributes; `None` if it has no body.
fn bytes_of_function(cursor: &TokenCursor<'_>, at: usize) -> Option<Range<usize>> {
    let opening = cursor.find(at..cursor.len(), "{")?;
    let closing = cursor.closing(opening)?;
    let has_body = cursor.find(at..opening, ";").is_none();
    let is_before = |idx: usize| BEFORE_FN.contains(&cursor.word(idx)) || cursor.is_string(idx);
    let mut first = at;
    while first > 0 && is_before(first - 1) {
        first -= 1;
    }
    let start = cursor.item_start(first);
    has_body.then(|| cursor.bytes(start, closing))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
//! Text.
use a::b;

/// Tests something.
#[test]
fn first() {
    fn inner() {}
    assert!(b());
}

mod m {
    mod n {
        #[tokio::test]
        pub async fn second() { b() }
        trait T { fn declared(&self); }
    }

    proptest! {
        #[test]
        fn third(x in 0..3) {
            b(x);
        }
    }
}
";

    #[test]
    fn a_function_is_found_in_each_of_its_lines() {
        let in_lines: Vec<_> = (1..=24)
            .filter_map(|line| Some((line, function_in_line(FILE, line)?)))
            .collect();
        let mut expected: Vec<_> = (4..=9).map(|line| (line, "first".to_owned())).collect();
        expected.extend([13, 14].map(|line| (line, "m::n::second".to_owned())));
        expected.extend((19..=22).map(|line| (line, "m::third".to_owned())));
        assert_eq!(in_lines, expected);
    }

    #[test]
    fn no_function_stands_in_a_line_that_is_not_there() {
        assert_eq!(function_in_line(FILE, 0), None);
        assert_eq!(function_in_line(FILE, 99), None);
        assert_eq!(function_in_line("", 1), None);
        assert_eq!(function_in_line("fn unfinished() {\n", 1), None);
    }
}
