//! Removes statements that do nothing: a literal, or an expression of literals alone, with a semicolon.

use crate::program::Program;
use crate::visit::{self, Node};
use reduce_syntax::{Edit, EditSet, SourceTree};
use std::ops::Range;
use syn::{Expr, Stmt};

/// Removes from a program the statements that only compute a value of literals and do nothing with it. Whatever runs the program
/// sees the same. `None` if there are none.
#[must_use]
pub fn without_idle_statements(sources: &SourceTree) -> Option<SourceTree> {
    let program = Program::new(sources);
    let mut edits = EditSet::new();
    visit::each(&program, |at, node| {
        let Node::Block(block) = node else { return };
        for statement in &block.stmts {
            if let Stmt::Expr(expression, Some(_)) = statement
                && is_idle(expression)
            {
                let place = at.place(statement);
                let range = with_line(sources.text(place.file), place.range);
                edits.add(Edit::delete(place.file, &range));
            }
        }
    });
    (!edits.is_empty()).then(|| edits.apply(sources))
}

/// Whether an expression is made of literals alone. A negative one could overflow, and a path could move a value.
fn is_idle(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => literal.attrs.is_empty(),
        Expr::Reference(one) => one.attrs.is_empty() && is_idle(&one.expr),
        Expr::Paren(one) => one.attrs.is_empty() && is_idle(&one.expr),
        Expr::Group(one) => is_idle(&one.expr),
        Expr::Tuple(one) => one.attrs.is_empty() && one.elems.iter().all(is_idle),
        Expr::Array(one) => one.attrs.is_empty() && one.elems.iter().all(is_idle),
        _ => false,
    }
}

/// Returns a range extended by the line break and the space before it, if nothing else is on its line.
fn with_line(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text[..range.start].trim_end_matches([' ', '\t']);
    match before.strip_suffix('\n') {
        Some(before) => before.len()..range.end,
        None => range,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[track_caller]
    fn check(code: &str, expected: Option<&str>) {
        let tree = SourceTree::single("a.rs".into(), Arc::from(code));
        let without = without_idle_statements(&tree);
        let text = without.map(|tree| tree.text(tree.root()).to_string());
        assert_eq!(text.as_deref(), expected);
    }

    #[test]
    fn literals_that_nothing_takes_go_with_their_lines() {
        check(
            "fn f() {\n    \"fort\";\n    g(\"fort\");\n    (1, &[\"a\"]);\n}\n",
            Some("fn f() {\n    g(\"fort\");\n}\n"),
        );
        check("fn f() { if a { 4; } }", Some("fn f() { if a {  } }"));
    }

    #[test]
    fn values_calls_and_what_a_variable_holds_stay() {
        check(
            "fn f() -> u8 { g(); x; -1; [a]; #[cfg(b)] 5; { 3 }; 4 }",
            None,
        );
    }
}
