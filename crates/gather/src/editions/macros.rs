//! Where the bodies of macros are, in which a path may be meant for the crate that calls the macro.

use super::scan::Scan;
use std::ops::Range;

/// The definitions of macros, as tokens from bracket to bracket, in order. None contains another.
pub(crate) struct MacroBodies(Vec<Range<usize>>);

impl MacroBodies {
    pub(crate) fn new(scan: &Scan<'_>) -> Self {
        let mut bodies = Vec::new();
        let mut idx = 0;
        while idx < scan.indices().end {
            idx = match body(scan, idx) {
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
fn body(scan: &Scan<'_>, idx: usize) -> Option<Range<usize>> {
    let is_definition = scan.is(idx, "macro_rules") && scan.is(idx + 1, "!");
    let opening = [idx + 2, idx + 3, idx + 4];
    let mut opening = opening.into_iter().filter(|_| is_definition);
    let start = opening.find(|&at| matches!(scan.word(at), "{" | "(" | "["))?;
    Some(start..scan.skip(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_brackets_is_the_body() {
        let scan = Scan::new("a macro_rules! m { (b) => {} } c");
        let bodies = MacroBodies::new(&scan);
        let inside: Vec<usize> = scan.indices().filter(|&idx| bodies.contains(idx)).collect();
        assert_eq!(inside, (4..12).collect::<Vec<_>>());
    }

    #[test]
    fn a_body_that_is_not_closed_ends_at_once() {
        let scan = Scan::new("macro_rules! m { a");
        assert!(!MacroBodies::new(&scan).contains(4));
    }
}
