//! The search of a reduction, from the failure that was found to the written result.

use super::baseline::Input;
use super::course::{begin_small, run_to_end};
use super::fidelity::{asks_mutants, is_guarded, methods_for_whole, search_options};
use super::job::{job_key, resume};
use super::split::unit_test as unit_test_of;
use crate::Failure;
use crate::agreement::{CodePlace, Prepared, goes_on_into_code_under_test, keeps_cause, prepare};
use crate::candidate::Candidate;
use crate::context::Context;
use crate::event::Event;
use crate::failure::FailureKind;
use crate::figures::{Ended, Verification};
use crate::marked::{MarkedCode, unmarked};
use crate::methods::Methods;
use crate::output::{OutputDirectory, SupportFile};
use crate::packaged::PackagedTest;
use crate::question::{CompilerOracle, Crates, Oracle, OtherTexts, Pool, Trial, compiler};
use crate::request::{CacheUse, Part, ReductionRequest};
use crate::result::{Ending, Loss, beside, write_result};
use crate::session::{Session, Tools};
use crate::store::{Digest, Store};
use crate::strategy::{embed_inputs, forbid_errors, lay_out, run_to_fixpoint, seeds};
use crate::summary::Summary;
use crate::test_file::TestFile;
use crate::unit_test::UnitTest;
use crate::watch::{Looking, Watches};
use camino::Utf8Path;
use reduce_gather::Side;
use reduce_model::Seed;
use reduce_mutants::is_marked;
use reduce_oracle::{Agreement, Baseline, Flaky, Plan, Sample, Stability, TwoVersions};
use reduce_syntax::SourceTree;

/// What a search begins with, and what its end is compared with.
struct Setting<'r> {
    context: &'r Context<'r>,
    original: SourceTree,
    /// The original on the terms on which it fails, without what is known to have nothing to do with that.
    begin: Candidate,
    oracle: CompilerOracle,
    seeds: Vec<Seed>,
    methods: Methods,
    /// How the code under test is reduced after the test.
    methods_for_whole: Option<Methods>,
    job: Digest,
    output: OutputDirectory,
    watch: Watches,
    /// `None` where nothing is kept beyond this run.
    store: Option<&'r dyn Store>,
    /// What the compiler's files are before the search.
    compiler_files: [u8; 32],
    /// The runs in which the baseline was found.
    before: Sample,
    /// Compiler runs before the search.
    other_runs: u64,
    flaky: Option<Flaky>,
    may_be_of_macro: bool,
    /// What the runs of the original have shown of the code under test.
    guard: Prepared,
    /// Where the result is shown in the user's package.
    packaged: Option<PackagedTest>,
}

/// Searches, and writes the result.
///
/// # Errors
/// A [`Failure`] when there is no result.
pub(super) fn search(context: &Context<'_>, input: Input) -> Result<Summary, Failure> {
    let setting = Setting::new(context, input)?;
    std::thread::scope(|scope| {
        let pool = Pool::start(scope, &setting.oracle, context.request.jobs)?;
        let trial = match setting.oracle.must_be_stable() {
            true => Some(Trial::of_input(
                scope,
                &setting.oracle,
                &setting.begin,
                context,
            )?),
            false => None,
        };
        let tokens = setting.original.count_tokens();
        let mut session = Session::new(setting.tools(), pool, setting.begin.clone(), tokens);
        if let Some(trial) = &trial {
            session.expect_stable(trial.refuted());
        }
        let verified = setting.run(&mut session)?;
        setting.end(&mut session, verified, trial)
    })
}

impl<'r> Setting<'r> {
    /// Chooses the compiler, reads the linked crates, and opens the output directory.
    fn new(context: &'r Context<'r>, input: Input) -> Result<Self, Failure> {
        let Input {
            baseline,
            sources: original,
            unit_test,
        } = input;
        let packaged = packaged_test(context, &baseline, unit_test);
        let place = code_place(context, &baseline, packaged.as_ref());
        let Baseline {
            mut plan,
            origin,
            units,
            configuration,
            mut property,
            shown,
            other_runs,
            flaky,
            may_be_of_macro,
            crashed: failed,
            runs,
            ..
        } = baseline;
        let request = context.request;
        let has_two_versions =
            goes_on_into_code_under_test(context) && plan.other_version().is_some();
        if has_two_versions {
            plan = plan.of_two_versions(TwoVersions {
                before: Side::Before.cfg(),
                after: Side::After.cfg(),
            });
        }
        let copy = plan.inputs.tree.clone();
        let seeds = seeds(&shown, &plan, &original);
        let support = match &packaged {
            Some(_) => Vec::new(),
            None => beside(&plan, &original),
        };
        plan.take_unit_digests(&units)?;
        let asks_mutants = asks_mutants(context, &plan);
        let mut guard = match asks_mutants {
            true => prepare(context, &plan, &units, &original, place)?,
            false => Prepared::default(),
        };
        if let Some(message) = guard.warning.clone() {
            (context.emit)(Event::Warning { message });
        }
        let chosen = choose_compiler(context, &plan, guard.agreement.as_ref())?;
        let is_guarded = is_guarded(&guard, &property.signature);
        let marked = guard.marked.as_ref();
        let for_whole = methods_for_whole(context, has_two_versions, is_guarded, marked);
        let search = match (&for_whole, place) {
            // There is no test that would be reduced first.
            (Some(methods), CodePlace::Within) => methods.options,
            _ => search_options(context, place, is_guarded),
        };
        property.ignore_values |= guard.ignores_values;
        let own = guard.marked.as_mut().and_then(MarkedCode::take_own);
        let marked = guard.marked.as_mut();
        let texts = marked.map_or_else(OtherTexts::default, MarkedCode::take_texts);
        let crates = Crates::new(&plan, units, &configuration, texts);
        let crates = match plan.other_version().filter(|_| has_two_versions) {
            Some(other) => crates.in_two_versions(other),
            None => crates,
        };
        let scratch = context.site.scratch.clone();
        let oracle = CompilerOracle::new(plan, crates, property, &original, scratch, chosen.warm)
            .guarded(guard.agreement.take())
            .keeping_literals(guard.literals.clone())
            .marked(guard.marked.take());
        // What does not run in the test's own crate is emptied as that of a crate which became a module.
        let oracle = match asks_mutants && own.is_none() {
            true => oracle.without_new_loops(&original),
            false => oracle,
        };
        let tree = own.or(guard.isolated.take());
        let begin = Candidate {
            tree: tree.unwrap_or_else(|| original.clone()),
            terms: oracle.terms(),
        };
        let decides = oracle.digest(&begin.terms);
        let wanted = &request.property;
        let how = (&search, wanted.fidelity, &*wanted.mutate);
        let job = job_key(&decides, &original, how, &request.output);
        let output = open_output(request, &job, support, &begin)?;
        Ok(Self {
            context,
            begin,
            compiler_files: oracle.files_of_compiler(),
            oracle,
            methods: Methods::new(search)
                .keeping_bodies(keeps_cause(context))
                .with_seeds(&original, &seeds),
            methods_for_whole: for_whole.map(|methods| methods.with_seeds(&original, &seeds)),
            packaged,
            original,
            seeds,
            job,
            output,
            watch: watch(context, &origin, &copy),
            store: match request.cache {
                CacheUse::Persistent => Some(context.store),
                CacheUse::ThisRunOnly => None,
            },
            before: Sample { failed, runs },
            other_runs: other_runs + chosen.runs + guard.runs,
            guard,
            flaky,
            may_be_of_macro,
        })
    }

    fn tools(&self) -> Tools<'_> {
        let context = self.context;
        Tools {
            oracle: &self.oracle,
            store: self.store,
            emit: context.emit,
            cancel: context.cancel,
            output: &self.output,
            watch: &self.watch,
            job: self.job,
            jobs: context.request.jobs.max(1),
            started: context.started,
        }
    }

    /// Searches from the beginning, or from where an interrupted job was, until nothing more can go.
    fn run(&self, session: &mut Session<'_>) -> Result<Option<Verification>, Failure> {
        let methods = self.methods.clone();
        let methods = match resume(session, self.store, &self.job, &self.original)? {
            true => methods.resumed(),
            false => {
                begin_small(session, &methods, &self.seeds)?;
                session.end_part(Part::Slice);
                methods
            }
        };
        forbid_errors(session, &methods, 1)?;
        let n_flags = self.oracle.removable_flags();
        session.redo_from_edits(|session| {
            if let Some(whole) = &self.methods_for_whole {
                run_to_fixpoint(session, &methods.clone().roughly())?;
                embed_inputs(session, whole)?;
            }
            let methods = self.methods_for_whole.as_ref().unwrap_or(&methods);
            run_to_end(session, methods, n_flags)
        })
    }

    /// Waits for the runs of the input, looks at the result once more, and writes it.
    fn end(
        &self,
        session: &mut Session<'_>,
        verified: Option<Verification>,
        trial: Option<Trial<'_>>,
    ) -> Result<Summary, Failure> {
        let context = self.context;
        let (mut ended, mut layout_runs) = (Ended::Fixpoint, 0);
        if context.cancel.is_cancelled() {
            ended = Ended::Cancelled;
            // With `--whole` the program grows because that was asked for.
            if self.methods_for_whole.is_none() {
                session.take_growth_back()?;
            }
            if is_marked(&session.best().tree) {
                session.end_with(unmarked(session.best()))?;
            }
            layout_runs = lay_out(session, &self.methods, &self.oracle)?;
        }
        session.warn_of_changes(Looking::Everywhere);
        let stability = trial.map(|trial| stability_of(context, trial));
        let stability = stability.transpose()?;
        if ended == Ended::Fixpoint {
            self.refuse_unstable(stability)?;
        }
        let ending = Ending {
            ended,
            oracle: &self.oracle,
            other_runs: self.other_runs + layout_runs,
            verified,
            flaky: self.flaky,
            may_be_of_macro: self.may_be_of_macro,
            stability,
            compiler_files: self.compiler_files,
            guard: &self.guard,
            packaged: self.packaged.as_ref(),
        };
        let (summary, loss) =
            write_result(context, session, &self.output, &self.original, &ending)?;
        self.close(ended, &summary, loss)?;
        Ok(summary)
    }

    /// Where the input does not fail each time there is no result. With another compiler that is no
    /// wonder, and what was accepted before may still be of use.
    fn refuse_unstable(&self, stability: Option<Stability>) -> Result<(), Failure> {
        let is_same_compiler = self.oracle.files_of_compiler() == self.compiler_files;
        let unstable = stability.filter(|stability| !stability.is_stable());
        let Some(unstable) = unstable.filter(|_| is_same_compiler) else {
            return Ok(());
        };
        // Nothing of the search is left: the same command may be given again with `--repeat`.
        self.forget_checkpoint()?;
        self.output.discard()?;
        Err(self.oracle.unstable(unstable, self.before).into())
    }

    /// The job has ended, unless the user has stopped it. Fails where the result is not what was
    /// asked for.
    fn close(&self, ended: Ended, summary: &Summary, loss: Option<Loss>) -> Result<(), Failure> {
        let is_strict = self.context.request.property.strict_valid;
        if is_strict && ended == Ended::Fixpoint && loss.is_none() {
            check_validity(summary)?;
        }
        if ended == Ended::Fixpoint || loss.is_some() {
            self.forget_checkpoint()?;
            self.output.mark_finished()?;
        }
        loss.map_or(Ok(()), |loss| Err(loss.failure(summary)))
    }

    fn forget_checkpoint(&self) -> Result<(), Failure> {
        if let Some(store) = self.store {
            store.forget_checkpoint(&self.job)?;
        }
        Ok(())
    }
}

/// The test whose result is shown in the user's package, if it is one.
fn packaged_test(
    context: &Context<'_>,
    baseline: &Baseline,
    unit_test: Option<UnitTest>,
) -> Option<PackagedTest> {
    match unit_test {
        Some(test) => Some(PackagedTest::Unit(test)),
        None => TestFile::of(baseline, context).map(PackagedTest::File),
    }
}

/// Where the code under test is.
fn code_place<'p>(
    context: &Context<'_>,
    baseline: &Baseline,
    packaged: Option<&'p PackagedTest>,
) -> CodePlace<'p> {
    let is_own_crate = || goes_on_into_code_under_test(context) && unit_test_of(baseline).is_some();
    match packaged.and_then(PackagedTest::unit) {
        Some(test) => CodePlace::Beside(test),
        None if is_own_crate() => CodePlace::Within,
        None => CodePlace::Linked,
    }
}

/// The compiler that is asked about candidates, with mutants if there are some that they must agree with.
fn choose_compiler(
    context: &Context<'_>,
    plan: &Plan,
    agreement: Option<&Agreement>,
) -> Result<compiler::Chosen, Failure> {
    let asked = agreement.map(|agreement| agreement.plan(plan));
    compiler::choose(context, asked.as_ref().unwrap_or(plan))
}

/// Opens the output directory, if it may be used by this job, and writes what the search begins with.
fn open_output(
    request: &ReductionRequest,
    job: &Digest,
    support: Vec<SupportFile>,
    begin: &Candidate,
) -> Result<OutputDirectory, Failure> {
    OutputDirectory::check(&request.output, request.existing_output, Some(job))?;
    let output = OutputDirectory::open(&request.output, job)?;
    output.set_support(support);
    output.write_best(&begin.tree)?;
    Ok(output)
}

/// Watches the user's files in `origin`, of which there is a copy, and the result.
fn watch(context: &Context<'_>, origin: &Utf8Path, copy: &Utf8Path) -> Watches {
    let (watch, unwatched) = Watches::start(origin, copy, &context.request.output);
    if let Some(message) = unwatched {
        (context.emit)(Event::Warning { message });
    }
    watch
}

/// What the runs of the input say, once they have ended.
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

/// With `--strict-valid` a result with errors is none.
fn check_validity(summary: &Summary) -> Result<(), Failure> {
    if summary.clean {
        return Ok(());
    }
    let errors = summary.remaining_errors.join("`, `");
    let message = format!("found no program that crashes without an error: `{errors}` stay");
    let kept = format!("the smallest program with them is in `{}`", summary.result);
    Err(Failure::new(FailureKind::NoCrash, message)
        .hint(kept)
        .hint("without `--strict-valid`, errors that the original has may stay"))
}
