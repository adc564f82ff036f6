//! One tree of all parts of a crate that can be removed or replaced, and the edits for any choice of them.
//!
//! [`SyntaxTree`] has lists and nodes side by side. Strategies that work on trees (HDD, HOIST, a
//! worklist) need one tree that stays valid while parts of it are pruned and hoisted. Its order is
//! containment of byte ranges; a file hangs below the element that has its `mod x;`. What is done to
//! the tree is a set of changes, never a changed tree: [`Forest::edits`] makes the edits of them.
//!
//! Of nodes with the same range the one that was found further up is outside; an element is outside of
//! the node that it consists of. Things that overlap although neither contains the other cannot both
//! be in a tree: the one that begins later is left out, and its tokens belong to what is around it.

mod class;
mod contain;
mod entries;
mod render;

pub(crate) use class::Form;
pub use class::HoistClass;

use crate::source::{FileId, SourceTree};
use crate::tree::{Category, List, ListKind, SyntaxTree};
use std::ops::Range;

/// The tree of all removable and replaceable parts of a crate, over all of its files. Nodes are named by their index in
/// pre-order.
///
/// All that a strategy needs of a node is in [`ForestNode`]: parent, own weight, what pruning does,
/// what it may replace and what may replace it, and whether its children are a list. Weights are
/// those of the base text. They say at least what is left, but for the `;` after an expression that
/// replaces a statement, and for a token such as `>>` of which one half goes: separators and wrappers
/// stay with their list in the weights, while in the text they go when they are not needed. Who wants
/// to know whether a candidate is smaller counts its tokens.
///
/// ```
/// use camino::Utf8PathBuf;
/// use reduce_syntax::{Category, Forest, ForestKind, SourceTree, build_tree};
/// use std::sync::Arc;
///
/// let text = "const C: u8 = f(g(a, b), c);";
/// let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
/// let forest = Forest::new(&sources, build_tree(&sources));
///
/// let find = |kind: ForestKind, wanted: &str| {
///     let is_it = |node: &reduce_syntax::ForestNode| {
///         node.kind == kind && &text[node.range.clone()] == wanted
///     };
///     forest.nodes().iter().position(is_it).expect("it is in the text")
/// };
/// let outer = find(ForestKind::Node(Category::Expression), "f(g(a, b), c)");
/// let inner = find(ForestKind::Node(Category::Expression), "g(a, b)");
/// let b = find(ForestKind::Element(reduce_syntax::ListKind::Arguments), "b");
///
/// assert!(forest.may_hoist(outer, inner));
/// let left = forest.edits(&[b], &[(outer, inner)]).apply(&sources);
/// assert_eq!(left.text(left.root()), "const C: u8 = g(a );");
/// ```
#[derive(Debug)]
pub struct Forest {
    sources: SourceTree,
    lists: Vec<List>,
    nodes: Vec<ForestNode>,
    /// Indices of the nodes of files, ascending.
    files: Vec<usize>,
    n_left_out: usize,
}

/// A node of a [`Forest`].
#[derive(Debug, Clone)]
pub struct ForestNode {
    /// The node directly around this one, which has a lesser index. `None` for the crate root's file,
    /// which is first.
    pub parent: Option<usize>,
    /// One more than the index of the node's last descendant.
    pub end: usize,
    /// The kind of the node.
    pub kind: ForestKind,
    /// The file of the node.
    pub file: FileId,
    /// The bytes of the node. Those of a list are from its first element to its last, with separators
    /// and wrapper.
    pub range: Range<usize>,
    /// The number of the node's tokens that belong to none of its children; 0 is possible. Separators belong to their
    /// list, and a token of two nodes, such as `>>`, to that in which it begins. Over the whole tree the sum is the
    /// crate's size.
    pub own_weight: u64,
    /// The number of the node's tokens, with those of all descendants.
    pub weight: u64,
    /// The effect of pruning the node.
    pub pruning: Pruning,
    /// The node elsewhere in the tree that is pruned together with this one: the last statement of a body, which goes
    /// with the return type. See [`Element::also`](crate::Element::also).
    pub also: Option<usize>,
    /// The class of the node when it is to stand in place of an ancestor. `None` if it cannot.
    pub class: Option<HoistClass>,
    /// The classes of nodes that may stand in this one's place, the preferred one first.
    pub accepts: &'static [HoistClass],
    origin: Origin,
}

/// The kind of a node of a [`Forest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForestKind {
    /// A file. The crate root's contains all others.
    File,
    /// A list; its elements are its children. Lists of the whole crate are no nodes.
    List(ListKind),
    /// An element of a list. The parent of an element of a list of the whole crate is the node around it.
    Element(ListKind),
    /// A node that may be replaced, or may replace an ancestor.
    Node(Category),
}

/// The effect of pruning a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// The node cannot be pruned.
    Never,
    /// Pruning removes the node.
    Removes,
    /// Pruning replaces the node by a text of this many tokens, which cannot be pruned further: an element's stand-in, or
    /// the smallest text of the node's category.
    Leaves(u64),
}

/// The origin of a node, which decides how it is pruned.
#[derive(Debug, Clone, Copy)]
enum Origin {
    /// The node is a file or a list.
    Structure,
    /// The node is an element of a list, each given by its index.
    Element { list: usize, element: usize },
    /// The node is replaceable; a text, if there is one, takes its place when it is pruned.
    Node(Option<StandIn>),
}

/// The text that stands in place of a pruned node.
#[derive(Debug, Clone, Copy)]
enum StandIn {
    /// The smallest text of the node's category, such as a short expression.
    Smallest(&'static str),
    /// This number of bytes at the beginning of the node: `a` of `a::{self}`.
    Beginning(usize),
}

impl Forest {
    /// Joins the lists and nodes of `tree` to one tree. Takes time like sorting them.
    ///
    /// # Panics
    /// If `tree` is not the tree of `sources`.
    #[must_use]
    pub fn new(sources: &SourceTree, tree: SyntaxTree) -> Self {
        let (nodes, n_left_out) = contain::contain(sources, &tree);
        let is_file = |&idx: &usize| nodes[idx].kind == ForestKind::File;
        let files = (0..nodes.len()).filter(is_file).collect();
        Self {
            sources: sources.clone(),
            lists: tree.lists,
            nodes,
            files,
            n_left_out,
        }
    }

    /// All nodes in pre-order, the crate root's file first.
    #[must_use]
    pub fn nodes(&self) -> &[ForestNode] {
        &self.nodes
    }

    /// Returns the number of lists, elements and nodes that are not in the tree, because they overlap
    /// others or have no text.
    #[must_use]
    pub fn n_left_out(&self) -> usize {
        self.n_left_out
    }

    /// Returns whether `descendant` may stand in place of `node` (HOIST, Fig. 7: "compatible"): it is
    /// below, lighter in the base text, and of a class that `node` accepts. 7: "compatible"): it is
    /// below, lighter in the base text, and of a class that `node` accepts. How far below is the
    /// strategy's business. An expression in place of a statement gets a `;`, which is in no weight.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn may_hoist(&self, node: usize, descendant: usize) -> bool {
        let (above, below) = (&self.nodes[node], &self.nodes[descendant]);
        let is_inside = node < descendant && descendant < above.end && above.file == below.file;
        let is_accepted = below
            .class
            .is_some_and(|class| above.accepts.contains(&class));
        is_inside && is_accepted && below.weight < above.weight
    }
}

impl ForestNode {
    /// Returns whether the node's children are the elements of a list, of which any may go.
    #[must_use]
    pub fn is_list(&self) -> bool {
        matches!(self.kind, ForestKind::List(_))
    }

    /// Returns the syntax category of the node, if it may be replaced or may replace an ancestor.
    #[must_use]
    pub fn category(&self) -> Option<Category> {
        match self.kind {
            ForestKind::Node(category) => Some(category),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
