//! The outline of a crate: the items, members and parts of imports that may go from it, each with the names that reach it and
//! those that it mentions.

use crate::definitions::Definition;
use crate::ids::{DefId, ImportId, NameId, Place, Position};
use crate::nesting::Nesting;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The kind of an item, member or import, as far as it decides what reaches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A module, or a block of foreign items: it stays if something in it stays.
    Module,
    /// An impl, with the last name of its trait and of its type.
    Impl {
        of_trait: Option<NameId>,
        of_type: Option<NameId>,
    },
    /// A trait.
    Trait,
    /// A member that stays whenever its trait or impl does.
    Required,
    /// A member that stays only if it is mentioned.
    Provided,
    /// A use declaration, or a part of one.
    Import { glob: bool },
    /// `extern crate`: it stays, since imports alone may need it.
    ExternCrate,
    /// A call of a macro that may define types or impls, as the names in it tell.
    Call,
    /// A call of a macro that tells what it defines, which may be anything.
    Expanded,
    /// Anything else with a name, such as a type or a function.
    Other,
}

impl Kind {
    pub(crate) fn is_import(&self) -> bool {
        matches!(self, Self::Import { .. })
    }

    /// Returns whether a mention of a name is enough to reach an entry of this kind. Members of traits
    /// count: `x.member()` needs the trait.
    pub(crate) fn is_reached_by(&self, mention: Mention) -> bool {
        match self {
            Self::Trait | Self::Call | Self::Expanded => true,
            Self::Other => !mention.is_of_member,
            _ => false,
        }
    }
}

/// A name that is mentioned in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mention {
    pub(crate) name: NameId,
    /// Whether only a member can be meant: the name stands after a dot, or names a member where that is
    /// defined.
    pub(crate) is_of_member: bool,
}

impl Mention {
    /// Makes the mention of a name of which nothing more is known.
    pub(crate) fn plain(name: NameId) -> Self {
        Self {
            name,
            is_of_member: false,
        }
    }
}

/// An item, a member or a part of an import that may be deleted from a crate.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) place: Place,
    /// The list of the syntax tree that the entry is an element of, and its index there.
    pub(crate) element: (usize, usize),
    /// The names by which the entry is reached. A trait also has those of its members.
    pub(crate) names: Vec<NameId>,
    /// The names in the entry, without those in its body and in other entries in it.
    pub(crate) mentions: BTreeSet<Mention>,
    /// The block of the function that the entry is.
    pub(crate) body: Option<Range<usize>>,
    pub(crate) body_mentions: BTreeSet<Mention>,
    /// The module, impl or trait that the entry stands in.
    pub(crate) parent: Option<usize>,
}

/// The outline of a crate: all items, members and parts of imports that may be deleted from it.
#[derive(Debug)]
pub(crate) struct Outline {
    /// The entries of the outline; an entry comes before those that stand in it.
    pub(crate) all: Vec<Entry>,
    pub(crate) nesting: Nesting,
    pub(crate) by_name: HashMap<NameId, Vec<usize>>,
    /// The imports of each module, as indices of entries.
    pub(crate) imports_in: HashMap<usize, Vec<usize>>,
    /// The modules that stand in each module, as indices of entries.
    pub(crate) modules_in: HashMap<usize, Vec<usize>>,
    /// The leaves of each import.
    pub(crate) leaves: HashMap<usize, Vec<ImportId>>,
    /// The entries that are definitions.
    pub(crate) by_definition: HashMap<DefId, usize>,
    /// The entries by the elements of the syntax tree that they are.
    pub(crate) by_element: HashMap<(usize, usize), usize>,
}

impl Outline {
    /// Returns the innermost entry around a byte.
    pub(crate) fn innermost(&self, at: Position) -> Option<usize> {
        self.nesting.around(at).next()
    }

    /// Returns the entries that a name reaches.
    pub(crate) fn by_name(&self, name: NameId) -> impl Iterator<Item = usize> + '_ {
        self.by_name.get(&name).into_iter().flatten().copied()
    }

    /// Returns the indices of the entries, by their places.
    pub(crate) fn by_place(&self) -> HashMap<&Place, usize> {
        let entries = self.all.iter().enumerate();
        entries.map(|(idx, entry)| (&entry.place, idx)).collect()
    }

    /// Returns the entry that a definition is, or that it stands in.
    pub(crate) fn entry_of(&self, def: DefId, definition: &Definition) -> Option<usize> {
        let own = self.by_definition.get(&def).copied();
        own.or_else(|| self.innermost(definition.name))
    }

    /// Returns the entry that is an element of the syntax tree.
    pub(crate) fn of_element(&self, element: (usize, usize)) -> Option<usize> {
        self.by_element.get(&element).copied()
    }

    /// Returns the imports that stand in a module.
    pub(crate) fn imports_in(&self, module: usize) -> impl Iterator<Item = &Entry> {
        let imports = self.imports_in.get(&module).into_iter().flatten();
        imports.map(|&idx| &self.all[idx])
    }

    /// Whether a name is that of imports alone, and of no definition of the crate.
    pub(crate) fn only_imported(&self, name: NameId) -> bool {
        self.by_name(name).all(|idx| self.all[idx].kind.is_import())
    }
}

impl Entry {
    /// Notes a name in the entry. A module mentions nothing by itself, and an import nothing but
    /// its path.
    pub(crate) fn mention(&mut self, name: Mention, at: usize) {
        let is_in_body = self.body.as_ref().is_some_and(|body| body.contains(&at));
        match self.kind {
            Kind::Module | Kind::Import { .. } => false,
            _ if is_in_body => self.body_mentions.insert(name),
            _ => self.mentions.insert(name),
        };
    }
}
