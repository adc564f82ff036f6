//! Tells the attributes that make a test of an item, or leave it out unless tests are compiled.

use crate::token_trees::split_trees_by_commas;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Attribute, Meta};

/// The last names of attributes that make a test of a function.
const TESTS: [&str; 6] = [
    "test",
    "bench",
    "rstest",
    "test_case",
    "quickcheck",
    "proptest",
];

/// Returns whether attributes leave something out unless tests are compiled.
#[must_use]
pub fn is_only_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => needs_test(list.tokens.clone()),
        _ => makes_test(attribute),
    })
}

/// Returns whether an attribute makes a test of a function, such as `#[test]` and `#[tokio::test]`.
#[must_use]
pub fn makes_test(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| TESTS.iter().any(|name| last.ident == name))
}

/// Returns whether a condition can only hold where `test` is set.
fn needs_test(condition: TokenStream) -> bool {
    let condition: Vec<TokenTree> = condition.into_iter().collect();
    match condition.as_slice() {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(name), TokenTree::Group(group)]
            if group.delimiter() == Delimiter::Parenthesis =>
        {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let parts = split_trees_by_commas(&inner);
            let mut parts = parts.into_iter().filter(|part| !part.is_empty());
            let needs = |part: &[TokenTree]| needs_test(part.iter().cloned().collect());
            match name.to_string().as_str() {
                "all" => parts.any(needs),
                "any" => !inner.is_empty() && parts.all(needs),
                _ => false,
            }
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(attribute: &str, expected: bool) {
        let item: syn::ItemFn = syn::parse_str(&format!("{attribute} fn f() {{}}")).unwrap();
        assert_eq!(is_only_for_tests(&item.attrs), expected, "{attribute}");
    }

    #[test]
    fn conditions_that_need_test_are_only_for_tests() {
        check("#[cfg(test)]", true);
        check("#[cfg(all(unix, test))]", true);
        check("#[cfg(any(test, all(test, unix)))]", true);
        check("#[cfg(any(test, unix))]", false);
        check("#[cfg(any())]", false);
        check("#[cfg(not(test))]", false);
        check("#[cfg_attr(test, inline)]", false);
    }

    #[test]
    fn tests_of_other_harnesses_are_tests() {
        check("#[test]", true);
        check("#[tokio::test(flavor = \"current_thread\")]", true);
        check("#[rstest]", true);
        check("#[inline]", false);
    }
}
