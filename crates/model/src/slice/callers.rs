//! Finds the chains of callers of the functions that a crash names, up to functions that the compiler makes although
//! nothing calls them.
//!
//! A generic function is only compiled for the types that it is called with, so a crash that shows when code is made needs a
//! caller, and that one perhaps a caller of its own.

use super::known::Known;
use super::reach::Reach;
use super::{BodyEnd, Seed};
use crate::compiler_names::CompilerNames;
use crate::definitions::DefKind;
use crate::ids::{NameId, Place, Position};
use crate::model::Model;
use crate::outline::{Entry, Kind};
use reduce_syntax::{EditSet, TokenCursor};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// The callers of each entry.
type Callers = HashMap<usize, BTreeSet<usize>>;

/// Chains of callers, from functions that the compiler makes by itself to the functions that a
/// crash names.
pub struct CallChains<'m> {
    model: &'m Model,
    known: Known,
    callers: Callers,
    /// The number of calls that lead from an entry to the nearest seed, for each entry that leads to one.
    distance: BTreeMap<usize, usize>,
    /// The functions with which chains begin, the nearest first.
    starts: Vec<usize>,
}

/// The entries that come into a slice although nothing is known to need them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spare {
    /// No entry comes into the slice without need.
    Nothing,
    /// Imports from other crates, and calls of macros that mention a part of the slice.
    ImportsAndCalls,
}

impl Model {
    /// Returns the chains of callers that lead to the functions that some seeds name. `None` if rustc has printed nothing of
    /// these, or no chain begins anywhere.
    #[must_use]
    pub fn call_chains(&self, names: &CompilerNames, seeds: &[Seed]) -> Option<CallChains<'_>> {
        let known = Known::new(self, names)?;
        let all = &self.outline().all;
        let is_function = |idx: &usize| all[*idx].body.is_some() && known.is_typed(*idx);
        let named = self.named_by(seeds).filter(is_function);
        let distance = named.map(|idx| (idx, 0)).collect();
        let mut chains = CallChains {
            model: self,
            callers: callers(self, &known),
            known,
            distance,
            starts: Vec::new(),
        };
        chains.follow();
        (!chains.starts.is_empty()).then_some(chains)
    }
}

impl CallChains<'_> {
    /// Returns the number of functions with which chains begin.
    #[must_use]
    pub fn n_starts(&self) -> usize {
        self.starts.len()
    }

    /// Returns the edits that leave the seeds, and the shortest chains that lead to them from some of the starts, with
    /// the definitions that these mention. Starts are given by their numbers, the nearest first. All other bodies are
    /// emptied.
    #[must_use]
    pub fn slice(&self, starts: impl IntoIterator<Item = usize>, spare: Spare) -> EditSet {
        let mut reach = Reach::new(self.model, 0);
        reach.known = Some(&self.known);
        reach.with_imports = spare == Spare::ImportsAndCalls;
        reach.with_calls = spare == Spare::ImportsAndCalls;
        reach.start_from(self.links(starts));
        reach.close();
        reach.edits()
    }

    /// Returns the edits that keep, in the bodies along all shortest chains but those of the seeds, the statements that
    /// call a function nearer to a seed, with those that define what these mention.
    ///
    /// Returns `None` if nothing would go.
    #[must_use]
    pub fn keep_calls(&self, end: BodyEnd) -> Option<EditSet> {
        let links = self.links(0..self.n_starts());
        let calls: Vec<Position> = links.iter().flat_map(|&idx| self.calls_in(idx)).collect();
        self.model.keep_statements_at(&calls, end)
    }

    /// Returns the positions, in the body of a caller, of the names of the callees that are nearer to a seed.
    fn calls_in(&self, caller: usize) -> Vec<Position> {
        let all = &self.model.outline().all;
        let entry = &all[caller];
        let Some(body) = entry.body.as_ref().filter(|_| self.distance[&caller] > 0) else {
            return Vec::new();
        };
        let called = self.next_links(caller);
        let names: BTreeSet<NameId> = called
            .flat_map(|idx| all[idx].names.first().copied())
            .collect();
        let words = &self.model.collected().words;
        let named = words
            .within(entry.place.file, body)
            .filter(|&word| names.contains(&words.get(word).name));
        named.map(|word| self.model.position(word)).collect()
    }

    /// Returns the entries in the shortest chains from some starts.
    fn links(&self, starts: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let seeds = self.distance.iter().filter(|(_, distance)| **distance == 0);
        let mut links: BTreeSet<usize> = seeds.map(|(&idx, _)| idx).collect();
        let starts = starts.into_iter().map(|start| self.starts[start]);
        let mut todo: Vec<usize> = starts.collect();
        while let Some(idx) = todo.pop() {
            if links.insert(idx) {
                todo.extend(self.next_links(idx));
            }
        }
        links
    }

    /// Returns the callees of an entry that are one call nearer to a seed.
    fn next_links(&self, caller: usize) -> impl Iterator<Item = usize> {
        let next = self.distance[&caller].saturating_sub(1);
        let nearer = self
            .distance
            .iter()
            .filter(move |(_, distance)| **distance == next);
        let is_called = move |called: &usize| {
            let callers = self.callers.get(called);
            callers.is_some_and(|callers| callers.contains(&caller))
        };
        nearer.map(|(&called, _)| called).filter(is_called)
    }

    fn follow(&mut self) {
        let generic = generic_places(self.model);
        let exports = !is_program(self.model);
        let mut todo: VecDeque<usize> = self.distance.keys().copied().collect();
        while let Some(idx) = todo.pop_front() {
            let callers = self.callers.get(&idx).into_iter().flatten();
            let mut callers = callers.peekable();
            let is_last = callers.peek().is_none() || (exports && is_public(self.model, idx));
            if is_last && !is_generic(self.model, idx, &generic) {
                self.starts.push(idx);
                continue;
            }
            let next = self.distance[&idx] + 1;
            for &caller in callers {
                self.distance.entry(caller).or_insert_with(|| {
                    todo.push_back(caller);
                    next
                });
            }
        }
    }
}

/// Finds the callers of each entry. What calls a member of a trait may call that of each impl. A member of a trait of
/// another crate may be called by whatever mentions the type: by an operator, a loop, or when a value is dropped.
fn callers(model: &Model, known: &Known) -> Callers {
    let mut callers = Callers::new();
    for (idx, exact) in known.typed() {
        for called in exact.entries() {
            callers.entry(called).or_default().insert(idx);
        }
    }
    let all = model.outline().all.iter().enumerate();
    let members = all.filter_map(|(idx, entry)| {
        let through = match member_of_trait(model, known, entry) {
            Some(of_trait) => vec![of_trait],
            None => types_of_impl(model, known, entry)?,
        };
        let callers = through.iter().filter_map(|one| callers.get(one)).flatten();
        Some((idx, callers.copied().collect::<BTreeSet<usize>>()))
    });
    for (idx, through) in members.collect::<Vec<_>>() {
        callers.entry(idx).or_default().extend(through);
    }
    callers
}

/// Returns the types that the head of an impl of a trait mentions, for a member of it.
fn types_of_impl(model: &Model, known: &Known, member: &Entry) -> Option<Vec<usize>> {
    let all = &model.outline().all;
    let block = member.parent?;
    let is_of_trait = matches!(
        all[block].kind,
        Kind::Impl {
            of_trait: Some(_),
            ..
        }
    );
    let mentioned = known.of(block).filter(|_| is_of_trait)?;
    let mentioned = mentioned.outside_body.entries.iter().copied();
    Some(
        mentioned
            .filter(|&idx| all[idx].kind == Kind::Other)
            .collect(),
    )
}

/// Returns the member of a trait of the crate that a member of an impl stands for.
fn member_of_trait(model: &Model, known: &Known, member: &Entry) -> Option<usize> {
    let all = &model.outline().all;
    let block = member.parent?;
    let Kind::Impl {
        of_trait: Some(of_trait),
        ..
    } = all[block].kind
    else {
        return None;
    };
    let mut mentioned = known.of(block)?.outside_body.entries.iter();
    let is_meant = |idx: &&usize| {
        all[**idx].kind == Kind::Trait && all[**idx].names.first() == Some(&of_trait)
    };
    let of_trait = *mentioned.find(is_meant)?;
    let mut namesakes = model.outline().by_name(*member.names.first()?);
    namesakes.find(|idx| all[*idx].parent == Some(of_trait))
}

/// Returns the places of the definitions with parameters that stand for types or constants.
fn generic_places(model: &Model) -> HashSet<&Place> {
    let is_parameter = |kind| matches!(kind, DefKind::TypeParameter | DefKind::ConstParameter);
    let parameters = model
        .definitions()
        .filter(|(_, one)| is_parameter(one.kind));
    let owners = parameters.filter_map(|(_, one)| one.parent);
    owners.map(|of| &model.definition(of).whole).collect()
}

/// Returns whether an entry, or an entry around it, has parameters, so that the compiler only makes it for callers.
fn is_generic(model: &Model, idx: usize, generic: &HashSet<&Place>) -> bool {
    let all = &model.outline().all;
    let around = std::iter::successors(Some(idx), |&idx| all[idx].parent);
    let mut around = around.map(|idx| &all[idx]);
    around.any(|entry| entry.kind == Kind::Trait || generic.contains(&entry.place))
}

/// Returns whether the crate has a `main` at its root, so that the compiler makes nothing else by itself.
fn is_program(model: &Model) -> bool {
    let all = &model.outline().all;
    let main = model.name_of("main").into_iter();
    let mut named = main.flat_map(|name| model.outline().by_name(name));
    named.any(|idx| all[idx].parent.is_none() && all[idx].body.is_some())
}

/// Returns whether an entry can be named from outside of its module, or is called through a trait.
fn is_public(model: &Model, idx: usize) -> bool {
    let all = &model.outline().all;
    let entry = &all[idx];
    let of = entry.parent.map(|parent| &all[parent].kind);
    if let Some(Kind::Impl {
        of_trait: Some(_), ..
    }) = of
    {
        return true;
    }
    let text = model.sources().text(entry.place.file);
    let head = TokenCursor::without_docs(&text[entry.place.range.clone()]);
    let start = head.skip_attributes(0);
    head.is(start, "pub") && !head.is(start + 1, "(")
}
