//! `end_bodies`: a body that returns a value ends with what one of its last statements computes, and
//! what came after that goes. So the end of a body can go although a value is asked for.

use super::expressions::types::Types;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, SyntaxFile, simplest_first};
use reduce_syntax::EditSet;
use syn::{Block, Expr, ReturnType, Stmt};

pub(super) const PASS: Pass = Pass {
    name: "end_bodies",
    about: "Lets a body return what one of its last statements computes",
    example: (
        "fn f() -> u8 { g(); let x = h()?; i(x) }",
        "fn f() -> u8 { g(); h()? }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

/// The most statements at the end of a body whose values are tried as the value of the body.
const MOST_STATEMENTS: usize = 3;

fn changes(program: &Program) -> Vec<EditSet> {
    let types = Types::of(program);
    let mut found = Vec::new();
    for function in types.functions() {
        let returns = !matches!(function.signature.output, ReturnType::Default);
        if let (Some(body), true) = (function.body, returns) {
            found.extend(ends(program, function.at.file, body));
        }
    }
    simplest_first(program, found)
}

fn ends(program: &Program, file: SyntaxFile<'_>, body: &Block) -> Vec<EditSet> {
    let Some(last) = body.stmts.last() else {
        return Vec::new();
    };
    let statements = body.stmts.iter().rev().take(MOST_STATEMENTS);
    let changes = |statement: &Stmt| {
        let value = value(statement)?;
        let text = file.text(value);
        let instead = matches!(value, Expr::Try(_)).then_some(FAILED);
        let change = |text: &str| {
            program
                .change()
                .replace(&file.between(statement, last), text)
                .finish()
        };
        Some(
            [Some(text), instead]
                .into_iter()
                .flatten()
                .filter_map(change)
                .collect::<Vec<_>>(),
        )
    };
    statements.filter_map(changes).flatten().collect()
}

/// The text that replaces an expression with `?`: it may fail with an error of any type that a string converts into.
const FAILED: &str = "Err(\"\")?";

/// Returns the expression of a statement: the value of a `let`, or an expression with a semicolon.
fn value(statement: &Stmt) -> Option<&Expr> {
    match statement {
        Stmt::Local(local) => local.init.as_ref().map(|init| &*init.expr),
        Stmt::Expr(expression, Some(_)) => Some(expression),
        Stmt::Expr(..) | Stmt::Item(_) | Stmt::Macro(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn each_of_the_last_statements_may_be_the_end() {
        check(
            &PASS,
            "fn f() -> u8 { a(); let x = b(); c(x); d }",
            &[
                "fn f() -> u8 { a(); b() }",
                "fn f() -> u8 { a(); let x = b(); c(x) }",
            ],
        );
    }

    #[test]
    fn what_may_fail_fails() {
        check(
            &PASS,
            "fn f() -> R { a(b)?; }",
            &["fn f() -> R { a(b)? }", "fn f() -> R { Err(\"\")? }"],
        );
    }

    #[test]
    fn bodies_that_return_nothing_end_as_they_are() {
        check_not_applicable(&PASS, "fn f() { a(); } fn g() -> u8 { b } fn h() -> u8 {}");
    }
}
