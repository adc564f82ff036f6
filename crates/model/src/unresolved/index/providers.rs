//! What brings each name, and in which scope: definitions, imports, parameters, words that macros get.

use super::Index;
use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, NameId, PathId, Place, ScopeId, WordId};
use crate::names::Hint;
use crate::scopes::{ScopeAround, ScopeKind, WordRole};
use crate::unresolved::names::{Name, Provider, Region};

impl Index<'_> {
    fn name(&mut self, name: NameId) -> &mut Name {
        let text = self.collected.words.text(name);
        let new = || Name {
            text: text.to_owned(),
            ..Name::default()
        };
        self.table.names.entry(name).or_insert_with(new)
    }

    fn provide(&mut self, name: NameId, word: WordId, scope: Option<ScopeId>, is_item: bool) {
        let provider = Provider {
            place: self.place(word),
            scope,
            is_item,
        };
        self.name(name).providers.push(provider);
    }

    /// Notes all that may bring a name.
    pub(super) fn note_providers(&mut self) {
        self.model.words().for_each(|word| self.note_word(word));
        (0..self.collected.scopes.len()).for_each(|idx| self.note_scope(ScopeId::new(idx)));
        for name in self.table.names.values_mut() {
            let key = |one: &Provider| (one.scope, one.place.file, one.place.range.start);
            name.providers.sort_by_key(key);
        }
    }

    /// Notes a word that brings a name by itself, or may do so.
    fn note_word(&mut self, word: WordId) {
        let (at, name) = (self.model.position(word), self.name_of(word));
        let is_self = self.model.text(word) == "self";
        if matches!(self.model.hint(word), Hint::Captured | Hint::Silent) {
            return;
        }
        if self.given.around(at).next().is_some() {
            let scope = self.model.scope_at(at);
            let scope = scope.and_then(|scope| self.module_around_block(scope));
            if !is_self {
                self.provide(name, word, scope, scope.is_none());
            }
            return;
        }
        match self.model.role(word) {
            WordRole::ImportName(import) => {
                let path = self
                    .collected
                    .path(self.collected.imports[import.idx()].path);
                let last = path.words.last().filter(|_| is_self);
                let name = last.map_or(name, |&last| self.name_of(last));
                self.provide(name, word, Some(path.scope), self.is_module(path.scope));
            }
            WordRole::Segment(path, idx) => self.note_segment(word, path, idx),
            WordRole::Loose if is_self => self.provide(name, word, self.model.scope_at(at), false),
            WordRole::Loose => self.provide(name, word, None, true),
            WordRole::Definition(def) if self.collected.definition(def).kind == DefKind::Macro => {
                self.provide(name, word, None, true);
            }
            _ => {}
        }
    }

    /// An import brings what it leads to; one of something that is certainly of the crate is of no use
    /// elsewhere where that has gone. `self` as a parameter is read as its type.
    fn note_segment(&mut self, word: WordId, path: PathId, idx: usize) {
        let site = self.collected.path(path);
        let is_last = idx + 1 == site.words.len();
        let (name, scope) = (self.name_of(word), Some(site.scope));
        if is_last && self.leaves.contains(&path) {
            let is_item = self.is_module(site.scope) && self.certain(word).is_none();
            self.provide(name, word, scope, is_item);
        } else if self.model.text(word) == "self" && is_last && self.is_receiver(path) {
            self.provide(name, word, scope, false);
        }
    }

    fn is_receiver(&self, path: PathId) -> bool {
        let site = self.collected.path(path);
        site.words.len() == 1 && site.namespace == Some(Namespace::Type)
    }

    /// Where a word may become visible that a macro gets: in a block it is the module around, and
    /// elsewhere everything.
    fn module_around_block(&self, scope: ScopeId) -> Option<ScopeId> {
        let around: Vec<ScopeAround<'_>> = self.collected.scopes_around(scope).collect();
        let mut scopes = around.iter().map(|one| one.scope.kind);
        let is_in_block = scopes.any(|kind| kind == ScopeKind::Block);
        around.last().map(|one| one.id).filter(|_| is_in_block)
    }

    /// Notes what a scope has.
    fn note_scope(&mut self, id: ScopeId) {
        let scope = self.collected.scope(id);
        let is_module = self.is_module(id);
        let variants = match scope.kind {
            ScopeKind::Owner(owner) if self.collected.definition(owner).kind == DefKind::Enum => {
                self.collected.members.get(&owner)
            }
            _ => None,
        };
        let is_item = is_module || variants.is_some();
        for (&name, items) in scope.items.iter().chain(variants.into_iter().flatten()) {
            items
                .iter()
                .for_each(|&def| self.define(name, def, id, is_item));
        }
        for (&name, locals) in &scope.locals {
            let locals = locals.iter().map(|(_, def)| *def);
            locals.for_each(|def| self.define(name, def, id, false));
        }
        let region = self.region(id);
        self.table.regions.push(region);
    }

    fn define(&mut self, name: NameId, def: DefId, scope: ScopeId, is_item: bool) {
        let definition = self.collected.definition(def);
        let is_everywhere = definition.kind == DefKind::ExternCrate;
        if let Some(word) = self.collected.words.at(definition.name) {
            let scope = Some(scope).filter(|_| !is_everywhere);
            self.provide(name, word, scope, is_item);
        }
    }

    fn region(&self, id: ScopeId) -> Region {
        let scope = self.collected.scope(id);
        let (file, range) = (scope.place.file, scope.place.range.clone());
        let byte = |at: usize| Place::new(file, at..at + 1);
        let braces = || vec![byte(range.start - 1), byte(range.end)];
        let marks = match (scope.kind, scope.parent) {
            (ScopeKind::Module(_), None) => Vec::new(),
            (ScopeKind::Module(def), _) => {
                let definition = self.collected.definition(def);
                let name = self.collected.words.at(definition.name);
                match name.filter(|_| definition.name.file == file && !range.is_empty()) {
                    Some(name) => [braces(), vec![self.place(name)]].concat(),
                    None => vec![definition.whole.clone()],
                }
            }
            (ScopeKind::Block, _) => braces(),
            _ if range.is_empty() => Vec::new(),
            _ => vec![byte(range.start), byte(range.end - 1)],
        };
        let globs = scope.globs.iter().map(|glob| {
            let star = self.collected.imports[glob.idx()].leaf;
            Place::new(star.file, star.at..star.at + 1)
        });
        Region {
            parent: scope.parent,
            is_module: matches!(scope.kind, ScopeKind::Module(_)),
            marks,
            globs: globs.collect(),
        }
    }
}
