//! What a client asks for.

mod bounds;
pub(crate) mod directives;
mod options;
mod passes;
mod reduction;

pub use bounds::{MOST_JOBS, Unreasonable};
pub use options::{
    Algorithm, Closure, NotAProbability, Prior, Probability, SearchOptions, Strategy,
};
pub use passes::{PassChoice, UnknownPass};
pub use reduction::{CacheUse, CompilerChoice, ExistingOutput, PropertyOptions, ReductionRequest};
