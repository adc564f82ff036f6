//! Candidates that ran out of time. The lack of time says nothing of them: they are asked about
//! again, alone and with more time, before the search ends, and are counted where that does not
//! help.

use super::ledger::LateCandidate;
use super::state::Session;
use crate::Failure;
use crate::request::Stage;
use crate::trace::Proposer;
use reduce_oracle::Verdict;

impl Session<'_> {
    /// Asks again about all candidates that ran out of time since the round began, and accepts the
    /// first that is interesting. Returns how many were accepted. For when nothing has been accepted in
    /// the round, so that each of them is an edit of the best so far.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn ask_late_again(&mut self, round: u32) -> Result<u64, Failure> {
        let waiting = self.ledger.worth_asking_again();
        if waiting.is_empty() || !self.best.pace.is_known() || self.is_cancelled() {
            return Ok(0);
        }
        self.in_stage(Stage::AskAgain, round, |session| {
            for one in waiting {
                if session.asks_again(&one)? {
                    session.accept(one.candidate)?;
                    return Ok(1);
                }
            }
            Ok(0)
        })
    }

    /// Asks about one late candidate alone, with more time. Returns whether it is interesting.
    fn asks_again(&mut self, one: &LateCandidate) -> Result<bool, Failure> {
        if self.is_cancelled() {
            return Ok(false);
        }
        let answer = self.answer_alone(&one.candidate)?;
        if answer.verdict == Verdict::Cancelled {
            return Ok(false);
        }
        self.ledger.of_stage().tried += 1;
        self.learn(one.key, &answer);
        self.count(
            Some(one.key),
            Proposer::default(),
            "asked again",
            &one.candidate,
        )?;
        self.report_progress();
        Ok(answer.verdict.is_interesting())
    }

    /// Counts the candidates that still run out of time, after all edits of the finished result
    /// were tried.
    pub(crate) fn count_out_of_time(&mut self) {
        let linkage = &self.best.candidate().compile_options.linkage;
        self.ledger.count_out_of_time(linkage);
    }
}
