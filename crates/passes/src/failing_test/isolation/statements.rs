//! Finds the statements around the failing assertion whose values cannot reach it.

use super::Isolating;
use super::leading::{Leading, LeadingBlock};
use super::variables::Variables;
use super::waiting::waits;
use crate::program::Place;
use reduce_model::Position;
use std::collections::{BTreeMap, BTreeSet};
use syn::Stmt;

/// Returns the removals of statements that share no variable with the assertion, and of those after it if they are never reached.
pub(super) fn unrelated(leading: &Leading<'_>, variables: &Variables) -> Vec<Isolating> {
    let blocks = leading.blocks.iter();
    let parts = blocks.flat_map(|block| {
        let groups = groups(block, variables);
        let end = block.end_of_anchor();
        let (unanchored, anchored): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| !group.is_anchored);
        let late = anchored.into_iter().flat_map(|group| group.statements);
        let late = late.filter(move |place| end.is_some_and(|end| place.range.start >= end));
        let late = late.map(|place| vec![place]);
        unanchored
            .into_iter()
            .map(|group| group.statements)
            .chain(late)
    });
    parts.map(Isolating::Remove).collect()
}

/// Returns lists of cases: groups of statements of which each may lead to the assertion.
pub(super) fn cases(leading: &Leading<'_>, variables: &Variables) -> Vec<Vec<Isolating>> {
    let blocks = leading.blocks.iter();
    let lists = blocks.map(|block| -> Vec<Isolating> {
        let groups = groups(block, variables).into_iter();
        let anchored = groups.filter(|group| group.is_anchored);
        anchored
            .map(|group| Isolating::Remove(group.statements))
            .collect()
    });
    lists.filter(|parts| parts.len() > 1).collect()
}

/// A group of statements in a block that share variables with each other and with no statement outside of the group.
struct Group {
    statements: Vec<Place>,
    /// Whether one of the statements leads to the assertion.
    is_anchored: bool,
}

impl LeadingBlock<'_> {
    /// Returns the end of the statement after which no code is reached.
    fn end_of_anchor(&self) -> Option<usize> {
        let statements = self.block.stmts.iter();
        let places = statements.map(|statement| self.file.place(statement));
        let mut anchored = places.filter(|place| self.is_anchored(place));
        let only = anchored.next().filter(|_| anchored.next().is_none());
        only.filter(|_| self.ends_there)
            .map(|place| place.range.end)
    }

    /// Whether a statement before the assertion lets time pass: the code under test may look at the clock.
    fn waits_in(&self, statement: &Stmt, place: &Place) -> bool {
        let is_before = self.anchors.iter().any(|at| place.range.end <= at.at);
        is_before && !waits(self.file.text(statement)).is_empty()
    }

    fn is_anchored(&self, place: &Place) -> bool {
        self.anchors.iter().any(|at| at.is_in(place))
    }
}

/// Groups the statements of a block by the variables that they share. What the block's value is stays, and so does what only
/// names something for others.
fn groups(block: &LeadingBlock<'_>, variables: &Variables) -> Vec<Group> {
    let statements = block.block.stmts.iter().enumerate();
    let mut of_variable: BTreeMap<Position, usize> = BTreeMap::new();
    let mut groups: Vec<Option<Group>> = vec![];
    for (idx, statement) in statements {
        let place = block.file.place(statement);
        let is_value = idx + 1 == block.block.stmts.len() && is_value(statement);
        if is_value && !block.is_anchored(&place) || stays(statement, &place, variables) {
            continue;
        }
        if block.waits_in(statement, &place) {
            continue;
        }
        let mentioned: BTreeSet<Position> = variables.within(&place).collect();
        let joined = mentioned
            .iter()
            .filter_map(|one| of_variable.get(one).copied());
        let joined: BTreeSet<usize> = joined.collect();
        let mut whole = Group {
            is_anchored: block.is_anchored(&place),
            statements: vec![place],
        };
        for other in joined {
            if let Some(other) = groups[other].take() {
                whole.is_anchored |= other.is_anchored;
                whole.statements.extend(other.statements);
            }
        }
        let number = groups.len();
        for group in of_variable.values_mut() {
            if groups[*group].is_none() {
                *group = number;
            }
        }
        of_variable.extend(mentioned.into_iter().map(|one| (one, number)));
        groups.push(Some(whole));
    }
    groups.into_iter().flatten().collect()
}

fn is_value(statement: &Stmt) -> bool {
    match statement {
        Stmt::Expr(_, semicolon) => semicolon.is_none(),
        Stmt::Macro(call) => call.semi_token.is_none(),
        Stmt::Local(_) | Stmt::Item(_) => false,
    }
}

/// Whether a statement has to stay though it shares no variable with other code: an item, or a variable that is made of literals
/// alone.
fn stays(statement: &Stmt, place: &Place, variables: &Variables) -> bool {
    match statement {
        Stmt::Item(_) => true,
        Stmt::Local(_) => {
            let mut defined = variables.defined_in(place);
            defined.any(|one| variables.is_plain(one))
        }
        Stmt::Expr(..) | Stmt::Macro(_) => false,
    }
}
