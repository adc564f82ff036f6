//! Work under other rules than usual: larger candidates are accepted, accepted programs may not last,
//! or an interrupted job does not go on from them.

use super::state::Session;
use crate::Failure;
use crate::candidate::Candidate;
use crate::request::Stage;
use reduce_oracle::Cancel;
use reduce_syntax::interruptible;

impl Session<'_> {
    /// Does some of our own work, which ends as soon as the search has no use for it any more: it returns nothing then, and
    /// what it has accepted until then stays.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn interruptibly<T: Default>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let is_over = self.mode.stop.asks();
        interruptible(is_over, || work(self)).unwrap_or_else(|| {
            // Its names may be half resolved.
            self.best.forget_program();
            Ok(T::default())
        })
    }

    /// Does some work in which a candidate may be larger than the best so far.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn of_any_size<T: Default>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.mode.accepts_any_size = true;
        let result = self.interruptibly(work);
        self.mode.accepts_any_size = false;
        result
    }

    /// Does some work on trial, and goes back to the program before unless `has_paid` says that the
    /// work was worth it. What is accepted on the way is neither kept nor counted as a step. An end
    /// that is larger stays even if the search is stopped. Returns whether it paid.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn on_trial(
        &mut self,
        stage: Stage,
        work: impl FnOnce(&mut Self) -> Result<(), Failure>,
        has_paid: impl FnOnce(&Self, &Candidate) -> bool,
    ) -> Result<bool, Failure> {
        let before = self.best().clone();
        let was_on_detour = std::mem::replace(&mut self.mode.is_on_detour, true);
        let result = self.interruptibly(work);
        self.mode.is_on_detour = was_on_detour;
        let after = self.best().clone();
        self.best.replace(before);
        let has_paid = has_paid(self, &after);
        if has_paid {
            let had_grown = self.best.has_grown();
            self.start_stage(stage, self.mode.round);
            self.accept(after)?;
            if !had_grown {
                self.best.take_before_growth();
            }
        }
        result.map(|()| has_paid)
    }

    /// Does some work whose steps are no checkpoints: an interrupted job repeats it instead. What
    /// was asked before in another form of the program has its verdicts for that form.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn without_checkpoints<T: Default>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.mode.keeps_checkpoints = false;
        let result = self.interruptibly(work);
        self.mode.keeps_checkpoints = true;
        result
    }

    /// Runs the best so far again from time to time from now on; where it does not fail, `refuted`
    /// is raised and stops the search.
    pub(crate) fn expect_stable(&mut self, refuted: Cancel) {
        self.mode.begin_looking();
        self.mode.stop.refuted = Some(refuted);
    }
}
