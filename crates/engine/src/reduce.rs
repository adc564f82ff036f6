//! A reduction from the request to the written result.

use crate::Site;
use crate::ask::{Candidate, Oracle, Terms};
use crate::compiler;
use crate::crates::Crates;
use crate::delivery;
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
use crate::store::{Digest, Store};
use crate::strategy::{
    delete_flags, embed_inputs, forbid_errors, keep_slice, make_readable, run_as_main,
    run_to_fixpoint, verify_minimal,
};
use crate::summary::{Ended, Summary, Verification};
use crate::watch::{Looking, Watches};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{
    Baseline, BaselineOptions, BaselineSite, Cancel, Check, Input, Limits, find_baseline, keeper,
};
use reduce_syntax::{Relations, Seed, SourceTree, build_tree, collect_sources};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Raised when the same job would take other steps than before, so that its checkpoints do not fit.
const JOB_VERSION: u32 = 5;

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
    let baseline = baseline(&context)?;
    let original = original(&baseline)?;
    announce(&context, &baseline, &original);
    search(&context, baseline, original)
}

fn check_input(input: &Input) -> Result<(), Failure> {
    let path = match input {
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
        goal: property.goal.clone(),
        demands: property.demands.clone(),
        env: property.env.clone(),
        repeat: property.repeat,
        at_least: property.at_least,
        sandbox: property.sandbox,
        allow_errors: property.allow_errors,
        ignore_location: property.ignore_location,
    };
    let note = |what: &str| {
        (context.emit)(Event::Preparing {
            what: what.to_owned(),
        })
    };
    let (input, surroundings) = (&request.input, &request.surroundings);
    Ok(find_baseline(
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
        std::fs::read_to_string(plan.tree.join(path))
            .ok()
            .map(Arc::from)
    };
    collect_sources(&plan.root, &read).ok_or_else(|| {
        Failure::new(
            FailureKind::BadInput,
            format!("failed to read the crate root `{}` as UTF-8", plan.root),
        )
        .hint("convert the file to UTF-8; rustc reads nothing else")
    })
}

fn announce(context: &Context<'_>, baseline: &Baseline, original: &SourceTree) {
    let plan = &baseline.plan;
    if let Check::Miscompile { .. } = plan.check {
        let message =
            "undefined behaviour is not excluded: a program that has it may print anything";
        (context.emit)(Event::Warning {
            message: message.to_owned(),
        });
    }
    (context.emit)(Event::BaselineFound {
        noun: baseline.property.signature.noun().to_owned(),
        signature: baseline.property.signature.to_string(),
        command: plan.command(&plan.root),
        compiler: plan
            .compiler
            .verbose_version
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
        tokens: original.count_tokens(),
        files: original.files().count() as u64,
    });
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
        ..
    } = baseline;
    let copy = plan.tree.clone();
    let seeds = seeds(&shown, &plan, &original);
    let support = delivery::beside(&plan, &original);
    let scratch = context.site.scratch.clone();
    let chosen = compiler::choose(context, &plan)?;
    let other_runs = other_runs + chosen.runs;
    plan.take_unit_digests(&units)?;
    let crates = Crates::new(&plan, units, &configuration);
    let oracle = CompilerOracle::new(plan, crates, property, &original, scratch, chosen.warm);
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
        let mut session = Session::new(tools, pool, begin, original.count_tokens());
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
        if ended == Ended::Cancelled {
            session.take_growth_back()?;
        }
        session.warn_of_changes(Looking::Everywhere);
        let ending = Ending {
            ended,
            oracle: &oracle,
            other_runs,
            verified,
            flaky,
        };
        let summary = finish::write(context, &session, &output, &original, &ending)?;
        if request.property.strict_valid && ended == Ended::Fixpoint {
            check_validity(&summary)?;
        }
        if ended == Ended::Fixpoint {
            store.map_or(Ok(()), |store| store.forget_checkpoint(&job))?;
            output.mark_finished()?;
        }
        Ok(summary)
    })
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
