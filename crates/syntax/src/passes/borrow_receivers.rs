//! `borrow_receivers`: a method call becomes the borrow that the call makes of its receiver. That is
//! often all that a bug in borrow checking needs of it, and ends a dependence on the type's methods.

use super::{Pass, Rewriter, Work};
use crate::edit::EditSet;
use crate::program::{Place, Program, SyntaxFile};
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

pub(super) const PASS: Pass = Pass {
    name: "borrow_receivers",
    about: "Replaces a method call by a borrow of its receiver",
    example: (
        "fn f(mut x: S) { x.push(1); }",
        "fn f(mut x: S) { &mut x; }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

/// A borrow that the call may stand for; the stronger one first.
const BORROWS: [&str; 2] = ["&mut ", "&"];

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut calls = Calls::default();
    for file in program.files() {
        calls.file = Some(file);
        calls.visit_file(file.syntax);
    }
    let change = |(call, receiver): &(Place, Place), borrow: &str| {
        let (file, range) = call;
        let after = program.sources().text(*file)[range.end..].trim_start();
        let receiver = program.text(receiver);
        let text = match after.starts_with(['.', '?']) {
            true => format!("({borrow}{receiver})"),
            false => format!("{borrow}{receiver}"),
        };
        program.change().replace(call, &text).finish()
    };
    let all = calls.found.iter();
    let pairs = all.flat_map(|call| BORROWS.iter().map(move |borrow| (call, borrow)));
    let changes = pairs.filter_map(|(call, borrow)| change(call, borrow));
    changes.collect()
}

/// Calls with their receivers.
#[derive(Default)]
struct Calls<'p> {
    file: Option<SyntaxFile<'p>>,
    found: Vec<(Place, Place)>,
}

impl<'p> Visit<'p> for Calls<'p> {
    fn visit_expr_method_call(&mut self, call: &'p ExprMethodCall) {
        // A borrow of what is borrowed already, or of what another operator would take apart, is
        // something else.
        let is_place = matches!(
            *call.receiver,
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_)
        );
        if let Some(file) = self.file.filter(|_| is_place) {
            self.found
                .push((file.place(call), file.place(&call.receiver)));
        }
        visit::visit_expr_method_call(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_call_becomes_either_borrow() {
        check(
            &PASS,
            "fn f(x: S) { let y = x.a.get(1); }",
            &[
                "fn f(x: S) { let y = &x.a; }",
                "fn f(x: S) { let y = &mut x.a; }",
            ],
        );
    }

    #[test]
    fn the_borrow_of_a_receiver_of_another_call_is_in_parentheses() {
        check(&PASS, "fn f() { x.g().h(); }", &["fn f() { (&x).h(); }"]);
    }

    #[test]
    fn what_is_no_place_is_not_borrowed() {
        check_not_applicable(&PASS, "fn f() { g().h(); 1.max(2); }");
    }
}
