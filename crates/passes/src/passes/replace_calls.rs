//! `replace_calls`: the functions of one signature go, and something simple stands in place of all
//! calls: something that is passed of the same type, a borrow of what is passed, `loop {}`, or `()`.

use super::functions::{Call, Family, Function, Functions, Parameter};
use super::{Pass, Rewriter, Work};
use crate::precedence::as_prefixed;
use crate::program::{Change, Program};
use reduce_syntax::{EditSet, count_tokens, tokens};

pub(super) const PASS: Pass = Pass {
    name: "replace_calls",
    about: "Deletes a function, with an argument, `loop {}` or `()` in place of all calls",
    example: (
        "fn f(a: u8) -> u8 { a + 1 } fn g() { h(f(2)); h(f(3)) }",
        "fn g() { h(2); h(3) }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let mut found = Vec::new();
    for family in &functions.families {
        let replacing = Replacing {
            program,
            functions: &functions,
            family,
        };
        found.extend(replacing.changes());
    }
    found
}

struct Replacing<'r> {
    program: &'r Program,
    functions: &'r Functions,
    family: &'r Family,
}

impl Replacing<'_> {
    fn changes(&self) -> Vec<EditSet> {
        let is_used = self.calls().any(|call| call.statement.is_none());
        if !is_used || self.functions.has_other_mentions(self.program, self.family) {
            return Vec::new();
        }
        let first = self.functions.first(self.family);
        let output = first
            .output
            .as_ref()
            .map_or("()", |(_, ty)| self.program.text(ty));
        let argument = self.argument_of(first, output);
        let argument = argument.and_then(|idx| self.with(|call| self.passed(call, first, idx)));
        let diverging =
            (output != "()" && !self.is_found_by_others()).then(|| self.with(|_| Some("loop {}")));
        let is_operand = |call: &Call| !self.program.setting(&call.whole).is_free();
        let takes_any = output == "()" || !self.calls().any(is_operand);
        let unit = takes_any.then(|| self.with(|_| Some("()"))).flatten();
        argument
            .into_iter()
            .chain(self.borrowed(first, output))
            .chain(diverging.flatten())
            .chain(unit)
            .collect()
    }

    /// A single call that is larger than `loop {}` becomes that by another pass, and then nothing
    /// mentions the function.
    fn is_found_by_others(&self) -> bool {
        let mut calls = self
            .calls()
            .map(|call| count_tokens(self.program.text(&call.whole)));
        calls.next().is_some_and(|n_tokens| n_tokens > 3) && calls.next().is_none()
    }

    /// The calls that do not go with the functions.
    fn calls(&self) -> impl Iterator<Item = &Call> {
        let is_inside = |call: &Call| {
            let mut functions = self.functions.functions_of(self.family);
            functions.any(|function| call.whole.is_within(&function.whole))
        };
        self.functions
            .calls_of(self.family)
            .filter(move |call| !is_inside(call))
    }

    /// The first parameter of the type that is returned.
    fn argument_of(&self, first: &Function, output: &str) -> Option<usize> {
        let is_same = |ty: &crate::program::Place| self.program.text(ty) == output;
        let mut parameters = first.parameters.iter();
        parameters.position(|one| one.ty.as_ref().is_some_and(is_same))
    }

    fn passed(&self, call: &Call, first: &Function, idx: usize) -> Option<&str> {
        let argument = call.argument(first, idx)?;
        Some(self.program.text(&argument.place))
    }

    /// Where a reference is returned, what it borrows is borrowed by itself.
    fn borrowed(&self, first: &Function, output: &str) -> Option<EditSet> {
        let ty = |one: &Parameter| one.ty.as_ref().map_or("", |ty| self.program.text(ty));
        let mut types = first.parameters.iter().map(ty);
        let idx = types.position(|ty| ty.starts_with('&'))?;
        let borrow = match is_mutable(ty(first.parameters.get(idx)?)) {
            true => "&mut *",
            false => "&*",
        };
        if !output.starts_with('&') {
            return None;
        }
        let mut change = self.without_functions();
        for call in self.calls() {
            let argument = self.program.text(&call.argument(first, idx)?.place);
            let text = match argument.starts_with('&') {
                true => argument.to_owned(),
                false => format!("{borrow}{}", as_prefixed(argument)),
            };
            change.replace_expr(&call.whole, &text);
        }
        change.finish()
    }

    fn without_functions(&self) -> Change<'_> {
        let mut change = self.program.change();
        for function in self.functions.functions_of(self.family) {
            change.remove(&function.whole);
        }
        change
    }

    /// Calls that are statements go as such.
    fn with<'t>(&self, text: impl Fn(&Call) -> Option<&'t str>) -> Option<EditSet> {
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

/// Whether a reference is mutable.
fn is_mutable(ty: &str) -> bool {
    let all = tokens(ty);
    let mut words = all.iter().map(|token| &ty[token.range()]);
    words.find(|word| *word != "&" && !word.starts_with('\'')) == Some("mut")
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
