//! The evidence of a run: from its output to a verdict.
//!
//! - `diagnostics`: a compiler's output as remarks; quoted source never counts.
//! - `backtrace`: the functions of the compiler that led to a crash.
//! - `calls`: the functions of the code under test that lead to a panic.
//! - `crash`: the crashes of a compiler run, and its ordinary errors.
//! - `program`: the failures of a program or of a test.
//! - `own`: the part of a failure that is compared where the code under test stays as it is.
//! - `property`: the property that every accepted candidate keeps. `verdict`: the oracle's answer about a candidate.

pub(crate) mod backtrace;
pub(crate) mod calls;
pub(crate) mod crash;
pub(crate) mod diagnostics;
pub(crate) mod own;
pub(crate) mod program;
pub(crate) mod property;
pub(crate) mod verdict;
