//! The services of an operating system that cargo-reduce uses, in words that hold on each system.
//!
//! The other crates use no interface of one system alone, but for the files of `oracle` that are compiled for Linux
//! only: the warm compiler, the sandbox, and how processes are watched there. What is here has the same meaning
//! everywhere, or says where it means less:
//!
//! - `unix.rs` is for Linux, macOS and others of their kind.
//! - `other.rs` is for all other systems, and uses nothing but the standard library and tokio. A system with a file of its
//!   own takes its place.
//!
//! # Modules
//!
//! - `cancel` has work end, however it waits.
//! - `files` says what files are, who may use them, and what room there is for them. `users` tells this user from others.
//! - `processes` are those that are started, and this one.
//! - `signals` are what asks for the end of this process, and `terminal` is how it shares a terminal with a shell.
//! - `sockets` let the processes of one user talk to each other.
//!
//! See docs/decisions/libraries.md.

pub mod cancel;
pub mod files;
pub mod processes;
pub mod signals;
pub mod sockets;
pub mod terminal;
pub mod users;

#[cfg(any(not(unix), test))]
#[cfg_attr(unix, expect(dead_code, reason = "it is tested on each system"))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

pub use cancel::Cancel;
