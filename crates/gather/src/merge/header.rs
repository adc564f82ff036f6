//! Reads the inner attributes at the top of a crate, to find those that the program needs when the crate becomes a module of it.

use reduce_syntax::{TokenCursor, TokenKind};
use std::collections::BTreeSet;

/// The inner attributes at the top of a text that matter for merging two crates.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// The first and last token of each inner attribute. Doc comments are among them.
    pub(super) attributes: Vec<(usize, usize)>,
    pub(super) features: BTreeSet<String>,
    /// The attributes `recursion_limit` and `type_length_limit`, each by its name, with its text.
    pub(super) limits: Vec<(String, String)>,
    /// The first and last token of `#![no_std]`.
    pub(super) no_std: Option<(usize, usize)>,
    pub(super) is_no_core: bool,
    /// The tokens of `#![no_implicit_prelude]`, which a module may have too.
    pub(super) no_prelude: Option<(usize, usize)>,
}

impl Header {
    pub(super) fn of(cursor: &TokenCursor<'_>) -> Self {
        let mut header = Self::default();
        let mut position = 0;
        while let Some(last) = attribute_at(cursor, position) {
            header.attributes.push((position, last));
            header.read(cursor, position, last);
            position = last + 1;
        }
        header
    }

    fn read(&mut self, cursor: &TokenCursor<'_>, first: usize, last: usize) {
        match cursor.word(first + 3) {
            "feature" => {
                let names = (first + 4..last).filter(|&idx| cursor.is_name(idx));
                self.features
                    .extend(names.map(|idx| cursor.word(idx).to_owned()));
            }
            name @ ("recursion_limit" | "type_length_limit") => {
                let range = cursor.bytes(first, last);
                let text = cursor.text().get(range).unwrap_or_default();
                self.limits.push((name.to_owned(), text.to_owned()));
            }
            "no_std" => self.no_std = Some((first, last)),
            "no_core" => self.is_no_core = true,
            "no_implicit_prelude" => self.no_prelude = Some((first, last)),
            _ => {}
        }
    }

    /// Returns the byte at which the inner attributes end.
    pub(super) fn end(&self, cursor: &TokenCursor<'_>, start: usize) -> usize {
        let last = self.attributes.last();
        last.map_or(start, |&(first, last)| cursor.bytes(first, last).end)
    }

    /// Returns the inner attributes that the merged crate has and the program lacks, as text.
    pub(super) fn lacking(&self, krate: &Self) -> String {
        let features: Vec<&str> = krate
            .features
            .difference(&self.features)
            .map(String::as_str)
            .collect();
        let mut text = match &features[..] {
            [] => String::new(),
            features => format!("#![feature({})]\n", features.join(", ")),
        };
        let has = |name: &str| self.limits.iter().any(|(own, _)| own == name);
        for (name, attribute) in &krate.limits {
            if !has(name) {
                text.push_str(attribute);
                text.push('\n');
            }
        }
        text
    }
}

/// Returns the last token of the inner attribute or doc comment that begins at `idx`.
fn attribute_at(cursor: &TokenCursor<'_>, idx: usize) -> Option<usize> {
    if cursor.kind(idx) == Some(TokenKind::InnerDoc) {
        return Some(idx);
    }
    let is_attribute = cursor.are(idx, &["#", "!", "["]);
    cursor.closing(idx + 2).filter(|_| is_attribute)
}
