//! Slices of bodies: the statements that a crash points at, with those that define the names in them.
//!
//! The slices of bodies are static backward slices (Weiser, Program slicing, 1984) without control flow: what is around
//! a statement stays for its header alone, and what only changes a variable goes.

use super::{Seed, seeds};
use crate::ids::{Place, Position};
use crate::model::Model;
use crate::nesting::Nesting;
use reduce_syntax::{Edit, EditSet, ListKind, remove_elements};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The treatment of the end of a body that has to return a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyEnd {
    /// The end of the body stays as it is.
    Stays,
    /// `loop {}` takes its place, unless the crash points at it.
    Loops,
}

impl Model {
    /// Returns the edits that leave, of the bodies that these positions are in, the statements that they are in, and
    /// those that define what these mention. Seeds that are no positions name no statement.
    ///
    /// Returns `None` if nothing would go.
    #[must_use]
    pub fn keep_statements(&self, positions: &[Seed], end: BodyEnd) -> Option<EditSet> {
        let positions: Vec<Position> = positions
            .iter()
            .filter_map(|seed| seeds::position(self, seed))
            .collect();
        self.keep_statements_at(&positions, end)
    }

    /// Returns the edits that keep the statements around some positions, in the bodies around these.
    pub(super) fn keep_statements_at(
        &self,
        positions: &[Position],
        end: BodyEnd,
    ) -> Option<EditSet> {
        let mut edits = EditSet::new();
        for body in self.bodies_around(positions) {
            let mut kept = KeptStatements::of(self, body, end);
            positions.iter().for_each(|&at| kept.keep_around(at));
            kept.keep_ends();
            kept.keep_what_is_mentioned();
            kept.remove_others(&mut edits);
        }
        (!edits.is_empty()).then_some(edits)
    }

    /// Returns the bodies of functions that may go, as far as positions are in them; with whether they have to have
    /// a value.
    fn bodies_around(&self, positions: &[Position]) -> Vec<Body> {
        let around = |&at: &Position| {
            let entry = &self.outline().all[self.outline().innermost(at)?];
            let body = Place::new(entry.place.file, entry.body.clone()?);
            at.is_in(&body).then_some(body)
        };
        let mut bodies: Vec<Place> = positions.iter().filter_map(around).collect();
        bodies.sort_by_key(|body| (body.start(), body.range.end));
        bodies.dedup();
        let has_value = |body: &Place| {
            let mut definitions = self.definitions();
            definitions.any(|(_, one)| {
                one.whole.file == body.file
                    && one.body.as_ref() == Some(&body.range)
                    && one.ty.is_some()
            })
        };
        let bodies = bodies.into_iter().map(|place| Body {
            has_value: has_value(&place),
            place,
        });
        bodies.collect()
    }
}

struct Body {
    place: Place,
    /// Whether the function returns something else than `()`.
    has_value: bool,
}

/// A statement in a body.
struct Statement {
    place: Place,
    /// The list of the syntax tree that the statement is an element of, and its index there.
    element: (usize, usize),
    /// Whether the statement is the last of its block, and the block may have its value.
    is_end: bool,
}

/// The statements of a body, with those that stay.
struct KeptStatements<'m> {
    model: &'m Model,
    body: Body,
    end: BodyEnd,
    statements: Vec<Statement>,
    nesting: Nesting,
    /// The statement around each statement that is in another one.
    parents: BTreeMap<usize, usize>,
    kept: BTreeSet<usize>,
}

impl<'m> KeptStatements<'m> {
    fn of(model: &'m Model, body: Body, end: BodyEnd) -> Self {
        let statements = statements(model, &body.place);
        let nesting = Nesting::new(statements.iter().map(|one| one.place.clone()));
        Self {
            model,
            body,
            end,
            statements,
            parents: nesting
                .pairs()
                .map(|(outer, inner)| (inner, outer))
                .collect(),
            nesting,
            kept: BTreeSet::new(),
        }
    }

    /// Keeps the statements around a position.
    fn keep_around(&mut self, at: Position) {
        self.kept.extend(self.nesting.around(at));
    }

    /// Keeps the values of the blocks that are kept.
    fn keep_ends(&mut self) {
        let stays = |idx: &usize| {
            let stays = match self.parents.get(idx) {
                Some(parent) => self.kept.contains(parent),
                None => self.end == BodyEnd::Stays,
            };
            self.statements[*idx].is_end && stays
        };
        let all = 0..self.statements.len();
        let ends: Vec<usize> = all.filter(stays).collect();
        let n_before = self.kept.len();
        self.kept.extend(ends);
        if self.kept.len() > n_before {
            self.keep_ends();
        }
    }

    /// Keeps the statements that define variables and items which kept statements mention.
    fn keep_what_is_mentioned(&mut self) {
        loop {
            let n_before = self.kept.len();
            for at in self.mentioned() {
                self.keep_around(at);
            }
            self.keep_ends();
            if self.kept.len() == n_before {
                return;
            }
        }
    }

    /// Returns the positions of the definitions, in this body, that the kept statements mention.
    fn mentioned(&self) -> BTreeSet<Position> {
        let Place { file, range } = &self.body.place;
        let words = self.model.collected().words.within(*file, range);
        let words = words.filter(|&word| {
            let at = self.model.position(word);
            let innermost = self.nesting.around(at).next();
            innermost.is_some_and(|idx| self.kept.contains(&idx))
        });
        let defined = words.filter_map(|word| {
            let def = self.model.resolve(word).only()?;
            let name = self.model.definition(def).name;
            name.is_in(&self.body.place).then_some(name)
        });
        defined.collect()
    }

    fn remove_others(&self, edits: &mut EditSet) {
        let is_gone = |idx: &usize| !self.kept.contains(idx);
        let is_topmost = |idx: &usize| self.parents.get(idx).is_none_or(|of| !is_gone(of));
        let all = 0..self.statements.len();
        let value = self.value();
        let mut gone = BTreeSet::new();
        for idx in all.filter(is_gone).filter(is_topmost) {
            let one = &self.statements[idx];
            if value == Some(idx) {
                let range: &Range<usize> = &one.place.range;
                edits.add(Edit::replace(one.place.file, range, "loop {}"));
            } else {
                gone.insert(one.element);
            }
        }
        remove_elements(&self.model.tree().lists, gone, edits);
    }

    /// Returns the last statement of a body that has to have a value.
    fn value(&self) -> Option<usize> {
        let all = 0..self.statements.len();
        let outermost = all.filter(|idx| !self.parents.contains_key(idx));
        let last = outermost.max_by_key(|&idx| self.statements[idx].place.start());
        last.filter(|_| self.body.has_value)
    }
}

/// Returns the statements of a body, at all levels.
fn statements(model: &Model, body: &Place) -> Vec<Statement> {
    let lists = model.tree().lists.iter().enumerate();
    let lists = lists.filter(|(_, list)| list.kind == ListKind::Statements);
    let mut statements = Vec::new();
    for (list_idx, list) in lists {
        for (idx, element) in list.elements.iter().enumerate() {
            let place = Place::from(element);
            if !place.is_within(body) {
                break;
            }
            let text = &model.sources().text(place.file)[place.range.clone()];
            statements.push(Statement {
                is_end: idx + 1 == list.elements.len() && !text.trim_end().ends_with(';'),
                element: (list_idx, idx),
                place,
            });
        }
    }
    statements
}
