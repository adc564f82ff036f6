//! Puts `#[derive(..)]` of standard traits back in place of the impls that it expands to.

use super::attributes::std_derives;
use super::builtin::{ident, names};
use super::printed::parse_expanded;
use super::std_calls::{alloc_root, restore_calls};
use reduce_syntax::pretty_file;
use std::collections::BTreeMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, File, ImplItem, Item, ItemImpl, ItemMod, Stmt, Type};

/// Traits that `derive` implements along with those that it is asked for.
const COMPANIONS: [&str; 2] = ["StructuralPartialEq", "TrivialClone"];
const TRAITS: [&str; 9] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
];

/// Rewrites an expanded program so that it compiles: `#[derive(..)]` stands again for the impls that it made, and calls of std's
/// macros for expansions that only the standard library may use. `None` if it does not parse.
#[must_use]
pub fn with_derives(expanded: &str) -> Option<String> {
    let mut printed = parse_expanded(expanded)?;
    restore_derives(&mut printed.file);
    let root = alloc_root(&printed.file);
    restore_calls(&mut printed.file, root);
    pretty_file(&printed.file)
}

/// Replaces the impls that `derive` made by the attribute at their types, in all modules and blocks.
pub(super) fn restore_derives(file: &mut File) {
    Restorer.visit_file_mut(file);
}

/// Returns the names of the type and the trait of an impl that `#[derive(..)]` of a standard trait made.
pub(super) fn derived_impl(item: &Item) -> Option<(String, String)> {
    let Item::Impl(item) = item else { return None };
    if !is_derived(item) {
        return None;
    }
    let path = names(&item.trait_.as_ref()?.0);
    let [root, .., name] = path.as_slice() else {
        return None;
    };
    let is_known = TRAITS.contains(&name.as_str()) || COMPANIONS.contains(&name.as_str());
    let Type::Path(of) = &*item.self_ty else {
        return None;
    };
    let of = of.path.segments.last()?.ident.to_string();
    (root == "core" && is_known).then(|| (of, name.clone()))
}

/// Returns whether an impl has the form of those that the compiler's derives make, and not of those by procedural macros.
fn is_derived(item: &ItemImpl) -> bool {
    const COPIED: [&str; 9] = [
        "automatically_derived",
        "doc",
        "allow",
        "warn",
        "deny",
        "forbid",
        "expect",
        "cfg",
        "stable",
    ];
    let is_marked = item.attrs.iter().any(|one| one.path().is_ident(COPIED[0]));
    let is_copied = |one: &Attribute| COPIED.iter().any(|name| one.path().is_ident(name));
    let is_plain = |member: &ImplItem| match member {
        ImplItem::Fn(function) => {
            let name = function.sig.ident.to_string();
            let has_mark = function
                .attrs
                .iter()
                .any(|one| one.path().is_ident("inline"));
            has_mark || name.starts_with("assert_")
        }
        _ => false,
    };
    is_marked && item.attrs.iter().all(is_copied) && item.items.iter().all(is_plain)
}

struct Restorer;

impl VisitMut for Restorer {
    fn visit_file_mut(&mut self, file: &mut File) {
        restore_in(&mut file.items, |item| Some(item));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        if let Some((_, items)) = &mut module.content {
            restore_in(items, |item| Some(item));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        restore_in(&mut block.stmts, |statement| match statement {
            Stmt::Item(item) => Some(item),
            _ => None,
        });
        visit_mut::visit_block_mut(self, block);
    }
}

/// Puts `#[derive(..)]` back at the types in one list of items or statements, for the derived impls beside them.
fn restore_in<T>(list: &mut Vec<T>, item_of: impl Fn(&mut T) -> Option<&mut Item>) {
    let mut derives: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for item in list.iter_mut().filter_map(&item_of) {
        if let Some((name, _)) = type_of(item) {
            derives.entry(name).or_default();
        }
    }
    list.retain_mut(|element| {
        let derived = item_of(element).and_then(|item| derived_impl(item));
        let known = derived.and_then(|(of, name)| Some((derives.get_mut(&of)?, name)));
        known.is_none_or(|(derives, name)| {
            derives.push(name);
            false
        })
    });
    for item in list.iter_mut().filter_map(&item_of) {
        if let Some((name, attributes)) = type_of(item) {
            add_derives(attributes, derives.remove(&name).unwrap_or_default());
        }
    }
}

/// Adds `#[derive(..)]` with those of the names that are not derived already.
fn add_derives(attributes: &mut Vec<Attribute>, mut names: Vec<String>) {
    let present = std_derives(attributes);
    names.retain(|name| !COMPANIONS.contains(&name.as_str()) && !present.contains(name));
    if !names.is_empty() {
        let names = names.iter().map(|name| ident(name));
        attributes.insert(0, syn::parse_quote!(#[derive(#(#names),*)]));
    }
}

/// Returns the name and the attributes of a struct, enum or union.
fn type_of(item: &mut Item) -> Option<(String, &mut Vec<Attribute>)> {
    match item {
        Item::Struct(item) => Some((item.ident.to_string(), &mut item.attrs)),
        Item::Enum(item) => Some((item.ident.to_string(), &mut item.attrs)),
        Item::Union(item) => Some((item.ident.to_string(), &mut item.attrs)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expanded: &str, expected: &str) {
        assert_eq!(
            with_derives(expanded),
            reduce_syntax::pretty(expected),
            "`{expanded}`"
        );
    }

    const CLONE: &str = "#[automatically_derived] impl ::core::clone::Clone for S { #[inline] \
                         fn clone(&self) -> S { S } }";
    const EQ: &str = "#[automatically_derived] impl ::core::marker::StructuralPartialEq for S {} \
                      #[automatically_derived] impl ::core::cmp::PartialEq for S { #[inline] \
                      fn eq(&self, other: &S) -> bool { true } } #[automatically_derived] \
                      impl ::core::cmp::Eq for S { #[doc(hidden)] #[coverage(off)] \
                      fn assert_fields_are_eq(&self) {} }";

    #[test]
    fn derived_impls_become_a_derive() {
        check(
            &format!("struct S; {CLONE} {EQ}"),
            "#[derive(Clone, PartialEq, Eq)] struct S;",
        );
        check(
            "struct S<T>(T); #[automatically_derived] impl<T: ::core::marker::Copy> \
             ::core::marker::Copy for S<T> {}",
            "#[derive(Copy)] struct S<T>(T);",
        );
    }

    #[test]
    fn each_scope_has_its_own_types() {
        check(
            &format!("struct S; mod m {{ struct S; {CLONE} }} fn f() {{ struct S; {CLONE} S }}"),
            "struct S; mod m { #[derive(Clone)] struct S; } \
             fn f() { #[derive(Clone)] struct S; S }",
        );
    }

    #[test]
    fn impls_that_are_not_the_compilers_stay() {
        for text in [
            "struct S; impl Clone for S { fn clone(&self) -> S { S } }",
            "struct S; #[automatically_derived] impl ::core::fmt::Display for S { #[inline] \
             fn fmt(&self) {} }",
            "struct S; #[automatically_derived] impl ::core::fmt::Debug for S { fn fmt(&self) {} }",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn what_does_not_parse_has_no_derives() {
        assert_eq!(with_derives("fn fn"), None);
    }
}
