//! Runs commands on servers of the Remote Execution API, version 2 (REAPI), and on no server's own dialect of it.
//!
//! This is the client that `cargo reduce --remote` starts, and speaks to in the lines of `reduce_remote_protocol`. A
//! `Command` says what is run, on which files, and what it may use. [`Remote::run`] gives the result of the server's
//! cache, or uploads what the server does not have yet, has the command run, and says how it ended. Whether that can be
//! believed is a part of the answer: a failure of the server is a [`RemoteError`], and never looks like the end of a
//! command. This crate knows nothing about Rust programs.
//!
//! - [`serve`]: requests and replies over standard input and output.
//! - `remote`: the blocking handle, and the runtime behind it. `counts`: what there was to do.
//! - `digest`: names of contents. `stamps`: digests of files that are remembered until the files change.
//! - `tree`: the files of a command, as a Merkle tree. `script`: the shell script around it, which says how it ended.
//! - `error`: why there is no answer, by kind. `retry`: what is tried again, how often and when.
//! - `connection`: the channel, with its headers. `capabilities`: what the server can do.
//! - `contents`: uploads and downloads. `execution`: the run itself, from the cache or on a worker.
//!
//! See docs/decisions/other-machines.md.

mod capabilities;
mod connection;
mod contents;
mod counts;
mod digest;
mod error;
mod execution;
mod remote;
mod retry;
mod script;
mod serve;
mod stamps;
mod tree;

pub use error::RemoteError;
pub use remote::Remote;
pub use serve::serve;
