//! Builds the [`SyntaxTree`] of a crate. This file owns the state and the ways to add lists and
//! nodes; `visit` says which syntax has which, and `lists` what single pieces of it have.

mod chunks;
mod lists;
mod visit;

use crate::interruption::poll_interruption;
use crate::lexer::TokenIndex;
use crate::located::Located;
use crate::module_files::ModuleDirectory;
use crate::parse::{ParsedFiles, ParsedText, byte_range, parse_files};
use crate::source::{FileId, SourceTree};
use crate::tree::{Category, Element, LastSeparator, List, ListKind, Node, SyntaxTree};
pub use chunks::ends_a_chunk;
use std::ops::Range;
use syn::punctuated::{Pair, Punctuated};
use syn::visit::Visit;

/// Finds all removable lists and replaceable nodes of a crate.
#[must_use]
pub fn build_tree(sources: &SourceTree) -> SyntaxTree {
    build_tree_of(sources, &parse_files(sources))
}

/// Builds the [`SyntaxTree`] of a crate whose files are parsed already.
///
/// # Panics
/// If a file of the sources is not among them.
#[must_use]
pub fn build_tree_of(sources: &SourceTree, parsed: &ParsedFiles) -> SyntaxTree {
    let mut builder = Builder::new(sources, parsed);
    builder.file(sources.root(), false);
    builder.files_out_of_reach();
    builder.finish()
}

pub(super) struct Builder<'s> {
    sources: &'s SourceTree,
    parsed: &'s ParsedFiles,
    /// The files visited so far, in order.
    visited: Vec<FileId>,
    current: Current,
    depth: u32,
    tree: SyntaxTree,
    bodies: List,
    attributes: List,
    parts: List,
    range_ends: List,
}

/// The file that is being visited.
struct Current {
    file: FileId,
    index: TokenIndex,
    directory: ModuleDirectory,
}

impl<'s> Builder<'s> {
    fn new(sources: &'s SourceTree, parsed: &'s ParsedFiles) -> Self {
        let list = |kind| List {
            kind,
            depth: 0,
            elements: Vec::new(),
            wrapper: None,
            last_separator: LastSeparator::Goes,
        };
        Self {
            sources,
            parsed,
            visited: Vec::new(),
            current: Current::new(sources, sources.root(), false),
            depth: 0,
            tree: SyntaxTree::default(),
            bodies: list(ListKind::Bodies),
            attributes: list(ListKind::Attributes),
            parts: list(ListKind::Parts),
            range_ends: list(ListKind::RangeEnds),
        }
    }

    fn finish(mut self) -> SyntaxTree {
        for list in [self.bodies, self.attributes, self.parts, self.range_ends] {
            if !list.elements.is_empty() {
                self.tree.lists.push(list);
            }
        }
        self.tree
    }

    fn file(&mut self, file: FileId, by_path_attribute: bool) {
        self.visited.push(file);
        let inside = Current::new(self.sources, file, by_path_attribute);
        let outside = std::mem::replace(&mut self.current, inside);
        let parsed = self.parsed;
        match parsed[&file].content() {
            ParsedText::Syntax { file, islands, .. } => {
                for island in islands {
                    let size = self.current.index.count(&island.range);
                    self.tree.islands.push((self.current.file, size));
                }
                let extra = islands.iter().filter(|island| island.is_extra);
                extra.for_each(|island| self.part(island.range.clone()));
                self.visit_file(file);
            }
            ParsedText::Tokens { tokens, reason } => {
                self.tree.fallbacks.push((file, reason.clone()));
                self.token_chunks(tokens.clone());
            }
            ParsedText::Lines { reason } => {
                self.tree.fallbacks.push((file, reason.clone()));
                self.line_chunks();
            }
        }
        self.current = outside;
    }

    /// Visits the files that no visited `mod x;` leads to, such as those of a `mod x;` in a macro call.
    fn files_out_of_reach(&mut self) {
        let all: Vec<FileId> = self.sources.files().map(|(id, _, _)| id).collect();
        for file in all {
            if !self.visited.contains(&file) {
                self.depth = 1;
                self.file(file, false);
            }
        }
    }

    fn deeper(&mut self, walk: impl FnOnce(&mut Self)) {
        self.depth += 1;
        walk(self);
        self.depth -= 1;
    }

    /// Adds a node, and what `walk` adds as its descendants.
    fn node(&mut self, category: Category, range: Range<usize>, walk: impl FnOnce(&mut Self)) {
        poll_interruption();
        let idx = self.tree.nodes.len();
        let weight = self.current.index.count(&range);
        let (file, depth) = (self.current.file, self.depth);
        self.tree.nodes.push(Node {
            category,
            file,
            range,
            weight,
            depth,
            end: idx,
        });
        self.deeper(walk);
        self.tree.nodes[idx].end = self.tree.nodes.len();
    }

    fn element(&self, range: Range<usize>) -> Element {
        poll_interruption();
        Element {
            file: self.current.file,
            weight: self.current.index.count(&range).max(1),
            range,
            separator: None,
            files: Vec::new(),
            stand_in: "",
            also: None,
        }
    }

    fn elements<'a, T: Located + 'a>(&self, all: impl IntoIterator<Item = &'a T>) -> Vec<Element> {
        all.into_iter()
            .map(|one| self.element(byte_range(one)))
            .collect()
    }

    fn separated<T: Located, P: Located>(&self, all: &Punctuated<T, P>) -> Vec<Element> {
        let element = |pair: Pair<&T, &P>| match pair {
            Pair::Punctuated(one, separator) => Element {
                separator: Some(byte_range(separator)),
                ..self.element(byte_range(one))
            },
            Pair::End(one) => self.element(byte_range(one)),
        };
        all.pairs().map(element).collect()
    }

    /// Adds a list whose elements are separated by tokens, such as commas.
    fn separated_list<T: Located, P: Located>(&mut self, kind: ListKind, all: &Punctuated<T, P>) {
        let elements = self.separated(all);
        self.list(kind, elements);
    }

    fn list(&mut self, kind: ListKind, elements: Vec<Element>) {
        self.wrapped_list(kind, elements, None);
    }

    /// Adds a list with a wrapper, such as the `<` and `>` around it, which goes when no element remains.
    fn wrapped_list(
        &mut self,
        kind: ListKind,
        elements: Vec<Element>,
        wrapper: Option<Range<usize>>,
    ) {
        if elements.is_empty() {
            return;
        }
        let wrapper = wrapper.map(|range| (self.current.file, range));
        let depth = self.depth;
        self.tree.lists.push(List {
            kind,
            depth,
            elements,
            wrapper,
            last_separator: LastSeparator::Goes,
        });
    }

    fn tuple<T: Located, P: Located>(&mut self, all: &Punctuated<T, P>) {
        if !all.is_empty() {
            self.separated_list(ListKind::Elements, all);
            self.last_separator(LastSeparator::AfterSingle);
        }
    }

    /// Sets what becomes of the last separator of the list that was added last.
    fn last_separator(&mut self, last_separator: LastSeparator) {
        if let Some(list) = self.tree.lists.last_mut() {
            list.last_separator = last_separator;
        }
    }

    /// Adds a list, whose last separator stays if something follows the list, as in `S { a, .. }`.
    fn list_before<T: Located, P: Located, N>(
        &mut self,
        kind: ListKind,
        all: &Punctuated<T, P>,
        next: Option<&N>,
    ) {
        self.separated_list(kind, all);
        if next.is_some() && !all.is_empty() {
            self.last_separator(LastSeparator::Stays);
        }
    }

    fn part(&mut self, range: Range<usize>) {
        self.replaceable_part(range, "");
    }

    fn replaceable_part(&mut self, range: Range<usize>, stand_in: &'static str) {
        if !range.is_empty() {
            let element = Element {
                stand_in,
                ..self.element(range)
            };
            self.parts.elements.push(element);
        }
    }

    /// Adds the text from one piece of syntax to another as a part that may go.
    fn part_between(&mut self, first: &impl Located, last: &impl Located) {
        let range = byte_range(first).start..byte_range(last).end;
        self.part(range);
    }

    fn part_if(&mut self, part: Option<&impl Located>) {
        if let Some(part) = part {
            let range = byte_range(part);
            self.part(range);
        }
    }

    /// Adds the beginning or the end of a range expression to the list of such ends.
    fn range_end(&mut self, end: Option<&impl Located>) {
        if let Some(end) = end {
            let element = self.element(byte_range(end));
            self.range_ends.elements.push(element);
        }
    }

    /// Adds the body of a function to the list of bodies, and its return type to that of parts.
    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        self.body(byte_range(block));
        self.returned_value(signature, block);
    }

    /// Adds a return type as a part that goes together with the last expression of the body.
    fn returned_value(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let syn::ReturnType::Type(arrow, ty) = &signature.output else {
            return;
        };
        if let Some(syn::Stmt::Expr(last, None)) = block.stmts.last() {
            let output = byte_range(arrow).start..byte_range(ty).end;
            let last = byte_range(last);
            let weight = self.current.index.count(&output) + self.current.index.count(&last);
            let element = Element {
                also: Some(last),
                weight,
                ..self.element(output)
            };
            self.parts.elements.push(element);
        }
    }

    fn body(&mut self, range: Range<usize>) {
        const EMPTIED: &str = "{ loop {} }";
        let element = Element {
            stand_in: EMPTIED,
            ..self.element(range)
        };
        // `{ loop { } }` has five tokens.
        if let Some(weight) = element.weight.checked_sub(5).filter(|&weight| weight > 0) {
            self.bodies.elements.push(Element { weight, ..element });
        }
    }
}

impl Current {
    fn new(sources: &SourceTree, file: FileId, by_path_attribute: bool) -> Self {
        let is_root = file == sources.root();
        Self {
            file,
            index: TokenIndex::new(sources.text(file)),
            directory: ModuleDirectory::of_file(sources.path(file), is_root, by_path_attribute),
        }
    }
}

#[cfg(test)]
mod tests;
