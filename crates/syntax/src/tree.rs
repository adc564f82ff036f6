//! The removable and replaceable parts of a crate's sources: lists of removable elements and nodes with hoistable descendants,
//! all as byte ranges of the base text.

use crate::edit::{Edit, EditSet};
use crate::lexer::count_tokens;
use crate::source::{FileId, SourceTree};
use std::ops::Range;

/// All removable lists and replaceable nodes of a crate.
#[derive(Debug, Clone, Default)]
pub struct SyntaxTree {
    /// The lists, in no particular order.
    pub lists: Vec<List>,
    /// The replaceable nodes in pre-order, file after file.
    pub nodes: Vec<Node>,
    /// The files that syn cannot parse, each with syn's message; they are in the lists as [`ListKind::Chunks`].
    pub fallbacks: Vec<(FileId, String)>,
    /// The islands: runs of tokens that syn does not understand in files that it otherwise does, each by its file and its
    /// size in tokens.
    pub islands: Vec<(FileId, u64)>,
}

impl SyntaxTree {
    /// Returns the number of tokens that syn does not understand, in the sources of which this is the tree.
    #[must_use]
    pub fn tokens_in_islands(&self, sources: &SourceTree) -> u64 {
        let of_files = self.fallbacks.iter();
        let of_files = of_files.map(|(file, _)| count_tokens(sources.text(*file)));
        of_files
            .chain(self.islands.iter().map(|(_, size)| *size))
            .sum()
    }
}

/// The kind of the elements of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListKind {
    /// Items of a file, a module or a block.
    Items,
    /// Items of an `impl`, `trait` or `extern` block.
    Members,
    /// Function bodies that may become `{ loop {} }`; one list for the crate.
    Bodies,
    /// Attributes and doc comments; one list for the crate.
    Attributes,
    /// Arguments of `derive(..)`, `feature(..)`, `allow(..)`.
    AttributeArguments,
    /// Leaves of a use tree's group.
    UseTrees,
    /// Statements of a block.
    Statements,
    /// Arms of a match.
    Arms,
    /// Fields of a struct, union or variant.
    Fields,
    /// Variants of an enum.
    Variants,
    /// Generic parameters.
    GenericParameters,
    /// Generic arguments.
    GenericArguments,
    /// Predicates of a `where` clause.
    WherePredicates,
    /// Bounds, supertraits.
    Bounds,
    /// Parameters of functions and closures.
    Parameters,
    /// Arguments of calls and macro calls.
    Arguments,
    /// Elements of tuples, arrays, patterns, struct expressions.
    Elements,
    /// Optional parts of syntax: visibility, return type, `mut`, default, guard, label, ..; one list for the crate.
    Parts,
    /// The beginnings and ends of range expressions such as `a..b`; one list for the crate. Without such an end a range
    /// goes on, so that it has another value.
    RangeEnds,
    /// Pieces of text that syn does not understand: a file's token trees or lines, a macro's
    /// tokens.
    Chunks,
}

impl ListKind {
    /// Returns whether there is one list of this kind for the whole crate, with elements in all of its files, also inside
    /// each other. Their order means nothing.
    #[must_use]
    pub fn is_of_the_crate(self) -> bool {
        matches!(
            self,
            Self::Bodies | Self::Attributes | Self::Parts | Self::RangeEnds
        )
    }
}

/// A list of elements that may be removed independently as far as syntax is concerned.
#[derive(Debug, Clone)]
pub struct List {
    /// The kind of the list's elements.
    pub kind: ListKind,
    /// The number of levels between the list and the crate's root.
    pub depth: u32,
    /// The elements in order of the source.
    pub elements: Vec<Element>,
    /// The text around the list that is removed when no element remains, such as `<` and `>`, or the whole `where` clause.
    pub wrapper: Option<(FileId, Range<usize>)>,
    /// The treatment of the separator after the last element that remains.
    pub last_separator: LastSeparator,
}

/// The treatment of the separator (such as a comma) after the last element that remains, if another element came after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastSeparator {
    /// The separator goes.
    Goes,
    /// The separator stays, since something follows the list: `S { a, .. }`.
    Stays,
    /// The separator stays if only one element remains: `(T,)`.
    AfterSingle,
}

/// An element of a list.
#[derive(Debug, Clone)]
pub struct Element {
    /// The file of the element.
    pub file: FileId,
    /// The bytes of the element, without the separator.
    pub range: Range<usize>,
    /// The bytes of the separator that follows the element.
    pub separator: Option<Range<usize>>,
    /// The number of tokens that go with the element, those of its files included; at least 1.
    pub weight: u64,
    /// The files that are dropped with the element, as it is or has a `mod x;`.
    pub files: Vec<FileId>,
    /// The text that stands in the element's place when it is removed; mostly nothing.
    pub stand_in: &'static str,
    /// The bytes that are deleted with the element, such as a function's last expression with its return type.
    pub also: Option<Range<usize>>,
}

/// The category of a node, which decides what it may replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// An expression or a block.
    Expression,
    /// A type.
    Type,
    /// A pattern.
    Pattern,
    /// A tree of a `use` declaration.
    UseTree,
    /// A statement; an expression in it may replace it, with a `;`.
    Statement,
    /// The contents of a block, between its braces: may replace a statement.
    BlockContents,
    /// A module's items: may replace the module.
    Module,
    /// The contents of a module, between its braces.
    ModuleContents,
}

/// A node that may be replaced by a compatible descendant, or may replace an ancestor.
#[derive(Debug, Clone)]
pub struct Node {
    /// The category of the node.
    pub category: Category,
    /// The file of the node.
    pub file: FileId,
    /// The bytes of the node.
    pub range: Range<usize>,
    /// The number of the node's tokens.
    pub weight: u64,
    /// The number of levels between the node and the crate's root.
    pub depth: u32,
    /// One more than the index of the node's last descendant.
    pub end: usize,
}

impl List {
    /// Returns the number of tokens of all elements.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.elements.iter().map(|element| element.weight).sum()
    }

    /// Adds the edits that remove the elements at the `removed` indices (ascending), with the
    /// separators that are not needed any more.
    pub fn remove(&self, removed: &[usize], edits: &mut EditSet) {
        if removed.is_empty() {
            return;
        }
        if let (Some((file, range)), true) = (&self.wrapper, removed.len() == self.elements.len()) {
            edits.add(Edit::delete(*file, range));
        }
        let is_removed = |idx: &usize| removed.binary_search(idx).is_ok();
        let last_kept = (0..self.elements.len()).rev().find(|idx| !is_removed(idx));
        for &idx in removed {
            self.elements[idx].remove(edits);
        }
        let Some(last) = last_kept else { return };
        let is_alone = removed.len() + 1 == self.elements.len();
        match self.last_separator {
            LastSeparator::AfterSingle if is_alone => self.elements[last].add_comma(edits),
            LastSeparator::Stays => {}
            _ if last + 1 < self.elements.len() => self.elements[last].remove_separator(edits),
            _ => {}
        }
    }
}

/// Adds the edits that remove elements of several lists, given as pairs of the list's index in
/// `lists` and the element's in the list, in ascending order. Lists without one cost nothing.
///
/// # Panics
/// If there is no such element.
pub fn remove_elements(
    lists: &[List],
    removed: impl IntoIterator<Item = (usize, usize)>,
    edits: &mut EditSet,
) {
    let mut removed = removed.into_iter().peekable();
    let mut of_list = Vec::new();
    while let Some((list, first)) = removed.next() {
        of_list.clear();
        of_list.push(first);
        while let Some((_, next)) = removed.next_if(|next| next.0 == list) {
            of_list.push(next);
        }
        lists[list].remove(&of_list, edits);
    }
}

impl Element {
    fn remove(&self, edits: &mut EditSet) {
        edits.add(Edit::replace(self.file, &self.range, self.stand_in));
        if let Some(range) = &self.also {
            edits.add(Edit::delete(self.file, range));
        }
        self.remove_separator(edits);
        for &file in &self.files {
            edits.drop_file(file);
        }
    }

    fn add_comma(&self, edits: &mut EditSet) {
        if self.separator.is_none() {
            let end = self.range.end;
            edits.add(Edit::replace(self.file, &(end..end), ","));
        }
    }

    fn remove_separator(&self, edits: &mut EditSet) {
        if let Some(range) = &self.separator {
            edits.add(Edit::delete(self.file, range));
        }
    }
}

impl Category {
    /// Returns the categories that may stand in this one's place (HOIST, Fig. 7: "compatible"), the preferred one first. 7:
    /// "compatible"), the preferred one first.
    #[must_use]
    pub fn accepts(self) -> &'static [Self] {
        match self {
            Self::Expression => &[Self::Expression],
            Self::Type => &[Self::Type],
            Self::Pattern => &[Self::Pattern],
            Self::UseTree => &[Self::UseTree],
            Self::Statement => &[Self::BlockContents, Self::Expression],
            Self::Module => &[Self::ModuleContents],
            Self::BlockContents | Self::ModuleContents => &[],
        }
    }
}

impl SyntaxTree {
    /// Returns the descendants of a node that may be put in its place: on each path down, the nearest compatible nodes
    /// (HOIST, Fig. 7, with one level more: also the nearest below those, for when the nearest itself cannot be hoisted).
    /// Furthest first, as HOIST asks; at most `limit`.
    #[must_use]
    pub fn hoistable(&self, node: usize, limit: usize) -> Vec<usize> {
        let of_category = |&category: &Category| self.hoistable_of(node, category);
        let mut found: Vec<usize> = self.nodes[node]
            .category
            .accepts()
            .iter()
            .flat_map(of_category)
            .collect();
        found.truncate(limit);
        found
    }

    fn hoistable_of(&self, node: usize, category: Category) -> Vec<usize> {
        let nearest = self.nearest(node, category);
        let further = nearest
            .iter()
            .flat_map(|&below| self.nearest(below, category));
        let mut found: Vec<usize> = further.chain(nearest.iter().copied()).collect();
        found.retain(|&idx| self.nodes[idx].weight < self.nodes[node].weight);
        found.sort_by_key(|&idx| (std::cmp::Reverse(self.nodes[idx].depth), idx));
        found
    }

    fn nearest(&self, node: usize, category: Category) -> Vec<usize> {
        let mut found = Vec::new();
        let mut idx = node + 1;
        while idx < self.nodes[node].end {
            if category == self.nodes[idx].category {
                found.push(idx);
                idx = self.nodes[idx].end;
            } else {
                idx += 1;
            }
        }
        found
    }
}
