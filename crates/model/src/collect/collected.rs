//! The definitions, words, scopes, imports and paths that are read of a crate before anything is
//! resolved.

use crate::definitions::{DefKind, Definition};
use crate::ids::{DefId, NameId, PathId, Position, ScopeId, ShapeId, TypeId, WordId};
use crate::names::Words;
use crate::scopes::{Import, PathSite, Scope, ScopeAround, ScopeKind, WordRole};
use crate::shapes::{Shape, TypeShape};
use reduce_syntax::FileId;
use std::collections::HashMap;

/// All definitions, words, scopes, imports and paths that were read of a crate.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) words: Words,
    /// The files in the order in which they were reached, each with the module that it is.
    pub(crate) files: Vec<(FileId, DefId)>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) imports: Vec<Import>,
    pub(crate) paths: Vec<PathSite>,
    /// The role of each word, by the index of the word.
    pub(crate) roles: Vec<WordRole>,
    /// The variants of enums, the fields of structs and variants, the members of traits and impls.
    pub(crate) members: HashMap<DefId, HashMap<NameId, Vec<DefId>>>,
    pub(crate) impls: Vec<DefId>,
    /// All definitions of the crate, by their names.
    pub(super) named: HashMap<NameId, Vec<DefId>>,
    /// Whether macros may have made items that were not read.
    pub(crate) has_unseen: bool,
    /// The definitions of the names that macros may see anywhere: `macro_rules!`.
    pub(crate) macros: HashMap<NameId, Vec<DefId>>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) types: Vec<TypeShape>,
    /// The type and constant parameters of items, in order.
    pub(super) parameters: HashMap<DefId, Vec<DefId>>,
    /// The types of the parameters of functions, and of the fields without names of structs and variants.
    pub(super) positional: HashMap<DefId, Vec<TypeId>>,
    /// The expression before the dot in `x.0` and the number after it, by the position of the number.
    pub(crate) numbered: HashMap<Position, (ShapeId, usize)>,
    /// The name of the called function, method or macro, for each call.
    pub(crate) calls: Vec<WordId>,
    /// Variables that are none if their name is that of a constant, a variant or a unit struct.
    pub(crate) may_be_constants: HashMap<DefId, PathId>,
}

impl Collected {
    pub(crate) fn definition(&self, def: DefId) -> &Definition {
        &self.definitions[def.idx()]
    }

    /// Returns the kind of the module, type, trait, impl or function that a definition is a part of.
    pub(crate) fn kind_of_parent(&self, definition: &Definition) -> Option<DefKind> {
        definition.parent.map(|parent| self.definition(parent).kind)
    }

    /// Returns whether a definition stands in a module, and not in a function, an impl or the like.
    pub(crate) fn is_item_of_module(&self, def: DefId) -> bool {
        self.kind_of_parent(self.definition(def)) == Some(DefKind::Module)
    }

    pub(crate) fn scope(&self, scope: ScopeId) -> &Scope {
        &self.scopes[scope.idx()]
    }

    /// Returns the type and constant parameters of an item, in order.
    pub(crate) fn parameters(&self, of: DefId) -> &[DefId] {
        self.parameters.get(&of).map_or(&[], Vec::as_slice)
    }

    /// Returns the types of the parameters of a function but for `self`, or of the fields of a tuple
    /// struct or variant.
    pub(crate) fn positional(&self, of: DefId) -> &[TypeId] {
        self.positional.get(&of).map_or(&[], Vec::as_slice)
    }

    /// Returns a scope and those around it, up to that of the module.
    pub(crate) fn scopes_around(&self, scope: ScopeId) -> impl Iterator<Item = ScopeAround<'_>> {
        let around = |id: ScopeId, sees_locals: bool| ScopeAround {
            id,
            scope: self.scope(id),
            sees_locals,
        };
        std::iter::successors(Some(around(scope, true)), move |inner| {
            let is_inner = matches!(inner.scope.kind, ScopeKind::Block | ScopeKind::Inner);
            let is_module = matches!(inner.scope.kind, ScopeKind::Module(_));
            let parent = inner.scope.parent.filter(|_| !is_module)?;
            Some(around(parent, inner.sees_locals && is_inner))
        })
    }

    pub(crate) fn path(&self, path: PathId) -> &PathSite {
        &self.paths[path.idx()]
    }

    /// Returns all definitions with a name.
    pub(crate) fn named(&self, name: NameId) -> impl Iterator<Item = (DefId, &Definition)> {
        let all = self.named.get(&name).into_iter().flatten();
        all.map(|&def| (def, self.definition(def)))
    }

    /// Fills the indices of the definitions, such as that by name, once all are read.
    pub(super) fn index(&mut self) {
        for (idx, definition) in self.definitions.iter().enumerate() {
            if let Some(name) = definition.spelling {
                self.named.entry(name).or_default().push(DefId::new(idx));
            }
        }
        let is_module = |scope: &Scope| matches!(scope.kind, ScopeKind::Module(_));
        let mut scopes = self.scopes.iter();
        self.has_unseen = scopes.any(|scope| scope.has_unseen && is_module(scope));
    }

    /// Returns the members of a definition with this name.
    pub(crate) fn members(&self, of: DefId, name: NameId) -> &[DefId] {
        let members = self.members.get(&of).and_then(|all| all.get(&name));
        members.map_or(&[], Vec::as_slice)
    }
}
