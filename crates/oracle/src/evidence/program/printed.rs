//! Values that an assertion has printed before it panicked, as libraries for snapshots do: the panic itself names no values.
//!
//! Only a difference counts: lines of what was expected, and lines of what was found, as in `-1.25` and `+1.05`, or `expected: 1` and `actual: 2`. Whatever
//! else is printed may go from a test.

/// The text in a signature's message before the values that an assertion has printed.
const PRINTED: &str = "\nprinted: ";
/// The labels of lines that have the expected value, and those of lines that have the value that was found.
const EXPECTED: [&str; 6] = ["expect", "expected", "left", "old", "want", "wanted"];
const FOUND: [&str; 5] = ["actual", "found", "got", "new", "right"];
/// The length of the longest label with the spaces after it, in bytes.
const LONGEST_LABEL: usize = 16;
/// The word that libtest prints before the first output of a test.
const TEST: &str = "test ";
const OF_TEST: &str = " ... ";
/// The word that libtest prints after a test that failed.
const FAILED: &str = "FAILED";

/// The value to which a printed line belongs: the expected one, or the one that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Expected,
    Found,
}

/// Appends to a panic's message the values that were printed before the panic.
pub(super) fn with_difference(message: &str, difference: &str) -> String {
    format!("{message}{PRINTED}{difference}")
}

/// Returns a panic's message without the values that [`with_difference`] has appended.
pub(super) fn without_difference(message: &str) -> &str {
    let parts = message.split_once(PRINTED);
    parts.map_or(message, |(message, _)| message)
}

/// Returns whether a message has the values that were printed before the panic.
pub(crate) fn has_difference(message: &str) -> bool {
    message.contains(PRINTED)
}

/// Returns the lines that show an expected value and the one that was found, if both are there.
pub(super) fn difference<'t>(
    first: impl Iterator<Item = &'t str>,
    second: impl Iterator<Item = &'t str>,
) -> Option<String> {
    let mut sides = Vec::new();
    let mut lines = Vec::new();
    // A value goes on below its label.
    let mut is_open = false;
    let end_of_first = std::iter::once("");
    for line in first.chain(end_of_first).chain(second).map(own_part) {
        let side = side(line);
        is_open = match side {
            Some(_) => labelled(without_gutter(line)).is_some(),
            None => is_open && !line.trim().is_empty(),
        };
        if side.is_some() || is_open {
            lines.push(without_gutter(line));
        }
        sides.extend(side);
    }
    let has_both = sides.contains(&Side::Expected) && sides.contains(&Side::Found);
    has_both.then(|| lines.join("\n"))
}

/// Returns the part of a printed line that is the test's own, without words of the harness such as `test NAME ... `.
fn own_part(line: &str) -> &str {
    if line == FAILED {
        return "";
    }
    let of_test = line.strip_prefix(TEST);
    let parts = of_test.and_then(|rest| rest.split_once(OF_TEST));
    parts.map_or(line, |(_, own)| own)
}

/// Returns a line of a printed difference without the line numbers and the `│` at its beginning.
fn without_gutter(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
    let ruled = rest.strip_prefix(['│', '|']);
    ruled.unwrap_or_else(|| line.trim_start())
}

fn side(line: &str) -> Option<Side> {
    let line = without_gutter(line);
    let mut chars = line.chars();
    let (first, second) = (chars.next()?, chars.next());
    let side = match first {
        '-' | '<' => Some(Side::Expected),
        '+' | '>' => Some(Side::Found),
        _ => None,
    };
    // Rules, headings and arrows are none.
    let is_plain = !matches!(second, Some('-' | '+' | '<' | '>' | '='));
    side.filter(|_| is_plain).or_else(|| labelled(line))
}

fn labelled(line: &str) -> Option<Side> {
    let end = line.find([':', '=']).filter(|end| *end <= LONGEST_LABEL)?;
    let label = line[..end].trim_end().to_lowercase();
    let is_one_of = |labels: &[&str]| labels.contains(&label.as_str());
    match (is_one_of(&EXPECTED), is_one_of(&FOUND)) {
        (true, _) => Some(Side::Expected),
        (_, true) => Some(Side::Found),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let found = difference(text.lines(), "".lines());
        assert_eq!(found.as_deref(), expected, "{text}");
        let second = difference("".lines(), text.lines());
        assert_eq!(second, found);
    }

    #[test]
    fn lines_of_both_sides_are_a_difference() {
        check("read 3 lines\n-1.25\n+1.05\ndone", Some("-1.25\n+1.05"));
        check(
            "test a::b ... -1.25\n 1.30\n+1.05\nFAILED",
            Some("-1.25\n+1.05"),
        );
        let ruled = "Source: a.rs:10\n────\n  1       │-1.25\n        1 │+1.05\n────";
        check(ruled, Some("-1.25\n+1.05"));
        check("< 1\n---\n> 2", Some("< 1\n> 2"));
        check("Expected: 1\n  actual = 2", Some("Expected: 1\nactual = 2"));
    }

    #[test]
    fn values_go_on_below_their_labels() {
        let text = "wanted: ink 1\npen 2\n\nfound: ink 3\n4\nFAILED\n5";
        check(text, Some("wanted: ink 1\npen 2\nfound: ink 3\n4"));
        let text = "error\n --> a.rs:1\n\nExpect:\n----\n1.25\n----\n\nActual:\n----\n1.05\n----\n\nDiff: none";
        check(
            text,
            Some("Expect:\n----\n1.25\n----\nActual:\n----\n1.05\n----"),
        );
    }

    #[test]
    fn what_has_one_side_or_none_is_no_difference() {
        check("- ink\n- pen", None);
        check("--> a.rs:1\n+++ b\n--- a\n<= 1 >= 2", None);
        check(
            "running 1 test\ntest a ... FAILED\n\nleft the shop: 1\nright away",
            None,
        );
        check("", None);
    }

    #[test]
    fn a_message_tells_what_was_printed_before_it() {
        let message = with_difference("differs", "+2\n-1");
        assert_eq!(message, "differs\nprinted: +2\n-1");
        assert!(has_difference(&message));
        assert_eq!(without_difference(&message), "differs");
        assert!(!has_difference("differs"));
    }

    #[test]
    fn the_sides_may_be_in_two_texts() {
        let found = difference("wanted: 1".lines(), "2\nfound: 3".lines());
        assert_eq!(found.as_deref(), Some("wanted: 1\nfound: 3"));
    }
}
