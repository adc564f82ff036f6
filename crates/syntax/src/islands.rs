//! Islands: the smallest runs of tokens that syn does not understand, in a file of which it understands the rest.
//!
//! syn says where it fails. Around that place runs of token trees are replaced by something that syn knows, the smallest first,
//! until the error is gone. Where the error is a trait object without `dyn`, such as `Fn(u8)`, it is read as what it is, and no
//! island. In the syntax tree that results, the smallest piece of syntax around each of them has its own
//! tokens as they are (`Expr::Verbatim` and the like). All positions stay those of the text.
//!
//! - `repair` changes token trees.
//! - `search` finds which changes are needed.
//! - `strays` finds brackets without a partner, which are in no token tree.
//! - `verbatim` puts the tokens back.
//!
//! See docs/decisions/libraries.md.

mod repair;
mod search;
mod strays;
mod verbatim;

use crate::lexer::tokens;
use proc_macro2::{TokenStream, TokenTree};
use repair::{Form, STAND_IN};
use std::ops::Range;
pub(crate) use strays::without_strays;
use syn::visit_mut::{self, VisitMut};
use syn::{Type, TypeParamBound, TypePath};

/// The text that prettyplease prints behind the name of a macro call that stands in for an island.
const EMPTY_CALL: &str = "! {}";

/// The largest number of changes by which a file is made readable for syn. A file that needs more is in another language.
pub(crate) const MOST_REPAIRS: usize = 200;

/// The syntax tree of a file with islands (runs of tokens that syn does not understand).
pub(crate) struct FileWithIslands {
    /// syn's tree, with the tokens of the islands as they are.
    pub(crate) syntax: syn::File,
    /// The islands of the file, in order.
    pub(crate) islands: Vec<Island>,
    /// The number of changes that syn needed. An island may be around several of them, and what is missing is in none.
    pub(crate) n_repairs: usize,
}

/// A run of tokens that syn does not understand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Island {
    /// The bytes of the island.
    pub range: Range<usize>,
    /// Whether the island is a single token beside syntax that syn understands without it, as the `super` of `super let` is.
    pub is_extra: bool,
}

/// Parses a file that syn refuses, with islands in the tree for what syn does not understand. Returns `None` if it needs
/// more than `at_most` changes, or some islands have no place in the tree.
pub(crate) fn parse_with_islands(tokens: TokenStream, at_most: usize) -> Option<FileWithIslands> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let forms: &[Form] = match at_most {
        0 => &[Form::Object],
        _ => &Form::ALL,
    };
    let repairs = search::repairs(&trees, forms, at_most)?;
    let syntax = syn::parse2(repair::repaired(&trees, &repairs)).ok()?;
    verbatim::with_tokens(syntax, &trees, &repairs)
}

/// A file with a name, or the call of a macro, in the place of each island.
pub(crate) struct FileWithStandIns {
    /// The syntax tree.
    pub(crate) syntax: syn::File,
    /// The bytes of the islands, in order.
    islands: Vec<Range<usize>>,
}

impl FileWithStandIns {
    /// Parses a file that syn refuses, with a name or a macro call in the place of each island. Returns `None` if that is
    /// not enough for syn.
    pub(crate) fn parse(tokens: TokenStream) -> Option<Self> {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let forms = [Form::Name, Form::Call, Form::Object];
        let mut repairs = search::repairs(&trees, &forms, MOST_REPAIRS)?;
        let mut syntax = syn::parse2(repair::repaired(&trees, &repairs)).ok()?;
        Objects.visit_file_mut(&mut syntax);
        repairs.retain(|repair| repair.form.is_change());
        repairs.sort_by_key(|repair| repair.range.start);
        Some(Self {
            syntax,
            islands: repairs.into_iter().map(|repair| repair.range).collect(),
        })
    }

    /// Returns the printed text of the file, with the islands of its text in their places.
    pub(crate) fn with_islands(&self, printed: &str, text: &str) -> String {
        let mut islands = self.islands.iter();
        let mut parts = printed.split(STAND_IN);
        let mut result = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let island = islands.next().map_or("", |island| &text[island.clone()]);
            result.push_str(&in_one_line(island));
            result.push_str(part.strip_prefix(EMPTY_CALL).unwrap_or(part));
        }
        result
    }
}

/// A visitor that turns trait objects without `dyn`, such as `Fn(u8)`, into paths: prettyplease prints each trait object
/// with `dyn`.
struct Objects;

impl VisitMut for Objects {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        let Type::TraitObject(object) = ty else {
            return;
        };
        repair::leave_added_dyn_out(object);
        if object.dyn_token.is_none()
            && object.bounds.len() == 1
            && let Some(TypeParamBound::Trait(bound)) = object.bounds.first()
            && bound.lifetimes.is_none()
            && bound.maybe.is_none()
        {
            let path = bound.path.clone();
            *ty = Type::Path(TypePath {
                attrs: Vec::new(),
                qself: None,
                path,
            });
        }
    }
}

/// A text without comments and line breaks.
fn in_one_line(text: &str) -> String {
    let mut result = String::new();
    let mut done = 0;
    for token in tokens(text) {
        let range = token.range();
        if 0 < done && done < range.start {
            result.push(' ');
        }
        done = range.end;
        result.push_str(&text[range]);
    }
    result
}

#[cfg(test)]
mod tests;
