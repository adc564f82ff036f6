//! Makes all functions of one signature return nothing. What they returned stays as a statement, or goes; what they
//! returned by `?` is a panic.

use super::super::functions::{Body, Call, Function, Functions, Shape};
use crate::pass::{Rewriter, Work};
use crate::program::{Change, Program};
use reduce_syntax::EditSet;
use syn::Expr;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    for family in &Functions::of(program).families {
        let is_operand = |call: &Call<'_>| !program.expression_context(&call.whole).is_free();
        let returns_nothing = |one: &Function<'_>| one.output().is_none();
        if !family.functions.iter().any(returns_nothing) && !family.calls.iter().any(is_operand) {
            found.extend(alternatives(program, &family.functions));
        }
    }
    found
}

/// Returns changes by which functions return nothing: with the values that they returned as statements, and without
/// these values. Another pass drops the type and the last expression of a single function.
fn alternatives<'p>(program: &'p Program, all: &[Function<'p>]) -> Vec<EditSet> {
    let has_value = |one: &Function<'p>| {
        let mut values = one.values(program).into_iter();
        values.any(|value| value.shape == Shape::Other)
    };
    let returns_early = |one: &Function<'p>| {
        let mut leaving = one.leaving(program).into_iter();
        leaving.any(|(one, _)| !matches!(one, Expr::Return(one) if one.expr.is_none()))
    };
    let is_several = all.len() > 1 || all.iter().any(returns_early);
    let keeping = all
        .iter()
        .any(has_value)
        .then(|| drop_values(program, all, true));
    let dropping = is_several.then(|| drop_values(program, all, false));
    keeping.into_iter().chain(dropping).flatten().collect()
}

fn drop_values<'p>(program: &'p Program, all: &[Function<'p>], keeps: bool) -> Option<EditSet> {
    let mut change = program.change();
    for function in all {
        change.delete(&function.at.place(function.returned));
        if let Some(body) = &function.body {
            drop_value(&mut change, body, keeps);
        }
        for (leaving, is_statement) in function.leaving(program) {
            if let Expr::Return(one) = leaving
                && let Some(value) = &one.expr
            {
                let is_kept = keeps && is_statement && Shape::of(value) != Shape::Simple;
                let before = if is_kept {
                    format!("{}; ", function.at.text(value))
                } else {
                    String::new()
                };
                change.replace(&function.at.place(one), &format!("{before}return"));
            }
        }
        function.unwrap_question_marks(program, &mut change);
    }
    change.finish()
}

/// Lets a body end without a value: the last expression becomes a statement if `keeps`, or is deleted. What never
/// ends is worth anything.
fn drop_value(change: &mut Change<'_>, body: &Body<'_>, keeps: bool) {
    match &body.value {
        Some(value) if value.shape == Shape::Other && keeps => {
            change.insert(value.place.end(), ";");
        }
        Some(value) if value.shape != Shape::Diverging => {
            change.delete(&value.place);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn the_value_stays_as_a_statement() {
        check(
            &WORK,
            "impl S { fn f(&self) -> u8 { g(); self.a.b } }",
            &["impl S { fn f(&self) { g(); self.a.b; } }"],
        );
    }

    #[test]
    fn what_is_returned_early_stays_too() {
        check(
            &WORK,
            "fn f() -> u8 { if a { return g(); } match b { _ => return h() } k!() }",
            &[
                "fn f() { if a { g(); return; } match b { _ => return } k!(); }",
                "fn f() { if a { return; } match b { _ => return } }",
            ],
        );
    }

    #[test]
    fn a_trait_and_its_impls_change_together() {
        check(
            &WORK,
            "trait T { fn f() -> u8; } impl T for A { fn f() -> u8 { 1 } } impl T for B { fn f() -> u8 { loop {} } }",
            &["trait T { fn f(); } impl T for A { fn f() {} } impl T for B { fn f() { loop {} } }"],
        );
    }

    #[test]
    fn closures_in_a_function_return_for_themselves() {
        check(
            &WORK,
            "fn f() -> u8 { g(|| return 1) }",
            &["fn f() { g(|| return 1); }"],
        );
    }

    #[test]
    fn a_value_that_an_operator_takes_stays() {
        check_not_applicable(&WORK, "fn f() -> u8 { g() } fn h() { f() + 1; }");
    }

    #[test]
    fn a_question_mark_becomes_a_panic_or_nothing() {
        check(
            &WORK,
            "fn f() -> Result<u8, E> { a()?; b()?.c(d) }",
            &["fn f() { a(); b().unwrap().c(d); }", "fn f() { a(); }"],
        );
    }

    #[test]
    fn what_other_passes_do_stays() {
        check_not_applicable(
            &WORK,
            "fn f() -> u8 { 1 } fn g() -> u8 { loop {} } fn h() { 1 }",
        );
    }

    #[test]
    fn a_value_stays_as_a_statement() {
        check_has(&WORK, "fn f() -> u8 { g() }", "fn f() { g(); }");
    }
}
