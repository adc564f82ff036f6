//! The parts of a report that differ from tool to tool (rustc, rustdoc, clippy, rustfmt), such as the address of the
//! tracker.

use reduce_oracle::Tool;

/// Returns the address of the tracker for crashes of a tool.
pub(super) fn tracker(tool: Tool) -> &'static str {
    match tool {
        Tool::Rustc | Tool::Rustdoc => "https://github.com/rust-lang/rust/issues",
        Tool::Clippy => "https://github.com/rust-lang/rust-clippy/issues",
        Tool::Rustfmt => "https://github.com/rust-lang/rustfmt/issues",
    }
}

/// Returns the labels that a crash of a tool gets in its tracker, as the tracker's own templates
/// have them.
pub(super) fn labels(tool: Tool) -> &'static str {
    match tool {
        Tool::Rustc => "C-bug,I-ICE,T-compiler",
        Tool::Rustdoc => "C-bug,I-ICE,T-rustdoc",
        Tool::Clippy => "C-bug,I-ICE",
        Tool::Rustfmt => "bug",
    }
}

/// Returns the beginning of a title for a tool's crash, before the message.
pub(super) fn begin_of_title(tool: Tool) -> &'static str {
    match tool {
        Tool::Rustc | Tool::Clippy => "ICE: ",
        Tool::Rustdoc => "rustdoc ICE: ",
        Tool::Rustfmt => "rustfmt panics: ",
    }
}

/// Returns the sentence about a program with which the tool does not crash.
pub(super) fn success(tool: Tool) -> &'static str {
    match tool {
        Tool::Rustc => "it compiles.",
        Tool::Rustdoc => "rustdoc documents it.",
        Tool::Clippy => "clippy checks it.",
        Tool::Rustfmt => "rustfmt formats it.",
    }
}
