//! What the names of a crate mean, with how certain that is, and what follows from it: which parts
//! use which others, what is reachable from where, and which names a candidate has lost.

mod collect;
mod definitions;
mod ids;
mod model;
mod names;
mod relations;
mod resolve;
mod scopes;
mod shapes;
mod slice;
mod std_names;
mod unresolved;

pub use definitions::{DefKind, Definition, Namespace};
pub use ids::{DefId, ImportId, NameId, PathId, Place, Position, ScopeId, WordId};
pub use model::{Model, Resolution};
pub use relations::{Mentions, Relations, Role, nested_parts};
pub use slice::{Seed, SliceWidth, Slicer, Unnamed};
pub use std_names::{is_common_member, is_external, is_in_prelude, takes_expressions};
pub use unresolved::{Inspection, ResolvedNames};
