//! Waves, for many workers: several candidates are tested on the same list, and the interesting ones are combined.
//!
//! A search that speculates ([`Speculative`](crate::Speculative)) makes void what was tested after a success. One in four tests succeeds in the
//! middle of a reduction, so that more than four workers bring nothing. Here nothing is void:
//!
//! - A failure stays one, although the list has become shorter since. The search is not asked again whether it would
//!   succeed now, until it ends; the next search does that.
//! - Successes are combined. All of them together are tested; if that fails, the first half of them, then the others
//!   on top of it, and so on.
//!
//! The next wave begins with what all that was combined has left. The result depends on the width, and not on the number of
//! workers. Two others combine successes: Shrink Ray (its *patches*) and Zeller's own remark that tests of ddmin are
//! independent; `C-Reduce` and Picire speculate.
//!
//! See docs/decisions/search.md.

mod combination;

use crate::search::{Accepted, Answered, Search, Ticket};
use crate::subset::Subset;
use crate::tmin::Replacement;
use crate::tree::{NodeId, TreeChange};
use combination::Combination;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// The largest number of generations of a wave. A candidate that changes a part of what others of its wave change says
/// little unless these fail, so that it begins another generation, or waits for the next wave.
const MOST_GENERATIONS: usize = 2;

/// A candidate that can be combined with others of the same search.
pub trait Combine: Clone {
    /// Returns a number that distinguishes the candidate's change from all others, whatever was
    /// accepted before.
    fn effect(&self) -> u128;

    /// Whether `others`, made together, change all that this candidate changes.
    fn is_part_of(&self, others: &[Self]) -> bool;

    /// Returns whether the candidate may be tested together with `others`.
    fn goes_with(&self, others: &[Self]) -> bool;

    /// Returns whether the candidate cannot be made any more once `others` are.
    fn is_excluded_by(&self, others: &[Self]) -> bool;
}

impl Combine for Subset {
    fn effect(&self) -> u128 {
        self.newly_removed_fingerprint()
    }

    fn is_part_of(&self, others: &[Self]) -> bool {
        self.newly_removed()
            .all(|element| others.iter().any(|other| other.removes_newly(element)))
    }

    fn goes_with(&self, _others: &[Self]) -> bool {
        true
    }

    fn is_excluded_by(&self, _others: &[Self]) -> bool {
        false
    }
}

impl Combine for Replacement {
    fn effect(&self) -> u128 {
        (self.element as u128) << 64 | self.alternative as u128
    }

    fn is_part_of(&self, others: &[Self]) -> bool {
        others.contains(self)
    }

    fn goes_with(&self, others: &[Self]) -> bool {
        !self.is_excluded_by(others)
    }

    fn is_excluded_by(&self, others: &[Self]) -> bool {
        others.iter().any(|other| other.element == self.element)
    }
}

impl Combine for TreeChange {
    fn effect(&self) -> u128 {
        self.fingerprint()
    }

    fn is_part_of(&self, others: &[Self]) -> bool {
        match self {
            Self::Prune(pruned) => pruned.nodes().all(|node| is_pruned(node, others)),
            Self::Hoist { .. } => others.contains(self),
        }
    }

    fn goes_with(&self, others: &[Self]) -> bool {
        // A hoisted node may be below another one.
        let is_prune = |one: &Self| matches!(one, Self::Prune(_));
        others.is_empty() || (is_prune(self) && others.iter().all(is_prune))
    }

    fn is_excluded_by(&self, others: &[Self]) -> bool {
        match self {
            Self::Prune(_) => false,
            Self::Hoist { node, descendant } => {
                is_pruned(*node, others) || is_pruned(*descendant, others)
            }
        }
    }
}

fn is_pruned(node: NodeId, changes: &[TreeChange]) -> bool {
    let prunes_it = |change: &TreeChange| match change {
        TreeChange::Prune(pruned) => pruned.nodes().any(|one| one == node),
        TreeChange::Hoist { .. } => false,
    };
    changes.iter().any(prunes_it)
}

/// Candidates of an algorithm that are combined into one, in addition to the accepted ones.
#[derive(Clone, PartialEq, Eq)]
pub struct Combined<C> {
    parts: Arc<[C]>,
}

impl<C> Combined<C> {
    /// Makes a combination of a single candidate.
    #[must_use]
    pub fn one(part: C) -> Self {
        Self {
            parts: Arc::from([part]),
        }
    }

    /// Returns the candidates that are made together, in the order of the proposals; at least one.
    #[must_use]
    pub fn parts(&self) -> &[C] {
        &self.parts
    }
}

impl<C: fmt::Debug> fmt::Debug for Combined<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.parts.iter()).finish()
    }
}

/// A [`Search`] that tests the candidates of another one in waves.
///
/// Memory: the candidates of one wave, and those that were combined and that the other search has not proposed again yet.
pub struct Waves<S: Search> {
    search: S,
    width: usize,
    wave: Vec<Member<S::Candidate>>,
    /// The next candidate for the wave, with its ticket in the inner search.
    ahead: Option<(Ticket, S::Candidate)>,
    /// Whether the inner search has nothing more for this wave.
    is_closed: bool,
    /// A candidate for the next wave, if all of this one fail: it changes a part of what some of these change.
    for_next: Option<(Ticket, S::Candidate)>,
    /// The index at which the last generation of the wave begins, and the number of its candidates.
    generation: (usize, usize),
    combination: Option<Combination<S::Candidate>>,
    /// The accepted candidates that the inner search does not know of yet.
    absorbed: Vec<S::Candidate>,
    /// The candidates that failed in the last wave that had a success.
    refused: HashSet<u128>,
    next_ticket: u64,
    ends_with_a_success: bool,
    is_over: bool,
}

/// A candidate of the wave.
struct Member<C> {
    ticket: Ticket,
    /// The ticket of the candidate in the inner search.
    inner: Ticket,
    candidate: C,
    interesting: Option<bool>,
    /// Whether the inner search was told that the candidate fails, before that was known.
    is_told: bool,
    /// Whether the candidate's verdict came without a test. Then another one takes its place in the
    /// wave.
    is_free: bool,
}

impl<S: Search> Waves<S>
where
    S::Candidate: Combine,
{
    /// Makes a search by waves of `width` candidates.
    ///
    /// # Panics
    /// If the width is 0.
    pub fn new(search: S, width: usize) -> Self {
        assert!(width > 0, "a wave has at least one candidate");
        let mut waves = Self {
            search,
            width,
            wave: Vec::new(),
            ahead: None,
            is_closed: false,
            for_next: None,
            generation: (0, 1),
            combination: None,
            absorbed: Vec::new(),
            refused: HashSet::new(),
            next_ticket: 0,
            ends_with_a_success: false,
            is_over: false,
        };
        waves.look_ahead();
        waves
    }

    /// Lets the search end with a wave that has a success: the rest of the list is for another search.
    #[must_use]
    pub fn ending_with_a_success(self) -> Self {
        Self {
            ends_with_a_success: true,
            ..self
        }
    }

    fn new_ticket(&mut self) -> Ticket {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        ticket
    }

    fn is_full(&self) -> bool {
        let n_tests = self.wave.iter().filter(|member| !member.is_free).count();
        self.is_closed || n_tests >= self.width
    }

    /// Finds out whether there is another candidate for the wave.
    fn look_ahead(&mut self) {
        while self.ahead.is_none() && !self.is_full() && !self.is_over {
            let next = self.for_next.take().or_else(|| self.search.propose());
            let Some((inner, candidate)) = next else {
                self.is_closed = true;
                return;
            };
            if !self.absorbed.is_empty() && candidate.is_part_of(&self.absorbed) {
                self.tell_all_fail();
                self.accept_implied(inner);
            } else if self.refused.contains(&candidate.effect())
                || candidate.is_excluded_by(&self.absorbed)
            {
                self.search.answer(inner, false);
            } else if self.is_older_than(&candidate) && !self.begin_generation() {
                self.for_next = Some((inner, candidate));
                self.is_closed = true;
            } else {
                self.ahead = Some((inner, candidate));
            }
        }
    }

    /// Whether a candidate says little unless those of the last generation fail.
    fn is_older_than(&self, candidate: &S::Candidate) -> bool {
        let generation = self.wave[self.generation.0..].iter();
        let generation: Vec<S::Candidate> = generation.map(|one| one.candidate.clone()).collect();
        candidate.is_part_of(&generation) || candidate.is_excluded_by(&generation)
    }

    /// Begins another generation in this wave, and returns whether there may be one.
    fn begin_generation(&mut self) -> bool {
        let (_, number) = self.generation;
        let may_begin = number < MOST_GENERATIONS;
        if may_begin {
            self.generation = (self.wave.len(), number + 1);
        }
        may_begin
    }

    /// Tells the inner search that all candidates of the wave have failed, so that it goes on proposing. What is made of the
    /// wave nevertheless it will propose again, or parts of it.
    fn tell_all_fail(&mut self) {
        for member in self.wave.iter_mut().filter(|member| !member.is_told) {
            member.is_told = true;
            self.search.answer(member.inner, false);
        }
    }

    /// Tells the inner search that a proposal is interesting of which all was accepted already.
    fn accept_implied(&mut self, inner: Ticket) {
        let accepted = self.search.answer(inner, true).accepted;
        let Some(accepted) = accepted.map(|accepted| accepted.candidate) else {
            return;
        };
        self.absorbed
            .retain(|one| !one.is_part_of(std::slice::from_ref(&accepted)));
    }

    /// Settles the wave once it has all verdicts.
    fn settle(&mut self) -> Option<Accepted<Combined<S::Candidate>>> {
        let is_decided = self.wave.iter().all(|member| member.interesting.is_some());
        if !is_decided || !self.is_full() {
            return None;
        }
        let successes = self.wave.iter().filter(|one| one.interesting == Some(true));
        let mut successes = successes.map(|one| (one.ticket, one.candidate.clone()));
        let Some((ticket, first)) = successes.next() else {
            self.fail_wave();
            return None;
        };
        let others: Vec<S::Candidate> = successes.map(|(_, candidate)| candidate).collect();
        self.combination = Some(Combination::new(ticket, first, others));
        self.refused.clear();
        self.accept_combination()
    }

    /// Accepts the combination of the successes, once nothing more is to be tested.
    fn accept_combination(&mut self) -> Option<Accepted<Combined<S::Candidate>>> {
        let made = self.combination.as_mut()?.made()?;
        self.combination = None;
        self.refused.extend(made.refused);
        Some(self.accept(made.ticket, made.parts))
    }

    /// Ends a wave of which all candidates have failed.
    fn fail_wave(&mut self) {
        self.tell_all_fail();
        self.wave.clear();
        self.is_closed = false;
        self.generation = (0, 1);
        self.look_ahead();
    }

    /// Goes on from the accepted successes of the wave, and remembers those that the inner search
    /// will propose again.
    fn accept(
        &mut self,
        ticket: Ticket,
        parts: Vec<S::Candidate>,
    ) -> Accepted<Combined<S::Candidate>> {
        self.is_closed = false;
        self.generation = (0, 1);
        let made: HashSet<u128> = parts.iter().map(Combine::effect).collect();
        let mut told = None;
        for member in std::mem::take(&mut self.wave) {
            let effect = member.candidate.effect();
            let is_made = made.contains(&effect);
            if told.is_none() && !member.is_told {
                self.search.answer(member.inner, is_made);
                told = is_made.then_some(effect);
            } else if member.interesting != Some(true) {
                self.refused.insert(effect);
            }
        }
        if told.is_some() {
            // The search proposes it anew.
            self.for_next = None;
        }
        let unknown = parts.iter().filter(|one| Some(one.effect()) != told);
        self.absorbed.extend(unknown.cloned());
        self.is_over = self.ends_with_a_success;
        self.look_ahead();
        Accepted {
            ticket,
            candidate: Combined {
                parts: parts.into(),
            },
        }
    }
}

impl<S: Search> Search for Waves<S>
where
    S::Candidate: Combine,
{
    type Candidate = Combined<S::Candidate>;

    fn propose(&mut self) -> Option<(Ticket, Self::Candidate)> {
        if let Some(combination) = &mut self.combination {
            let ticket = Ticket(self.next_ticket);
            let tested = combination.propose(ticket)?;
            self.next_ticket += 1;
            return Some((ticket, tested));
        }
        let (inner, candidate) = self.ahead.take()?;
        let ticket = self.new_ticket();
        self.wave.push(Member {
            ticket,
            inner,
            candidate: candidate.clone(),
            interesting: None,
            is_told: false,
            is_free: false,
        });
        self.look_ahead();
        Some((ticket, Combined::one(candidate)))
    }

    fn answer(&mut self, ticket: Ticket, interesting: bool) -> Answered<Self::Candidate> {
        let (mut accepted, mut void) = (None, Vec::new());
        if let Some(combination) = &mut self.combination {
            void = combination.answer(ticket, interesting);
            accepted = self.accept_combination();
        } else if let Some(member) = self.wave.iter_mut().find(|one| one.ticket == ticket) {
            member.interesting.get_or_insert(interesting);
            self.look_ahead();
            accepted = self.settle();
        }
        Answered { accepted, void }
    }

    fn answer_free(&mut self, ticket: Ticket, interesting: bool) -> Answered<Self::Candidate> {
        let member = self.wave.iter_mut().find(|member| member.ticket == ticket);
        if let Some(member) = member {
            member.is_free = !interesting;
        }
        self.answer(ticket, interesting)
    }

    fn uses_all_verdicts(&self) -> bool {
        true
    }

    fn is_done(&self) -> bool {
        let has_more = !self.is_over && !self.search.is_done();
        self.wave.is_empty() && self.ahead.is_none() && !has_more
    }
}

impl<S: Search> fmt::Debug for Waves<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waves")
            .field("width", &self.width)
            .field("in_wave", &self.wave.len())
            .field("absorbed", &self.absorbed.len())
            .field("next_ticket", &self.next_ticket)
            .finish_non_exhaustive()
    }
}
