//! The shapes of expressions and types, noted while the syntax is there. `types` says which type an
//! expression has by it.

use crate::ids::{NameId, PathId, ScopeId, ShapeId, TypeId};

/// The shape of an expression, or of the value that a variable of a pattern stands for.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// `self` in this scope.
    Receiver(ScopeId),
    /// A variable, a constant or a unit struct.
    Value(PathId),
    /// A call of a function, or a tuple struct, with its arguments.
    Call(PathId, Vec<ShapeId>),
    /// `S { .. }`
    Literal(PathId),
    /// `x.name`
    Field(ShapeId, NameId),
    /// `x.0`, or a part of a tuple.
    Component(ShapeId, usize),
    /// `x.name(..)`, with its arguments.
    Method(ShapeId, NameId, Vec<ShapeId>),
    /// A closure, whose type has no name, with its body.
    Closure(ShapeId),
    /// Something whose type is written.
    Written(TypeId),
    /// A content of an option, a result, a sequence or an iterator.
    Content(ShapeId),
    /// A value that a method gives to its closure.
    Given(ShapeId, NameId),
    /// `*x`
    Deref(ShapeId),
    /// A part of what the pattern `Path(..)` fits.
    Part(ShapeId, PathId, usize),
    /// A part of what the pattern `Path { name: .. }` fits.
    NamedPart(ShapeId, PathId, NameId),
    /// The values of branches.
    Either(Vec<ShapeId>),
    /// `(a, b)`
    Tuple(Vec<ShapeId>),
    /// A literal, whose type is not of the crate.
    Outside,
    /// Anything else.
    Unknown,
}

/// The shape of a type, without references.
#[derive(Debug, Clone)]
pub(crate) enum TypeShape {
    /// A path, with its arguments but for lifetimes.
    Path {
        path: PathId,
        arguments: Vec<TypeId>,
    },
    /// `impl Trait` and `dyn Trait`.
    Bounds(Vec<PathId>),
    /// A slice, an array, or `impl Iterator<Item = T>`.
    Sequence(TypeId),
    /// `*const T`
    Pointer(TypeId),
    /// `(A, B)`
    Tuple(Vec<TypeId>),
    /// A pointer to a function and the like.
    Outside,
    /// Anything else.
    Unknown,
}
