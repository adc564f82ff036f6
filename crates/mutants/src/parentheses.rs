//! Removes parentheses that the text of a mutant does not need, and counts how much of the source the mutant changes.
//!
//! A change is made without looking at what stands around it, so its text holds more together than it may have to.
//! That does no harm to a switch. Who reads the change as an edit of the source wants the smallest one.

use crate::mutant::Mutant;
use reduce_syntax::{SpanGuard, Token, byte_range, tokens};
use std::mem::{Discriminant, discriminant};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Expr, ImplItemFn};

impl Mutant {
    /// Removes the parentheses that a mutant's text has, the original has not, and the meaning does not need. `text` is that of
    /// its file before any switch.
    #[must_use]
    pub fn without_redundant_parentheses(&self, text: &str) -> Self {
        let mut smallest = self.clone();
        while let Some(mutated) = smallest.with_less_parentheses(text) {
            smallest.mutated = mutated;
        }
        smallest
    }

    /// Returns the text of the mutant with one pair of parentheses less; `None` if it needs all that it has.
    fn with_less_parentheses(&self, text: &str) -> Option<String> {
        let function = &self.function_range;
        let is_within = function.start <= self.range.start && self.range.end <= function.end;
        if !is_within || !self.mutated.contains('(') {
            return None;
        }
        let before = &text[function.start..self.range.start];
        let after = &text[self.range.end..function.end];
        let within = |mutated: &str| format!("{before}{mutated}{after}");
        let whole = Shape::of(&within(&self.mutated))?;
        let own = before.len()..before.len() + self.mutated.len();
        let mut pairs = whole.parentheses.iter();
        pairs.find_map(|pair| {
            if pair.start < own.start || own.end < pair.end {
                return None;
            }
            let [open, close] = [pair.start - own.start, pair.end - 1 - own.start];
            let inside = &self.mutated[open + 1..close];
            let less = [&self.mutated[..open], inside, &self.mutated[close + 1..]].concat();
            let is_own = changed_tokens(&self.original, &less) < self.n_changed_tokens();
            let is_same = || Shape::of(&within(&less)).is_some_and(|it| it.nodes == whole.nodes);
            (is_own && is_same()).then_some(less)
        })
    }

    /// Counts the tokens that the mutant removes and those that it adds.
    #[must_use]
    pub fn n_changed_tokens(&self) -> usize {
        changed_tokens(&self.original, &self.mutated)
    }
}

/// Counts the tokens that one of two texts has and the other does not, in their order.
fn changed_tokens(original: &str, mutated: &str) -> usize {
    let [first, second] = [original, mutated].map(|text| {
        let words = tokens(text).into_iter().map(|token| &text[token.range()]);
        words.collect::<Vec<_>>()
    });
    // The lengths of the longest common parts of what has been read of the first text, and each beginning of the second.
    let mut common = vec![0; second.len() + 1];
    for word in &first {
        let mut diagonal = 0;
        for (idx, other) in second.iter().enumerate() {
            let above = common[idx + 1];
            common[idx + 1] = match word == other {
                true => diagonal + 1,
                false => above.max(common[idx]),
            };
            diagonal = above;
        }
    }
    first.len() + second.len() - 2 * common[second.len()]
}

/// The expressions of a function, apart from parentheses, to compare two texts of the function.
struct Shape {
    /// The kinds of the expressions, and which tokens each has; parentheses do not count as tokens.
    nodes: Vec<(Discriminant<Expr>, Range<usize>)>,
    /// The bytes of the expressions in parentheses.
    parentheses: Vec<Range<usize>>,
}

impl Shape {
    /// Reads a function; `None` if the text is not one.
    fn of(function: &str) -> Option<Self> {
        let _positions = SpanGuard::new();
        let syntax: ImplItemFn = syn::parse_str(function).ok()?;
        let tokens = tokens(function).into_iter().map(Token::range);
        let mut reader = ShapeReader {
            tokens: tokens
                .filter(|token| !matches!(&function[token.clone()], "(" | ")"))
                .collect(),
            shape: Self {
                nodes: Vec::new(),
                parentheses: Vec::new(),
            },
        };
        reader.visit_impl_item_fn(&syntax);
        Some(reader.shape)
    }
}

/// The visitor that collects the expressions of a function.
struct ShapeReader {
    /// The bytes of the function's tokens, without parentheses.
    tokens: Vec<Range<usize>>,
    shape: Shape,
}

impl Visit<'_> for ShapeReader {
    fn visit_expr(&mut self, expr: &Expr) {
        let bytes = byte_range(expr);
        if matches!(expr, Expr::Paren(_)) {
            self.shape.parentheses.push(bytes);
        } else {
            let count = |end: usize| self.tokens.partition_point(|token| token.start < end);
            let node = (discriminant(expr), count(bytes.start)..count(bytes.end));
            self.shape.nodes.push(node);
        }
        visit::visit_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::changed_tokens;
    use crate::testing::mutants_of;

    /// Checks that the mutant with a text needs no more than another text.
    #[track_caller]
    fn check(text: &str, mutated: &str, smallest: &str) {
        let mutants = mutants_of(text);
        let mutant = mutants.iter().find(|one| one.mutated == mutated);
        let mutant = mutant.expect("there is such a mutant");
        let smaller = mutant.without_redundant_parentheses(text);
        assert_eq!(smaller.mutated, smallest);
    }

    #[test]
    fn parentheses_go_that_only_the_mutant_has() {
        check("fn f() -> S { a && b }", "(a || b)", "a || b");
        check("fn f() -> S { (a && b) ^ c }", "(a || b)", "a || b");
        check("fn f() -> S { !(a && b) }", "(a || b)", "a || b");
        check("fn f() -> S { c && (a && b).g() }", "(a || b)", "a || b");
        check("fn f() -> S { (a) && b }", "((a) || b)", "(a) || b");
        check("fn f() -> S { a && b || c }", "(a || b)", "a || b");
        check("fn f() -> S { if a { b } else { c } }", "!(a)", "!a");
        check(
            "impl A { /// Text.\n pub fn f(&self) -> S { a & b } }",
            "(a | b)",
            "a | b",
        );
    }

    #[test]
    fn parentheses_stay_that_hold_something_together() {
        check("fn f() -> S { a ^ b ^ c }", "(a ^ b) & c", "(a ^ b) & c");
        check("fn f() -> S { a && b && c }", "(a || b)", "(a || b)");
        check(
            "fn f() -> S { a as T >= b }",
            "(a as T) < b",
            "(a as T) < b",
        );
        check(
            "fn f() -> S { while i < n { i += 1; } S }",
            "!(i < n)",
            "!(i < n)",
        );
    }

    #[test]
    fn only_tokens_that_differ_are_changed() {
        assert_eq!(changed_tokens("a < b", "a <= b"), 2);
        assert_eq!(changed_tokens("!a", "a"), 1);
        assert_eq!(changed_tokens("f(a, b)", "f(b, a)"), 4);
        assert_eq!(changed_tokens("a += 1;", ""), 4);
        assert_eq!(changed_tokens("", "return 0;"), 3);
    }
}
