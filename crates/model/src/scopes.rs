//! The scopes of a crate: in which part of the text which definitions and imports are visible, and
//! what each path looks like before it is resolved.

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
    /// Definitions that are visible in all of it, by name.
    pub(crate) items: HashMap<NameId, Vec<DefId>>,
    /// Variables and parameters, by name, each with where it is visible.
    pub(crate) locals: HashMap<NameId, Vec<(Range<usize>, DefId)>>,
    /// Imports, by the name that they bring.
    pub(crate) imports: HashMap<NameId, Vec<ImportId>>,
    pub(crate) globs: Vec<ImportId>,
    /// Whether there may be definitions in it that nobody has seen: those that macros make.
    pub(crate) has_unseen: bool,
}

/// A scope as it is seen from one in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScopeAround<'m> {
    pub(crate) id: ScopeId,
    pub(crate) scope: &'m Scope,
    /// Whether its variables and parameters are visible from there: no item is between.
    pub(crate) sees_locals: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// Of a module. What is outside of it is not visible in it.
    Module(DefId),
    /// Of a block, with its items.
    Block,
    /// Of an item: what its function around it has as variables and parameters is not visible in it.
    Item,
    /// Of an impl or a trait, which `Self` means something in.
    Owner(DefId),
    /// Of a member, a closure, an arm of a `match` and the like.
    Inner,
}

/// A leaf of a use declaration.
#[derive(Debug)]
pub(crate) struct Import {
    /// Its whole path; that of a glob ends before `*`, that of `a::{self}` before `self`.
    pub(crate) path: PathId,
    /// Where the name stands at its end, or `self`; of a glob, the `*`.
    pub(crate) leaf: crate::ids::Position,
    /// What it is called where it is imported, `_` included; a glob has no name.
    pub(crate) name: Option<NameId>,
}

/// A path, before it is resolved.
#[derive(Debug)]
pub(crate) struct PathSite {
    /// Its words; `None` for a word that is not there, such as `crate` of `$crate`.
    pub(crate) words: Vec<WordId>,
    pub(crate) scope: ScopeId,
    /// What is looked for at its end; `None` for an import, which brings whatever has the name, unless
    /// it is `a::{self}` or a glob, whose path is that of a module or a type.
    pub(crate) namespace: Option<Namespace>,
    pub(crate) start: PathStart,
    /// Whether a macro that is not known got it as an argument.
    pub(crate) is_guess: bool,
}

/// Where a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathStart {
    /// With a name that is visible where the path stands.
    Scope,
    /// With `::`.
    Crates,
    /// After `<T as Trait>`, whose path is this one; `<T>::` has that of the type, if it is one.
    Qualified(Option<PathId>),
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordRole {
    /// The name of a definition; or of one that stands there already, as in `A(x) | B(x)`.
    Definition(DefId),
    /// A part of a path: the segment with this index.
    Segment(PathId, usize),
    /// The new name of an import, or `self` at its end.
    ImportName(ImportId),
    /// `name: ..` in a struct expression or pattern whose path this is.
    Field(PathId),
    /// `S { name }`: a field of the struct with this path, and a variable with the same name.
    ShorthandField(PathId, PathId),
    /// `S { name }` in a pattern: a field and the definition of a variable.
    ShorthandPattern(PathId, DefId),
    /// `Trait<Name = T>`: a member of the trait with this path.
    AssociatedType(PathId),
    /// `x.name` and `x.name()`, with what stands before the dot.
    Member(ShapeId),
    /// A pattern of one name that begins with a capital letter: what the path means, or a variable.
    Pattern(PathId, DefId),
    /// Nothing but what its neighbours say.
    Loose,
}
