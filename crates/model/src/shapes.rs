//! What is noted of types and expressions, to know what the names after a dot mean. This is no type
//! inference: a written type, a constructor, a field and what a function returns are followed, and
//! all else is unknown.

use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, NameId, PathId, ScopeId, ShapeId, TypeId};
use crate::resolve::{Meaning, Names};

/// What an expression looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// `self` in this scope.
    Receiver(ScopeId),
    /// A variable, a constant or a unit struct.
    Value(PathId),
    /// A call of a function, or a tuple struct.
    Call(PathId),
    /// `S { .. }`
    Literal(PathId),
    /// `x.name`
    Field(ShapeId, NameId),
    /// `x.name(..)`
    Method(ShapeId, NameId),
    /// A literal, whose type is not of the crate.
    Outside,
    /// A closure, whose type has no name.
    Closure,
    /// Anything else.
    Unknown,
}

/// What a type looks like, without references.
#[derive(Debug, Clone)]
pub(crate) enum TypeShape {
    /// A path.
    Path {
        path: PathId,
        /// What it points to if it is `Box<T>`, `Rc<T>` or `Arc<T>`.
        pointee: Option<TypeId>,
        /// Whether a type of another crate may be used as one of this crate: `Guard<T>` may be a `T`.
        may_deref: bool,
    },
    /// `impl Trait` and `dyn Trait`.
    Bounds(Vec<PathId>),
    /// A slice, a tuple and the like.
    Outside,
    /// Anything else.
    Unknown,
}

/// The type of an expression, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Typed {
    /// One of the crate; a trait or a parameter stands for whatever has it.
    Own(DefId),
    /// Several traits of the crate.
    Bounds(Vec<DefId>),
    /// A type of another crate or of the language.
    Outside,
    Unknown,
}

/// So many shapes in each other are followed.
const DEEPEST: usize = 24;

impl Names<'_> {
    /// The type of an expression.
    pub(crate) fn type_of(&self, shape: ShapeId) -> Typed {
        self.type_of_shape(shape, 0)
    }

    fn type_of_shape(&self, shape: ShapeId, depth: usize) -> Typed {
        if depth > DEEPEST {
            return Typed::Unknown;
        }
        match self.collected.shapes[shape.idx()] {
            Shape::Receiver(scope) => self.own(&self.own_type(scope), depth),
            Shape::Value(path) => match self.single(path) {
                Some(def) => self.type_of_value(def, depth),
                None => Typed::Unknown,
            },
            Shape::Call(path) => match self.single(path) {
                Some(def) => self.type_of_call(def, depth),
                None => Typed::Unknown,
            },
            Shape::Literal(path) => self.own(&self.path(path), depth),
            Shape::Field(receiver, name) => {
                match self.field_of_type(&self.type_of_shape(receiver, depth + 1), name) {
                    Some(field) => self.declared(field, depth),
                    None => Typed::Unknown,
                }
            }
            Shape::Method(receiver, name) => {
                let receiver = self.type_of_shape(receiver, depth + 1);
                let methods = self.method_of_type(&receiver, name);
                match methods.only() {
                    Some(method) => self.type_of_call(method, depth),
                    None => Typed::Unknown,
                }
            }
            Shape::Outside => Typed::Outside,
            Shape::Closure | Shape::Unknown => Typed::Unknown,
        }
    }

    /// The only definition that a path certainly means.
    fn single(&self, path: PathId) -> Option<DefId> {
        self.path(path).only()
    }

    fn type_of_value(&self, def: DefId, depth: usize) -> Typed {
        let definition = self.collected.definition(def);
        match definition.kind {
            DefKind::Variable => match (definition.ty, definition.value) {
                (Some(_), _) => self.declared(def, depth),
                (None, Some(value)) => self.type_of_shape(value, depth + 1),
                (None, None) => Typed::Unknown,
            },
            DefKind::Const | DefKind::Static => self.declared(def, depth),
            DefKind::TupleStruct => Typed::Own(def),
            DefKind::Variant => definition.parent.map_or(Typed::Unknown, Typed::Own),
            _ => Typed::Unknown,
        }
    }

    fn type_of_call(&self, def: DefId, depth: usize) -> Typed {
        let definition = self.collected.definition(def);
        match definition.kind {
            DefKind::Function if definition.ty.is_some() => self.declared(def, depth),
            DefKind::Function => Typed::Outside,
            DefKind::TupleStruct => Typed::Own(def),
            DefKind::Variant => definition.parent.map_or(Typed::Unknown, Typed::Own),
            _ => Typed::Unknown,
        }
    }

    /// The type that is written for a variable, a field or what a function returns.
    fn declared(&self, def: DefId, depth: usize) -> Typed {
        match self.collected.definition(def).ty {
            Some(ty) => self.written(ty, depth + 1),
            None => Typed::Unknown,
        }
    }

    fn written(&self, ty: TypeId, depth: usize) -> Typed {
        match &self.collected.types[ty.idx()] {
            TypeShape::Path {
                path,
                pointee,
                may_deref,
            } => {
                let meaning = self.path(*path);
                match pointee {
                    Some(pointee) if !meaning.is_own() => self.written(*pointee, depth + 1),
                    _ if *may_deref && !meaning.is_own() => Typed::Unknown,
                    _ => self.own(&meaning, depth),
                }
            }
            TypeShape::Bounds(paths) => {
                let traits: Vec<Meaning> = paths.iter().map(|path| self.path(*path)).collect();
                match traits.iter().any(Meaning::is_either) {
                    true => Typed::Unknown,
                    false => {
                        let traits = traits.into_iter().flat_map(|one| one.definitions);
                        Typed::Bounds(traits.collect())
                    }
                }
            }
            TypeShape::Outside => Typed::Outside,
            TypeShape::Unknown => Typed::Unknown,
        }
    }

    /// The type that a path means: an alias and `Self` are what they stand for.
    fn own(&self, meaning: &Meaning, depth: usize) -> Typed {
        if meaning.definitions.is_empty() && meaning.outside && !meaning.unseen {
            return Typed::Outside;
        }
        let Some(def) = meaning.only().filter(|_| depth < DEEPEST) else {
            return Typed::Unknown;
        };
        match self.collected.definition(def).kind {
            DefKind::Struct
            | DefKind::TupleStruct
            | DefKind::Union
            | DefKind::Enum
            | DefKind::Trait
            | DefKind::TypeParameter => Typed::Own(def),
            DefKind::Variant => {
                let parent = self.collected.definition(def).parent;
                parent.map_or(Typed::Unknown, Typed::Own)
            }
            DefKind::Impl => self.declared(def, depth),
            // An associated type may be another one in each impl.
            DefKind::TypeAlias => {
                let parent = self.collected.definition(def).parent;
                let is_item = parent.is_some_and(|parent| {
                    self.collected.definition(parent).kind == DefKind::Module
                });
                match is_item {
                    true => self.own(&self.subject(def), depth + 1),
                    false => Typed::Unknown,
                }
            }
            _ => Typed::Unknown,
        }
    }

    /// The field of a type.
    pub(crate) fn field_of_type(&self, typed: &Typed, name: NameId) -> Option<DefId> {
        let Typed::Own(of) = typed else { return None };
        match self.collected.members(*of, name) {
            [field] if self.collected.definition(*field).kind == DefKind::Field => Some(*field),
            _ => None,
        }
    }

    /// The methods of a type with a name. Nothing where the type is unknown.
    pub(crate) fn method_of_type(&self, typed: &Typed, name: NameId) -> Meaning {
        let value = Some(Namespace::Value);
        match typed {
            Typed::Own(of) => self.member_of(*of, name, value),
            Typed::Bounds(traits) => {
                let mut found = Meaning::default();
                for &of_trait in traits {
                    found.add(self.member_of(of_trait, name, value));
                }
                // What is not of a trait of the crate may be of the type behind.
                found.outside = false;
                found
            }
            Typed::Outside => {
                let mut found = self.members_of_traits(name, value);
                found.outside = true;
                found
            }
            Typed::Unknown => Meaning::default(),
        }
    }
}
