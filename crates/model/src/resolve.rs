//! Resolves paths (Rust reference, "Names", "Paths" and "Name resolution"): by the scopes around them,
//! imports, globs, modules, members of types and traits.

mod globs;
mod imports;
mod meaning;
mod members;
mod resolver;

pub(crate) use meaning::Meaning;
pub(crate) use resolver::Resolver;

use crate::collect::Collected;
use crate::definitions::{DefKind, Definition, Namespace};
use crate::ids::{DefId, ImportId, NameId, PathId, ScopeId};
use crate::scopes::{PathSite, PathStart, Scope, ScopeAround, ScopeKind};
use crate::std_names::is_external;
use reduce_syntax::poll_interruption;
use std::collections::{BTreeSet, HashMap};

/// The imports that a resolution has come by, so that it does not follow them again.
#[derive(Default)]
struct Trail {
    imports: Vec<(ImportId, Option<Namespace>)>,
    /// The index of the first import that was come to again, since something was known for certain: what is found of those
    /// after it is not all.
    first_met: Option<usize>,
    /// The meanings of imports that are not all, since they lead to one that is still being followed. They hold until the first
    /// import of the trail is known, which has what they lack.
    within_circle: HashMap<(ImportId, Option<Namespace>), Meaning>,
}

/// The names of a crate, with what is needed to resolve them.
#[derive(Clone, Copy)]
pub(crate) struct Names<'m> {
    pub(crate) collected: &'m Collected,
    pub(crate) resolver: &'m Resolver,
}

impl Names<'_> {
    /// Resolves the segment of a path at an index.
    pub(crate) fn segment(&self, path: PathId, idx: usize) -> Meaning {
        if let Some(known) = self.resolver.segments.borrow().get(&(path, idx)) {
            return known.clone();
        }
        let meaning = self.segment_on(path, idx, &mut Trail::default());
        let mut segments = self.resolver.segments.borrow_mut();
        segments.insert((path, idx), meaning.clone());
        meaning
    }

    /// Resolves the end of a path.
    pub(crate) fn path(&self, path: PathId) -> Meaning {
        match self.collected.path(path).words.len() {
            0 => self.path_on(path, &mut Trail::default()),
            len => self.segment(path, len - 1),
        }
    }

    fn path_on(&self, path: PathId, trail: &mut Trail) -> Meaning {
        let site = self.collected.path(path);
        match site.words.len() {
            0 => match site.start {
                PathStart::Qualified(Some(before)) => self.path_on(before, trail),
                _ => Meaning::unseen(),
            },
            len => self.segment_on(path, len - 1, trail),
        }
    }

    fn segment_on(&self, path: PathId, idx: usize, trail: &mut Trail) -> Meaning {
        poll_interruption();
        let site = self.collected.path(path);
        let last = site.words.len() - 1;
        let namespace = |segment: usize| match segment == last {
            true => site.namespace,
            false => Some(Namespace::Type),
        };
        let mut meaning = self.first(site, namespace(0), trail);
        for segment in 1..=idx {
            let name = self.name(site, segment);
            meaning = self.in_each(&meaning, name, namespace(segment), trail);
        }
        meaning
    }

    /// Resolves the part of a path before its last segment.
    pub(crate) fn before_last(&self, path: PathId) -> Option<Meaning> {
        let site = self.collected.path(path);
        match (site.words.len(), site.start) {
            (1, PathStart::Qualified(Some(before))) => Some(self.path(before)),
            (0 | 1, _) => None,
            (len, _) => Some(self.segment(path, len - 2)),
        }
    }

    pub(crate) fn text(&self, name: NameId) -> &str {
        self.collected.words.text(name)
    }

    /// Returns the text of the segment of a path that is `idx` segments before its last one.
    pub(crate) fn text_from_end(&self, path: PathId, idx: usize) -> &str {
        let words = self.collected.path(path).words.iter();
        let word = words.rev().nth(idx);
        word.map_or("", |&word| self.text(self.collected.words.get(word).name))
    }

    fn name(&self, site: &PathSite, segment: usize) -> NameId {
        self.collected.words.get(site.words[segment]).name
    }

    /// Resolves the first segment of a path.
    fn first(&self, site: &PathSite, namespace: Option<Namespace>, trail: &mut Trail) -> Meaning {
        let name = self.name(site, 0);
        let at = self.collected.words.get(site.words[0]).at;
        match site.start {
            PathStart::Crates => {
                // In edition 2015 it begins in the crate's own root.
                let root = self.root(site.scope);
                let own = self.in_each(&root, name, namespace, trail);
                Meaning {
                    definitions: own.definitions,
                    ..Meaning::outside()
                }
            }
            PathStart::Qualified(None) => self.any_member(name, namespace),
            PathStart::Qualified(Some(before)) => {
                let before = self.path_on(before, trail);
                self.in_each(&before, name, namespace, trail)
            }
            PathStart::Scope => {
                let mut found = self.visible(site.scope, name, at, namespace, trail);
                let is_head = site.words.len() > 1 || site.namespace.is_none();
                if is_head && found == Meaning::unseen() && self.may_be_crate(site, name) {
                    found = Meaning::outside();
                }
                let is_alone = found.definitions.is_empty() && site.words.len() == 1;
                if is_alone && site.is_guess && namespace == Some(Namespace::Value) {
                    // The argument of a macro that looks like an expression may be a type.
                    let ty = self.visible(site.scope, name, at, Some(Namespace::Type), trail);
                    found.definitions = ty.definitions;
                }
                if !is_alone || namespace != Some(Namespace::Type) {
                    return found;
                }
                // The argument of a generic type may be a constant.
                let value = Some(Namespace::Value);
                let constant = self.visible(site.scope, name, at, value, trail);
                let is_one = |def: &DefId| {
                    let kind = self.collected.definition(*def).kind;
                    matches!(kind, DefKind::ConstParameter | DefKind::Const)
                };
                match constant.definitions.iter().all(is_one) && !constant.definitions.is_empty() {
                    true => constant,
                    false => found,
                }
            }
        }
    }

    /// Resolves a name that stands alone or begins a path.
    pub(crate) fn visible_at(
        &self,
        scope: ScopeId,
        name: NameId,
        at: usize,
        namespace: Option<Namespace>,
    ) -> Meaning {
        self.visible(scope, name, at, namespace, &mut Trail::default())
    }

    /// Returns whether the name at the beginning of a path is that of another crate, if nothing
    /// visible has the name.
    fn may_be_crate(&self, site: &PathSite, name: NameId) -> bool {
        !self.may_be_made(site.scope, name) && !self.is_item(name)
    }

    /// Returns whether a macro may have made the definition of a name: a capital one, in a module with
    /// calls of macros.
    fn may_be_made(&self, scope: ScopeId, name: NameId) -> bool {
        let is_capital = self.text(name).starts_with(char::is_uppercase);
        is_capital && self.module_scope(scope).scope.has_unseen
    }

    /// Returns whether some item of the crate has a name, or an impl is for a type of that name.
    fn is_item(&self, name: NameId) -> bool {
        let is_in_type = |definition: &Definition| {
            let parent = self.collected.kind_of_parent(definition);
            let is_type = |kind| matches!(kind, DefKind::Trait | DefKind::Impl | DefKind::Enum);
            definition.kind == DefKind::Field || parent.is_some_and(is_type)
        };
        let mut named = self.collected.named(name);
        named.any(|(_, one)| !one.kind.is_local() && !is_in_type(one))
            || self.resolver.subjects.contains(&name)
    }

    fn visible(
        &self,
        scope: ScopeId,
        name: NameId,
        at: usize,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        match self.text(name) {
            "crate" => return self.root(scope),
            "self" => return self.own_module(scope, namespace),
            "super" => return self.parent_module(scope),
            "Self" => return self.own_type(scope),
            _ => {}
        }
        for around in self.collected.scopes_around(scope) {
            if around.sees_locals
                && let Some(local) = self.local(around.scope, name, at, namespace)
            {
                return Meaning::one(local);
            }
            let found = self.in_scope(around.id, name, namespace, trail);
            if !found.is_nothing() {
                return found;
            }
        }
        self.beyond_modules(scope, name, namespace)
    }

    /// Resolves a name to something that is visible everywhere: macros of the crate, other crates,
    /// the prelude.
    fn beyond_modules(
        &self,
        scope: ScopeId,
        name: NameId,
        namespace: Option<Namespace>,
    ) -> Meaning {
        if namespace.is_none_or(|one| one == Namespace::Macro)
            && let Some(macros) = self.collected.macros.get(&name)
        {
            return Meaning {
                definitions: macros.iter().copied().collect(),
                ..Meaning::default()
            };
        }
        if namespace == Some(Namespace::Lifetime) {
            return Meaning::outside();
        }
        let root = self.root_scope(scope);
        if namespace.is_none_or(|one| one == Namespace::Type) {
            // `extern crate` at the root makes a name visible in all modules.
            let items = self.collected.scope(root).items.get(&name);
            let is_crate =
                |def: &&DefId| self.collected.definition(**def).kind == DefKind::ExternCrate;
            if let Some(def) = items.and_then(|all| all.iter().find(is_crate)) {
                return Meaning::one(*def);
            }
        }
        let is_macro = namespace == Some(Namespace::Macro) && !self.may_be_made(scope, name);
        match is_external(self.text(name)) || is_macro {
            true => Meaning::outside(),
            false if self.module_scope(scope).scope.has_unseen => Meaning::unseen(),
            false if self.has_foreign_glob(scope) => Meaning::outside(),
            false => Meaning::unseen(),
        }
    }

    /// Returns the variable or parameter of a scope that is visible at a place.
    fn local(
        &self,
        scope: &Scope,
        name: NameId,
        at: usize,
        namespace: Option<Namespace>,
    ) -> Option<DefId> {
        let locals = scope.locals.get(&name)?;
        let is_meant = |def: DefId| {
            let kind = self.collected.definition(def).kind;
            namespace.is_some_and(|one| kind.is_in(one)) && self.constant(def).is_none()
        };
        let visible = locals.iter().rev();
        let mut visible = visible.filter(|(range, def)| range.contains(&at) && is_meant(*def));
        visible.next().map(|(_, def)| *def)
    }

    /// Resolves the name of a pattern that looks like a variable and may be a constant, a variant
    /// or a unit struct.
    pub(crate) fn constant(&self, variable: DefId) -> Option<Meaning> {
        let path = *self.collected.may_be_constants.get(&variable)?;
        let site = self.collected.path(path);
        let name = self.name(site, 0);
        let found = self.in_scopes(site.scope, name);
        let is_constant = |def: &DefId| {
            matches!(
                self.collected.definition(*def).kind,
                DefKind::Const | DefKind::Static | DefKind::TupleStruct | DefKind::Variant
            )
        };
        let is_outside = found.definitions.is_empty() && found.outside;
        let is_one = found.definitions.iter().any(is_constant) || is_outside;
        is_one.then_some(found)
    }

    /// Resolves a name as that of an item in the scopes around, as if no variable had it.
    fn in_scopes(&self, scope: ScopeId, name: NameId) -> Meaning {
        let trail = &mut Trail::default();
        let around = self.collected.scopes_around(scope);
        let mut found =
            around.map(|one| self.in_scope(one.id, name, Some(Namespace::Value), trail));
        let found = found.find(|found| !found.is_nothing());
        found.unwrap_or_else(|| match is_external(self.text(name)) {
            true => Meaning::outside(),
            false => Meaning::default(),
        })
    }

    /// Resolves a name as a member of each of some definitions.
    fn in_each(
        &self,
        containers: &Meaning,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        if self.text(name) == "super" {
            let mut found = Meaning::default();
            for &module in &containers.definitions {
                let inside = self.collected.definition(module).inside;
                found.add(inside.map_or_else(Meaning::unseen, |scope| self.parent_module(scope)));
            }
            return found;
        }
        let mut found = Meaning {
            definitions: BTreeSet::new(),
            outside: containers.outside,
            unseen: containers.unseen,
        };
        for &container in &containers.definitions {
            found.add(self.member(container, name, namespace, trail));
        }
        if containers.outside {
            let own = self.members_of_traits(name, namespace);
            found.definitions.extend(own.definitions);
        }
        found
    }

    fn root_scope(&self, scope: ScopeId) -> ScopeId {
        let parent = |&scope: &ScopeId| self.collected.scope(scope).parent;
        std::iter::successors(Some(scope), parent)
            .last()
            .unwrap_or(scope)
    }

    fn root(&self, scope: ScopeId) -> Meaning {
        match self.collected.scope(self.root_scope(scope)).kind {
            ScopeKind::Module(root) => Meaning::one(root),
            _ => Meaning::unseen(),
        }
    }

    /// Returns the innermost module around a scope.
    fn module_scope(&self, scope: ScopeId) -> ScopeAround<'_> {
        let around = self.collected.scopes_around(scope);
        around.last().expect("the first one is the scope itself")
    }

    /// Resolves `self` to the module around a scope; as a value, it is a parameter that has no
    /// definition of its own here.
    fn own_module(&self, scope: ScopeId, namespace: Option<Namespace>) -> Meaning {
        match self.module_scope(scope).scope.kind {
            ScopeKind::Module(module) if namespace != Some(Namespace::Value) => {
                Meaning::one(module)
            }
            _ => Meaning::unseen(),
        }
    }

    fn parent_module(&self, scope: ScopeId) -> Meaning {
        match self.module_scope(scope).scope.parent {
            Some(parent) => self.own_module(parent, Some(Namespace::Type)),
            None => Meaning::unseen(),
        }
    }

    /// Resolves `Self`: the type, trait or impl that is around a scope.
    pub(crate) fn own_type(&self, scope: ScopeId) -> Meaning {
        let owner = |one: ScopeAround<'_>| match one.scope.kind {
            ScopeKind::Owner(owner) => Some(Meaning::one(owner)),
            _ => None,
        };
        let mut around = self.collected.scopes_around(scope);
        around.find_map(owner).unwrap_or_else(Meaning::unseen)
    }
}
