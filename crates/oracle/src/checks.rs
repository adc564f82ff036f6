//! What several kinds of failures share of their checks, and the parts of them that only read.
//!
//! - `crash`: a compiler that is called once and crashes.
//! - `diagnostic`: a compiler that reports what is looked for.
//! - `cost`: a compiler that uses too much of something.
//! - `program`: a program that was compiled, and fails when it is run.
//! - `command`: what commands have in common that are run in place of a compiler.
//! - `cargo_output`: what a cargo command that failed says of the failure.
//! - `layouts`: two layouts of the same files, and in what they differ.
//! - `target_dir`: a target directory that begins as a copy of another one.

pub(crate) mod cargo_output;
pub(crate) mod command;
pub(crate) mod cost;
pub(crate) mod crash;
pub(crate) mod diagnostic;
pub(crate) mod layouts;
pub(crate) mod program;
pub(crate) mod target_dir;
