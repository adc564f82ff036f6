//! Describes how two versions of a program differ, so that one difference can be told from another.
//!
//! The difference, where it is reduced, must not become another one: what failed for `<` in place of `<=` has to
//! go on doing so. So a candidate may have less of the difference, and other names in it, but nothing new.

use super::alignment::aligned;
use super::{Side, version_of};
use reduce_syntax::{TokenKind, tokens};
use std::ops::Range;

/// The word that stands for each name and path in the shape of a difference.
const NAME: &str = "name";
/// The words that may be parts of a path besides names.
const PATH_WORDS: [&str; 6] = ["::", "crate", "self", "Self", "super", "$"];

/// The places at which two versions differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference(Vec<Place>);

/// The words that the two versions have at a place where they differ. Names and fields are only told to be such.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    before: Vec<String>,
    after: Vec<String>,
}

impl Difference {
    /// Returns the difference between the two versions in one text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let [before, after] = Side::ALL.map(|side| version_of(text, side));
        Self::between(&before, &after)
    }

    /// Returns the difference between two texts.
    #[must_use]
    pub fn between(before: &str, after: &str) -> Self {
        let (before, after) = (words(before), words(after));
        let shapes = |words: &[Word]| {
            let mut shapes: Vec<String> = words.iter().map(|word| word.shape.clone()).collect();
            shapes.dedup_by(|one, other| one == NAME && other == NAME);
            shapes
        };
        let place = |(b, a): (Range<usize>, Range<usize>)| Place {
            before: shapes(&before[b]),
            after: shapes(&after[a]),
        };
        let hunks = near_ones_joined(hunks(&before, &after), &before);
        let places = hunks.into_iter().map(place);
        Self(places.collect())
    }

    /// Returns whether the two versions are equal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the places of another difference to this one.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns whether each place of this difference is a place of another one, or a part of one.
    #[must_use]
    pub fn is_part_of(&self, other: &Self) -> bool {
        let is_known = |place: &Place| other.0.iter().any(|whole| place.is_part_of(whole));
        self.0.iter().all(is_known)
    }
}

impl Place {
    fn is_part_of(&self, whole: &Self) -> bool {
        is_side_part(&self.before, &whole.before) && is_side_part(&self.after, &whole.after)
    }
}

/// Returns whether `part` is a part of `whole`, and not empty unless `whole` is.
fn is_side_part(part: &[String], whole: &[String]) -> bool {
    part.is_empty() == whole.is_empty() && is_subsequence(part, whole)
}

fn is_subsequence(part: &[String], whole: &[String]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|word| rest.any(|one| one == word))
}

/// A token in the text of a version.
pub(super) struct Word {
    pub(super) range: Range<usize>,
    pub(super) text: String,
    shape: String,
}

/// A place where two texts differ: the indices of the words that only the first has, and of those that only the second has.
pub(super) type Hunk = (Range<usize>, Range<usize>);

/// Returns the places at which two lists of words differ.
pub(super) fn hunks(before: &[Word], after: &[Word]) -> Vec<Hunk> {
    let keys = |words: &[Word]| -> Vec<Option<String>> {
        words.iter().map(|word| Some(word.text.clone())).collect()
    };
    let pairs = aligned(&keys(before), &keys(after)).into_iter();
    let (mut b, mut a) = (0, 0);
    let hunks = pairs
        .chain([(before.len(), after.len())])
        .map(|(next_b, next_a)| {
            let hunk = (b..next_b, a..next_a);
            (b, a) = (next_b + 1, next_a + 1);
            hunk
        });
    hunks
        .filter(|(b, a)| !b.is_empty() || !a.is_empty())
        .collect()
}

/// The most words between two changes that are still taken for one.
const MOST_WITHIN: usize = 8;

/// Joins changes that are within one expression: where two operands were swapped, one of them alone must not go.
fn near_ones_joined(hunks: Vec<Hunk>, before: &[Word]) -> Vec<Hunk> {
    let is_end = |word: &Word| [";", ",", "{", "}"].contains(&word.text.as_str());
    let mut joined: Vec<Hunk> = Vec::new();
    for (b, a) in hunks {
        match joined.last_mut() {
            Some(last)
                if b.start - last.0.end <= MOST_WITHIN
                    && !before[last.0.end..b.start].iter().any(is_end) =>
            {
                (last.0.end, last.1.end) = (b.end, a.end);
            }
            _ => joined.push((b, a)),
        }
    }
    joined
}

/// Returns the tokens of a text, without those that the compiler ignores, such as comments.
pub(super) fn words(text: &str) -> Vec<Word> {
    let all = tokens(text).into_iter().filter(|token| !token.is_doc());
    let mut is_field = false;
    all.map(|token| {
        let word = &text[token.range()];
        let is_name = token.kind.is_name() && !is_keyword(word);
        let is_field_number = is_field && token.kind == TokenKind::Integer;
        let is_named = is_name || is_field_number || PATH_WORDS.contains(&word);
        is_field = word == ".";
        Word {
            range: token.range(),
            text: word.to_owned(),
            shape: if is_named { NAME } else { word }.to_owned(),
        }
    })
    .collect()
}

/// Returns whether a word is a keyword or another word with a fixed meaning.
fn is_keyword(word: &str) -> bool {
    syn::parse_str::<syn::Ident>(word).is_err() || matches!(word, "true" | "false")
}
