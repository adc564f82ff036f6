//! Rust sources as text with a tree of removable and replaceable byte ranges.
//!
//! Text is edited, the tree says where: syn parses each file once per accepted state, and the
//! [`SyntaxTree`] keeps for every list its elements' byte ranges and weights in tokens, and for
//! every node what may replace it. A candidate is the base text plus an [`EditSet`].
//!
//! This crate starts no process, reads no file, and does not know what a name means.
//!
//! Text and tokens:
//!
//! - `source`: [`SourceTree`] holds the files of a crate as a cheap value, with sizes and digests.
//! - `module_files`: [`ModuleDirectory`] says which files a `mod x;` may mean.
//! - `token`: a [`Token`] has a place and a kind, as rustc's own lexer knows it.
//! - `comments`: texts without comments, or with doc comments alone.
//! - `lone_names`: programs without the names that stand once.
//! - `lexer`: the tokens of any text, also of text that does not parse, with operators glued.
//! - `frontmatter`: a [`CargoScript`] is a file that begins with its manifest.
//! - `cursor`: [`TokenCursor`] gives the tokens of a text with their brackets, and skips groups, attributes
//!   and angle brackets, for all that is read without syn.
//! - `interruption`: long work asks whether it is over, in whatever function it is.
//! - `stream`: the number and the hash of a text's tokens; those of an edited text come by lexing only
//!   around the edits.
//! - `edit`: edits of byte ranges are applied to text; `edit/edited_tree` edits a tree more and more.
//!
//! Syntax:
//!
//! - `parse`: [`Parsed`] is syn's tree of a file, else its token trees, else its lines, with a guard over
//!   the positions in it.
//! - `located`: [`Located`] is syntax of which the first and the last token are known without printing it.
//! - `floats`: literals such as `1f64`, which syn takes for integers.
//! - `islands`: where syn understands a file but for a few runs of tokens, which are these.
//! - `token_trees`, `use_leaves`, `item_parts`: what everybody asks of token trees, of imports, and of
//!   items of all kinds.
//! - `test_attributes`: which attributes make a test, or leave something out unless tests are compiled.
//! - `constants`: what the compiler evaluates.
//! - `hints`, `primitive_types`: which attributes say nothing about what a program does, and which names are
//!   those of primitive types.
//! - `macro_arguments`: the arguments of a macro call, as far as they look like expressions or statements; `mir_body`: those
//!   of `mir!`, which are blocks of statements.
//! - `print`: the layout of results is prettyplease's. `layout`: one by tokens alone, for what that does not understand.
//!
//! What can be removed and replaced:
//!
//! - `tree`: a [`SyntaxTree`] has lists whose elements may go, and nodes that a descendant may replace.
//! - `builder`: it is built here; `builder/visit` says which syntax has which lists and nodes, and
//!   `builder/chunks` cuts up text that syn does not understand.
//! - `replace`: the sites where something smaller may stand, with the alternatives.
//! - `forest`: lists and nodes as one tree, which stays as it is while parts of it are pruned and hoisted.
//!   `forest/entries` and `contain` make it, `forest/class` says what may stand in place of what, and
//!   `forest/render` makes edits of what was done to it.

mod builder;
mod comments;
mod constants;
mod cursor;
mod edit;
mod floats;
mod forest;
mod frontmatter;
mod hints;
mod interruption;
mod islands;
mod item_parts;
mod layout;
mod lexer;
mod located;
mod lone_names;
mod macro_arguments;
mod mir_body;
mod module_files;
mod parse;
mod primitive_types;
mod print;
mod replace;
mod source;
mod stream;
mod test_attributes;
mod token;
mod token_trees;
mod tree;
mod use_leaves;

pub use builder::{build_tree, build_tree_of, ends_a_chunk};
pub use comments::Comments;
pub use constants::{ConstFunction, Constants};
pub use cursor::TokenCursor;
pub use edit::{Edit, EditSet, EditedTree, common_length};
pub use forest::{Forest, ForestKind, ForestNode, HoistClass, Pruning};
pub use frontmatter::CargoScript;
pub use hints::is_hint;
pub use interruption::{interruptible, poll_interruption, uninterrupted};
pub use islands::Island;
pub use item_parts::ItemParts;
pub use layout::{count_long_lines, has_same_tokens, laid_out_by_tokens};
pub use lexer::{
    Scanner, TokenIndex, bytes_before_code, count_tokens, is_name_part, is_one_name, names,
    single_token, spaced, tokens, with_words, without_doc_comments,
};
pub use located::Located;
pub use lone_names::without_lone_names;
pub use macro_arguments::MacroArguments;
pub use mir_body::{MirBlock, MirBody, MirDeclaration};
pub use module_files::{ModuleDirectory, is_conditional_path, without_dots};
pub use parse::{
    Parsed, ParsedFiles, SpanGuard, byte_range, is_parsable, parse_files, parse_tokens,
};
pub use primitive_types::{is_integer_type, is_number_type, is_primitive_type};
pub use print::{pretty, pretty_file, without_last_commas};
pub use replace::{Replacing, Site, sites_at_level};
pub use source::{FileId, SourceTree, digest_of_tokens};
pub use test_attributes::{is_only_for_tests, makes_test};
pub use token::{Token, TokenKind};
pub use token_trees::{is_punct, split_trees_by_commas};
pub use tree::{
    Category, Element, LastSeparator, List, ListKind, Node, SyntaxTree, remove_elements,
};
pub use use_leaves::{UseEnd, UseLeaf, use_leaves};
