//! Changes of literals into others of the same type.

use super::ChangeCollector;
use crate::mutant::Operator;
use reduce_syntax::byte_range;
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, ExprCast, ExprLit, ExprReference, ExprUnary, Lit, LitInt, Token, UnOp};

/// The longest constant, in bytes, that has its switches around the whole; in a longer one, each literal has its own.
const LONGEST_CONSTANT: usize = 120;

impl ChangeCollector<'_> {
    pub(super) fn literal(&mut self, literal: &ExprLit) {
        if literal.attrs.is_empty() {
            let others = self.other_literals(&literal.lit, false);
            self.note_literals(byte_range(literal), byte_range(literal), others);
        }
    }

    /// Notes the changes of a negative literal such as `-5`, and returns whether the operation is one.
    pub(super) fn negative_literal(&mut self, operation: &ExprUnary) -> bool {
        let (UnOp::Neg(_), Expr::Lit(literal)) = (&operation.op, &*operation.expr) else {
            return false;
        };
        let range = byte_range(operation);
        let others = self.other_literals(&literal.lit, true);
        self.note_literals(range.clone(), range, others);
        true
    }

    /// Notes the changes of a literal in a cast such as `5 as u8`, whose type decides about them. A switch in between would keep
    /// them apart, so there the switch is around the cast.
    pub(super) fn cast(&mut self, cast: &ExprCast) {
        let mut inner = &*cast.expr;
        loop {
            match inner {
                Expr::Paren(paren) => inner = &paren.expr,
                Expr::Unary(operation) => inner = &operation.expr,
                Expr::Lit(literal) => {
                    let others = self.other_literals(&literal.lit, false);
                    return self.note_literals(byte_range(cast), byte_range(literal), others);
                }
                _ => return self.visit_expr(&cast.expr),
            }
        }
    }

    /// Notes the changes of the literals in a constant such as `&[(b'0', b'9')]`, and returns whether the expression is one. It
    /// is promoted to a static where something outlives the function; a switch inside of it would keep it from that, so the
    /// switch is around it.
    pub(super) fn constant_reference(&mut self, reference: &ExprReference) -> bool {
        let whole = byte_range(reference);
        let mut literals = Vec::new();
        let is_constant = reference.mutability.is_none()
            && whole.len() <= LONGEST_CONSTANT
            && literals_of(&reference.expr, &mut literals);
        if is_constant {
            for literal in literals {
                let others = self.other_literals(&literal.lit, false);
                self.note_literals(whole.clone(), byte_range(literal), others);
            }
        }
        is_constant
    }

    /// Notes that other literals may take the place of one, with the switch around `whole`.
    fn note_literals(&mut self, whole: Range<usize>, literal: Range<usize>, others: Vec<String>) {
        let before = &self.text[whole.start..literal.start];
        let after = &self.text[literal.end..whole.end];
        for other in others {
            let mutated = format!("{before}{other}{after}");
            self.note_instead(whole.clone(), mutated, Operator::Literal);
        }
    }

    /// Returns the literals of the same type that may take the place of one.
    fn other_literals(&self, literal: &Lit, is_negative: bool) -> Vec<String> {
        match literal {
            Lit::Int(number) => self.other_integers(number, is_negative),
            _ if self.scope.moves_on => Vec::new(),
            Lit::Float(number) => {
                let suffix = number.suffix();
                match number.base10_digits().parse::<f64>() {
                    Ok(0.0) => vec![format!("1.0{suffix}")],
                    Ok(_) => vec![format!("0.0{suffix}")],
                    Err(_) => Vec::new(),
                }
            }
            Lit::Bool(value) => vec![(!value.value).to_string()],
            Lit::Str(text) if text.value().is_empty() => vec!["\"xyzzy\"".to_owned()],
            Lit::Str(_) => vec!["\"\"".to_owned()],
            Lit::CStr(text) if !text.value().is_empty() => vec!["c\"\"".to_owned()],
            Lit::Char(character) => vec![format!("{:?}", next_char(character.value()))],
            Lit::Byte(byte) => {
                let next = byte.value().wrapping_add(1);
                vec![format!("b'{}'", std::ascii::escape_default(next))]
            }
            _ => Vec::new(),
        }
    }

    /// Returns the integers that may take the place of one: one more, and zero; of a negative number also the positive one. Only
    /// one more where a loop would not come to its end otherwise.
    fn other_integers(&self, number: &LitInt, is_negative: bool) -> Vec<String> {
        let Ok(value) = number.base10_parse::<u128>() else {
            return Vec::new();
        };
        let is_hexadecimal = self.text_of(number).starts_with("0x");
        let written = |value: u128| match is_hexadecimal {
            true => format!("{value:#x}{}", number.suffix()),
            false => format!("{value}{}", number.suffix()),
        };
        let more = match is_negative {
            true if value > 1 => Some(format!("-{}", written(value - 1))),
            true => None,
            false => value.checked_add(1).map(written),
        };
        let is_other = value > 0 && !self.scope.moves_on;
        let zero = is_other.then(|| written(0));
        let positive = (is_negative && is_other).then(|| written(value));
        more.into_iter().chain(zero).chain(positive).collect()
    }
}

/// Collects the literals of an expression, and says whether it is made of literals and names alone.
fn literals_of<'e>(expr: &'e Expr, literals: &mut Vec<&'e ExprLit>) -> bool {
    let mut all = |parts: &'e Punctuated<Expr, Token![,]>| {
        parts.iter().all(|part| literals_of(part, literals))
    };
    match expr {
        Expr::Array(array) => all(&array.elems),
        Expr::Tuple(tuple) => all(&tuple.elems),
        Expr::Paren(inner) => literals_of(&inner.expr, literals),
        Expr::Reference(inner) if inner.mutability.is_none() => literals_of(&inner.expr, literals),
        Expr::Unary(inner) if matches!(inner.op, UnOp::Neg(_)) => {
            literals_of(&inner.expr, literals)
        }
        Expr::Lit(literal) => {
            literals.push(literal);
            true
        }
        Expr::Path(_) => true,
        _ => false,
    }
}

/// Returns the character that comes after another one.
fn next_char(character: char) -> char {
    char::from_u32(u32::from(character) + 1).unwrap_or('a')
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn literals_become_others() {
        check(
            "fn f() -> S { g(5, 0, 1u8, 0xff) }",
            &["6", "0", "1", "2u8", "0u8", "0x100", "0x0"],
        );
        check("fn f() -> S { g(1.5, 0.0_f32) }", &["0.0", "1.0f32"]);
        check(
            "fn f() -> S { g(true, 'a', '\\'', b'z') }",
            &["false", "'b'", "'('", "b'{'"],
        );
        check(
            "fn f() -> S { g(\"a\", \"\", b\"a\", c\"a\") }",
            &["\"\"", "\"xyzzy\"", "c\"\""],
        );
    }

    #[test]
    fn negative_numbers_are_literals() {
        check("fn f() -> S { g(-5, -1) }", &["-4", "0", "5", "0", "1"]);
        check("fn f() -> S { -1.0 }", &["0.0"]);
    }

    #[test]
    fn a_constant_that_may_be_static_stays_whole() {
        check(
            "fn f() -> S { g(&[(b'0', -2)], &A) }",
            &["&[(b'1', -2)]", "&[(b'0', -3)]", "&[(b'0', -0)]"],
        );
        check("fn f() -> S { g(&[a(1)], &mut 1.5) }", &["2", "0", "0.0"]);
    }

    #[test]
    fn a_cast_stays_beside_its_literal() {
        check(
            "fn f() -> S { 0xff as u64 }",
            &["0x100 as u64", "0x0 as u64"],
        );
        check("fn f() -> S { !(0) as u64 }", &["!(1) as u64"]);
        check("fn f() -> S { (a + 1) as u64 }", &["a - 1", "2", "0"]);
    }
}
