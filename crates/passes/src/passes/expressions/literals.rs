//! Reads expressions that are literals.

use syn::{Expr, ExprLit, Lit, LitInt, UnOp};

/// Whether an expression is one literal, such as `1` or `-1`, which may stand in a pattern too.
pub(crate) fn is_literal(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) => true,
        Expr::Unary(one) => matches!((&one.op, &*one.expr), (UnOp::Neg(_), Expr::Lit(_))),
        _ => false,
    }
}

/// Returns the integer literal that an expression is, if it is one.
pub(crate) fn integer(expression: &Expr) -> Option<&LitInt> {
    match expression {
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) => Some(int),
        _ => None,
    }
}

/// Whether an expression is made of literals alone, so that it is worth the same wherever it stands: literals,
/// `-` and `!` before them, and parentheses, shared borrows, tuples and arrays.
pub(crate) fn is_made_of_literals(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) => true,
        Expr::Unary(one) => {
            matches!(one.op, UnOp::Neg(_) | UnOp::Not(_)) && is_made_of_literals(&one.expr)
        }
        Expr::Paren(inner) => is_made_of_literals(&inner.expr),
        Expr::Reference(one) => one.mutability.is_none() && is_made_of_literals(&one.expr),
        Expr::Tuple(all) => all.elems.iter().all(is_made_of_literals),
        Expr::Array(all) => all.elems.iter().all(is_made_of_literals),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Expr {
        syn::parse_str(text).unwrap()
    }

    #[test]
    fn one_literal_may_be_negative() {
        for text in ["1", "-1", "'a'", "\"a\"", "true"] {
            assert!(is_literal(&read(text)), "{text}");
        }
        for text in ["!true", "&1", "(1, 2)", "-a", "*\"a\""] {
            assert!(!is_literal(&read(text)), "{text}");
        }
    }

    #[test]
    fn a_value_of_literals_names_nothing_and_changes_nothing() {
        for text in ["1", "-1", "!0", "&(1)", "[(1, -2.5), (3, 4.)]", "()"] {
            assert!(is_made_of_literals(&read(text)), "{text}");
        }
        for text in ["a", "&mut 1", "*&1", "[1, b]", "vec![1]", "1 + 1", "f(1)"] {
            assert!(!is_made_of_literals(&read(text)), "{text}");
        }
    }
}
