//! Deletes variants that nothing mentions, and writes down the number of the variant after them, which would change.
//! Code that depends on a number needs no variants that are only counted.

use super::super::data::{Data, Definition, Kind, Shape};
use crate::pass::{Rewriter, Work};
use crate::program::Program;
use reduce_syntax::EditSet;
use std::ops::Range;
use syn::{Expr, ItemEnum, Lit, UnOp};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The fewest variants in a row that go at once; fewer are deleted one by one, where that is possible.
const FEWEST: usize = 8;

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let enums = data.definitions.iter().filter_map(|one| match one.kind {
        Kind::Enum(item) => Some((item, data.variants_of(one))),
        _ => None,
    });
    let numbered = enums.filter_map(|(item, variants)| Numbered::of(item, variants));
    let all = numbered.flat_map(|one| {
        let runs = one.runs();
        let changes = runs.iter().filter_map(|run| one.change(program, run));
        changes.collect::<Vec<_>>()
    });
    all.collect()
}

/// An enum of which the number of each variant is known.
struct Numbered<'d, 'p> {
    item: &'p ItemEnum,
    variants: &'d [Definition<'p>],
    numbers: Vec<i128>,
}

impl<'d, 'p> Numbered<'d, 'p> {
    fn of(item: &'p ItemEnum, variants: &'d [Definition<'p>]) -> Option<Self> {
        let mut numbers = Vec::with_capacity(variants.len());
        for one in &item.variants {
            let next = numbers.last().map_or(0, |last| last + 1);
            numbers.push(match &one.discriminant {
                Some((_, written)) => literal(written)?,
                None => next,
            });
        }
        let are_units = variants.iter().all(|one| one.shape == Shape::Unit);
        (are_units && variants.len() == numbers.len()).then_some(Self {
            item,
            variants,
            numbers,
        })
    }

    /// Returns runs of variants that may be deleted, each with a variant after it: first as many as possible, then
    /// parts of these.
    fn runs(&self) -> Vec<Range<usize>> {
        let is_free = |one: &Definition<'_>| one.uses.is_empty() && one.strays.is_empty();
        let mut runs = Vec::new();
        let mut start = 0;
        for end in 0..=self.variants.len() {
            if self.variants.get(end).is_some_and(is_free) {
                continue;
            }
            let length = end - start;
            let lengths = [length, length.saturating_sub(1), length.saturating_sub(2)];
            let parts = std::iter::successors(Some(length / 2), |part| Some(part / 2));
            let parts = parts.take_while(|part| *part >= FEWEST);
            let lengths = lengths.into_iter().chain(parts);
            let ends = lengths.filter(|_| length >= FEWEST).map(|one| start + one);
            runs.extend(
                ends.filter(|end| *end < self.variants.len())
                    .map(|end| start..end),
            );
            start = end + 1;
        }
        runs
    }

    fn change(&self, program: &Program, run: &Range<usize>) -> Option<EditSet> {
        let mut change = program.change();
        self.variants[run.clone()]
            .iter()
            .for_each(|one| one.remove(&mut change));
        let (next, number) = (&self.variants[run.end], self.numbers[run.end]);
        if self.item.variants[run.end].discriminant.is_none() {
            change.replace(&next.keyword, &format!("{} = {number}", next.name));
        }
        change.finish()
    }
}

/// Returns the number that an expression writes down.
fn literal(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Lit(one) => match &one.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(one) if matches!(one.op, UnOp::Neg(_)) => Some(-literal(&one.expr)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn the_variant_after_those_that_go_keeps_its_number() {
        check(
            &WORK,
            "enum E { A, B, C, D, F, G, H, I } fn f() { E::I; }",
            &[],
        );
        check(
            &WORK,
            "enum E { A, B, C, D, F, G, H, I, J } fn f() { E::J; }",
            &[
                "enum E { J = 8 } fn f() { E::J; }",
                "enum E { I = 7, J } fn f() { E::J; }",
                "enum E { H = 6, I, J } fn f() { E::J; }",
            ],
        );
    }

    #[test]
    fn numbers_are_counted_from_the_last_that_is_written() {
        check_has(
            &WORK,
            "enum E { A = -3, B, C, D, F, G, H, I, J, K }",
            "enum E { J = 5, K }",
        );
        check_has(
            &WORK,
            "enum E { A, B, C, D, F, G, H, I, J = 40 } fn f() { E::J; }",
            "enum E { J = 40 } fn f() { E::J; }",
        );
    }

    #[test]
    fn long_runs_are_halved() {
        check_has(
            &WORK,
            "enum E { A, B, C, D, F, G, H, I, J, K, L, M, N, O, P, Q }",
            "enum E { J = 8, K, L, M, N, O, P, Q }",
        );
    }

    #[test]
    fn variants_with_fields_or_unknown_numbers_stay() {
        check_not_applicable(
            &WORK,
            "enum E { A, B, C, D, F, G, H, I(u8), J } enum K { A = X, B, C, D, F, G, H, I, J }",
        );
    }

    #[test]
    fn the_variant_after_a_deleted_run_has_its_number() {
        check_has(
            &WORK,
            "enum E { A, B, C, D, F, G, H, I, J }",
            "enum E { I = 7, J }",
        );
    }
}
