//! The things that a name may mean.

use crate::ids::DefId;
use std::collections::BTreeSet;

/// The things that a name may mean, as far as it was followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// The definitions of the crate that the name may mean.
    pub(crate) definitions: BTreeSet<DefId>,
    /// Whether the name may mean something of another crate.
    pub(crate) outside: bool,
    /// Whether the name may mean something that was not read, such as a definition that a macro
    /// makes.
    pub(crate) unseen: bool,
}

impl Meaning {
    pub(super) fn one(def: DefId) -> Self {
        Self {
            definitions: BTreeSet::from([def]),
            ..Self::default()
        }
    }

    pub(super) fn outside() -> Self {
        Self {
            outside: true,
            ..Self::default()
        }
    }

    pub(super) fn unseen() -> Self {
        Self {
            unseen: true,
            ..Self::default()
        }
    }

    /// Returns whether nothing was found that the name may mean.
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether the name may mean something of the crate and something of another.
    pub(crate) fn is_either(&self) -> bool {
        self.outside && !self.definitions.is_empty()
    }

    /// Returns the only definition that the name may mean.
    pub(crate) fn only(&self) -> Option<DefId> {
        let only = self
            .definitions
            .first()
            .filter(|_| self.definitions.len() == 1);
        only.copied().filter(|_| !self.outside && !self.unseen)
    }

    /// Returns whether the name certainly means something of another crate.
    pub(crate) fn is_certainly_outside(&self) -> bool {
        self.definitions.is_empty() && self.outside && !self.unseen
    }

    /// Returns whether the name certainly means something of the crate.
    pub(crate) fn is_own(&self) -> bool {
        !self.definitions.is_empty() && !self.outside && !self.unseen
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.definitions.extend(other.definitions);
        self.outside |= other.outside;
        self.unseen |= other.unseen;
    }
}
