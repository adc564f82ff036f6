//! Knows how a mark is written: as a comment with the number of a mutant.

pub(crate) const BEGIN: &str = "/*@";
pub(crate) const END: &str = "*/";

/// Whether one text has a mark.
pub(crate) fn has_mark(text: &str) -> bool {
    text.contains(BEGIN)
}

/// Returns the part of a text before its first mark, without the space between them.
pub(crate) fn before_marks(text: &str) -> &str {
    text.split(BEGIN).next().unwrap_or(text).trim_end()
}
