//! Shrinks a crate while an oracle says that it still fails in the same way.
//!
//! [`reduce`] takes a request to its end: snapshot and baseline (`reduce_oracle`), then passes
//! (`reduce_syntax`) driven by the algorithms (`reduce_algorithms`) until nothing more can go, then
//! the written result. The engine never prints, never looks at the environment or the current
//! directory, and never exits.

mod ask;
mod compiler;
mod confirm;
mod crates;
mod delivery;
mod directives;
mod event;
mod failure;
mod finish;
mod flaky;
mod link;
mod loops;
mod markdown;
mod methods;
mod output;
mod pool;
mod reduce;
mod report;
mod request;
mod search;
mod seeds;
mod session;
mod stability;
mod store;
mod strategy;
mod summary;
mod watch;
mod words;

pub use event::{EVENT_VERSION, Event, Progress};
pub use failure::{Failure, FailureKind};
pub use flaky::{FlakyFigures, Rate};
pub use reduce::reduce;
pub use reduce_oracle::{
    Cancel, CrashKind, Demands, DirectoryWord, FileInput, Goal, Input, Linkage, Needed,
    NotAPattern, NotARepeat, PackageInput, Pattern, Patterns, Repeat, Sample, SandboxMode,
    Signature, Stability, Surroundings, TargetSelection, Verdict, capture, close_on_exec, escape,
    is_variable_of_tools, keeper, remove_tree,
};
pub use request::{
    Algorithm, CacheUse, Closure, CompilerChoice, ExistingOutput, MOST_JOBS, NotAProbability,
    PassChoice, Prior, Probability, PropertyOptions, ReductionRequest, SearchOptions, Strategy,
    UnknownPass, Unreasonable,
};
pub use store::{Checkpoint, Digest, MemoryStore, Store, StoreError};
pub use summary::{
    CompiledCrate, Ended, KindStatistics, LinkedCrates, OtherCrash, PassStatistics, Phase,
    SUMMARY_VERSION, Stage, StageStatistics, Success, Summary, Verification, but_for_late,
};
pub use watch::{FileWatch, watch_inputs};

/// Programs nest as deeply as somebody wrote them or a macro made them, and are parsed by descent.
const STACK_BYTES: usize = 512 << 20;

/// A thread whose stack is deep enough for [`reduce`]; memory is taken only for what is used of it.
pub fn thread(name: &str) -> std::thread::Builder {
    let named = std::thread::Builder::new().name(name.to_owned());
    named.stack_size(STACK_BYTES)
}

/// Where the engine may write, and the program that captures compiler calls and keeps processes.
#[derive(Debug, Clone)]
pub struct Site {
    /// A private directory for this run: snapshots and workers' trees. Emptied by the caller.
    pub scratch: camino::Utf8PathBuf,
    /// A private directory that is kept across runs: compiled dependencies.
    pub builds: camino::Utf8PathBuf,
    /// An executable that calls [`capture::main`] when it is started as a compiler wrapper, and
    /// [`keeper::main`] when it is started as a keeper; our own executable.
    pub capture_program: camino::Utf8PathBuf,
}
