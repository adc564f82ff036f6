//! Replaces the elements of a list by what they are made of, all of them together. They have one type, so that none
//! can be changed alone: `["a".to_string(), "b".to_string()]` becomes `["a", "b"]`.

use crate::pass::{Rewriter, Work};
use crate::program::{Program, SyntaxFile, simplest_first};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use syn::Expr;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    visit::each_also_in_macros(program, |at, node| {
        let Node::Expr(expression) = node else {
            return;
        };
        let Some(elements) = program.listed(at.file, expression) else {
            return;
        };
        let columns = columns(elements.iter().collect()).into_iter();
        found.extend(columns.filter_map(|column| hoisted(program, at.file, &column)));
    });
    simplest_first(program, found)
}

/// Returns the elements, and where they are tuples, also the first parts of all of them, the second parts, and so on.
fn columns(elements: Vec<&Expr>) -> Vec<Vec<&Expr>> {
    let n_parts = match elements.first() {
        Some(Expr::Tuple(tuple)) => tuple.elems.len(),
        _ => 0,
    };
    let column = |idx: usize| elements.iter().map(|one| part(one, idx)).collect();
    let parts: Vec<_> = (0..n_parts).filter_map(column).collect();
    std::iter::once(elements).chain(parts).collect()
}

fn part(expression: &Expr, idx: usize) -> Option<&Expr> {
    match expression {
        Expr::Tuple(tuple) => tuple.elems.get(idx),
        _ => None,
    }
}

/// Replaces at least two expressions that are made in the same way by what they are made of.
fn hoisted(program: &Program, file: SyntaxFile<'_>, all: &[&Expr]) -> Option<EditSet> {
    let made: Option<Vec<_>> = all.iter().map(|one| made_of(file, one)).collect();
    let made = made.filter(|made| made.len() > 1)?;
    if made.iter().any(|(how, _)| *how != made[0].0) {
        return None;
    }
    let mut change = program.change();
    for (whole, (_, inner)) in all.iter().zip(made) {
        change.replace_expr(&file.place(whole), file.text(inner));
    }
    change.finish()
}

/// Splits an expression into the operation that makes it (such as `.to_string` or `&`) and the expression that it is made of.
fn made_of<'p>(file: SyntaxFile<'p>, expression: &'p Expr) -> Option<(String, &'p Expr)> {
    match expression {
        Expr::MethodCall(one) if one.args.is_empty() => {
            Some((format!(".{}", one.method), &one.receiver))
        }
        Expr::Call(one) if one.args.len() == 1 => {
            Some((file.text(&one.func).to_owned(), one.args.first()?))
        }
        Expr::Reference(one) => Some(("&".to_owned(), &one.expr)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn elements_become_what_they_are_made_of() {
        check(
            &WORK,
            "fn f() { g(vec![A(1), A(b + c)]); [&a, &b]; }",
            &[
                "fn f() { g(vec![1, b + c]); [&a, &b]; }",
                "fn f() { g(vec![A(1), A(b + c)]); [a, b]; }",
            ],
        );
    }

    #[test]
    fn so_do_the_parts_of_tuples() {
        check(
            &WORK,
            "fn f() { [(1, \"a\".b()), (2, c.b())]; }",
            &["fn f() { [(1, \"a\"), (2, c)]; }"],
        );
    }

    #[test]
    fn one_element_and_others_are_left_alone() {
        check_not_applicable(
            &WORK,
            "fn f() { [a.b()]; [a.b(), c.d()]; [a.b(), c]; [A(1), B(2)]; }",
        );
        check_not_applicable(&WORK, "fn f() { []; g(a.b(), c.b()); [a.b(c), d.b(e)]; }");
    }

    #[test]
    fn all_elements_of_a_list_are_hoisted_together() {
        check_has(
            &WORK,
            "fn f() { g([a.b(), c.b()]); }",
            "fn f() { g([a, c]); }",
        );
    }
}
