//! The layout in which a result is shown: prettyplease's, which drops ordinary comments.

use crate::interruption::is_interruption;
use crate::islands::FileWithStandIns;
use crate::parse::{Parsed, SpanGuard, byte_range, parse_tokens};
use crate::tokens;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{ExprMatch, FieldsNamed, ItemEnum, Token, WhereClause};

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

/// Lays out a file that is parsed already.
pub fn pretty_file(file: &syn::File) -> Option<String> {
    // prettyplease panics on syntax that it does not know.
    without_panicking(|| prettyplease::unparse(file)).map(with_inline_snapshots)
}

/// Removes the space between an `@` and the text that a macro is given there: an inline snapshot, which is written `@"text"`. In a pattern
/// `@` stands behind a name.
fn with_inline_snapshots(text: String) -> String {
    if !text.contains("@ ") {
        return text;
    }
    let all = tokens(&text);
    let word = |idx: usize| all.get(idx).map_or("", |token| &text[token.range()]);
    let (mut result, mut done) = (String::new(), 0);
    for idx in 1..all.len() {
        let is_snapshot =
            word(idx) == "@" && matches!(word(idx - 1), "," | "(") && word(idx + 1).contains('"');
        if is_snapshot {
            result.push_str(&text[done..all[idx].range().end]);
            done = all[idx + 1].range().start;
        }
    }
    result.push_str(&text[done..]);
    result
}

thread_local! {
    /// Whether a panic of this thread is expected, so that its message is not printed.
    static IS_EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of a function, or `None` if it panics, without a message. An interruption is passed on.
fn without_panicking<T>(make: impl FnOnce() -> T) -> Option<T> {
    static SILENCE: Once = Once::new();
    SILENCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_EXPECTED.get() {
                before(panic);
            }
        }));
    });
    IS_EXPECTED.set(true);
    let made = catch_unwind(AssertUnwindSafe(make));
    IS_EXPECTED.set(false);
    match made {
        Ok(made) => Some(made),
        Err(payload) if is_interruption(&*payload) => resume_unwind(payload),
        Err(_) => None,
    }
}

/// Removes the commas of a text that may stand or not, as layouts add them: at the ends of where clauses, after the last
/// field or variant, and after the last arm.
#[must_use]
pub fn without_last_commas(text: &str) -> String {
    let parsed = Parsed::new(text);
    let mut commas = LastCommas::default();
    parsed
        .file()
        .iter()
        .for_each(|file| commas.visit_file(file));
    let mut left = text.to_owned();
    commas.0.sort_unstable_by_key(|range| range.start);
    for range in commas.0.into_iter().rev() {
        left.replace_range(range, "");
    }
    left
}

/// The places of the commas that [`without_last_commas`] removes.
#[derive(Default)]
struct LastCommas(Vec<Range<usize>>);

impl LastCommas {
    fn last_of<T>(&mut self, list: &Punctuated<T, Token![,]>) {
        let last = list.pairs().next_back();
        let comma = last.and_then(|pair| pair.punct().map(|comma| byte_range(*comma)));
        self.0.extend(comma);
    }
}

impl<'a> Visit<'a> for LastCommas {
    fn visit_where_clause(&mut self, clause: &'a WhereClause) {
        visit::visit_where_clause(self, clause);
        self.last_of(&clause.predicates);
    }

    fn visit_fields_named(&mut self, fields: &'a FieldsNamed) {
        visit::visit_fields_named(self, fields);
        self.last_of(&fields.named);
    }

    fn visit_item_enum(&mut self, item: &'a ItemEnum) {
        visit::visit_item_enum(self, item);
        self.last_of(&item.variants);
    }

    fn visit_expr_match(&mut self, matching: &'a ExprMatch) {
        visit::visit_expr_match(self, matching);
        let last = matching.arms.last().and_then(|arm| arm.comma);
        self.0.extend(last.map(|comma| byte_range(&comma)));
    }
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
    fn inline_snapshots_stand_behind_their_sign() {
        assert_eq!(
            pretty("fn f() { s!(a, @r\"b\"); s!(a, @\"b\"); s!(a, @r#\"b\"#); match a { b @ \"c\" => {} _ => {} } }").as_deref(),
            Some(
                "fn f() {\n    s!(a, @r\"b\");\n    s!(a, @\"b\");\n    s!(a, @r#\"b\"#);\n    match a {\n        b @ \"c\" => {}\n        _ => {}\n    }\n}\n"
            )
        );
    }

    #[test]
    fn pretty_gives_nothing_for_what_is_not_rust() {
        assert_eq!(pretty("fn f() { \""), None);
    }

    #[test]
    fn commas_at_the_ends_of_where_clauses_go() {
        assert_eq!(
            without_last_commas(
                "fn f()\nwhere\n    A: B,\n    C: D,\n{\n    g(a,);\n}\nstruct S where A: B;"
            ),
            "fn f()\nwhere\n    A: B,\n    C: D\n{\n    g(a,);\n}\nstruct S where A: B;"
        );
    }

    #[test]
    fn the_last_field_variant_and_arm_have_no_comma() {
        assert_eq!(
            without_last_commas(
                "enum E {\n    A { a: u8, },\n    B,\n}\nfn f(e: E) {\n    match e {\n        E::B => S { a: 1, },\n        _ => (1,),\n    }\n}"
            ),
            "enum E {\n    A { a: u8 },\n    B\n}\nfn f(e: E) {\n    match e {\n        E::B => S { a: 1, },\n        _ => (1,)\n    }\n}"
        );
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
