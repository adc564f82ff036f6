//! Decides whether a candidate still crashes rustc in the same way.
//!
//! [`find_baseline`] finds the compiler call that crashes and makes a [`Plan`] and a [`Property`] of
//! it; a [`Worker`] asks the compiler about one candidate after the other. This crate starts all
//! processes; it does not know what an edit is.

pub mod capture;
pub mod escape;
pub mod keeper;

mod args;
mod auxiliary;
mod baseline;
mod budget;
mod cancel;
mod check;
mod checks;
mod companion;
mod crash;
mod demands;
mod diagnostics;
mod error;
mod failures;
mod files;
mod flaky;
mod linkage;
mod original;
mod output;
mod paths;
mod pattern;
mod plan;
mod private;
mod process;
mod program;
mod property;
mod removal;
mod said;
mod sandbox;
mod setting;
mod shell;
mod signature;
mod snapshot;
mod stability;
mod target;
mod toolchain;
mod unit;
mod verdict;
mod wanted;
mod warm;
mod witness;
mod worker;
mod workspace;

pub use args::ArgGroup;
pub use baseline::{Baseline, BaselineSite, Note, find_baseline, is_variable_of_tools};
pub use budget::{Expectation, Late, TimeBudget, TimeSpent};
pub use cancel::Cancel;
pub use check::Execution;
pub use companion::Companion;
pub use crash::Observation;
pub use demands::{Demand, Demands};
pub use error::OracleError;
pub use failures::Goal;
pub use flaky::{Flaky, NotARepeat, Repeat, Sample, percent};
pub use linkage::{Auxiliary, Linkage, externs_of};
pub use pattern::{NotAPattern, Pattern, Patterns};
pub use plan::{Access, CompilerCall, Conduct, ErrorFormat, Inputs, Limits, Plan, Rung, Sources};
pub use process::{Ending, close_on_exec};
pub use program::Harness;
pub use property::Property;
pub use removal::remove_tree;
pub use sandbox::{SandboxMode, missing};
pub use setting::BaselineOptions;
pub use signature::{CrashKind, Signature};
pub use stability::Stability;
pub use target::{FileInput, Input, PackageInput, Surroundings, TargetSelection};
pub use toolchain::Compiler;
pub use unit::Unit;
pub use verdict::Verdict;
pub use wanted::{DirectoryWord, Given, Needed, Wanted};
pub use warm::{WarmCheck, WarmCompiler};
pub use worker::{Answer, Shown, Worker};
