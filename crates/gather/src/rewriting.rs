//! Edits a text by its bytes or by its tokens.

use camino::Utf8PathBuf;
use reduce_syntax::{Edit, EditSet, SourceTree, TokenCursor};
use std::ops::Range;
use std::sync::Arc;

/// Replaces the text in each of these ranges by another one. Of ranges that contain each other the outermost counts.
pub(crate) fn with_replaced(
    text: &str,
    replaced: impl IntoIterator<Item = (Range<usize>, impl AsRef<str>)>,
) -> String {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let mut edits = EditSet::new();
    for (range, by) in replaced {
        edits.add(Edit::replace(sources.root(), &range, by.as_ref()));
    }
    edits.apply(&sources).text(sources.root()).to_owned()
}

/// Applies the edits that `find` makes with a text's tokens.
pub(crate) fn rewrite<'t>(text: &'t str, find: impl FnOnce(&mut Rewriting<'t>)) -> String {
    let mut rewriting = Rewriting {
        cursor: TokenCursor::new(text),
        replaced: Vec::new(),
    };
    find(&mut rewriting);
    with_replaced(text, rewriting.replaced)
}

/// Applies the edits that `find` makes at each token of a text.
pub(crate) fn rewrite_tokens(text: &str, find: impl Fn(&mut Rewriting<'_>, usize)) -> String {
    rewrite(text, |rewriting| {
        let all = rewriting.cursor.indices();
        all.for_each(|idx| find(rewriting, idx));
    })
}

/// Replaces the words for which `find` returns another word.
pub(crate) fn with_words_at(
    text: &str,
    find: impl Fn(&TokenCursor<'_>, usize) -> Option<String>,
) -> String {
    rewrite_tokens(text, |rewriting, idx| {
        if let Some(word) = find(&rewriting.cursor, idx) {
            rewriting.replace(idx, &word);
        }
    })
}

/// A text and the changes to it, by the indices of its tokens.
pub(crate) struct Rewriting<'t> {
    pub(crate) cursor: TokenCursor<'t>,
    replaced: Vec<(Range<usize>, String)>,
}

impl Rewriting<'_> {
    /// Puts `text` before a token.
    pub(crate) fn insert(&mut self, idx: usize, text: &str) {
        self.insert_at(self.cursor.range(idx).start, text);
    }

    /// Puts `text` at a byte.
    pub(crate) fn insert_at(&mut self, at: usize, text: &str) {
        self.replaced.push((at..at, text.to_owned()));
    }

    /// Puts `text` in the place of a token.
    pub(crate) fn replace(&mut self, idx: usize, text: &str) {
        self.replace_all(&(idx..idx + 1), text);
    }

    /// Puts `text` in the place of some tokens.
    pub(crate) fn replace_all(&mut self, tokens: &Range<usize>, text: &str) {
        let range = self.cursor.bytes_of(tokens);
        self.replaced.push((range, text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_edited_by_its_tokens() {
        let text = rewrite("a /* b */ c(d)", |rewriting| {
            rewriting.insert(1, "x ");
            rewriting.replace(3, "y");
            rewriting.replace_all(&(0..1), "z");
        });
        assert_eq!(text, "z /* b */ x c(y)");
        assert_eq!(rewrite("a", |_| {}), "a");
    }

    #[test]
    fn what_stands_in_a_replaced_range_goes_with_it() {
        let replaced = [(2..3, "x"), (0..5, "(y)"), (6..7, "z")];
        assert_eq!(with_replaced("a b c d", replaced), "(y) z");
    }
}
