//! Which linked crates could not be moved into the program, and when they are tried again.

use super::Session;
use crate::question::Crates;
use crate::store::Digest;
use reduce_syntax::Edition;
use std::collections::HashMap;

/// Moves that failed, by unit, or of the program itself, and kind.
#[derive(Debug, Default)]
pub(super) struct Moves {
    failed: HashMap<(Option<usize>, &'static str), State>,
    /// Those of its candidates that ran out of time, by the same.
    late: HashMap<(Option<usize>, &'static str), Vec<Digest>>,
}

impl Moves {
    /// Lets everything be tried again.
    pub(super) fn forget_failed(&mut self) {
        self.failed.clear();
        self.late.clear();
    }
}

/// The program for which a move failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    tokens: u64,
    digest: Digest,
}

/// When a move that failed is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// When the program is half as large.
    Smaller,
    /// When it is another.
    Changed,
}

impl<'r> Session<'r> {
    /// The crates that the program may be linked with.
    pub(crate) fn runs_programs(&self) -> bool {
        self.tools.oracle.runs_programs()
    }

    /// The path of the test that fails, if it may still become a `main`.
    pub(crate) fn test(&self) -> Option<String> {
        let is_main = self.best.terms.is_main;
        self.tools.oracle.test().filter(|_| !is_main)
    }

    pub(crate) fn crates(&self) -> Option<&'r Crates> {
        self.tools.oracle.crates()
    }

    /// The edition of the best so far, if it is one that we know.
    pub(crate) fn edition(&self) -> Option<Edition> {
        self.tools.oracle.edition(&self.best.terms)
    }

    /// Whether a move has not failed yet, or may succeed now.
    pub(crate) fn is_worth_moving(
        &self,
        unit: Option<usize>,
        kind: &'static str,
        again: Again,
    ) -> bool {
        let now = self.state();
        match (self.moves.failed.get(&(unit, kind)), again) {
            (None, _) => true,
            (Some(then), Again::Smaller) => now.tokens * 2 <= then.tokens,
            (Some(then), Again::Changed) => now != *then,
        }
    }

    /// Notes a move that failed, whose candidates were asked about after so many others had run out of
    /// time.
    pub(crate) fn note_unmoved(
        &mut self,
        unit: Option<usize>,
        kind: &'static str,
        late_before: usize,
    ) {
        let now = self.state();
        self.moves.failed.insert((unit, kind), now);
        let late = self.late_since(late_before);
        self.moves.late.insert((unit, kind), late);
    }

    /// The candidates that ran out of time with which a crate would have been moved that is still linked.
    pub(super) fn late_moves(&self) -> Vec<Digest> {
        let linked = self.best.terms.linkage.named();
        let is_open = |unit: Option<usize>| unit.is_none_or(|unit| linked.contains(&unit));
        let late = self.moves.late.iter();
        let late = late.filter(|((unit, _), _)| is_open(*unit));
        late.flat_map(|(_, keys)| keys.iter().copied()).collect()
    }

    fn state(&self) -> State {
        State {
            tokens: self.best_size.tokens,
            digest: self.best.tree.digest(),
        }
    }
}
