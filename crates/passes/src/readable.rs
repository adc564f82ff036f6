//! Makes a result look as if a person had written it, without making it smaller: the names that
//! everybody gives in examples, items in the usual order, and no statements that do nothing. For the end of a reduction; whether the
//! program still fails is for the caller to see.

mod idle;
mod names;
mod order;

pub use idle::without_idle_statements;
pub use names::canonical_names;
pub use order::idiomatic_order;
