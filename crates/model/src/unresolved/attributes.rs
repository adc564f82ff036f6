//! Tells the effects of an attribute on the names in the item at which it stands.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Meta};

/// Returns whether the item at which an attribute stands is certainly compiled, and as it is written.
/// Only the compiler's own attributes are known to leave it alone; any other may be a macro.
pub(super) fn leaves_alone(attribute: &Attribute) -> bool {
    let Some(first) = attribute.path().segments.first() else {
        return false;
    };
    let name = first.ident.to_string();
    match &attribute.meta {
        Meta::List(list) if name == "cfg_attr" => is_harmless_list(&list.tokens),
        Meta::List(list) if name == "unsafe" => is_harmless_list(&list.tokens),
        _ => is_harmless(&name),
    }
}

/// Returns whether an attribute makes a function a test.
pub(super) fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test")
}

/// Returns whether an attribute makes the macros of a crate visible.
pub(super) fn is_macro_use(attribute: &Attribute) -> bool {
    attribute.path().is_ident("macro_use") || attribute.path().is_ident("cfg_attr")
}

/// Returns whether all attributes in a `cfg_attr(condition, attributes..)` are harmless, so that it
/// does not matter whether they are there.
fn is_harmless_list(tokens: &TokenStream) -> bool {
    let mut is_start = true;
    let mut n_commas = 0;
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) if is_start && n_commas > 0 => {
                if !is_harmless(&ident.to_string()) {
                    return false;
                }
                is_start = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                (is_start, n_commas) = (true, n_commas + 1);
            }
            _ => {}
        }
    }
    true
}

fn is_harmless(name: &str) -> bool {
    name.starts_with("rustc_") || HARMLESS.binary_search(&name).is_ok()
}

/// Attributes that change nothing about the names in an item. `test` and `bench` are not: they are
/// left out unless the crate is compiled as a test.
const HARMLESS: [&str; 52] = [
    "allow",
    "allow_internal_unsafe",
    "allow_internal_unstable",
    "automatically_derived",
    "clippy",
    "cold",
    "const_trait",
    "coverage",
    "crate_name",
    "crate_type",
    "default",
    "deny",
    "deprecated",
    "derive",
    "diagnostic",
    "doc",
    "expect",
    "export_name",
    "feature",
    "forbid",
    "fundamental",
    "ignore",
    "inline",
    "lang",
    "link",
    "link_name",
    "link_section",
    "macro_export",
    "macro_use",
    "marker",
    "may_dangle",
    "must_use",
    "naked",
    "no_core",
    "no_mangle",
    "no_std",
    "non_exhaustive",
    "optimize",
    "path",
    "recursion_limit",
    "repr",
    "rustfmt",
    "should_panic",
    "stable",
    "target_feature",
    "thread_local",
    "track_caller",
    "type_length_limit",
    "unstable",
    "used",
    "warn",
    "windows_subsystem",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(attribute: &str, expected: bool) {
        let item: syn::ItemStruct = syn::parse_str(&format!("{attribute} struct S;")).unwrap();
        assert_eq!(leaves_alone(&item.attrs[0]), expected, "{attribute}");
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(HARMLESS.is_sorted());
    }

    #[test]
    fn conditions_and_unknown_macros_do_not_leave_it_alone() {
        check("#[cfg(unix)]", false);
        check("#[test]", false);
        check("#[tokio::main]", false);
        check("#[derive(Clone)]", true);
        check("#[clippy::msrv = \"1\"]", true);
    }

    #[test]
    fn a_conditional_attribute_is_what_it_adds() {
        check("#[cfg_attr(unix, cfg(windows))]", false);
        check(
            "#[cfg_attr(all(unix, windows), derive(Clone), macro_use)]",
            true,
        );
        check("#[cfg_attr(unix, inline, other)]", false);
    }
}
