//! Joint compilations in a search: when several candidates are compiled together, and what their errors tell
//! of each. Of tests they also tell which of them are interesting, so that these are combined.
//!
//! See docs/decisions/joint-compilations.md.

use super::joint_state::JointCompilation;
use super::state::Session;
use crate::Failure;
use crate::answer::{Answer, Effort};
use crate::ask::{Refusals, Side};
use crate::candidate::Candidate;
use crate::decider::Decider;
use crate::store::Digest;
use crate::turns::Work;
use reduce_oracle::Verdict;
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::time::Instant;

/// The largest number of candidates that are compiled together.
const MOST_TOGETHER: usize = 40;
/// The smallest number of candidates that are compiled together; fewer are asked about one by one.
const FEWEST_TOGETHER: usize = 2;
/// The smallest number of candidates that must fit into a joint compilation: where fewer do, programs are
/// large, and candidates are asked about one by one.
const LEAST_WIDTH: usize = 6;
/// The number of windows with a single candidate after one was accepted: the next may be accepted
/// too.
const SINGLE_WINDOWS: usize = 1;
/// The number of further windows with a single candidate for each of the last joint compilations that
/// refused few candidates, where errors alone decide.
const MORE_SINGLE_WINDOWS: usize = 2;
/// The largest number of joint compilations with few refusals that are counted.
const MOST_IDLE: usize = 4;
/// The largest number of candidates of a wave whose candidates are decided together.
const MOST_OF_WAVE: usize = 24;
/// The largest number of tokens in a joint compilation, in which each candidate is there whole.
const MOST_TOKENS: u64 = 16_000;

/// The usual number of candidates of a wave for each one that is asked about alone after a joint
/// compilation.
const CANDIDATES_PER_QUERY: usize = 3;

/// The smallest wave whose candidates are compiled together: with fewer, the workers answer as
/// soon.
const FEWEST_OF_A_WAVE: usize = 20;

/// The largest number of compiler calls of a joint compilation.
const MOST_JOINT_QUERIES: u64 = 8;

impl Session<'_> {
    /// Opens the next window of candidates, which are decided together. Returns how many are in it; 1 where there is no
    /// joint compilation. That depends on nothing but what was proposed since the last was accepted.
    pub(crate) fn next_window(&mut self) -> usize {
        self.joint.opened += 1;
        if self.goes_by_waves() {
            return self.wave_size();
        }
        let single = SINGLE_WINDOWS + MORE_SINGLE_WINDOWS * self.joint.idle.min(MOST_IDLE);
        match self.joint.opened <= single {
            true => 1,
            false => self.joint_width(),
        }
    }

    /// Returns the number of candidates of a wave: as many as a joint compilation decides about, and with `--width` more than the
    /// width where joint compilations may refuse most of them. That depends on nothing but the program, and not on what is known of
    /// joint compilations: a run that knows verdicts of an earlier one makes none, and must make the same waves.
    pub(crate) fn wave_size(&self) -> usize {
        if self.decides_together() {
            return self.most_together().min(MOST_OF_WAVE);
        }
        let best = self.best();
        let may_be_joint = best.tree.files().count() == 1
            && self.tools.oracle.compiles_jointly(&best.compile_options);
        match may_be_joint && self.most_together() >= LEAST_WIDTH {
            true => self.tools.width * CANDIDATES_PER_QUERY,
            false => self.tools.width,
        }
    }

    /// Whether a search goes on by waves: several candidates of the same program are decided before one is accepted.
    pub(crate) fn goes_by_waves(&self) -> bool {
        self.is_wide() || self.decides_together()
    }

    /// Whether a single worker goes on by waves, as one joint compilation decides about all of a wave. That depends on nothing but
    /// the program, as the size of a wave does.
    fn decides_together(&self) -> bool {
        let best = self.best();
        !self.is_wide()
            && self.tools.oracle.accepts_jointly(&best.compile_options)
            && best.tree.files().count() == 1
            && self.most_together() >= LEAST_WIDTH
            && !self.mode.recomputes()
    }

    /// Begins again with windows of one candidate, as another program is the best so far.
    pub(super) fn end_windows(&mut self) {
        self.joint.opened = 0;
    }

    fn joint_width(&self) -> usize {
        let width = self.most_together();
        let may_tell =
            !self.mode.recomputes() && self.joint.programs.may_be_alike(&self.best().tree.digest());
        match width >= LEAST_WIDTH && may_tell {
            true => width,
            false => 1,
        }
    }

    /// Returns the number of candidates as large as the best so far that may be compiled together.
    fn most_together(&self) -> usize {
        let by_tokens = MOST_TOKENS / self.best.tokens().max(1);
        usize::try_from(by_tokens).map_or(MOST_TOGETHER, |most| most.min(MOST_TOGETHER))
    }

    /// Returns the largest number of compiler calls that a joint compilation of so many candidates
    /// may make.
    pub(crate) fn most_joint_queries(&self, candidates: usize) -> u64 {
        let groups = match self.tools.width {
            1 => 1,
            _ => candidates.div_ceil(self.joint_width()),
        };
        MOST_JOINT_QUERIES * groups as u64
    }

    /// Compiles candidates together, to refuse those that are not interesting. Returns what is counted for that, and those
    /// of them that are not interesting, by index; `None` where there are too few.
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
        let fewest = match self.tools.width {
            1 => FEWEST_TOGETHER,
            width => FEWEST_OF_A_WAVE.min(width + 1),
        };
        if plausible.len() < fewest || self.joint_width() == 1 {
            return Ok(None);
        }
        let base = self.best().clone();
        let started = Instant::now();
        let all = self.refused_jointly(&base, &plausible, candidates);
        if self.notes_change() {
            return Ok(None);
        }
        let refusals = together(all?);
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
            self.learn(candidates[idx].0, &answer);
        }
        for idx in refusals.accepted {
            let (key, candidate) = candidates[idx];
            if self.refusal(candidate).is_none() {
                self.learn(key, &Answer::free(Verdict::Interesting, Decider::Joint));
            }
        }
        let joint = JointCompilation {
            number: self.joint.made,
            compiler_runs: refusals.compiler_runs,
            most_queries: self.most_joint_queries(plausible.len()),
        };
        let refused = refusals.candidates.into_keys().collect();
        Ok(Some((joint, refused)))
    }

    /// Compiles as many of the candidates together as may be, given by their indices, and returns which are refused;
    /// several such compilations are made side by side.
    fn refused_jointly(
        &self,
        base: &Candidate,
        plausible: &[usize],
        candidates: &[(Digest, &Candidate)],
    ) -> Result<Vec<Refusals>, Failure> {
        let tools = &self.tools;
        let groups: Vec<&[usize]> = match tools.width {
            1 => vec![plausible],
            _ => plausible.chunks(self.joint_width()).collect(),
        };
        let is_brief = tools.width > 1;
        let (oracle, control, cancel) = (tools.oracle, tools.control, tools.cancel);
        let of_group = |number: usize| {
            let group = groups[number];
            let programs: Vec<&Candidate> = group.iter().map(|idx| candidates[*idx].1).collect();
            let _turn = control.turns.wait(Work::Query, cancel);
            let trees = programs.iter().map(|candidate| &candidate.tree);
            let _trying = control.live.trying(trees);
            let side = Side { number, is_brief };
            let mut refusals = oracle.refused_jointly(base, &programs, side, cancel)?;
            let by_group = std::mem::take(&mut refusals.candidates);
            let known = by_group.into_iter();
            refusals.candidates = known.map(|(idx, verdict)| (group[idx], verdict)).collect();
            let accepted = std::mem::take(&mut refusals.accepted).into_iter();
            refusals.accepted = accepted.map(|idx| group[idx]).collect();
            Ok(refusals)
        };
        let n_threads = tools.jobs.min(groups.len());
        let all: Result<Vec<Refusals>, Failure> = match n_threads {
            0 | 1 => (0..groups.len()).map(of_group).collect(),
            _ => std::thread::scope(|scope| {
                let every = |first: usize| (first..groups.len()).step_by(n_threads);
                let spawn = |first: usize| {
                    let of_group = &of_group;
                    scope.spawn(move || every(first).map(of_group).collect::<Vec<_>>())
                };
                let threads: Vec<_> = (0..n_threads).map(spawn).collect();
                let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
                    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
                };
                threads.into_iter().flat_map(join).collect()
            }),
        };
        if let (Some(simulation), Ok(all)) = (&control.simulation, &all) {
            let longest = all.iter().map(|one| one.compiler_runs).max();
            simulation.call_beside(longest.unwrap_or(0));
        }
        all
    }

    /// Counts a joint compilation whose answers the search uses, once.
    pub(crate) fn count_joint(&mut self, joint: JointCompilation) {
        if self.joint.counted.insert(joint.number) {
            self.ledger.count_joint_queries(joint.compiler_runs);
            self.mode.stop.note_queries(self.ledger.figures.queries);
        }
    }
}

/// Joins the refusals of several joint compilations of one program.
fn together(all: Vec<Refusals>) -> Refusals {
    let mut together = Refusals {
        is_sound: true,
        ..Refusals::default()
    };
    for one in all {
        together.candidates.extend(one.candidates);
        together.accepted.extend(one.accepted);
        together.is_sound &= one.is_sound;
        together.is_left_out |= one.is_left_out;
        together.tells_errors_alone |= one.tells_errors_alone;
        together.compiler_runs += one.compiler_runs;
        together.cpu += one.cpu;
    }
    together
}
