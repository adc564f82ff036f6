//! Joint compilations in a search: when several candidates are compiled together, and what that tells of them.

use super::state::Session;
use crate::Failure;
use crate::answer::{Answer, Effort};
use crate::candidate::Candidate;
use crate::decider::Decider;
use crate::question::References;
use crate::store::Digest;
use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

/// At most so many candidates are compiled together.
const MOST_TOGETHER: usize = 40;
/// With fewer, each is asked about alone.
const FEWEST_TOGETHER: usize = 2;
/// Programs of which fewer are compiled together are large, and their candidates are asked about one by one.
const LEAST_WIDTH: usize = 6;
/// So many candidates are asked about alone once another was accepted: the next may be accepted too.
const SINGLE_WINDOWS: usize = 1;
/// And so many more for each of the last joint compilations that told little, where errors alone decide,
const MORE_SINGLE_WINDOWS: usize = 2;
/// of which so many count.
const MOST_IDLE: usize = 4;
/// At most so many tokens are compiled together: each candidate is there whole.
const MOST_TOKENS: u64 = 16_000;

/// A joint compilation calls the compiler at most so often.
pub(crate) const MOST_JOINT_QUERIES: u64 = 8;

/// The joint compilations of a session.
#[derive(Debug, Default)]
pub(super) struct JointCompilations {
    /// How many windows were opened since a candidate was accepted.
    opened: usize,
    made: u64,
    /// How many of the last ones, where errors alone decide, refused no more candidates than the compiler was called.
    idle: usize,
    /// Those of which the search has used what they told.
    counted: HashSet<u64>,
    /// Programs that were compiled beside others.
    programs: References,
}

/// A joint compilation, by which what it told is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointCompilation {
    number: u64,
    compiler_runs: u64,
}

impl JointCompilation {
    /// Which one of the session it is.
    pub(crate) fn number(self) -> u64 {
        self.number
    }
}

impl Session<'_> {
    /// Begins a window of candidates. Returns how many are in it; 1 where there is no joint compilation. That depends on
    /// nothing but what was proposed since the last was accepted.
    pub(crate) fn next_window(&mut self) -> usize {
        self.joint.opened += 1;
        let single = SINGLE_WINDOWS + MORE_SINGLE_WINDOWS * self.joint.idle.min(MOST_IDLE);
        match self.joint.opened <= single {
            true => 1,
            false => self.joint_width(),
        }
    }

    /// Another program is the best so far.
    pub(super) fn end_windows(&mut self) {
        self.joint.opened = 0;
    }

    fn joint_width(&self) -> usize {
        let by_tokens = MOST_TOKENS / self.best.tokens().max(1);
        let width =
            usize::try_from(by_tokens).map_or(MOST_TOGETHER, |most| most.min(MOST_TOGETHER));
        let may_tell =
            !self.mode.recomputes() && self.joint.programs.may_be_alike(&self.best().tree.digest());
        match width >= LEAST_WIDTH && may_tell {
            true => width,
            false => 1,
        }
    }

    /// Compiles candidates together. Returns what is counted for that, and those of them that are not interesting, by index;
    /// `None` where there are too few.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn compile_jointly(
        &mut self,
        candidates: &[(Digest, &Candidate)],
    ) -> Result<Option<(JointCompilation, BTreeSet<usize>)>, Failure> {
        // The others cost no call of the compiler.
        let plausible = (0..candidates.len()).filter(|idx| self.is_plausible(candidates[*idx].1));
        let plausible: Vec<usize> = plausible.collect();
        if plausible.len() < FEWEST_TOGETHER {
            return Ok(None);
        }
        let base = self.best().clone();
        let programs: Vec<&Candidate> = plausible.iter().map(|idx| candidates[*idx].1).collect();
        let tools = &self.tools;
        let turn = tools.turn();
        let started = Instant::now();
        let refusals = tools.oracle.refused_jointly(&base, &programs, tools.cancel);
        drop(turn);
        if self.notes_change() {
            return Ok(None);
        }
        let refusals = refusals?;
        let programs = &mut self.joint.programs;
        match refusals.is_left_out {
            true => programs.leave_out(base.tree.digest()),
            false => programs.note(base.tree.digest(), refusals.is_sound),
        }
        self.joint.made += 1;
        let has_told_little = refusals.candidates.len() as u64 <= refusals.compiler_runs;
        self.joint.idle = match refusals.tells_errors_alone && has_told_little {
            true => self.joint.idle + 1,
            false => 0,
        };
        let effort = Effort {
            wall: started.elapsed(),
            cpu: refusals.cpu,
            ..Effort::default()
        };
        self.ledger.figures.compiler_runs += refusals.compiler_runs;
        self.ledger.figures.add_effort(effort);
        for (&idx, verdict) in &refusals.candidates {
            let answer = Answer::free(verdict.clone(), Decider::Joint);
            self.learn(candidates[plausible[idx]].0, &answer);
        }
        let joint = JointCompilation {
            number: self.joint.made,
            compiler_runs: refusals.compiler_runs,
        };
        let refused = refusals.candidates.into_keys();
        let refused = refused.map(|idx| plausible[idx]).collect();
        Ok(Some((joint, refused)))
    }

    /// Counts a joint compilation, once.
    pub(crate) fn count_joint(&mut self, joint: JointCompilation) {
        if self.joint.counted.insert(joint.number) {
            self.ledger.count_joint_queries(joint.compiler_runs);
            self.mode.stop.note_queries(self.ledger.figures.queries);
        }
    }
}
