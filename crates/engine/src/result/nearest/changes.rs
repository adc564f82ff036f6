//! Edits as a person would say them: which text goes, and which comes instead.

use crate::figures::TextChange;
use camino::Utf8Path;
use reduce_syntax::{Edit, EditSet, FileId, SourceTree, count_tokens};
use std::collections::BTreeSet;
use std::ops::Range;

/// The largest number of places that a change may have to be easy to describe.
const MOST_PLACES: usize = 2;
/// The length in bytes above which a text is too long to describe how it is replaced, or by what.
const LONGEST_TEXT: usize = 60;

/// An edit of a program that can be said in a few words.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) edits: EditSet,
    pieces: Vec<Piece>,
}

/// A change at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    file: FileId,
    /// The range of the text that goes, without white space and commas around it.
    range: Range<usize>,
    text: String,
}

/// Returns the edits that can be described in a few words, smallest first, and without those that make the same program
/// as another one.
pub(super) fn smallest_first(edits: Vec<EditSet>, tree: &SourceTree) -> Vec<Change> {
    let mut seen = BTreeSet::new();
    let is_new = |change: &Change| seen.insert(change.edits.apply(tree).digest());
    let changes = edits
        .into_iter()
        .filter_map(|edits| Change::of(edits, tree));
    let mut changes: Vec<Change> = changes.filter(is_new).collect();
    changes.sort_by_key(|change| change.size(tree));
    changes
}

impl Change {
    fn of(edits: EditSet, tree: &SourceTree) -> Option<Self> {
        let pieces: Vec<Piece> = outermost(&edits)
            .filter_map(|edit| Piece::of(edit, tree))
            .collect();
        let is_short = edits.dropped_files().next().is_none()
            && (1..=MOST_PLACES).contains(&pieces.len())
            && pieces.iter().all(Piece::can_be_said);
        is_short.then_some(Self { edits, pieces })
    }

    /// Returns the number of tokens that go and come, and that of the places.
    pub(super) fn size(&self, tree: &SourceTree) -> (u64, usize) {
        let sizes = self.pieces.iter();
        let size = sizes.map(|piece| count_tokens(piece.before(tree)) + count_tokens(&piece.text));
        (size.sum(), self.pieces.len())
    }

    /// Whether the change removes a feature of the language.
    pub(super) fn is_of_feature(&self, tree: &SourceTree) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| piece.before(tree).starts_with("#![feature"))
    }

    /// Whether this change and another one touch the same text.
    pub(super) fn is_at_place_of(&self, other: &Self) -> bool {
        let touches = |one: &Piece, two: &Piece| {
            one.file == two.file
                && one.range.start <= two.range.end
                && two.range.start <= one.range.end
        };
        let mut pieces = self.pieces.iter();
        pieces.any(|one| other.pieces.iter().any(|two| touches(one, two)))
    }

    /// Describes the change for the report: the file, line and column, the text that goes, and the
    /// text that comes.
    pub(super) fn told(&self, tree: &SourceTree, root: &Utf8Path) -> Vec<TextChange> {
        let told = |piece: &Piece| {
            let above = &tree.text(piece.file)[..piece.range.start];
            let in_line = above.rsplit('\n').next().unwrap_or_default();
            TextChange {
                file: match piece.file == tree.root() {
                    true => root.to_owned(),
                    false => tree.path(piece.file).to_owned(),
                },
                line: 1 + above.matches('\n').count() as u64,
                column: 1 + in_line.chars().count() as u64,
                before: piece.before(tree).to_owned(),
                after: piece.text.clone(),
            }
        };
        self.pieces.iter().map(told).collect()
    }
}

impl Piece {
    /// Reads a change at one place from an edit; `None` where only layout or a comma changes.
    fn of(edit: &Edit, tree: &SourceTree) -> Option<Self> {
        let before = &tree.text(edit.file)[edit.start..edit.end];
        let text = edit.text.trim();
        let is_around = |one: char| one.is_whitespace() || (text.is_empty() && one == ',');
        let kept = before.trim_matches(is_around);
        if kept.is_empty() && (text.is_empty() || text == ",") {
            return None;
        }
        let start = edit.start + (before.len() - before.trim_start_matches(is_around).len());
        Some(Self {
            file: edit.file,
            range: start..start + kept.len(),
            text: text.to_owned(),
        })
    }

    /// Whether the change can be described in few words: a long text may go, as its beginning tells
    /// which one it is, but not be compared with another.
    fn can_be_said(&self) -> bool {
        let is_short = self.range.len() <= LONGEST_TEXT && self.text.len() <= LONGEST_TEXT;
        is_short || self.text.is_empty()
    }

    fn before<'t>(&self, tree: &'t SourceTree) -> &'t str {
        &tree.text(self.file)[self.range.clone()]
    }
}

/// Returns the edits that lie in no other edit of the set, in the order of the text.
fn outermost(edits: &EditSet) -> impl Iterator<Item = &Edit> {
    let all: Vec<&Edit> = edits.edits().collect();
    let is_within = |inner: &Edit, outer: &Edit| {
        inner.file == outer.file
            && outer.start <= inner.start
            && inner.end <= outer.end
            && (inner.start, inner.end) != (outer.start, outer.end)
    };
    let kept: Vec<&Edit> = all
        .iter()
        .filter(|one| !all.iter().any(|other| is_within(one, other)))
        .copied()
        .collect();
    let mut last = None;
    kept.into_iter()
        .filter(move |edit| last.replace(*edit) != Some(*edit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn tree(text: &str) -> SourceTree {
        SourceTree::single("reduced.rs".into(), Arc::from(text))
    }

    /// Makes the edits that put the second text in place of the first one.
    fn edits(tree: &SourceTree, replaced: &[(&str, &str)]) -> EditSet {
        let mut edits = EditSet::new();
        for (before, after) in replaced {
            let code = tree.text(tree.root());
            let start = code.find(before).expect("the text is there");
            edits.add(Edit::replace(
                tree.root(),
                &(start..start + before.len()),
                after,
            ));
        }
        edits
    }

    #[test]
    fn a_change_is_told_with_its_line_and_column() {
        let tree = tree("fn f() {\n    let é = a;\n}");
        let change = Change::of(edits(&tree, &[("a", "b")]), &tree);
        let told = change.map(|change| change.told(&tree, "reduced.rs".into()).remove(0));
        assert_eq!(told.map(|told| (told.line, told.column)), Some((2, 13)));
    }

    fn said(text: &str, replaced: &[(&str, &str)]) -> Option<Vec<(u64, String, String)>> {
        let tree = tree(text);
        let change = Change::of(edits(&tree, replaced), &tree)?;
        let told = change.told(&tree, "reduced.rs".into()).into_iter();
        Some(told.map(|one| (one.line, one.before, one.after)).collect())
    }

    fn piece(line: u64, before: &str, after: &str) -> (u64, String, String) {
        (line, before.to_owned(), after.to_owned())
    }

    #[test]
    fn commas_and_white_space_around_what_goes_are_not_told() {
        let code = "fn f(\n    a: A,\n    b: B,\n) {}";
        let expected = Some(vec![piece(2, "a: A", "")]);
        assert_eq!(said(code, &[("\n    a: A,", "")]), expected);
        assert_eq!(said(code, &[("a: A", ""), (",", "")]), expected);
    }

    #[test]
    fn two_places_are_told_and_three_are_not() {
        let code = "fn f<T>(x: T) -> U {}";
        let two = [("<T>", ""), (": T", ": ()")];
        let expected = Some(vec![piece(1, "<T>", ""), piece(1, ": T", ": ()")]);
        assert_eq!(said(code, &two), expected);
        assert_eq!(said(code, &[two[0], two[1], ("-> U", "")]), None);
    }

    #[test]
    fn a_long_text_may_go_but_not_be_replaced() {
        let long = format!("fn f() {{ {} }}", "a();".repeat(30));
        assert!(said(&long, &[(long.as_str(), "")]).is_some());
        assert_eq!(said(&long, &[(long.as_str(), "fn f() {}")]), None);
    }

    #[test]
    fn small_changes_come_first_and_each_program_once() {
        let tree = tree("fn f<T: Copy>() { g(1) }");
        let all = vec![
            edits(&tree, &[("g(1)", "")]),
            edits(&tree, &[(": Copy", "")]),
            edits(&tree, &[("T: Copy", "T")]),
        ];
        let changes = smallest_first(all, &tree);
        let first: Vec<_> = changes
            .iter()
            .map(|one| one.told(&tree, "reduced.rs".into())[0].before.clone())
            .collect();
        assert_eq!(first, [": Copy", "g(1)"]);
        assert!(!changes[0].is_at_place_of(&changes[1]));
        assert!(changes[0].is_at_place_of(&changes[0]));
    }
}
