//! Decides whether a candidate still crashes rustc in the same way.
//!
//! [`find_baseline`] finds the compiler call that crashes and makes a [`Plan`] and a [`Property`] of
//! it; a [`Worker`] asks the compiler about one candidate after the other. This crate starts all
//! processes; it does not know what an edit is.

pub mod capture;
pub mod escape;
pub mod keeper;

mod args;
mod baseline;
mod budget;
mod cancel;
mod check;
mod companion;
mod crash;
mod diagnostics;
mod error;
mod files;
mod flaky;
mod goal;
mod linkage;
mod pattern;
mod plan;
mod private;
mod process;
mod program;
mod property;
mod removal;
mod said;
mod sandbox;
mod signature;
mod snapshot;
mod stability;
mod target;
mod toolchain;
mod unit;
mod verdict;
mod warm;
mod witness;
mod worker;

pub use args::ArgGroup;
pub use baseline::{
    Baseline, BaselineOptions, BaselineSite, Note, find_baseline, is_variable_of_tools,
};
pub use budget::{Expectation, Late, TimeBudget, TimeSpent};
pub use cancel::Cancel;
pub use check::{Check, CommandCall, Cost, Execution, Meaning, Wanted};
pub use companion::{Companion, Demand};
pub use crash::Observation;
pub use error::OracleError;
pub use flaky::{Flaky, NotARepeat, Repeat, Sample, percent};
pub use goal::{Demands, Goal};
pub use linkage::{Auxiliary, Linkage, externs_of};
pub use pattern::{NotAPattern, Pattern, Patterns};
pub use plan::{ErrorFormat, Limits, Plan, Rung, Sources};
pub use process::{Ending, close_on_exec};
pub use program::Harness;
pub use property::Property;
pub use removal::remove_tree;
pub use sandbox::{SandboxMode, missing};
pub use signature::{CrashKind, Signature};
pub use stability::Stability;
pub use target::{FileInput, Input, PackageInput, Surroundings, TargetSelection};
pub use toolchain::Compiler;
pub use unit::Unit;
pub use verdict::Verdict;
pub use warm::{WarmCheck, WarmCompiler};
pub use worker::{Answer, Shown, Worker};
