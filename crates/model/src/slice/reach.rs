//! Finds the entries of the outline that seeds reach by name: an identifier reaches every definition of that name, and after
//! a dot only members. An `impl` is reached when its trait and its type are; members of traits and inherent impls when their
//! name is mentioned. Bodies further away than a given distance do not count.
//!
//! Where rustc has said what an entry mentions (`by_compiler`), its answer is followed in place of names.

mod by_compiler;
mod imports;
mod needs;

use super::Unnamed;
use super::known::Known;
use super::needs::Needs;
use super::opaque::Opaque;
use crate::ids::{NameId, Place};
use crate::model::Model;
use crate::outline::{Entry, Kind, Mention, Outline};
use by_compiler::note;
use imports::Answers;
use reduce_syntax::{Edit, EditSet, poll_interruption, remove_elements};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// The entries that are reached, with their distances from the nearest seed.
pub(super) struct Reach<'m> {
    model: &'m Model,
    outline: &'m Outline,
    body_distance: usize,
    /// The number of steps from the nearest seed, for each entry that is reached.
    distance: BTreeMap<usize, usize>,
    /// The names that reached entries mention, with the distance of the nearest mention.
    mentioned: HashMap<NameId, usize>,
    /// The mentioned names that may be of members of an unknown type, with the distance of the nearest mention.
    of_members: HashMap<NameId, usize>,
    /// The names that reached entries in a module, or below it, mention, where the model says what names mean.
    mentioned_in: HashSet<(usize, NameId)>,
    /// The mentions that were followed, from their nearest places.
    followed: HashMap<Mention, usize>,
    /// The entries whose mentions are still to be followed, in the order in which they were reached, so that few are reached
    /// again from nearer.
    todo: VecDeque<usize>,
    /// The answers about the imports in this state.
    answers: RefCell<Answers>,
    /// Whether an entry reaches others of the same name, because it has that name itself.
    pub(super) follows_own_names: bool,
    pub(super) unnamed: Unnamed,
    pub(super) with_imports: bool,
    /// Whether calls of macros are reached by names that they mention, where rustc tells which are
    /// needed.
    pub(super) with_calls: bool,
    /// The mentions that rustc has printed of the entries.
    pub(super) known: Option<&'m Known>,
    /// The forms of types that need not have fields or variants.
    pub(super) opaque: Option<&'m Opaque>,
    /// The entries and names that are needed besides those that seeds reach, where the slice grows by
    /// what the compiler misses.
    pub(super) needs: Option<&'m Needs>,
}

impl<'m> Reach<'m> {
    pub(super) fn new(model: &'m Model, body_distance: usize) -> Self {
        Self {
            model,
            outline: model.outline(),
            body_distance,
            distance: BTreeMap::new(),
            mentioned: HashMap::new(),
            of_members: HashMap::new(),
            mentioned_in: HashSet::new(),
            followed: HashMap::new(),
            todo: VecDeque::new(),
            answers: RefCell::default(),
            follows_own_names: true,
            unnamed: Unnamed::All,
            with_imports: false,
            with_calls: true,
            known: None,
            opaque: None,
            needs: None,
        }
    }

    /// Returns whether names mean what the model resolves, and not what rustc has printed.
    fn is_by_model(&self) -> bool {
        self.known.is_some_and(Known::is_by_model)
    }

    /// Returns whether no entry is reached.
    pub(super) fn is_empty(&self) -> bool {
        self.distance.is_empty()
    }

    /// Reaches these entries as seeds.
    pub(super) fn start_from(&mut self, seeds: impl IntoIterator<Item = usize>) {
        seeds.into_iter().for_each(|idx| self.reach(idx, 0));
    }

    /// Begins with all entries outside of a place, and reaches those in it that they need.
    pub(super) fn within(
        model: &'m Model,
        place: &Place,
        body_distance: usize,
        unnamed: Unnamed,
    ) -> Self {
        let mut reach = Self::new(model, body_distance);
        reach.unnamed = unnamed;
        reach.with_imports = unnamed > Unnamed::Neither;
        reach.start_from_all(|entry| !entry.place.start().is_in(place));
        reach
    }

    /// Reaches, as seeds, all entries for which `is_seed` holds.
    pub(super) fn start_from_all(&mut self, is_seed: impl Fn(&Entry) -> bool) {
        self.start_from(
            self.all()
                .filter(|(_, one)| is_seed(one))
                .map(|(idx, _)| idx),
        );
    }

    /// Reaches, as seeds, all entries that mention a name of a reached entry.
    pub(super) fn start_from_users(&mut self) {
        if let Some(known) = self.known {
            self.start_from_known_users(known);
            return;
        }
        let reached = self.distance.keys().map(|&idx| &self.outline.all[idx]);
        let named = reached.filter(|one| one.kind != Kind::Module);
        let names: BTreeSet<NameId> = named.flat_map(|one| one.names.iter().copied()).collect();
        self.start_from_all(|one| {
            let mut mentions = one.mentions.iter().chain(&one.body_mentions);
            !one.kind.is_import() && mentions.any(|mention| names.contains(&mention.name))
        });
    }

    fn all(&self) -> impl Iterator<Item = (usize, &'m Entry)> + use<'m> {
        self.outline.all.iter().enumerate()
    }

    /// Returns the distance of an entry from the nearest seed. An import is as far as the nearest mention of its name.
    pub(super) fn distance_of(&self, idx: usize) -> Option<usize> {
        let entry = &self.outline.all[idx];
        let other = match entry.kind {
            Kind::Import { glob: false } => self.mention_of(entry),
            Kind::Import { glob: true } | Kind::ExternCrate => match entry.parent {
                Some(module) => self.distance.get(&module).copied(),
                None => Some(0),
            },
            _ => None,
        };
        let own = self.distance.get(&idx).copied();
        own.into_iter().chain(other).min()
    }

    /// Returns the distance of the nearest mention of an entry.
    fn mention_of(&self, entry: &Entry) -> Option<usize> {
        nearest(entry, &self.mentioned)
    }

    fn reach(&mut self, idx: usize, distance: usize) {
        if self.known.is_some_and(|known| known.is_left_out(idx)) {
            return;
        }
        let known = self.distance.get(&idx);
        if known.is_some_and(|known| *known <= distance) {
            return;
        }
        self.distance.insert(idx, distance);
        self.todo.push_back(idx);
        if let Some(parent) = self.outline.all[idx].parent {
            self.reach(parent, distance);
        }
    }

    /// Follows mentions until no more entries are reached.
    pub(super) fn close(&mut self) {
        loop {
            while let Some(idx) = self.todo.pop_front() {
                self.follow(idx);
            }
            let before = (self.distance.len(), self.mentioned.len());
            self.reach_impls_and_members();
            self.follow_imports();
            let is_closed = before == (self.distance.len(), self.mentioned.len());
            if self.todo.is_empty() && is_closed {
                return;
            }
        }
    }

    fn follow(&mut self, idx: usize) {
        poll_interruption();
        if let Some(exact) = self.known.and_then(|known| known.of(idx)) {
            self.follow_exactly(idx, exact);
            return;
        }
        if self.follow_macro(idx) {
            return;
        }
        let (entry, distance) = (&self.outline.all[idx], self.distance[&idx]);
        let all_names = self.follows_own_names;
        for mention in &entry.mentions {
            if all_names || !entry.names.contains(&mention.name) {
                self.mention(*mention, distance.saturating_add(1));
            }
        }
        if distance <= self.body_distance {
            for mention in &entry.body_mentions {
                self.mention(*mention, distance.saturating_add(1));
            }
        }
    }

    /// Reaches the entries that have a mentioned name.
    fn mention(&mut self, mention: Mention, distance: usize) {
        note(&mut self.mentioned, mention.name, distance);
        note(&mut self.of_members, mention.name, distance);
        let nearest = self.followed.entry(mention).or_insert(usize::MAX);
        if *nearest <= distance {
            return;
        }
        *nearest = distance;
        for idx in self.outline.by_name(mention.name) {
            if self.outline.all[idx].kind.is_reached_by(mention) {
                self.reach(idx, distance);
            }
        }
    }

    fn reach_impls_and_members(&mut self) {
        self.reach_traits_of_methods();
        let all = self.all();
        let unreached = all.filter(|(idx, _)| !self.distance.contains_key(idx));
        let implied =
            unreached.filter_map(|(idx, entry)| Some((idx, self.is_implied(idx, entry)?)));
        for (idx, distance) in implied.collect::<Vec<_>>() {
            self.reach(idx, distance);
        }
    }

    /// Returns the distance at which reached entries need an entry that no mention reaches, or `None` if none needs it.
    fn is_implied(&self, idx: usize, entry: &Entry) -> Option<usize> {
        poll_interruption();
        let parent = entry.parent;
        let parent = parent.and_then(|parent| self.distance.get(&parent).copied());
        let mention = nearest(entry, &self.of_members);
        match entry.kind {
            Kind::Impl { of_trait, .. }
                if self.needs.is_some() && !self.is_named_impl(idx, of_trait) =>
            {
                None
            }
            Kind::Impl { of_trait, of_type } => {
                let is_unnamed = |name: NameId| {
                    !self.mentioned.contains_key(&name)
                        && self.local_distance(Some(name)) == Some(None)
                };
                if self.unnamed < Unnamed::All && of_type.is_some_and(is_unnamed) {
                    return None;
                }
                let of_trait = self.distance_in_head(idx, of_trait)?;
                let of_type = self.distance_in_head(idx, of_type)?;
                let of_either = of_trait.into_iter().chain(of_type).max();
                of_either.or_else(|| self.nearest_in_head(idx))
            }
            Kind::Required if self.is_of_own_trait(entry) => {
                let required = || self.distance_of_required(entry);
                let needed = mention.or_else(required).filter(|_| parent.is_some());
                needed.map(|distance| distance + 1)
            }
            Kind::Required => parent.map(|distance| distance + 1),
            Kind::Provided if self.needs.is_some() && !self.is_meant(entry) => None,
            Kind::Provided => parent.and(mention),
            Kind::Call | Kind::Expanded if self.needs.is_some() => None,
            Kind::Call | Kind::Expanded => self.call_is_implied(idx),
            _ => None,
        }
    }

    /// Returns whether a member stays only if it is named: of a trait of the crate, or in an impl of one.
    fn is_of_own_trait(&self, member: &Entry) -> bool {
        let parent = member.parent.map(|idx| &self.outline.all[idx].kind);
        let is_own = match parent {
            Some(Kind::Trait) => true,
            Some(Kind::Impl { of_trait, .. }) => {
                matches!(self.local_distance(*of_trait), Some(Some(_)))
            }
            _ => false,
        };
        is_own && self.unnamed == Unnamed::Neither && !member.names.is_empty()
    }

    /// Returns the distance of a name: `None` if it is of this crate and not reached; `Some(None)`
    /// if it is not of this crate.
    fn local_distance(&self, name: Option<NameId>) -> Option<Option<usize>> {
        let Some(name) = name else { return Some(None) };
        let is_local = |idx: &usize| {
            matches!(
                self.outline.all[*idx].kind,
                Kind::Trait | Kind::Other | Kind::Expanded
            )
        };
        let mut local = self.outline.by_name(name).filter(is_local).peekable();
        if local.peek().is_none() {
            return Some(None);
        }
        let distances = local.filter_map(|idx| self.distance.get(&idx).copied());
        distances.min().map(Some)
    }

    /// Returns whether the body of an entry counts, at this distance.
    fn body_counts(&self, idx: usize, distance: usize) -> bool {
        let is_whole = self.known.is_some_and(|known| known.keeps_body(idx));
        is_whole || self.is_transparent(idx) || distance <= self.body_distance
    }

    /// Returns the edits that leave only the reached entries, with bodies as far as they count.
    pub(super) fn edits(&self) -> EditSet {
        let mut edits = EditSet::new();
        let mut gone: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (idx, form) in self.opaque_forms() {
            let file = self.outline.all[idx].place.file;
            edits.add(Edit::replace(file, &form.inside, &form.text));
        }
        for (idx, entry) in self.all() {
            match (self.distance.get(&idx), &entry.body) {
                (Some(distance), Some(body)) if !self.body_counts(idx, *distance) => {
                    edits.add(Edit::replace(entry.place.file, body, "{ loop {} }"));
                }
                (None, _) if !self.stays_unreached(entry) => drop(gone.insert(entry.element)),
                _ => {}
            }
        }
        remove_elements(&self.model.tree().lists, gone, &mut edits);
        edits
    }

    /// Returns whether an entry stays although nothing has reached it, such as an import whose name
    /// is mentioned.
    fn stays_unreached(&self, entry: &Entry) -> bool {
        poll_interruption();
        match entry.kind {
            Kind::Import { .. } => self.import_stays(entry),
            Kind::ExternCrate => true,
            _ => false,
        }
    }
}

/// Returns the distance of the nearest mention of an entry.
fn nearest(entry: &Entry, mentioned: &HashMap<NameId, usize>) -> Option<usize> {
    let mentions = entry.names.iter().filter_map(|name| mentioned.get(name));
    mentions.min().copied()
}
