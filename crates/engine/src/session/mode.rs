//! What a session is doing at the moment, and what holds while it does: the stage and its round, which
//! candidates are welcome, and whether all should come to its end.

use super::stop::Stop;
use crate::candidate::Candidate;
use crate::request::Stage;
use reduce_oracle::Cancel;
use reduce_passes::std_words;
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// At most so often is progress reported.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// With so many candidates in vain, no more loops are tried.
const MOST_ROUNDS_IN_VAIN: usize = 10;

/// What is being done.
#[derive(Debug)]
pub(crate) struct Mode {
    /// Whether what is under way should come to its end.
    pub(super) stop: Stop,
    pub(super) stage: Stage,
    /// Round of the fixpoint, from 1.
    pub(super) round: u32,
    /// Whether a candidate may be larger than the best so far.
    pub(super) accepts_any_size: bool,
    /// What is accepted now may not last.
    pub(super) is_on_detour: bool,
    /// Whether candidates expect what the good version computes.
    pub(super) recomputes: bool,
    /// Whether an interrupted job goes on from what is accepted now.
    pub(super) keeps_checkpoints: bool,
    /// How many candidates there were with rounds in place of a loop since such a loop went.
    rounds_in_vain: usize,
    /// Whether functions in place of their calls have brought nothing.
    has_inlined_in_vain: bool,
    std_limit: StdLimit,
    /// The step after which the best so far is run again; `None` where the failure need not show in
    /// each run.
    next_look: Option<u64>,
    last_progress: Option<Instant>,
}

/// The only words of the standard library that a candidate may have, if that is asked for.
#[derive(Debug, Default)]
pub(crate) struct StdLimit(Option<BTreeSet<String>>);

impl Mode {
    /// Nothing is being done yet.
    pub(super) fn new(user: &Cancel) -> Self {
        Self {
            stop: Stop::new(user),
            stage: Stage::KeepSlice,
            round: 0,
            accepts_any_size: false,
            is_on_detour: false,
            recomputes: false,
            keeps_checkpoints: true,
            rounds_in_vain: 0,
            has_inlined_in_vain: false,
            std_limit: StdLimit::default(),
            next_look: None,
            last_progress: None,
        }
    }

    /// From now on, candidates may only have the words of the standard library that this program has:
    /// else what is shorter by its names would come back. Returns the earlier limit.
    pub(crate) fn limit_std(&mut self, program: &SourceTree) -> StdLimit {
        let limit = StdLimit(Some(std_words(program)));
        std::mem::replace(&mut self.std_limit, limit)
    }

    /// Back to an earlier limit.
    pub(crate) fn restore_std_limit(&mut self, limit: StdLimit) {
        self.std_limit = limit;
    }

    /// Whether rounds may stand in place of loops. Nearly the same candidates would come again in each round otherwise.
    pub(crate) fn unrolls_loops(&self) -> bool {
        self.rounds_in_vain < MOST_ROUNDS_IN_VAIN
    }

    /// Counts candidates with rounds in place of a loop.
    pub(crate) fn note_rounds(&mut self, candidates: usize, has_paid: bool) {
        self.rounds_in_vain = match has_paid {
            true => 0,
            false => self.rounds_in_vain + candidates,
        };
    }

    /// Whether functions may stand in place of all their calls: not while something else is on trial, or once that has brought
    /// nothing.
    pub(crate) fn inlines_calls(&self) -> bool {
        !self.is_on_detour && !self.has_inlined_in_vain
    }

    /// Notes whether that has made the program simpler.
    pub(crate) fn note_inlining(&mut self, has_paid: bool) {
        self.has_inlined_in_vain = !has_paid;
    }

    /// Whether candidates expect another value than they are proposed with.
    pub(crate) fn recomputes(&self) -> bool {
        self.recomputes
    }

    /// Whether a candidate has no word of the standard library but those that it may have.
    pub(super) fn allows_words_of(&self, candidate: &Candidate) -> bool {
        let limit = self.std_limit.0.as_ref();
        limit.is_none_or(|limit| std_words(&candidate.tree).is_subset(limit))
    }

    /// From now on the best so far is run again, each time when there are twice as many steps.
    pub(super) fn begin_looking(&mut self) {
        self.next_look = Some(1);
    }

    /// Whether the best so far is to be run again after so many steps. Then that is done for now.
    pub(super) fn takes_a_look(&mut self, steps: u64) -> bool {
        let is_due = self.next_look.is_some_and(|next| steps >= next) && !self.is_on_detour;
        if is_due {
            self.next_look = Some(2 * steps);
        }
        is_due
    }

    /// Whether progress is to be reported, as that was not done a moment ago. Then that is done for
    /// now.
    pub(super) fn takes_progress(&mut self) -> bool {
        let last = self.last_progress;
        let is_due = last.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL);
        if is_due {
            self.last_progress = Some(Instant::now());
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Terms;
    use std::sync::Arc;

    fn mode() -> Mode {
        Mode::new(&Cancel::new().expect("a pipe can be made"))
    }

    fn tree(text: &str) -> SourceTree {
        SourceTree::single("lib.rs".into(), Arc::from(text))
    }

    #[test]
    fn looks_come_at_twice_as_many_steps_each_time() {
        let mut mode = mode();
        assert!(!mode.takes_a_look(5));
        mode.begin_looking();
        let looks = (0..20).filter(|steps| mode.takes_a_look(*steps));
        assert_eq!(looks.collect::<Vec<_>>(), [1, 2, 4, 8, 16]);
    }

    #[test]
    fn nothing_is_looked_at_on_a_detour() {
        let mut mode = mode();
        mode.begin_looking();
        mode.is_on_detour = true;
        assert!(!mode.takes_a_look(5));
        mode.is_on_detour = false;
        assert!(mode.takes_a_look(5));
    }

    #[test]
    fn the_words_of_std_are_limited_until_an_earlier_limit_is_back() {
        let mut mode = mode();
        let allows = |mode: &Mode, text| {
            let (tree, terms) = (tree(text), Terms::default());
            mode.allows_words_of(&Candidate { tree, terms })
        };
        let before = mode.limit_std(&tree("fn f(a: Vec<u8>) {}"));
        assert!(allows(&mode, "fn f(a: Vec<u8>, b: Vec<u8>) {}"));
        assert!(!allows(&mode, "fn f(a: String) {}"));
        mode.restore_std_limit(before);
        assert!(allows(&mode, "fn f(a: String) {}"));
    }
}
