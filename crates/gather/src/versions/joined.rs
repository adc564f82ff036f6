//! Joins two versions of a text into one, in which `#[cfg(..)]` tells them apart.

use super::Side;
use super::alignment::aligned;
use super::nodes::{ListForm, Node, NodeList, key, nodes_of};
use reduce_syntax::Parsed;
use std::ops::Range;
use syn::AttrStyle;

/// Joins two versions of a text into one that has as much in common as possible. Where both have the same tokens, layout and
/// comments are those of `after`. `None` where one of them is not understood, or has an attribute of one of our names already.
#[must_use]
pub fn two_versions(before: &str, after: &str) -> Option<String> {
    let (parsed_before, parsed_after) = (
        Parsed::without_islands(before),
        Parsed::without_islands(after),
    );
    let (file_before, file_after) = (parsed_before.file()?, parsed_after.file()?);
    let texts = Texts { before, after };
    if [before, after].into_iter().any(names_a_version) {
        return None;
    }
    let items = texts.list(&nodes_of(file_before, before), &nodes_of(file_after, after));
    let head = texts.head(&file_before.attrs, &file_after.attrs);
    Some(format!("{head}{items}\n"))
}

/// Returns whether a text already has a condition on `before` or `after`, the names of the versions.
fn names_a_version(text: &str) -> bool {
    let key = key(text);
    let named = |side: Side| {
        let name = side.cfg();
        ["cfg ( ", "cfg_attr ( ", "not ( "]
            .iter()
            .any(|around| key.contains(&format!("{around}{name} ")))
    };
    Side::ALL.into_iter().any(named)
}

/// The texts of the two versions that are joined.
struct Texts<'t> {
    before: &'t str,
    after: &'t str,
}

impl Texts<'_> {
    /// Joins the inner attributes of both files.
    fn head(&self, before: &[syn::Attribute], after: &[syn::Attribute]) -> String {
        let (before, after) = (inner(before, self.before), inner(after, self.after));
        let keys = |all: &[&str]| all.iter().map(|one| Some(key(one))).collect::<Vec<_>>();
        let mut head = String::new();
        let (mut b, mut a) = (0, 0);
        let ends = [(before.len(), after.len())];
        for (next_b, next_a) in aligned(&keys(&before), &keys(&after))
            .into_iter()
            .chain(ends)
        {
            let gone = before[b..next_b].iter();
            head.extend(gone.map(|one| conditional(one, Side::Before)));
            let new = after[a..next_a].iter();
            head.extend(new.map(|one| conditional(one, Side::After)));
            head.extend(after.get(next_a).map(|one| format!("{one}\n")));
            (b, a) = (next_b + 1, next_a + 1);
        }
        head
    }

    fn list(&self, before: &NodeList, after: &NodeList) -> String {
        let (text_before, text_after) = (
            &self.before[before.range.clone()],
            &self.after[after.range.clone()],
        );
        if key(text_before) == key(text_after) {
            return text_after.to_owned();
        }
        match after.form {
            ListForm::List => self.elements(&before.elements, &after.elements),
            ListForm::Condition => self.condition(&before.elements[0], &after.elements[0]),
        }
    }

    /// Joins two versions of a condition, in a block if they differ: a condition is a value, so that a block may take its place.
    fn condition(&self, before: &Node, after: &Node) -> String {
        let inside = self.inside(before, after);
        inside.unwrap_or_else(|| {
            let before = alone(before, self.before, Side::Before, true);
            let after = alone(after, self.after, Side::After, true);
            format!("{{ {before}{after}}}")
        })
    }

    fn elements(&self, before: &[Node], after: &[Node]) -> String {
        let key_of = |text: &'_ str, range: &Range<usize>| Some(key(&text[range.clone()]));
        let keys_before: Vec<_> = before
            .iter()
            .map(|one| key_of(self.before, &one.range))
            .collect();
        let keys_after: Vec<_> = after
            .iter()
            .map(|one| key_of(self.after, &one.range))
            .collect();
        let mut joined = String::new();
        let (mut b, mut a) = (0, 0);
        for (next_b, next_a) in aligned(&keys_before, &keys_after) {
            joined += &self.gap(&before[b..next_b], &after[a..next_a]);
            joined += &common(&self.after[after[next_a].range.clone()], &after[next_a]);
            (b, a) = (next_b + 1, next_a + 1);
        }
        joined + &self.gap(&before[b..], &after[a..])
    }

    /// Joins two runs of elements of which none is equal to one in the other run. Elements whose frames are the same differ
    /// within their lists.
    fn gap(&self, before: &[Node], after: &[Node]) -> String {
        let frames_before: Vec<_> = before
            .iter()
            .map(|one| one.frame_key(self.before))
            .collect();
        let frames_after: Vec<_> = after.iter().map(|one| one.frame_key(self.after)).collect();
        let mut joined = String::new();
        let (mut b, mut a) = (0, 0);
        for (next_b, next_a) in aligned(&frames_before, &frames_after) {
            joined += &self.apart(&before[b..next_b], &after[a..next_a]);
            let inside = self.inside(&before[next_b], &after[next_a]);
            joined += &common(&inside.unwrap_or_default(), &after[next_a]);
            (b, a) = (next_b + 1, next_a + 1);
        }
        joined + &self.apart(&before[b..], &after[a..])
    }

    /// Writes elements of one version, and then elements of the other one.
    fn apart(&self, before: &[Node], after: &[Node]) -> String {
        let before = before
            .iter()
            .map(|one| alone(one, self.before, Side::Before, one.is_expression));
        let after = after
            .iter()
            .map(|one| alone(one, self.after, Side::After, one.is_expression));
        before.chain(after).collect()
    }

    /// Joins the two versions of an element that differ only in the lists within it.
    fn inside(&self, before: &Node, after: &Node) -> Option<String> {
        let (frame_before, frame_after) =
            (before.frame_key(self.before)?, after.frame_key(self.after)?);
        if frame_before != frame_after {
            return None;
        }
        let mut pieces = after.frame(self.after).into_iter();
        let mut joined = pieces.next().unwrap_or_default().to_owned();
        for ((before, after), piece) in before.lists.iter().zip(&after.lists).zip(pieces) {
            joined += &self.list(before, after);
            joined += piece;
        }
        Some(joined)
    }
}

/// Writes an element that both versions have.
fn common(text: &str, node: &Node) -> String {
    let comma = if node.needs_comma { "," } else { "" };
    format!("{text}{comma}\n")
}

/// Writes an element that one version alone has, with the attribute for that.
fn alone(node: &Node, text: &str, side: Side, is_in_block: bool) -> String {
    let (attribute, text) = (side.attribute(), &text[node.range.clone()]);
    match is_in_block {
        // A comment may end the line.
        true => format!("{attribute}\n{{ {text}\n}}\n"),
        false => format!("{attribute}\n{}", common(text, node)),
    }
}

/// Writes an attribute of the file that applies to one version alone.
fn conditional(attribute: &str, side: Side) -> String {
    let inside = attribute.trim_start_matches("#!").trim();
    let inside = inside.trim_start_matches('[').trim_end_matches(']');
    format!("#![cfg_attr({}, {inside})]\n", side.cfg())
}

/// Returns the texts of a file's inner attributes, without its documentation.
fn inner<'t>(attributes: &[syn::Attribute], text: &'t str) -> Vec<&'t str> {
    let inner = attributes.iter().filter(|one| {
        let is_inner = matches!(one.style, AttrStyle::Inner(_));
        is_inner && !one.path().is_ident("doc")
    });
    inner
        .map(|one| &text[reduce_syntax::byte_range(one)])
        .collect()
}
