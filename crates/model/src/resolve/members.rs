//! Finds the members of modules, types, traits and impls by their names.

use super::{Meaning, Names, Trail};
use crate::definitions::{DefKind, Definition, Namespace};
use crate::ids::{DefId, NameId};

impl Names<'_> {
    /// Finds the members of a definition that have a name.
    pub(super) fn member(
        &self,
        of: DefId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        let definition = self.collected.definition(of);
        match definition.kind {
            DefKind::Module | DefKind::ExternCrate => match definition.inside {
                Some(inside) => {
                    let mut found = self.in_scope(inside, name, namespace, trail);
                    found.unseen |= found.is_nothing() && self.collected.scope(inside).has_unseen;
                    found
                }
                None if definition.kind == DefKind::ExternCrate => Meaning::outside(),
                None => Meaning::unseen(),
            },
            DefKind::Enum => {
                let variants = self.own_members(of, name, namespace);
                match variants.is_nothing() {
                    true => self.associated(of, name, namespace, trail),
                    false => variants,
                }
            }
            DefKind::Struct | DefKind::TupleStruct | DefKind::Union => {
                self.associated(of, name, namespace, trail)
            }
            DefKind::Trait => self.of_trait(of, name, namespace, trail, 0),
            DefKind::TypeParameter => self.of_bounds(of, name, namespace, trail),
            DefKind::Impl => self.of_impl(of, name, namespace, trail),
            DefKind::TypeAlias => {
                let mut found = Meaning::default();
                for subject in self.subject(of).definitions {
                    if subject != of {
                        found.add(self.member(subject, name, namespace, trail));
                    }
                }
                match found.is_nothing() {
                    true => self.any_member(name, namespace),
                    false => found,
                }
            }
            _ => self.any_member(name, namespace),
        }
    }

    /// Returns the type that an impl is for, or that an alias stands for.
    pub(crate) fn subject(&self, of: DefId) -> Meaning {
        let definition = self.collected.definition(of);
        let Some(path) = definition.subject else {
            return Meaning::outside();
        };
        let mut found = self.path(path);
        // An alias of a type has its members.
        let aliases: Vec<DefId> = found
            .definitions
            .iter()
            .copied()
            .filter(|&def| def != of && self.collected.definition(def).kind == DefKind::TypeAlias)
            .collect();
        for alias in aliases {
            let next = self.collected.definition(alias).subject;
            let next = next.filter(|_| self.collected.is_item_of_module(alias));
            if let Some(next) = next {
                found.definitions.remove(&alias);
                found.add(self.path(next));
            }
        }
        found
    }

    /// Returns the variants, fields or members that stand in a definition itself.
    fn own_members(&self, of: DefId, name: NameId, namespace: Option<Namespace>) -> Meaning {
        self.those_in(self.collected.members(of, name), namespace)
    }

    /// Finds the members that impls of a type of the crate have: inherent ones first.
    fn associated(
        &self,
        of: DefId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        let impls = self.resolver.impls.get(&of).map_or(&[][..], Vec::as_slice);
        let (mut inherent, mut of_traits) = (Meaning::default(), Meaning::default());
        for &block in impls {
            let bounds = &self.collected.definition(block).bounds;
            let own = self.own_members(block, name, namespace);
            match bounds.first() {
                None => inherent.add(own),
                Some(_) if !own.is_nothing() => of_traits.add(own),
                Some(&of_trait) => {
                    for of_trait in self.path_on(of_trait, trail).definitions {
                        of_traits.add(self.own_members(of_trait, name, namespace));
                    }
                }
            }
        }
        if !inherent.is_nothing() {
            return inherent;
        }
        if !of_traits.is_nothing() {
            return of_traits;
        }
        // A derive, an impl for all types, or what a macro has made.
        let mut found = self.members_of_traits(name, namespace);
        found.outside = true;
        found
    }

    /// Returns the members of a trait and of the traits above it.
    fn of_trait(
        &self,
        of: DefId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
        depth: usize,
    ) -> Meaning {
        let own = self.own_members(of, name, namespace);
        if !own.is_nothing() || depth > DEEPEST {
            return own;
        }
        let definition = self.collected.definition(of);
        let mut found = Meaning {
            // Members that syn does not understand.
            unseen: definition
                .inside
                .is_some_and(|inside| self.collected.scope(inside).has_unseen),
            ..Meaning::default()
        };
        for &above in &definition.bounds {
            let above = self.path_on(above, trail);
            found.unseen |= above.unseen;
            for def in above.definitions {
                if self.collected.definition(def).kind == DefKind::Trait && def != of {
                    found.add(self.of_trait(def, name, namespace, trail, depth + 1));
                }
            }
        }
        found.outside = found.definitions.is_empty();
        found.unseen &= found.outside;
        found
    }

    /// Returns the members of the traits that bound a type parameter.
    fn of_bounds(
        &self,
        of: DefId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        let mut found = Meaning::default();
        for &bound in &self.collected.definition(of).bounds {
            let traits = self.path_on(bound, trail);
            found.unseen |= traits.unseen || traits.is_either();
            for def in traits.definitions {
                if self.collected.definition(def).kind == DefKind::Trait {
                    found
                        .definitions
                        .extend(self.of_trait(def, name, namespace, trail, 0).definitions);
                }
            }
        }
        if found.is_nothing() {
            let mut other = self.members_of_traits(name, namespace);
            other.outside = true;
            return other;
        }
        found
    }

    /// Resolves `Self::name` in an impl.
    fn of_impl(
        &self,
        of: DefId,
        name: NameId,
        namespace: Option<Namespace>,
        trail: &mut Trail,
    ) -> Meaning {
        let block = self.collected.definition(of);
        let is_of_trait = !block.bounds.is_empty();
        let own = self.own_members(of, name, namespace);
        let is_type = namespace == Some(Namespace::Type);
        if is_of_trait && is_type && !own.is_nothing() {
            return own;
        }
        let subject = self.subject(of);
        let mut found = Meaning::default();
        for &def in &subject.definitions {
            if !matches!(self.collected.definition(def).kind, DefKind::Impl) {
                found.add(self.member(def, name, namespace, trail));
            }
        }
        if !found.definitions.is_empty() {
            return found;
        }
        if !own.is_nothing() {
            return own;
        }
        for &of_trait in &block.bounds {
            for def in self.path_on(of_trait, trail).definitions {
                found
                    .definitions
                    .extend(self.of_trait(def, name, namespace, trail, 0).definitions);
            }
        }
        if found.definitions.is_empty() {
            found.outside = true;
            found.definitions = self.members_of_traits(name, namespace).definitions;
        }
        found
    }

    /// Returns the members with a name of all traits of the crate, which any type may have.
    pub(crate) fn members_of_traits(&self, name: NameId, namespace: Option<Namespace>) -> Meaning {
        let key = (name, namespace);
        if let Some(known) = self.resolver.of_traits.borrow().get(&key) {
            return known.clone();
        }
        let mut found = self.members_in(&[DefKind::Trait], name, namespace);
        // A trait that a macro has made may have it.
        found.unseen = found.definitions.is_empty() && self.collected.has_unseen;
        let mut of_traits = self.resolver.of_traits.borrow_mut();
        of_traits.insert(key, found.clone());
        found
    }

    /// Returns all members with a name, of whatever type they are, for a type that is not known.
    pub(super) fn any_member(&self, name: NameId, namespace: Option<Namespace>) -> Meaning {
        let mut found = self.members_in(&[DefKind::Trait, DefKind::Impl], name, namespace);
        found.outside = true;
        found
    }

    /// Returns the members with a name of all definitions of some kinds.
    fn members_in(&self, kinds: &[DefKind], name: NameId, namespace: Option<Namespace>) -> Meaning {
        let is_meant = |definition: &Definition| {
            let parent = self.collected.kind_of_parent(definition);
            parent.is_some_and(|parent| kinds.contains(&parent))
                && definition.kind.may_be_in(namespace)
        };
        let members = self.collected.named(name);
        let members = members.filter(|(_, definition)| is_meant(definition));
        Meaning {
            definitions: members.map(|(def, _)| def).collect(),
            ..Meaning::default()
        }
    }
}

/// The number of supertraits above each other that are followed.
const DEEPEST: usize = 8;

impl Names<'_> {
    /// Finds the members with a name in the definition at the end of a path.
    pub(crate) fn member_of_path(
        &self,
        path: crate::ids::PathId,
        name: NameId,
        namespace: Namespace,
    ) -> Meaning {
        let mut trail = Trail::default();
        let of = self.path_on(path, &mut trail);
        self.in_each(&of, name, Some(namespace), &mut trail)
    }

    /// Finds the members of a definition that have a name.
    pub(crate) fn member_of(
        &self,
        of: DefId,
        name: NameId,
        namespace: Option<Namespace>,
    ) -> Meaning {
        self.member(of, name, namespace, &mut Trail::default())
    }

    /// Returns all definitions of a name that a path may lead to.
    pub(crate) fn any_of_name(&self, name: NameId) -> Meaning {
        let named = self.collected.named(name);
        let named = named.filter(|(_, definition)| !definition.kind.is_local());
        Meaning {
            definitions: named.map(|(def, _)| def).collect(),
            outside: true,
            unseen: false,
        }
    }
}
