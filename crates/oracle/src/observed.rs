//! The observation of a run: from its output to a verdict.
//!
//! - `diagnostics`: what a compiler printed, as remarks; quoted source never counts.
//! - `backtrace`: the functions of the compiler that led to a crash.
//! - `crash`: whether a compiler run crashed, how, and which ordinary errors it has.
//! - `program`: what a run of a program or of a test showed.
//! - `own`: what of a failing run is compared where the code under test stays as it is.
//! - `property`: what every accepted candidate keeps. `verdict`: what the oracle says of a candidate.

pub(crate) mod backtrace;
pub(crate) mod crash;
pub(crate) mod diagnostics;
pub(crate) mod own;
pub(crate) mod program;
pub(crate) mod property;
pub(crate) mod verdict;
