//! Runs commands on servers of the Remote Execution API, version 2 (REAPI), and on no server's own dialect of it.
//!
//! A [`Command`] says what is run, on which files, and what it may use. [`Remote::run`] gives the result of the server's
//! cache, or uploads what the server does not have yet, has the command run, and says how it ended. Whether that can be
//! believed is a part of the answer: a failure of the server is a [`RemoteError`], and never looks like the end of a
//! command. This crate knows nothing about Rust programs.
//!
//! - `settings`: the server's address, keys, certificates, properties of the platform.
//! - `digest`: names of contents. `stamps`: digests of files that are remembered until the files change.
//! - `inputs`: the files of a command, as a Merkle tree.
//! - `command`: what is run. `script`: the shell script around it, which says how it ended.
//! - `error`: why there is no answer, by kind. `retry`: what is tried again, how often and when.
//! - `connection`: the channel, with its headers. `capabilities`: what the server can do.
//! - `contents`: uploads and downloads. `execution`: the run itself, from the cache or on a worker.
//! - `remote`: the blocking handle, and the runtime behind it. `counts`: what there was to do.

mod capabilities;
mod command;
mod connection;
mod contents;
mod counts;
mod digest;
mod error;
mod execution;
mod inputs;
mod remote;
mod retry;
mod script;
mod settings;
mod stamps;

pub use command::{Caching, Command, Limits};
pub use counts::Counts;
pub use digest::Digest;
pub use error::{ErrorKind, RemoteError};
pub use inputs::{InputError, Inputs};
pub use remote::Remote;
pub use script::{End, Ended, Made};
pub use settings::{Address, Header, NotAnAddress, Property, Settings};
pub use stamps::Stamps;
