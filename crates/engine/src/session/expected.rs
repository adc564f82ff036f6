//! Candidates whose expected value is recomputed: with a good version, that version says what is right,
//! so that a smaller setup need not have the answer of the larger one.

use super::state::Session;
use super::verdicts::Known;
use crate::Failure;
use crate::candidate::Candidate;
use reduce_oracle::Verdict;
use reduce_passes::{FailedAt, FailedComparison, halting_at_loops, with_expected_value};
use reduce_syntax::SourceTree;

impl Session<'_> {
    /// Does some work in which candidates expect the values that the good version computes. For each
    /// question that version is run once more, which is counted with the looks.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn recomputing<T: Default>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let before = self.ledger.figures.queries;
        self.mode.recomputes = true;
        let result = self.interruptibly(work);
        self.mode.recomputes = false;
        self.ledger.final_checks += self.ledger.figures.queries - before;
        result
    }

    /// Returns a candidate with the value that the good version computes in place of the value that the
    /// candidate expects; unchanged where values are not recomputed.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn expecting_anew(&mut self, candidate: Candidate) -> Result<Candidate, Failure> {
        if !self.mode.recomputes || !self.best.is_beaten_by(&candidate) {
            return Ok(candidate);
        }
        if let Known::Verdict(_, verdict) = self.recall(&candidate)
            && !may_expect_otherwise(&verdict)
        {
            return Ok(candidate);
        }
        if adds_loop(&candidate.tree, &self.best().tree) {
            return Ok(candidate);
        }
        let compared = self
            .tools
            .in_turn(|oracle, cancel| oracle.compared_with_good_version(&candidate, cancel))?;
        let tree = compared.and_then(|compared| {
            let failed = FailedComparison {
                at: FailedAt {
                    path: &compared.path,
                    line: usize::try_from(compared.line).ok()?,
                    column: usize::try_from(compared.column).ok()?,
                },
                left: &compared.left,
                right: &compared.right,
            };
            with_expected_value(&candidate.tree, &failed)
        });
        Ok(match tree {
            Some(tree) => candidate.with_tree(tree),
            None => candidate,
        })
    }
}

/// Whether a program may come to a `loop {}` that was not there before: then it would run until its
/// deadline.
fn adds_loop(tree: &SourceTree, before: &SourceTree) -> bool {
    let has_loop = |tree| halting_at_loops(tree, 1).is_some();
    has_loop(tree) && !has_loop(before)
}

/// Whether a candidate may have this verdict because of the value that it expects.
fn may_expect_otherwise(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Rejected | Verdict::Compiles | Verdict::OtherCrash(_)
    )
}
