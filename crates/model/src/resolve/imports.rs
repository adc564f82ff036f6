//! Resolves a name in a scope: by its items, imports and globs.

use super::{Meaning, Names, Trail};
use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, ImportId, NameId, PathId, Position, ScopeId};
use std::collections::BTreeSet;

impl Names<'_> {
    /// Returns the position of the import or the `extern crate` that makes the first name of a path
    /// visible, if one does.
    pub(crate) fn importing(&self, path: PathId) -> Option<Position> {
        let site = self.collected.path(path);
        let word = self.collected.words.get(*site.words.first()?);
        let namespace = match site.words.len() {
            1 => site.namespace,
            _ => Some(Namespace::Type),
        };
        for around in self.collected.scopes_around(site.scope) {
            let here = around.scope;
            if around.sees_locals && self.local(here, word.name, word.at, namespace).is_some() {
                return None;
            }
            let is_other = |import: &&ImportId| self.collected.imports[import.idx()].path != path;
            let imports = here.imports.get(&word.name).into_iter().flatten();
            let imports: Vec<ImportId> = imports.filter(is_other).copied().collect();
            if let [import] = imports[..] {
                return Some(self.collected.imports[import.idx()].leaf);
            }
            let items = here.items.get(&word.name).map_or(&[][..], Vec::as_slice);
            if let [item] = items
                && self.collected.definition(*item).kind == DefKind::ExternCrate
            {
                return Some(self.collected.definition(*item).name);
            }
            if !items.is_empty() || !imports.is_empty() {
                return None;
            }
        }
        None
    }

    /// Resolves a name in a scope itself: by its items first, then by its imports, then by its
    /// globs.
    pub(super) fn in_scope(
        &self,
        scope: ScopeId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        let found = self.own_of_scope(scope, name, namespace, trail);
        match found.is_nothing() {
            true => self.by_globs(scope, name, namespace, trail),
            false => found,
        }
    }

    /// Resolves a name to what a scope has itself, without its globs.
    pub(super) fn own_of_scope(
        &self,
        scope: ScopeId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        self.resolver.count_step();
        let here = self.collected.scope(scope);
        let items = here.items.get(&name).map_or(&[][..], Vec::as_slice);
        let mut found = self.those_in(items, namespace);
        for &import in here.imports.get(&name).into_iter().flatten() {
            found.add(self.import(import, namespace, trail));
        }
        found
    }

    /// Keeps those of some definitions whose names are in a namespace.
    pub(super) fn those_in(&self, definitions: &[DefId], namespace: Option<Namespace>) -> Meaning {
        let kind = |def: &DefId| self.collected.definition(*def).kind;
        let those = definitions.iter().copied();
        let those: BTreeSet<DefId> = those.filter(|def| kind(def).may_be_in(namespace)).collect();
        Meaning {
            unseen: those
                .iter()
                .any(|&def| !self.collected.definition(def).is_certain),
            definitions: those,
            outside: false,
        }
    }

    /// Resolves the path of an import.
    pub(super) fn import(
        &self,
        import: ImportId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        let key = (import, namespace);
        if let Some(known) = self.resolver.imports.borrow().get(&key) {
            return known.clone();
        }
        if let Some(idx) = trail.imports.iter().position(|one| *one == key) {
            trail.first_met = Some(trail.first_met.map_or(idx, |first| first.min(idx)));
            return Meaning::default();
        }
        if let Some(found) = trail.within_circle.get(&key) {
            trail.first_met = Some(0);
            return found.clone();
        }
        let site = &self.collected.imports[import.idx()];
        let path = self.collected.path(site.path);
        let is_other = |brought| namespace.is_some_and(|one| one != brought);
        if path.namespace.is_some_and(is_other) {
            return Meaning::default();
        }
        trail.imports.push(key);
        let meaning = match path.words.len() {
            0 => Meaning::unseen(),
            1 => self.first(path, namespace, trail),
            len => {
                let before = self.segment_on(site.path, len - 2, trail);
                let name = self.name(path, len - 1);
                self.in_each(&before, name, namespace, trail)
            }
        };
        trail.imports.pop();
        if trail
            .first_met
            .is_none_or(|first| first >= trail.imports.len())
        {
            trail.first_met = None;
            self.resolver
                .imports
                .borrow_mut()
                .insert(key, meaning.clone());
        } else {
            trail.within_circle.insert(key, meaning.clone());
        }
        if trail.imports.is_empty() {
            trail.within_circle.clear();
        }
        meaning
    }
}
