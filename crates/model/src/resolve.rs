//! What a path means (Rust reference, "Names", "Paths" and "Name resolution"): the scopes around it,
//! imports, globs, modules, members of types and traits.

mod members;

use crate::collect::Collected;
use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, ImportId, NameId, PathId, Position, ScopeId};
use crate::scopes::{PathSite, PathStart, ScopeKind};
use crate::std_names::is_external;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// What a name may mean, as far as it was followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// Definitions of the crate.
    pub(crate) definitions: BTreeSet<DefId>,
    /// Whether it may be something of another crate.
    pub(crate) outside: bool,
    /// Whether it may be something that was not read, such as what a macro makes.
    pub(crate) unseen: bool,
}

impl Meaning {
    fn one(def: DefId) -> Self {
        Self {
            definitions: BTreeSet::from([def]),
            ..Self::default()
        }
    }

    fn outside() -> Self {
        Self {
            outside: true,
            ..Self::default()
        }
    }

    fn unseen() -> Self {
        Self {
            unseen: true,
            ..Self::default()
        }
    }

    /// Whether nothing was found.
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it may be something of the crate and something of another.
    pub(crate) fn is_either(&self) -> bool {
        self.outside && !self.definitions.is_empty()
    }

    /// The only definition that it may be.
    pub(crate) fn only(&self) -> Option<DefId> {
        let only = self
            .definitions
            .first()
            .filter(|_| self.definitions.len() == 1);
        only.copied().filter(|_| !self.outside && !self.unseen)
    }

    /// Whether it is certainly of the crate.
    pub(crate) fn is_own(&self) -> bool {
        !self.definitions.is_empty() && !self.outside && !self.unseen
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.definitions.extend(other.definitions);
        self.outside |= other.outside;
        self.unseen |= other.unseen;
    }
}

/// Follows paths. What imports lead to is kept.
#[derive(Debug, Default)]
pub(crate) struct Resolver {
    imports: RefCell<HashMap<(ImportId, Option<Namespace>), Meaning>>,
    /// Whether a scope has a `*` of another crate.
    foreign_globs: RefCell<HashMap<ScopeId, bool>>,
    /// The impls of each type of the crate.
    impls: HashMap<DefId, Vec<DefId>>,
}

/// A resolution on its way: what it has come by already, so that it ends.
#[derive(Default)]
struct Trail {
    imports: Vec<(ImportId, Option<Namespace>)>,
    globs: Vec<(DefId, NameId, Option<Namespace>)>,
}

/// A crate that is resolved.
#[derive(Clone, Copy)]
pub(crate) struct Names<'m> {
    pub(crate) collected: &'m Collected,
    pub(crate) resolver: &'m Resolver,
}

impl Resolver {
    pub(crate) fn new(collected: &Collected) -> Self {
        let mut result = Self::default();
        let mut impls: HashMap<DefId, Vec<DefId>> = HashMap::new();
        for &block in &collected.impls {
            let names = Names {
                collected,
                resolver: &result,
            };
            let own_type = names.subject(block).definitions;
            for def in own_type {
                impls.entry(def).or_default().push(block);
            }
        }
        result.impls = impls;
        result
    }
}

impl Names<'_> {
    /// What the segment of a path at an index means.
    pub(crate) fn segment(&self, path: PathId, idx: usize) -> Meaning {
        self.segment_on(path, idx, &mut Trail::default())
    }

    /// What the end of a path means.
    pub(crate) fn path(&self, path: PathId) -> Meaning {
        self.path_on(path, &mut Trail::default())
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
        let site = self.collected.path(path);
        let last = site.words.len() - 1;
        let namespace = |segment: usize| match segment == last {
            true => site.namespace,
            false => Some(Namespace::Type),
        };
        let mut meaning = self.first(site, namespace(0), trail);
        for segment in 1..=idx {
            let name = self.name(site, segment);
            meaning = self.in_each(&meaning, name, namespace(segment), site.scope, trail);
        }
        meaning
    }

    fn name(&self, site: &PathSite, segment: usize) -> NameId {
        self.collected.words.get(site.words[segment]).name
    }

    /// What the first segment of a path means.
    fn first(&self, site: &PathSite, namespace: Option<Namespace>, trail: &mut Trail) -> Meaning {
        let name = self.name(site, 0);
        let at = self.collected.words.get(site.words[0]).at;
        match site.start {
            PathStart::Crates => Meaning::outside(),
            PathStart::Qualified(None) => self.any_member(name, namespace),
            PathStart::Qualified(Some(before)) => {
                let before = self.path_on(before, trail);
                self.in_each(&before, name, namespace, site.scope, trail)
            }
            PathStart::Scope => {
                let mut found = self.visible(site.scope, name, at, namespace, trail);
                let is_head = site.words.len() > 1 || site.namespace.is_none();
                if is_head && found == Meaning::unseen() && !self.is_item(name) {
                    // It begins with the name of another crate.
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

    /// What a name means where it stands alone or begins a path.
    pub(crate) fn visible_at(
        &self,
        scope: ScopeId,
        name: NameId,
        at: usize,
        namespace: Option<Namespace>,
    ) -> Meaning {
        self.visible(scope, name, at, namespace, &mut Trail::default())
    }

    /// Whether some item of the crate has a name, or an impl is for what has it.
    fn is_item(&self, name: NameId) -> bool {
        let is_in_type = |definition: &crate::Definition| {
            let parent = definition
                .parent
                .map(|one| self.collected.definition(one).kind);
            let is_type = |kind| matches!(kind, DefKind::Trait | DefKind::Impl | DefKind::Enum);
            definition.kind == DefKind::Field || parent.is_some_and(is_type)
        };
        let is_subject = |&block: &DefId| {
            let subject = self.collected.definition(block).subject;
            let words = subject.map_or(&[][..], |path| &self.collected.path(path).words);
            matches!(words, [only] if self.collected.words.get(*only).name == name)
        };
        let mut named = self.collected.named(name);
        named.any(|(_, one)| !one.kind.is_local() && !is_in_type(one))
            || self.collected.impls.iter().any(is_subject)
    }

    /// Where the import or the `extern crate` stands that makes the first name of a path visible, if
    /// one does.
    pub(crate) fn importing(&self, path: PathId) -> Option<Position> {
        let site = self.collected.path(path);
        let word = self.collected.words.get(*site.words.first()?);
        let namespace = match site.words.len() {
            1 => site.namespace,
            _ => Some(Namespace::Type),
        };
        let (mut is_barred, mut next) = (false, Some(site.scope));
        while let Some(id) = next {
            let here = self.collected.scope(id);
            if !is_barred && self.local(id, word.name, word.at, namespace).is_some() {
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
            let is_item = !items.is_empty();
            is_barred |= !matches!(here.kind, ScopeKind::Block | ScopeKind::Inner);
            next = match here.kind {
                _ if is_item || !imports.is_empty() => None,
                ScopeKind::Module(_) => None,
                _ => here.parent,
            };
        }
        None
    }

    fn visible(
        &self,
        scope: ScopeId,
        name: NameId,
        at: usize,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        match self.collected.words.text(name) {
            "crate" => return self.root(scope),
            "self" => return self.own_module(scope, namespace),
            "super" => return self.parent_module(scope),
            "Self" => return self.own_type(scope),
            _ => {}
        }
        let (mut is_barred, mut next) = (false, Some(scope));
        let mut has_unseen = false;
        while let Some(id) = next {
            let here = self.collected.scope(id);
            if !is_barred && let Some(local) = self.local(id, name, at, namespace) {
                return Meaning::one(local);
            }
            let found = self.in_scope(id, name, namespace, trail);
            if !found.is_nothing() {
                return found;
            }
            has_unseen |= here.has_unseen && matches!(here.kind, ScopeKind::Module(_));
            is_barred |= !matches!(here.kind, ScopeKind::Block | ScopeKind::Inner);
            next = match here.kind {
                ScopeKind::Module(_) => None,
                _ => here.parent,
            };
        }
        self.beyond_modules(scope, name, namespace, has_unseen)
    }

    /// What is visible everywhere: macros of the crate, other crates, the prelude.
    fn beyond_modules(
        &self,
        scope: ScopeId,
        name: NameId,
        namespace: Option<Namespace>,
        has_unseen: bool,
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
        let is_macro = namespace == Some(Namespace::Macro);
        match is_external(self.collected.words.text(name)) || is_macro {
            true => Meaning::outside(),
            false if has_unseen || !self.has_foreign_glob(scope) => Meaning::unseen(),
            false => Meaning::outside(),
        }
    }

    /// Whether a `*` of another crate, or of what nobody knows, brings names into a scope.
    fn has_foreign_glob(&self, scope: ScopeId) -> bool {
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = self.collected.scope(id);
            if !here.globs.is_empty() && self.is_foreign(id) {
                return true;
            }
            next = match here.kind {
                ScopeKind::Module(_) => None,
                _ => here.parent,
            };
        }
        false
    }

    /// Whether a scope itself has such a `*`. One that it is looked for from is not.
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

    /// The variable or parameter of a scope that is visible at a place.
    fn local(
        &self,
        scope: ScopeId,
        name: NameId,
        at: usize,
        namespace: Option<Namespace>,
    ) -> Option<DefId> {
        let locals = self.collected.scope(scope).locals.get(&name)?;
        let is_meant = |def: DefId| {
            let kind = self.collected.definition(def).kind;
            namespace.is_some_and(|one| kind.is_in(one)) && self.constant(def).is_none()
        };
        let visible = locals.iter().rev();
        let mut visible = visible.filter(|(range, def)| range.contains(&at) && is_meant(*def));
        visible.next().map(|(_, def)| *def)
    }

    /// What the name of a variable means that is none: a constant, a variant or a unit struct.
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

    /// What a value's name means if no variable has it.
    fn in_scopes(&self, scope: ScopeId, name: NameId) -> Meaning {
        let (value, mut next) = (Some(Namespace::Value), Some(scope));
        let trail = &mut Trail::default();
        while let Some(id) = next {
            let here = self.collected.scope(id);
            let found = self.in_scope(id, name, value, trail);
            if !found.is_nothing() {
                return found;
            }
            next = match here.kind {
                ScopeKind::Module(_) => None,
                _ => here.parent,
            };
        }
        match is_external(self.collected.words.text(name)) {
            true => Meaning::outside(),
            false => Meaning::default(),
        }
    }

    /// What a scope itself has of a name: items first, then imports, then what globs bring.
    fn in_scope(
        &self,
        scope: ScopeId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        let here = self.collected.scope(scope);
        let mut found = Meaning::default();
        for &def in here.items.get(&name).into_iter().flatten() {
            let definition = self.collected.definition(def);
            if namespace.is_none_or(|one| definition.kind.is_in(one)) {
                found.definitions.insert(def);
                found.unseen |= !definition.is_certain;
            }
        }
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

    /// What an import brings.
    fn import(&self, import: ImportId, namespace: Option<Namespace>, trail: &mut Trail) -> Meaning {
        let key = (import, namespace);
        if let Some(known) = self.resolver.imports.borrow().get(&key) {
            return known.clone();
        }
        if trail.imports.contains(&key) {
            return Meaning::default();
        }
        let site = &self.collected.imports[import.idx()];
        if site.of_types && namespace.is_some_and(|one| one != Namespace::Type) {
            return Meaning::default();
        }
        trail.imports.push(key);
        let path = self.collected.path(site.path);
        let mut meaning = match path.words.len() {
            0 => Meaning::unseen(),
            1 => self.first(path, namespace, trail),
            len => {
                let before = self.segment_on(site.path, len - 2, trail);
                let name = self.name(path, len - 1);
                self.in_each(&before, name, namespace, path.scope, trail)
            }
        };
        trail.imports.pop();
        // What is nowhere in the crate may be of another edition: a path from the root.
        if meaning.is_nothing() {
            meaning = Meaning::default();
        }
        if trail.imports.is_empty() && trail.globs.is_empty() {
            self.resolver
                .imports
                .borrow_mut()
                .insert(key, meaning.clone());
        }
        meaning
    }

    /// What a glob brings of a name.
    fn glob(
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

    /// What each of some definitions has of a name.
    fn in_each(
        &self,
        containers: &Meaning,
        name: NameId,
        namespace: Option<Namespace>,
        scope: ScopeId,
        trail: &mut Trail,
    ) -> Meaning {
        if self.collected.words.text(name) == "super" {
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
            found.add(self.member(container, name, namespace, scope, trail));
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

    /// The innermost module around a scope.
    fn module_scope(&self, scope: ScopeId) -> (ScopeId, Option<DefId>) {
        let mut here = scope;
        loop {
            let one = self.collected.scope(here);
            match (one.kind, one.parent) {
                (ScopeKind::Module(module), _) => return (here, Some(module)),
                (_, Some(parent)) => here = parent,
                (_, None) => return (here, None),
            }
        }
    }

    /// `self` as a value is a parameter, which has no definition of its own here.
    fn own_module(&self, scope: ScopeId, namespace: Option<Namespace>) -> Meaning {
        match self.module_scope(scope).1 {
            Some(module) if namespace != Some(Namespace::Value) => Meaning::one(module),
            _ => Meaning::unseen(),
        }
    }

    fn parent_module(&self, scope: ScopeId) -> Meaning {
        let (module, _) = self.module_scope(scope);
        match self.collected.scope(module).parent {
            Some(parent) => self.own_module(parent, Some(Namespace::Type)),
            None => Meaning::unseen(),
        }
    }

    /// What `Self` means: the type, trait or impl that is around.
    pub(crate) fn own_type(&self, scope: ScopeId) -> Meaning {
        let mut here = Some(scope);
        while let Some(id) = here {
            let one = self.collected.scope(id);
            if let ScopeKind::Owner(owner) = one.kind {
                return Meaning::one(owner);
            }
            here = one.parent;
        }
        Meaning::unseen()
    }
}
