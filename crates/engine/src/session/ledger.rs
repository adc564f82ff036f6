//! The ledger of a search: known verdicts, failed attempts, and figures.

use super::figures::Figures;
use super::phases::Phases;
use super::skipped::Skipped;
use crate::answer::{Answer, Effort};
use crate::ask::QuestionId;
use crate::candidate::Candidate;
use crate::decider::Decider;
use crate::figures::{PassStatistics, Phase, SkippedPass};
use crate::propose::Attempts;
use crate::propose::Moves;
use crate::request::Stage;
use crate::screen::KnownVerdicts;
use crate::store::Digest;
use reduce_oracle::{Late, Linkage, Signature, Verdict};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

/// The record of a search: known verdicts, failed attempts, and the figures of the work.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) verdicts: KnownVerdicts,
    /// The number of questions about candidates that were made.
    questions: u64,
    /// The number of searches that were begun in the session.
    searches: u64,
    pub(super) figures: Figures,
    /// The figures of each stage, in the order in which the stages first ran.
    passes: Vec<PassStatistics>,
    /// The index of the stage under way.
    pass: usize,
    pub(super) phases: Phases,
    pub(crate) attempts: Attempts,
    pub(crate) moves: Moves,
    /// The keys of the candidates that the compiler answered about since the last whole round
    /// began.
    asked_in_round: HashSet<Digest>,
    /// Candidates that ran out of time since the last whole round began.
    late: Vec<LateCandidate>,
    /// The number of edits of the last fixpoint that the compiler has an answer for.
    possible_edits: u64,
    /// The number of candidates that ran out of time, so that the result is not known to be minimal
    /// for them.
    out_of_time: u64,
    /// The number of runs that did not try a smaller program, such as one more run of the best so far.
    pub(super) final_checks: u64,
    skipped: Skipped,
    /// The number of calls into the code under test from which the test was written anew.
    pub(crate) carved_calls: u64,
    /// The reason why the test was not written anew, where that was tried.
    pub(crate) not_carved: Option<&'static str>,
}

/// A candidate that ran out of time.
#[derive(Debug, Clone)]
pub(super) struct LateCandidate {
    pub(super) key: Digest,
    pub(super) candidate: Candidate,
}

/// The facts about a verdict that matter once the search uses it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Used {
    /// Another crash that the candidate shows and that was not reported before.
    pub(super) other_crash: Option<Signature>,
    /// Whether the candidate ran out of time.
    pub(super) is_late: bool,
}

impl Ledger {
    /// Begins the work of a stage, whose candidates are counted from now on.
    pub(super) fn begin_stage(&mut self, stage: Stage) {
        self.pass = self.index_of(stage);
    }

    /// Returns the index of a stage's figures; they begin now if the stage has not run before.
    pub(super) fn index_of(&mut self, stage: Stage) -> usize {
        let name = stage.name();
        let known = self.passes.iter().position(|pass| pass.pass == name);
        known.unwrap_or_else(|| {
            self.passes.push(PassStatistics {
                pass: name.to_owned(),
                ..Default::default()
            });
            self.passes.len() - 1
        })
    }

    /// Returns the figures of the stage under way.
    pub(super) fn of_stage(&mut self) -> &mut PassStatistics {
        &mut self.passes[self.pass]
    }

    /// Returns the name of the stage under way.
    pub(super) fn stage_name(&self) -> String {
        let stage = self.passes.get(self.pass);
        stage.map_or_else(String::new, |stage| stage.pass.clone())
    }

    /// Makes the stage with this index the one under way. Returns the index of the one before.
    pub(super) fn switch_to(&mut self, pass: usize) -> usize {
        std::mem::replace(&mut self.pass, pass)
    }

    /// Returns the figures of each stage, in the order in which the stages first ran.
    pub(crate) fn passes(&self) -> &[PassStatistics] {
        &self.passes
    }

    /// Returns the figures of the search.
    pub(crate) fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Returns the number of runs that did not try a smaller program, such as one more run of the best so far.
    pub(crate) fn final_checks(&self) -> u64 {
        self.final_checks
    }

    /// Returns the phases that have ended.
    pub(crate) fn phases(&self) -> &[Phase] {
        self.phases.ended()
    }

    /// Begins a search. Returns its number, from 1.
    pub(crate) fn next_search(&mut self) -> u64 {
        self.searches += 1;
        self.searches
    }

    /// Returns the id of a question that nobody has asked.
    pub(crate) fn next_question(&mut self) -> QuestionId {
        self.questions += 1;
        QuestionId(self.questions)
    }

    /// Adds to the time that we have used ourselves, outside of the compiler.
    pub(crate) fn add_overhead(&mut self, time: Duration) {
        self.figures.overhead += time;
    }

    /// Remembers an answer about a candidate, and counts its cost.
    pub(super) fn learn(&mut self, key: Digest, answer: &Answer) {
        self.figures.add_effort(answer.effort);
        self.figures.compiler_runs += u64::from(answer.decider.asks_compiler());
        self.verdicts.learn(key, answer);
    }

    /// Counts a candidate that was not smaller than the best so far.
    pub(super) fn count_not_smaller(&mut self) {
        self.figures.add_decision(Decider::Size, Effort::default());
    }

    /// Counts the queries of a joint compilation, once the search has used its answers.
    pub(super) fn count_joint_queries(&mut self, compiler_runs: u64) {
        for _ in 0..compiler_runs {
            self.passes[self.pass].queries += 1;
            self.figures.add_query("joint compilation", false);
        }
    }

    /// Counts a verdict that the search has used.
    pub(super) fn count(&mut self, key: Digest, kind: &str) -> Used {
        let key = self.verdicts.counted_as(key);
        let Some((known, is_first_use)) = self.verdicts.note_used(&key) else {
            return Used::default();
        };
        if known.decider.is_of_compiler() {
            self.asked_in_round.insert(key);
        }
        let (decider, effort) = match known.decider.is_of_compiler() && !is_first_use {
            true => (Decider::Cache, Effort::default()),
            false => (known.decider, known.effort),
        };
        let figures = &mut self.figures;
        figures.add_decision(decider, effort);
        if decider.asks_compiler() {
            self.passes[self.pass].queries += 1;
            figures.add_query(kind, known.verdict.is_interesting());
        } else if decider == Decider::Cache {
            let is_from_earlier_run = known.decider == Decider::Cache;
            figures.cache_hits += 1;
            figures.cache_hits_from_earlier_runs += u64::from(is_from_earlier_run);
        }
        Used {
            other_crash: match &known.verdict {
                Verdict::OtherCrash(crash) if is_first_use => Some(Signature::clone(crash)),
                _ => None,
            },
            is_late: known.is_late(),
        }
    }

    /// Begins a round of passes, which leaves out edits that failed in earlier rounds or tries all.
    pub(crate) fn begin_round(&mut self, leaves_out_failed: bool) {
        self.attempts.begin_round(leaves_out_failed);
        self.forget_round();
    }

    /// Forgets failed edits and moves, as these may succeed with another program.
    pub(super) fn forget_failures(&mut self) {
        self.attempts = Attempts::default();
        self.moves = Moves::default();
        self.forget_round();
    }

    fn forget_round(&mut self) {
        self.asked_in_round.clear();
        self.late.clear();
        self.skipped.begin_round();
    }

    /// Notes that the last round has accepted nothing, so that all candidates of that round are
    /// edits of the result, which has this linkage.
    pub(super) fn end_at_fixpoint(&mut self, linkage: &Linkage) {
        self.possible_edits = self.asked_in_round.len() as u64;
        self.skipped.end_at_fixpoint();
        self.count_out_of_time(linkage);
    }

    /// Notes that the user has skipped a run of a stage.
    pub(super) fn note_skipped(&mut self, stage: Stage) {
        self.skipped.note(stage.name());
    }

    /// Notes the runs of passes that were skipped before the job was interrupted.
    pub(super) fn remember_skipped(&mut self, times: BTreeMap<String, u64>) {
        self.skipped = Skipped::in_earlier_runs(times);
    }

    /// Returns the number of runs of each pass that the user has skipped.
    pub(super) fn skipped_runs(&self) -> &BTreeMap<String, u64> {
        self.skipped.times()
    }

    /// Returns the passes of which the user has skipped a run.
    pub(crate) fn skipped(&self) -> impl Iterator<Item = SkippedPass> {
        self.skipped.passes()
    }

    /// Returns the number of edits of the last fixpoint that the compiler has an answer for.
    pub(crate) fn possible_edits(&self) -> u64 {
        self.possible_edits
    }

    /// Notes a candidate that ran out of time.
    pub(super) fn note_late(&mut self, key: Digest, candidate: &Candidate) {
        if self.late.iter().all(|known| known.key != key) {
            let candidate = candidate.clone();
            self.late.push(LateCandidate { key, candidate });
        }
    }

    /// Returns the late candidates of this round that may end in time if they get more of it: what
    /// sleeps does so on any machine, and what was asked about again has had its chance.
    pub(super) fn worth_asking_again(&self) -> Vec<LateCandidate> {
        let may_help = |one: &&LateCandidate| {
            let known = self.verdicts.get(&one.key).map(|known| known.timing);
            let is_awake = |late| late != Late::Asleep;
            known.is_some_and(|known| known.late.is_some_and(is_awake) && !known.is_asked_again)
        };
        self.late.iter().filter(may_help).cloned().collect()
    }

    /// Returns the number of candidates that ran out of time so far in this round.
    pub(crate) fn late_so_far(&self) -> usize {
        self.late.len()
    }

    /// Notes a move of a crate that failed for this program, and which of its candidates ran out of
    /// time.
    pub(crate) fn note_unmoved(
        &mut self,
        program: &Candidate,
        unit: Option<usize>,
        kind: &'static str,
        late_before: usize,
    ) {
        let late = self.late.iter().skip(late_before);
        let late = late.map(|one| one.key).collect();
        self.moves.note_failed(program, unit, kind, late);
    }

    /// Returns the number of candidates that ran out of time, so that the result is not known to be
    /// minimal for them.
    pub(crate) fn out_of_time(&self) -> u64 {
        self.out_of_time
    }

    /// Counts the candidates that have no verdict because they ran out of time: edits of the
    /// result, and crates that could not be moved into it and are linked with it.
    pub(super) fn count_out_of_time(&mut self, linkage: &Linkage) {
        let edits = self.late.iter().map(|one| one.key);
        let moves = self.moves.late(&linkage.named());
        let all: BTreeSet<Digest> = edits.chain(moves).collect();
        let is_late = |key: &&Digest| {
            let known = self.verdicts.get(key);
            known.is_some_and(|known| known.verdict == Verdict::TimedOut)
        };
        self.out_of_time = all.iter().filter(is_late).count() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(verdict: Verdict) -> Answer {
        Answer::free(verdict, Decider::End)
    }

    fn ledger(verdict: Verdict) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.begin_stage(Stage::KeepSlice);
        ledger.learn([1; 32], &asked(verdict));
        ledger
    }

    #[test]
    fn a_verdict_is_a_query_once_and_then_known() {
        let mut ledger = ledger(Verdict::Compiles);
        ledger.count([1; 32], "slice");
        ledger.count([1; 32], "slice");
        let figures = ledger.figures();
        assert_eq!((figures.queries, figures.cache_hits), (1, 1));
        assert_eq!(ledger.passes()[0].queries, 1);
        assert_eq!(figures.cache_hits_from_earlier_runs, 0);
    }

    #[test]
    fn a_verdict_of_an_earlier_run_is_no_query() {
        let mut ledger = Ledger::default();
        ledger.begin_stage(Stage::KeepSlice);
        ledger.verdicts.recall([1; 32], Verdict::Compiles);
        ledger.count([1; 32], "slice");
        let figures = ledger.figures();
        assert_eq!((figures.queries, figures.compiler_runs), (0, 0));
        assert_eq!(figures.cache_hits_from_earlier_runs, 1);
    }

    #[test]
    fn a_verdict_that_nobody_used_is_a_run_and_no_query() {
        let ledger = ledger(Verdict::Compiles);
        let figures = ledger.figures();
        assert_eq!((figures.queries, figures.compiler_runs), (0, 1));
    }

    #[test]
    fn what_was_asked_in_the_last_round_are_the_possible_edits() {
        let mut ledger = ledger(Verdict::Compiles);
        ledger.count([1; 32], "slice");
        ledger.begin_round(false);
        ledger.learn([2; 32], &asked(Verdict::Compiles));
        ledger.count([2; 32], "slice");
        ledger.end_at_fixpoint(&Linkage::default());
        assert_eq!(ledger.possible_edits(), 1);
    }

    #[test]
    fn the_figures_of_a_stage_go_on_when_it_runs_again() {
        let mut ledger = Ledger::default();
        for stage in [Stage::KeepSlice, Stage::Print, Stage::KeepSlice] {
            ledger.begin_stage(stage);
            ledger.of_stage().tried += 1;
        }
        let tried = ledger.passes().iter().map(|pass| pass.tried);
        assert_eq!(tried.collect::<Vec<_>>(), [2, 1]);
    }
}
