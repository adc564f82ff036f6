//! The scopes of a crate: in which part of the text which definitions and imports are visible, and
//! all paths before they are resolved.

use crate::definitions::Namespace;
use crate::ids::{DefId, ImportId, NameId, PathId, Place, ScopeId, ShapeId, WordId};
use std::collections::HashMap;
use std::ops::Range;

/// A part of the text in which names are visible.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) kind: ScopeKind,
    pub(crate) place: Place,
    pub(crate) parent: Option<ScopeId>,
    /// The definitions that are visible in all of the scope, by name.
    pub(crate) items: HashMap<NameId, Vec<DefId>>,
    /// The variables and parameters, by name, each with the range in which it is visible.
    pub(crate) locals: HashMap<NameId, Vec<(Range<usize>, DefId)>>,
    /// The imports of the scope, by the name that they make visible.
    pub(crate) imports: HashMap<NameId, Vec<ImportId>>,
    pub(crate) globs: Vec<ImportId>,
    /// Whether macros may make definitions in the scope that were not read.
    pub(crate) has_unseen: bool,
}

/// A scope that is around another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScopeAround<'m> {
    pub(crate) id: ScopeId,
    pub(crate) scope: &'m Scope,
    /// Whether the outer scope's variables and parameters are visible from the inner one: no item is
    /// between.
    pub(crate) sees_locals: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// The scope of a module. Variables and items outside of the module are not visible in it.
    Module(DefId),
    /// The scope of a block, with its items.
    Block,
    /// The scope of an item: the variables and parameters of the function around it are not visible in
    /// it.
    Item,
    /// The scope of an impl or a trait, in which `Self` means something.
    Owner(DefId),
    /// The scope of a member, a closure, an arm of a `match` and the like.
    Inner,
}

/// A leaf of a use declaration.
#[derive(Debug)]
pub(crate) struct Import {
    /// The whole path of the import; that of a glob ends before `*`, that of `a::{self}` before
    /// `self`.
    pub(crate) path: PathId,
    /// The position of the name at the end of the path, or of `self`; of a glob, of the `*`.
    pub(crate) leaf: crate::ids::Position,
    /// The name that the import gives, `_` included; a glob has no name.
    pub(crate) name: Option<NameId>,
}

/// A path at one place of the text, before it is resolved.
#[derive(Debug)]
pub(crate) struct PathSite {
    /// The words of the path; `None` for a word that is not there, such as `crate` of `$crate`.
    pub(crate) words: Vec<WordId>,
    pub(crate) scope: ScopeId,
    /// The namespace in which the end of the path is looked up; `None` for an import, which brings
    /// whatever has the name, unless it is `a::{self}` or a glob, whose path is that of a module or a
    /// type.
    pub(crate) namespace: Option<Namespace>,
    pub(crate) start: PathStart,
    /// Whether the path stands in an argument of a macro that is not known.
    pub(crate) is_guess: bool,
}

/// The place where the lookup of a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathStart {
    /// The path begins with a name that is visible where it stands.
    Scope,
    /// The path begins with `::`.
    Crates,
    /// The path begins after `<T as Trait>`, whose path is this one; `<T>::` has that of the type,
    /// if it is one.
    Qualified(Option<PathId>),
}

/// The role of a word in the syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordRole {
    /// The word is the name of a definition; or of one that stands there already, as in `A(x) |
    /// B(x)`.
    Definition(DefId),
    /// The word is a part of a path: the segment with this index.
    Segment(PathId, usize),
    /// The word is the new name of an import, or `self` at its end.
    ImportName(ImportId),
    /// The word is a field in `name: ..` of a struct expression or pattern whose path this is.
    Field(PathId),
    /// The word is a shorthand field in `S { name }`: a field of the struct with this path, and a
    /// variable with the same name.
    ShorthandField(PathId, PathId),
    /// The word is a shorthand field in a pattern `S { name }`: a field and the definition of a
    /// variable.
    ShorthandPattern(PathId, DefId),
    /// The word is an associated type in `Trait<Name = T>`: a member of the trait with this path.
    AssociatedType(PathId),
    /// The word is a member in `x.name` or `x.name()`, where `x` has this shape.
    Member(ShapeId),
    /// The word is a pattern of one name that begins with a capital letter: what the path means, or
    /// a variable.
    Pattern(PathId, DefId),
    /// The word has no role but what its neighbours say.
    Loose,
}
