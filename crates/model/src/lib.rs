//! The meanings of the names of a crate, each with how certain it is, and conclusions from them: the users of each
//! part, the parts that are reachable from some of them, and the names that a candidate has lost.
//!
//! - `model` is one state of a crate, and answers what a word in it means: certainly this definition,
//!   perhaps one of several, something outside of the crate, or unknown.
//! - `ids` are the numbers of definitions, scopes, words, paths and imports.
//! - `names` reads the words of a crate from its tokens, those in the bodies of macros too.
//! - `definitions` says what a definition is, and in which namespaces its name stands.
//! - `scopes` says where definitions and imports are visible, and what a path looks like before it is
//!   resolved.
//! - `collect` reads all of these from the syntax of the files.
//! - `resolve` follows paths: through scopes, imports, globs, modules, types and traits.
//! - `outside` says by which path something of another crate is named.
//! - `visible` says what a name would mean somewhere else, and which module is around a place.
//! - `shapes` is what is noted of expressions and types.
//! - `typed` is the type of an expression, as far as it is known. `types` says what type an expression has, as far as a written type, a constructor or a field tells.
//! - `nesting` finds what is around a place.
//! - `family` is the functions of one signature, with their calls. `functions` says which functions have one signature, and which calls mean them.
//! - `outline` lists the items of a crate that may go, with the names that reach them.
//! - `reference` is a mention with the definition that it means. `relations` says which parts of a crate use which others, and how far each is from what is named.
//! - `slice` finds what is reachable, by name, from the definitions that a crash names.
//! - `compiler_names` reads what rustc itself prints of what names mean.
//! - `unresolved` finds names that a candidate mentions and that nothing defines any more.
//! - `unsafe_code` finds what a candidate has lost though its unsafe code depends on it. `unsafe_code/pieces` reads the
//!   statements and expressions of a program, and `unsafe_code/mir` bodies that are written as MIR.
//! - `std_names` knows the names that are there whatever a crate defines.
//!
//! See docs/decisions/names-and-the-model.md.

mod collect;
mod compiler_names;
mod definitions;
mod family;
mod functions;
mod ids;
mod model;
mod names;
mod nesting;
mod outline;
mod outside;
mod reference;
mod relations;
mod resolve;
mod scopes;
mod shapes;
mod slice;
mod std_names;
mod typed;
mod types;
mod unresolved;
mod unsafe_code;
mod visible;

pub use compiler_names::{CompilerNames, HirLines, ThirLines};
pub use definitions::{DefKind, Definition, Namespace};
pub use family::Family;
pub use ids::{CallId, DefId, ImportId, NameId, PathId, Place, Position, ScopeId, WordId};
pub use model::{Model, Resolution};
pub use names::{captured_names, is_keyword};
pub use outside::OutsidePath;
pub use relations::{Mentions, Relations, Role, nested_parts};
pub use slice::{
    BodyEnd, CallChains, Contents, GrowingSlice, KnownParts, Lack, Seed, SliceWidth, Spare, Unnamed,
};
pub use std_names::{
    home_in_std, is_common_member, is_external, is_in_prelude, is_method_in_std, takes_expressions,
};
pub use unresolved::{Inspection, Outside, ResolvedNames};
pub use unsafe_code::UnsafeCode;
