//! What can go wrong.

use std::io;
use std::net::AddrParseError;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum Error {
    #[error("failed to read `{path}`")]
    File { path: PathBuf, source: io::Error },
    #[error("line {number}")]
    Line { number: usize, source: BadService },
    #[error("{0} services are down")]
    Down(usize),
    #[error("a task was lost")]
    Task(#[from] tokio::task::JoinError),
}

#[derive(Debug, Error)]
pub enum BadService {
    #[error("a service has a name and an address")]
    Words,
    #[error(transparent)]
    Address(#[from] AddrParseError),
}
