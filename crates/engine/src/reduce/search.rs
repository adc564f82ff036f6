//! The search of a reduction, from the failure that was found to the written result.

use super::baseline::Input;
use super::job::resume;
use super::setup::SearchSetup;
use crate::Failure;
use crate::ask::{Oracle, Pool, RemoteWorkers, SimulatedOracle, Trial};
use crate::context::Context;
use crate::event::Event;
use crate::failure::{FailureKind, unless_cancelled, unless_stopped};
use crate::figures::{Ended, Verification};
use crate::propose::{Methods, Named, named};
use crate::result::{Ending, Loss, as_incremental_test, write_result};
use crate::session::{Session, Slice, Tools};
use crate::store::Kept;
use crate::strategy::{
    BEFORE_SLICES, BEFORE_WHOLE, BEGINNING, ERRORS, places_of_difference, run, run_part,
    run_to_end, run_to_fixpoint, tidy, try_as_test, with_revisions,
};
use crate::summary::Summary;
use crate::turns::{Work, WorkerPermit};
use crate::watch::Looking;
use reduce_guard::has_points;
use reduce_oracle::{Change, Plan, Stability};
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// The number of decided candidates after which no stage is begun with the test alone, with `--whole`.
const MOST_FOR_TEST: u64 = 300;

/// Searches for a smaller program, and writes the result. The turn of what comes before the search
/// ends when that is over.
///
/// # Errors
/// A [`Failure`] when there is no result.
pub(super) fn search(
    context: &Context<'_>,
    input: Input,
    beginning: Option<WorkerPermit>,
) -> Result<Summary, Failure> {
    let setup = context.interruptibly(|| SearchSetup::new(context, input))?;
    drop(beginning);
    std::thread::scope(|scope| {
        let simulation = context.control.simulation.clone();
        let simulated = simulation.map(|simulation| SimulatedOracle {
            oracle: &setup.oracle,
            simulation,
        });
        let oracle: &dyn Oracle = match &simulated {
            Some(simulated) => simulated,
            None => &setup.oracle,
        };
        let (jobs, control) = (context.request.jobs, context.control);
        let sides = (&control.turns, &control.live);
        let pool = match &context.control.simulation {
            Some(simulation) => Pool::simulated(Arc::clone(simulation), oracle, jobs, sides)?,
            None => Pool::start_with(scope, oracle, (jobs, setup.remote.as_ref()), sides)?,
        };
        let pool = pool.cancelled_by(scope, context.cancel)?;
        let trial = match setup.oracle.must_be_stable() {
            true => Some(Trial::of_input(
                scope,
                &setup.oracle,
                &setup.begin,
                context,
            )?),
            false => None,
        };
        let tokens = setup.original.count_tokens();
        let mut session = Session::new(setup.tools(oracle), pool, setup.begin.clone(), tokens);
        session.log_from(&setup.original);
        if let Some(trial) = &trial {
            session.expect_stable(trial.refuted());
        }
        let ran = session.interruptibly(|session| setup.run(session));
        if let Some(simulation) = &context.control.simulation {
            simulation.end_search();
        }
        if let Some(change) = setup.oracle.change() {
            session.return_to_shown();
            return Err(setup.stop_for(&change, &mut session)?);
        }
        let verified = match session.early_end() {
            Some(_) => unless_cancelled(ran)?,
            None => unless_stopped(ran, context.cancel)?,
        };
        let verified = verified.flatten();
        setup.end(&mut session, verified, trial)
    })
}

impl SearchSetup<'_> {
    fn tools<'a>(&'a self, oracle: &'a dyn Oracle) -> Tools<'a> {
        let context = self.context;
        Tools {
            oracle,
            kept: Kept::new(self.store, &self.output, self.job, context.emit),
            emit: context.emit,
            control: context.control,
            cancel: context.cancel,
            budget: context.request.budget,
            output: &self.output,
            watch: &self.watch,
            jobs: context.request.jobs.max(1) + self.remote.as_ref().map_or(0, |one| one.jobs),
            width: context.request.search.width.get(),
            started: context.started.clone(),
        }
    }

    /// Searches from the beginning, or from where an interrupted job was, until nothing more can go.
    fn run(&self, session: &mut Session<'_>) -> Result<Option<Verification>, Failure> {
        for other in &self.others {
            session.name_other(other, &self.begin)?;
        }
        if let Some(beginning) = &self.beginning {
            beginning.close_ways(session);
        }
        let methods = self.methods.clone();
        let is_resumed = resume(session, &self.original)? || self.begin_earlier(session)?;
        let methods = match is_resumed {
            true => methods.resumed(),
            false => {
                let named = self.prepared_for_slices(session, &methods)?;
                let begin = session.best().tree.clone();
                let methods = methods.beginning_with(named.clone(), begin.clone());
                run_part(session, &methods, &BEGINNING)?;
                match session.mode.slice {
                    Slice::OfStatements => methods.with_pointed_at(&begin, &named.pointed_at),
                    Slice::OfDefinitions | Slice::Nothing => methods,
                }
            }
        };
        run(session, &methods, &ERRORS, 1)?;
        session.redo_from_edits(|session| {
            if let Some(whole) = &self.methods_for_whole {
                self.begin_with_test(session, &methods)?;
                run(session, whole, &BEFORE_WHOLE, 1)?;
            }
            let methods = self.methods_for_whole.as_ref().unwrap_or(&methods);
            let verified = run_to_end(session, methods)?;
            self.name_revisions(session)?;
            Ok(verified)
        })
    }

    /// Begins the search with a step of an earlier reduction, if the user asks for that.
    fn begin_earlier(&self, session: &mut Session<'_>) -> Result<bool, Failure> {
        let Some(beginning) = &self.beginning else {
            return Ok(false);
        };
        if let Err(failure) = beginning.begin(session) {
            self.output.discard()?;
            return Err(failure);
        }
        Ok(true)
    }

    /// Makes the cuts that come before the slices. Returns what the failure names then: the places that it named have moved,
    /// and what differs between two versions is what matters. Where such a place is gone, the compiler is asked again.
    fn prepared_for_slices(
        &self,
        session: &mut Session<'_>,
        methods: &Methods,
    ) -> Result<Named, Failure> {
        let before = session.best().tree.clone();
        let accepted = run(session, methods, &BEFORE_SLICES, 1)?;
        let best = session.best();
        let (plan, tree) = (self.oracle.plan(&best.compile_options), &best.tree);
        let mut told = match accepted {
            0 => self.named.clone(),
            _ => match self.named.moved(&before, tree) {
                Some(moved) => moved,
                None => {
                    let _turn = self.context.turn(Work::Query);
                    let shown = self.oracle.show(&plan, best, self.context.cancel)?;
                    named(&shown, &plan, tree)
                }
            },
        };
        if !session.program().model().is_named_by(&told.seeds) {
            self.name_by_first_bug(&plan, tree, &mut told)?;
        }
        if plan.versions().is_some() {
            told.pointed_at.extend(places_of_difference(tree));
        }
        Ok(told)
    }

    /// Finds what a crash happens in that names nothing: the compiler delays some bugs to its end, and says where they are if it
    /// is to crash at once.
    fn name_by_first_bug(
        &self,
        plan: &Plan,
        tree: &SourceTree,
        told: &mut Named,
    ) -> Result<(), Failure> {
        let _turn = self.context.turn(Work::Query);
        let shown = self
            .oracle
            .show_first_bug(plan, tree, self.context.cancel)?;
        if let Some(shown) = shown {
            *told = Named {
                raw_message: std::mem::take(&mut told.raw_message),
                ..named(&shown, plan, tree)
            };
        }
        Ok(())
    }

    /// Names the two versions of an incremental crash as revisions, so that the result is a test of
    /// rustc's own.
    fn name_revisions(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let best = session.best();
        let has_errors = self.oracle.allows_errors(&best.compile_options);
        let plan = self.oracle.plan(&best.compile_options);
        match with_revisions(best, &plan, has_errors) {
            Some(named) if !session.is_cancelled() => {
                let plan = self.oracle.plan(&named.compile_options);
                try_as_test(session, as_incremental_test(&plan, named))
            }
            _ => Ok(()),
        }
    }

    /// Reduces the test alone first, as far as that costs little, with `--whole`, so that its crates become a part of it
    /// soon. A job that goes on with some of them in it has done that.
    fn begin_with_test(&self, session: &mut Session<'_>, methods: &Methods) -> Result<(), Failure> {
        if !session.best().compile_options.linkage.modules.is_empty() {
            return Ok(());
        }
        let methods = methods.clone().roughly().ending_after(MOST_FOR_TEST);
        run_to_fixpoint(session, &methods)
    }

    /// Ends the search: waits for the runs of the input, confirms the result, and writes it.
    fn end(
        &self,
        session: &mut Session<'_>,
        verified: Option<Verification>,
        trial: Option<Trial<'_>>,
    ) -> Result<Summary, Failure> {
        let context = self.context;
        let ended = match context.cancel.is_cancelled() {
            true => Ended::Cancelled,
            false => session.early_end().unwrap_or(Ended::Fixpoint),
        };
        if ended != Ended::Fixpoint {
            self.leave_out_what_may_go(session)?;
        }
        let last = session.best().clone();
        match (
            self.finish(session, ended, verified, trial),
            self.oracle.change(),
        ) {
            (Err(_), Some(change)) => {
                session.end_with(last)?;
                Err(self.stop_for(&change, session)?)
            }
            (finished, _) => finished,
        }
    }

    /// Removes code from the best so far of a stopped search that only later stages would have
    /// needed.
    fn leave_out_what_may_go(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        // With `--whole` the program grows because that was asked for.
        if self.methods_for_whole.is_none() {
            session.take_growth_back()?;
        }
        match has_points(&session.best().tree) {
            true => session.end_with(session.best().unguarded()),
            false => Ok(()),
        }
    }

    /// Tidies a result whose search was stopped, confirms that it fails, and writes it.
    fn finish(
        &self,
        session: &mut Session<'_>,
        ended: Ended,
        verified: Option<Verification>,
        trial: Option<Trial<'_>>,
    ) -> Result<Summary, Failure> {
        let context = self.context;
        let runs_to_tidy = match ended {
            Ended::Fixpoint => 0,
            _ => tidy(session, &self.methods, &self.oracle, ended)?,
        };
        session.warn_of_changes(Looking::Everywhere);
        let stability = trial.map(|trial| stability_of(context, trial));
        let stability = stability.transpose()?;
        self.oracle.unless_changed()?;
        if ended != Ended::Cancelled {
            self.refuse_unstable(session, stability)?;
        }
        let ending = Ending {
            ended,
            oracle: &self.oracle,
            other_runs: self.other_runs + runs_to_tidy,
            verified,
            flaky: self.flaky,
            may_be_of_macro: self.may_be_of_macro,
            stability,
            of_input: &self.shown,
            guard: &*self.guard,
            remote: self.remote.as_ref().map(RemoteWorkers::figures),
            packaged: self.packaged.as_ref(),
        };
        let (summary, loss) =
            write_result(context, session, &self.output, &self.original, &ending)?;
        self.close(session, (ended, &summary), loss)?;
        Ok(summary)
    }

    /// Ends the reduction without a result where the input does not fail each time.
    fn refuse_unstable(
        &self,
        session: &Session<'_>,
        stability: Option<Stability>,
    ) -> Result<(), Failure> {
        let unstable = stability.filter(|stability| !stability.is_stable());
        let Some(unstable) = unstable else {
            return Ok(());
        };
        // Nothing of the search is left: the same command may be given again with `--repeat`.
        session.tools.kept.forget_checkpoint()?;
        self.output.discard()?;
        Err(self.oracle.unstable(unstable, self.before).into())
    }

    /// Ends the job, unless the user has stopped it. Fails where the result is not what was asked
    /// for.
    fn close(
        &self,
        session: &Session<'_>,
        (ended, summary): (Ended, &Summary),
        loss: Option<Loss>,
    ) -> Result<(), Failure> {
        let is_strict = self.context.request.property.strict_valid;
        if is_strict && ended != Ended::Cancelled && loss.is_none() {
            check_validity(summary)?;
        }
        if ended != Ended::Cancelled || loss.is_some() {
            session.tools.kept.forget_checkpoint()?;
            self.output.mark_finished()?;
        }
        loss.map_or(Ok(()), |loss| Err(loss.failure(summary)))
    }

    /// Ends the job with the best so far as it was before the compiler or linked crates were changed. Returns what the
    /// user is told. The same command may write to the directory again: with another compiler it is another job.
    fn stop_for(&self, change: &Change, session: &mut Session<'_>) -> Result<Failure, Failure> {
        self.leave_out_what_may_go(session)?;
        session.keep_late_edit()?;
        self.output.leave_to(&self.command)?;
        let best = session.best();
        let result = self.output.place(&best.tree).result;
        let tokens = best.tree.count_tokens();
        Ok(Failure::changed(change)
            .hint(format!("`{result}` is the last confirmed step, with {tokens} tokens"))
            .hint("give the same command again: it begins anew with what is there now, and replaces that result"))
    }
}

/// Waits for the runs of the input, and returns whether it failed each time.
fn stability_of(context: &Context<'_>, trial: Trial<'_>) -> Result<Stability, Failure> {
    if !trial.is_over() {
        let what = "running the input again, to see whether it fails each time".to_owned();
        (context.emit)(Event::Preparing { what });
    }
    let stability = trial.wait()?;
    if stability.is_stable() {
        (context.emit)(Event::Stability(stability));
    }
    Ok(stability)
}

/// Refuses a result that has errors, as `--strict-valid` demands.
fn check_validity(summary: &Summary) -> Result<(), Failure> {
    if summary.behaviour.clean != Some(false) {
        return Ok(());
    }
    let errors = summary.behaviour.remaining_errors.join("`, `");
    let message = format!("found no program that crashes without an error: `{errors}` stay");
    let kept = format!(
        "the smallest program with them is in `{}`",
        summary.delivered.result
    );
    Err(Failure::new(FailureKind::NoCrash, message)
        .hint(kept)
        .hint("without `--strict-valid`, errors that the original has may stay"))
}
