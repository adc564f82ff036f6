//! Shrinks a crate while an oracle says that it still fails in the same way.
//!
//! [`reduce`] takes a request to its end: snapshot and baseline (`reduce_oracle`), then passes
//! (`reduce_syntax`) driven by the algorithms (`reduce_algorithms`) until nothing more can go, then
//! the written result. The engine never prints, never looks at the environment or the current
//! directory, and never exits.

mod answer;
mod auxiliary;
mod candidate;
mod context;
mod decider;
mod event;
mod failure;
mod figures;
mod methods;
mod output;
mod question;
mod reduce;
mod request;
mod result;
mod session;
mod site;
mod store;
mod strategy;
mod summary;
mod thread;
mod trace;
mod watch;
mod words;

pub use decider::Decider;
pub use event::{EVENT_VERSION, Event, Progress};
pub use failure::{Failure, FailureKind};
pub use figures::{
    CompiledCrate, DeciderStatistics, Ended, FlakyFigures, KindStatistics, LinkedCrates,
    OtherCrash, PassStatistics, Phase, Rate, Success, Verification,
};
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
pub use site::Site;
pub use store::{Checkpoint, Digest, MemoryStore, Store, StoreError};
pub use summary::{SUMMARY_VERSION, Summary, but_for_late};
pub use thread::thread;
pub use watch::{FileWatch, watch_inputs};
