//! Shortens an array of equal elements, `[x; n]`, to `[x]` or `[]`.

use crate::pass::{Rewriter, Work};
use crate::program::{Program, simplest_first};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use syn::Expr;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

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
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn an_array_has_one_element_or_none() {
        check(
            &WORK,
            "const C: &[u8] = &[f(1); N];",
            &["const C: &[u8] = &[];", "const C: &[u8] = &[f(1)];"],
        );
    }

    #[test]
    fn lists_and_types_stay() {
        check_not_applicable(&WORK, "const C: [u8; 2] = [1, 2];");
    }

    #[test]
    fn an_array_of_equal_elements_has_none() {
        check_has(&WORK, "fn f() { [1; 0][0]; }", "fn f() { [][0]; }");
    }
}
