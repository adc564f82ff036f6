//! What the names of a crate mean, with how certain that is, and what follows from it: which parts
//! use which others, what is reachable from where, and which names a candidate has lost.

mod relations;
mod slice;
mod std_names;
mod unresolved;

pub use relations::{Mentions, Position, Relations, Role, mentions, nested_parts};
pub use slice::{Seed, SliceWidth, Slicer, Unnamed};
pub use std_names::{is_common_member, is_external, is_in_prelude, takes_expressions};
pub use unresolved::{Inspection, ResolvedNames};
