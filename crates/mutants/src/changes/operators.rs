//! Has the table of binary operators: how tightly each binds, and which others may take its place.

use crate::mutant::Operator;
use syn::BinOp;

/// The binary operators of each precedence level, from the loosest on (Rust reference, "Expression precedence").
const LEVELS: [&[&str]; 8] = [
    &["||"],
    &["&&"],
    &["==", "!=", "<", ">", "<=", ">="],
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-"],
];

/// Returns the precedence level of an operator; a higher one binds more tightly. `None` for those that assign.
pub(super) fn level(op: &BinOp) -> Option<usize> {
    level_of(text(op))
}

/// Returns the precedence level of an operator that is given as text.
pub(super) fn level_of(text: &str) -> Option<usize> {
    match text {
        "*" | "/" | "%" => Some(LEVELS.len()),
        _ => LEVELS.iter().position(|level| level.contains(&text)),
    }
}

/// Returns the operators that may take the place of one, with the kind of that change. `&&` and `||` are exchanged in another
/// way.
pub(super) fn others(op: &BinOp) -> Vec<(&'static str, Operator)> {
    let (others, kind): (&[&str], Operator) = match text(op) {
        "<" => (&["<=", ">"], Operator::Relation),
        "<=" => (&["<", ">"], Operator::Relation),
        ">" => (&[">=", "<"], Operator::Relation),
        ">=" => (&[">", "<"], Operator::Relation),
        "==" => (&["!="], Operator::Equality),
        "!=" => (&["=="], Operator::Equality),
        "+" => (&["-"], Operator::Arithmetic),
        "-" => (&["+"], Operator::Arithmetic),
        "*" => (&["/"], Operator::Arithmetic),
        "/" | "%" => (&["*"], Operator::Arithmetic),
        "<<" => (&[">>"], Operator::Bits),
        ">>" => (&["<<"], Operator::Bits),
        "&" => (&["|"], Operator::Bits),
        "|" | "^" => (&["&"], Operator::Bits),
        "+=" => (&["-="], Operator::Assignment),
        "-=" => (&["+="], Operator::Assignment),
        "*=" => (&["/="], Operator::Assignment),
        "/=" | "%=" => (&["*="], Operator::Assignment),
        "<<=" => (&[">>="], Operator::Assignment),
        ">>=" => (&["<<="], Operator::Assignment),
        "&=" => (&["|="], Operator::Assignment),
        "|=" | "^=" => (&["&="], Operator::Assignment),
        _ => (&[], Operator::Logic),
    };
    others.iter().map(|&other| (other, kind)).collect()
}

/// Returns the text of an operator, such as `+=`.
fn text(op: &BinOp) -> &'static str {
    match op {
        BinOp::Add(_) => "+",
        BinOp::Sub(_) => "-",
        BinOp::Mul(_) => "*",
        BinOp::Div(_) => "/",
        BinOp::Rem(_) => "%",
        BinOp::And(_) => "&&",
        BinOp::Or(_) => "||",
        BinOp::BitXor(_) => "^",
        BinOp::BitAnd(_) => "&",
        BinOp::BitOr(_) => "|",
        BinOp::Shl(_) => "<<",
        BinOp::Shr(_) => ">>",
        BinOp::Eq(_) => "==",
        BinOp::Lt(_) => "<",
        BinOp::Le(_) => "<=",
        BinOp::Ne(_) => "!=",
        BinOp::Ge(_) => ">=",
        BinOp::Gt(_) => ">",
        BinOp::AddAssign(_) => "+=",
        BinOp::SubAssign(_) => "-=",
        BinOp::MulAssign(_) => "*=",
        BinOp::DivAssign(_) => "/=",
        BinOp::RemAssign(_) => "%=",
        BinOp::BitXorAssign(_) => "^=",
        BinOp::BitAndAssign(_) => "&=",
        BinOp::BitOrAssign(_) => "|=",
        BinOp::ShlAssign(_) => "<<=",
        BinOp::ShrAssign(_) => ">>=",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_bind_as_the_reference_says() {
        let order = ["||", "&&", "==", "|", "^", "&", "<<", "+", "*"];
        assert!(order.map(level_of).is_sorted());
        assert_eq!(level_of("+="), None);
    }

    #[test]
    fn every_other_operator_is_one() {
        for text in ["<", "==", "+", "%", "<<", "^", "+=", ">>="] {
            let op: BinOp = syn::parse_str(text).unwrap();
            for (other, _) in others(&op) {
                assert!(syn::parse_str::<BinOp>(other).is_ok(), "{other}");
                assert_eq!(level_of(other).is_some(), level(&op).is_some());
            }
        }
    }
}
