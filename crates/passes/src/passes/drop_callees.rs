//! `drop_callees`: a call of several arguments becomes the tuple of them. They are computed in the
//! same order and live together as before, and nothing needs the function any more.

use super::{Pass, Rewriter, Work};
use crate::program::{Program, SyntaxFile, simplest_first};
use reduce_syntax::EditSet;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

pub(super) const PASS: Pass = Pass {
    name: "drop_callees",
    about: "Replaces a call by the tuple of its arguments",
    example: ("fn f() { a::g(b, c()); }", "fn f() { (b, c()); }"),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut found = Vec::new();
    for file in program.files() {
        let found = &mut found;
        let mut calls = Calls {
            program,
            file,
            found,
        };
        calls.visit_file(file.syntax);
    }
    simplest_first(program, found)
}

struct Calls<'p, 's, 'f> {
    program: &'p Program<'s>,
    file: SyntaxFile<'p>,
    found: &'f mut Vec<EditSet>,
}

impl Calls<'_, '_, '_> {
    fn tuple(&mut self, whole: &Expr, parts: &[&Expr]) {
        if parts.len() < 2 {
            return;
        }
        let texts = parts.iter().map(|part| self.text(part));
        let text = texts.collect::<Vec<_>>().join(", ");
        let mut change = self.program.change();
        change.replace(&self.file.place(whole), &format!("({text})"));
        self.found.extend(change.finish());
    }

    fn text(&self, expression: &Expr) -> &str {
        self.program.text(&self.file.place(expression))
    }
}

impl<'p> Visit<'p> for Calls<'p, '_, '_> {
    fn visit_expr(&mut self, expression: &'p Expr) {
        match expression {
            Expr::Call(call) => {
                let parts: Vec<&Expr> = call.args.iter().collect();
                self.tuple(expression, &parts);
            }
            Expr::MethodCall(call) => {
                let receiver = std::iter::once(&*call.receiver);
                let parts: Vec<&Expr> = receiver.chain(&call.args).collect();
                self.tuple(expression, &parts);
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    /// A pattern calls nothing.
    fn visit_pat(&mut self, _: &'p Pat) {}
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn receivers_and_arguments_are_parts() {
        check(
            &PASS,
            "fn f() { a.b(c, d); e(g(1, 2), h()) }",
            &[
                "fn f() { (a, c, d); e(g(1, 2), h()) }",
                "fn f() { a.b(c, d); (g(1, 2), h()) }",
                "fn f() { a.b(c, d); e((1, 2), h()) }",
            ],
        );
    }

    #[test]
    fn calls_of_less_than_two_are_left_to_hoisting() {
        check_not_applicable(&PASS, "fn f() { a.b(); c(d); let E(x, y) = z; }");
    }
}
