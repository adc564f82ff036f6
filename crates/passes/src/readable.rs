//! Makes a result look as if a person had written it, without making it smaller: the names that
//! everybody gives in examples, and items in the usual order. For the end of a reduction; whether the
//! program still fails is for the caller to see.

mod names;
mod order;

pub use names::canonical_names;
pub use order::idiomatic_order;
