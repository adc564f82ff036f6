//! The mode of a session: its stage and round, the rules for candidates, and whether it should end.

use super::stop::Stop;
use crate::candidate::Candidate;
use crate::request::Stage;
use crate::store::Digest;
use reduce_passes::std_words;
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The shortest time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The number of failed candidates after which no more loops are unrolled.
const MOST_ROUNDS_IN_VAIN: usize = 10;

/// The percentage of the tokens at that time down to which the program must shrink for loops to be tried again. Functions in
/// place of their calls are tried again too, and so is a test that is written anew.
const MUCH_SMALLER: u64 = 75;

/// The mode of a session: the stage under way, and the rules for its candidates.
#[derive(Debug)]
pub(crate) struct Mode {
    /// The reasons why the work under way should come to its end.
    pub(super) stop: Stop,
    pub(super) stage: Stage,
    /// The slice that the last search for slices has found.
    pub(crate) slice: Slice,
    /// The round of the fixpoint that is under way, from 1.
    pub(super) round: u32,
    /// Whether a candidate may be larger than the best so far.
    pub(super) accepts_any_size: bool,
    /// Whether accepted programs may not last, because they are on trial.
    pub(super) is_on_detour: bool,
    /// Whether candidates are made to expect the values that the good version computes.
    pub(super) recomputes: bool,
    /// Whether accepted programs become checkpoints, from which an interrupted job goes on.
    pub(super) keeps_checkpoints: bool,
    /// The failed trials with rounds of a loop in its place.
    rounds: InVain,
    /// The failed trials with functions in place of their calls.
    inlining: InVain,
    /// The trials with a test that is written anew.
    carving: InVain,
    std_limit: StdLimit,
    /// The digests of the programs of an earlier way, which are not accepted again.
    closed: BTreeSet<Digest>,
    /// The step after which the best so far is run again; `None` where the failure need not show in
    /// each run.
    next_look: Option<u64>,
    last_progress: Option<Instant>,
}

/// The limit of the words of the standard library that a candidate may have, if there is one.
#[derive(Debug, Default)]
pub(crate) struct StdLimit(Option<BTreeSet<String>>);

/// The number of failed trials since one has succeeded, and the size of the program at the last
/// one.
#[derive(Debug, Default)]
struct InVain {
    times: usize,
    tokens: u64,
}

impl InVain {
    /// Returns the number of failed trials; 0 where the program, of so many tokens, is much smaller
    /// by now.
    fn times(&self, tokens: u64) -> usize {
        let is_much_smaller = 100 * tokens <= MUCH_SMALLER * self.tokens;
        if is_much_smaller { 0 } else { self.times }
    }

    /// Counts so many trials with a program of so many tokens, or forgets all where one has
    /// succeeded.
    fn note(&mut self, times: usize, tokens: u64, has_paid: bool) {
        *self = match has_paid {
            true => Self::default(),
            false => Self {
                times: self.times(tokens) + times,
                tokens,
            },
        };
    }
}

/// The kind of slice that was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slice {
    /// No slice was accepted.
    Nothing,
    /// A slice of all that is reachable from the definitions which the crash names.
    OfDefinitions,
    /// A slice of the statements that the compiler points at, with everything that these need.
    OfStatements,
}

impl Mode {
    /// Makes the mode of a session that does nothing yet.
    pub(super) fn new(stop: Stop) -> Self {
        Self {
            stop,
            stage: Stage::KeepSlice,
            slice: Slice::Nothing,
            round: 0,
            accepts_any_size: false,
            is_on_detour: false,
            recomputes: false,
            keeps_checkpoints: true,
            rounds: InVain::default(),
            inlining: InVain::default(),
            carving: InVain::default(),
            std_limit: StdLimit::default(),
            closed: BTreeSet::new(),
            next_look: None,
            last_progress: None,
        }
    }

    /// Limits candidates from now on to the words of the standard library that this program has:
    /// otherwise a candidate that is shorter by its names would bring them back. Returns the earlier
    /// limit.
    pub(crate) fn limit_std(&mut self, program: &SourceTree) -> StdLimit {
        let limit = StdLimit(Some(std_words(program)));
        std::mem::replace(&mut self.std_limit, limit)
    }

    /// Closes an earlier way of the search: from now on, none of its programs is accepted.
    pub(crate) fn close_way(&mut self, programs: BTreeSet<Digest>) {
        self.closed = programs;
    }

    /// Returns whether a candidate is a program of an earlier way that is closed.
    pub(super) fn is_closed(&self, candidate: &Candidate) -> bool {
        !self.closed.is_empty() && self.closed.contains(&candidate.tree.digest())
    }

    /// Goes back to an earlier limit of the words of the standard library.
    pub(crate) fn restore_std_limit(&mut self, limit: StdLimit) {
        self.std_limit = limit;
    }

    /// Whether rounds may stand in place of loops in a program of so many tokens. Nearly the same candidates would come again
    /// in each round otherwise.
    pub(crate) fn unrolls_loops(&self, tokens: u64) -> bool {
        self.rounds.times(tokens) < MOST_ROUNDS_IN_VAIN
    }

    /// Notes candidates that put rounds in place of a loop of a program of so many tokens, and
    /// whether they have made it simpler.
    pub(crate) fn note_rounds(&mut self, candidates: usize, tokens: u64, has_paid: bool) {
        self.rounds.note(candidates, tokens, has_paid);
    }

    /// Whether functions may be tried in place of all their calls in a program of so many tokens: not while something else
    /// is on trial, or after that has failed.
    pub(crate) fn inlines_calls(&self, tokens: u64) -> bool {
        !self.is_on_detour && self.inlining.times(tokens) == 0
    }

    /// Notes whether functions in place of their calls have made a program of so many tokens
    /// simpler.
    pub(crate) fn note_inlining(&mut self, tokens: u64, has_paid: bool) {
        self.inlining.note(1, tokens, has_paid);
    }

    /// Whether a test of so many tokens may be written anew: not while something else is on trial, or after that was tried.
    pub(crate) fn carves(&self, tokens: u64) -> bool {
        !self.is_on_detour && self.carving.times(tokens) == 0
    }

    /// Notes that it was tried to write a test anew, which left so many tokens. It is tried again once the test is much smaller.
    pub(crate) fn note_carving(&mut self, tokens: u64) {
        self.carving.note(1, tokens, false);
    }

    /// Whether candidates are made to expect the values that the good version computes.
    pub(crate) fn recomputes(&self) -> bool {
        self.recomputes
    }

    /// Whether a candidate has only words of the standard library that are allowed.
    pub(super) fn allows_words_of(&self, candidate: &Candidate) -> bool {
        let limit = self.std_limit.0.as_ref();
        limit.is_none_or(|limit| std_words(&candidate.tree).is_subset(limit))
    }

    /// Lets the best so far be run again from now on, each time when there are twice as many steps. What the first step
    /// leaves of a large program may take as long as the input, which is run again anyway.
    pub(super) fn begin_looking(&mut self) {
        self.next_look = Some(2);
    }

    /// Whether the best so far has to be run again after so many steps. The run counts as done
    /// then.
    pub(super) fn takes_a_look(&mut self, steps: u64) -> bool {
        let is_due = self.next_look.is_some_and(|next| steps >= next) && !self.is_on_detour;
        if is_due {
            self.next_look = Some(2 * steps);
        }
        is_due
    }

    /// Whether progress has to be reported, as it was not reported a moment ago. The report counts
    /// as done then.
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
    use crate::candidate::CompileOptions;
    use crate::control::Control;
    use crate::request::Budget;
    use std::sync::Arc;

    fn mode() -> Mode {
        let control = Control::alone().expect("a pipe can be made");
        let clock = crate::clock::Clock::start(&control.pauses);
        Mode::new(Stop::new(&control, Budget::default(), clock))
    }

    fn tree(text: &str) -> SourceTree {
        SourceTree::single("lib.rs".into(), Arc::from(text))
    }

    #[test]
    fn loops_are_tried_again_once_one_has_paid_or_the_program_is_much_smaller() {
        let mut mode = mode();
        mode.note_rounds(6, 400, false);
        assert!(mode.unrolls_loops(400));
        mode.note_rounds(6, 380, false);
        assert!(!mode.unrolls_loops(380));
        assert!(!mode.unrolls_loops(290));
        assert!(mode.unrolls_loops(285));
        mode.note_rounds(9, 280, false);
        assert!(mode.unrolls_loops(280), "the first ones do not count");
        mode.note_rounds(1, 280, false);
        assert!(!mode.unrolls_loops(280));
        mode.note_rounds(3, 280, true);
        assert!(mode.unrolls_loops(280));
    }

    #[test]
    fn calls_are_inlined_again_once_the_program_is_much_smaller() {
        let mut mode = mode();
        assert!(mode.inlines_calls(100));
        mode.note_inlining(100, false);
        assert!(!mode.inlines_calls(100));
        assert!(mode.inlines_calls(70));
        mode.is_on_detour = true;
        assert!(!mode.inlines_calls(70));
    }

    #[test]
    fn a_test_is_written_anew_again_once_it_is_much_smaller() {
        let mut mode = mode();
        assert!(mode.carves(400));
        mode.note_carving(400);
        assert!(!mode.carves(320));
        assert!(mode.carves(300));
        mode.is_on_detour = true;
        assert!(!mode.carves(300));
    }

    #[test]
    fn looks_come_at_twice_as_many_steps_each_time() {
        let mut mode = mode();
        assert!(!mode.takes_a_look(5));
        mode.begin_looking();
        let looks = (0..20).filter(|steps| mode.takes_a_look(*steps));
        assert_eq!(looks.collect::<Vec<_>>(), [2, 4, 8, 16]);
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
            let (tree, compile_options) = (tree(text), CompileOptions::default());
            mode.allows_words_of(&Candidate {
                tree,
                compile_options,
            })
        };
        let before = mode.limit_std(&tree("fn f(a: Vec<u8>) {}"));
        assert!(allows(&mode, "fn f(a: Vec<u8>, b: Vec<u8>) {}"));
        assert!(!allows(&mode, "fn f(a: String) {}"));
        mode.restore_std_limit(before);
        assert!(allows(&mode, "fn f(a: String) {}"));
    }
}
