//! `drop_return_values`: the functions of one signature return nothing. What they returned stays as
//! a statement, or goes; what they returned by `?` is a panic.

use super::functions::{Body, Call, Function, Functions, Returning, Shape};
use super::{Pass, Rewriter, Work};
use crate::program::{Change, Program};
use reduce_model::Position;
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "drop_return_values",
    about: "Drops a return type, where the value stays as a statement or goes",
    example: ("fn f() -> u8 { g() }", "fn f() { g(); }"),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let mut found = Vec::new();
    for family in &functions.families {
        let is_operand = |call: &Call| !program.setting(&call.whole).is_free();
        let all: Vec<&Function> = functions.functions_of(family).collect();
        let returns_nothing = |one: &&Function| one.output.is_none();
        if !all.iter().any(returns_nothing) && !functions.calls_of(family).any(is_operand) {
            found.extend(alternatives(program, &all));
        }
    }
    found
}

/// With the values as statements, and without them. Another pass drops the type and the last
/// expression of a single function.
fn alternatives(program: &Program, all: &[&Function]) -> Vec<EditSet> {
    let values = |one: &Function| one.values().any(|value| value.shape == Shape::Other);
    let returns_early = |one: &Function| one.returns.iter().any(|one| one.value.is_some());
    let may_stay = all.iter().any(|one| values(one));
    let is_several = all.len() > 1 || all.iter().any(|one| returns_early(one));
    let is_several = is_several || all.iter().any(|one| !one.question_marks.is_empty());
    let keeping = may_stay.then(|| drop_values(program, all, true)).flatten();
    let dropping = is_several
        .then(|| drop_values(program, all, false))
        .flatten();
    keeping.into_iter().chain(dropping).collect()
}

fn drop_values(program: &Program, all: &[&Function], keeps: bool) -> Option<EditSet> {
    let mut change = program.change();
    for function in all {
        change.delete(&function.output.as_ref()?.0);
        if let Some(body) = &function.body {
            drop_value(&mut change, body, keeps);
        }
        for one in &function.returns {
            drop_returned(program, &mut change, one, keeps);
        }
        function.unwrap_question_marks(&mut change);
    }
    change.finish()
}

/// Drops what a body is worth. What never ends is worth anything.
fn drop_value(change: &mut Change<'_>, body: &Body, keeps: bool) {
    let Some(value) = &body.value else { return };
    match value.shape {
        Shape::Diverging => {}
        Shape::Other if keeps => {
            change.insert(Position::new(value.place.file, value.place.range.end), ";");
        }
        _ => {
            change.delete(&value.place);
        }
    }
}

fn drop_returned(program: &Program, change: &mut Change<'_>, one: &Returning, keeps: bool) {
    let Some(value) = &one.value else { return };
    let is_something = value.shape != Shape::Simple;
    if keeps && is_something && one.is_statement {
        let text = format!("{}; return", program.text(&value.place));
        change.replace(&one.whole, &text);
    } else {
        change.replace(&one.whole, "return");
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn the_value_stays_as_a_statement() {
        check(
            &PASS,
            "impl S { fn f(&self) -> u8 { g(); self.a.b } }",
            &["impl S { fn f(&self) { g(); self.a.b; } }"],
        );
    }

    #[test]
    fn what_is_returned_early_stays_too() {
        check(
            &PASS,
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
            &PASS,
            "trait T { fn f() -> u8; } impl T for A { fn f() -> u8 { 1 } } impl T for B { fn f() -> u8 { loop {} } }",
            &["trait T { fn f(); } impl T for A { fn f() {} } impl T for B { fn f() { loop {} } }"],
        );
    }

    #[test]
    fn closures_in_a_function_return_for_themselves() {
        check(
            &PASS,
            "fn f() -> u8 { g(|| return 1) }",
            &["fn f() { g(|| return 1); }"],
        );
    }

    #[test]
    fn a_value_that_an_operator_takes_stays() {
        check_not_applicable(&PASS, "fn f() -> u8 { g() } fn h() { f() + 1; }");
    }

    #[test]
    fn a_question_mark_becomes_a_panic_or_nothing() {
        check(
            &PASS,
            "fn f() -> Result<u8, E> { a()?; b()?.c(d) }",
            &["fn f() { a(); b().unwrap().c(d); }", "fn f() { a(); }"],
        );
    }

    #[test]
    fn what_other_passes_do_stays() {
        check_not_applicable(
            &PASS,
            "fn f() -> u8 { 1 } fn g() -> u8 { loop {} } fn h() { 1 }",
        );
    }
}
