//! The request of a client, and the options in it.

mod bounds;
mod choices;
pub(crate) mod directives;
mod earlier;
mod for_rustc;
mod options;
mod passes;
mod reduction;
mod remote;
mod running;
mod stage;

pub use bounds::{MOST_JOBS, Unreasonable};
pub use choices::{
    Algorithm, Closure, NotAProbability, NotAWidth, Prior, Probability, Strategy, Width,
};
pub use earlier::EarlierStep;
pub use for_rustc::ForRustc;
pub use options::SearchOptions;
pub use passes::{PassChoice, UnknownPass};
pub use reduction::{CacheUse, CompilerChoice, ExistingOutput, PropertyOptions, ReductionRequest};
pub use remote::RemoteRequest;
pub use running::{Budget, Priority};
pub(crate) use stage::{Needs, Part, Stage};
