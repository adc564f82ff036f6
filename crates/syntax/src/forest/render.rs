//! Makes the edits for a state of the forest: for its pruned and hoisted nodes.
//!
//! A hoisted descendant becomes one edit: that of the outermost node in whose place it stands. Its text
//! is the descendant's with all that was done inside that, so that changes compose however deep they
//! are, and in whichever order they were made.

use super::{Forest, ForestNode, Origin, Pruning, StandIn};
use crate::edit::{Edit, EditSet};
use crate::tree::{Category, remove_elements};
use std::ops::Range;

/// A change of a node: it is pruned, or a descendant takes its place.
#[derive(Debug, Clone, Copy)]
enum Change {
    Prune,
    /// Puts this descendant in place of the node.
    Hoist(usize),
}

/// The index of a node, and the change of it.
type Changed = (usize, Change);

/// The indices of a list and of an element in it that is removed.
type Removed = (usize, usize);

impl Forest {
    /// Returns the edits of the base text for a state of the forest: the nodes that are pruned, and pairs of a node and
    /// the descendant that stands in its place, in any order. Nodes keep their names whatever was done around them. Takes
    /// time for the changes, not for the tree.
    ///
    /// - A change inside a pruned node is of no effect; neither is one inside a replaced node, but for
    ///   those inside the descendant that replaces it. The descendant itself may be pruned or replaced
    ///   in turn.
    /// - If a node is pruned and replaced, it is pruned; of two replacements of it the last
    ///   in `hoisted` counts.
    /// - Pruned elements of one list go together, so that [`List::remove`](crate::List::remove) sees
    ///   to their separators.
    /// - Files below what goes are dropped.
    /// - What is impossible, by [`Pruning::Never`] and [`may_hoist`](Self::may_hoist), changes nothing.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn edits(&self, pruned: &[usize], hoisted: &[(usize, usize)]) -> EditSet {
        let mut changes: Vec<Changed> = Vec::with_capacity(pruned.len() + hoisted.len());
        let is_possible = |&&(node, descendant): &&(usize, usize)| self.may_hoist(node, descendant);
        let hoist = |&(node, descendant): &(usize, usize)| (node, Change::Hoist(descendant));
        changes.extend(hoisted.iter().filter(is_possible).map(hoist));
        for &node in pruned {
            if self.nodes[node].pruning != Pruning::Never {
                changes.push((node, Change::Prune));
                let also = self.nodes[node].also;
                changes.extend(also.map(|also| (also, Change::Prune)));
            }
        }
        self.edits_of(&last_of_each_node(changes))
    }

    /// Returns the edits for changes of nodes, which are in ascending order of the nodes. Of changes inside each other
    /// the outermost counts.
    fn edits_of(&self, changes: &[Changed]) -> EditSet {
        let mut edits = EditSet::new();
        let mut removed: Vec<Removed> = Vec::new();
        let mut end = 0;
        for &(idx, change) in changes {
            if idx < end {
                continue;
            }
            end = self.nodes[idx].end;
            match change {
                Change::Prune => self.prune(idx, &mut removed, &mut edits),
                Change::Hoist(descendant) => {
                    let inside = between(changes, descendant..self.nodes[descendant].end);
                    self.hoist(idx, descendant, inside, &mut edits);
                }
            }
        }
        removed.sort();
        remove_elements(&self.lists, removed, &mut edits);
        edits
    }

    fn prune(&self, idx: usize, removed: &mut Vec<Removed>, edits: &mut EditSet) {
        let node = &self.nodes[idx];
        match node.origin {
            Origin::Element { list, element } => {
                removed.push((list, element));
            }
            Origin::Node(Some(stand_in)) => {
                let text = self.stand_in(node, stand_in);
                edits.add(Edit::replace(node.file, &node.range, text));
            }
            Origin::Node(None) | Origin::Structure => {}
        }
        self.drop_files(idx..node.end, edits);
    }

    fn stand_in(&self, node: &ForestNode, stand_in: StandIn) -> &str {
        match stand_in {
            StandIn::Smallest(text) => text,
            StandIn::Beginning(len) => &self.sources.text(node.file)[node.range.clone()][..len],
        }
    }

    /// Puts the text of `descendant`, with the changes `inside` it, in place of the node `idx`.
    fn hoist(&self, idx: usize, descendant: usize, inside: &[Changed], edits: &mut EditSet) {
        let (above, below) = (&self.nodes[idx], &self.nodes[descendant]);
        let edits_inside = self.edits_of(inside);
        let text = edits_inside.text_within(&self.sources, below.file, &below.range);
        let is_new_statement = above.category() == Some(Category::Statement)
            && below.category() == Some(Category::Expression);
        let semicolon = if is_new_statement { ";" } else { "" };
        let text = format!("{}{semicolon}", text.trim());
        edits.add(Edit::replace(above.file, &above.range, &text));
        edits.extend_outside(&edits_inside, above.file);
        self.drop_files(idx..descendant, edits);
        self.drop_files(below.end..above.end, edits);
    }

    fn drop_files(&self, gone: Range<usize>, edits: &mut EditSet) {
        let first = self.files.partition_point(|&idx| idx < gone.start);
        for &idx in self.files[first..]
            .iter()
            .take_while(|&&idx| idx < gone.end)
        {
            edits.drop_file(self.nodes[idx].file);
        }
    }
}

/// Keeps the last change of each node, in ascending order of the nodes. Mostly they are in order
/// already but for a few, which a stable sort takes advantage of.
fn last_of_each_node(mut changes: Vec<Changed>) -> Vec<Changed> {
    changes.sort_by_key(|(node, _)| *node);
    changes.dedup_by(|later, earlier| {
        let is_same = later.0 == earlier.0;
        if is_same {
            *earlier = *later;
        }
        is_same
    });
    changes
}

/// Returns those of some sorted changes whose nodes are in a range.
fn between(changes: &[Changed], nodes: Range<usize>) -> &[Changed] {
    let first = changes.partition_point(|&(idx, _)| idx < nodes.start);
    let end = changes.partition_point(|&(idx, _)| idx < nodes.end);
    &changes[first..end]
}
