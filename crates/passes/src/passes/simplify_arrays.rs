//! `simplify_arrays`: an array of so many equal elements has one or none.

use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, simplest_first};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use syn::Expr;

pub(super) const PASS: Pass = Pass {
    name: "simplify_arrays",
    about: "Makes `[]` or `[x]` of `[x; n]`",
    example: ("fn f() { [1; 0][0]; }", "fn f() { [][0]; }"),
    keeps: Keeps::Nothing,
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    visit::each(program, |at, node| {
        if let Node::Expr(Expr::Repeat(array)) = node {
            for text in ["[]", &format!("[{}]", at.text(&array.expr))] {
                found.extend(program.replaced([&at.place(array)], text));
            }
        }
    });
    simplest_first(program, found)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn an_array_has_one_element_or_none() {
        check(
            &PASS,
            "const C: &[u8] = &[f(1); N];",
            &["const C: &[u8] = &[];", "const C: &[u8] = &[f(1)];"],
        );
    }

    #[test]
    fn lists_and_types_stay() {
        check_not_applicable(&PASS, "const C: [u8; 2] = [1, 2];");
    }
}
