//! What is left of attributes when procedural macros are gone: the compiler's own, and the derives of
//! the standard library. Attributes that help a derive go with it.

use super::builtin::{is_builtin_attribute, is_std_derive, names};
use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};
use reduce_syntax::{Edit, EditSet, FileId, byte_range, split_trees_by_commas};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, ItemEnum, ItemStruct, ItemUnion, Meta, Path};

/// The paths in `derive(..)`.
pub(super) fn derive_entries(meta: &Meta) -> Vec<Path> {
    let paths = pieces(meta).into_iter();
    paths.filter_map(|piece| syn::parse2(piece).ok()).collect()
}

/// What stands between the commas of `path(..)`.
fn pieces(meta: &Meta) -> Vec<TokenStream> {
    let Meta::List(list) = meta else {
        return Vec::new();
    };
    let trees: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
    let pieces = split_trees_by_commas(&trees).into_iter();
    pieces
        .map(|piece| piece.iter().cloned().collect())
        .collect()
}

/// The same as one list. Nothing if none are left.
fn joined(pieces: Vec<TokenStream>) -> Option<TokenStream> {
    let mut joined = TokenStream::new();
    for piece in pieces {
        if !joined.is_empty() {
            joined.extend([TokenTree::from(Punct::new(',', Spacing::Alone))]);
        }
        joined.extend(piece);
    }
    (!joined.is_empty()).then_some(joined)
}

/// All that an attribute says, also under a condition.
pub(super) fn metas(meta: &Meta) -> Vec<Meta> {
    if meta.path().is_ident("cfg_attr") {
        let inner = pieces(meta).into_iter().skip(1);
        let inner = inner.filter_map(|piece| syn::parse2::<Meta>(piece).ok());
        return inner.flat_map(|one| metas(&one)).collect();
    }
    vec![meta.clone()]
}

/// Names of the standard library's derives that an item has.
pub(super) fn std_derives(attributes: &[Attribute]) -> Vec<String> {
    let all = attributes.iter().flat_map(|one| metas(&one.meta));
    let derives = all.filter(|one| one.path().is_ident("derive"));
    let paths = derives.flat_map(|one| derive_entries(&one));
    let of_std = paths
        .map(|one| names(&one))
        .filter(|path| is_std_derive(path));
    of_std.filter_map(|path| path.last().cloned()).collect()
}

/// Attributes of the items of some type, outside of the standard library's reach.
#[derive(Clone, Copy, Default)]
struct Scope {
    /// Whether `#[default]` means something here.
    has_default: bool,
}

impl Scope {
    fn of_enum(item: &ItemEnum) -> Self {
        let has_default = std_derives(&item.attrs)
            .iter()
            .any(|name| name == "Default");
        Self { has_default }
    }

    /// What stays of an attribute.
    fn keep(self, meta: &Meta) -> Option<Meta> {
        let path = names(meta.path());
        let kept = match path.first().map(String::as_str) {
            Some("derive") if path.len() == 1 => {
                let is_kept = |piece: &TokenStream| {
                    let entry = syn::parse2::<Path>(piece.clone());
                    entry.is_ok_and(|entry| is_std_derive(&names(&entry)))
                };
                joined(pieces(meta).into_iter().filter(is_kept).collect())?
            }
            Some("cfg_attr") => self.keep_conditional(meta)?,
            Some("default") if path.len() == 1 => return self.has_default.then(|| meta.clone()),
            _ => return is_builtin_attribute(&path).then(|| meta.clone()),
        };
        with_tokens(meta, kept)
    }

    /// What stays in `cfg_attr(..)`.
    fn keep_conditional(self, meta: &Meta) -> Option<TokenStream> {
        let mut all = pieces(meta).into_iter();
        let condition = all.next()?;
        let kept: Vec<_> = all.filter_map(|piece| self.keep_piece(piece)).collect();
        let first = (!kept.is_empty()).then_some(condition);
        joined(first.into_iter().chain(kept).collect())
    }

    fn keep_piece(self, piece: TokenStream) -> Option<TokenStream> {
        let meta = syn::parse2::<Meta>(piece.clone()).ok()?;
        match self.keep(&meta)? {
            Meta::List(list) if list.path.is_ident("derive") || list.path.is_ident("cfg_attr") => {
                let name = list.path.get_ident()?.clone();
                let group = Group::new(Delimiter::Parenthesis, list.tokens);
                Some(
                    [TokenTree::from(name), TokenTree::from(group)]
                        .into_iter()
                        .collect(),
                )
            }
            _ => Some(piece),
        }
    }
}

fn with_tokens(meta: &Meta, tokens: TokenStream) -> Option<Meta> {
    let Meta::List(list) = meta else { return None };
    Some(Meta::List(syn::MetaList {
        tokens,
        ..list.clone()
    }))
}

/// The tokens of `path(..)`, which are all that changes in an attribute that stays.
fn inside(meta: &Meta) -> String {
    match meta {
        Meta::List(list) => list.tokens.to_string(),
        _ => String::new(),
    }
}

/// The edits that leave only the compiler's attributes on an item and in it.
pub(super) fn strip_edits(item: &Item, file: FileId) -> EditSet {
    let mut stripper = StripText {
        scope: Scope::default(),
        file,
        edits: EditSet::new(),
    };
    stripper.visit_item(item);
    stripper.edits
}

struct StripText {
    scope: Scope,
    file: FileId,
    edits: EditSet,
}

impl<'ast> Visit<'ast> for StripText {
    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.scope = Scope::of_enum(item);
        visit::visit_item_enum(self, item);
        self.scope = Scope::default();
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let kept = self.scope.keep(&attribute.meta);
        let inner = kept.as_ref().map(inside);
        if inner.as_ref() == Some(&inside(&attribute.meta)) {
            return;
        }
        let range = byte_range(attribute);
        let name = names(attribute.path()).join("::");
        let text = inner.map_or_else(String::new, |inner| format!("#[{name}({inner})]"));
        self.edits.add(Edit::replace(self.file, &range, &text));
    }
}

/// Leaves only the compiler's attributes on expanded items and in them.
pub(super) fn strip_items(items: &mut [Item]) {
    let mut stripper = StripItems(Scope::default());
    for item in items {
        stripper.visit_item_mut(item);
    }
}

struct StripItems(Scope);

impl VisitMut for StripItems {
    fn visit_item_enum_mut(&mut self, item: &mut ItemEnum) {
        self.0 = Scope::of_enum(item);
        visit_mut::visit_item_enum_mut(self, item);
        self.0 = Scope::default();
    }

    fn visit_item_struct_mut(&mut self, item: &mut ItemStruct) {
        self.0 = Scope::default();
        visit_mut::visit_item_struct_mut(self, item);
    }

    fn visit_item_union_mut(&mut self, item: &mut ItemUnion) {
        self.0 = Scope::default();
        visit_mut::visit_item_union_mut(self, item);
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        let kept = std::mem::take(attributes).into_iter().filter_map(|one| {
            let meta = self.0.keep(&one.meta)?;
            Some(Attribute { meta, ..one })
        });
        *attributes = kept.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    /// Both ways of leaving only the compiler's attributes do the same.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let sources = SourceTree::single("lib.rs".into(), Arc::from(text));
        let mut file = syn::parse_file(text).unwrap();
        let root = sources.root();
        let edits = strip_edits(&file.items[0], root);
        let expected = reduce_syntax::pretty(expected);
        assert_eq!(
            reduce_syntax::pretty(edits.apply(&sources).text(root)),
            expected
        );
        file = syn::parse_file(text).unwrap();
        strip_items(&mut file.items);
        assert_eq!(reduce_syntax::pretty_file(&file), expected);
    }

    #[test]
    fn derives_of_the_compiler_stay() {
        check(
            "#[derive(Clone, Serialize)] struct S;",
            "#[derive(Clone)] struct S;",
        );
        check("#[derive(a::B, C,)] struct S;", "struct S;");
        check(
            "#[derive(Clone, Copy)] #[repr(C)] struct S;",
            "#[derive(Clone, Copy)] #[repr(C)] struct S;",
        );
    }

    #[test]
    fn conditions_keep_what_they_stand_before() {
        check(
            "#[cfg_attr(feature = \"s\", derive(Serialize, Clone), serde(x))] struct S;",
            "#[cfg_attr(feature = \"s\", derive(Clone))] struct S;",
        );
        check("#[cfg_attr(any(a, b), serde(x))] struct S;", "struct S;");
        check(
            "#[cfg_attr(a, cfg_attr(b, c, inline))] struct S;",
            "#[cfg_attr(a, cfg_attr(b, inline))] struct S;",
        );
    }

    #[test]
    fn attributes_that_help_a_derive_go_wherever_they_stand() {
        check(
            "/// Doc.\n#[serde(x)] enum E { #[serde(y)] A { #[z] #[doc(hidden)] a: u8 } }",
            "/// Doc.\nenum E { A { #[doc(hidden)] a: u8 } }",
        );
    }

    #[test]
    fn a_default_stays_where_the_compiler_derives_it() {
        check(
            "#[derive(Default)] enum E { #[default] A }",
            "#[derive(Default)] enum E { #[default] A }",
        );
        check("#[derive(Smart)] enum E { #[default] A }", "enum E { A }");
        check(
            "#[derive(Default, Smart)] struct S { #[default = 1] a: u8 }",
            "#[derive(Default)] struct S { a: u8 }",
        );
    }
}
