//! Where the bodies of macros are, in which a path may be meant for the crate that calls the macro.

use reduce_syntax::TokenCursor;
use std::ops::Range;

/// The definitions of macros, as tokens from bracket to bracket, in order. None contains another.
pub(crate) struct MacroBodies(Vec<Range<usize>>);

impl MacroBodies {
    pub(crate) fn new(cursor: &TokenCursor<'_>) -> Self {
        let mut bodies = Vec::new();
        let mut idx = 0;
        while idx < cursor.indices().end {
            idx = match body(cursor, idx) {
                Some(body) => {
                    bodies.push(body.clone());
                    body.end
                }
                None => idx + 1,
            }
        }
        Self(bodies)
    }

    /// Whether a token stands in a body.
    pub(crate) fn contains(&self, idx: usize) -> bool {
        let after = self.0.partition_point(|body| body.end <= idx);
        self.0.get(after).is_some_and(|body| body.start <= idx)
    }
}

/// The body of the macro that is defined at a token.
fn body(cursor: &TokenCursor<'_>, idx: usize) -> Option<Range<usize>> {
    let is_definition = cursor.is(idx, "macro_rules") && cursor.is(idx + 1, "!");
    let opening = [idx + 2, idx + 3, idx + 4];
    let mut opening = opening.into_iter().filter(|_| is_definition);
    let start = opening.find(|&at| matches!(cursor.word(at), "{" | "(" | "["))?;
    Some(start..cursor.skip_group(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_brackets_is_the_body() {
        let cursor = TokenCursor::new("a macro_rules! m { (b) => {} } c");
        let bodies = MacroBodies::new(&cursor);
        let inside: Vec<usize> = cursor
            .indices()
            .filter(|&idx| bodies.contains(idx))
            .collect();
        assert_eq!(inside, (4..12).collect::<Vec<_>>());
    }

    #[test]
    fn a_body_that_is_not_closed_ends_at_once() {
        let cursor = TokenCursor::new("macro_rules! m { a");
        assert!(!MacroBodies::new(&cursor).contains(4));
    }
}
