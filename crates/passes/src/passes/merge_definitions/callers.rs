//! Moves the body of a function that nothing calls into a function without a body that it calls, which then calls
//! itself. What a function only has in a closure becomes its own body.

use super::super::functions::{FunctionItem, insert_output, insert_predicates};
use super::super::generics::predicates;
use crate::pass::{Rewriter, Work};
use crate::program::{Program, simplest_first};
use crate::visit::{self, Home};
use reduce_syntax::EditSet;
use syn::{Block, Expr, ReturnType, Stmt};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most functions that are merged in one program; with more, other passes have work to do first.
const MAX_FUNCTIONS: usize = 16;

fn changes(program: &Program) -> Vec<EditSet> {
    let mut functions = Vec::new();
    visit::each(program, |at, node| {
        functions.extend(FunctionItem::of(at, node));
    });
    functions.truncate(MAX_FUNCTIONS);
    let mut found: Vec<EditSet> = functions
        .iter()
        .filter_map(|one| opened(program, one))
        .collect();
    for caller in functions.iter().filter(|one| is_alone(program, one)) {
        for callee in functions.iter().filter(|one| is_empty(one)) {
            found.extend(merged(program, caller, callee, true));
            found.extend(merged(program, caller, callee, false));
        }
    }
    simplest_first(program, found)
}

/// Whether a function is in no impl or trait, and may change.
fn is_free(function: &FunctionItem<'_>) -> bool {
    matches!(function.at.home, Home::Nothing) && function.is_free_to_change()
}

/// Whether a function takes nothing, and nothing mentions it.
fn is_alone(program: &Program, function: &FunctionItem<'_>) -> bool {
    let signature = function.signature;
    let is_plain = signature.inputs.is_empty() && signature.generics.params.is_empty();
    is_free(function) && is_plain && program.mentions().of(function.position()).is_empty()
}

/// Whether a function outside of impls and traits has an empty body, or does nothing but loop forever.
fn is_empty(function: &FunctionItem<'_>) -> bool {
    let mut bodies = function.body.into_iter();
    is_free(function) && bodies.any(|body| body.stmts.is_empty() || ends_at_once(body))
}

fn ends_at_once(body: &Block) -> bool {
    matches!(body.stmts.as_slice(), [Stmt::Expr(Expr::Loop(inner), None)] if inner.body.stmts.is_empty())
}

/// Gives `callee` the body of `caller`, and the predicates of its where clause too if `is_demanded`.
fn merged(
    program: &Program,
    caller: &FunctionItem<'_>,
    callee: &FunctionItem<'_>,
    is_demanded: bool,
) -> Option<EditSet> {
    let mentions = program.mentions().of(callee.position());
    let is_called = mentions.iter().any(|mention| mention.is_in(&caller.whole));
    let (body, empty) = (caller.body?, callee.body?);
    let clause: Vec<&str> = predicates(&caller.signature.generics)
        .map(|one| caller.at.text(one))
        .collect();
    if !is_called || is_demanded && clause.is_empty() {
        return None;
    }
    let inner = caller.at.text_at(&caller.at.inside(body.brace_token.span));
    let mut text = inner.trim().to_owned();
    if ends_at_once(empty) {
        let is_value = matches!(body.stmts.last(), Some(Stmt::Expr(_, None)));
        text.push_str(if is_value { "; loop {}" } else { " loop {}" });
    }
    let mut change = program.change();
    change.remove(&caller.whole);
    change.replace(&callee.at.place(empty), &format!("{{ {text} }}"));
    if is_demanded {
        insert_predicates(
            &mut change,
            callee.at.file,
            callee.signature,
            &clause.join(", "),
        );
    }
    change.finish()
}

/// Makes the body of a closure that of the function, if the function's body is nothing but the closure.
fn opened(program: &Program, function: &FunctionItem<'_>) -> Option<EditSet> {
    let body = function.body?;
    let [Stmt::Expr(Expr::Closure(closure), _)] = body.stmts.as_slice() else {
        return None;
    };
    let signature = function.signature;
    let is_plain = closure.inputs.is_empty() && matches!(signature.output, ReturnType::Default);
    let ReturnType::Type(_, ty) = &closure.output else {
        return None;
    };
    if !is_plain {
        return None;
    }
    let file = function.at.file;
    let mut change = program.change();
    insert_output(&mut change, file, signature, file.text(ty));
    change.replace(&file.place(body), file.text(&closure.body));
    change.finish()
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn an_empty_function_gets_the_body_of_its_caller() {
        check(
            &WORK,
            "fn f<T>() where T: A {} fn g() where S<0>: { f::<u8>; }",
            &[
                "fn f<T>() where T: A { f::<u8>; }",
                "fn f<T>() where S<0>: , T: A { f::<u8>; }",
            ],
        );
        check_has(
            &WORK,
            "fn f() -> u8 { loop {} } fn g() { f() }",
            "fn f() -> u8 { f(); loop {} }",
        );
    }

    #[test]
    fn a_function_becomes_its_closure() {
        check(
            &WORK,
            "fn f(x: A) { || -> Result<_, B> { x? } }",
            &["fn f(x: A) -> Result<_, B> { x? }"],
        );
    }

    #[test]
    fn what_is_called_or_has_a_body_stays() {
        check_not_applicable(&WORK, "fn f() {} fn g() { f() } fn h() { g() }");
        check_not_applicable(&WORK, "fn f() { h() } fn g() { f() }");
        check_not_applicable(&WORK, "fn f() {} fn g(x: u8) { f() }");
        check_not_applicable(&WORK, "fn f() {} fn g() {}");
        check_not_applicable(&WORK, "fn f() { || { 1 } }");
    }

    #[test]
    fn the_body_of_a_caller_moves_into_an_empty_function() {
        check_has(
            &WORK,
            "fn f<T>() where T: A {} fn g() { f::<u8>(); }",
            "fn f<T>() where T: A { f::<u8>(); }",
        );
    }
}
