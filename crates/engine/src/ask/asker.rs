//! A question about a candidate, and the asker that answers it: by the screen, by a server, or by a compiler of this machine.

use super::oracle::Questioner;
use super::remote::RemoteWorkers;
use crate::answer::Answer;
use crate::candidate::Candidate;
use crate::decider::Decider;
use crate::failure::Failure;
use crate::live::Live;
use crate::screen::Check;
use crate::turns::{Turns, Work};
use reduce_oracle::{Cancel, Expectation, Late, Verdict};
use reduce_syntax::interruptible;
use std::sync::{Arc, PoisonError, RwLock};

/// The number of a question in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct QuestionId(pub(crate) u64);

/// A candidate to be decided.
pub(crate) struct Question {
    pub(crate) id: QuestionId,
    pub(crate) candidate: Candidate,
    pub(crate) check: Check,
    pub(crate) expectation: Expectation,
    pub(crate) asking: Asking,
    pub(crate) cancel: Cancel,
}

/// The policy for a candidate that runs out of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    /// A candidate that runs out of time is not asked about again.
    Once,
    /// A candidate that runs out of time is asked about again, alone and with more time, where the machine did not get
    /// to it, or where it is larger than the program by which its time was bounded.
    Twice,
    /// This is the second query about a candidate that ran out of time: it is asked about alone, with more time.
    Again,
}

/// The reply to a question: a decided candidate.
pub(crate) struct Reply {
    pub(crate) id: QuestionId,
    pub(crate) answer: Result<Answer, Failure>,
}

/// The part of a worker thread that asks: its questioner, and what it needs to wait for its turn.
pub(super) struct Asker {
    pub(super) questioner: Box<dyn Questioner>,
    /// The lock that workers share while they ask; one that must ask while no other does holds it
    /// alone.
    pub(super) side: Arc<RwLock<()>>,
    pub(super) turns: Arc<dyn Turns>,
    pub(super) live: Live,
}

pub(super) fn cancelled() -> Answer {
    Answer::free(Verdict::Cancelled, Decider::End)
}

impl Asker {
    /// Screens a candidate, and asks a server about it, or a compiler of this machine.
    pub(super) fn screen_and_ask(
        &mut self,
        question: &Question,
        remote: Option<&RemoteWorkers<'_>>,
    ) -> Result<Answer, Failure> {
        if question.cancel.is_cancelled() {
            return Ok(cancelled());
        }
        let cancel = question.cancel.clone();
        let refusal = || question.check.refusal(&question.candidate);
        match interruptible(move || cancel.is_cancelled(), refusal) {
            None => return Ok(cancelled()),
            Some(Some(refusal)) => return Ok(refusal),
            Some(None) => {}
        }
        match self.ask_remotely(question, remote)? {
            Some(answer) => Ok(answer),
            None => self.ask_with_second_chance(question),
        }
    }

    /// Asks a server about a candidate, in a turn that occupies no worker of this machine. `None` where there is none,
    /// or it has no certain answer.
    fn ask_remotely(
        &mut self,
        question: &Question,
        remote: Option<&RemoteWorkers<'_>>,
    ) -> Result<Option<Answer>, Failure> {
        let Question {
            candidate,
            expectation,
            cancel,
            ..
        } = question;
        match remote {
            // A candidate that has run out of time here is asked about here.
            Some(remote) if question.asking != Asking::Again => {
                let Some(_turn) = self.turns.wait(Work::QueryElsewhere, cancel) else {
                    return Ok(Some(cancelled()));
                };
                let _trying = self.live.trying([&candidate.tree]);
                remote.ask_if_proved(&mut *self.questioner, candidate, *expectation, cancel)
            }
            _ => Ok(None),
        }
    }

    /// Asks about a candidate beside the other workers, and again alone if it ran out of time and
    /// more time may tell more.
    fn ask_with_second_chance(&mut self, question: &Question) -> Result<Answer, Failure> {
        if question.asking == Asking::Again {
            return self.ask_alone(question);
        }
        let answer = {
            let side = Arc::clone(&self.side);
            let _beside_others = side.read().unwrap_or_else(PoisonError::into_inner);
            self.ask_in_turn(question, question.expectation)?
        };
        let says_little = match answer.timing.late {
            // Such a timeout is the hang that is looked for.
            _ if answer.verdict != Verdict::TimedOut => false,
            Some(Late::Wall) => true,
            Some(Late::Cpu) => question.expectation.times > 1,
            Some(Late::Asleep) | None => false,
        };
        if !says_little || question.asking == Asking::Once {
            return Ok(answer);
        }
        let mut again = self.ask_alone(question)?;
        again.effort.add(answer.effort);
        Ok(again)
    }

    fn ask_alone(&mut self, question: &Question) -> Result<Answer, Failure> {
        let side = Arc::clone(&self.side);
        let _alone = side.write().unwrap_or_else(PoisonError::into_inner);
        let mut answer = self.ask_in_turn(question, question.expectation.again())?;
        answer.timing.is_asked_again = true;
        Ok(answer)
    }

    /// Asks about a candidate once it has a turn. A worker that has a turn waits for nothing else,
    /// so that turns end.
    fn ask_in_turn(
        &mut self,
        question: &Question,
        expectation: Expectation,
    ) -> Result<Answer, Failure> {
        let (candidate, cancel) = (&question.candidate, &question.cancel);
        let Some(_turn) = self.turns.wait(self.questioner.work(), cancel) else {
            return Ok(cancelled());
        };
        let _trying = self.live.trying([&candidate.tree]);
        self.questioner.ask(candidate, expectation, cancel)
    }
}
