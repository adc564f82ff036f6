//! Replaces a call by the borrow that it makes of its receiver or argument. That is often all that a bug in borrow
//! checking needs of it, and ends a dependence on the function.

use super::super::functions::Functions;
use crate::pass::{Rewriter, Work};
use crate::program::Program;
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use syn::Expr;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most arguments of one call whose borrows are tried in place of the call.
const MOST_ARGUMENTS: usize = 2;

/// The borrows that are tried before the receiver in place of a method call, such as `&mut x` for `x.as_mut()`; the stronger ones first.
const BORROWS: [&str; 3] = ["&mut ", REBORROW, "&"];

/// The text before a place that is borrowed anew through a reference.
const REBORROW: &str = "&mut *";

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    visit::collect(program, |at, node| {
        let Node::Expr(call) = node else {
            return Vec::new();
        };
        let change = |borrowed: &Expr, borrow: &str| {
            if borrow == REBORROW && !functions.is_reference(at, borrowed) {
                return None;
            }
            let text = format!("{borrow}{}", at.text(borrowed));
            program
                .change()
                .replace_expr(&at.place(call), &text)
                .finish()
        };
        let all = borrowed(call).into_iter();
        let pairs = all.flat_map(|one| BORROWS.map(|borrow| (one, borrow)));
        pairs
            .filter_map(|(one, borrow)| change(one, borrow))
            .collect()
    })
}

/// Returns the receiver or the arguments of a call that it may borrow: variables and parts of them. A borrow of what
/// is borrowed already, or of what another operator would take apart, is something else.
fn borrowed(call: &Expr) -> Vec<&Expr> {
    match call {
        Expr::MethodCall(call) if is_place(&call.receiver) => vec![&call.receiver],
        Expr::Call(call) if is_function(&call.func) => {
            let places = call.args.iter().filter(|argument| is_place(argument));
            places.take(MOST_ARGUMENTS).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an expression is a variable, or a part of one.
fn is_place(expression: &Expr) -> bool {
    match expression {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(_) | Expr::Index(_) => true,
        _ => false,
    }
}

/// Whether a callee is a function, and no struct or variant, which borrows nothing.
fn is_function(callee: &Expr) -> bool {
    let Expr::Path(path) = callee else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident.to_string().starts_with(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_call_becomes_either_borrow() {
        check(
            &WORK,
            "fn f(x: S) { let y = x.a.get(1); }",
            &[
                "fn f(x: S) { let y = &x.a; }",
                "fn f(x: S) { let y = &mut x.a; }",
            ],
        );
    }

    #[test]
    fn the_borrow_of_a_receiver_of_another_call_is_in_parentheses() {
        check(&WORK, "fn f() { x.g().h(); }", &["fn f() { (&x).h(); }"]);
    }

    #[test]
    fn a_function_borrows_its_arguments() {
        check(
            &WORK,
            "fn f() { g(x); }",
            &["fn f() { &x; }", "fn f() { &mut x; }"],
        );
    }

    #[test]
    fn what_a_reference_leads_to_is_borrowed() {
        check(
            &WORK,
            "fn f(x: &S) { x.g(); }",
            &[
                "fn f(x: &S) { &mut x; }",
                "fn f(x: &S) { &mut *x; }",
                "fn f(x: &S) { &x; }",
            ],
        );
    }

    #[test]
    fn what_is_no_place_is_not_borrowed() {
        check_not_applicable(&WORK, "fn f() { g().h(); 1.max(2); i(g()); Some(x); }");
    }

    #[test]
    fn a_call_is_replaced_by_a_borrow_of_its_receiver() {
        check_has(
            &WORK,
            "fn f(mut x: S) { x.push(1); }",
            "fn f(mut x: S) { &mut x; }",
        );
    }
}
