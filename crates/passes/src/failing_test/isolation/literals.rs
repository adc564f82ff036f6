//! Finds the literals of the value that an assertion expects. Where such a literal stands in the setup too, the right answer most
//! likely comes from there, though the code under test, being wrong, does not take it.

use super::checks::{Assertion, call_at};
use super::leading::{Leading, bodies_of_other_tests, functions};
use super::variables::is_unmentioned;
use super::waiting::{count_waits, waits};
use crate::failing_test::expected::is_value;
use crate::passes::is_assertion_name;
use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::{SourceTree, TokenCursor, TokenKind};
use std::collections::{BTreeMap, BTreeSet};
use syn::{BinOp, Expr, Item, Lit, Local, Pat};

/// The most places at which a literal of a setup may stand to be noted: of one at more places nobody can say where it comes from.
const MOST_PLACES: usize = 3;

/// The literals and waits of which a reduced test must not have fewer, as the right answer may depend on them though mutants do
/// not show that: literals of an expected value that stand in the setup too, and calls that let time pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedLiterals {
    /// For each literal, the number of its places in the test and in the code that the test calls.
    counts: BTreeMap<String, usize>,
    /// The literals that are passed to functions which assert something, in their order.
    asserted: Vec<String>,
    /// The number of calls that let time pass, in the test and in the code that the test calls.
    waits: usize,
}

impl ExpectedLiterals {
    /// Returns a literal of which a program has too few, or a word for missing waits; `None` if nothing is missing.
    #[must_use]
    pub fn lost_in(&self, sources: &SourceTree) -> Option<&str> {
        if let Some(lost) = self.lost_of_asserted(sources) {
            return Some(lost);
        }
        if self.waits > 0 && count_waits(sources) < self.waits {
            return Some("sleep");
        }
        let mut left = self.counts.clone();
        for (_, _, text) in sources.files() {
            if left.is_empty() {
                return None;
            }
            for literal in literals(&TokenCursor::new(text)) {
                if let Some(count) = left.get_mut(&literal.1) {
                    *count = count.saturating_sub(1);
                }
            }
        }
        let lost = left.into_iter().find(|(_, count)| *count > 0);
        let (literal, _) = lost?;
        self.counts
            .get_key_value(&literal)
            .map(|(known, _)| known.as_str())
    }

    fn lost_of_asserted(&self, sources: &SourceTree) -> Option<&str> {
        if self.asserted.is_empty() {
            return None;
        }
        let mut left = asserted_literals(sources, |_| true).into_iter();
        let mut all = self.asserted.iter();
        let lost = all.find(|literal| !left.any(|one| one == **literal));
        lost.map(String::as_str)
    }

    /// Returns a text that is another one for other literals, or for another number of times that the test waits.
    #[must_use]
    pub fn form(&self) -> String {
        let waits = match self.waits {
            0 => String::new(),
            waits => format!(" {waits} waits"),
        };
        format!("{:?} {:?}{waits}", self.counts, self.asserted)
    }
}

/// Returns all literals that the test of this name passes to functions that assert something. Such a function ends at the first of
/// several values that are wrong, and those after it are as right as those before.
pub(super) fn of_asserting_calls(program: &Program, test: &str) -> ExpectedLiterals {
    let others = bodies_of_other_tests(program, test);
    let is_of_other = |at: Position| others.iter().any(|body| at.is_in(body));
    ExpectedLiterals {
        asserted: asserted_literals(program.sources(), |at| !is_of_other(at)),
        ..ExpectedLiterals::default()
    }
}

/// Returns whether a macro of this name is one of the standard library's assertions.
fn is_of_std(name: &str) -> bool {
    const PLAIN: [&str; 4] = ["assert", "assert_eq", "assert_matches", "assert_ne"];
    PLAIN.contains(&name)
}

/// Returns the literals that are passed to functions which assert something, at the positions that `counts_at` accepts.
fn asserted_literals(sources: &SourceTree, counts_at: impl Fn(Position) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (file, _, text) in sources.files() {
        let cursor = TokenCursor::new(text);
        let is_call = |idx: &usize| is_assertion_name(cursor.word(*idx)) && cursor.is(idx + 1, "(");
        let is_macro = |idx: &usize| {
            let name = cursor.word(*idx);
            is_assertion_name(name) && !is_of_std(name) && cursor.are(idx + 1, &["!", "("])
        };
        for name in cursor.indices().filter(|idx| is_call(idx) || is_macro(idx)) {
            let open = name + 1 + usize::from(cursor.is(name + 1, "!"));
            let within = open + 1..cursor.closing(open).unwrap_or(open);
            let literals = within.filter(|idx| {
                let at = Position::new(file, cursor.range(*idx).start);
                cursor.kind(*idx).is_some_and(TokenKind::is_literal) && counts_at(at)
            });
            found.extend(literals.map(|idx| cursor.word(idx).to_owned()));
        }
    }
    found
}

/// Returns the literals that the assertion at a position expects.
pub(super) fn expected(program: &Program, failed: Position) -> ExpectedLiterals {
    let text = program.sources().text(failed.file);
    let Some((file, call)) = call_at(program, failed) else {
        return ExpectedLiterals::default();
    };
    let expected: Vec<Place> = match Assertion::of(&call) {
        Some(assertion) => assertion
            .expected()
            .iter()
            .map(|side| file.place(side))
            .collect(),
        None => vec![file.place(&call)],
    };
    let is_expected = |start: &usize| expected.iter().any(|side| side.range.contains(start));
    let all = literals(&TokenCursor::new(text)).into_iter();
    let own = all.filter(|(start, _)| is_expected(start));
    let own: BTreeSet<String> = own.map(|(_, literal)| literal).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let reached = reached_from(program, failed);
    let unused = unused_values(program);
    let is_counted = |at: Position| {
        reached.iter().any(|place| at.is_in(place)) && !unused.iter().any(|place| at.is_in(place))
    };
    let mut n_waits = 0;
    for (file, _, text) in program.sources().files() {
        let at = |start: &usize| Position::new(file, *start);
        let waits = waits(text).into_iter();
        n_waits += waits.filter(|start| is_counted(at(start))).count();
        for (start, literal) in literals(&TokenCursor::new(text)) {
            let at = Position::new(file, start);
            if own.contains(&literal) && is_counted(at) {
                *counts.entry(literal).or_default() += 1;
            }
        }
    }
    // The assertion itself has one of the places.
    counts.retain(|_, count| (2..=MOST_PLACES + 1).contains(count));
    ExpectedLiterals {
        counts,
        waits: n_waits,
        ..ExpectedLiterals::default()
    }
}

/// Returns the literals of a text that are special enough to be recognized (not `0`, for example), each as the byte where it
/// begins and its value.
fn literals(cursor: &TokenCursor<'_>) -> Vec<(usize, String)> {
    let all = cursor.indices().filter_map(|idx| {
        cursor.kind(idx).filter(|kind| kind.is_literal())?;
        let literal = syn::parse_str(cursor.word(idx)).ok()?;
        Some((cursor.range(idx).start, value(&literal)?))
    });
    all.collect()
}

/// Returns the text of a literal's value, without its suffix. `None` of one that stands everywhere.
fn value(literal: &Lit) -> Option<String> {
    match literal {
        Lit::Str(text) => Some(text.value()).filter(|text| !text.is_empty()),
        Lit::ByteStr(text) => Some(format!("{:?}", text.value())).filter(|text| text.len() > 2),
        Lit::Char(one) => Some(one.value().to_string()),
        Lit::Int(number) => Some(number.base10_digits().to_owned()).filter(|text| text.len() > 1),
        Lit::Float(number) => Some(number.base10_digits().to_owned()).filter(|text| text.len() > 3),
        _ => None,
    }
}

/// Returns the bodies of the functions, constants and statics that the function of an assertion leads to, and of those that lead
/// to it.
fn reached_from(program: &Program, failed: Position) -> Vec<Place> {
    let all = named_bodies(program);
    let leading = Leading::to(program, failed);
    let outermost = leading.blocks.iter().map(|one| one.file.place(one.block));
    let mut reached: Vec<Place> = outermost.collect();
    let mut open = reached.clone();
    while let Some(place) = open.pop() {
        for (name, body) in &all {
            let mut mentions = program.mentions().of(*name).iter();
            if !reached.contains(body) && mentions.any(|mention| mention.is_in(&place)) {
                reached.push(body.clone());
                open.push(body.clone());
            }
        }
    }
    reached
}

/// Returns the places of values that nothing uses: of variables that are not mentioned, and those of expectations of which only
/// the comparison is left.
fn unused_values(program: &Program) -> Vec<Place> {
    let mut unused = unused_variables(program);
    visit::each_also_in_macros(program, |at, node| {
        if let Node::Local(Local {
            pat: Pat::Wild(_),
            init: Some(init),
            ..
        }) = node
            && let Expr::Binary(both) = &*init.expr
            && matches!(both.op, BinOp::Eq(_) | BinOp::Ne(_))
        {
            let sides = [&both.left, &both.right].into_iter();
            let values = sides.filter(|side| is_value(side));
            unused.extend(values.map(|value| at.place(&**value)));
        }
    });
    unused
}

fn unused_variables(program: &Program) -> Vec<Place> {
    visit::collect(program, |at, node| {
        let Node::Local(local) = node else {
            return None;
        };
        let is_unused = is_unmentioned(program, at.file, local);
        let init = local.init.as_ref().filter(|_| is_unused)?;
        Some(at.place(&*init.expr))
    })
}

/// Returns all functions, constants and statics: the position of each name, and the place of its body or value.
fn named_bodies(program: &Program) -> Vec<(Position, Place)> {
    let functions = functions(program).into_iter();
    let functions = functions.map(|one| (one.name(), one.body()));
    let values = visit::collect(program, |at, node| match node {
        Node::Item(Item::Const(one)) => Some((at.position(&one.ident), at.place(&*one.expr))),
        Node::Item(Item::Static(one)) => Some((at.position(&one.ident), at.place(&*one.expr))),
        _ => None,
    });
    functions.chain(values).collect()
}
