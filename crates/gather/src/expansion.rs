//! Makes programs that can be compiled again from what the compiler prints of expanded macros (`-Zunpretty=expanded`): of the
//! whole program (`tidy_expansion`, `derives`), or of its procedural macros alone (`procedural`).

mod alignment;
mod attributes;
mod builtin;
mod derives;
mod imports;
mod macros;
mod part;
mod printed;
mod procedural;
mod std_calls;

pub use derives::with_derives;
pub use procedural::{expand_procedural, has_procedural_calls};

use printed::parse_expanded;
use reduce_syntax::{Parsed, SourceTree, pretty_file};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, File, Item, ItemImpl, Macro};

/// Returns whether some macro call or derive of the crate can be expanded.
#[must_use]
pub fn has_macro_calls(sources: &SourceTree) -> bool {
    sources.files().any(|(_, _, text)| {
        let parsed = Parsed::new(text);
        let mut calls = Calls(false);
        if let Some(file) = parsed.file() {
            calls.visit_file(file);
        }
        calls.0
    })
}

/// Removes from an expanded program what the compiler has put around it, and returns up to two forms: first with empty bodies in
/// what `derive` made, which often use what is not stable, then with these bodies. Nothing if it does not parse.
#[must_use]
pub fn tidy_expansion(text: &str) -> Vec<String> {
    let Some(printed) = parse_expanded(text) else {
        return Vec::new();
    };
    let mut emptied = printed.file.clone();
    let mut derived = Derived { n_emptied: 0 };
    derived.visit_file_mut(&mut emptied);
    let forms: Vec<&File> = match derived.n_emptied {
        0 => vec![&printed.file],
        _ => vec![&emptied, &printed.file],
    };
    forms.into_iter().filter_map(pretty_file).collect()
}

/// Returns whether an attribute is one that the compiler adds to an expanded program: `#![feature(prelude_import)]`, or the mark
/// of its imports.
fn is_ours(attribute: &Attribute) -> bool {
    let is_prelude = |tokens: &proc_macro2::TokenStream| tokens.to_string() == "prelude_import";
    match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("feature") && is_prelude(&list.tokens),
        meta => meta.path().is_ident("prelude_import"),
    }
}

/// Returns whether the compiler adds an item to each expanded crate, or the item implements a trait that only the compiler may
/// implement.
fn is_put_around(item: &Item) -> bool {
    match item {
        Item::Use(item) => item.attrs.iter().any(is_ours),
        Item::ExternCrate(item) => {
            let is_std = ["std", "core"].iter().any(|name| item.ident == name);
            is_std && item.rename.is_none()
        }
        Item::Impl(item) => {
            let of_trait = item.trait_.as_ref().and_then(|of| of.0.segments.last());
            of_trait.is_some_and(|last| last.ident == "StructuralPartialEq")
        }
        _ => false,
    }
}

struct Calls(bool);

impl<'ast> Visit<'ast> for Calls {
    fn visit_macro(&mut self, call: &'ast Macro) {
        self.0 |= !call.path.is_ident("macro_rules");
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        self.0 |= attribute.path().is_ident("derive");
        visit::visit_attribute(self, attribute);
    }
}

/// The visitor that empties the bodies in impls that `derive` made.
struct Derived {
    n_emptied: usize,
}

impl VisitMut for Derived {
    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        let is_derived = |attribute: &Attribute| attribute.path().is_ident("automatically_derived");
        if item.attrs.iter().any(is_derived) {
            item.attrs.retain(|attribute| !is_derived(attribute));
            visit_mut::visit_item_impl_mut(self, item);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        function.attrs.clear();
        function.block = Block {
            stmts: vec![syn::parse_quote!(loop {})],
            ..function.block.clone()
        };
        self.n_emptied += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use std::sync::Arc;

    #[track_caller]
    fn check_calls(text: &str, expected: bool) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        assert_eq!(has_macro_calls(&sources), expected, "`{text}`");
    }

    #[test]
    fn calls_and_derives_can_be_expanded_and_definitions_cannot() {
        check_calls("fn f() { g!(); }", true);
        check_calls("m! { a }", true);
        check_calls("#[derive(Clone)] struct S;", true);
        check_calls("macro_rules! m { () => {} } #[inline] fn f() {}", false);
    }

    #[test]
    fn what_the_compiler_puts_around_goes() {
        let expanded = "#![feature(prelude_import)]\n#![allow(unused)]\nextern crate std;\n\
                        #[prelude_import]\nuse std::prelude::rust_2021::*;\nfn f() {}\n";
        assert_eq!(tidy_expansion(expanded), ["#![allow(unused)]\nfn f() {}\n"]);
    }

    #[test]
    fn derived_bodies_are_emptied_first() {
        let expanded = "struct S;\n#[automatically_derived]\nimpl Clone for S {\n    #[inline]\n    \
                        fn clone(&self) -> S {\n        S\n    }\n}\n";
        let emptied = "struct S;\nimpl Clone for S {\n    fn clone(&self) -> S {\n        \
                       loop {}\n    }\n}\n";
        assert_eq!(tidy_expansion(expanded), [emptied, expanded]);
    }

    #[test]
    fn what_does_not_parse_has_no_form() {
        assert_eq!(tidy_expansion("fn fn"), Vec::<String>::new());
    }
}
