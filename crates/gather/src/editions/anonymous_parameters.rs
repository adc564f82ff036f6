//! Parameters of methods of traits that have a type only: `fn f(u8);` becomes `fn f(_: u8);`.

use crate::rewriting::{Rewriting, rewrite_tokens};
use reduce_syntax::TokenCursor;
use std::ops::Range;

/// Puts a `_: ` before each parameter that is only a type.
pub(crate) fn named(text: &str) -> String {
    rewrite_tokens(text, |rewriting, idx| {
        if rewriting.cursor.is(idx, "trait")
            && let Some(body) = body_of_trait(&rewriting.cursor, idx)
        {
            name_in_body(rewriting, body);
        }
    })
}

/// Returns the tokens between the braces of the trait whose keyword is at `idx`.
fn body_of_trait(cursor: &TokenCursor<'_>, idx: usize) -> Option<Range<usize>> {
    let mut at = idx + 1;
    while !cursor.is(at, "{") {
        if matches!(cursor.word(at), "" | ";" | ")" | "}" | "=>" | "trait") {
            return None;
        }
        at = cursor.skip_group(at);
    }
    Some(at + 1..cursor.partner(at)?)
}

fn name_in_body(rewriting: &mut Rewriting<'_>, body: Range<usize>) {
    let mut at = body.start;
    while at < body.end {
        if rewriting.cursor.is(at, "fn") {
            name_in_signature(rewriting, at);
        }
        at = rewriting.cursor.skip_group(at);
    }
}

fn name_in_signature(rewriting: &mut Rewriting<'_>, at: usize) {
    let cursor = &rewriting.cursor;
    let name = if cursor.is(at + 1, "$") {
        at + 2
    } else {
        at + 1
    };
    let opening = match cursor.is(name + 1, "<") {
        true => cursor.skip_angles(name + 1),
        false => name + 1,
    };
    let Some(closing) = cursor.partner(opening).filter(|_| cursor.is(opening, "(")) else {
        return;
    };
    let parameters = cursor.split_by_commas(opening + 1..closing);
    let anonymous = parameters
        .into_iter()
        .filter_map(|one| anonymous(cursor, one));
    let starts: Vec<usize> = anonymous.collect();
    for start in starts {
        rewriting.insert(start, "_: ");
    }
}

/// Finds the first token of the type of a parameter that is nothing but a type.
fn anonymous(cursor: &TokenCursor<'_>, parameter: Range<usize>) -> Option<usize> {
    let start = cursor.skip_attributes(parameter.start);
    let mut at = start;
    while at < parameter.end {
        if matches!(cursor.word(at), ":" | "self" | "$" | "...") {
            return None;
        }
        at = match cursor.word(at) {
            "<" => cursor.skip_angles(at),
            _ => cursor.skip_group(at),
        };
    }
    (start < parameter.end).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        assert_eq!(named(before), after);
    }

    #[track_caller]
    fn check_kept(text: &str) {
        check(text, text);
    }

    #[test]
    fn types_alone_get_a_pattern() {
        check(
            "trait T { fn f(u8, &str); }",
            "trait T { fn f(_: u8, _: &str); }",
        );
        check(
            "trait T { fn f<F: Fn(u8)>(&self, F, x: u8, Vec<(u8, A<B>)>) -> u8 { 1 } }",
            "trait T { fn f<F: Fn(u8)>(&self, _: F, x: u8, _: Vec<(u8, A<B>)>) -> u8 { 1 } }",
        );
        check(
            "unsafe trait T<A>: U where A: Fn(u8) { fn f(a::B); }",
            "unsafe trait T<A>: U where A: Fn(u8) { fn f(_: a::B); }",
        );
        check(
            "trait T { fn f(#[a] u8,); }",
            "trait T { fn f(#[a] _: u8,); }",
        );
        check(
            "trait T { fn f(&mut for<'a: 'b> Fn(u8)); }",
            "trait T { fn f(_: &mut for<'a: 'b> Fn(u8)); }",
        );
    }

    #[test]
    fn macros_have_traits_too() {
        check(
            "macro_rules! m { ($n:ident) => { trait $n { fn $n(u8, $t); } } }",
            "macro_rules! m { ($n:ident) => { trait $n { fn $n(_: u8, $t); } } }",
        );
    }

    #[test]
    fn named_parameters_and_receivers_stay() {
        check_kept(
            "trait T { fn f(self: Box<Self>, x: u8, (a, b): (u8, u8)); fn g(&'a mut self); fn h(); }",
        );
        check_kept("trait T { fn f(x: u8) { fn g(_: u8) {} let f: fn(u8) = g; } type F: Fn(u8); }");
    }

    #[test]
    fn functions_outside_of_traits_stay() {
        check_kept("fn f(u8) {} impl T for fn(u8) {} trait A = B; (trait) {}");
    }
}
