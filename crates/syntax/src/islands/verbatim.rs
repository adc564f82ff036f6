//! Puts the tokens of islands back into the syntax tree.

use super::repair::{Form, Repair, is_stand_in, leave_added_dyn_out, range};
use super::{FileWithIslands, Island};
use crate::located::Located;
use crate::parse::byte_range;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::ops::Range;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, ForeignItem, ImplItem, Item, Pat, Stmt, TraitItem, Type, TypeParamBound, TypeTraitObject,
};

/// A syntax tree in which each stand-in, with the smallest piece of syntax that it is in, has become the tokens that were
/// there. `None` where a stand-in is in nothing that may have other tokens.
pub(super) fn with_tokens(
    mut syntax: syn::File,
    trees: &[TokenTree],
    repairs: &[Repair],
) -> Option<FileWithIslands> {
    let mut restoring = Restoring {
        trees,
        has_stand_in: false,
        islands: Vec::new(),
    };
    restoring.visit_file_mut(&mut syntax);
    if restoring.has_stand_in {
        return None;
    }
    let mut islands = restoring.islands;
    let is_extra = |one: &&Repair| matches!(one.form, Form::ExtraBefore | Form::ExtraAfter);
    let extra = repairs.iter().filter(is_extra);
    let extra = extra.map(|one| one.range.clone());
    let is_outside = |extra: &Range<usize>| {
        let mut around = islands.iter().map(|one| &one.range);
        !around.any(|one| one.start <= extra.start && extra.end <= one.end)
    };
    let extra: Vec<Range<usize>> = extra.filter(is_outside).collect();
    islands.extend(extra.into_iter().map(|range| Island {
        range,
        is_extra: true,
    }));
    islands.sort_by_key(|island| island.range.start);
    Some(FileWithIslands {
        syntax,
        islands,
        n_repairs: repairs.iter().filter(|one| one.form.is_change()).count(),
    })
}

struct Restoring<'t> {
    trees: &'t [TokenTree],
    /// Whether a stand-in was found that still has to become the tokens of its island, in some piece of syntax around it.
    has_stand_in: bool,
    islands: Vec<Island>,
}

impl Restoring<'_> {
    /// Visits the contents of a piece of syntax, which becomes tokens if a stand-in is in it. Returns the tokens that
    /// become of all of it.
    fn tokens<T: Located>(
        &mut self,
        syntax: &mut T,
        visit: impl FnOnce(&mut Self, &mut T),
    ) -> Option<TokenStream> {
        let is_around = std::mem::take(&mut self.has_stand_in);
        visit(self, syntax);
        if !std::mem::replace(&mut self.has_stand_in, is_around) {
            return None;
        }
        let range = byte_range(syntax);
        // The islands inside of this syntax are part of it now.
        self.islands
            .retain(|one| !(range.start <= one.range.start && one.range.end <= range.end));
        let tokens = tokens_in(self.trees.to_vec(), &range);
        self.islands.push(Island {
            range,
            is_extra: false,
        });
        Some(tokens)
    }
}

/// Returns whether a stand-in is among the tokens that syn has left as they are.
fn has_stand_in(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => is_stand_in(&name),
        TokenTree::Group(group) => has_stand_in(&group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The token trees in some bytes.
fn tokens_in(trees: Vec<TokenTree>, bytes: &Range<usize>) -> TokenStream {
    let is_around = |tree: &TokenTree| {
        let range = range(tree);
        range.start < bytes.start && bytes.end < range.end
    };
    match trees.iter().find(|tree| is_around(tree)) {
        Some(TokenTree::Group(group)) => tokens_in(group.stream().into_iter().collect(), bytes),
        _ => {
            let inside = trees.into_iter().filter(|tree| {
                let range = range(tree);
                bytes.start <= range.start && range.end <= bytes.end
            });
            inside.collect()
        }
    }
}

macro_rules! restoring {
    ($($visit:ident: $syntax:ident;)*) => {
        impl VisitMut for Restoring<'_> {
            fn visit_ident_mut(&mut self, name: &mut Ident) {
                self.has_stand_in |= is_stand_in(name);
            }

            fn visit_type_trait_object_mut(&mut self, object: &mut TypeTraitObject) {
                leave_added_dyn_out(object);
                visit_mut::visit_type_trait_object_mut(self, object);
            }

            fn visit_token_stream_mut(&mut self, tokens: &mut TokenStream) {
                self.has_stand_in |= has_stand_in(tokens);
            }

            fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
                if let Some(tokens) = self.tokens(statement, visit_mut::visit_stmt_mut) {
                    *statement = Stmt::Expr(Expr::Verbatim(tokens), None);
                }
            }

            $(fn $visit(&mut self, syntax: &mut $syntax) {
                if let Some(tokens) = self.tokens(syntax, visit_mut::$visit) {
                    *syntax = $syntax::Verbatim(tokens);
                }
            })*
        }
    };
}

restoring! {
    visit_expr_mut: Expr;
    visit_foreign_item_mut: ForeignItem;
    visit_impl_item_mut: ImplItem;
    visit_item_mut: Item;
    visit_pat_mut: Pat;
    visit_trait_item_mut: TraitItem;
    visit_type_mut: Type;
    visit_type_param_bound_mut: TypeParamBound;
}
