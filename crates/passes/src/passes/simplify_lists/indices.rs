//! Deletes a statement or an element of a list, and lowers the index by one at which an assertion looks at a list.
//! Tests compare all that was made with what it should be; of a reduced one a single place is left, and what was made
//! before it is only there to be counted.

use super::super::expressions::{blocks, is_assertion_name};
use crate::pass::{Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use syn::{Expr, Lit};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most changes that are tried: a program for which there are more is left to other passes first.
const MOST_CHANGES: usize = 150;

fn changes(program: &Program) -> Vec<EditSet> {
    let indices = indices(program);
    if indices.is_empty() {
        return Vec::new();
    }
    let elements = elements(program);
    if indices.len() * elements.len() > MOST_CHANGES {
        return Vec::new();
    }
    let of_index = |index: &Index| {
        let others = elements.iter().filter(|one| !index.literal.is_within(one));
        others
            .filter_map(|one| index.shifted(program, one))
            .collect::<Vec<_>>()
    };
    simplest_first(program, indices.iter().flat_map(of_index))
}

/// A number that is an index, as in `x[1]`, `x[1..]` or `x.nth(1)`.
struct Index {
    literal: Place,
    value: usize,
}

impl Index {
    fn of(at: visit::At<'_>, one: &Expr) -> Option<Self> {
        let Expr::Lit(literal) = place_in_list(one)? else {
            return None;
        };
        let Lit::Int(number) = &literal.lit else {
            return None;
        };
        Some(Self {
            literal: at.place(literal),
            value: number.base10_parse().ok().filter(|value| *value > 0)?,
        })
    }

    /// Returns the change that deletes an element and lowers this index by one, which is right if the element stands before.
    fn shifted(&self, program: &Program, element: &Place) -> Option<EditSet> {
        let mut change = program.change();
        change.remove(element);
        change.replace(&self.literal, &(self.value - 1).to_string());
        change.finish()
    }
}

/// Returns the index at which an expression takes something from a list.
fn place_in_list(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Index(one) => match &*one.index {
            Expr::Range(range) => range.start.as_deref(),
            index => Some(index),
        },
        Expr::MethodCall(call) if call.method == "nth" || call.method == "get" => call.args.first(),
        _ => None,
    }
}

/// Returns the indices in assertions that are greater than zero.
fn indices(program: &Program) -> Vec<Index> {
    let mut found = Vec::new();
    visit::each_also_in_macros(program, |at, node| {
        if let Node::Expr(one) = node {
            found.extend(Index::of(at, one));
        }
    });
    let mut assertions = Vec::new();
    visit::each_call(program, |at, _, call| {
        if let Some(name) = call.path.segments.last()
            && is_assertion_name(&name.ident.to_string())
        {
            assertions.push(at.place(call));
        }
    });
    found.retain(|one: &Index| assertions.iter().any(|whole| one.literal.is_within(whole)));
    found
}

/// Returns the places of all statements, and of the elements of arrays and vectors.
fn elements(program: &Program) -> Vec<Place> {
    let mut found = Vec::new();
    for (file, block) in blocks(program) {
        found.extend(block.stmts.iter().map(|one| file.place(one)));
    }
    visit::each_also_in_macros(program, |at, node| {
        if let Node::Expr(list) = node
            && let Some(elements) = program.listed(at.file, list)
        {
            found.extend(elements.iter().map(|one| at.place(one)));
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn each_statement_and_element_goes_with_one_place_of_what_is_compared() {
        check(
            &WORK,
            "fn f() { let x = g(vec![a, b], [c]); h(); assert_eq!(x[2].d, 3); }",
            &[
                "fn f() { h(); assert_eq!(x[1].d, 3); }",
                "fn f() { let x = g(vec![a, b], [c]); assert_eq!(x[1].d, 3); }",
                "fn f() { let x = g(vec![b], [c]); h(); assert_eq!(x[1].d, 3); }",
                "fn f() { let x = g(vec![a], [c]); h(); assert_eq!(x[1].d, 3); }",
                "fn f() { let x = g(vec![a, b], []); h(); assert_eq!(x[1].d, 3); }",
            ],
        );
    }

    #[test]
    fn what_comes_after_a_place_begins_one_earlier_too() {
        check(
            &WORK,
            "fn f() { g(); assert_eq!(x[1..], y); }",
            &["fn f() { assert_eq!(x[0..], y); }"],
        );
        check(
            &WORK,
            "fn f() { g(); assert_eq!(x.nth(2), y); }",
            &["fn f() { assert_eq!(x.nth(1), y); }"],
        );
    }

    #[test]
    fn first_places_and_those_that_nothing_compares_stay() {
        check_not_applicable(&WORK, "fn f() { g(); assert_eq!(x[0], 3); }");
        check_not_applicable(&WORK, "fn f() { g(); h(x[1]); }");
        check_not_applicable(&WORK, "fn f() { g(); assert_eq!(x[a], 3); }");
    }

    #[test]
    fn the_place_before_is_looked_at() {
        check_has(
            &WORK,
            "fn f() { g(a); g(b); assert_eq!(h()[1], 2); }",
            "fn f() { g(b); assert_eq!(h()[0], 2); }",
        );
    }
}
