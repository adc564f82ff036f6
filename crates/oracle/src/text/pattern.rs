//! A regular expression that is stored and sent as its text.

use regex::Regex;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A regular expression, as the user wrote it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(Regex);

/// A text that is no [`Pattern`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it is no regular expression: {0}")]
pub struct NotAPattern(String);

impl Pattern {
    /// Whether the pattern matches somewhere in the text.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Returns the text of the regular expression.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether the pattern is the code of an error, such as `E0308`.
    #[must_use]
    pub fn is_code(&self) -> bool {
        let digits = self.as_str().strip_prefix('E').unwrap_or_default();
        digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
    }
}

impl FromStr for Pattern {
    type Err = NotAPattern;

    fn from_str(text: &str) -> Result<Self, NotAPattern> {
        let regex = regex::RegexBuilder::new(text).multi_line(true).build();
        regex
            .map(Self)
            .map_err(|error| NotAPattern(error.to_string()))
    }
}

impl TryFrom<String> for Pattern {
    type Error = NotAPattern;

    fn try_from(text: String) -> Result<Self, NotAPattern> {
        text.parse()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.as_str().to_owned()
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Pattern {}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The patterns that must be printed besides the failure, and those that must not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patterns {
    /// The patterns of `--and`, all of which must be printed.
    pub and: Vec<Pattern>,
    /// The patterns of `--not`, none of which may be printed.
    pub not: Vec<Pattern>,
}

impl Patterns {
    /// Whether there are no patterns, so that anything may be printed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.and.is_empty() && self.not.is_empty()
    }

    /// Whether a run has printed what it must, and nothing that it must not; `printed` is only
    /// called where there are patterns.
    #[must_use]
    pub fn accept(&self, printed: impl FnOnce() -> String) -> bool {
        if self.is_empty() {
            return true;
        }
        let printed = printed();
        let is_there = |pattern: &Pattern| pattern.is_match(&printed);
        self.and.iter().all(is_there) && !self.not.iter().any(is_there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_survives_the_way() {
        let pattern: Pattern = "^left: \\d+$".parse().unwrap();
        let json = serde_json::to_string(&pattern).unwrap();
        assert_eq!(serde_json::from_str::<Pattern>(&json).unwrap(), pattern);
        assert!(pattern.is_match("a\nleft: 10\nb"));
        assert!(!pattern.is_match("left: x"));
    }

    #[test]
    fn what_is_no_regular_expression_is_refused() {
        assert!("(".parse::<Pattern>().is_err());
        assert!(serde_json::from_str::<Pattern>("\"(\"").is_err());
    }

    #[test]
    fn a_code_has_four_digits() {
        for (text, expected) in [
            ("E0308", true),
            ("E038", false),
            ("E03088", false),
            ("EABCD", false),
            ("mismatched", false),
        ] {
            assert_eq!(
                text.parse::<Pattern>().unwrap().is_code(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn all_that_must_be_there_is_and_nothing_that_must_not() {
        let patterns = |and: &[&str], not: &[&str]| Patterns {
            and: and.iter().map(|text| text.parse().unwrap()).collect(),
            not: not.iter().map(|text| text.parse().unwrap()).collect(),
        };
        for (patterns, expected) in [
            (patterns(&["a", "b"], &[]), true),
            (patterns(&["a", "x"], &[]), false),
            (patterns(&["a"], &["x", "b"]), false),
            (patterns(&[], &["x"]), true),
        ] {
            assert_eq!(patterns.accept(|| "a b".to_owned()), expected);
        }
        assert!(Patterns::default().accept(|| panic!("nobody asks")));
    }
}
