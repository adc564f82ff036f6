//! Edits of byte ranges: a candidate is the base text plus a set of them. Applying a hundred edits
//! to 150 kB takes microseconds, where parsing and printing it takes milliseconds. So does counting
//! and hashing the tokens of the result, for which only what is around the edits is lexed.

mod edited_tree;

pub use edited_tree::EditedTree;

use crate::interruption::poll_interruption;
use crate::lexer::count_tokens;
use crate::source::{FileId, SourceTree};
use crate::stream::Kept;
use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Replaces a byte range of a file. An empty text deletes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The file.
    pub file: FileId,
    /// First byte of the range.
    pub start: usize,
    /// The byte after the last one of the range.
    pub end: usize,
    /// The text that takes the place of the range. Most edits delete, and have no allocation.
    pub text: Cow<'static, str>,
}

impl Edit {
    /// Deletes `range`.
    #[must_use]
    pub fn delete(file: FileId, range: &Range<usize>) -> Self {
        Self::replace(file, range, "")
    }

    /// Replaces `range` by `text`.
    #[must_use]
    pub fn replace(file: FileId, range: &Range<usize>, text: &str) -> Self {
        Self {
            file,
            start: range.start,
            end: range.end,
            text: match text {
                "" => Cow::Borrowed(""),
                text => Cow::Owned(text.to_owned()),
            },
        }
    }

    /// Returns the bytes that the edit changes. Where it replaces a string by another one, these are without the beginning and the
    /// end that both share, so that two which shorten the same string in different places do not overlap.
    fn changed(&self, base: &SourceTree) -> Range<usize> {
        let before = &base.text(self.file)[self.start..self.end];
        let is_string =
            |text: &str| text.ends_with('"') && text.trim_end_matches('"').contains('"');
        if !is_string(before) || !is_string(&self.text) {
            return self.start..self.end;
        }
        let texts = [before, &self.text];
        let n_before = common_length(texts.map(str::chars));
        let rests = texts.map(|text| &text[n_before..]);
        let n_after = common_length(rests.map(|text| text.chars().rev()));
        self.start + n_before..self.end - n_after
    }
}

/// Returns the number of bytes that two texts have in common at their beginnings, or at their ends, where their characters are
/// given from there.
pub fn common_length<T: Iterator<Item = char>>([first, second]: [T; 2]) -> usize {
    let both = first.zip(second).take_while(|(a, b)| a == b);
    both.map(|(character, _)| character.len_utf8()).sum()
}

/// Edits of one tree, and the files that go as a whole because their `mod x;` goes.
#[derive(Debug, Clone, Default)]
pub struct EditSet {
    /// The edits in any order, and some perhaps twice: they are put in order once, when they are applied.
    edits: Vec<Edit>,
    dropped: BTreeSet<FileId>,
}

impl EditSet {
    /// Makes a set without edits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an edit. Of edits that contain each other the outermost counts.
    pub fn add(&mut self, edit: Edit) {
        self.edits.push(edit);
    }

    /// Leaves a file out of the result.
    pub fn drop_file(&mut self, file: FileId) {
        self.dropped.insert(file);
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: &Self) {
        self.edits.extend(other.edits.iter().cloned());
        self.dropped.extend(other.dropped.iter().copied());
    }

    /// Adds those edits of another set that are not in this file, and the files that it drops.
    pub fn extend_outside(&mut self, other: &Self, file: FileId) {
        let outside = other.edits.iter().filter(|edit| edit.file != file);
        self.edits.extend(outside.cloned());
        self.dropped.extend(other.dropped.iter().copied());
    }

    /// Returns a digest that tells this set from others of the same tree and of trees that were made from it: of the replaced
    /// texts, of their replacements and of the text around, but not of the places.
    #[must_use]
    pub fn fingerprint(&self, base: &SourceTree) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        for edit in self.sorted() {
            let text = base.text(edit.file);
            let around = surroundings(text, edit.start, edit.end);
            for text in [
                &text[edit.start..edit.end],
                &*edit.text,
                around[0],
                around[1],
            ] {
                hasher.update(&(text.len() as u64).to_le_bytes());
                hasher.update(text.as_bytes());
            }
        }
        *hasher.finalize().as_bytes()
    }

    /// Returns a digest that tells this set from others of the same tree.
    pub fn fingerprint_of_places(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        for edit in self.sorted() {
            hasher.update(format!("{edit:?}").as_bytes());
        }
        hasher.update(format!("{:?}", self.dropped).as_bytes());
        *hasher.finalize().as_bytes()
    }

    /// Returns the numbers of tokens and bytes by which the tree grows, and how the new text compares with the old where they
    /// first differ: the tree gets simpler if this is less than `(0, 0, Equal)`. Found from the edits alone, so that many of
    /// them cost little: white space around them is not looked at.
    pub fn growth(&self, base: &SourceTree) -> (i64, i64, Ordering) {
        let mut growth = (0, 0, Ordering::Equal);
        let mut done = (None, 0);
        let edits = self.sorted();
        let outermost = edits.chunk_by(|a, b| (a.file, a.start) == (b.file, b.start));
        for edit in outermost.filter_map(|same| same.last()) {
            if done.0 == Some(edit.file) && edit.start < done.1 {
                continue;
            }
            done = (Some(edit.file), edit.end);
            let before = &base.text(edit.file)[edit.start..edit.end];
            growth.0 += signed(count_tokens(&edit.text)) - signed(count_tokens(before));
            growth.1 += signed(edit.text.len() as u64) - signed(before.len() as u64);
            growth.2 = growth.2.then_with(|| (*edit.text).cmp(before));
        }
        let dropped = self.dropped.iter().map(|&file| base.text(file));
        growth.0 -= dropped.map(|text| signed(count_tokens(text))).sum::<i64>();
        growth
    }

    /// All edits, in the order of file, start and end. Of edits that contain each other the outermost
    /// counts when they are applied; all of them are given here.
    pub fn edits(&self) -> impl Iterator<Item = &Edit> {
        self.sorted().into_iter()
    }

    /// The files that go as a whole.
    pub fn dropped_files(&self) -> impl Iterator<Item = FileId> {
        self.dropped.iter().copied()
    }

    /// Returns the number of edits.
    pub fn count(&self) -> usize {
        self.edits.len()
    }

    /// Returns whether two of the edits put different texts in the same place.
    pub fn is_contradictory(&self) -> bool {
        let is_same_place =
            |a: &Edit, b: &Edit| (a.file, a.start, a.end) == (b.file, b.start, b.end);
        let edits = self.sorted();
        let mut pairs = edits.windows(2);
        pairs.any(|pair| is_same_place(pair[0], pair[1]) && pair[0].text != pair[1].text)
    }

    /// Joins as many of some sets of edits of `base`, taken in their order, as do not touch the same bytes. Edits of one string
    /// that change other parts of it become one.
    #[must_use]
    pub fn union_of_disjoint<'e>(
        base: &SourceTree,
        sets: impl IntoIterator<Item = &'e Self>,
    ) -> Self {
        let mut union = Self::new();
        let mut taken = Taken::new(base);
        for set in sets {
            if taken.takes(set) {
                union.extend(set);
            }
        }
        union.joined_in_strings(base)
    }

    /// Returns whether no two of some sets of edits of `base` touch the same bytes.
    #[must_use]
    pub fn are_disjoint<'e>(base: &SourceTree, sets: impl IntoIterator<Item = &'e Self>) -> bool {
        let mut taken = Taken::new(base);
        sets.into_iter().all(|set| taken.takes(set))
    }

    /// Returns the indices of some sets of edits of `base` in an order in which sets that do not overlap come first: first as many
    /// as do not touch the same bytes, taken in their order, then as many of the others, and so on.
    #[must_use]
    pub fn disjoint_first(base: &SourceTree, sets: &[&Self]) -> Vec<usize> {
        let (mut order, mut left) = (Vec::new(), (0..sets.len()).collect::<Vec<_>>());
        while !left.is_empty() {
            let mut taken = Taken::new(base);
            // The first is always taken.
            let (now, later) = left.into_iter().partition(|idx| taken.takes(sets[*idx]));
            let now: Vec<usize> = now;
            order.extend(now);
            left = later;
        }
        order
    }

    /// Joins edits that replace one string by different ones, of which each changes another part. Others of one place stay as
    /// they are.
    fn joined_in_strings(mut self, base: &SourceTree) -> Self {
        self.edits.sort();
        self.edits.dedup();
        let place = |edit: &Edit| (edit.file, edit.start, edit.end);
        let of_places = self.edits.chunk_by(|a, b| place(a) == place(b));
        let joined = of_places.flat_map(|same| match joined_in_string(base, same) {
            Some(joined) => vec![joined],
            None => same.to_vec(),
        });
        self.edits = joined.collect();
        self
    }

    /// Returns whether the set changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.dropped.is_empty()
    }

    /// The tree with all edits applied. Files without an edit keep their allocation, so that who
    /// writes them can see that they are unchanged.
    ///
    /// # Panics
    /// If an edit is of a file that `base` does not have, or is not at the bounds of characters.
    #[must_use]
    pub fn apply(&self, base: &SourceTree) -> SourceTree {
        self.apply_where(base, |_, _, _| true)
    }

    /// Applies the edits of those files for which `is_to_do` returns true, given the file, its edits and the tree as
    /// edited up to there.
    fn apply_where(
        &self,
        base: &SourceTree,
        is_to_do: impl Fn(FileId, &[&Edit], &mut SourceTree) -> bool,
    ) -> SourceTree {
        let mut result = base.clone();
        for edits in self.sorted().chunk_by(|a, b| a.file == b.file) {
            let file = edits[0].file;
            if !self.dropped.contains(&file) && is_to_do(file, edits, &mut result) {
                let edited = EditedText::new(base.text(file), 0, edits);
                result.set_edited(file, Arc::from(edited.text), &edited.kept);
            }
        }
        for &file in &self.dropped {
            result.drop_file(file);
        }
        result
    }

    /// Returns all edits of the set, ordered by file, start and end.
    fn sorted(&self) -> Vec<&Edit> {
        sorted(self.edits.iter().collect())
    }

    /// Returns the text in `range` of a file with the edits inside of it applied.
    pub fn text_within(&self, base: &SourceTree, file: FileId, range: &Range<usize>) -> String {
        let is_inside =
            |edit: &&Edit| edit.file == file && range.start <= edit.start && edit.end <= range.end;
        let edits = sorted(self.edits.iter().filter(is_inside).collect());
        EditedText::new(&base.text(file)[..range.end], range.start, &edits).text
    }
}

fn signed(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// The number of bytes before and after an edit that tell it from another of the same texts.
const SURROUNDINGS: usize = 24;

/// Returns the few bytes of text before and after a range, without white space at their ends.
fn surroundings(text: &str, start: usize, end: usize) -> [&str; 2] {
    let before = text[..start].trim_end();
    let from = before.floor_char_boundary(before.len().saturating_sub(SURROUNDINGS));
    let after = text[end..].trim_start();
    let to = after.floor_char_boundary(SURROUNDINGS);
    [before[from..].trim_start(), after[..to].trim_end()]
}

/// Sorts edits by file, start and end.
fn sorted(mut edits: Vec<&Edit>) -> Vec<&Edit> {
    if !edits.is_sorted() {
        edits.sort_unstable();
    }
    edits
}

/// A text with edits applied, and the parts of it that are unchanged.
struct EditedText {
    text: String,
    kept: Vec<Kept>,
}

impl EditedText {
    /// Applies edits to a text from byte `start` on, in the order of their beginnings. Of two that begin together the
    /// longer one counts; one that begins inside an applied one is part of what that replaced.
    fn new(base: &str, start: usize, edits: &[&Edit]) -> Self {
        let mut result = Self {
            text: String::with_capacity(base.len() - start),
            kept: Vec::with_capacity(edits.len() + 1),
        };
        let mut position = start;
        let mut edits = edits.iter().peekable();
        while let Some(mut edit) = edits.next() {
            poll_interruption();
            while let Some(longer) = edits.next_if(|next| next.start == edit.start) {
                edit = longer;
            }
            if edit.start < position {
                continue;
            }
            result.keep(base, position..edit.start);
            push_apart(&mut result.text, &edit.text);
            position = edit.end;
            if base[position..].starts_with(|next: char| touches(&result.text, next)) {
                result.text.push(' ');
            }
        }
        result.keep(base, position..base.len());
        result
    }

    fn keep(&mut self, base: &str, range: Range<usize>) {
        let start = self.text.len();
        self.text.push_str(&base[range.clone()]);
        self.kept.push(Kept { base: range, start });
    }
}

/// Appends `text`, with a space where two words or operators would otherwise become one token.
fn push_apart(result: &mut String, text: &str) {
    if text.starts_with(|first| touches(result, first)) {
        result.push(' ');
    }
    result.push_str(text);
}

fn touches(before: &str, next: char) -> bool {
    let Some(last) = before.chars().next_back() else {
        return false;
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '"';
    let is_operator = |c: char| "=<>&|+-*/%^!:.#".contains(c);
    (is_word(last) && is_word(next)) || (is_operator(last) && is_operator(next))
}

/// Joins several edits of one place that change other parts of it; `None` where there is one, or some change the same part.
fn joined_in_string(base: &SourceTree, edits: &[Edit]) -> Option<Edit> {
    let [whole, _, ..] = edits else {
        return None;
    };
    let parts = edits.iter().map(|edit| (edit.changed(base), &*edit.text));
    let mut parts: Vec<(Range<usize>, &str)> = parts.collect();
    parts.sort_unstable_by_key(|(part, _)| Reverse(part.start));
    if parts.windows(2).any(|two| two[1].0.end > two[0].0.start) {
        return None;
    }
    let mut text = base.text(whole.file)[whole.start..whole.end].to_owned();
    for (part, new) in parts {
        let (n_before, n_after) = (part.start - whole.start, whole.end - part.end);
        let range = n_before..part.end - whole.start;
        text.replace_range(range, &new[n_before..new.len() - n_after]);
    }
    Some(Edit::replace(whole.file, &(whole.start..whole.end), &text))
}

/// The byte ranges of a tree that edits have touched, each by its file and its first byte.
struct Taken<'b> {
    base: &'b SourceTree,
    ranges: BTreeMap<(FileId, usize), usize>,
}

impl<'b> Taken<'b> {
    fn new(base: &'b SourceTree) -> Self {
        Self {
            base,
            ranges: BTreeMap::new(),
        }
    }

    /// Adds the ranges that a set of edits touches, if none of them is there yet, and returns whether it did. The first
    /// set finds all free, whatever it touches twice.
    fn takes(&mut self, set: &EditSet) -> bool {
        let edits = set.edits.iter();
        let changed = edits.map(|edit| (edit.file, edit.changed(self.base)));
        let changed: Vec<(FileId, Range<usize>)> = changed.collect();
        let is_free = |(in_file, bytes): &(FileId, Range<usize>)| {
            let last = self.ranges.range(..=(*in_file, bytes.end)).next_back();
            last.is_none_or(|(&(file, _), &end)| file != *in_file || end < bytes.start)
        };
        let is_free = changed.iter().all(is_free);
        if is_free {
            let places = changed.into_iter();
            self.ranges
                .extend(places.map(|(file, bytes)| ((file, bytes.start), bytes.end)));
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    #[track_caller]
    fn check(text: &str, edits: &[(Range<usize>, &str)], expected: &str) {
        let base = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from(text));
        let file = base.files().next().expect("one file").0;
        let mut set = EditSet::new();
        for (range, text) in edits {
            set.add(Edit::replace(file, range, text));
        }
        let result = set.apply(&base);
        assert_eq!(result.text(file), expected);
        let fresh = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from(expected));
        assert_eq!(result.digest(), fresh.digest());
        assert_eq!(result.count_tokens(), fresh.count_tokens());
    }

    #[test]
    fn edits_within_one_string_are_disjoint_where_they_change_other_parts() {
        let base = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from("f(\"20-é8é\", 12);"));
        let file = base.root();
        let replaced = |range: Range<usize>, text: &str| {
            let mut set = EditSet::new();
            set.add(Edit::replace(file, &range, text));
            set
        };
        let shorter = ["\"0-é8é\"", "\"20é8é\"", "\"20-éé\"", "\"20-é\"", "b\"2\""];
        let mut sets: Vec<EditSet> = shorter.map(|text| replaced(2..12, text)).into();
        sets.push(replaced(14..16, "1"));
        let union = EditSet::union_of_disjoint(&base, &sets).apply(&base);
        assert_eq!(union.text(file), "f(\"0éé\", 1);");
        let sets: Vec<&EditSet> = sets.iter().collect();
        let order = EditSet::disjoint_first(&base, &sets);
        assert_eq!(order, [0, 1, 2, 5, 3, 4]);
        assert!(EditSet::are_disjoint(&base, [sets[0], sets[1], sets[5]]));
        assert!(!EditSet::are_disjoint(&base, [sets[2], sets[3]]));
    }

    #[test]
    fn edits_of_one_set_that_contradict_each_other_stay_as_they_are() {
        let base = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from("f(\"abc\", abc);"));
        let file = base.root();
        let mut set = EditSet::new();
        for (range, text) in [(2..7, "\"\""), (2..7, "\"b\""), (9..12, "a"), (9..12, "1")] {
            set.add(Edit::replace(file, &range, text));
        }
        let union = EditSet::union_of_disjoint(&base, [&set]);
        assert!(union.is_contradictory());
        assert_eq!(union.apply(&base).digest(), set.apply(&base).digest());
    }

    #[test]
    fn edits_apply_in_any_order_of_adding() {
        check("a b c", &[(4..5, "z"), (0..1, "x")], "x b z");
    }

    #[test]
    fn the_outermost_of_nested_edits_counts() {
        check("f(a, b)", &[(2..3, "x"), (0..7, "y")], "y");
        check("f(a, b)", &[(0..3, ""), (0..7, "y")], "y");
    }

    #[test]
    fn words_and_operators_do_not_grow_together() {
        check("a+b", &[(1..2, "")], "a b");
        check("x=(y)=z", &[(2..5, "")], "x= =z");
    }

    #[test]
    fn the_same_edit_twice_is_one() {
        check("f(a)", &[(3..3, ","), (3..3, ",")], "f(a,)");
    }

    #[test]
    fn a_fingerprint_is_of_what_is_replaced_and_what_is_around_it_and_not_of_where() {
        let fingerprint = |text: &str, range: Range<usize>, by: &str| {
            let base = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from(text));
            let mut set = EditSet::new();
            set.add(Edit::replace(base.root(), &range, by));
            set.fingerprint(&base)
        };
        let start = "long enough before";
        let here = fingerprint(&format!("{start} f(a)"), 21..22, "0");
        let farther = format!("é even longer; {start}  f(a)");
        let at = farther.rfind('a').unwrap();
        assert_ne!(here, fingerprint(&farther, at..at + 1, "0"));
        let far = format!("farther; {start} {start} f(a)");
        let at = far.rfind('a').unwrap();
        let near = format!("nearer; {start} {start} f(a)");
        let farther_at = near.rfind('a').unwrap();
        let found = fingerprint(&far, at..at + 1, "0");
        assert_eq!(found, fingerprint(&near, farther_at..farther_at + 1, "0"));
        assert_ne!(here, fingerprint(&format!("{start} f(a)"), 21..22, "1"));
        assert_ne!(here, fingerprint(&format!("{start} f(b)"), 21..22, "0"));
        assert_ne!(here, fingerprint(&format!("{start} g(a)"), 21..22, "0"));
    }

    #[test]
    fn a_union_has_the_first_of_sets_that_touch_each_other() {
        let base = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from("f(a, b, c)"));
        let set = |edits: &[(Range<usize>, &str)]| {
            let mut set = EditSet::new();
            for (range, text) in edits {
                set.add(Edit::replace(base.root(), range, text));
            }
            set
        };
        let sets = [
            set(&[(2..3, "x")]),
            set(&[(2..3, "y")]),
            set(&[(5..6, "z"), (2..6, "0")]),
            set(&[(5..6, "0"), (8..9, "1")]),
        ];
        let all = EditSet::union_of_disjoint(&base, &sets).apply(&base);
        assert_eq!(all.text(all.root()), "f(x, 0, 1)");
        let sets: Vec<&EditSet> = sets.iter().collect();
        assert_eq!(EditSet::disjoint_first(&base, &sets), [0, 3, 1, 2]);
        assert!(EditSet::disjoint_first(&base, &[]).is_empty());
    }

    #[test]
    fn growth_is_of_the_outermost_edits() {
        let growth = |edits: &[(Range<usize>, &str)]| {
            let base = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from("f(a, b)"));
            let mut set = EditSet::new();
            for (range, text) in edits {
                set.add(Edit::replace(base.root(), range, text));
            }
            set.growth(&base)
        };
        assert_eq!(growth(&[]), (0, 0, Ordering::Equal));
        assert_eq!(growth(&[(2..3, "0")]), (0, 0, Ordering::Less));
        assert_eq!(growth(&[(2..3, "")]), (-1, -1, Ordering::Less));
        let nested = [(0..7, "x"), (2..3, "a + a + a"), (0..1, "g")];
        assert_eq!(growth(&nested), (-5, -6, Ordering::Greater));
    }

    #[test]
    fn an_edit_may_open_a_string_or_close_it() {
        check("f(\"a b\", c)", &[(2..3, "")], "f(a b\", c)");
        check("f(a, \"b\")", &[(2..3, "\"")], "f(\", \"b\")");
    }

    #[test]
    fn a_range_has_the_edits_inside_of_it() {
        let text = Arc::from("f(a, b) + c");
        let base = SourceTree::single(Utf8PathBuf::from("a.rs"), text);
        let file = base.root();
        let mut set = EditSet::new();
        set.add(Edit::replace(file, &(2..3), "x"));
        set.add(Edit::delete(file, &(8..11)));
        assert_eq!(set.text_within(&base, file, &(2..7)), "x, b)");
    }

    #[test]
    fn untouched_files_keep_their_allocation() {
        let mut base = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from("mod b;"));
        let b = base.add(Utf8PathBuf::from("b.rs"), Arc::from("fn f() {}"));
        let a = base.root();
        let mut set = EditSet::new();
        set.add(Edit::delete(a, &(0..6)));
        let result = set.apply(&base);
        assert!(Arc::ptr_eq(&result.shared_text(b), &base.shared_text(b)));
    }

    #[test]
    fn a_dropped_file_is_gone() {
        let mut base = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from("mod b;"));
        let b = base.add(Utf8PathBuf::from("b.rs"), Arc::from("fn f() {}"));
        let mut set = EditSet::new();
        set.drop_file(b);
        assert_eq!(set.apply(&base).files().count(), 1);
    }
}
