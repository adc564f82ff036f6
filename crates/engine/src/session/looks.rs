//! Looks at the best so far: whether it still fails when it is run once more, now and then while it is
//! reduced. A search that has accepted something by luck would build on it, and a compiler that was
//! replaced meanwhile would answer about another program.

use super::Session;
use crate::candidate::Candidate;
use crate::failure::Failure;
use reduce_oracle::{Cancel, Verdict};

/// When the best so far is run again: each time there are twice as many steps.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// `None` where the failure need not show in each run.
    next: Option<u64>,
    /// Runs that were made.
    runs: u64,
    /// A state that did not fail when it was run again.
    lost: Option<Candidate>,
}

impl Session<'_> {
    /// From now on the best so far must fail whenever it is run; `refuted` is raised where another look
    /// says that it does not, and stops the search.
    pub(crate) fn expect_stable(&mut self, refuted: Cancel) {
        self.looks.next = Some(1);
        self.cancel.refuted = Some(refuted);
    }

    /// Runs the best so far once more where that is due. Where it does not fail the search comes to its
    /// end.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(super) fn look_again(&mut self) -> Result<(), Failure> {
        let steps = self.figures.steps;
        let is_due = self.looks.next.is_some_and(|next| steps >= next);
        if !is_due || self.is_on_detour {
            return Ok(());
        }
        self.looks.next = Some(2 * steps);
        self.looks.runs += 1;
        let best = self.best.clone();
        let verdict = self.answer_about(&best)?.verdict;
        // What was stopped at a deadline may only have been slow.
        let is_open = matches!(verdict, Verdict::TimedOut | Verdict::Cancelled);
        if !verdict.is_interesting() && !is_open {
            self.looks.lost = Some(best);
            self.cancel.for_loss = true;
        }
        Ok(())
    }

    /// Runs that were made to look at the best so far.
    pub(crate) fn looks(&self) -> u64 {
        self.looks.runs
    }

    /// Whether the best so far did not fail when it was run again.
    pub(crate) fn is_lost(&self) -> bool {
        self.looks.lost.is_some()
    }

    /// What may be delivered, the best first: not what has been seen not to fail.
    pub(crate) fn results(&self) -> Vec<Candidate> {
        let best = std::iter::once(&self.best);
        let before = self
            .history
            .newest_first()
            .filter(|state| **state != self.best);
        let is_possible = |state: &&Candidate| self.looks.lost.as_ref() != Some(*state);
        best.chain(before).filter(is_possible).cloned().collect()
    }

    /// Makes an earlier state the result, in place of the best so far.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn go_back_to(&mut self, state: Candidate) -> Result<(), Failure> {
        self.keep_late_edit()?;
        self.show(&state)?;
        self.set_best(state);
        Ok(())
    }
}
