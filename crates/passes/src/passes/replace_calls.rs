//! `replace_calls`: removes the functions of one signature, and puts something simple in place of all calls: an
//! argument of the returned type, a borrow of an argument, `loop {}`, or `()`.

use super::functions::{Call, Family, Functions};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::precedence::as_prefixed;
use crate::program::{Change, Program};
use reduce_syntax::{EditSet, count_tokens};
use syn::{Expr, Type};

pub(super) const PASS: Pass = Pass {
    name: "replace_calls",
    about: "Deletes a function, with an argument, `loop {}` or `()` in place of all calls",
    example: (
        "fn f(a: u8) -> u8 { a + 1 } fn g() { h(f(2)); h(f(3)) }",
        "fn g() { h(2); h(3) }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let families = functions.families.iter();
    let found = families.flat_map(|family| Replacing { program, family }.changes());
    found.collect()
}

struct Replacing<'f, 'p> {
    program: &'p Program,
    family: &'f Family<'p>,
}

impl<'p> Replacing<'_, 'p> {
    fn changes(&self) -> Vec<EditSet> {
        let is_used = self.calls().any(|call| call.statement.is_none());
        if !is_used || !self.family.mentions.is_empty() {
            return Vec::new();
        }
        let output = self.output();
        let diverging = output != "()" && !self.is_found_by_others();
        let diverging = diverging.then(|| self.with(|_| Some("loop {}")));
        let is_operand = |call: &Call<'_>| !self.program.expression_context(&call.whole).is_free();
        let takes_any = output == "()" || !self.calls().any(is_operand);
        let unit = takes_any.then(|| self.with(|_| Some("()")));
        let all = [
            self.argument(),
            self.borrowed(),
            diverging.flatten(),
            unit.flatten(),
        ];
        all.into_iter().flatten().collect()
    }

    fn output(&self) -> &'p str {
        let first = self.family.first();
        first.output().map_or("()", |ty| first.at.text(ty))
    }

    /// Whether another pass finds the change: a single call that is larger than `loop {}` becomes
    /// that by another pass, and then nothing mentions the function.
    fn is_found_by_others(&self) -> bool {
        let mut calls = self
            .calls()
            .map(|call| count_tokens(self.program.text(&call.whole)));
        calls.next().is_some_and(|n_tokens| n_tokens > 3) && calls.next().is_none()
    }

    /// Returns the calls outside of the functions that are removed.
    fn calls(&self) -> impl Iterator<Item = &Call<'p>> {
        let is_inside = |call: &Call<'_>| {
            let mut functions = self.family.functions.iter();
            functions.any(|function| call.whole.is_within(&function.whole))
        };
        let calls = self.family.calls.iter();
        calls.filter(move |call| !is_inside(call))
    }

    /// Puts the argument for the first parameter of the returned type in place of each call.
    fn argument(&self) -> Option<EditSet> {
        let (first, output) = (self.family.first(), self.output());
        let is_same = |ty: &Type| first.at.text(ty) == output;
        let mut parameters = first.parameters.iter();
        let idx = parameters.position(|one| one.ty.is_some_and(is_same))?;
        self.with(|call| Some(call.at.text(call.argument(first, idx)?)))
    }

    /// Puts a borrow of what the returned reference borrows in place of each call.
    fn borrowed(&self) -> Option<EditSet> {
        let first = self.family.first();
        let reference = |ty: &'p Type| match ty {
            Type::Reference(one) => Some(one),
            _ => None,
        };
        first.output().and_then(reference)?;
        let parameters = first.parameters.iter().enumerate();
        let mut references = parameters.filter_map(|(idx, one)| Some((idx, reference(one.ty?)?)));
        let (idx, ty) = references.next()?;
        let borrow = if ty.mutability.is_some() {
            "&mut *"
        } else {
            "&*"
        };
        let mut change = self.without_functions();
        for call in self.calls() {
            let argument = call.argument(first, idx)?;
            let text = call.at.text(argument);
            let text = match argument {
                Expr::Reference(_) => text.to_owned(),
                _ => format!("{borrow}{}", as_prefixed(text)),
            };
            change.replace_expr(&call.whole, &text);
        }
        change.finish()
    }

    fn without_functions(&self) -> Change<'p> {
        let mut change = self.program.change();
        for function in &self.family.functions {
            change.remove(&function.whole);
        }
        change
    }

    /// Puts a text in place of each call; calls that are statements go with their statements.
    fn with<'t>(&self, text: impl Fn(&Call<'p>) -> Option<&'t str>) -> Option<EditSet> {
        let mut change = self.without_functions();
        for call in self.calls() {
            match &call.statement {
                Some(statement) => change.remove(statement),
                None => change.replace_expr(&call.whole, text(call)?),
            };
        }
        change.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_function_goes_with_all_calls() {
        check(
            &PASS,
            "fn f() -> u8 { f() } fn g() { f(); h(f()); k(f()) }",
            &[
                "fn g() { h(loop {}); k(loop {}) }",
                "fn g() { h(()); k(()) }",
            ],
        );
    }

    #[test]
    fn what_is_passed_of_the_same_type_stands_for_the_call() {
        check_has(
            &PASS,
            "impl S { fn f(&self, a: A, b: B) -> B { c } } fn g(s: S) { s.f(x, y + z) - 1 }",
            "impl S {} fn g(s: S) { y + z - 1 }",
        );
    }

    #[test]
    fn a_borrow_of_what_is_passed_stands_for_a_reference() {
        check_has(
            &PASS,
            "fn f<'a>(a: u8, b: &'a mut S) -> &'a T { c } fn g(x: &mut S) { h(f(1, x)); f(1, &mut y).z; }",
            "fn g(x: &mut S) { h(&mut *x); (&mut y).z; }",
        );
    }

    #[test]
    fn a_method_goes_from_a_trait_and_its_impls() {
        check(
            &PASS,
            "trait T { fn f(&self); } impl T for S { fn f(&self) {} } fn g() { let a = S.f(); }",
            &["trait T {} impl T for S {} fn g() { let a = (); }"],
        );
    }

    #[test]
    fn a_single_call_is_another_pass() {
        check(
            &PASS,
            "fn f(a: u8) -> A { b } fn g() { h(f(1)) }",
            &["fn g() { h(()) }"],
        );
    }

    #[test]
    fn what_is_mentioned_otherwise_or_called_for_nothing_stays() {
        check_not_applicable(
            &PASS,
            "fn f() -> u8 { 1 } fn g() { f(); } fn h() -> u8 { 1 } fn k() { h() + l(h) }",
        );
    }
}
