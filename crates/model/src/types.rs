//! Finds the types of expressions, to know what the names after a dot mean. This is no type
//! inference: written types, constructors, patterns, fields and what functions return are followed,
//! with what stands for their parameters, and the commonest types of the standard library that hold
//! others.

mod calls;
mod members;
mod outside;

use crate::definitions::DefKind;
use crate::ids::{DefId, PathId, ShapeId, TypeId};
use crate::resolve::{Meaning, Names};
use crate::shapes::{Shape, TypeShape};
use crate::typed::Typed;
use calls::Bindings;
use std::rc::Rc;

/// The largest number of nested expressions whose types are looked up.
const DEEPEST: usize = 48;

impl Names<'_> {
    /// Finds the type of an expression.
    pub(crate) fn type_of(&self, shape: ShapeId) -> Typed {
        let resolver = self.resolver;
        if let Some(known) = resolver.types.borrow().get(&shape) {
            return known.clone();
        }
        let depth = resolver.depth.get();
        if depth > DEEPEST {
            return Typed::Unknown;
        }
        // The type of an expression that leads back to itself is not known.
        resolver.types.borrow_mut().insert(shape, Typed::Unknown);
        resolver.depth.set(depth + 1);
        let typed = self.type_of_shape(&self.collected.shapes[shape.idx()]);
        resolver.depth.set(depth);
        resolver.types.borrow_mut().insert(shape, typed.clone());
        typed
    }

    fn type_of_shape(&self, shape: &Shape) -> Typed {
        match shape {
            Shape::Receiver(scope) => self.named(&self.own_type(*scope), &[], &Bindings::within()),
            Shape::Value(path) => match self.path(*path).only() {
                Some(def) => self.type_of_value(def),
                None => Typed::Unknown,
            },
            Shape::Call(path, arguments) => self.type_of_call(*path, arguments),
            Shape::Literal(path) => self.named(&self.path(*path), &[], &Bindings::within()),
            Shape::Field(of, name) => match self.field_of_type(&self.type_of(*of), *name) {
                Some((_, typed)) => typed,
                None => Typed::Unknown,
            },
            Shape::Component(of, idx) => match self.component_of_type(&self.type_of(*of), *idx) {
                Some((_, typed)) => typed,
                None => Typed::Unknown,
            },
            Shape::Method(of, name, arguments) => self.type_of_method_call(*of, *name, arguments),
            Shape::Written(ty) => self.written(*ty, &Bindings::within()),
            Shape::Content(of) => self.content(&self.type_of(*of)),
            Shape::Deref(of) => match self.type_of(*of) {
                Typed::Pointer(to) => (*to).clone(),
                other => other,
            },
            Shape::Given(of, method) => self.given(*of, *method),
            Shape::Part(of, path, idx) => self.part(*of, *path, *idx),
            Shape::NamedPart(of, path, name) => self.named_part(*of, *path, *name),
            Shape::Either(branches) => {
                let mut types = branches.iter().map(|&branch| self.type_of(branch));
                let known = types.find(|typed| *typed != Typed::Unknown);
                known.unwrap_or(Typed::Unknown)
            }
            Shape::Tuple(parts) => {
                Typed::Tuple(parts.iter().map(|&part| self.type_of(part)).collect())
            }
            Shape::Closure(_) | Shape::Outside => Typed::Outside,
            Shape::Unknown => Typed::Unknown,
        }
    }

    fn type_of_value(&self, def: DefId) -> Typed {
        let definition = self.collected.definition(def);
        match definition.kind {
            DefKind::Variable => definition
                .value
                .map_or(Typed::Unknown, |value| self.type_of(value)),
            DefKind::Const | DefKind::Static => self.declared(def, &Bindings::within()),
            DefKind::ConstParameter => Typed::Outside,
            DefKind::TupleStruct | DefKind::Variant => self.constructed(def),
            _ => Typed::Unknown,
        }
    }

    /// Returns the type that a struct or a variant makes.
    fn constructed(&self, def: DefId) -> Typed {
        let definition = self.collected.definition(def);
        match (definition.kind, definition.parent) {
            (DefKind::Variant, Some(parent)) => Typed::own(parent),
            _ => Typed::own(def),
        }
    }

    /// Returns the type that is written for a constant or a field, or that an impl is for.
    fn declared(&self, def: DefId, bindings: &Bindings) -> Typed {
        match self.collected.definition(def).ty {
            Some(ty) => self.written(ty, bindings),
            None => Typed::Unknown,
        }
    }

    fn written(&self, ty: TypeId, bindings: &Bindings) -> Typed {
        match &self.collected.types[ty.idx()] {
            TypeShape::Path { path, arguments } => match &bindings.receiver {
                Some(receiver) if self.text_from_end(*path, 0) == "Self" => receiver.clone(),
                _ => {
                    let meaning = self.path(*path);
                    match meaning.is_certainly_outside() {
                        true => self.outside_type(*path, arguments, bindings),
                        false => self.named(&meaning, arguments, bindings),
                    }
                }
            },
            TypeShape::Bounds(paths) => self.bounds(paths),
            TypeShape::Sequence(of) => Typed::Holder(Rc::new(self.written(*of, bindings))),
            TypeShape::Pointer(to) => Typed::Pointer(Rc::new(self.written(*to, bindings))),
            TypeShape::Tuple(parts) => {
                let parts = parts.iter().map(|&part| self.written(part, bindings));
                Typed::Tuple(parts.collect())
            }
            TypeShape::Outside => Typed::Outside,
            TypeShape::Unknown => Typed::Unknown,
        }
    }

    /// Returns the type that stands for whatever has these traits.
    fn bounds(&self, paths: &[PathId]) -> Typed {
        let traits: Vec<Meaning> = paths.iter().map(|path| self.path(*path)).collect();
        match traits.iter().any(Meaning::is_either) {
            true => Typed::Unknown,
            false => {
                let traits = traits.into_iter().flat_map(|one| one.definitions);
                Typed::Bounds(traits.collect())
            }
        }
    }

    /// Returns the type that a name means: an alias and `Self` are what they stand for.
    fn named(&self, meaning: &Meaning, arguments: &[TypeId], bindings: &Bindings) -> Typed {
        if meaning.is_certainly_outside() {
            return Typed::Outside;
        }
        let Some(def) = meaning.only() else {
            return Typed::Unknown;
        };
        let definition = self.collected.definition(def);
        let arguments = arguments.iter().map(|&one| self.written(one, bindings));
        match definition.kind {
            DefKind::Struct | DefKind::TupleStruct | DefKind::Union | DefKind::Enum => {
                Typed::Own(def, arguments.collect())
            }
            DefKind::Trait => Typed::own(def),
            DefKind::TypeParameter => bindings.of(def),
            DefKind::Variant => self.constructed(def),
            DefKind::Impl => self.declared(def, bindings),
            DefKind::TypeAlias => match self.collected.kind_of_parent(definition) {
                // The associated type may be another type in each impl, but has these bounds.
                Some(DefKind::Trait) => match definition.bounds.is_empty() {
                    true => Typed::Unknown,
                    false => self.bounds(&definition.bounds),
                },
                Some(DefKind::Impl) => self.declared(def, bindings),
                _ => {
                    let of_alias = self.bindings_of(&Typed::Own(def, arguments.collect()));
                    self.declared(def, &of_alias)
                }
            },
            _ => Typed::Unknown,
        }
    }
}
