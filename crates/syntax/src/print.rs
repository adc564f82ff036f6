//! The layout in which a result is shown: prettyplease's, which drops ordinary comments.

use crate::islands::FileWithStandIns;
use crate::parse::{SpanGuard, parse_tokens};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Prints a file in a uniform layout. What syn does not understand is as it was, in one line.
///
/// Returns `None` where syn cannot parse it, apart from such islands, or where prettyplease does not know some of its syntax;
/// the text is then best shown as it is.
#[must_use]
pub fn pretty(text: &str) -> Option<String> {
    let _positions = SpanGuard::new();
    match syn::parse_file(text) {
        Ok(file) => pretty_file(&file),
        Err(_) => {
            let file = FileWithStandIns::parse(parse_tokens(text).ok()?)?;
            Some(file.with_islands(&pretty_file(&file.syntax)?, text))
        }
    }
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
        assert_eq!(pretty("fn f() { \""), None);
    }

    #[test]
    fn islands_stay_as_they_are() {
        check_islands(
            "type X=unsafe <T>(); const C  =\n g(); // x\nfn f( ){}",
            "type X = unsafe <T>();\nconst C = g();\nfn f() {}\n",
        );
        check_islands(
            "fn f(){super let x=1 ; g( ) } trait  T=! S;",
            "fn f() {\n    super let x = 1;\n    g()\n}\ntrait T = ! S;\n",
        );
        check_islands(
            "fn f(){ g(  x . use ); what  is this; }",
            "fn f() {\n    g(x.use);\n    what is this;\n}\n",
        );
    }

    #[track_caller]
    fn check_islands(text: &str, expected: &str) {
        assert_eq!(pretty(text).as_deref(), Some(expected));
    }
}
