//! Removes from the messages of a failed program the values that it found.

/// The text at which an assertion of the standard library ends, and values and the user's own words begin.
const FAILED: &str = "` failed";
/// The beginning of an `assert_eq!`'s message, with or without words of the user's.
const UNEQUAL: &str = "assertion `left == right` failed";
/// The text before the first value in the message of an `assert_eq!`.
pub(crate) const LEFT: &str = "\n  left: ";
/// The text before the second value in the message of an `assert_eq!`.
const RIGHT: &str = "\n right: ";

/// Returns the two values that an `assert_eq!` has compared, as its message has them.
pub(crate) fn compared(message: &str) -> Option<[&str; 2]> {
    let values = message.strip_prefix(UNEQUAL)?;
    // The text of a value may have line breaks, and look like another value.
    let (_, values) = values.split_once(LEFT)?;
    let (left, right) = values.split_once(RIGHT)?;
    let is_clear = !right.contains(RIGHT);
    is_clear.then_some([left, right])
}

/// Returns the message of an `assert_eq!` without the user's words; `None` where it has none, and of other
/// messages.
pub(super) fn without_words(message: &str) -> Option<String> {
    let [left, right] = compared(message)?;
    let plain = format!("{UNEQUAL}{LEFT}{left}{RIGHT}{right}");
    (plain != message).then_some(plain)
}

/// Returns the message of an `assert_eq!` with other values.
pub(super) fn comparing(message: &str, [left, right]: [&str; 2]) -> Option<String> {
    compared(message)?;
    let (words, _) = message.split_once(LEFT)?;
    Some(format!("{words}{LEFT}{left}{RIGHT}{right}"))
}

/// Returns the first line of a message, without numbers and quoted texts; of an assertion only what it
/// compares how.
pub(super) fn without_values(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    if let Some(at) = line.find(FAILED).filter(|_| line.starts_with("assertion")) {
        return line[..at + FAILED.len()].to_owned();
    }
    without_numbers(&without_quoted(line))
}

/// Returns a text with nothing between quotation marks.
fn without_quoted(text: &str) -> String {
    let parts: Vec<&str> = text.split('"').collect();
    let last = parts.len() - 1;
    // The last mark has no partner where there is an even number of parts.
    let is_inside = |idx: usize| idx % 2 == 1 && idx < last;
    let parts = parts.into_iter().enumerate();
    let kept: Vec<&str> = parts
        .map(|(idx, part)| if is_inside(idx) { "" } else { part })
        .collect();
    kept.join("\"")
}

/// Returns a text with `N` for each number that is no part of a name.
fn without_numbers(text: &str) -> String {
    let mut kept = String::new();
    let mut is_in_number = false;
    for c in text.chars() {
        let is_in_name = kept.ends_with(|last: char| last.is_alphabetic() || last == '_');
        let is_digit = c.is_ascii_digit() && (is_in_number || !is_in_name);
        match (is_digit, is_in_number) {
            (true, false) => kept.push('N'),
            (true, true) => {}
            (false, _) => kept.push(c),
        }
        is_in_number = is_digit;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{comparing, without_values, without_words};

    #[test]
    fn an_assertion_is_what_it_compares_how() {
        for (message, expected) in [
            (
                "assertion `left == right` failed\n  left: 10\n right: 64",
                "assertion `left == right` failed",
            ),
            (
                "assertion `left matches right` failed: the 7th \"day\"\n  left: None\n right: Some(_)",
                "assertion `left matches right` failed",
            ),
        ] {
            assert_eq!(without_values(message), expected);
        }
    }

    #[test]
    fn a_panic_is_what_it_says_without_numbers_and_quotes() {
        for (message, expected) in [
            (
                "index out of bounds: the len is 3 but the index is 17",
                "index out of bounds: the len is N but the index is N",
            ),
            (
                "called `Result::unwrap()` on an `Err` value: \"no 3\"",
                "called `Result::unwrap()` on an `Err` value: \"\"",
            ),
            ("no u8 in 12x of \"a", "no u8 in Nx of \"a"),
            ("", ""),
        ] {
            assert_eq!(without_values(message), expected);
        }
    }

    #[test]
    fn an_assertion_may_compare_other_values() {
        let message = "assertion `left == right` failed: the sum\n  left: 80\n right: [1, 2]";
        let expected = "assertion `left == right` failed: the sum\n  left: a\n right: b";
        assert_eq!(comparing(message, ["a", "b"]).as_deref(), Some(expected));
        assert_eq!(comparing(&message.replace("==", "!="), ["a", "b"]), None);
        let unclear = message.replace("80", "80\n right: 1");
        assert_eq!(comparing(&unclear, ["a", "b"]), None);
        assert_eq!(comparing("index out of bounds", ["a", "b"]), None);
    }

    #[test]
    fn an_assertion_may_be_without_words() {
        let plain = "assertion `left == right` failed\n  left: 80\n right: [1, 2]";
        let message = plain.replacen("failed", "failed: the sum\nof 3", 1);
        assert_eq!(without_words(&message).as_deref(), Some(plain));
        assert_eq!(without_words(plain), None);
        assert_eq!(without_words("assertion failed: the sum"), None);
    }
}
