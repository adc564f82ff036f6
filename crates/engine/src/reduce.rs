//! A reduction from the request to the written result.

use crate::Site;
use crate::ask::{Candidate, Oracle, Terms};
use crate::compiler;
use crate::crates::Crates;
use crate::delivery;
use crate::directives;
use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::finish::{self, Ending};
use crate::link::CompilerOracle;
use crate::methods::Methods;
use crate::output::OutputDirectory;
use crate::pool::Pool;
use crate::request::{CacheUse, ReductionRequest, SearchOptions};
use crate::seeds::seeds;
use crate::session::{Session, Tools};
use crate::stability::Trial;
use crate::store::{Digest, Store};
use crate::strategy::{
    delete_flags, embed_inputs, forbid_errors, keep_slice, lay_out, make_readable, run_as_main,
    run_to_fixpoint, verify_minimal,
};
use crate::summary::{Ended, Summary, Verification};
use crate::watch::{Looking, Watches};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{
    Baseline, BaselineOptions, BaselineSite, Cancel, Input, Limits, Note, Sample, Stability,
    find_baseline, keeper,
};
use reduce_syntax::{Relations, Seed, SourceTree, build_tree, collect_sources};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Raised when the same job would take other steps than before, so that its checkpoints do not fit.
const JOB_VERSION: u32 = 6;

/// Everything that a reduction needs besides the request.
#[derive(Clone, Copy)]
pub(crate) struct Context<'r> {
    pub(crate) request: &'r ReductionRequest,
    pub(crate) site: &'r Site,
    pub(crate) store: &'r dyn Store,
    pub(crate) emit: &'r (dyn Fn(Event) + Sync),
    pub(crate) cancel: &'r Cancel,
    pub(crate) started: Instant,
}

/// Reduces. Returns when nothing more can go, or soon after `cancel`; the result is then on disk.
///
/// # Errors
/// A [`Failure`] when there is no result.
pub fn reduce(
    request: &ReductionRequest,
    site: &Site,
    store: &dyn Store,
    emit: &(dyn Fn(Event) + Sync),
    cancel: &Cancel,
) -> Result<Summary, Failure> {
    let context = Context {
        request,
        site,
        store,
        emit,
        cancel,
        started: Instant::now(),
    };
    check_input(&request.input)?;
    OutputDirectory::check(&request.output, request.existing_output, None)?;
    if !keeper::start(&site.capture_program) {
        let message = "what a compiler starts may outlive this process if it is killed".to_owned();
        emit(Event::Warning { message });
    }
    let ignored = ignored_lines(&request.input);
    let baseline = match baseline(&context) {
        Err(failure) if failure.kind == FailureKind::NoCrash => {
            return Err(ignored.into_iter().fold(failure, Failure::hint));
        }
        baseline => baseline?,
    };
    for message in ignored {
        emit(Event::Warning { message });
    }
    let original = original(&baseline)?;
    announce(&context, &baseline, &original);
    search(&context, baseline, original)
}

fn check_input(input: &Input) -> Result<(), Failure> {
    let path = match input {
        Input::File(file) if file.text.is_some() => None,
        Input::File(file) => Some(&file.path),
        Input::Package(package) => package.manifest_path.as_ref(),
    };
    match path {
        Some(path) if !path.is_file() => Err(Failure::new(
            FailureKind::BadInput,
            format!("failed to read `{path}`: there is no such file"),
        )
        .hint("name a Rust source file, or a `Cargo.toml` with `--manifest-path PATH`")),
        _ => Ok(()),
    }
}

/// What a single file says of how it is compiled, and nobody obeys.
fn ignored_lines(input: &Input) -> Vec<String> {
    let Input::File(file) = input else {
        return Vec::new();
    };
    let text = match &file.text {
        Some(text) => Some(text.clone()),
        None => std::fs::read_to_string(&file.path).ok(),
    };
    text.map_or_else(Vec::new, |text| directives::unread(file, &text))
}

fn baseline(context: &Context<'_>) -> Result<Baseline, Failure> {
    let (request, property) = (context.request, &context.request.property);
    let site = BaselineSite {
        scratch: &context.site.scratch,
        builds: &context.site.builds,
        capture_program: &context.site.capture_program,
    };
    let limits = Limits {
        deadline: property.timeout_seconds.map(Duration::from_secs),
        longest: Duration::from_secs(property.baseline_timeout_seconds),
        memory_bytes: property.memory_mib.saturating_mul(1 << 20),
        ..Limits::default()
    };
    let options = BaselineOptions {
        limits,
        demands: property.demands.clone(),
        env: property.env.clone(),
        reads: property.reads.clone(),
        repeat: property.repeat,
        at_least: property.at_least,
        sandbox: property.sandbox,
        allow_errors: property.allow_errors,
        ignore_location: property.ignore_location,
    };
    let note = |note: Note<'_>| {
        (context.emit)(match note {
            Note::Doing(what) => Event::Preparing {
                what: what.to_owned(),
            },
            Note::Cargo(line) => Event::Cargo {
                line: line.to_owned(),
            },
        })
    };
    let (input, surroundings) = (&request.input, &request.surroundings);
    Ok(find_baseline(
        &request.property.goal,
        input,
        surroundings,
        &site,
        &options,
        &note,
        context.cancel,
    )?)
}

fn original(baseline: &Baseline) -> Result<SourceTree, Failure> {
    let plan = &baseline.plan;
    let read = |path: &Utf8Path| {
        std::fs::read_to_string(plan.inputs.tree.join(path))
            .ok()
            .map(Arc::from)
    };
    collect_sources(&plan.call.root, &read).ok_or_else(|| {
        Failure::new(
            FailureKind::BadInput,
            format!(
                "failed to read the crate root `{}` as UTF-8",
                plan.call.root
            ),
        )
        .hint("convert the file to UTF-8; rustc reads nothing else")
    })
}

fn announce(context: &Context<'_>, baseline: &Baseline, original: &SourceTree) {
    let plan = &baseline.plan;
    if let Some(message) = plan.caution() {
        (context.emit)(Event::Warning {
            message: message.to_owned(),
        });
    }
    if baseline.may_be_of_macro {
        let message = "the crash shows while procedural macros run, and may be theirs: nothing here tells them from the compiler";
        (context.emit)(Event::Warning {
            message: message.to_owned(),
        });
    }
    (context.emit)(Event::BaselineFound {
        noun: baseline.property.signature.noun().to_owned(),
        signature: baseline.shown.describe(&baseline.property.signature),
        command: plan.command(&plan.call.root),
        compiler: plan
            .call
            .compiler
            .verbose_version
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
        tokens: original.count_tokens(),
        files: original.files().count() as u64,
    });
    for message in baseline.remarks.iter().cloned() {
        (context.emit)(Event::Warning { message });
    }
    if let Some(names) = baseline.variables.clone() {
        (context.emit)(Event::VariablesKnown { names });
    }
    if let Some(flaky) = baseline.flaky {
        (context.emit)(Event::Flaky(flaky.into()));
    }
    for (file, reason) in build_tree(original).fallbacks {
        let path = original.path(file).to_owned();
        (context.emit)(Event::FallbackForFile { path, reason });
    }
}

fn search(
    context: &Context<'_>,
    baseline: Baseline,
    original: SourceTree,
) -> Result<Summary, Failure> {
    let Baseline {
        mut plan,
        origin,
        units,
        configuration,
        property,
        shown,
        other_runs,
        flaky,
        may_be_of_macro,
        crashed: failed,
        runs,
        ..
    } = baseline;
    let before = Sample { failed, runs };
    let copy = plan.inputs.tree.clone();
    let seeds = seeds(&shown, &plan, &original);
    let support = delivery::beside(&plan, &original);
    let scratch = context.site.scratch.clone();
    let chosen = compiler::choose(context, &plan)?;
    let other_runs = other_runs + chosen.runs;
    plan.take_unit_digests(&units)?;
    let crates = Crates::new(&plan, units, &configuration);
    let oracle = CompilerOracle::new(plan, crates, property, &original, scratch, chosen.warm);
    let compiler_files = oracle.files_of_compiler();
    let begin = Candidate {
        tree: original.clone(),
        terms: oracle.terms(),
    };
    let request = context.request;
    let methods = Methods::new(request.search).with_seeds(&original, &seeds);
    let job = job_key(
        &oracle.digest(&begin.terms),
        &original,
        &request.search,
        &request.output,
    );
    OutputDirectory::check(&request.output, request.existing_output, Some(&job))?;
    let output = OutputDirectory::open(&request.output, &job)?;
    output.set_support(support);
    output.write_best(&original)?;
    let (watch, unwatched) = Watches::start(&origin, &copy, &request.output);
    if let Some(message) = unwatched {
        (context.emit)(Event::Warning { message });
    }
    let store = match request.cache {
        CacheUse::Persistent => Some(context.store),
        CacheUse::ThisRunOnly => None,
    };
    std::thread::scope(|scope| {
        let pool = Pool::start(scope, &oracle, request.jobs)?;
        let tools = Tools {
            oracle: &oracle,
            store,
            emit: context.emit,
            cancel: context.cancel,
            output: &output,
            watch: &watch,
            job,
            jobs: request.jobs.max(1),
            started: context.started,
        };
        let trial = match oracle.must_be_stable() {
            true => Some(Trial::of_input(scope, &oracle, &begin, context)?),
            false => None,
        };
        let mut session = Session::new(tools, pool, begin, original.count_tokens());
        if let Some(trial) = &trial {
            session.expect_stable(trial.refuted());
        }
        let methods = match resume(&mut session, store, &job, &original)? {
            true => methods.resumed(),
            false => {
                begin_small(&mut session, &methods, &seeds)?;
                session.end_phase("slice");
                methods
            }
        };
        forbid_errors(&mut session, &methods, 1)?;
        let n_flags = oracle.removable_flags();
        let verified = session.redo_from_edits(|session| run_to_end(session, &methods, n_flags))?;
        let ended = match context.cancel.is_cancelled() {
            true => Ended::Cancelled,
            false => Ended::Fixpoint,
        };
        let mut layout_runs = 0;
        if ended == Ended::Cancelled {
            session.take_growth_back()?;
            layout_runs = lay_out(&mut session, &methods, &oracle)?;
        }
        session.warn_of_changes(Looking::Everywhere);
        let stability = trial.map(|trial| stability_of(context, trial));
        let stability = stability.transpose()?;
        // With another compiler it is no wonder, and what was accepted before may still be of use.
        let is_same_compiler = oracle.files_of_compiler() == compiler_files;
        let unstable = stability.filter(|stability| !stability.is_stable());
        if let Some(unstable) = unstable.filter(|_| is_same_compiler && ended == Ended::Fixpoint) {
            // Nothing of the search is left: the same command may be given again with `--repeat`.
            store.map_or(Ok(()), |store| store.forget_checkpoint(&job))?;
            output.discard()?;
            return Err(oracle.unstable(unstable, before).into());
        }
        let ending = Ending {
            ended,
            oracle: &oracle,
            other_runs: other_runs + layout_runs,
            verified,
            flaky,
            may_be_of_macro,
            stability,
            compiler_files,
        };
        let (summary, loss) = finish::write(context, &mut session, &output, &original, &ending)?;
        if request.property.strict_valid && ended == Ended::Fixpoint && loss.is_none() {
            check_validity(&summary)?;
        }
        if ended == Ended::Fixpoint || loss.is_some() {
            store.map_or(Ok(()), |store| store.forget_checkpoint(&job))?;
            output.mark_finished()?;
        }
        if let Some(loss) = loss {
            return Err(loss.failure(&summary));
        }
        Ok(summary)
    })
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

/// Keeps a slice, and puts in place what the program reads. Where there is no slice of the program as
/// it is, there may be one of what is then left of it.
fn begin_small(
    session: &mut Session<'_>,
    methods: &Methods,
    seeds: &[Seed],
) -> Result<(), Failure> {
    let before = session.best().tree.clone();
    let sliced = keep_slice(session, methods, seeds)?;
    let embedded = embed_inputs(session, methods)?;
    run_as_main(session, methods)?;
    if sliced == 0 && embedded > 0 {
        let lasting = Relations::new(&before).lasting(seeds);
        keep_slice(session, methods, &lasting)?;
    }
    Ok(())
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

/// Searches until nothing more can go, and makes the result readable. Where that is to be proved and
/// is not so, as names and layout have changed what a pass may do, it goes on.
fn run_to_end(
    session: &mut Session<'_>,
    methods: &Methods,
    n_flags: usize,
) -> Result<Option<Verification>, Failure> {
    let mut n_mended = 0;
    loop {
        run_to_fixpoint(session, methods)?;
        session.end_phase("fine passes");
        delete_flags(session, methods, n_flags)?;
        session.end_phase("flags");
        session.without_checkpoints(|session| make_readable(session, methods))?;
        session.end_phase("names and layout");
        if !methods.options.verify_minimal || session.cancel.is_cancelled() {
            return Ok(None);
        }
        let before = session.best().tree.clone();
        let Verification { edits, accepted } = verify_minimal(session, methods)?;
        n_mended += accepted;
        if accepted == 0 {
            let accepted = n_mended;
            return Ok(Some(Verification { edits, accepted }));
        }
        if session.best().tree.count_tokens() >= before.count_tokens() {
            // Names and layout would only undo it.
            return Ok(None);
        }
    }
}

/// Two commands are the same job if they reduce the same input in the same way to the same place.
/// `oracle` is what decides a verdict of the original with all flags.
fn job_key(
    oracle: &Digest,
    original: &SourceTree,
    search: &SearchOptions,
    output: &Utf8Path,
) -> Digest {
    let search = serde_json::to_vec(search).expect("names and numbers can be written");
    let mut hasher = blake3::Hasher::new();
    hasher.update(&JOB_VERSION.to_le_bytes());
    hasher.update(oracle);
    hasher.update(&original.digest());
    hasher.update(&search);
    hasher.update(output.as_str().as_bytes());
    *hasher.finalize().as_bytes()
}

/// Goes on from the last accepted step of a job that was interrupted, if it was.
fn resume(
    session: &mut Session<'_>,
    store: Option<&dyn Store>,
    job: &Digest,
    original: &SourceTree,
) -> Result<bool, Failure> {
    let checkpoint = match store {
        Some(store) => store.checkpoint(job)?,
        None => None,
    };
    let Some(checkpoint) = checkpoint else {
        return Ok(false);
    };
    let files = checkpoint
        .files
        .into_iter()
        .map(|(path, text)| (Utf8PathBuf::from(path), text));
    let root = original.path(original.root());
    let Some(tree) = SourceTree::from_files(root, files) else {
        return Ok(false);
    };
    let terms = Terms {
        linkage: Arc::new(checkpoint.linkage),
        is_main: checkpoint.is_main,
        ..Terms::default()
    };
    session.resume_with(checkpoint.step, Candidate { tree, terms })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Algorithm, Closure, Prior, Strategy};

    fn key(search: SearchOptions, output: &str) -> Digest {
        let root = Utf8Path::new("lib.rs");
        let files = [(root.to_owned(), Arc::from("fn f() {}"))];
        let original = SourceTree::from_files(root, files).unwrap();
        job_key(&[1; 32], &original, &search, output.into())
    }

    #[test]
    fn each_option_of_the_search_makes_another_job() {
        let default = SearchOptions::default();
        let others = [
            SearchOptions {
                algorithm: Algorithm::Cdd,
                ..default
            },
            SearchOptions {
                strategy: Strategy::Worklist,
                ..default
            },
            SearchOptions { seed: 1, ..default },
            SearchOptions {
                initial_probability: Some("0.3".parse().unwrap()),
                ..default
            },
            SearchOptions {
                prior: Prior::Reachable,
                ..default
            },
            SearchOptions {
                closure: Closure::Alone,
                ..default
            },
        ];
        for other in others {
            assert_ne!(key(other, "/out"), key(default, "/out"), "{other:?}");
        }
    }

    #[test]
    fn the_same_command_is_the_same_job() {
        let default = SearchOptions::default();
        assert_eq!(key(default, "/out"), key(default, "/out"));
        assert_ne!(key(default, "/out"), key(default, "/elsewhere"));
    }
}
