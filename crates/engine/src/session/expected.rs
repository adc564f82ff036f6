//! Candidates whose expected value is recomputed: a good version, or mends of the code under test, say what is right, so that a
//! smaller setup need not have the answer of the larger one.

use super::state::Session;
use super::verdicts::Known;
use crate::Failure;
use crate::candidate::Candidate;
use reduce_oracle::{CrashKind, Verdict};
use reduce_passes::halting_at_loops;
use reduce_syntax::SourceTree;

impl Session<'_> {
    /// Does some work in which candidates expect the values that are right for them. Each is run once more to find these, which is
    /// counted with the looks.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn recomputing<T: Default>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.mode.recomputes = true;
        let result = self.interruptibly(work);
        self.mode.recomputes = false;
        result
    }

    /// Puts the value that is right for a candidate in place of the value that it expects, where values are recomputed and it is known.
    /// Returns whether the candidate may show the same bug.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn expect_anew(&mut self, candidate: &mut Candidate) -> Result<bool, Failure> {
        if !self.mode.recomputes || !self.best.is_beaten_by(candidate) {
            return Ok(true);
        }
        let has_good = self.tools.oracle.has_good_version();
        let known = self.recall(candidate);
        let is_clear = matches!(known, Known::Verdict(_, verdict) if !may_expect_otherwise(&verdict, has_good));
        if is_clear
            || !self.is_plausible(candidate)
            || adds_loop(&candidate.tree, &self.best().tree)
        {
            return Ok(true);
        }
        let judged = self
            .tools
            .in_turn(|oracle, cancel| oracle.expecting_anew(candidate, cancel))?;
        self.ledger.final_checks += 1;
        let Some(judged) = judged else {
            return Ok(false);
        };
        if judged.is_decided {
            self.learn_interesting(&judged.candidate);
        }
        *candidate = judged.candidate;
        Ok(true)
    }
}

/// Whether a program may come to a `loop {}` that was not there before: then it would run until its
/// deadline.
fn adds_loop(tree: &SourceTree, before: &SourceTree) -> bool {
    let has_loop = |tree| halting_at_loops(tree, 1).is_some();
    has_loop(tree) && !has_loop(before)
}

/// Whether a candidate may have this verdict because of the value that it expects. Without a good version a test that passes has lost
/// the bug, and another failure than one of the test's own is another bug.
fn may_expect_otherwise(verdict: &Verdict, has_good: bool) -> bool {
    match verdict {
        Verdict::Rejected => true,
        Verdict::Compiles => has_good,
        Verdict::OtherCrash(other) => {
            has_good || other.kind.is_of_test() || other.kind == CrashKind::OtherOutcome
        }
        _ => false,
    }
}
