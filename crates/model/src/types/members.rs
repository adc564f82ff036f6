//! Finds fields and methods of types, also through `Deref`, and the types of the parts that patterns
//! match.

use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, NameId, PathId, ShapeId};
use crate::resolve::{Meaning, Names};
use crate::shapes::Shape;
use crate::typed::Typed;

/// The number of times that `Deref` is followed from a type.
const DEREFS: usize = 4;

impl Names<'_> {
    /// Returns a type and those that it can be used as, by `Deref`.
    fn derefs(&self, typed: &Typed) -> impl Iterator<Item = Typed> {
        std::iter::successors(Some(typed.clone()), |one| self.target(one)).take(DEREFS)
    }

    /// Returns the type as which a type of the crate may be used, by `Deref`.
    fn target(&self, typed: &Typed) -> Option<Typed> {
        let Typed::Own(def, _) = typed else {
            return None;
        };
        let is_deref = |path: &PathId| matches!(self.text_from_end(*path, 0), "Deref" | "DerefMut");
        let definition = self.collected.definition(*def);
        if definition.kind == DefKind::TypeParameter {
            return definition
                .bounds
                .iter()
                .any(is_deref)
                .then_some(Typed::Unknown);
        }
        let blocks = self.resolver.impls.get(def).into_iter().flatten();
        let mut bounds = blocks.flat_map(|&block| &self.collected.definition(block).bounds);
        bounds
            .any(is_deref)
            .then(|| self.associated_type(typed, "Target"))
    }

    /// Finds the associated type with this name, if only one impl for a type has one.
    fn associated_type(&self, typed: &Typed, name: &str) -> Typed {
        let (Typed::Own(def, _), Some(name)) = (typed, self.collected.words.name(name)) else {
            return Typed::Unknown;
        };
        let of_type = self.member_of(*def, name, Some(Namespace::Type));
        let Some(alias) = of_type.only() else {
            return Typed::Unknown;
        };
        match self.collected.definition(alias).parent {
            Some(block) if self.collected.definition(block).kind == DefKind::Impl => {
                self.declared(alias, &self.bindings_in(Some(block), typed))
            }
            _ => Typed::Unknown,
        }
    }

    /// Returns the type of the content of an option, a result, a sequence or an iterator.
    pub(super) fn content(&self, typed: &Typed) -> Typed {
        match typed {
            Typed::Holder(of) => (**of).clone(),
            _ => self.associated_type(typed, "Item"),
        }
    }

    /// Returns the type of `x.0`, and the struct of which it is a field if that is one of the crate.
    pub(crate) fn component_of_type(
        &self,
        typed: &Typed,
        idx: usize,
    ) -> Option<(Option<DefId>, Typed)> {
        let component = |typed: Typed| match &typed {
            Typed::Tuple(parts) => Some((None, parts.get(idx)?.clone())),
            Typed::Own(def, _) => {
                let &ty = self.collected.positional(*def).get(idx)?;
                Some((Some(*def), self.written(ty, &self.bindings_of(&typed))))
            }
            _ => None,
        };
        self.derefs(typed).find_map(component)
    }

    /// Returns the type of a part of a pattern, by the shape of the expression that the whole pattern
    /// matches.
    pub(super) fn part(&self, of: ShapeId, path: PathId, idx: usize) -> Typed {
        let meaning = self.path(path);
        if meaning.is_certainly_outside() && matches!(self.text_from_end(path, 0), "Some" | "Ok") {
            return self.content(&self.type_of(of));
        }
        let Some(def) = self.data_of(&meaning) else {
            return Typed::Unknown;
        };
        let ty = self.collected.positional(def).get(idx);
        ty.map_or(Typed::Unknown, |&ty| {
            self.written(ty, &self.bindings_of(&self.type_of(of)))
        })
    }

    pub(super) fn named_part(&self, of: ShapeId, path: PathId, name: NameId) -> Typed {
        let field = self.data_of(&self.path(path));
        let field = field.and_then(|def| self.field(def, name));
        field.map_or(Typed::Unknown, |field| {
            self.declared(field, &self.bindings_of(&self.type_of(of)))
        })
    }

    /// Returns the struct or variant that a path means: `Self` and an alias are what they stand
    /// for.
    fn data_of(&self, meaning: &Meaning) -> Option<DefId> {
        let def = meaning.only()?;
        match self.collected.definition(def).kind {
            DefKind::Impl | DefKind::TypeAlias => self.subject(def).only(),
            _ => Some(def),
        }
    }

    /// Finds the field with this name in a struct or variant.
    pub(super) fn field(&self, of: DefId, name: NameId) -> Option<DefId> {
        match self.collected.members(of, name) {
            [field] if self.collected.definition(*field).kind == DefKind::Field => Some(*field),
            _ => None,
        }
    }

    /// Finds the field with this name that a type has, and the field's own type.
    pub(crate) fn field_of_type(&self, typed: &Typed, name: NameId) -> Option<(DefId, Typed)> {
        let field = |typed: Typed| match &typed {
            Typed::Own(of, _) => {
                let field = self.field(*of, name)?;
                Some((field, self.declared(field, &self.bindings_of(&typed))))
            }
            _ => None,
        };
        self.derefs(typed).find_map(field)
    }

    /// Finds the methods with this name that an expression of a type has. Nothing where the type is
    /// unknown.
    pub(crate) fn method_of(&self, receiver: ShapeId, typed: &Typed, name: NameId) -> Meaning {
        let mut found = self.method_and_receiver(typed, name).1;
        // `&self` of an impl for `&T` is first looked at as that, and then as a `T`.
        if let Shape::Receiver(scope) = self.collected.shapes[receiver.idx()]
            && let Some(owner) = self.own_type(scope).only()
            && self.collected.definition(owner).is_of_reference
        {
            let of_traits = self.members_of_traits(name, Some(Namespace::Value));
            found.unseen |=
                !of_traits.definitions.is_subset(&found.definitions) || of_traits.unseen;
        }
        found
    }

    /// Finds the methods with this name that a type has, and the type as which it is used to have
    /// them.
    pub(super) fn method_and_receiver(&self, typed: &Typed, name: NameId) -> (Typed, Meaning) {
        let mut last = None;
        for typed in self.derefs(typed) {
            let found = self.own_method(&typed, name);
            let is_certain = !found.outside && !found.is_nothing();
            last = Some((typed, found));
            if is_certain {
                break;
            }
        }
        last.expect("the first one is the type itself")
    }

    fn own_method(&self, typed: &Typed, name: NameId) -> Meaning {
        let value = Some(Namespace::Value);
        match typed {
            Typed::Own(of, _) => self.member_of(*of, name, value),
            Typed::Bounds(traits) => {
                let mut found = Meaning::default();
                for &of_trait in traits {
                    found.add(self.member_of(of_trait, name, value));
                }
                // A member that is not of a trait of the crate may be of the type behind.
                found.outside = false;
                found
            }
            Typed::Holder(_) | Typed::Pointer(_) | Typed::Tuple(_) | Typed::Outside => {
                let mut found = self.members_of_traits(name, value);
                found.outside = true;
                found
            }
            Typed::Guard(arguments) => {
                let mut found = self.members_of_traits(name, value);
                for typed in arguments.iter().flat_map(|one| self.derefs(one)) {
                    found.add(self.own_method(&typed, name));
                }
                found.outside = true;
                found
            }
            Typed::Unknown => Meaning::default(),
        }
    }
}
