//! Finds the attributes that stay when procedural macros are gone: the compiler's own, and derives of the standard library.
//! Attributes that help a derive go with it.

use super::builtin::{is_builtin_attribute, is_std_derive, names};
use proc_macro2::{TokenStream, TokenTree};
use reduce_syntax::{byte_range, spaced, split_trees_by_commas};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemEnum, Meta, Path};

/// Returns the paths that `derive(..)` names.
pub(super) fn derive_entries(meta: &Meta) -> Vec<Vec<String>> {
    let paths = pieces(meta).into_iter().map(syn::parse2::<Path>);
    paths.flatten().map(|path| names(&path)).collect()
}

/// Returns the tokens between the commas of `path(..)`.
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

/// Returns the parts of an attribute: those inside of a `cfg_attr(..)`, else the attribute itself.
pub(super) fn metas(meta: &Meta) -> Vec<Meta> {
    if meta.path().is_ident("cfg_attr") {
        let inner = pieces(meta).into_iter().skip(1);
        let inner = inner.filter_map(|piece| syn::parse2::<Meta>(piece).ok());
        return inner.flat_map(|one| metas(&one)).collect();
    }
    vec![meta.clone()]
}

/// Returns the paths in the `#[derive(..)]` attributes of an item, also within `cfg_attr`.
pub(super) fn derives(attributes: &[Attribute]) -> Vec<Vec<String>> {
    let all = attributes.iter().flat_map(|one| metas(&one.meta));
    let derives = all.filter(|one| one.path().is_ident("derive"));
    derives.flat_map(|one| derive_entries(&one)).collect()
}

/// Returns the names of the standard library's derives that an item has.
pub(super) fn std_derives(attributes: &[Attribute]) -> Vec<String> {
    let of_std = derives(attributes).into_iter();
    let of_std = of_std.filter(|path| is_std_derive(path));
    of_std.filter_map(|mut path| path.pop()).collect()
}

/// Returns the edits that remove all attributes but the compiler's from some items and from their parts.
pub(super) fn strip_edits(items: &[Item]) -> Vec<(Range<usize>, String)> {
    let mut stripper = Stripper {
        has_default: false,
        edits: Vec::new(),
    };
    items.iter().for_each(|item| stripper.visit_item(item));
    stripper.edits
}

struct Stripper {
    /// Whether the attribute stands in an enum with `#[derive(Default)]`, where `#[default]` means something.
    has_default: bool,
    edits: Vec<(Range<usize>, String)>,
}

impl Stripper {
    /// Returns the part of an attribute that stays when procedural macros are gone.
    fn kept(&self, meta: &Meta) -> Option<String> {
        let path = names(meta.path());
        let kept: Vec<String> = match path.join("::").as_str() {
            "derive" => {
                let is_kept = |piece: &TokenStream| {
                    let entry = syn::parse2::<Path>(piece.clone());
                    entry.is_ok_and(|entry| is_std_derive(&names(&entry)))
                };
                let kept = pieces(meta).into_iter().filter(is_kept);
                kept.map(|piece| piece.to_string()).collect()
            }
            "cfg_attr" => {
                let mut pieces = pieces(meta).into_iter();
                let condition = pieces.next()?.to_string();
                let metas = pieces.filter_map(|piece| syn::parse2::<Meta>(piece).ok());
                let kept: Vec<_> = metas.filter_map(|one| self.kept(&one)).collect();
                let first = (!kept.is_empty()).then_some(condition);
                first.into_iter().chain(kept).collect()
            }
            "default" => return self.has_default.then(|| text_of(meta)),
            _ => return is_builtin_attribute(&path).then(|| text_of(meta)),
        };
        (!kept.is_empty()).then(|| format!("{}({})", path.join("::"), kept.join(", ")))
    }
}

impl<'ast> Visit<'ast> for Stripper {
    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.has_default = std_derives(&item.attrs)
            .iter()
            .any(|name| name == "Default");
        visit::visit_item_enum(self, item);
        self.has_default = false;
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let kept = self.kept(&attribute.meta).map(|kept| spaced(&kept));
        if kept.as_ref() != Some(&spaced(&text_of(&attribute.meta))) {
            let text = kept.map_or_else(String::new, |kept| format!("#[{kept}]"));
            self.edits.push((byte_range(attribute), text));
        }
    }
}

fn text_of(meta: &Meta) -> String {
    let tokens: TokenStream = syn::parse_quote!(#meta);
    tokens.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewriting::with_replaced;
    use reduce_syntax::{Parsed, pretty};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let parsed = Parsed::new(text);
        let edits = strip_edits(&parsed.file().unwrap().items);
        assert_eq!(pretty(&with_replaced(text, edits)), pretty(expected));
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
