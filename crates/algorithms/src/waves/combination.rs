//! The combination of the successes of a wave: all of them in one test; if that fails, the first half, then the others on
//! top of it, and so on. While a test is under way, the next ones are proposed on the assumption that it fails.

use super::{Combine, Combined};
use crate::search::Ticket;
use std::collections::VecDeque;

/// The number of tests that may be under way, each on the assumption that those before it fail. Most do not, so that more
/// would be void.
const MOST_AHEAD: usize = 4;

/// The successes of a wave, and the tests of whether they are interesting together.
#[derive(Debug)]
pub(super) struct Combination<C> {
    state: State<C>,
    trials: VecDeque<Trial<C>>,
}

/// The state of a combination.
#[derive(Debug, Clone)]
struct State<C> {
    /// The program that was tested last with success: its ticket, and the candidates in it.
    accepted: (Ticket, Vec<C>),
    /// The groups to be added; the next group is the last.
    groups: Vec<Group<C>>,
    /// The effects of the candidates that cannot be added.
    refused: Vec<u128>,
}

/// Successes that are added together.
#[derive(Debug, Clone)]
struct Group<C> {
    members: Vec<C>,
    /// Whether the group is known to fail.
    fails: bool,
    /// Whether the group is known to fail once all of the group before it is added.
    fails_after_another: bool,
}

/// A test that is under way, of the last group of a state. That state holds if all trials before it fail.
#[derive(Debug)]
struct Trial<C> {
    ticket: Ticket,
    before: State<C>,
    interesting: Option<bool>,
}

/// The combination of a wave's successes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Made<C> {
    /// The ticket of the program with all candidates that could be combined, and these candidates.
    pub(super) ticket: Ticket,
    pub(super) parts: Vec<C>,
    /// The effects of the candidates that could not be added.
    pub(super) refused: Vec<u128>,
}

impl<C: Combine> Combination<C> {
    /// Makes a combination of a first success with its ticket, and others.
    pub(super) fn new(ticket: Ticket, first: C, others: Vec<C>) -> Self {
        let mut state = State {
            accepted: (ticket, vec![first]),
            groups: vec![Group::new(others)],
            refused: Vec::new(),
        };
        state.prepare();
        Self {
            state,
            trials: VecDeque::new(),
        }
    }

    /// Proposes the next test of a combination, which gets this ticket.
    pub(super) fn propose(&mut self, ticket: Ticket) -> Option<Combined<C>> {
        if self.trials.len() >= MOST_AHEAD {
            return None;
        }
        let before = match self.trials.back() {
            Some(last) => last.before.after(last.ticket, false),
            None => self.state.clone(),
        };
        let tested = before.tested()?;
        self.trials.push_back(Trial {
            ticket,
            before,
            interesting: None,
        });
        Some(tested)
    }

    /// Takes the verdict on a test of a combination. Returns the tickets that are void by it.
    pub(super) fn answer(&mut self, ticket: Ticket, interesting: bool) -> Vec<Ticket> {
        let mut trials = self.trials.iter_mut();
        if let Some(trial) = trials.find(|trial| trial.ticket == ticket) {
            trial.interesting.get_or_insert(interesting);
        }
        let mut void = Vec::new();
        while let Some(first) = self.trials.front()
            && let Some(interesting) = first.interesting
        {
            self.state = first.before.after(first.ticket, interesting);
            self.trials.pop_front();
            if interesting {
                void.extend(self.trials.drain(..).map(|trial| trial.ticket));
            }
        }
        void
    }

    /// Returns the combination of the successes, if nothing more is to be tested.
    pub(super) fn made(&mut self) -> Option<Made<C>> {
        if !self.state.groups.is_empty() {
            return None;
        }
        let (ticket, parts) = &mut self.state.accepted;
        Some(Made {
            ticket: *ticket,
            parts: std::mem::take(parts),
            refused: std::mem::take(&mut self.state.refused),
        })
    }
}

impl<C: Combine> State<C> {
    /// Returns the combination that is tested next.
    fn tested(&self) -> Option<Combined<C>> {
        let group = self.groups.last()?;
        let parts = self.accepted.1.iter().chain(&group.members).cloned();
        Some(Combined {
            parts: parts.collect(),
        })
    }

    /// Returns the state after the test of its last group.
    fn after(&self, ticket: Ticket, interesting: bool) -> Self {
        let mut after = self.clone();
        let Some(mut group) = after.groups.pop() else {
            return after;
        };
        if let Some(next) = after.groups.last_mut() {
            next.fails = interesting && next.fails_after_another;
            next.fails_after_another &= interesting;
        }
        if interesting {
            after.accepted.0 = ticket;
            after.accepted.1.extend(group.members);
        } else {
            group.fails = true;
            after.groups.push(group);
        }
        after.prepare();
        after
    }

    /// Drops candidates that cannot be added, and halves groups that fail for certain.
    fn prepare(&mut self) {
        while let Some(mut group) = self.groups.pop() {
            let n_members = group.members.len();
            let members = std::mem::take(&mut group.members);
            group.members = going_together(&self.accepted.1, members);
            group.fails &= group.members.len() == n_members;
            if let Some(next) = self.groups.last_mut().filter(|_| group.fails) {
                next.fails_after_another = false;
            }
            match group.members.as_slice() {
                [] => {}
                [alone] if group.fails => self.refused.push(alone.effect()),
                [_, ..] if group.fails => {
                    let second = group.members.split_off(n_members.div_ceil(2));
                    self.groups.push(Group {
                        fails_after_another: true,
                        ..Group::new(second)
                    });
                    self.groups.push(Group::new(group.members));
                }
                _ => {
                    self.groups.push(group);
                    return;
                }
            }
        }
    }
}

impl<C> Group<C> {
    fn new(members: Vec<C>) -> Self {
        Self {
            members,
            fails: false,
            fails_after_another: false,
        }
    }
}

/// Keeps those of the successes that may be made together, on top of other candidates. The search proposes what is left
/// out again.
fn going_together<C: Combine>(made: &[C], successes: Vec<C>) -> Vec<C> {
    let mut together = made.to_vec();
    for one in successes {
        if one.goes_with(&together) {
            together.push(one);
        }
    }
    together.split_off(made.len())
}
