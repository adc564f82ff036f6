//! A search in a session: proposals of an algorithm become candidates, candidates become questions
//! unless their verdict is known, verdicts go back. Several questions are under way at once; what
//! is accepted does not depend on how many.
//!
//! See docs/decisions/search.md.

mod window;

use super::joint_state::JointCompilation;
use super::state::Session;
use crate::answer::Answer;
use crate::ask::{QuestionId, Reply};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Proposals;
use crate::store::Digest;
use crate::trace::Proposer;
use reduce_algorithms::{Answered, Search, Ticket};
use reduce_oracle::{Cancel, Verdict};
use reduce_syntax::interruptible;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::Instant;

/// A proposal of the algorithm that was not accepted and has not become void.
struct Pending<C> {
    proposer: Proposer,
    proposal: C,
    candidate: Candidate,
    kind: &'static str,
    key: Option<Digest>,
    /// The joint compilation that the candidate was in.
    joint: Option<JointCompilation>,
    /// Whether the candidate is interesting, where a question that was asked ahead of time has told
    /// so.
    is_known_to_be: Option<bool>,
    /// Whether the candidate's verdict may be counted as a query: the search has not used it before, and no
    /// earlier run has.
    may_be_query: bool,
    /// Whether the candidate's verdict has been counted.
    is_counted: bool,
}

/// A question that a worker is answering.
struct InFlight {
    key: Digest,
    cancel: Cancel,
    tickets: Vec<Ticket>,
}

/// Runs a search on top of the best so far. Returns the number of accepted candidates.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn run_search<S, P>(
    session: &mut Session<'_>,
    search: S,
    proposals: P,
) -> Result<u64, Failure>
where
    S: Search,
    P: Proposals<S::Candidate>,
{
    SearchRun::new(session, search, proposals).run()
}

struct SearchRun<'s, 'r, S: Search, P> {
    session: &'s mut Session<'r>,
    /// The number of the search in the session.
    number: u64,
    search: S,
    proposals: P,
    pending: BTreeMap<Ticket, Pending<S::Candidate>>,
    /// The candidates of the open window that still have to be asked about.
    window: VecDeque<Ticket>,
    in_flight: HashMap<QuestionId, InFlight>,
    accepted: u64,
    /// Whether nothing more is proposed until all earlier proposals are counted, as these may use the rest of
    /// the budget.
    waits_for_budget: bool,
}

impl<'s, 'r, S: Search, P: Proposals<S::Candidate>> SearchRun<'s, 'r, S, P> {
    fn new(session: &'s mut Session<'r>, search: S, proposals: P) -> Self {
        let (pending, in_flight) = (BTreeMap::new(), HashMap::new());
        Self {
            number: session.ledger.next_search(),
            session,
            search,
            proposals,
            pending,
            window: VecDeque::new(),
            in_flight,
            accepted: 0,
            waits_for_budget: false,
        }
    }

    /// Runs the search to its end, or until the session is cancelled. Returns the number of
    /// accepted candidates.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn run(mut self) -> Result<u64, Failure> {
        let is_over = self.session.mode.stop.asks();
        let done = interruptible(is_over, || self.run_until_done());
        let result = done.unwrap_or(Ok(()));
        for question in self.in_flight.values() {
            question.cancel.cancel();
        }
        while !self.in_flight.is_empty() {
            match self.session.pool.wait() {
                Some(reply) => drop(self.in_flight.remove(&reply.id)),
                None => break,
            }
        }
        if result.is_ok() && !self.session.is_cancelled() {
            self.consume_all()?;
        }
        result.map(|()| self.accepted)
    }

    fn run_until_done(&mut self) -> Result<(), Failure> {
        while !self.session.is_cancelled() {
            self.session.look_if_touched()?;
            self.propose()?;
            if self.waiting() == 0 {
                if !std::mem::take(&mut self.waits_for_budget) {
                    return Ok(());
                }
                self.consume_all()?;
                continue;
            }
            let Some(reply) = self.session.pool.wait() else {
                return Err(Failure::environment(
                    "failed to go on: all workers have ended",
                ));
            };
            self.take(reply)?;
        }
        Ok(())
    }

    /// Counts the questions under way whose answers still matter.
    fn waiting(&self) -> usize {
        self.in_flight
            .values()
            .filter(|question| !question.tickets.is_empty())
            .count()
    }

    /// Proposes until all workers are busy or the algorithm has nothing more to propose.
    fn propose(&mut self) -> Result<(), Failure> {
        while self.waiting() < self.session.tools.jobs && !self.session.is_cancelled() {
            let Some(ticket) = self.next_undecided()? else {
                return Ok(());
            };
            self.ask_unless_known(ticket)?;
            self.session.report_progress();
        }
        Ok(())
    }

    /// Decides a candidate whose verdict is known by now, or has it asked about.
    fn ask_unless_known(&mut self, ticket: Ticket) -> Result<(), Failure> {
        let Some(pending) = self.pending.get(&ticket) else {
            return Ok(());
        };
        let (known, key) = (pending.is_known_to_be, pending.key);
        let Some(key) = key else {
            return Ok(());
        };
        // Two proposals may be the same candidate before it was asked about.
        let known = known.or_else(|| self.session.ledger.verdicts.is_known_interesting(&key));
        if let Some(interesting) = known {
            return self.decide(ticket, interesting);
        }
        let mut in_flight = self.in_flight.values_mut();
        match in_flight.find(|question| question.key == key) {
            Some(question) if !question.cancel.is_cancelled() => question.tickets.push(ticket),
            _ => {
                let candidate = pending.candidate.clone();
                self.submit(ticket, &candidate, key)?;
            }
        }
        Ok(())
    }

    fn submit(
        &mut self,
        ticket: Ticket,
        candidate: &Candidate,
        key: Digest,
    ) -> Result<(), Failure> {
        let question = self.session.question(candidate)?;
        self.in_flight.insert(
            question.id,
            InFlight {
                key,
                cancel: question.cancel.clone(),
                tickets: vec![ticket],
            },
        );
        self.session.pool.submit(question);
        Ok(())
    }

    fn take(&mut self, reply: Reply) -> Result<(), Failure> {
        let Some(question) = self.in_flight.remove(&reply.id) else {
            return Ok(());
        };
        let answer: Answer = self.session.unless_changed(reply.answer)?;
        if answer.verdict == Verdict::Cancelled {
            return Ok(());
        }
        let started = Instant::now();
        self.session.learn(question.key, &answer);
        self.session.ledger.add_overhead(started.elapsed());
        for ticket in question.tickets {
            self.decide(ticket, answer.verdict.is_interesting())?;
        }
        self.session.report_progress();
        Ok(())
    }

    /// Gives the algorithm a verdict and does what follows from it.
    fn decide(&mut self, ticket: Ticket, interesting: bool) -> Result<(), Failure> {
        if !self.note_refused(ticket, interesting) {
            return Ok(());
        }
        let answered = self.search.answer(ticket, interesting);
        self.follow(answered)
    }

    /// Gives the algorithm a verdict for which no question of its own was needed.
    fn decide_free(&mut self, ticket: Ticket, interesting: bool) -> Result<(), Failure> {
        if !self.note_refused(ticket, interesting) {
            return Ok(());
        }
        let answered = self.search.answer_free(ticket, interesting);
        self.follow(answered)
    }

    /// Notes that a proposal was refused, if its verdict says so. Returns whether the ticket
    /// matters.
    fn note_refused(&mut self, ticket: Ticket, interesting: bool) -> bool {
        let Some(pending) = self.pending.get(&ticket) else {
            return false;
        };
        if !interesting && self.search.uses_all_verdicts() {
            self.proposals.refused(&pending.proposal);
        }
        true
    }

    fn follow(&mut self, answered: Answered<S::Candidate>) -> Result<(), Failure> {
        for ticket in answered.void {
            self.forget(ticket);
        }
        if let Some(accepted) = answered.accepted {
            match self.search.uses_all_verdicts() {
                true => self.consume_all()?,
                false => self.consume_before(accepted.ticket)?,
            }
            if self.session.has_used_all_queries() {
                return Ok(());
            }
            if let Some(pending) = self.pending.get(&accepted.ticket) {
                let proposal = &accepted.candidate;
                // The proposals know nothing of a value that was changed besides.
                let plain = (self.session.mode.recomputes()).then(|| {
                    let plain = self.proposals.candidate(proposal);
                    pending.candidate.with_tree(plain.tree)
                });
                let program = plain.as_ref().unwrap_or(&pending.candidate);
                self.proposals.accepted(proposal, program);
            }
            self.accept(accepted.ticket)?;
        }
        Ok(())
    }

    /// Forgets a ticket that no longer matters, and cancels its question unless another ticket
    /// waits for it.
    fn forget(&mut self, ticket: Ticket) {
        self.pending.remove(&ticket);
        for question in self.in_flight.values_mut() {
            if let Some(idx) = question
                .tickets
                .iter()
                .position(|waiting| *waiting == ticket)
            {
                question.tickets.remove(idx);
                if question.tickets.is_empty() {
                    question.cancel.cancel();
                }
            }
        }
    }

    /// Accepts the candidate of a ticket, which makes all later tickets void.
    fn accept(&mut self, ticket: Ticket) -> Result<(), Failure> {
        let accepted = self.pending.remove(&ticket);
        self.pending.clear();
        if let Some(mut pending) = accepted {
            self.consume(&mut pending)?;
            self.accepted += 1;
            self.window.clear();
            self.session.accept(pending.candidate)?;
        }
        Ok(())
    }

    /// Counts the verdicts on all proposals before an accepted one.
    fn consume_before(&mut self, ticket: Ticket) -> Result<(), Failure> {
        let later = self.pending.split_off(&ticket);
        self.consume_all()?;
        self.pending = later;
        Ok(())
    }

    /// Counts all verdicts that have come, in order, as long as the budget lasts.
    fn consume_all(&mut self) -> Result<(), Failure> {
        let mut all = std::mem::take(&mut self.pending);
        for pending in all.values_mut() {
            if self.session.has_used_all_queries() {
                break;
            }
            self.consume(pending)?;
        }
        self.pending = all;
        Ok(())
    }

    /// Whether so many more queries are within the budget, whatever the verdicts on the earlier proposals are. That
    /// depends on nothing but the proposals, so that it is the same with any number of workers.
    fn has_budget_for(&self, more: u64) -> bool {
        let Some(left) = self.session.queries_left() else {
            return true;
        };
        let mut joint = BTreeSet::new();
        let mut planned = more;
        for pending in self.pending.values().filter(|one| !one.is_counted) {
            planned += u64::from(pending.may_be_query);
            let number = pending.joint.map(JointCompilation::number);
            let is_first = number.is_some_and(|number| joint.insert(number));
            planned += match pending.joint {
                Some(joint) if is_first => joint.most_queries(),
                _ => 0,
            };
        }
        planned <= left
    }

    /// Counts a verdict that the search has used.
    fn consume(&mut self, pending: &mut Pending<S::Candidate>) -> Result<(), Failure> {
        if std::mem::replace(&mut pending.is_counted, true) {
            return Ok(());
        }
        let Pending {
            proposer,
            candidate,
            kind,
            key,
            joint,
            ..
        } = pending;
        if let Some(number) = joint {
            self.session.count_joint(*number);
        }
        self.session.count(*key, *proposer, kind, candidate)
    }
}

#[cfg(test)]
mod tests;
