//! A node of a tree: its id, its weight, and the changes that are allowed to it.

use std::num::NonZeroU32;

/// The number of a node: its position in the preorder in which the tree was built. It keeps its
/// name wherever it is hoisted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// Makes the id of the node that was pushed as number `index`, counted from 0.
    ///
    /// # Panics
    ///
    /// If `index` is 2^32 - 1 or more: trees are smaller.
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        let number = u32::try_from(index).ok().and_then(|one| one.checked_add(1));
        Self(
            number
                .and_then(NonZeroU32::new)
                .expect("a tree has less than 2^32 nodes"),
        )
    }

    /// Returns the number of nodes that were pushed before this one.
    #[must_use]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The class of a node, such as the non-terminal of a grammar, for COMPATIBLE of Fig. 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(u8);

impl Class {
    /// The number of classes that there are at most.
    pub const COUNT: u8 = 64;

    /// Makes the class of this number.
    ///
    /// # Panics
    ///
    /// If `number` is not less than [`COUNT`](Self::COUNT).
    #[must_use]
    pub fn new(number: u8) -> Self {
        assert!(number < Self::COUNT, "a class is a number below 64");
        Self(number)
    }

    /// Returns the number of the class.
    #[must_use]
    pub fn number(self) -> u8 {
        self.0
    }
}

/// A set of classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Classes(u64);

impl Classes {
    /// The empty set of classes.
    pub const NONE: Self = Self(0);

    /// Whether `class` is in the set.
    #[must_use]
    pub fn contains(self, class: Class) -> bool {
        self.0 >> class.0 & 1 == 1
    }

    /// Whether the set has no class.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the classes of the set, by number.
    pub fn iter(self) -> impl Iterator<Item = Class> {
        (0..Class::COUNT)
            .map(Class)
            .filter(move |class| self.contains(*class))
    }
}

impl From<Class> for Classes {
    fn from(class: Class) -> Self {
        Self(1 << class.0)
    }
}

impl FromIterator<Class> for Classes {
    fn from_iter<I: IntoIterator<Item = Class>>(classes: I) -> Self {
        Self(classes.into_iter().fold(0, |set, class| set | 1 << class.0))
    }
}

/// The effect of pruning a node: PRUNE of Fig. 2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Removal {
    /// The node may not be pruned.
    #[default]
    Never,
    /// The node goes with all its descendants.
    Remove,
    /// The smallest valid fragment takes the node's place: a later reading of PRUNE by Misherghi,
    /// named in II. The fragment has this weight and no children, and cannot be pruned or hoisted.
    /// A node that is not heavier than it cannot be pruned.
    Smallest {
        /// The fragment's weight.
        weight: u64,
    },
}

/// A node, without its children. The default weighs nothing and may be neither pruned nor replaced.
///
/// `accepts` and `removal` are of the place where it stands, and pass to what is hoisted there:
/// whether a statement may go depends on the block, not on where the statement came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Node {
    /// The weight of the node itself, such as a number of tokens: without its children.
    pub weight: u64,
    /// The class of the node. Without a class the node is hoisted nowhere.
    pub class: Option<Class>,
    /// The classes of nodes that may take the place of this node. Without any, nothing is hoisted
    /// here.
    pub accepts: Classes,
    /// The effect of pruning the node.
    pub removal: Removal,
    /// Whether the node's children are a list of which any part may go ("quantified" in Perses).
    /// Only [`Worklist`](super::TreeStrategy::Worklist) makes a difference.
    pub is_list: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_classes_that_it_was_made_of() {
        let numbers = [0, 7, 63];
        let classes: Classes = numbers.into_iter().map(Class::new).collect();
        let found: Vec<u8> = classes.iter().map(Class::number).collect();
        assert_eq!(found, numbers);
        assert!(!classes.contains(Class::new(8)) && !classes.is_empty());
        assert_eq!(Classes::from(Class::new(7)).iter().count(), 1);
        assert!(Classes::NONE.is_empty());
    }

    #[test]
    fn a_name_gives_back_its_index_and_takes_four_bytes() {
        assert_eq!(NodeId::from_index(0).index(), 0);
        assert_eq!(NodeId::from_index(1_000_000).index(), 1_000_000);
        assert_eq!(size_of::<Option<NodeId>>(), 4);
    }
}
