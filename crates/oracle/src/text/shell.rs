//! Writes commands as shell lines.

use crate::text::escape::is_active;
use std::collections::BTreeMap;

/// Environment variables that change what the compiler does, and are written into shell lines.
pub(crate) const SHOWN: [&str; 2] = ["RUSTC_BOOTSTRAP", "RUST_MIN_STACK"];

/// Returns a command as a shell line.
pub(crate) fn shell_line(env: &BTreeMap<String, String>, program: &str, args: &[String]) -> String {
    let mut words = assignments(env);
    words.push(quoted(program));
    words.extend(args.iter().map(|arg| quoted(arg)));
    words.join(" ")
}

/// Returns `NAME=VALUE` for each variable that changes what the compiler does, as a shell line begins with them.
pub(crate) fn assignments(env: &BTreeMap<String, String>) -> Vec<String> {
    let shown = SHOWN
        .iter()
        .filter_map(|name| Some((name, env.get(*name)?)));
    shown
        .map(|(name, value)| format!("{name}={}", quoted(value)))
        .collect()
}

/// Joins words to a line, each quoted where a shell needs it.
#[must_use]
pub fn line_of(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    quoted.join(" ")
}

/// Quotes a word where a shell needs it. A character that would act on a terminal is written as
/// bytes in `$'..'`, which bash, zsh and newer shells understand, so that a line can be shown as it
/// is.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if word.chars().any(is_active) {
        return in_bytes(word);
    }
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

fn in_bytes(word: &str) -> String {
    let mut quoted = "$'".to_owned();
    for c in word.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if is_active(c) => {
                let bytes = c.to_string().into_bytes();
                // Three octal digits: what follows cannot be taken for a part of it.
                quoted.extend(bytes.iter().map(|byte| format!("\\{byte:03o}")));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_so_that_a_shell_and_a_reader_see_the_same() {
        let table = [
            ("src/lib.rs", "src/lib.rs"),
            ("", "''"),
            ("my file.rs", "'my file.rs'"),
            ("it's", "\"it's\""),
            ("a\nb.rs", r"$'a\nb.rs'"),
            ("\u{1b}[31mred.rs", r"$'\033[31mred.rs'"),
            ("\u{202e}1", r"$'\342\200\2561'"),
            ("it's\\\u{7}", r"$'it\'s\\\007'"),
        ];
        for (word, expected) in table {
            assert_eq!(quoted(word), expected);
        }
    }
}
