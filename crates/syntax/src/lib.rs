//! Rust sources as text with a tree of removable and replaceable byte ranges.
//!
//! Text is edited, the tree says where: syn parses each file once per accepted state, and the
//! [`SyntaxTree`] keeps for every list its elements' byte ranges and weights in tokens, and for
//! every node what may replace it. A candidate is the base text plus an [`EditSet`].

mod builder;
mod cursor;
mod edit;
mod forest;
mod item_parts;
mod lexer;
mod module_files;
mod parse;
mod print;
mod replace;
mod source;
mod stream;
mod token;
mod token_trees;
mod tree;
mod use_leaves;

pub use builder::build_tree;
pub use cursor::TokenCursor;
pub use edit::{Edit, EditSet, EditedTree};
pub use forest::{Forest, ForestKind, ForestNode, HoistClass, Pruning};
pub use item_parts::ItemParts;
pub use lexer::{
    Scanner, TokenIndex, bytes_before_code, count_tokens, is_name_part, is_one_name, single_token,
    spaced, tokens, with_words,
};
pub use module_files::{ModuleDirectory, is_conditional_path, without_dots};
pub use parse::{Parsed, ParsedSyntax, SpanGuard, byte_range, is_parsable, parse_tokens};
pub use print::{pretty, pretty_file};
pub use replace::{Replacing, Site, sites_at_level};
pub use source::{FileId, SourceTree};
pub use token::{Bracket, DocStyle, LiteralKind, Token, TokenKind};
pub use token_trees::{bytes_inside, bytes_of_trees, is_punct, split_trees_by_commas};
pub use tree::{
    Category, Element, LastSeparator, List, ListKind, Node, SyntaxTree, remove_elements,
};
pub use use_leaves::{UseEnd, UseLeaf, use_leaves};
