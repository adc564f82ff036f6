//! Finds the entries that seeds reach by what rustc says of the entries, instead of by spelling. A name in a known
//! entry reaches nothing by itself, unless it is that of a macro, or of what a macro makes; but imports of it stay,
//! and members of that name.

use super::super::known::{Exact, Known, Mentioned};
use super::Reach;
use crate::ids::NameId;
use crate::outline::{Entry, Kind, Mention};
use std::collections::{BTreeSet, HashMap};

impl Reach<'_> {
    /// Reaches the entries that a known entry mentions.
    pub(super) fn follow_exactly(&mut self, idx: usize, exact: &Exact) {
        let (entry, distance) = (&self.outline.all[idx], self.distance[&idx]);
        let next = distance.saturating_add(1);
        self.note_all(idx, &entry.mentions, next);
        self.reach_all(&exact.outside_body, next);
        if self.body_counts(idx, distance) {
            self.note_all(idx, &entry.body_mentions, next);
            self.reach_all(&exact.in_body, next);
        }
        if self.with_calls && !self.is_by_model() {
            for name in &entry.names {
                self.reach_calls_of(*name, next);
            }
        }
    }

    /// Reaches, as seeds, all entries that mention a reached entry. A method is mentioned by its name: before types
    /// are checked, nobody knows whose it is.
    pub(super) fn start_from_known_users(&mut self, known: &Known) {
        let all = &self.outline.all;
        let reached = self.distance.keys().copied();
        let reached: BTreeSet<usize> = reached
            .filter(|&idx| all[idx].kind != Kind::Module)
            .collect();
        let members = reached.iter().map(|&idx| &all[idx]);
        let members = members.filter(|one| matches!(one.kind, Kind::Required | Kind::Provided));
        let members: BTreeSet<NameId> = members.flat_map(|one| one.names.iter().copied()).collect();
        let is_user = |idx: usize, entry: &Entry| {
            let mentions = entry.mentions.iter().chain(&entry.body_mentions);
            let mut names = mentions.map(|mention| mention.name);
            let exact = known.of(idx);
            names.any(|name| members.contains(&name) && !entry.names.contains(&name))
                || exact.is_some_and(|exact| exact.entries().any(|idx| reached.contains(&idx)))
        };
        let others = self.all().filter(|(_, one)| !one.kind.is_import());
        let users = others.filter(|(idx, one)| is_user(*idx, one));
        let users: Vec<usize> = users.map(|(idx, _)| idx).collect();
        self.start_from(users);
    }

    /// Notes what an entry mentions, and reaches the macros among it.
    fn note_all(&mut self, idx: usize, mentions: &BTreeSet<Mention>, distance: usize) {
        self.note_in_modules(idx, mentions.iter());
        for &mention in mentions {
            if self.known.is_some_and(|known| known.is_macro(mention.name)) {
                self.mention_macro(mention, distance);
            } else {
                note(&mut self.mentioned, mention.name, distance);
                if !self.known.is_some_and(|known| known.has_bodies()) {
                    note(&mut self.of_members, mention.name, distance);
                }
            }
        }
    }

    /// Notes the names that an entry mentions for the modules around it, where the model says what names mean.
    pub(super) fn note_in_modules<'e>(
        &mut self,
        idx: usize,
        mentions: impl Iterator<Item = &'e Mention> + Clone,
    ) {
        if !self.is_by_model() {
            return;
        }
        let all = &self.outline.all;
        let around = std::iter::successors(all[idx].parent, |&idx| all[idx].parent);
        for module in around.filter(|&idx| all[idx].kind == Kind::Module) {
            let names = mentions.clone().map(|mention| (module, mention.name));
            self.mentioned_in.extend(names);
        }
    }

    /// Reaches the macros of a name, and nothing else that has the name.
    fn mention_macro(&mut self, mention: Mention, distance: usize) {
        let knows_macros = self.is_narrow() || self.is_by_model();
        let macros: Vec<usize> = match self.known.filter(|_| knows_macros) {
            Some(known) => {
                let named = self.outline.by_name(mention.name);
                named.filter(|&idx| known.defines_macro(idx)).collect()
            }
            None => Vec::new(),
        };
        if macros.is_empty() {
            self.mention(mention, distance);
            return;
        }
        note(&mut self.mentioned, mention.name, distance);
        macros.into_iter().for_each(|idx| self.reach(idx, distance));
    }

    fn reach_all(&mut self, mentioned: &Mentioned, distance: usize) {
        for &idx in &mentioned.entries {
            if !self.outline.all[idx].kind.is_import() {
                self.reach(idx, distance);
            }
        }
        for (&name, calls) in &mentioned.names {
            if self.is_narrow() && !calls.is_empty() {
                note(&mut self.mentioned, name, distance);
                calls.iter().for_each(|&idx| self.reach(idx, distance));
            } else {
                self.mention(Mention::plain(name), distance);
            }
        }
    }

    /// Reaches the calls of macros that may implement a trait for something of this name.
    fn reach_calls_of(&mut self, name: NameId, distance: usize) {
        for idx in self.outline.by_name(name) {
            if let Kind::Call | Kind::Expanded = self.outline.all[idx].kind {
                self.reach(idx, distance);
            }
        }
    }

    /// Reaches the traits that are not named but that a reached type implements, if one of their
    /// members is mentioned.
    pub(super) fn reach_traits_of_methods(&mut self) {
        let Some(known) = self.known else { return };
        let impls = self.all().filter(|(idx, _)| known.of(*idx).is_some());
        let traits = impls.filter_map(|(idx, block)| {
            let Kind::Impl { of_trait, of_type } = block.kind else {
                return None;
            };
            self.distance_in_head(idx, of_type)?;
            self.trait_of_methods(known.of(idx)?, of_trait?)
        });
        for (idx, distance) in traits.collect::<Vec<_>>() {
            self.reach(idx, distance);
        }
    }

    /// Returns the trait of an impl, if it is not reached, but one of its members is mentioned.
    fn trait_of_methods(&self, block: &Exact, of_trait: NameId) -> Option<(usize, usize)> {
        let mut named = block.outside_body.entries.iter().copied();
        let idx = named.find(|&idx| {
            let entry = &self.outline.all[idx];
            entry.kind == Kind::Trait && entry.names.first() == Some(&of_trait)
        })?;
        let members = self.outline.all[idx].names.iter().skip(1);
        let mentions = members.filter_map(|name| self.of_members.get(name));
        let nearest = *mentions.min()?;
        (!self.distance.contains_key(&idx)).then_some((idx, nearest))
    }

    /// Returns the distance of what a name in the head of an impl means: `None` if that is of this crate and not
    /// reached, `Some(None)` if it is not of this crate.
    pub(super) fn distance_in_head(
        &self,
        block: usize,
        name: Option<NameId>,
    ) -> Option<Option<usize>> {
        let exact = self.known.and_then(|known| known.of(block));
        let (Some(exact), Some(name)) = (exact, name) else {
            return self.local_distance(name);
        };
        if let Some(calls) = exact.outside_body.names.get(&name) {
            return match self.is_narrow() && !calls.is_empty() {
                true => self.nearest_of(calls).map(Some),
                false => self.local_distance(Some(name)),
            };
        }
        let mentioned = exact.outside_body.entries.iter();
        let mut meant = mentioned
            .filter(|idx| self.outline.all[**idx].names.first() == Some(&name))
            .peekable();
        if meant.peek().is_none() {
            return Some(None);
        }
        self.nearest_of(meant).map(Some)
    }

    fn nearest_of<'i>(&self, entries: impl IntoIterator<Item = &'i usize>) -> Option<usize> {
        let distances = entries.into_iter().filter_map(|idx| self.distance.get(idx));
        distances.min().copied()
    }

    /// Returns whether calls of macros stay only if a definition that they have made is needed.
    pub(super) fn is_narrow(&self) -> bool {
        !self.with_calls && self.known.is_some_and(Known::has_bodies)
    }

    /// Reaches the entries that a call of a macro, or the definition of one, needs, if they are
    /// known.
    pub(super) fn follow_macro(&mut self, idx: usize) -> bool {
        let Some(known) = self.known.filter(|_| self.is_narrow()) else {
            return false;
        };
        if let Some(exact) = known.made().of(idx) {
            self.follow_exactly(idx, exact);
            return true;
        }
        let is_definition = known.defines_macro(idx);
        if is_definition {
            let next = self.distance[&idx].saturating_add(1);
            self.note_all(idx, &self.outline.all[idx].mentions, next);
        }
        is_definition
    }

    /// Returns the distance of a call that has made an impl of whose head all mentions are reached.
    pub(super) fn call_is_implied(&self, idx: usize) -> Option<usize> {
        let known = self.known.filter(|_| self.is_narrow())?;
        let impls = known.made().impls_of(idx).iter();
        let distances = impls.filter_map(|head| {
            let distances = head.iter().map(|one| self.distance.get(one).copied());
            distances.collect::<Option<Vec<_>>>()?.into_iter().max()
        });
        distances.min()
    }

    /// Returns the distance of the nearest of the types that the head of a known impl mentions: `impl From<Own> for
    /// String`.
    pub(super) fn nearest_in_head(&self, block: usize) -> Option<usize> {
        let exact = self.known.and_then(|known| known.of(block))?;
        let types = exact.outside_body.entries.iter();
        let types = types.filter(|idx| self.outline.all[**idx].kind == Kind::Other);
        types
            .filter_map(|idx| self.distance.get(idx))
            .min()
            .copied()
    }

    /// Returns whether a known import stays: if the thing that it imports stays, and is named or a trait. `None`
    /// where it is not known.
    pub(super) fn known_import_stays(&self, import: &Entry) -> Option<bool> {
        let known = self.known.filter(|known| !known.is_by_model())?;
        if let Some(imported) = known.imported_by(import) {
            let is_glob = import.kind == Kind::Import { glob: true };
            let is_named = is_glob || self.mention_of(import).is_some();
            let stays = |idx: &usize| {
                let is_trait = self.outline.all[*idx].kind == Kind::Trait;
                self.distance.contains_key(idx) && (is_named || is_trait)
            };
            return Some(imported.iter().any(stays));
        }
        let within = self.outline.nesting.within(&import.place);
        let leaves = within.map(|idx| &self.outline.all[idx]);
        let others = leaves.filter(|leaf| leaf.element != import.element);
        let mut leaves = others.peekable();
        if leaves.peek().is_none() {
            return self.import_of_others_stays(import, known.modules_before(import)?);
        }
        Some(leaves.any(|leaf| self.import_stays(leaf)))
    }

    /// Returns whether a known import of something of another crate stays: it is named, and the modules on its path
    /// stay.
    fn import_of_others_stays(&self, import: &Entry, modules: &[usize]) -> Option<bool> {
        let stays = |idx: &usize| self.module_stays(*idx);
        Some(self.import_is_wanted(import) && modules.iter().all(stays))
    }
}

/// Notes a mention of a name.
pub(super) fn note(names: &mut HashMap<NameId, usize>, name: NameId, distance: usize) {
    let nearest = names.entry(name).or_insert(usize::MAX);
    *nearest = distance.min(*nearest);
}
