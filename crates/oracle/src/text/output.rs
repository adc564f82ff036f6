//! Shortens the output of other programs for messages.
//!
//! See docs/decisions/output-and-text.md.

/// The number of lines of an output that are shown.
const SHOWN_LINES: usize = 40;

/// Returns the last lines of an output, for a message.
pub(crate) fn tail(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
}
