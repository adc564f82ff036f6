//! The entries of the tree, before it is one: files, lists, elements and nodes, each with its place
//! among others of the same range.

use super::class::{Form, HoistClass};
use super::{ForestKind, ForestNode, Origin, Pruning, StandIn};
use crate::lexer::count_tokens;
use crate::replace::{smallest, without_group_of_self};
use crate::source::{FileId, SourceTree};
use crate::tree::{Category, Element, List, Node, SyntaxTree};
use std::cmp::Reverse;
use std::ops::Range;

/// A node of the forest before its parent, descendants and weights are known.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) node: ForestNode,
    precedence: Precedence,
}

/// The precedence of an entry: of two with the same range, the lesser one is the parent of the other. Lists and nodes
/// know their level. What is in a list of the whole crate does not; it is a part that may go as a whole, so it is outside
/// of the nodes that it consists of.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Precedence {
    level: u32,
    rank: Rank,
    /// The number of tokens that remain of a part when it is pruned. Of two parts the one that leaves less is outside: to
    /// try it first is worth more.
    left_over: u64,
    leaves_also: bool,
}

/// The rank of an entry among those with the same range and level: a node has the list that it declares inside, and a
/// list its elements.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Node,
    List,
    Element,
}

/// All entries that have text, in order of their files and bytes, outer ones first; and the number of
/// those that have none.
pub(super) fn entries(sources: &SourceTree, tree: &SyntaxTree) -> (Vec<Entry>, usize) {
    let mut found: Vec<Entry> = sources
        .files()
        .map(|(file, _, text)| file_entry(file, text.len()))
        .collect();
    for (idx, list) in tree.lists.iter().enumerate() {
        found.extend(list_entry(list));
        let elements = 0..list.elements.len();
        found.extend(elements.map(|element| element_entry(list, idx, element)));
    }
    found.extend((0..tree.nodes.len()).map(|idx| node_entry(sources, tree, idx)));
    let n_all = found.len();
    found.retain(|entry| !entry.node.range.is_empty() || may_be_empty(entry.node.kind));
    let n_empty = n_all - found.len();
    found.sort_by(|a, b| a.order().cmp(&b.order()));
    (found, n_empty)
}

impl Entry {
    fn new(kind: ForestKind, file: FileId, range: Range<usize>, precedence: Precedence) -> Self {
        let node = ForestNode {
            parent: None,
            end: 0,
            kind,
            file,
            range,
            own_weight: 0,
            weight: 0,
            pruning: Pruning::Never,
            also: None,
            class: None,
            accepts: &[],
            origin: Origin::Structure,
        };
        Self { node, precedence }
    }

    fn order(&self) -> (FileId, usize, Reverse<usize>, &Precedence) {
        let Range { start, end } = self.node.range;
        (self.node.file, start, Reverse(end), &self.precedence)
    }
}

impl Precedence {
    /// The level of files, the lowest, so that a file is the parent of all entries with the same range.
    const FILE: u32 = 0;
    const PART: u32 = 1;
    const FIRST_LEVEL: u32 = 2;

    fn new(level: u32, rank: Rank) -> Self {
        Self {
            level,
            rank,
            left_over: 0,
            leaves_also: false,
        }
    }

    fn of_element(list: &List, element: &Element) -> Self {
        if !list.kind.is_of_the_crate() {
            return Self::new(list.depth + Self::FIRST_LEVEL, Rank::Element);
        }
        Self {
            left_over: count_tokens(element.stand_in),
            leaves_also: element.also.is_none(),
            ..Self::new(Self::PART, Rank::Element)
        }
    }
}

/// Returns whether an entry of this kind is in the tree even if its range is empty.
fn may_be_empty(kind: ForestKind) -> bool {
    matches!(
        kind,
        ForestKind::File | ForestKind::Node(Category::BlockContents | Category::ModuleContents)
    )
}

fn file_entry(file: FileId, len: usize) -> Entry {
    let precedence = Precedence::new(Precedence::FILE, Rank::Node);
    Entry::new(ForestKind::File, file, 0..len, precedence)
}

fn list_entry(list: &List) -> Option<Entry> {
    let first = list.elements.first()?;
    if list.kind.is_of_the_crate() {
        return None;
    }
    let separators = list.elements.iter().filter_map(|one| one.separator.clone());
    let ranges = list.elements.iter().map(|one| one.range.clone());
    let wrapper = list.wrapper.iter().map(|(_, range)| range.clone());
    let hull = ranges
        .chain(separators)
        .chain(wrapper)
        .reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))?;
    let precedence = Precedence::new(list.depth + Precedence::FIRST_LEVEL, Rank::List);
    let kind = ForestKind::List(list.kind);
    Some(Entry::new(kind, first.file, hull, precedence))
}

fn element_entry(list: &List, list_idx: usize, element_idx: usize) -> Entry {
    let element = &list.elements[element_idx];
    let kind = ForestKind::Element(list.kind);
    let precedence = Precedence::of_element(list, element);
    let mut entry = Entry::new(kind, element.file, element.range.clone(), precedence);
    entry.node.pruning = match count_tokens(element.stand_in) {
        0 => Pruning::Removes,
        left => Pruning::Leaves(left),
    };
    entry.node.origin = Origin::Element {
        list: list_idx,
        element: element_idx,
    };
    entry
}

fn node_entry(sources: &SourceTree, tree: &SyntaxTree, idx: usize) -> Entry {
    let node = &tree.nodes[idx];
    let text = sources.text(node.file)[node.range.clone()].trim();
    let form = Form::of(tree, idx);
    let kind = ForestKind::Node(node.category);
    let precedence = Precedence::new(node.depth + Precedence::FIRST_LEVEL, Rank::Node);
    let mut entry = Entry::new(kind, node.file, node.range.clone(), precedence);
    entry.node.class = HoistClass::of(node.category, form, text);
    entry.node.accepts = HoistClass::accepted_by(node.category, form);
    let pruned = stand_in(node, text).filter(|_| form == Form::Free);
    entry.node.pruning = pruned.map_or(Pruning::Never, |(_, left)| Pruning::Leaves(left));
    entry.node.origin = Origin::Node(pruned.map(|(stand_in, _)| stand_in));
    entry
}

/// Returns the text that stands in place of a pruned node, if it is smaller, with its number of
/// tokens.
fn stand_in(node: &Node, text: &str) -> Option<(StandIn, u64)> {
    let (stand_in, left) = match node.category {
        Category::UseTree => {
            let beginning = without_group_of_self(text)?;
            let stand_in = StandIn::Beginning(beginning.len());
            (stand_in, count_tokens(beginning))
        }
        category => {
            let smallest = smallest(category)?;
            (StandIn::Smallest(smallest), count_tokens(smallest))
        }
    };
    (left < node.weight).then_some((stand_in, left))
}
