//! Text that syn does not understand, in removable pieces: token trees up to a `;`, a `,` or a
//! closing brace, one list for each pair of brackets; or lines.

use super::Builder;
use crate::tree::{Element, ListKind};
use proc_macro2::{TokenStream, TokenTree};
use std::ops::Range;

impl Builder<'_> {
    /// Adds the pieces of a token stream, and of all groups in it.
    pub(super) fn token_chunks(&mut self, tokens: TokenStream) {
        let mut elements: Vec<Element> = Vec::new();
        let mut open: Option<Range<usize>> = None;
        let mut groups = Vec::new();
        for tree in tokens {
            let range = self.shifted(tree.span().byte_range());
            let start = open.as_ref().map_or(range.start, |open| open.start);
            open = Some(start..range.end);
            if ends_a_chunk(&tree) {
                elements.extend(open.take().map(|range| self.element(range)));
            }
            if let TokenTree::Group(group) = tree {
                groups.push(group.stream());
            }
        }
        elements.extend(open.map(|range| self.element(range)));
        self.list(ListKind::Chunks, elements);
        for stream in groups {
            self.deeper(|inside| inside.token_chunks(stream));
        }
    }

    /// Adds the lines of the current file as pieces.
    pub(super) fn line_chunks(&mut self) {
        let text = self.sources.text(self.current.file);
        let mut start = 0;
        let mut elements = Vec::new();
        for line in text.split_inclusive('\n') {
            if !line.trim().is_empty() {
                elements.push(self.element(start..start + line.len()));
            }
            start += line.len();
        }
        self.list(ListKind::Chunks, elements);
    }
}

fn ends_a_chunk(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
        TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
        _ => false,
    }
}
