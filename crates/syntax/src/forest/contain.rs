//! Makes a tree of ranges: one pass over the sorted entries with a stack of the open ones, then the
//! files below their `mod x;`, then pre-order.

use super::entries::{Entry, entries};
use super::{ForestKind, ForestNode, Origin};
use crate::lexer::TokenIndex;
use crate::source::{FileId, SourceTree};
use crate::tree::{List, ListKind, SyntaxTree};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Makes the nodes of the forest, in pre-order, and counts the parts that have no place in it because they overlap others
/// or are empty.
pub(super) fn contain(sources: &SourceTree, tree: &SyntaxTree) -> (Vec<ForestNode>, usize) {
    let (entries, n_empty) = entries(sources, tree);
    let (mut nodes, n_overlapping) = nest(entries);
    weigh(sources, &mut nodes);
    let root = hang_files(&mut nodes, &tree.lists, sources.root());
    let mut nodes = in_pre_order(nodes, root);
    sum_up(&mut nodes);
    find_what_goes_along(&mut nodes, &tree.lists);
    (nodes, n_empty + n_overlapping)
}

/// Gives each entry the innermost entry that contains it as its parent. Files have none yet.
fn nest(entries: Vec<Entry>) -> (Vec<ForestNode>, usize) {
    let mut nodes: Vec<ForestNode> = Vec::with_capacity(entries.len());
    let mut open: Vec<usize> = Vec::new();
    let mut n_overlapping = 0;
    for Entry { mut node, .. } in entries {
        while open
            .last()
            .is_some_and(|&top| ends_before(&nodes[top], &node))
        {
            open.pop();
        }
        let parent = open.last().copied();
        if parent.is_some_and(|parent| nodes[parent].range.end < node.range.end) {
            n_overlapping += 1;
            continue;
        }
        node.parent = parent;
        open.push(nodes.len());
        nodes.push(node);
    }
    (nodes, n_overlapping)
}

fn ends_before(open: &ForestNode, next: &ForestNode) -> bool {
    open.file != next.file || open.range.end <= next.range.start
}

/// Counts the tokens of each node that belong to none of its children.
fn weigh(sources: &SourceTree, nodes: &mut [ForestNode]) {
    let index = |(file, _, text): (FileId, _, &Arc<str>)| (file, TokenIndex::new(text));
    let indices: BTreeMap<FileId, TokenIndex> = sources.files().map(index).collect();
    for idx in 0..nodes.len() {
        let node = &mut nodes[idx];
        let weight = indices[&node.file].count(&node.range);
        node.own_weight += weight;
        if let Some(parent) = node.parent {
            // Children do not overlap, and a token belongs to where it begins.
            nodes[parent].own_weight -= weight;
        }
    }
}

/// Hangs each file but the crate root's below the innermost element that takes it along, or below
/// the crate root where no `mod x;` is seen. Returns the crate root's file.
fn hang_files(nodes: &mut [ForestNode], lists: &[List], root: FileId) -> usize {
    let mut owners: BTreeMap<FileId, (u32, usize)> = BTreeMap::new();
    for (idx, node) in nodes.iter().enumerate() {
        let Origin::Element { list, element } = node.origin else {
            continue;
        };
        for &file in &lists[list].elements[element].files {
            let owner = owners.entry(file).or_default();
            *owner = (*owner).max((lists[list].depth, idx));
        }
    }
    let is_root = |node: &ForestNode| node.kind == ForestKind::File && node.file == root;
    let root = nodes
        .iter()
        .position(is_root)
        .expect("a crate has its root's file");
    for idx in (0..nodes.len()).filter(|&idx| idx != root) {
        if nodes[idx].kind == ForestKind::File {
            let owner = owners.get(&nodes[idx].file).map(|&(_, owner)| owner);
            nodes[idx].parent = Some(owner.unwrap_or(root));
        }
    }
    root
}

/// Sorts nodes into pre-order: parents first and subtrees together, children in order of the source and files after them.
fn in_pre_order(nodes: Vec<ForestNode>, root: usize) -> Vec<ForestNode> {
    let order = pre_order(&nodes, root);
    let mut place = vec![0; nodes.len()];
    for (idx, &old) in order.iter().enumerate() {
        place[old] = idx;
    }
    let mut placed: Vec<(usize, ForestNode)> = place.iter().copied().zip(nodes).collect();
    placed.sort_by_key(|&(idx, _)| idx);
    let with_parent = |(_, node): (usize, ForestNode)| ForestNode {
        parent: node.parent.map(|old| place[old]),
        ..node
    };
    placed.into_iter().map(with_parent).collect()
}

/// Indices in pre-order. It has its own stack, because files of one long expression are deep.
fn pre_order(nodes: &[ForestNode], root: usize) -> Vec<usize> {
    let mut last_child: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut before: Vec<Option<usize>> = vec![None; nodes.len()];
    let is_file = |&idx: &usize| nodes[idx].kind == ForestKind::File;
    let (files, others): (Vec<usize>, Vec<usize>) = (0..nodes.len()).partition(is_file);
    for idx in others.into_iter().chain(files) {
        if let Some(parent) = nodes[idx].parent {
            before[idx] = last_child[parent].replace(idx);
        }
    }
    let mut order = Vec::with_capacity(nodes.len());
    let mut waiting = vec![root];
    while let Some(idx) = waiting.pop() {
        order.push(idx);
        let mut child = last_child[idx];
        while let Some(one) = child {
            waiting.push(one);
            child = before[one];
        }
    }
    order
}

/// Computes the fields of nodes that depend on descendants: the end of these, and the weight with them.
fn sum_up(nodes: &mut [ForestNode]) {
    for idx in (0..nodes.len()).rev() {
        let node = &mut nodes[idx];
        node.end = node.end.max(idx + 1);
        node.weight += node.own_weight;
        let (end, weight) = (node.end, node.weight);
        if let Some(parent) = nodes[idx].parent {
            nodes[parent].end = nodes[parent].end.max(end);
            nodes[parent].weight += weight;
        }
    }
}

/// Notes at each return type the statement that is pruned together with it. As a change of the tree, rather than as an
/// edit, the statement goes only from where it still stands.
fn find_what_goes_along(nodes: &mut [ForestNode], lists: &[List]) {
    let key = |file: FileId, range: &Range<usize>| (file, range.start, range.end);
    let is_statement = |node: &&ForestNode| node.kind == ForestKind::Element(ListKind::Statements);
    let statements: BTreeMap<_, usize> = (0..nodes.len())
        .filter(|&idx| is_statement(&&nodes[idx]))
        .map(|idx| (key(nodes[idx].file, &nodes[idx].range), idx))
        .collect();
    for node in nodes {
        if let Origin::Element { list, element } = node.origin
            && let Some(range) = &lists[list].elements[element].also
        {
            node.also = statements.get(&key(node.file, range)).copied();
        }
    }
}
