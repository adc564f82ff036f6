//! Finds the entries that belong to a slice that grows by what the compiler misses: fewer than other slices
//! imply.

use super::super::needs::Needs;
use super::super::opaque::Form;
use super::by_compiler::note;
use super::{Reach, nearest};
use crate::ids::NameId;
use crate::outline::{Entry, Kind};

impl Reach<'_> {
    /// Reaches the entries and names that a slice needs besides its seeds. The bodies of these entries do not count.
    pub(in super::super) fn start_from_needs(&mut self, needs: &Needs) {
        needs.entries.iter().for_each(|&idx| self.reach(idx, 1));
        for &name in &needs.imported {
            note(&mut self.mentioned, name, 1);
        }
    }

    /// Returns the owners that members may have: the traits that are reached, and the impls of whose heads everything
    /// is reached.
    pub(in super::super) fn owners(&self) -> impl Iterator<Item = usize> {
        let all = self.outline.all.iter().enumerate();
        let is_owner = |(idx, entry): &(usize, &Entry)| match entry.kind {
            Kind::Trait => self.distance.contains_key(idx),
            Kind::Impl { of_trait, of_type } => [of_trait, of_type]
                .into_iter()
                .all(|name| self.distance_in_head(*idx, name).is_some()),
            _ => false,
        };
        all.filter(is_owner).map(|(idx, _)| idx)
    }

    /// Returns whether a type has to keep its fields or variants.
    pub(super) fn is_transparent(&self, idx: usize) -> bool {
        self.needs
            .is_some_and(|needs| needs.transparent.contains(&idx))
    }

    /// Returns whether a reached type has its fields or variants.
    pub(super) fn has_contents(&self, idx: usize) -> bool {
        let has_form = self.opaque.is_some_and(|opaque| opaque.of(idx).is_some());
        let distance = self.distance.get(&idx);
        !has_form || distance.is_some_and(|&distance| self.body_counts(idx, distance))
    }

    /// Returns the forms of the reached types that have no fields or variants.
    pub(super) fn opaque_forms(&self) -> impl Iterator<Item = (usize, &Form)> {
        let reached = self.distance.iter();
        let opaque = reached.filter(|&(&idx, &distance)| !self.body_counts(idx, distance));
        opaque.filter_map(|(&idx, _)| Some((idx, self.opaque?.of(idx)?)))
    }

    /// Returns the types that have no fields or variants.
    pub(in super::super) fn opaque_types(&self) -> impl Iterator<Item = usize> {
        self.opaque_forms().map(|(idx, _)| idx)
    }

    /// Returns whether an impl belongs to a slice that grows, once its type is reached. Without one of `Drop` the
    /// program means something else.
    pub(super) fn is_named_impl(&self, idx: usize, of_trait: Option<NameId>) -> bool {
        match of_trait {
            Some(of_trait) => self.model.spelling(of_trait) == "Drop",
            None => self
                .members_of(idx)
                .any(|member| self.is_meant(member) && nearest(member, &self.of_members).is_some()),
        }
    }

    /// Returns whether a mention of a member's name can mean no other member of a type. Where types are known, mentions
    /// are exact.
    pub(super) fn is_meant(&self, member: &Entry) -> bool {
        let all = &self.outline.all;
        let namesakes = member.names.first().into_iter();
        let namesakes = namesakes.flat_map(|&name| self.outline.by_name(name));
        let of_types = namesakes.filter(|&idx| {
            let parent = all[idx].parent.map(|parent| &all[parent].kind);
            matches!(parent, Some(Kind::Impl { of_trait: None, .. }))
        });
        of_types.count() < 2
    }

    fn members_of(&self, block: usize) -> impl Iterator<Item = &Entry> {
        let all = &self.outline.all;
        let within = all[block + 1..]
            .iter()
            .take_while(move |entry| entry.place.is_within(&all[block].place));
        within.filter(move |entry| entry.parent == Some(block))
    }

    /// Returns the distance of the member of a trait that a member of an impl implements.
    pub(super) fn distance_of_required(&self, member: &Entry) -> Option<usize> {
        let all = &self.outline.all;
        let Kind::Impl {
            of_trait: Some(of_trait),
            ..
        } = all[member.parent?].kind
        else {
            return None;
        };
        let named = member.names.first().into_iter();
        let namesakes = named.flat_map(|&name| self.outline.by_name(name));
        let of_trait = namesakes.filter(|&idx| {
            let parent = all[idx].parent.map(|parent| &all[parent]);
            parent
                .is_some_and(|one| one.kind == Kind::Trait && one.names.first() == Some(&of_trait))
        });
        let distances = of_trait.filter_map(|idx| self.distance.get(&idx).copied());
        distances.min()
    }
}
