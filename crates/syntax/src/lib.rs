//! Rust sources as text with a tree of removable and replaceable byte ranges.
//!
//! Text is edited, the tree says where: syn parses each file once per accepted state, and the
//! [`SyntaxTree`] keeps for every list its elements' byte ranges and weights in tokens, and for
//! every node what may replace it. A candidate is the base text plus an [`EditSet`].

mod builder;
mod edit;
mod forest;
mod lexer;
mod module_files;
mod parse;
mod print;
mod replace;
mod source;
mod stream;
mod tree;

pub use builder::{build_tree, build_tree_of};
pub use edit::{Edit, EditSet, EditedTree};
pub use forest::{Forest, ForestKind, ForestNode, HoistClass, Pruning};
pub use lexer::{
    Scanner, Token, TokenIndex, bytes_before_code, count_tokens, is_name_part, is_one_name, spaced,
    tokens,
};
pub use module_files::{ModuleDirectory, is_conditional_path, without_dots};
pub use parse::{Parsed, ParsedFiles, ParsedSyntax, SpanGuard, is_parsable, parse_files};
pub use print::{pretty, pretty_file};
pub use replace::{Replacing, Site, sites_at_level};
pub use source::{FileId, SourceTree};
pub use tree::{
    Category, Element, LastSeparator, List, ListKind, Node, SyntaxTree, remove_elements,
};
