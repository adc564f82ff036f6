//! Rust sources as a tree of removable and replaceable byte ranges.
//!
//! Text is edited, the tree says where: syn parses each file once per accepted state, and the
//! [`SyntaxTree`] keeps for every list its elements' byte ranges and weights in tokens, and for
//! every node what may replace it. A candidate is the base text plus an [`EditSet`].

mod assertions;
mod builder;
mod configuration;
mod edit;
mod editions;
mod embed;
mod endless;
mod entry;
mod expansion;
mod flatten;
mod forest;
mod inline;
mod lexer;
mod merge;
mod modules;
mod parse;
mod passes;
mod print;
mod program;
mod readable;
mod relations;
mod replace;
mod slice;
mod source;
mod std_names;
mod stream;
mod tree;
mod unresolved;

pub use assertions::asserts_constants;
pub use builder::build_tree;
pub use configuration::{Configuration, configured, decided_in_macros};
pub use edit::{Edit, EditSet, EditedTree};
pub use editions::{Edition, UnknownEdition, in_current_grammar, in_edition};
pub use embed::{Readable, embedded};
pub use endless::{Halting, halting_at_loops};
pub use entry::test_as_main;
pub use expansion::{
    expand_procedural, has_macro_calls, has_procedural_calls, tidy_expansion, with_derives,
};
pub use flatten::flattenings_at_level;
pub use forest::{Forest, ForestKind, ForestNode, HoistClass, Pruning};
pub use inline::inline_modules;
pub use lexer::{Token, TokenIndex, count_tokens, tokens};
pub use merge::{CrateText, Merged, merge_crate};
pub use modules::{collect_expanded, collect_sources};
pub use parse::is_parsable;
pub use passes::{
    COARSE_PASSES, FINE_PASSES, PASSES, Pass, Rewriter, STRUCTURAL_PASSES, StdItem, Work,
    std_items, std_names, std_words,
};
pub use print::pretty;
pub use program::Program;
pub use readable::{canonical_names, idiomatic_order};
pub use relations::{Relations, nested_parts};
pub use replace::{Replacing, Site, sites_at_level};
pub use slice::{Seed, SliceWidth, Slicer, Unnamed};
pub use source::{FileId, SourceTree};
pub use tree::{
    Category, Element, LastSeparator, List, ListKind, Node, SyntaxTree, remove_elements,
};
pub use unresolved::{Inspection, ResolvedNames};
