//! The setup of a search: the guard of a failing test, the compiler for the candidates, and the output
//! directory.

use super::baseline::Input;
use super::earlier::Beginning;
use super::emptied::refuse_if_empty_passes;
use super::fidelity::{
    guard_kind, keeping_literals, methods_for_whole, search_options, shows_cause_in_a_run,
};
use super::job::JobKeys;
use super::split::unit_test as unit_test_of;
use crate::Failure;
use crate::ask::{CompilerOracle, Crates, Oracle, RemoteWorkers, compiler};
use crate::candidate::Candidate;
use crate::context::Context;
use crate::event::Event;
use crate::failure::FailureKind;
use crate::output::{OutputDirectory, SupportFile};
use crate::packaged::PackagedTest;
use crate::propose::named;
use crate::propose::{Methods, Named};
use crate::request::{CacheUse, ReductionRequest};
use crate::result::beside;
use crate::store::{Digest, Store};
use crate::test_file::TestFile;
use crate::unit_test::UnitTest;
use crate::watch::Watches;
use camino::Utf8Path;
use reduce_gather::Side;
use reduce_guard::{CodePlace, CrateInParts, Guard, GuardContext, prepare};
use reduce_oracle::{
    Baseline, ClientError, Flaky, Plan, RemoteErrorKind, RemoteServer, Sample, Shown, Signature,
    TwoVersions, WarmCompiler, how_to_install_remote_client,
};
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// All that a search begins with: the input, the oracle, the guard and the output directory.
pub(super) struct SearchSetup<'r> {
    pub(super) context: &'r Context<'r>,
    pub(super) original: SourceTree,
    /// The original program and the compile options with which it fails, without those that certainly have nothing to do
    /// with the failure.
    pub(super) begin: Candidate,
    /// The step of an earlier reduction with which the search begins, with `--from`.
    pub(super) beginning: Option<Beginning>,
    pub(super) oracle: CompilerOracle,
    pub(super) named: Named,
    /// The compiler's output for the input.
    pub(super) shown: Shown,
    pub(super) methods: Methods,
    /// The methods by which the code under test is reduced after the test.
    pub(super) methods_for_whole: Option<Methods>,
    pub(super) job: Digest,
    /// The digest of the job's command, which is the same with every compiler.
    pub(super) command: Digest,
    pub(super) output: OutputDirectory,
    pub(super) watch: Watches,
    /// The store of verdicts; `None` where nothing is kept beyond this run.
    pub(super) store: Option<&'r dyn Store>,
    /// The runs in which the baseline was found.
    pub(super) before: Sample,
    /// The number of compiler runs before the search.
    pub(super) other_runs: u64,
    pub(super) flaky: Option<Flaky>,
    pub(super) may_be_of_macro: bool,
    /// The crashes of the original besides the one that is reduced.
    pub(super) others: Vec<Signature>,
    /// The guard of a failing test, with the facts that runs have shown of the code under test.
    pub(super) guard: Arc<dyn Guard>,
    /// The test whose result is shown in the user's package.
    pub(super) packaged: Option<PackagedTest>,
    /// The workers that ask a server, with `--remote`.
    pub(super) remote: Option<RemoteWorkers<'r>>,
}

impl<'r> SearchSetup<'r> {
    /// Chooses the compiler, reads the linked crates, and opens the output directory.
    ///
    /// # Errors
    /// Where our own surroundings fail, or the output directory belongs to another job.
    pub(super) fn new(context: &'r Context<'r>, input: Input) -> Result<Self, Failure> {
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
            context.goes_on_into_code_under_test() && plan.other_version().is_some();
        if has_two_versions {
            plan = plan.of_two_versions(TwoVersions {
                before: Side::Before.cfg(),
                after: Side::After.cfg(),
            });
        }
        let copy = plan.inputs.tree.clone();
        let named = named(&shown, &plan, &original);
        let mut others = shown.failures();
        others.retain(|other| !property.signature.is_same_bug(other, true));
        let support = match &packaged {
            Some(_) => Vec::new(),
            None => beside(&plan, &original),
        };
        plan.take_unit_digests(&units)?;
        let shows_cause_in_a_run = shows_cause_in_a_run(context, &plan);
        let note = |what: &str| {
            let what = what.to_owned();
            (context.emit)(Event::Preparing { what });
        };
        let forks = compiler::for_programs(context)?;
        let around = guard_context(context, forks.as_ref(), &note);
        let kind = guard_kind(context, shows_cause_in_a_run);
        let mut guard = prepare(kind, &around, (&plan, &units), &original, place)?;
        if let Some(message) = guard.findings().warning.clone() {
            (context.emit)(Event::Warning { message });
        }
        let chosen = choose_compiler(context, &plan, &*guard)?;
        if let Some(changed) = &guard.findings().changed {
            property.signature.kind = changed.kind;
            property.signature.message.clone_from(&changed.message);
        }
        let leeway = guard.leeway(&property.signature);
        let for_whole = methods_for_whole(context, has_two_versions, leeway, &named.seeds);
        let search = match (&for_whole, place) {
            // There is no test that would be reduced first.
            (Some(methods), CodePlace::Within) => methods.options,
            _ => search_options(context, place, leeway),
        };
        let search = keeping_literals(search, leeway);
        property.ignore_values |= guard.findings().ignores_values;
        let crates = Crates::new(&plan, units, &configuration, guard.take_texts());
        let crates = match plan.other_version().filter(|_| has_two_versions) {
            Some(other) => crates.in_two_versions(other),
            None if plan.versions().is_some() => {
                let names = plan.flags_of_one_call().configured_names();
                crates.with_program_in_two_versions(&names)
            }
            None => crates,
        };
        let own = guard.findings().own.clone();
        guard.forget_left_out(&|unit| crates.configured(unit, own.as_ref().unwrap_or(&original)));
        let guard: Arc<dyn Guard> = Arc::from(guard);
        let scratch = context.site.scratch.clone();
        let oracle = CompilerOracle::new(plan, crates, property, &original, scratch, chosen.warm)
            .run_by(context.executor()?)
            .guarded(guard.clone());
        // Functions of the test's own crate that do not run are emptied as those of a crate which became
        // a module.
        let oracle = match shows_cause_in_a_run && own.is_none() {
            true => oracle.without_new_loops(&original),
            false => oracle,
        };
        let tree = own.or_else(|| guard.findings().isolated.clone());
        let begin = Candidate {
            tree: tree.unwrap_or_else(|| original.clone()),
            compile_options: oracle.compile_options(),
        };
        let runs_of_empty = refuse_if_empty_passes(context, &oracle, &begin)?;
        let remote = remote_workers(context, &oracle, &begin)?;
        let decides = oracle.digest(&begin.compile_options);
        let wanted = &request.property;
        let how = (&search, wanted.fidelity, &*wanted.mutate);
        let keys = JobKeys::of(&decides, &original, how, &request.output);
        let beginning = request.from.as_ref();
        let beginning = beginning.map(|from| Beginning::read(from, &request.output));
        let beginning = beginning.transpose()?;
        let output = open_output(request, &keys, support, &begin)?;
        let flags = oracle.removable_flags();
        let for_whole = for_whole.map(|methods| methods.with_flags(flags.clone()));
        Ok(Self {
            context,
            remote,
            begin,
            beginning,
            oracle,
            methods: Methods::new(search)
                .with_flags(flags)
                .keeping_bodies(context.keeps_cause())
                .with_values(&named.raw_message)
                .with_seeds(&original, &named.seeds),
            methods_for_whole: for_whole.map(|methods| methods.with_seeds(&original, &named.seeds)),
            packaged,
            original,
            named,
            shown,
            job: keys.job,
            command: keys.command,
            output,
            watch: watch(context, &origin, &copy),
            store: match request.cache {
                CacheUse::Persistent => Some(context.store),
                CacheUse::ThisRunOnly => None,
            },
            before: Sample { failed, runs },
            other_runs: other_runs + chosen.runs + guard.findings().runs + runs_of_empty,
            guard,
            flaky,
            may_be_of_macro,
            others,
        })
    }
}

/// Prepares the workers that ask the server of `--remote`, if there is one and it may be asked. A server that cannot be
/// reached now may be there later, but one that refuses us is a mistake of the user's.
fn remote_workers<'r>(
    context: &'r Context<'r>,
    oracle: &CompilerOracle,
    begin: &Candidate,
) -> Result<Option<RemoteWorkers<'r>>, Failure> {
    let Some(wanted) = &context.request.remote else {
        return Ok(None);
    };
    if let Some(reason) = oracle.asked_here_alone() {
        let message =
            format!("all candidates are asked about here, and none by `--remote`: {reason}");
        (context.emit)(Event::Warning { message });
        return Ok(None);
    }
    let refused = |error: &dyn std::error::Error| {
        let message = format!("failed to use `--remote`: {error}");
        Failure::new(FailureKind::BadInput, message)
            .hint("leave out `--remote` to reduce on this machine alone")
    };
    let settings = wanted.settings.clone();
    let started = RemoteServer::new(&wanted.client, settings, wanted.toolchain, context.cancel);
    let server = match started {
        Ok(server) => server,
        Err(ClientError::Cancelled) => return Ok(None),
        Err(error) => {
            let failure = refused(&error).caused_by(&error);
            return Err(failure.hint(how_to_install_remote_client()));
        }
    };
    let mut is_said = false;
    match server
        .look(context.cancel)
        .map_err(|error| (error.kind, error))
    {
        Ok(()) | Err((RemoteErrorKind::Cancelled, _)) => {}
        Err((RemoteErrorKind::Refused, error)) => return Err(refused(&error)),
        Err((RemoteErrorKind::Away | RemoteErrorKind::Command, error)) => {
            let message = format!("the job begins without the server of `--remote`: {error}");
            (context.emit)(Event::Warning { message });
            is_said = true;
        }
    }
    let workers = RemoteWorkers::new(wanted.jobs, Some(server), begin.clone(), context.emit);
    Ok(Some(match is_said {
        true => workers.known_to_be_away(),
        false => workers,
    }))
}

/// Returns the test whose result is shown in the user's package, if it is one.
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

/// Returns the place of the code under test: beside the test, in its crate, or linked with it.
fn code_place<'p>(
    context: &Context<'_>,
    baseline: &Baseline,
    packaged: Option<&'p PackagedTest>,
) -> CodePlace<'p> {
    let is_own_crate =
        || context.goes_on_into_code_under_test() && unit_test_of(baseline).is_some();
    match packaged.and_then(PackagedTest::unit) {
        Some(test) => CodePlace::Beside(CrateInParts {
            whole: &test.whole,
            fixed: &test.fixed,
        }),
        None if is_own_crate() => CodePlace::Within,
        None => CodePlace::Linked,
    }
}

/// Returns the context in which the guard is prepared; `note` is told what is being done.
fn guard_context<'c>(
    context: &Context<'c>,
    forks: Option<&'c WarmCompiler>,
    note: &'c dyn Fn(&str),
) -> GuardContext<'c> {
    let property = &context.request.property;
    GuardContext {
        scratch: &context.site.scratch,
        builds: &context.site.builds,
        fidelity: context.fidelity(),
        mutate: &property.mutate,
        demands: &property.demands,
        forks,
        note,
        cancel: context.cancel,
    }
}

/// Chooses how the compiler is started for candidates, as their guard needs it.
fn choose_compiler(
    context: &Context<'_>,
    plan: &Plan,
    guard: &dyn Guard,
) -> Result<compiler::Chosen, Failure> {
    let asked = guard.runs_of_original().map(|runs| runs.plan(plan));
    compiler::choose(context, asked.as_ref().unwrap_or(plan))
}

/// Opens the output directory, if this job or its command may use it, and writes the program that the search begins
/// with.
fn open_output(
    request: &ReductionRequest,
    keys: &JobKeys,
    support: Vec<SupportFile>,
    begin: &Candidate,
) -> Result<OutputDirectory, Failure> {
    let may_be_used_by =
        |key| OutputDirectory::check(&request.output, request.existing_output, Some(key));
    may_be_used_by(&keys.job).or_else(|_| may_be_used_by(&keys.command))?;
    let output = OutputDirectory::open(&request.output, &keys.job)?;
    output.set_support(support);
    output.write_best(&begin.tree)?;
    Ok(output)
}

/// Watches the user's files in `origin`, of which `copy` is a copy, and the result.
fn watch(context: &Context<'_>, origin: &Utf8Path, copy: &Utf8Path) -> Watches {
    let (watch, unwatched) = Watches::start(origin, copy, &context.request.output);
    if let Some(message) = unwatched {
        (context.emit)(Event::Warning { message });
    }
    watch
}
