//! Edits that delete fields, variants and items whose names are mentioned nowhere. A slice by items keeps them,
//! with all that their types lead to.

use super::Seed;
use crate::definitions::{DefKind, Definition};
use crate::ids::{DefId, NameId, Place, Position, WordId};
use crate::model::Model;
use crate::outline::{Entry, Kind};
use crate::scopes::WordRole;
use reduce_syntax::{EditSet, ListKind, TokenCursor, remove_elements};
use std::collections::{BTreeMap, BTreeSet};

impl Model {
    /// Returns the edits that delete fields and variants whose names nothing mentions, but for those of types that seeds
    /// name: a derived trait may need them. Fields that mention a parameter
    /// of their type stay, as it would be unused, and variants with `#[default]`, which a derive needs. A union keeps one
    /// field, and an enum with a `repr` one variant, as they must not be empty.
    ///
    /// Returns `None` if there are none.
    #[must_use]
    pub fn unnamed_fields(&self, seeds: &[Seed]) -> Option<EditSet> {
        let held: BTreeSet<usize> = self.named_by(seeds).collect();
        let is_held = |owner: DefId| {
            let entry = self.outline().entry_of(owner, self.definition(owner));
            entry.is_some_and(|entry| held.contains(&entry))
        };
        let mentioned: BTreeSet<NameId> = self
            .words()
            .filter(|&word| self.may_name_field(word))
            .filter_map(|word| self.name_of(self.text(word)))
            .collect();
        let is_unnamed = |one: &Definition| {
            let name = one.spelling;
            one.is_certain && name.is_some_and(|name| !mentioned.contains(&name))
        };
        let mut parts: BTreeMap<DefId, Vec<(Position, bool)>> = BTreeMap::new();
        for (_, one) in self.definitions() {
            if let (DefKind::Field | DefKind::Variant, Some(owner)) = (one.kind, one.parent) {
                let goes = is_unnamed(one) && !self.is_needed(one) && !is_held(owner);
                parts.entry(owner).or_default().push((one.name, goes));
            }
        }
        let unnamed = parts.into_iter().flat_map(|(owner, parts)| {
            let n_held = match parts.iter().all(|(_, goes)| *goes) {
                true => usize::from(self.must_have_parts(owner)),
                false => 0,
            };
            parts.into_iter().skip(n_held).filter(|(_, goes)| *goes)
        });
        let unnamed: BTreeSet<Position> = unnamed.map(|(name, _)| name).collect();
        let edits = self.without_parts_named_at(&unnamed);
        (!edits.is_empty()).then_some(edits)
    }

    /// Returns the edits that delete types, traits, constants and functions whose names stand nowhere else. What the seeds
    /// name stays, with what is around it.
    ///
    /// Returns `None` if there are none.
    #[must_use]
    pub fn unnamed_items(&self, seeds: &[Seed]) -> Option<EditSet> {
        let all = &self.outline().all;
        let named = self.named_by(seeds);
        let kept: BTreeSet<usize> = named
            .flat_map(|idx| std::iter::successors(Some(idx), |&idx| all[idx].parent))
            .collect();
        let mut mentions: BTreeMap<&str, Vec<Position>> = BTreeMap::new();
        for word in self.words() {
            let at = mentions.entry(self.text(word)).or_default();
            at.push(self.position(word));
        }
        let is_unnamed = |entry: &Entry| {
            let is_item = matches!(entry.kind, Kind::Other | Kind::Trait | Kind::Provided);
            let name = entry.names.first().map(|&name| self.spelling(name));
            let mentions = name.and_then(|name| mentions.get(name));
            let is_inside = |at: &Position| at.is_in(&entry.place);
            is_item && mentions.is_some_and(|mentions| mentions.iter().all(is_inside))
        };
        let entries = all.iter().enumerate();
        let unnamed = entries.filter(|(idx, entry)| !kept.contains(idx) && is_unnamed(entry));
        let unnamed: BTreeSet<_> = unnamed.map(|(_, entry)| entry.element).collect();
        let mut edits = EditSet::new();
        remove_elements(&self.tree().lists, unnamed, &mut edits);
        (!edits.is_empty()).then_some(edits)
    }

    /// Returns whether a word may mention a field or a variant, for all that is known.
    fn may_name_field(&self, word: WordId) -> bool {
        let role = self.role(word);
        if let WordRole::ShorthandField(..) | WordRole::ShorthandPattern(..) = role {
            return true;
        }
        let is_part = |def: DefId| {
            let kind = self.definition(def).kind;
            matches!(kind, DefKind::Field | DefKind::Variant)
        };
        self.defined_by(word).is_none() && self.resolve(word).only().is_none_or(is_part)
    }

    /// Returns whether a type must not be empty: a union, or an enum of which the layout is given.
    fn must_have_parts(&self, owner: DefId) -> bool {
        let owner = self.definition(owner);
        let text = self.text_at(&owner.whole);
        let cursor = TokenCursor::without_docs(text);
        let mut attributes = 0..cursor.skip_attributes(0);
        let is_laid_out = attributes.any(|idx| cursor.are(idx, &["#", "[", "repr", "("]));
        owner.kind == DefKind::Union || (owner.kind == DefKind::Enum && is_laid_out)
    }

    /// Returns whether a definition is needed though nothing names it.
    fn is_needed(&self, one: &Definition) -> bool {
        let cursor = TokenCursor::without_docs(self.text_at(&one.whole));
        let mut starts = cursor.indices();
        let is_default = starts.any(|idx| cursor.are(idx, &["#", "[", "default", "]"]));
        is_default || self.mentions_parameter(one)
    }

    /// Returns whether a definition mentions a type parameter or a lifetime.
    fn mentions_parameter(&self, one: &Definition) -> bool {
        let is_parameter = |word: WordId| {
            let def = self.resolve(word).only();
            let kind = def.map(|def| self.definition(def).kind);
            matches!(kind, Some(DefKind::TypeParameter | DefKind::Lifetime))
        };
        let Place { file, range } = &one.whole;
        let mut words = self.collected().words.within(*file, range);
        words.any(is_parameter)
    }

    /// Returns the edits that delete the fields and variants whose names begin at these positions.
    fn without_parts_named_at(&self, names: &BTreeSet<Position>) -> EditSet {
        let mut edits = EditSet::new();
        let mut gone = BTreeSet::new();
        for (list_idx, list) in self.tree().lists.iter().enumerate() {
            if let ListKind::Fields | ListKind::Variants = list.kind {
                for (idx, element) in list.elements.iter().enumerate() {
                    let place = Place::from(element);
                    let mut within = names.range(place.start()..place.end());
                    let is_own = |name: &Position| self.is_name_of_part(*name, &place);
                    if within.any(is_own) {
                        gone.insert((list_idx, idx));
                    }
                }
            }
        }
        remove_elements(&self.tree().lists, gone, &mut edits);
        edits
    }

    /// Returns whether a position is the name of a field or variant that is a whole element of a list.
    fn is_name_of_part(&self, name: Position, element: &Place) -> bool {
        let def = self.word_at(name).and_then(|word| self.defined_by(word));
        let whole = def.map(|def| &self.definition(def).whole);
        whole.is_some_and(|whole| whole.range.end == element.range.end)
    }
}
