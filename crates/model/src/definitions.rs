//! The definitions of a crate, each with its kind, its name and the definition that it is a part of.

use crate::ids::{DefId, NameId, PathId, Place, Position, ScopeId, ShapeId, TypeId};
use std::ops::Range;

/// A definition in a crate, such as an item, a field or a variable.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The kind of the definition.
    pub kind: DefKind,
    /// The position of the definition's name; of an impl, of its keyword; of the crate's root, of its
    /// first byte.
    pub name: Position,
    /// The place of the whole item, member, field, pattern or parameter.
    pub whole: Place,
    /// The module, type, trait, impl or function that the definition is a part of. The crate's root
    /// has none.
    pub parent: Option<DefId>,
    /// The spelling of the definition's name. An impl and the crate's root have none.
    pub(crate) spelling: Option<NameId>,
    /// Whether the definition certainly is one, and of this kind. It is not certain in the arguments of
    /// a macro whose meaning is unknown.
    pub is_certain: bool,
    /// The scope inside of the definition, whose names are visible there alone.
    pub(crate) inside: Option<ScopeId>,
    /// The block of a function, the value of a constant, or the type that an alias or an associated
    /// type stands for, if there is one.
    pub(crate) body: Option<Range<usize>>,
    /// The first path in the type that an impl is for: of `&[S]`, that of `S`.
    pub(crate) head: Option<PathId>,
    /// The type that an impl is for, or that an alias stands for, if it begins with a path.
    pub(crate) subject: Option<PathId>,
    /// The traits that bound a type parameter or are above a trait; the trait of an impl.
    pub(crate) bounds: Vec<PathId>,
    /// The type that is written for an item; of a function, its return type; of an impl, the type that
    /// it is for, without references.
    pub(crate) ty: Option<TypeId>,
    /// Whether the definition is an impl for a reference.
    pub(crate) is_of_reference: bool,
    /// The shape of the expression that a variable stands for.
    pub(crate) value: Option<ShapeId>,
}

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefKind {
    /// A module, with braces or in a file of its own; also the crate's root.
    Module,
    /// A declaration `extern crate`.
    ExternCrate,
    /// A struct with named fields.
    Struct,
    /// A struct whose name is a value too: `struct S;`, `struct S(T);`.
    TupleStruct,
    /// A union.
    Union,
    /// An enum.
    Enum,
    /// A variant of an enum.
    Variant,
    /// A named field of a struct, a union or a variant.
    Field,
    /// A trait or a trait alias.
    Trait,
    /// An impl. It has no name.
    Impl,
    /// A type alias, or an associated type of a trait or an impl.
    TypeAlias,
    /// A function, method or associated function.
    Function,
    /// A constant or an associated constant.
    Const,
    /// A static.
    Static,
    /// A macro of the crate: `macro_rules!` or `macro`.
    Macro,
    /// A type parameter.
    TypeParameter,
    /// A constant parameter.
    ConstParameter,
    /// A lifetime parameter.
    Lifetime,
    /// A label of a loop or a block.
    Label,
    /// A variable or a parameter of a function or a closure.
    Variable,
}

/// The namespaces of the language (Rust reference, "Namespaces"). Lifetimes and labels are told from
/// each other by where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Namespace {
    /// The namespace of types, traits, modules and crates.
    Type,
    /// The namespace of functions, constants, constructors and variables.
    Value,
    /// The namespace of macros.
    Macro,
    /// The namespace of lifetimes.
    Lifetime,
    /// The namespace of labels.
    Label,
}

impl DefKind {
    /// Returns whether the name of a definition of this kind is one of a namespace.
    #[must_use]
    pub fn is_in(self, namespace: Namespace) -> bool {
        match self {
            Self::Module
            | Self::ExternCrate
            | Self::Struct
            | Self::Union
            | Self::Enum
            | Self::Trait
            | Self::TypeAlias
            | Self::TypeParameter => namespace == Namespace::Type,
            Self::TupleStruct | Self::Variant => {
                matches!(namespace, Namespace::Type | Namespace::Value)
            }
            Self::Function | Self::Const | Self::Static | Self::ConstParameter | Self::Variable => {
                namespace == Namespace::Value
            }
            Self::Macro => namespace == Namespace::Macro,
            Self::Lifetime => namespace == Namespace::Lifetime,
            Self::Label => namespace == Namespace::Label,
            Self::Field | Self::Impl => false,
        }
    }

    /// Returns whether the name of a definition of this kind is one of a namespace, if a namespace is
    /// asked for.
    pub(crate) fn may_be_in(self, namespace: Option<Namespace>) -> bool {
        namespace.is_none_or(|namespace| self.is_in(namespace))
    }

    /// Returns whether a definition of this kind in a function is not visible in the items of that
    /// function.
    #[must_use]
    pub fn is_local(self) -> bool {
        matches!(
            self,
            Self::TypeParameter
                | Self::ConstParameter
                | Self::Lifetime
                | Self::Label
                | Self::Variable
        )
    }
}
