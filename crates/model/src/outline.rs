//! The outline of a crate: the items, members and parts of imports that may go from it, each with the names that reach it and
//! those that it mentions.

use crate::ids::{NameId, Place, Position};
use crate::nesting::Nesting;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The kind of an entry, as far as reachability cares.
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
    /// A member that comes with what it is a member of.
    Required,
    /// A member that stays only if it is mentioned.
    Provided,
    /// A use declaration, or a part of one.
    Import { glob: bool },
    /// `extern crate`: it stays, since imports alone may need it.
    ExternCrate,
    /// A call of a macro that does not say what it defines: types or impls, by the names in it.
    Call,
    /// A call of a macro that says what it defines, which may be anything.
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

/// A name that stands somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mention {
    pub(crate) name: NameId,
    /// Whether only a member can be meant: the name stands after a dot, or names a member where that is
    /// defined.
    pub(crate) is_of_member: bool,
}

impl Mention {
    /// A name of which nothing more is known.
    pub(crate) fn plain(name: NameId) -> Self {
        Self {
            name,
            is_of_member: false,
        }
    }
}

/// An item, member or part of an import that may go.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) place: Place,
    /// The list of the syntax tree that it is an element of, and its index there.
    pub(crate) element: (usize, usize),
    /// The names that reach it. A trait also has those of its members.
    pub(crate) names: Vec<NameId>,
    /// The names in it, without those in its body and in other entries in it.
    pub(crate) mentions: BTreeSet<Mention>,
    /// The block of a function.
    pub(crate) body: Option<Range<usize>>,
    pub(crate) body_mentions: BTreeSet<Mention>,
    /// The module, impl or trait that it stands in.
    pub(crate) parent: Option<usize>,
}

/// All entries of a crate.
#[derive(Debug)]
pub(crate) struct Outline {
    /// The entries; what is around an entry comes before it.
    pub(crate) all: Vec<Entry>,
    pub(crate) nesting: Nesting,
    pub(crate) by_name: HashMap<NameId, Vec<usize>>,
    /// The imports of each module.
    pub(crate) imports_in: HashMap<usize, Vec<usize>>,
}

impl Outline {
    /// The innermost entry around a byte.
    pub(crate) fn innermost(&self, at: Position) -> Option<usize> {
        self.nesting.around(at).next()
    }

    /// The entries that a name reaches.
    pub(crate) fn by_name(&self, name: NameId) -> impl Iterator<Item = usize> + '_ {
        self.by_name.get(&name).into_iter().flatten().copied()
    }

    /// The entries by where they stand.
    pub(crate) fn by_place(&self) -> HashMap<&Place, usize> {
        let entries = self.all.iter().enumerate();
        entries.map(|(idx, entry)| (&entry.place, idx)).collect()
    }

    /// The imports in a module.
    pub(crate) fn imports_in(&self, module: usize) -> impl Iterator<Item = &Entry> {
        let imports = self.imports_in.get(&module).into_iter().flatten();
        imports.map(|&idx| &self.all[idx])
    }

    /// Whether no definition of the crate has a name, but imports may.
    pub(crate) fn only_imported(&self, name: NameId) -> bool {
        self.by_name(name).all(|idx| self.all[idx].kind.is_import())
    }
}

impl Entry {
    /// Notes a name in it. A module mentions nothing by itself, and an import nothing but its path.
    pub(crate) fn mention(&mut self, name: Mention, at: usize) {
        let is_in_body = self.body.as_ref().is_some_and(|body| body.contains(&at));
        match self.kind {
            Kind::Module | Kind::Import { .. } => false,
            _ if is_in_body => self.body_mentions.insert(name),
            _ => self.mentions.insert(name),
        };
    }
}
