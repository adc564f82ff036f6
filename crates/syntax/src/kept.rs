//! What an edited text has kept of the text that it was made of.

use crate::cursor::TokenCursor;
use std::ops::Range;

/// A part of the base text that an edited text has too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    /// Its bytes in the base text.
    pub(crate) base: Range<usize>,
    /// Where it begins in the edited text.
    pub(crate) start: usize,
}

/// All that an edited text has kept of its base, in ascending order in both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptParts(Vec<Kept>);

/// In place of a part that was replaced, so many runs of tokens are looked for of what stood there.
const MOST_RUNS: usize = 64;

impl Kept {
    /// The byte after it in the edited text.
    pub(crate) fn end(&self) -> usize {
        self.start + self.base.len()
    }
}

impl KeptParts {
    /// Of a text that was not edited.
    pub(crate) fn all(text: &str) -> Self {
        let base = 0..text.len();
        Self(Vec::from([Kept { base, start: 0 }]))
    }

    /// The parts that no edit touched, and what edits took away and put back: where an expression
    /// stands in place of one that was around it, it was kept.
    pub(crate) fn new(base: &str, text: &str, untouched: &[Kept]) -> Self {
        let mut all = Self::default();
        let (mut from, mut at) = (0, 0);
        for part in untouched {
            all.put_back(base, from..part.base.start, text, at..part.start);
            all.0.push(part.clone());
            (from, at) = (part.base.end, part.end());
        }
        all.put_back(base, from..base.len(), text, at..text.len());
        all.0.retain(|part| !part.base.is_empty());
        all
    }

    /// Adds the tokens of what was put in place of a part, if all names in it stood there before.
    /// Brackets are kept in pairs only.
    fn put_back(&mut self, base: &str, gone: Range<usize>, text: &str, new: Range<usize>) {
        if gone.is_empty() || text[new.clone()].trim().is_empty() {
            return;
        }
        let before = TokenCursor::new(&base[gone.clone()]);
        let after = TokenCursor::new(&text[new.clone()]);
        let same = same_tokens(&before, &after);
        let is_new = |idx: usize| after.is_name(idx) && same[idx].is_none();
        if after.indices().any(is_new) {
            return;
        }
        for (idx, same_before) in same.iter().enumerate() {
            let Some(known) = *same_before else { continue };
            let partner = after.partner(idx).map(|other| same[other]);
            let is_single = partner.is_none() && !is_bracket(after.word(idx));
            let is_pair = || {
                partner
                    .flatten()
                    .is_some_and(|it| before.partner(known) == Some(it))
            };
            if is_single || is_pair() {
                let range = before.range(known);
                self.0.push(Kept {
                    base: gone.start + range.start..gone.start + range.end,
                    start: new.start + after.range(idx).start,
                });
            }
        }
    }

    /// Where some bytes of the base begin in the edited text, if they were kept together.
    #[must_use]
    pub fn find(&self, base: &Range<usize>) -> Option<usize> {
        let next = self.0.partition_point(|part| part.base.start <= base.start);
        let part = &self.0[next.checked_sub(1)?];
        let is_kept = base.end <= part.base.end;
        is_kept.then(|| part.start + base.start - part.base.start)
    }

    /// Whether a byte of the edited text comes from the base.
    #[must_use]
    pub fn has(&self, at: usize) -> bool {
        let next = self.0.partition_point(|part| part.start <= at);
        next > 0 && at < self.0[next - 1].end()
    }

    /// The bytes of the base, of so many, that were not kept.
    #[must_use]
    pub fn gone(&self, len: usize) -> Vec<Range<usize>> {
        let parts = self.0.iter().map(|part| part.base.clone());
        between(parts, len)
    }

    /// The bytes of the edited text, of so many, that do not come from the base.
    #[must_use]
    pub fn new_parts(&self, len: usize) -> Vec<Range<usize>> {
        let parts = self.0.iter().map(|part| part.start..part.end());
        between(parts, len)
    }
}

fn between(parts: impl Iterator<Item = Range<usize>>, len: usize) -> Vec<Range<usize>> {
    let mut end = 0;
    let ends = parts.chain(std::iter::once(len..len));
    let between = ends.map(|part| std::mem::replace(&mut end, part.end)..part.start);
    between.filter(|range| !range.is_empty()).collect()
}

fn is_bracket(token: &str) -> bool {
    matches!(token, "(" | ")" | "[" | "]" | "{" | "}")
}

/// For each token of the text after an edit the same one before it, in ascending order: always the
/// longest run of tokens that both have from where the last one ended.
fn same_tokens(before: &TokenCursor<'_>, after: &TokenCursor<'_>) -> Vec<Option<usize>> {
    let mut same = vec![None; after.len()];
    let (mut from, mut at, mut n_runs) = (0, 0, 0);
    while at < after.len() && n_runs < MOST_RUNS {
        let run = |start: usize| {
            let pairs = (start..before.len()).zip(at..after.len());
            let is_same = |(b, a): &(usize, usize)| before.word(*b) == after.word(*a);
            pairs.take_while(is_same).count()
        };
        let starts = (from..before.len()).rev();
        let longest = starts
            .map(|start| (run(start), start))
            .max_by_key(|(len, _)| *len);
        let (len, start) = longest.unwrap_or_default();
        (0..len).for_each(|idx| same[at + idx] = Some(start + idx));
        (from, at, n_runs) = (from.max(start + len), at + len.max(1), n_runs + 1);
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Edit, EditSet};
    use crate::source::SourceTree;
    use std::sync::Arc;

    /// What is kept of a text of which a part, between `<<` and `>>`, is replaced; tokens that are new
    /// stand in parentheses.
    #[track_caller]
    fn check(text: &str, by: &str, expected: &str) {
        let (start, end) = (text.find("<<").unwrap(), text.find(">>").unwrap() - 2);
        let base = text.replace("<<", "").replace(">>", "");
        let base = SourceTree::single("a.rs".into(), Arc::from(base));
        let mut edits = EditSet::new();
        edits.add(Edit::replace(base.root(), &(start..end), by));
        let edited = edits.apply(&base);
        let kept = edited.kept(base.root(), &base);
        let kept = kept.expect("it was made of the base");
        let cursor = TokenCursor::new(edited.text(base.root()));
        let shown: Vec<String> = cursor
            .indices()
            .map(|idx| match kept.has(cursor.range(idx).start) {
                true => cursor.word(idx).to_owned(),
                false => format!("({})", cursor.word(idx)),
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn what_an_edit_does_not_touch_is_kept() {
        check("a <<b>> c", "", "a c");
        check("a <<b>> c", "d", "a (d) c");
    }

    #[test]
    fn what_is_put_in_place_of_what_was_around_it_is_kept() {
        check("x = <<f(a.b(c), d)>>;", "a.b(c)", "x = a . b ( c ) ;");
        check(
            "x = <<f(a.b(c, d), e)>>;",
            "a.b( d);",
            "x = a . b ( d ) (;) ;",
        );
    }

    #[test]
    fn what_has_a_new_name_is_new() {
        check("<<{ a; b }>>", "{ loop {} }", "({) (loop) ({) (}) (})");
    }

    #[test]
    fn brackets_are_kept_in_pairs() {
        check(
            "<<{ if a { b { c } } d }>>",
            "{ loop {} }",
            "({) (loop) ({) (}) (})",
        );
    }

    #[test]
    fn bytes_are_found_where_they_are_now() {
        let base = SourceTree::single("a.rs".into(), Arc::from("a b c"));
        let mut edits = EditSet::new();
        edits.add(Edit::delete(base.root(), &(0..2)));
        edits.add(Edit::replace(base.root(), &(4..5), "d"));
        let kept = edits.apply(&base).kept(base.root(), &base).unwrap();
        assert_eq!((kept.find(&(2..3)), kept.find(&(0..1))), (Some(0), None));
        assert_eq!(kept.gone(5), [0..2, 4..5]);
        assert_eq!(kept.new_parts(3).last(), Some(&(2..3)));
    }

    #[test]
    fn a_tree_is_made_of_itself_and_of_what_it_is_an_edit_of() {
        let base = SourceTree::single("a.rs".into(), Arc::from("a b c"));
        let mut edits = EditSet::new();
        edits.add(Edit::delete(base.root(), &(0..2)));
        let edited = edits.apply(&base);
        assert!(base.is_made_of(&base) && edited.is_made_of(&base) && !base.is_made_of(&edited));
        let same = SourceTree::single("a.rs".into(), Arc::from("a b c"));
        assert!(!same.is_made_of(&base) && same.kept(base.root(), &base).is_none());
    }
}
