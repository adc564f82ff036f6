//! The shapes of expressions and types, which are noted when the syntax is read, to find types
//! later. `types` says which type an expression has by it.

use crate::ids::{NameId, PathId, ScopeId, ShapeId, TypeId};

/// The shape of an expression, or of the value that a variable of a pattern stands for.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// The receiver `self` in this scope.
    Receiver(ScopeId),
    /// A variable, a constant or a unit struct.
    Value(PathId),
    /// A call of a function, or a tuple struct, with its arguments.
    Call(PathId, Vec<ShapeId>),
    /// A struct expression: `S { .. }`.
    Literal(PathId),
    /// A field of an expression: `x.name`.
    Field(ShapeId, NameId),
    /// A field with a number, `x.0`, or a part of a tuple.
    Component(ShapeId, usize),
    /// A call of a method, `x.name(..)`, with its arguments.
    Method(ShapeId, NameId, Vec<ShapeId>),
    /// A closure, whose type has no name, with its body.
    Closure(ShapeId),
    /// A value whose type is written.
    Written(TypeId),
    /// A value that an option, a result, a sequence or an iterator holds.
    Content(ShapeId),
    /// A value that a method gives to its closure.
    Given(ShapeId, NameId),
    /// The value that a pointer points to: `*x`.
    Deref(ShapeId),
    /// A part with a number of the value that the pattern `Path(..)` matches.
    Part(ShapeId, PathId, usize),
    /// A field of the value that the pattern `Path { name: .. }` matches.
    NamedPart(ShapeId, PathId, NameId),
    /// The value of one of several branches, such as those of an `if`.
    Either(Vec<ShapeId>),
    /// A tuple: `(a, b)`.
    Tuple(Vec<ShapeId>),
    /// A literal, whose type is not of the crate.
    Outside,
    /// Any other expression, whose type is not looked for.
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
    /// A raw pointer: `*const T`.
    Pointer(TypeId),
    /// A tuple: `(A, B)`.
    Tuple(Vec<TypeId>),
    /// A pointer to a function, or another type that is not of the crate.
    Outside,
    /// Any other type.
    Unknown,
}
