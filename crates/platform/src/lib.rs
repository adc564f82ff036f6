//! What cargo-reduce asks of an operating system, in words that hold on each of them.
//!
//! The other crates use no interface of one system alone, but for the files of `oracle` that are compiled for Linux
//! only: the warm compiler, the sandbox, and how processes are watched there. What is here has the same meaning
//! everywhere, or says where it means less:
//!
//! - `unix.rs` is for Linux, macOS and others of their kind.
//! - `other.rs` is for all other systems, and uses nothing but the standard library. A system with a file of its own
//!   takes its place.

pub mod cancel;
pub mod files;
pub mod processes;
pub mod users;

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

pub use cancel::Cancel;
