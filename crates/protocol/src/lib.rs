//! The messages between the cargo-reduce client and its daemon. Each message is one line of JSON, and
//! the first message of each side is a [`Hello`]. This crate knows the messages and how they are
//! written. It knows no socket, so that it can be tested with strings.
//!
//! # Modules
//!
//! - `hello` is the first message of each side, and what follows from comparing the two versions.
//! - `message` defines all other messages, with the engine's own types in them.
//! - `status` is what a daemon says of itself and its jobs, and `cache` what it says of what is kept.
//! - `line` turns messages into lines and bytes into lines, with a bound on the length of a line.

mod cache;
mod hello;
mod job_id;
mod line;
mod message;
mod status;

pub use cache::{CacheCommand, CacheReply, CacheStats, Prune, Pruned, Verified};
pub use hello::{Agreement, Hello, PROTOCOL_VERSION};
pub use job_id::JobId;
pub use line::{LineError, LineSplitter, MAX_LINE_BYTES, MAX_REQUEST_BYTES, from_line, to_line};
pub use message::{ClientMessage, JobCommand, Refusal, ServerMessage, ShutdownReply};
pub use status::{ErrorNote, JobState, JobStatus, LiveJob, Status};
