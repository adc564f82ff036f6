//! The messages between cargo-reduce and its client of the Remote Execution API (REAPI): lines of JSON over the standard
//! input and output of the client.
//!
//! The client, `cargo-reduce-remote`, is a program of its own, as it needs an HTTP stack and a TLS library that nothing else
//! needs. Whoever asks it starts it, compares its [`Hello`], names the server with [`Request::Open`], and gives it a
//! [`Command`] for each process. This crate knows the messages, and reads the names of files; contents stay where they
//! are, and the client reads them there.
//!
//! - `settings`: the server's address, keys, certificates, properties of the platform.
//! - `command`: what is run. `inputs`: the files that it finds.
//! - `ended`: how a command ended, and what it has made.
//! - `messages`: greeting, requests, replies, and the lines that they are written as.

mod command;
mod ended;
mod inputs;
mod messages;
mod settings;

pub use command::{Caching, Command, Limits};
pub use ended::{End, Ended, Made};
pub use inputs::{Input, InputError, Inputs};
pub use messages::{
    Answer, Counts, ErrorKind, Hello, NoAnswer, PROGRAM, PROTOCOL_VERSION, Reply, Request,
    how_to_install, line_of, read_line,
};
pub use settings::{Address, Header, NotAnAddress, Property, Settings};
