//! The layout in which a result is shown: prettyplease's, which drops ordinary comments.

use crate::parse::SpanGuard;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Prints a file in a uniform layout.
///
/// Returns `None` where syn cannot parse it or prettyplease does not know some of its syntax; the
/// text is then best shown as it is.
#[must_use]
pub fn pretty(text: &str) -> Option<String> {
    let _positions = SpanGuard::new();
    pretty_file(&syn::parse_file(text).ok()?)
}

/// The same of what is parsed already.
pub fn pretty_file(file: &syn::File) -> Option<String> {
    // prettyplease panics on syntax that it does not know.
    catch_unwind(AssertUnwindSafe(|| prettyplease::unparse(file))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pretty_lays_code_out_and_drops_comments() {
        assert_eq!(
            pretty("fn f( ){g( )} // x").as_deref(),
            Some("fn f() {\n    g()\n}\n")
        );
    }

    #[test]
    fn pretty_gives_nothing_for_what_is_not_rust() {
        assert_eq!(pretty("fn fn"), None);
    }
}
