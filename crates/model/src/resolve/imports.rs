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

    /// Returns whether a `*` of another crate, or of an unknown module, brings names into a scope.
    pub(super) fn has_foreign_glob(&self, scope: ScopeId) -> bool {
        let mut around = self.collected.scopes_around(scope);
        around.any(|one| !one.scope.globs.is_empty() && self.is_foreign(one.id))
    }

    /// Returns whether a scope itself has a `*` of another crate or of an unknown module. A scope
    /// about which this is being asked already counts as one without.
    fn is_foreign(&self, scope: ScopeId) -> bool {
        if let Some(&known) = self.resolver.foreign_globs.borrow().get(&scope) {
            return known;
        }
        self.resolver
            .foreign_globs
            .borrow_mut()
            .insert(scope, false);
        let is_foreign = |glob: &ImportId| {
            let path = self.collected.imports[glob.idx()].path;
            self.collected.path(path).words.is_empty() || !self.path(path).is_own()
        };
        let found = self.collected.scope(scope).globs.iter().any(is_foreign);
        self.resolver
            .foreign_globs
            .borrow_mut()
            .insert(scope, found);
        found
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
        let here = self.collected.scope(scope);
        let items = here.items.get(&name).map_or(&[][..], Vec::as_slice);
        let mut found = self.those_in(items, namespace);
        for &import in here.imports.get(&name).into_iter().flatten() {
            found.add(self.import(import, namespace, trail));
        }
        if !found.is_nothing() {
            return found;
        }
        for &glob in &here.globs {
            found.add(self.glob(glob, name, namespace, trail));
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
        if trail.imports.contains(&key) {
            return Meaning::default();
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
        if trail.imports.is_empty() && trail.globs.is_empty() {
            self.resolver
                .imports
                .borrow_mut()
                .insert(key, meaning.clone());
        }
        meaning
    }

    /// Resolves a name by a glob import.
    pub(super) fn glob(
        &self,
        import: ImportId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        let key = (import, None);
        if trail.imports.contains(&key) {
            return Meaning::default();
        }
        trail.imports.push(key);
        let site = &self.collected.imports[import.idx()];
        let path = self.collected.path(site.path);
        let modules = match path.words.is_empty() {
            true => Meaning::outside(),
            false => self.path_on(site.path, trail),
        };
        let mut found = Meaning::default();
        for &module in &modules.definitions {
            let definition = self.collected.definition(module);
            match (definition.kind, definition.inside) {
                (DefKind::Module, Some(scope)) => {
                    let visit = (module, name, namespace);
                    if !trail.globs.contains(&visit) {
                        trail.globs.push(visit);
                        found.add(self.in_scope(scope, name, namespace, trail));
                        trail.globs.pop();
                        found.unseen |=
                            self.collected.scope(scope).has_unseen && found.definitions.is_empty();
                    }
                }
                (DefKind::Enum, _) => {
                    found
                        .definitions
                        .extend(self.collected.members(module, name));
                }
                _ => {}
            }
        }
        trail.imports.pop();
        // Nobody knows what other crates have, but what this crate has is not theirs.
        found.unseen &= found.definitions.is_empty();
        found
    }
}
