//! Changes of calls: another method of the same type, no method call, arguments in another order, `0` for an argument that is a
//! call; and `None` for `Some(..)`.

use super::{ChangeCollector, Signatures};
use crate::mark_text::before_marks;
use crate::mutant::Operator;
use crate::reach::Reach;
use reduce_syntax::byte_range;
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprMethodCall, Token};

/// Pairs of methods that may be called in place of each other, as their arguments and results have the same types.
const PAIRS: [(&str, &str); 55] = [
    ("all", "any"),
    ("back", "front"),
    ("back_mut", "front_mut"),
    ("ceil", "floor"),
    ("checked_add", "checked_sub"),
    ("checked_div", "checked_rem"),
    ("checked_shl", "checked_shr"),
    ("count_ones", "count_zeros"),
    ("ends_with", "starts_with"),
    ("fetch_add", "fetch_sub"),
    ("fetch_and", "fetch_or"),
    ("fetch_max", "fetch_min"),
    ("find", "rfind"),
    ("first", "last"),
    ("first_key_value", "last_key_value"),
    ("first_mut", "last_mut"),
    ("fold", "rfold"),
    ("from_be_bytes", "from_le_bytes"),
    ("ge", "gt"),
    ("is_alphabetic", "is_alphanumeric"),
    ("is_ascii_alphabetic", "is_ascii_alphanumeric"),
    ("is_ascii_lowercase", "is_ascii_uppercase"),
    ("is_err", "is_ok"),
    ("is_lowercase", "is_uppercase"),
    ("is_negative", "is_positive"),
    ("is_none", "is_some"),
    ("is_sign_negative", "is_sign_positive"),
    ("is_subset", "is_superset"),
    ("le", "lt"),
    ("leading_ones", "trailing_ones"),
    ("leading_zeros", "trailing_zeros"),
    ("max", "min"),
    ("max_by", "min_by"),
    ("max_by_key", "min_by_key"),
    ("next", "next_back"),
    ("nth", "nth_back"),
    ("overflowing_add", "overflowing_sub"),
    ("overflowing_shl", "overflowing_shr"),
    ("pop_back", "pop_front"),
    ("pop_first", "pop_last"),
    ("position", "rposition"),
    ("push_back", "push_front"),
    ("rotate_left", "rotate_right"),
    ("rsplit_once", "split_once"),
    ("saturating_add", "saturating_sub"),
    ("split_first", "split_last"),
    ("split_first_mut", "split_last_mut"),
    ("strip_prefix", "strip_suffix"),
    ("to_ascii_lowercase", "to_ascii_uppercase"),
    ("to_be_bytes", "to_le_bytes"),
    ("to_lowercase", "to_uppercase"),
    ("trim_end", "trim_start"),
    ("trim_end_matches", "trim_start_matches"),
    ("wrapping_add", "wrapping_sub"),
    ("wrapping_shl", "wrapping_shr"),
];

/// Pairs of methods that ask the same of a character, the first one for ASCII alone.
const OF_ASCII: [(&str, &str); 7] = [
    ("is_ascii_alphabetic", "is_alphabetic"),
    ("is_ascii_alphanumeric", "is_alphanumeric"),
    ("is_ascii_control", "is_control"),
    ("is_ascii_digit", "is_numeric"),
    ("is_ascii_lowercase", "is_lowercase"),
    ("is_ascii_uppercase", "is_uppercase"),
    ("is_ascii_whitespace", "is_whitespace"),
];

/// Methods whose result has the same type as their receiver, so that the call may be left out.
const OF_ONE_TYPE: [&str; 18] = [
    "abs",
    "clamp",
    "div_euclid",
    "next_multiple_of",
    "not",
    "or",
    "pow",
    "rem_euclid",
    "reverse",
    "reverse_bits",
    "round",
    "saturating_mul",
    "swap_bytes",
    "trim",
    "trunc",
    "wrapping_mul",
    "wrapping_neg",
    "xor",
];

/// Methods without arguments whose result is an integer, whatever type has them.
const COUNTING: [&str; 3] = ["capacity", "count", "len"];

/// Returns the method that may be called in place of the one of this name.
pub(super) fn other_method(name: &str) -> Option<&'static str> {
    other_of(&PAIRS, name)
}

/// Returns the name that makes a pair with another one.
fn other_of(pairs: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    pairs.iter().find_map(|&(a, b)| match name {
        _ if name == a => Some(b),
        _ if name == b => Some(a),
        _ => None,
    })
}

impl<'t> ChangeCollector<'t> {
    /// Notes the changes of a method call; `is_used` says whether its value is used.
    pub(super) fn method_call(&mut self, call: &ExprMethodCall, is_used: bool) {
        if !call.attrs.is_empty() {
            return;
        }
        let whole = byte_range(call);
        let name = call.method.to_string();
        self.swapped(whole.clone(), &name, &call.args);
        if let Expr::Field(field) = &*call.receiver {
            self.another_field(whole.clone(), field, Signatures::sibling_receiver);
        }
        let sibling = self.sibling(&name, self.text_of(&call.receiver));
        let method = byte_range(&call.method);
        let before = &self.text[whole.start..method.start];
        if let Some(other) = self.shorter_call(call, &name).filter(|_| !is_used) {
            let mutated = format!("{before}{other}()");
            self.note_instead(whole.clone(), mutated, Operator::ShorterCall);
        }
        if let Some(other) = other_of(&OF_ASCII, &name).filter(|_| self.knows_signatures()) {
            let mutated = format!("{before}{other}{}", &self.text[method.end..whole.end]);
            self.note_instead(whole.clone(), mutated, Operator::Call);
        }
        let mutated = if let Some(other) = sibling.or(other_method(&name)) {
            format!("{before}{other}{}", &self.text[method.end..whole.end])
        } else if is_used && OF_ONE_TYPE.contains(&name.as_str()) {
            self.text_of(&call.receiver).to_owned()
        } else if let ("unwrap_or", Some(default)) = (name.as_str(), call.args.first()) {
            format!("({})", self.text_of(default))
        } else {
            return;
        };
        self.note_instead(whole, mutated, Operator::Call);
    }

    pub(super) fn call(&mut self, call: &ExprCall) {
        if !call.attrs.is_empty() {
            return;
        }
        let Expr::Path(function) = &*call.func else {
            return;
        };
        let Some(last) = function.path.segments.last() else {
            return;
        };
        let whole = byte_range(call);
        let name = last.ident.to_string();
        self.swapped(whole.clone(), &name, &call.args);
        let called = byte_range(&last.ident);
        let before = &self.text[whole.start..called.start];
        // A mark may stand between the path and the name.
        let of_type = || other_method(&name).filter(|_| function.path.segments.len() > 1);
        if let Some(other) = self.sibling(&name, before).or_else(of_type) {
            let mutated = format!("{before}{other}{}", &self.text[called.end..whole.end]);
            self.note_instead(whole.clone(), mutated, Operator::Call);
        }
        if last.ident == "Some" && last.arguments.is_none() && call.args.len() == 1 {
            let mutated = format!("{before}None");
            self.note_instead(whole, mutated, Operator::Variant);
        }
    }

    /// Notes that an argument which is a call may be `0`.
    pub(super) fn argument(&mut self, argument: &Expr) {
        let is_integer = match argument {
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let counts = call.args.is_empty() && COUNTING.contains(&name.as_str());
                counts || self.gives_integer(&name)
            }
            Expr::Call(call) => match &*call.func {
                Expr::Path(function) => {
                    let last = function.path.segments.last();
                    last.is_some_and(|last| self.gives_integer(&last.ident.to_string()))
                }
                _ => false,
            },
            _ => false,
        };
        if is_integer {
            self.note_instead(byte_range(argument), "0".to_owned(), Operator::Call);
        }
    }

    fn gives_integer(&self, name: &str) -> bool {
        self.knows_signatures() && self.signatures.gives_integer(name)
    }

    /// Returns the method of the same type with fewer arguments that may be called in place of this one.
    fn shorter_call(&self, call: &ExprMethodCall, name: &str) -> Option<&'t str> {
        let is_own = self.text_of(&call.receiver) == "self";
        let other = self.signatures.shorter_call(name);
        other.filter(|other| is_own && self.is_defined(other))
    }

    /// Returns another function with the signature of the called one, if the called one is named with its own
    /// type (`self.f()`, `Type::f()`): other types have methods of the same names.
    fn sibling(&self, name: &str, of: &str) -> Option<&'t str> {
        let signatures = self.signatures;
        let (is_own, sibling) = match self.definition {
            Some(_) => {
                let is_own = of.starts_with("self") || of.starts_with("Self");
                let is_known = |other: &str| self.is_defined(other);
                (is_own, signatures.sibling_among(name, is_known))
            }
            None => {
                // A mark may stand between the path and the name.
                let is_own = of == "self" || before_marks(of).ends_with("::");
                (is_own, signatures.sibling(name))
            }
        };
        sibling.filter(|_| is_own)
    }

    /// Whether the changes may be those that depend on the crate's signatures, which marks do not remember. A point of such a
    /// change is lost where these change.
    pub(super) fn knows_signatures(&self) -> bool {
        self.reach > Reach::Plain
    }

    /// Notes that the two arguments of a call may come in the other order, if they have one type.
    fn swapped(
        &mut self,
        whole: Range<usize>,
        called: &str,
        arguments: &Punctuated<Expr, Token![,]>,
    ) {
        let [Some(first), Some(second), None] = [0, 1, 2].map(|idx| arguments.get(idx)) else {
            return;
        };
        let texts = [first, second].map(|one| self.text_of(one));
        let takes_both = self.signatures.takes_two_of_one_type(called) && self.knows_signatures();
        if texts[0] == texts[1] || !takes_both {
            return;
        }
        let [a, b] = [first, second].map(byte_range);
        let before = &self.text[whole.start..a.start];
        let between = &self.text[a.end..b.start];
        let after = &self.text[b.end..whole.end];
        let mutated = format!("{before}{}{between}{}{after}", texts[1], texts[0]);
        self.note_instead(whole, mutated, Operator::Order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check, check_reaching};

    #[test]
    fn a_character_is_asked_for_more_or_less_than_ascii() {
        check_reaching(
            Reach::Constant,
            "fn f() -> S { g(a.is_ascii_control(), b.is_numeric()) }",
            &["a.is_control()", "b.is_ascii_digit()"],
        );
        check("fn f() -> S { a.is_ascii_control() }", &[]);
    }

    #[test]
    fn another_method_is_called_or_none() {
        check("fn f() -> S { a.min(b) }", &["a.max(b)"]);
        check(
            "fn f() -> S { a.b().starts_with::<T>(c) }",
            &["a.b().ends_with::<T>(c)"],
        );
        check(
            "fn f() -> S { a.trim_end_matches(b) }",
            &["a.trim_start_matches(b)"],
        );
        check(
            "fn f() -> S { u32::from_be_bytes(a) }",
            &["u32::from_le_bytes(a)"],
        );
        check("fn f() -> S { max(a, b) }", &[]);
        check("fn f() -> S { a.cmp(b).reverse() }", &["a.cmp(b)"]);
        check("fn f() -> S { a.unwrap_or(b + c) }", &["(b + c)", "b - c"]);
        check("fn f() -> S { a.len() }", &[]);
    }

    #[test]
    fn an_argument_that_a_call_gives_becomes_nothing() {
        check("fn f() -> S { g(a.len(), b.count()) }", &["0", "0"]);
        let with =
            "fn n() -> usize { x } impl A { fn m(&self) -> u8 { x } fn o(&self) -> f32 { x } }";
        let checked = |body: &str, expected: &[&str]| {
            let text = format!("fn f() -> S {{ {body} }} {with}");
            let mut mutants = crate::testing::all_reaching(Reach::Constant, &text);
            mutants.retain(|one| one.function == "f" && one.mutated == "0");
            let found: Vec<_> = mutants.iter().map(|one| one.original.as_str()).collect();
            assert_eq!(found, expected);
        };
        checked("g(n(), a.m(), a.o(), a.p(), n)", &["n()", "a.m()"]);
        checked("n() + a.m()", &[]);
    }

    #[test]
    fn two_arguments_of_one_type_are_swapped() {
        let one_type = "fn g(a: &T, b: &T) -> S {} trait T { fn h(&self, a: U, b: U) -> V; }";
        let checked = |body: &str, expected: &[&str]| {
            let text = format!("fn f() -> S {{ {body} }} {one_type}");
            check_reaching(Reach::Constant, &text, expected);
        };
        checked("g(a.b, &c)", &["g(&c, a.b)"]);
        checked("a.h(b,c)", &["a.h(c,b)"]);
        checked("g(a, a)", &[]);
        checked("a.i(b, c)", &[]);
        let text = "struct P(u8, u8); fn f() -> P { P(a, b) }";
        check_reaching(Reach::Constant, text, &["P(b, a)"]);
        check(text, &[]);
        let text = "fn g(a: u8, b: i8) {} fn f() -> S { g(a, b) }";
        check_reaching(Reach::Constant, text, &[]);
    }

    #[test]
    fn a_method_is_called_on_another_field_of_the_same_type() {
        let with = "struct S<T> { a: Vec<T>, b: Vec<T>, c: T, d: Vec<T> }
            struct U { c: V, e: V, f: W } struct X { f: W, g: W }";
        let checked = |body: &str, expected: &[&str]| {
            check(&format!("fn f() -> S {{ {body} }} {with}"), expected);
        };
        checked("self.x.a.push(b)", &["self.x.b.push(b)"]);
        checked("self.d.m::<T>().n()", &["self.a.m::<T>()"]);
        checked("x.e.m()", &["x.c.m()"]);
        // Some fields of this name, but not all, have another one beside them.
        checked("(x.c.m(), x.f.m(), x.h.m())", &[]);
        checked("x.g.m()", &["x.f.m()"]);
    }

    #[test]
    fn a_function_of_the_same_signature_is_called() {
        let with = "impl S { fn a(x: u8) -> S {} fn b(y: u8) -> S {} fn c(&self) {} fn d(&self) {} fn e(x: T) {} }";
        let checked = |body: &str, expected: &[&str]| {
            let text = format!("fn f() -> S {{ {body} }} {with}");
            check_reaching(Reach::Constant, &text, expected);
        };
        checked("S::a(x)", &["S::b(x)"]);
        checked("Self::b(x)", &["Self::a(x)"]);
        checked("(self.c(), x.d(), self.x.c())", &["self.d()"]);
        checked("(a(x), S::e(x))", &[]);
        let traits = "trait T { fn a(&self); fn b(&self); }";
        let text = format!("fn f() -> S {{ self.b() }} {traits}");
        check_reaching(Reach::Constant, &text, &["self.a()"]);
        check(&text, &["self.a()"]);
    }

    #[test]
    fn a_method_that_takes_less_is_called() {
        let with = "impl S { fn a(&mut self, x: u8) {} fn b(&mut self) {} fn c(&self, x: u8) {}
            fn d(&mut self, x: T) -> T { e } fn g(&mut self) -> T { e } async fn h(&mut self) {} }";
        let checked = |body: &str, expected: &[&str]| {
            check(&format!("fn f() -> S {{ {body}; S }} {with}"), expected);
        };
        checked("self.a(x.y)", &["", "self.b()"]);
        checked("(self.a(x), y)", &[]);
        checked("self.c(x)", &[""]);
        checked("x.a(y)", &[""]);
        checked("self.b()", &[""]);
        let sibling =
            format!("{with} impl U {{ fn a(&mut self, x: u8) {{}} fn i(&mut self, x: u8) {{}} }}");
        let text = format!("fn f() -> S {{ self.a(x); S }} {sibling}");
        check(&text, &["", "self.b()", "self.i(x)"]);
        let conflict = "impl T { fn a(&mut self, x: u8) {} fn c(&mut self) {} }";
        let text = format!("fn f() -> S {{ self.a(x); S }} {with} {conflict}");
        check(&text, &[""]);
    }

    #[test]
    fn in_a_macro_only_what_it_names_is_called() {
        let checked = |body: &str, expected: &[&str]| {
            let with = "impl S { fn a(x: u8) -> S {} fn b(x: u8) -> S {} fn c(x: u8) -> S {} }";
            let text = format!("macro_rules! m {{ () => {{ fn f() -> S {{ {body} }} }} }} {with}");
            check_reaching(Reach::Macros, &text, expected);
            check_reaching(Reach::MacroOperators, &text, &[]);
        };
        checked("Self::a(c)", &["Self::c(c)"]);
        checked("Self::c(x)", &[]);
    }

    #[test]
    fn something_becomes_nothing() {
        check("fn f() -> S { Some(a) }", &["None"]);
        check("fn f() -> S { a::Option::Some(a) }", &["a::Option::None"]);
        check(
            "fn f() -> S { if let Some(a) = b { Ok(a) } else { c } }",
            &[],
        );
    }

    #[test]
    fn pairs_are_sorted_and_without_those_that_are_left_out() {
        assert!(PAIRS.is_sorted() && OF_ONE_TYPE.is_sorted());
        assert!(PAIRS.iter().all(|(a, b)| a < b));
        assert!(OF_ONE_TYPE.iter().all(|name| other_method(name).is_none()));
    }
}
