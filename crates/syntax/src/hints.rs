//! Attributes that say nothing about what a program does.

use crate::cursor::TokenCursor;

/// Attributes for lints, readers and the optimiser.
const HINTS: [&str; 5] = ["allow", "cold", "doc", "inline", "must_use"];

/// Returns whether an attribute, with its `#[..]` or `#![..]`, is only for lints, readers or the
/// optimiser.
#[must_use]
pub fn is_hint(attribute: &str) -> bool {
    let cursor = TokenCursor::without_docs(attribute);
    let open = cursor.find(cursor.indices(), "[");
    open.is_some_and(|open| HINTS.contains(&cursor.word(open + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lints_and_words_for_readers_are_hints() {
        for hint in ["#[inline]", "#![allow(dead_code)]", "# [ doc = \"x\" ]"] {
            assert!(is_hint(hint), "{hint}");
        }
        for other in ["#[derive(Debug)]", "#[repr(C)]", "#![no_std]", "inline"] {
            assert!(!is_hint(other), "{other}");
        }
    }
}
