//! How much time candidates get, and those that ran out of it. That a candidate was not done in time says
//! nothing of it: it is asked about again, alone and with more time, before the search ends, and is
//! counted where that does not help.

use super::{Remembered, Session};
use crate::answer::Answer;
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::question::{Asking, Check, Question};
use crate::store::Digest;
use reduce_oracle::{Cancel, Expectation, Late, Verdict};
use std::collections::BTreeSet;

/// The name of the pass that asks again.
const PASS: &str = "ask_again";

/// A candidate that ran out of time.
pub(super) struct LateCandidate {
    pub(super) key: Digest,
    pub(super) candidate: Candidate,
}

impl Session<'_> {
    /// How much time a candidate is expected to use: as much as the last accepted program did, and more
    /// where it is larger than that. It does not depend on the worker that is asked.
    pub(crate) fn expectation(&self, candidate: &Candidate) -> (Expectation, Asking) {
        let tokens = candidate.tree.count_tokens();
        let times = tokens.div_ceil(self.usual_tokens.max(1)).max(1);
        let expectation = Expectation {
            usual: self.usual,
            times: u32::try_from(times).unwrap_or(u32::MAX),
        };
        match self.usual {
            Some(_) => (expectation, Asking::Twice),
            None => (Expectation::default(), Asking::Once),
        }
    }

    /// Notes what a candidate has used that is accepted. What an earlier run has answered took no time
    /// in this one.
    pub(super) fn note_usual(&mut self, accepted: &Candidate) {
        let key = self.key(accepted);
        let known = self.verdicts.get(&key);
        let known = known.filter(|known| known.decider.asks_compiler());
        if let (Some(usual), Some(known)) = (&mut self.usual, known) {
            *usual = known.timing.spent;
            self.usual_tokens = accepted.tree.count_tokens();
        }
    }

    /// Whether a candidate ran out of time, and would get more of it now.
    pub(super) fn has_more_time(&self, known: &Remembered, candidate: &Candidate) -> bool {
        let Some(usual) = self.tools.oracle.usual() else {
            return false;
        };
        let then = known.timing.expectation.budget(usual);
        let now = || self.expectation(candidate).0.budget(usual);
        known.verdict == Verdict::TimedOut && !now().is_within(&then)
    }

    /// Notes a candidate that ran out of time.
    pub(super) fn note_late(&mut self, key: Digest, candidate: &Candidate) {
        if self.late.iter().all(|known| known.key != key) {
            let candidate = candidate.clone();
            self.late.push(LateCandidate { key, candidate });
        }
    }

    /// Asks again about all that ran out of time since the round began, and takes the first that is
    /// interesting. Returns how many were accepted. For when nothing has been accepted in the round, so
    /// that each of them is an edit of the best so far.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn ask_late_again(&mut self, round: u32) -> Result<u64, Failure> {
        let waiting = self.late.iter();
        let waiting = waiting.filter(|one| self.is_worth_asking_again(&one.key));
        let waiting: Vec<_> = waiting
            .map(|one| (one.key, one.candidate.clone()))
            .collect();
        if waiting.is_empty() || self.cancel.is_cancelled() {
            return Ok(0);
        }
        self.in_pass(PASS, round, |session| {
            for (key, candidate) in waiting {
                if session.asks_again(key, &candidate)? {
                    session.accept(candidate)?;
                    return Ok(1);
                }
            }
            Ok(0)
        })
    }

    /// Whether a late candidate may be in time with more of it: what sleeps does so on any machine, and
    /// what was asked about again has had its chance.
    fn is_worth_asking_again(&self, key: &Digest) -> bool {
        let known = self.verdicts.get(key).map(|known| known.timing);
        let late = |late| late != Late::Asleep;
        self.usual.is_some()
            && known.is_some_and(|known| known.late.is_some_and(late) && !known.is_asked_again)
    }

    /// Asks about one candidate alone. Returns whether it is interesting.
    fn asks_again(&mut self, key: Digest, candidate: &Candidate) -> Result<bool, Failure> {
        if self.cancel.is_cancelled() {
            return Ok(false);
        }
        let answer = self.ask_alone(candidate)?;
        if answer.verdict == Verdict::Cancelled {
            return Ok(false);
        }
        self.passes[self.pass].tried += 1;
        self.learn(key, &answer)?;
        self.count(key, "asked again", candidate)?;
        self.report_progress();
        Ok(answer.verdict.is_interesting())
    }

    fn ask_alone(&mut self, candidate: &Candidate) -> Result<Answer, Failure> {
        let id = self.next_question();
        let (expectation, _) = self.expectation(candidate);
        self.pool.submit(Question {
            id,
            candidate: candidate.clone(),
            check: Check::Syntax(Vec::new()),
            expectation,
            asking: Asking::Again,
            cancel: Cancel::new().map_err(|error| Failure::io("make a pipe", &error))?,
        });
        let Some(reply) = self.pool.wait_for(id) else {
            return Err(Failure::environment(
                "failed to go on: all workers have ended",
            ));
        };
        reply.answer
    }

    /// How many candidates still have no verdict but that they ran out of time: edits of the result, and
    /// crates that could not be moved into it.
    pub(super) fn count_late(&self) -> u64 {
        let edits = self.late.iter().map(|one| one.key);
        let all: BTreeSet<Digest> = edits.chain(self.late_moves()).collect();
        let is_late = |key: &&Digest| {
            let known = self.verdicts.get(*key);
            known.is_some_and(|known| known.verdict == Verdict::TimedOut)
        };
        all.iter().filter(is_late).count() as u64
    }

    /// What of the late candidates came after the first so many.
    pub(super) fn late_since(&self, count: usize) -> Vec<Digest> {
        let late = self.late.iter().skip(count);
        late.map(|one| one.key).collect()
    }

    /// How many candidates ran out of time so far in this round.
    pub(crate) fn late_so_far(&self) -> usize {
        self.late.len()
    }

    /// How many candidates ran out of time, so that the result is minimal but for them.
    pub(crate) fn out_of_time(&self) -> u64 {
        self.out_of_time
    }

    /// Counts them again, after all edits of the finished result were tried.
    pub(crate) fn count_out_of_time(&mut self) {
        self.out_of_time = self.count_late();
    }
}
