//! `inline_functions`: a function or a named closure goes, and its body stands where it is called:
//! once, or a few times if it is an expression.

mod body;
mod site;

use super::functions::{Call, Family, Functions};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program};
use body::{Types, inlined};
use reduce_syntax::EditSet;
use site::Suffixes;

pub(super) const PASS: Pass = Pass {
    name: "inline_functions",
    about: "Puts the body of a function or closure where it is called",
    example: (
        "fn f(a: u8) { g(a); h(a) } fn k() { f(1); }",
        "fn k() { g(1); h(1); }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

/// The most calls of one function whose body is copied, if it is an expression.
const MOST_CALLS: usize = 3;

/// The most calls of one function whose body is copied where the program may become larger.
const MOST_COPIES: usize = 8;

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let suffixes = Suffixes::of(program);
    let families = functions.families.iter().filter(|one| may_inline(one));
    let found = families.flat_map(|family| {
        let types = [Types::AsWritten, Types::Told].into_iter();
        types.filter_map(|types| inline(program, (&functions, &suffixes), family, types))
    });
    found.collect()
}

/// Returns the changes that put the body of a function where it is called, however large that makes the program. A
/// call in the receiver or an argument of another stays with the function: once the outer one is gone it is no such
/// call any more.
#[must_use]
pub fn inlinings(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let suffixes = Suffixes::of(program);
    let families = functions.families.iter();
    let families = families.filter(|one| may_be_copied(one) && one.calls.len() <= MOST_COPIES);
    let found = families.flat_map(|family| {
        let known = (&functions, &suffixes);
        match family.calls.iter().any(|call| is_in_another(family, call)) {
            true => vec![inline_outer(program, known, family)],
            false => [Types::AsWritten, Types::Told]
                .map(|types| inline(program, known, family, types))
                .into(),
        }
    });
    found.flatten().collect()
}

/// Puts the body of a function in place of its calls that are in no other call of it.
fn inline_outer<'p>(
    program: &'p Program,
    (functions, suffixes): (&Functions<'p>, &Suffixes),
    family: &Family<'p>,
) -> Option<EditSet> {
    let mut change = program.change();
    let calls = family.calls.iter();
    for call in calls.filter(|call| !is_in_another(family, call)) {
        let site = suffixes.site(program, family.first(), call)?;
        let body = inlined(program, functions, family.first(), &site, Types::AsWritten)?;
        change.replace(site.statement.as_ref().unwrap_or(&site.whole), &body.text);
    }
    change.finish()
}

fn inline<'p>(
    program: &'p Program,
    (functions, suffixes): (&Functions<'p>, &Suffixes),
    family: &Family<'p>,
    types: Types,
) -> Option<EditSet> {
    let function = family.first();
    let mut change = program.change();
    let mut has_told = false;
    for call in &family.calls {
        let site = suffixes.site(program, function, call)?;
        let body = inlined(program, functions, function, &site, types)?;
        has_told |= body.has_told;
        change.replace(site.statement.as_ref().unwrap_or(&site.whole), &body.text);
    }
    if types == Types::Told && !has_told {
        return None;
    }
    let only_member = function.at.block().filter(|block| block.items.len() == 1);
    let block = only_member.map(|block| function.at.place(block));
    let is_free = |block: &Place| !family.calls.iter().any(|call| call.whole.is_within(block));
    change.remove(
        &block
            .filter(is_free)
            .unwrap_or_else(|| function.whole.clone()),
    );
    change.finish()
}

/// Whether the program hardly becomes larger by inlining a function.
fn may_inline(family: &Family<'_>) -> bool {
    let Some(body) = &family.first().body else {
        return false;
    };
    let is_called_alone = match family.calls.len() {
        1 => true,
        2..=MOST_CALLS => body.n_statements == 1 && body.value.is_some(),
        _ => false,
    };
    let mut calls = family.calls.iter();
    is_called_alone && may_be_copied(family) && !calls.any(|call| is_in_another(family, call))
}

/// Whether the body of a function may stand where it is called.
fn may_be_copied(family: &Family<'_>) -> bool {
    let function = family.first();
    let mut calls = family.calls.iter();
    function.body.is_some()
        && !family.calls.is_empty()
        && family.mentions.is_empty()
        && !function.at.is_in_trait()
        && !calls.any(|call| call.whole.is_within(&function.whole))
}

fn is_in_another(family: &Family<'_>, call: &Call<'_>) -> bool {
    let mut others = family.calls.iter();
    others.any(|other| !std::ptr::eq(other, call) && call.whole.is_within(&other.whole))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable, normalized, single};
    use super::{PASS, inlinings};
    use crate::program::Program;

    /// Checks what each inlining makes of a program, however large that is.
    #[track_caller]
    fn check_inlinings(before: &str, after: &[&str]) {
        let sources = single(before);
        let found = inlinings(&Program::new(&sources)).into_iter().map(|edits| {
            let tree = edits.apply(&sources);
            normalized(tree.text(tree.root()))
        });
        let expected: Vec<String> = after.iter().map(|text| normalized(text)).collect();
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_body_is_copied_where_the_program_may_become_larger() {
        check_inlinings(
            "fn f(a: u8) { let b = g(a); h(b) } fn k() { f(1); f(2); }",
            &["fn k() { let b = g(1); h(b); let b = g(2); h(b); }"],
        );
    }

    #[test]
    fn of_nested_calls_the_outer_ones_come_first() {
        check_inlinings(
            "struct S(u8); impl S { fn f(mut self, a: u8) -> Self { self.0 += a; self } } fn k() { g(S(0).f(1).f(2)); }",
            &[
                "struct S(u8); impl S { fn f(mut self, a: u8) -> Self { self.0 += a; self } } \
               fn k() { g({ let mut this = S(0).f(1); this.0 += 2; this }); }",
            ],
        );
    }

    #[test]
    fn a_receiver_that_is_changed_or_made_becomes_a_variable() {
        check(
            &PASS,
            "struct S(u8); impl S { fn f(mut self) -> Self { self.0 = 1; self } } fn g(x: S) { h(x.f()); }",
            &["struct S(u8); fn g(x: S) { h({ let mut this = x; this.0 = 1; this }); }"],
        );
        check(
            &PASS,
            "struct S(u8, u8); impl S { fn f(&self) -> u8 { self.0 + self.1 } } fn g() { h(k().f()); }",
            &["struct S(u8, u8); fn g() { h({ let this = k(); this.0 + this.1 }); }"],
        );
    }

    #[test]
    fn parameters_become_what_is_passed_or_variables() {
        check(
            &PASS,
            "fn f(a: u8, b: u8, mut c: u8, (d, e): P) -> u8 { a + a + b + c + d } fn g() { h(f(1, x.y, 2, p)) }",
            &[
                "fn g() { h({ let mut c = 2; let (d, e) = p; 1 + 1 + x.y + c + d }) }",
                "fn g() { h({ let mut c = 2u8; let (d, e) = p; 1u8 + 1u8 + x.y + c + d }) }",
            ],
        );
    }

    #[test]
    fn parentheses_keep_what_belongs_together() {
        check(
            &PASS,
            "fn f(a: u8) -> u8 { a * 2 } fn g() { f(x + y) - 1; }",
            &["fn g() { (x + y) * 2 - 1; }"],
        );
        check(
            &PASS,
            "fn f(a: u8) -> u8 { h(a) } fn g() { f(x + y) - 1; }",
            &["fn g() { h(x + y) - 1; }"],
        );
    }

    #[test]
    fn what_is_passed_several_times_is_evaluated_once() {
        check(
            &PASS,
            "fn f(a: u8) -> u8 { a + a } fn g() { let b = f(h()); }",
            &["fn g() { let b = { let a = h(); a + a }; }"],
        );
    }

    #[test]
    fn methods_are_called_of_something() {
        check_has(
            &PASS,
            "struct S; impl S { fn f(&self, a: u8) { g(self, self.b, a); Self::h() } fn h() {} fn h2() {} }
            fn k(s: S) { s.f(1) }",
            "struct S; impl S { fn h() {} fn h2() {} } fn k(s: S) { { g(&s, s.b, 1); S::h() } }",
        );
    }

    #[test]
    fn an_impl_goes_with_its_last_member() {
        check(
            &PASS,
            "impl S<T> { fn f() -> Self { Self { a: Self::B } } } fn g() { S::f(); }",
            &["fn g() { S { a: S::B }; }"],
        );
    }

    #[test]
    fn a_turbofish_tells_generic_parameters() {
        check(
            &PASS,
            "fn f<'a, T>() { g::<T>() } fn h() { f::<u8>() }",
            &["fn h() { g::<u8>() }"],
        );
        check_not_applicable(&PASS, "fn f<T>(a: T) { g::<T>(a) } fn h() { f(1) }");
    }

    #[test]
    fn an_expression_is_inlined_a_few_times() {
        check(
            &PASS,
            "fn f(a: u8) -> u8 { a } fn g() { f(1); h(f(x.y)); }",
            &["fn g() { 1; h(x.y); }"],
        );
        check_not_applicable(
            &PASS,
            "fn f(a: u8) -> u8 { a.b.c.d.e.f(1, 2, 3) } fn g() { f(1); h(f(2), f(3)); }",
        );
    }

    #[test]
    fn what_is_collected_tells_its_type() {
        check(
            &PASS,
            "fn f(a: &[u8]) -> Vec<String> { a.iter().map(g).collect() } fn h() { let b = f(c); k(b[0]) }",
            &[
                "fn h() { let b = c.iter().map(g).collect(); k(b[0]) }",
                "fn h() { let b = c.iter().map(g).collect::<Vec<String>>(); k(b[0]) }",
            ],
        );
        check(
            &PASS,
            "fn f(a: &[u8]) -> impl Sum { a.iter().sum() } fn h() { f(c); }",
            &["fn h() { c.iter().sum(); }"],
        );
    }

    #[test]
    fn what_a_bound_tells_to_convert_is_left_out() {
        check(
            &PASS,
            "fn f(a: &[impl AsRef<str>]) { for b in a { g(b.as_ref().len(), c.borrow()); } } fn h() { f(&[\"b\"]); }",
            &[
                "fn h() { for b in &[\"b\"] { g(b.as_ref().len(), c.borrow()); }; }",
                "fn h() { for b in &[\"b\"] { g(b.len(), c.borrow()); }; }",
            ],
        );
        check(
            &PASS,
            "fn f<B>(b: B) where B: std::borrow::Borrow<str> { g(b.borrow()) } fn h() { f(\"b\"); }",
            &["fn h() { g(\"b\".borrow()); }", "fn h() { g(\"b\"); }"],
        );
        check(
            &PASS,
            "fn f(b: &str) { g(b.as_ref()) } fn h() { f(\"b\"); }",
            &["fn h() { g(\"b\".as_ref()); }"],
        );
    }

    #[test]
    fn what_is_parsed_tells_its_type() {
        check(
            &PASS,
            "fn f(a: &str) -> Price { a.parse().unwrap() } fn h() { f(\"1\").k(); }",
            &[
                "fn h() { \"1\".parse().unwrap().k(); }",
                "fn h() { \"1\".parse::<Price>().unwrap().k(); }",
            ],
        );
        check(
            &PASS,
            "fn f(a: &str) -> Result<Price, E> { a.parse() } fn h() { f(\"1\").k(); }",
            &["fn h() { \"1\".parse().k(); }"],
        );
    }

    #[test]
    fn numbers_that_are_passed_have_their_type() {
        check(
            &PASS,
            "fn f(a: u8, b: &str) { g(b, x << a); } fn h() { f(3, \"c\"); }",
            &[
                "fn h() { g(\"c\", x << 3); }",
                "fn h() { g(\"c\", x << 3u8); }",
            ],
        );
        check(
            &PASS,
            "fn f(a: u8, b: N) { g(a, b); } fn h() { f(3u8, 1); }",
            &["fn h() { g(3u8, 1); }"],
        );
    }

    #[test]
    fn what_is_passed_without_a_type_has_that_of_the_parameter() {
        check_inlinings(
            "fn f(x: &mut X, a: &[&str]) { for b in a { x.g(b); } x.h() } fn k() { f(y, &[\"c\"]); f(y, &[]); }",
            &[
                "fn k() { for b in &[\"c\"] { y.g(b); } y.h(); for b in &[] { y.g(b); } y.h(); }",
                "fn k() { for b in &[\"c\"] { y.g(b); } y.h(); let a: &[&str] = &[]; for b in a { y.g(b); } y.h(); }",
            ],
        );
        check_has(
            &PASS,
            "fn f(a: Option<u8>, b: Vec<u8>, c: M) -> u8 { g(a, b, c) } fn k() { f(None, Vec::new(), Default::default()); }",
            "fn k() { let a: Option<u8> = None; let b: Vec<u8> = Vec::new(); let c: M = Default::default(); g(a, b, c); }",
        );
        check(
            &PASS,
            "fn f<T>(a: Option<T>, b: impl B, c: Vec<u8>) { g(a, b) } fn k() { f(None, None, vec![1]); }",
            &["fn k() { vec![1]; g(None, None); }"],
        );
    }

    #[test]
    fn a_reference_that_branches_give_has_its_type() {
        check(
            &PASS,
            "enum E { A(&'static str), B(String) } impl E { fn f(&self) -> &str { match self { E::A(a) => a, E::B(a) => a } } fn g() {} } \
             fn k(e: E) { h(e.f()) }",
            &[
                "enum E { A(&'static str), B(String) } impl E { fn g() {} } \
                 fn k(e: E) { h(match &e { E::A(a) => a, E::B(a) => a }) }",
                "enum E { A(&'static str), B(String) } impl E { fn g() {} } \
                 fn k(e: E) { h({ let returned: &str = match &e { E::A(a) => a, E::B(a) => a }; returned }) }",
            ],
        );
        check_has(
            &PASS,
            "fn f(s: &S) -> &str { let S(a) = s; a } fn k(s: &S) { h(f(s)) }",
            "fn k(s: &S) { h({ let S(a) = s; let returned: &str = a; returned }) }",
        );
    }

    #[test]
    fn closures_are_inlined() {
        check(
            &PASS,
            "fn f() { let c = |a, b: u8| a; c(1, 2); }",
            &["fn f() { 1; }"],
        );
    }

    #[test]
    fn a_question_mark_after_the_call_takes_those_of_the_body() {
        check(
            &PASS,
            "fn f(a: u8) -> Result<u8, E> { let b = g(a)?; Ok(b + 1) } fn h() -> Result<u8, E> { k(f(1)?); Ok(2) }",
            &["fn h() -> Result<u8, E> { k({ let b = g(1)?; b + 1 }); Ok(2) }"],
        );
        check(
            &PASS,
            "fn f(a: u8) -> Result<u8, E> { Ok(g(a)?) } fn h() -> Result<u8, E> { f(1)?; Ok(2) }",
            &["fn h() -> Result<u8, E> { g(1)?; Ok(2) }"],
        );
        check(
            &PASS,
            "fn f(a: u8) -> Result<(), E> { g(a)?; Ok(()) } fn h() -> Result<u8, E> { f(1)?; Ok(2) }",
            &["fn h() -> Result<u8, E> { g(1)?; Ok(2) }"],
        );
        check_not_applicable(
            &PASS,
            "fn f() -> Result<u8, E> { Ok(g()?) } fn h() { f().unwrap(); }
            fn k() -> Result<u8, E> { return Ok(1); } fn l() -> Result<u8, E> { k()?; Ok(1) }
            fn m() -> Result<u8, E> { g()?; n() } fn o() -> Result<u8, E> { m()?; Ok(1) }",
        );
    }

    #[test]
    fn what_follows_the_only_question_mark_becomes_a_closure() {
        check_has(
            &PASS,
            "fn f(a: u8) -> Result<u8, E> { let b = a + 1; let c = g(b)?; Ok(c + b) } fn h() { k(f(1)); }",
            "fn h() { k({ let b = 1 + 1; g(b).map(|c| c + b) }); }",
        );
        check_has(
            &PASS,
            "fn f(a: u8) -> Result<(), E> { g(a)?; Ok(()) } fn h() { f(1).unwrap(); }",
            "fn h() { g(1).map(drop).unwrap(); }",
        );
        check_has(
            &PASS,
            "fn f() -> Option<()> { let (a, b) = g()?; h(a); k(b); Some(()) } fn l() { f() == None; }",
            "fn l() { g().map(|(a, b)| { h(a); k(b); }) == None; }",
        );
        check_has(
            &PASS,
            "fn f(a: E) -> Option<u8> { match a { A => None, B => { let b = g()?; h(b); Some(b) } } } fn k() { f(c); l(); }",
            "fn k() { match c { A => None, B => { g().map(|b| { h(b); b }) } }; l(); }",
        );
        check_not_applicable(
            &PASS,
            "fn f() -> Option<u8> { g(h()?); None } fn k() { f(); } fn l() -> Option<u8> { if a { b?; } Some(1) } fn m() { l(); }",
        );
    }

    #[test]
    fn what_is_awaited_runs_where_that_is() {
        check(
            &PASS,
            "async fn f(a: u8) { g(a).await; } async fn h() { f(1).await; }",
            &["async fn h() { g(1).await; }"],
        );
        check(
            &PASS,
            "async fn f(a: u8) -> Result<u8, E> { Ok(g(a).await?) } async fn h() -> u8 { k(f(1).await?) }",
            &["async fn h() -> u8 { k(g(1).await?) }"],
        );
        check_not_applicable(&PASS, "async fn f() {} fn h() { g(f()) }");
    }

    #[test]
    fn what_returns_recurses_or_is_no_mere_call_stays() {
        check_not_applicable(
            &PASS,
            "fn f() { return; } fn g() { f() } fn h() { h() } fn k() {} fn l() { k(); m(k) }
            async fn n() {} fn o() { n(); } trait T { fn p() {} } fn q() { T::p() }",
        );
    }
}
