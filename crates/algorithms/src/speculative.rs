//! Speculation for all algorithms: a sequential machine is run ahead on the assumption that
//! candidates without a verdict fail, and taken back where one does not.
//!
//! Most candidates fail, so the assumption mostly holds and no query is wasted. When a candidate is
//! interesting, everything proposed after it rests on a wrong assumption: it is *void*, even
//! while candidates before it are undecided. These are waited for, as one of them would
//! come first; meanwhile nothing is proposed.

use crate::search::{Accepted, Answered, Search, Ticket};
use std::collections::VecDeque;
use std::fmt;

/// An algorithm that makes one candidate after the other, each on the assumption that those before
/// it fail. [`Speculative`] turns it into a [`Search`].
///
/// The machine goes forward as if each candidate failed; a *mark* has what it needs to go back to
/// one. Marks must be small: there is one for each outstanding candidate.
pub trait Sequential {
    /// The type of the candidates that are tested.
    type Candidate: Clone;
    /// The state of the machine when it made a candidate.
    type Mark;

    /// Makes the next candidate, on the assumption that all before it fail. After `None` it returns
    /// `None` until [`accept`](Sequential::accept) or [`take_back`](Sequential::take_back) is
    /// called.
    fn next_candidate(&mut self) -> Option<(Self::Candidate, Self::Mark)>;

    /// Goes back to the state before the newest candidate was made. Called newest first.
    fn take_back(&mut self, mark: Self::Mark);

    /// Goes on from the newest candidate that is not taken back, which is interesting.
    fn accept(&mut self, candidate: &Self::Candidate, mark: Self::Mark);
}

/// A [`Search`] that runs a [`Sequential`] machine ahead of the verdicts.
///
/// Memory: one candidate and one mark for each that is outstanding, and one more.
pub struct Speculative<S: Sequential> {
    machine: S,
    /// The candidates without a verdict, in the order of their tickets, which are consecutive. An
    /// interesting one is always the last.
    outstanding: VecDeque<Outstanding<S>>,
    /// The candidate to be proposed next, made beforehand so that `is_done` knows whether there is
    /// one.
    ahead: Option<(S::Candidate, S::Mark)>,
    next_ticket: u64,
}

struct Outstanding<S: Sequential> {
    ticket: Ticket,
    candidate: S::Candidate,
    mark: S::Mark,
    interesting: Option<bool>,
}

impl<S: Sequential> Speculative<S> {
    /// Makes a search that runs `machine` from the state in which it is.
    pub fn from_machine(mut machine: S) -> Self {
        let ahead = machine.next_candidate();
        Self {
            machine,
            outstanding: VecDeque::new(),
            ahead,
            next_ticket: 0,
        }
    }

    /// Returns the machine, which may be ahead of the verdicts.
    pub fn machine(&self) -> &S {
        &self.machine
    }

    fn position(&self, ticket: Ticket) -> Option<usize> {
        let first = self.outstanding.front()?.ticket;
        let position = usize::try_from(ticket.0.checked_sub(first.0)?).ok()?;
        (position < self.outstanding.len()).then_some(position)
    }

    /// Takes back everything that was made after the candidate at `position`.
    fn void_after(&mut self, position: usize) -> Vec<Ticket> {
        if let Some((_, mark)) = self.ahead.take() {
            self.machine.take_back(mark);
        }
        let mut void = Vec::new();
        while self.outstanding.len() > position + 1
            && let Some(last) = self.outstanding.pop_back()
        {
            self.machine.take_back(last.mark);
            void.extend(last.interesting.is_none().then_some(last.ticket));
        }
        void.reverse();
        void
    }

    /// Drops failed candidates from the front, and accepts the one after them if it is interesting.
    fn settle(&mut self) -> Option<Accepted<S::Candidate>> {
        while self.outstanding.front()?.interesting == Some(false) {
            self.outstanding.pop_front();
        }
        let first = self
            .outstanding
            .pop_front_if(|first| first.interesting == Some(true))?;
        self.machine.accept(&first.candidate, first.mark);
        self.ahead = self.machine.next_candidate();
        Some(Accepted {
            ticket: first.ticket,
            candidate: first.candidate,
        })
    }
}

impl<S: Sequential> Search for Speculative<S> {
    type Candidate = S::Candidate;

    fn propose(&mut self) -> Option<(Ticket, S::Candidate)> {
        let (candidate, mark) = self.ahead.take()?;
        self.ahead = self.machine.next_candidate();
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.outstanding.push_back(Outstanding {
            ticket,
            candidate: candidate.clone(),
            mark,
            interesting: None,
        });
        Some((ticket, candidate))
    }

    fn answer(&mut self, ticket: Ticket, interesting: bool) -> Answered<S::Candidate> {
        let Some(position) = self.position(ticket) else {
            return Answered {
                accepted: None,
                void: Vec::new(),
            };
        };
        self.outstanding[position]
            .interesting
            .get_or_insert(interesting);
        let is_new_success = self.outstanding[position].interesting == Some(true);
        let void = if is_new_success {
            self.void_after(position)
        } else {
            Vec::new()
        };
        Answered {
            accepted: self.settle(),
            void,
        }
    }

    fn is_done(&self) -> bool {
        self.outstanding.is_empty() && self.ahead.is_none()
    }
}

impl<S: Sequential> fmt::Debug for Speculative<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Speculative")
            .field("outstanding", &self.outstanding.len())
            .field("next_ticket", &self.next_ticket)
            .field("is_done", &self.is_done())
            .finish_non_exhaustive()
    }
}
