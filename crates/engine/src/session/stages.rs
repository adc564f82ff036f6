//! The work of a session by stages and parts, each with its figures.

use super::phases::Standing;
use super::state::Session;
use crate::Failure;
use crate::ask::Crates;
use crate::event::{Event, Progress};
use crate::live::LiveFigures;
use crate::propose::Methods;
use crate::request::{Needs, Part, Stage};
use crate::trace;
use crate::watch::Looking;
use std::time::Instant;

impl Session<'_> {
    /// Does some work as a stage, and counts its time and its candidates for that stage.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn in_stage<T>(
        &mut self,
        stage: Stage,
        round: u32,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.start_stage(stage, round);
        let started = Instant::now();
        let result = work(self);
        self.ledger.of_stage().seconds += started.elapsed().as_secs_f64();
        result
    }

    /// Does the work of a stage, unless the user has left it out or the oracle cannot serve it; returns how
    /// many candidates it accepted.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn in_chosen_stage(
        &mut self,
        methods: &Methods,
        stage: Stage,
        round: u32,
        work: impl FnOnce(&mut Self) -> Result<u64, Failure>,
    ) -> Result<u64, Failure> {
        let has_time = methods
            .most_decided
            .is_none_or(|most| self.ledger.figures.decided() < most);
        if self.is_cancelled() || !has_time || !self.may_begin(methods, stage) {
            return Ok(0);
        }
        self.look_for_edit()?;
        self.look_again()?;
        if self.is_cancelled() {
            return Ok(0);
        }
        let skip = self.mode.stop.skip.clone();
        skip.begin(stage.name());
        let result = self.in_stage(stage, round, |session| session.interruptibly(work));
        if skip.end() {
            self.ledger.note_skipped(stage);
        }
        result
    }

    /// Whether the user has not left a stage out, and the oracle can serve it.
    pub(crate) fn may_begin(&self, methods: &Methods, stage: Stage) -> bool {
        methods.options.passes.contains(stage) && self.has(stage.facts().needs)
    }

    /// Whether the condition is met without which a stage never runs.
    fn has(&self, needs: Needs) -> bool {
        let oracle = &self.tools.oracle;
        match needs {
            Needs::Nothing => true,
            Needs::ProgramsRun => oracle.runs_programs(),
            Needs::NoProgramsRun => !oracle.runs_programs(),
            Needs::RightValues => oracle.knows_right_values(),
            Needs::TwoVersions => oracle.crates().is_some_and(Crates::has_two_versions),
        }
    }

    /// Begins a stage, and sends an event about it.
    pub(crate) fn start_stage(&mut self, stage: Stage, round: u32) {
        (self.mode.stage, self.mode.round) = (stage, round);
        self.ledger.begin_stage(stage);
        trace::begin_stage(stage, round, self.best.tokens());
        self.emit(Event::PassStarted {
            pass: stage.to_string(),
            round,
        });
    }

    /// Ends a part of the search, unless the search is on trial.
    pub(crate) fn end_part(&mut self, part: Part) {
        if self.mode.is_on_detour {
            return;
        }
        let now = Standing {
            queries: self.ledger.figures.queries,
            steps: self.ledger.figures.steps,
            seconds: self.tools.started.elapsed().as_secs_f64(),
        };
        self.ledger.phases.end(part, now, self.best.tokens());
    }

    /// Notes that the last round has accepted nothing, unless the search is on trial.
    pub(crate) fn end_at_fixpoint(&mut self) {
        if !self.mode.is_on_detour {
            let linkage = &self.best.candidate().compile_options.linkage;
            self.ledger.end_at_fixpoint(linkage);
        }
    }

    /// Reports progress, and changes of the user's sources, unless that was done a moment ago.
    pub(crate) fn report_progress(&mut self) {
        if !self.mode.takes_progress() {
            return;
        }
        self.warn_of_changes(Looking::WhereTold);
        self.report_live();
        self.emit(Event::Progress(Progress {
            pass: self.ledger.stage_name(),
            round: self.mode.round,
            tokens_now: self.best.tokens(),
            tokens_at_start: self.tokens_at_start,
            queries: self.ledger.figures.compiler_runs,
            cache_hits: self.ledger.figures.cache_hits,
            elapsed_seconds: self.tools.started.elapsed().as_secs_f64(),
        }));
    }

    /// Notes the state of the search for a live view, if somebody looks at one.
    fn report_live(&self) {
        let live = &self.tools.control.live;
        if !live.is_looked_at() {
            return;
        }
        let best = &self.best.candidate().tree;
        let places = self.tools.output.places(best);
        live.show(best, places, self.mode.is_on_detour);
        live.note(LiveFigures {
            pass: self.mode.stop.skip.under_way(),
            workers: self.tools.jobs as u64,
            passes: self.ledger.passes().to_vec(),
            skipped: self.ledger.skipped().map(|one| one.pass).collect(),
        });
    }

    /// Warns the user of sources that are not any more as they were copied.
    pub(crate) fn warn_of_changes(&self, looking: Looking) {
        for path in self.tools.watch.changed_sources(looking) {
            let message =
                format!("`{path}` was changed; the reduction goes on with the copy of before");
            self.emit(Event::Warning { message });
        }
    }
}
