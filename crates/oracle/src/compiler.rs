//! The compiler: its toolchain, its calls, and the crates that it links.
//!
//! - `target`: the input that the user asked to compile, and the user's surroundings.
//! - `toolchain`: the real compiler and cargo behind rustup's shims, and the compiler's identity.
//! - `args`: rustc's arguments, taken apart, with the paths that a call reads.
//! - `response_file`: arguments that stand in a file.
//! - `capture`: the compiler wrapper that records how cargo calls rustc.
//! - `unit`: the crates that the call links, with the calls that compiled them.
//! - `witness`: the library that is preloaded into rustc to see whose code ends it.

pub(crate) mod args;
pub mod capture;
pub(crate) mod response_file;
pub(crate) mod target;
pub(crate) mod toolchain;
pub(crate) mod unit;
pub(crate) mod witness;
