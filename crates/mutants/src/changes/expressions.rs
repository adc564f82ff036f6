//! Changes of operators (`<` to `<=`) and of ends of ranges.

use super::operators::{self, level};
use super::{ChangeCollector, Switch};
use crate::mutant::Operator;
use reduce_syntax::byte_range;
use syn::visit::Visit;
use syn::{BinOp, Expr, ExprBinary, ExprRange, ExprUnary, Member, RangeLimits, UnOp};

impl ChangeCollector<'_> {
    /// Notes the changes of an operation with two operands, such as `a < b`.
    pub(super) fn binary(&mut self, operation: &ExprBinary) {
        if !operation.attrs.is_empty() || self.joins_text(operation) {
            return;
        }
        match operation.op {
            BinOp::And(_) | BinOp::Or(_) => self.logic(operation),
            _ => {
                for (other, kind) in operators::others(&operation.op) {
                    let mutated = self.with_operator(operation, other);
                    self.note_instead(byte_range(operation), mutated, kind);
                }
                self.product(operation);
                self.reset(operation);
            }
        }
    }

    /// Notes that what is counted up or down may begin anew.
    fn reset(&mut self, operation: &ExprBinary) {
        let is_counting = matches!(operation.op, BinOp::AddAssign(_) | BinOp::SubAssign(_));
        if is_counting && self.knows_signatures() {
            let place = self.text_of(&operation.left);
            let mutated = format!("{place} = Default::default()");
            self.note_instead(byte_range(operation), mutated, Operator::Assignment);
        }
    }

    /// Notes that the factors of a product may be exchanged, if they may be something else than numbers.
    fn product(&mut self, operation: &ExprBinary) {
        let factors = [&*operation.left, &*operation.right];
        let may_matter = self.knows_signatures() && self.signatures.has_products();
        let is_product = matches!(operation.op, BinOp::Mul(_)) && may_matter;
        let texts = factors.map(|factor| self.text_of(factor));
        if !is_product || texts[0] == texts[1] || factors.iter().any(|one| !self.may_be_own(one)) {
            return;
        }
        let between = &self.text[byte_range(factors[0]).end..byte_range(factors[1]).start];
        let first = self.held(factors[0], matches!(factors[0], Expr::Binary(_)));
        self.note_instead(
            byte_range(operation),
            format!("{}{between}{first}", texts[1]),
            Operator::Order,
        );
    }

    /// Whether an operand may be of a type for which the crate itself defines operators.
    fn may_be_own(&self, operand: &Expr) -> bool {
        match operand {
            Expr::Field(field) => match &field.member {
                Member::Named(name) => !self.signatures.is_number(&name.to_string()),
                Member::Unnamed(_) => false,
            },
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) => !self.is_primitive(&name.to_string()),
                None => false,
            },
            Expr::Unary(one) => self.may_be_own(&one.expr),
            Expr::Reference(one) => self.may_be_own(&one.expr),
            Expr::Paren(one) => self.may_be_own(&one.expr),
            Expr::Binary(one) => self.may_be_own(&one.left) || self.may_be_own(&one.right),
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Index(_) => true,
            _ => false,
        }
    }

    /// Whether `+` joins strings, so that no other operator may take its place.
    fn joins_text(&self, operation: &ExprBinary) -> bool {
        let makes_text = |operand: &Expr| {
            let text = self.text_of(operand);
            text.ends_with('"') || text.ends_with(".to_string()") || text.starts_with("format!")
        };
        let is_sum = matches!(operation.op, BinOp::Add(_) | BinOp::AddAssign(_));
        is_sum && (makes_text(&operation.left) || makes_text(&operation.right))
    }

    fn logic(&mut self, operation: &ExprBinary) {
        if super::statements::binds(&operation.left) || super::statements::binds(&operation.right) {
            return;
        }
        let is_and = matches!(operation.op, BinOp::And(_));
        let mutated = self.with_operator(operation, if is_and { "||" } else { "&&" });
        let token = byte_range(&operation.op);
        let switch = Switch::Exchanged { token, is_and };
        self.note(byte_range(operation), mutated, Operator::Logic, switch);
    }

    /// Returns the text of an operation with another operator. Parentheses keep its operands together, and it itself if the other
    /// operator binds less: what stands around may be an operation as well.
    fn with_operator(&self, operation: &ExprBinary, other: &str) -> String {
        let token = byte_range(&operation.op);
        let before = &self.text[byte_range(&operation.left).end..token.start];
        let after = &self.text[token.end..byte_range(&operation.right).start];
        let [old, new] = [level(&operation.op), operators::level_of(other)];
        let is_looser = |operand: &Expr| match operand {
            Expr::Binary(inner) => new > old && level(&inner.op) < new,
            _ => false,
        };
        // After a type, `<` would begin generic arguments.
        let ends_in_type = other.starts_with('<') && ends_in_type(&operation.left);
        let left = self.held(&operation.left, ends_in_type || is_looser(&operation.left));
        let right = self.held(&operation.right, is_looser(&operation.right));
        match new < old {
            true => format!("({left}{before}{other}{after}{right})"),
            false => format!("{left}{before}{other}{after}{right}"),
        }
    }

    /// Returns the text of an operand, in parentheses if it needs them.
    fn held(&self, operand: &Expr, needs_parentheses: bool) -> String {
        match needs_parentheses {
            true => format!("({})", self.text_of(operand)),
            false => self.text_of(operand).to_owned(),
        }
    }

    /// Notes that a `!` or a `-` may be left out. A `-` before a literal is a part of it.
    pub(super) fn unary(&mut self, operation: &ExprUnary) {
        if self.negative_literal(operation) {
            return;
        }
        if matches!(operation.op, UnOp::Not(_) | UnOp::Neg(_)) && operation.attrs.is_empty() {
            let mutated = self.text_of(&operation.expr).to_owned();
            self.note_instead(byte_range(operation), mutated, Operator::Unary);
        }
        self.visit_expr(&operation.expr);
    }

    /// Notes that a range may end one later, or one earlier if its end is included. An end that is a literal has mutants of its
    /// own.
    pub(super) fn range(&mut self, range: &ExprRange) {
        let Some(end) = &range.end else { return };
        if matches!(**end, Expr::Lit(_)) {
            return;
        }
        let whole = byte_range(range);
        let before = &self.text[whole.start..byte_range(end).start];
        let end = match **end {
            Expr::Path(_)
            | Expr::Field(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Index(_)
            | Expr::Paren(_) => self.text_of(end).to_owned(),
            _ => format!("({})", self.text_of(end)),
        };
        let change = match range.limits {
            RangeLimits::HalfOpen(_) => "+ 1",
            RangeLimits::Closed(_) => "- 1",
        };
        self.note_instead(whole, format!("{before}{end} {change}"), Operator::RangeEnd);
    }
}

/// Whether an expression ends with the type of a cast, as in `a + b as u8`.
fn ends_in_type(expr: &Expr) -> bool {
    match expr {
        Expr::Cast(_) => true,
        Expr::Binary(operation) => ends_in_type(&operation.right),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::mutant::Operator;
    use crate::reach::Reach;
    use crate::testing::check;

    #[test]
    fn what_is_counted_may_begin_anew() {
        let text = "fn f() { self.a -= b; c *= d; }";
        let expected = ["self.a += b", "self.a = Default::default()", "c /= d"];
        let mut mutants = crate::testing::all_reaching(Reach::Constant, text);
        mutants.retain(|one| one.operator == Operator::Assignment);
        let found: Vec<_> = mutants.iter().map(|one| one.mutated.as_str()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn factors_change_places_where_the_crate_has_products_of_its_own() {
        let products = "impl std::ops::Mul for M { type Output = M; }
            struct P { x: f64, m: M } struct M(u8);";
        let checked = |of: &str, body: &str, expected: &[&str]| {
            let text = format!("fn f(n: u8, k: M) -> S {{ {body} }} {of}");
            let mut mutants = crate::testing::all_reaching(Reach::Constant, &text);
            mutants.retain(|one| one.operator == Operator::Order);
            let found: Vec<_> = mutants.iter().map(|one| one.mutated.as_str()).collect();
            assert_eq!(found, expected);
        };
        checked(products, "k * a", &["a * k"]);
        checked(products, "k * a * b(c)", &["b(c) * (k * a)", "a * k"]);
        checked(products, "&self.m * -k", &["-k * &self.m"]);
        checked(products, "(a * 2, n * k, self.x * k, a * a, a.0 * k)", &[]);
        checked("struct M(u8);", "k * a", &[]);
    }

    #[test]
    fn operators_become_others() {
        check("fn f() -> S { a < b }", &["a <= b", "a > b"]);
        check("fn f() -> S { a>=b }", &["a>b", "a<b"]);
        check("fn f() -> S { a == b }", &["a != b"]);
        check("fn f() -> S { a - b * c }", &["a + b * c", "b / c"]);
        check("fn f() -> S { a % b }", &["a * b"]);
        check("fn f() -> S { a << b }", &["a >> b"]);
        check("fn f() -> S { a += b; S }", &["", "a -= b"]);
    }

    #[test]
    fn operands_are_held_together() {
        check("fn f() -> S { a && b }", &["(a || b)"]);
        check("fn f() -> S { a || b || c }", &["(a || b) && c", "a && b"]);
        check("fn f() -> S { a ^ b ^ c }", &["(a ^ b) & c", "a & b"]);
        check("fn f() -> S { a & b }", &["(a | b)"]);
        check(
            "fn f() -> S { a as T >= b }",
            &["a as T > b", "(a as T) < b"],
        );
        check(
            "fn f() -> S { a + b as T >> c }",
            &["(a + b as T) << c", "a - b as T"],
        );
    }

    #[test]
    fn signs_are_left_out() {
        check("fn f() -> S { g(!a, -b) }", &["a", "b"]);
        check("fn f() -> S { *a }", &[]);
    }

    #[test]
    fn ranges_end_elsewhere() {
        check("fn f() -> S { a..b }", &["a..b + 1"]);
        check(
            "fn f() -> S { a..=b << c }",
            &["a..=(b << c) - 1", "b >> c"],
        );
        check("fn f() -> S { (.., a..) }", &[]);
    }

    #[test]
    fn strings_are_not_subtracted() {
        check("fn f() -> S { a.to_string() + b }", &[]);
    }

    #[test]
    fn what_does_not_run_stays() {
        check(
            "fn f() -> S { const A: u8 = 1 + 2; static B: u8 = -3; a::<{ 1 + 2 }>() }",
            &[],
        );
        check(
            "fn f() -> S { let a: [u8; 1 + 2] = [b; 3 + 4]; const { 1 + 2 } }",
            &[],
        );
        check(
            "fn f() -> S { m!(a + b); macro_rules! n { () => { a + b } } S }",
            &[],
        );
        check(
            "enum E { A = 1 + 2 } struct S<const N: usize = 3>([u8; 4]);",
            &[],
        );
        check(
            "impl S { const A: u8 = 1; } trait T { const B: bool = true; }",
            &[],
        );
        check("fn f() -> S { match a { 1 | 2..=3 => b, C => d } }", &[]);
    }
}
