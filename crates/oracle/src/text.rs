//! Text that people, shells and other programs write and read.
//!
//! - `escape`: characters that act on a terminal, shown as rustc shows them; for terminals, logs, reports and shell lines.
//! - `shell`: words and lines for a shell.
//! - `path`: a path without `.` and `..`.
//! - `paths`: a directory that stands in a text, replaced by another one.
//! - `output`: the output of other programs, as messages show it.
//! - `pattern`: regular expressions that travel as their text.

pub mod escape;
pub(crate) mod output;
pub(crate) mod path;
pub(crate) mod paths;
pub(crate) mod pattern;
pub(crate) mod shell;
