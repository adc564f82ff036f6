//! The literals of the value that an assertion expects. Where such a literal stands in the setup too, the right answer
//! most likely comes from there, though the code under test, being wrong, does not take it.

use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::{SourceTree, TokenCursor};
use std::collections::{BTreeMap, BTreeSet};
use syn::{ImplItem, Item, Lit};

/// A literal that stands more often in a setup is not one of which it could be said where it comes from.
const MOST_PLACES: usize = 3;

/// Literals that must not become fewer: those of an expected value that stand in the setup too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedLiterals {
    /// How often each of them stands in the test and what it calls.
    counts: BTreeMap<String, usize>,
}

impl ExpectedLiterals {
    /// The literal of which a program has fewer, if there is one.
    #[must_use]
    pub fn lost_in(&self, sources: &SourceTree) -> Option<&str> {
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

    /// What tells them from others.
    #[must_use]
    pub fn form(&self) -> String {
        format!("{:?}", self.counts)
    }
}

/// Those of the assertion that stands at a position.
pub(super) fn expected(program: &Program, failed: Position) -> ExpectedLiterals {
    let text = program.sources().text(failed.file);
    let cursor = TokenCursor::new(text);
    let Some(assertion) = assertion(&cursor, failed.at) else {
        return ExpectedLiterals::default();
    };
    let assertion = Place::new(failed.file, assertion);
    let all = literals(&cursor).into_iter();
    let own = all.filter(|(start, _)| assertion.range.contains(start));
    let own: BTreeSet<String> = own.map(|(_, literal)| literal).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let reached = reached_from(program, failed);
    for (file, _, text) in program.sources().files() {
        for (start, literal) in literals(&TokenCursor::new(text)) {
            let at = Position::new(file, start);
            if own.contains(&literal) && reached.iter().any(|place| at.is_in(place)) {
                *counts.entry(literal).or_default() += 1;
            }
        }
    }
    // One of them is the assertion's own.
    counts.retain(|_, count| (2..=MOST_PLACES + 1).contains(count));
    ExpectedLiterals { counts }
}

/// The bytes of the macro call that begins at a byte.
fn assertion(cursor: &TokenCursor<'_>, at: usize) -> Option<std::ops::Range<usize>> {
    let mut after = cursor
        .indices()
        .skip_while(|idx| cursor.range(*idx).start < at);
    let first = after.next().filter(|idx| cursor.range(*idx).start == at)?;
    let open = (first..cursor.len()).find(|idx| cursor.closing(*idx).is_some())?;
    let is_call = cursor.is(open.checked_sub(1)?, "!");
    let end = cursor.closing(open).filter(|_| is_call)?;
    Some(cursor.bytes(first, end))
}

/// The literals of a text that are rare enough to say something, each as its value with its first byte.
fn literals(cursor: &TokenCursor<'_>) -> Vec<(usize, String)> {
    let all = cursor.indices().filter_map(|idx| {
        let text = cursor.word(idx);
        let first = text.as_bytes().first()?;
        let may_be_literal = first.is_ascii_digit() || text.contains(['"', '\'']);
        let value = value(&syn::parse_str(text).ok().filter(|_| may_be_literal)?)?;
        Some((cursor.range(idx).start, value))
    });
    all.collect()
}

/// What a literal says, without its suffix. `None` of one that stands everywhere.
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

/// The functions, constants and statics that are mentioned from the function of an assertion on, and those that lead
/// to it.
fn reached_from(program: &Program, failed: Position) -> Vec<Place> {
    let all = named_bodies(program);
    let leading = super::leading::Leading::to(program, failed);
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

/// All functions, constants and statics: where their names stand, and what they consist of.
fn named_bodies(program: &Program) -> Vec<(Position, Place)> {
    visit::collect(program, |at, node| {
        let (name, body) = match node {
            Node::Item(Item::Fn(one)) => (&one.sig.ident, at.place(&*one.block)),
            Node::ImplItem(ImplItem::Fn(one)) => (&one.sig.ident, at.place(&one.block)),
            Node::Item(Item::Const(one)) => (&one.ident, at.place(&*one.expr)),
            Node::Item(Item::Static(one)) => (&one.ident, at.place(&*one.expr)),
            _ => return None,
        };
        Some((at.position(name), body))
    })
}
