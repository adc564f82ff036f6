//! What the cargo-reduce client and its daemon say to each other: one JSON message a line, a
//! [`Hello`] first from each side. This crate knows the words and how they are written; it knows no
//! socket, so that it can be tested with strings.

mod hello;
mod line;
mod message;

pub use hello::{Agreement, Hello, PROTOCOL_VERSION};
pub use line::{LineError, LineSplitter, MAX_LINE_BYTES, MAX_REQUEST_BYTES, from_line, to_line};
pub use message::{
    ClientMessage, JobId, JobState, JobStatus, Refusal, ServerMessage, ShutdownReply, Status,
};
