//! Candidates that have a name that cannot be resolved, found without the compiler.
//!
//! For such a candidate rustc takes twice as long as for a good one, because it searches all of std
//! for what might have been meant. What is found here is certain for all practical purposes.
//!
//! [`ResolvedNames`] reads a state in which all names are resolved from the model: which words certainly
//! need a name, and what may bring it (definitions, imports, each word that a macro gets). A candidate
//! that was made of that state by edits has lost a name if a word still stands where it stood, as it
//! stood, and nothing is left that may bring what it needs. Whatever is in doubt counts as bringing a
//! name: namespaces do not matter, nor where in a block a variable begins, nor what new text makes of
//! a word. So a candidate takes the time for what its edits removed, and not for its text.

mod attributes;
mod doubts;
mod index;
mod names;

use crate::ids::{NameId, Place};
use crate::model::Model;
use names::NameTable;
use reduce_syntax::{FileId, KeptParts, SourceTree, TokenCursor};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The names of a state of a crate that compiles, or would if the compiler did not crash after it
/// has resolved all names.
#[derive(Debug)]
pub struct ResolvedNames {
    sources: SourceTree,
    table: NameTable,
    watches: Vec<Watch>,
}

/// A place that must be there, or else a mention is looked at.
#[derive(Debug)]
struct Watch {
    place: Place,
    name: NameId,
    /// Its index among those of the name.
    mention: usize,
}

/// A candidate beside the state that it was made of.
struct Comparison<'c> {
    candidate: &'c SourceTree,
    kept: BTreeMap<FileId, KeptParts>,
    /// The words that are new.
    new_words: HashSet<&'c str>,
}

/// Words of new text after which anything may be there, or nothing.
const DECIDING: [&str; 7] = [
    "#",
    "extern",
    "include",
    "macro",
    "macro_rules",
    "mod",
    "use",
];

impl ResolvedNames {
    /// Reads a state in which all names are resolved. `outside` are names that are there without a
    /// definition, such as those of dependencies.
    #[must_use]
    pub fn new(model: &Model, outside: &BTreeSet<String>) -> Self {
        let is_understood = model.parsed().values().all(|file| file.file().is_some());
        let table = match is_understood {
            true => index::read(model, outside),
            false => NameTable::default(),
        };
        Self {
            sources: model.sources().clone(),
            watches: watches(&table),
            table,
        }
    }

    /// Whether a candidate was made of this state, each file by one set of edits.
    #[must_use]
    pub fn are_of_base(&self, candidate: &SourceTree) -> bool {
        candidate.is_made_of(&self.sources)
    }

    /// A name that a candidate needs and that nothing brings any more. There is none in a candidate
    /// that was not made of this state.
    #[must_use]
    pub fn lost(&self, candidate: &SourceTree) -> Option<&str> {
        let comparison = Comparison::new(self, candidate)?;
        let nothing = KeptParts::default();
        let gone = self.sources.files().flat_map(|(file, _, text)| {
            let kept = comparison.kept.get(&file).unwrap_or(&nothing);
            let gone = kept.gone(text.len()).into_iter();
            gone.map(move |range| Place::new(file, range))
        });
        let mut touched = gone.flat_map(|gone| self.watches_in(gone));
        let lost = touched.find(|watch| self.is_lost(watch, &comparison))?;
        Some(&self.table.names[&lost.name].text)
    }

    /// The mentions that something is watched for of which a part is at a place.
    fn watches_in(&self, gone: Place) -> impl Iterator<Item = &Watch> {
        let start = (gone.file, gone.range.start);
        let is_before = |watch: &Watch| (watch.place.file, watch.place.range.end) <= start;
        let first = self.watches.partition_point(is_before);
        let is_within = move |watch: &&Watch| {
            watch.place.file == gone.file && watch.place.range.start < gone.range.end
        };
        self.watches[first..].iter().take_while(is_within)
    }

    fn is_lost(&self, watch: &Watch, comparison: &Comparison<'_>) -> bool {
        let name = &self.table.names[&watch.name];
        let mention = &name.mentions[watch.mention];
        let is_there = |place: &Place| comparison.has(place);
        let mut modules = self.table.modules_around(mention.scope);
        comparison.has_path(&mention.words)
            && !comparison.new_words.contains(&*name.text)
            && self.table.provider(name, mention, &is_there).is_none()
            && self.table.has_path(mention, &is_there)
            && modules.all(|module| module.marks.iter().all(is_there))
    }
}

/// For each mention something that brings the name, and each `*` that may do so, in the order of the
/// places. As long as those are there, the name is.
fn watches(table: &NameTable) -> Vec<Watch> {
    let mut all = Vec::new();
    for (&id, name) in &table.names {
        for (idx, mention) in name.mentions.iter().enumerate() {
            let provider = table.provider(name, mention, &|_| true);
            let places = provider.map(|one| &one.place).into_iter();
            all.extend(places.chain(table.globs(mention)).map(|place| Watch {
                place: place.clone(),
                name: id,
                mention: idx,
            }));
        }
    }
    all.sort_unstable_by_key(|watch| {
        let Place { file, range } = &watch.place;
        (*file, range.start, range.end, watch.name, watch.mention)
    });
    all
}

impl<'c> Comparison<'c> {
    /// `None` where nothing can be said.
    fn new(names: &ResolvedNames, candidate: &'c SourceTree) -> Option<Self> {
        let (mut kept, mut new_words) = (BTreeMap::new(), HashSet::new());
        for (file, _, text) in candidate.files() {
            let parts = candidate.kept(file, &names.sources)?;
            for new in parts.new_parts(text.len()) {
                new_words.extend(TokenCursor::new(&text[new]).words());
            }
            kept.insert(file, parts);
        }
        let is_decided = !DECIDING.iter().any(|word| new_words.contains(word));
        is_decided.then_some(Self {
            candidate,
            kept,
            new_words,
        })
    }

    fn has(&self, place: &Place) -> bool {
        let kept = self.kept.get(&place.file);
        kept.is_some_and(|kept| kept.find(&place.range).is_some())
    }

    /// Whether the words of a path are there, with nothing new that might make something else of them.
    fn has_path(&self, words: &[Place]) -> bool {
        let ends = words.first().zip(words.last());
        let Some((first, last)) = ends.filter(|_| words.iter().all(|word| self.has(word))) else {
            return false;
        };
        let kept = &self.kept[&first.file];
        let at = |place: &Place| kept.find(&place.range).expect("it was found above");
        let (start, end) = (at(first), at(last) + last.range.len());
        let text = self.candidate.text(first.file);
        let before = text[..start].trim_end().char_indices().next_back();
        let after = text[end..].trim_start();
        let after = after
            .chars()
            .next()
            .map(|next| (text.len() - after.len(), next));
        let is_harmless = |(at, next): (usize, char)| kept.has(at) || "(){}[],;".contains(next);
        end - start <= last.range.end - first.range.start
            && before.is_none_or(is_harmless)
            && after.is_none_or(is_harmless)
    }
}

#[cfg(test)]
mod tests;
