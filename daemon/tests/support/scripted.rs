//! An engine that does what a request's variables say, and the requests for it. It needs no
//! compiler, and it waits for signals of the test instead of for time.

use camino::Utf8PathBuf;
use reduce_daemon::{Home, ServerOptions, StandardError};
use reduce_engine::{
    CacheUse, Cancel, Checkpoint, CompilerChoice, Control, DeliveredResult, Digest, Ended, Event,
    ExistingOutput, Failure, Fidelity, FileInput, ForRustc, Input, PropertyOptions,
    ReductionRequest, SearchOptions, Site, Store, Summary, Surroundings,
};
use reduce_protocol::Hello;
use rustix::event::{PollFd, PollFlags, poll};
use std::collections::BTreeMap;
use std::time::Duration;

/// The job whose checkpoint the scripted engine keeps.
pub(crate) const JOB: Digest = [1; 32];

/// The behaviour of the scripted engine after its first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// The engine ends at once.
    Quick,
    /// The engine waits until it is cancelled or the test opens the gate.
    Endless,
    /// The engine panics.
    Panic,
}

impl Script {
    const ALL: [Self; 3] = [Self::Quick, Self::Endless, Self::Panic];

    fn of(request: &ReductionRequest) -> Option<Self> {
        let name = &request.surroundings.vars["SCRIPT"];
        Self::ALL
            .into_iter()
            .find(|script| format!("{script:?}") == *name)
    }
}

/// Runs the script that the request names. `gate` opens when it is cancelled.
pub(crate) fn reduce(
    request: &ReductionRequest,
    site: &Site,
    store: &dyn Store,
    emit: &(dyn Fn(Event) + Sync),
    control: &Control,
    gate: &Cancel,
) -> Result<Summary, Failure> {
    assert!(site.scratch.is_dir() && site.builds.is_dir());
    emit(Event::Preparing {
        what: "a scripted run".to_owned(),
    });
    if let Some(checkpoint) = store.checkpoint(&JOB).unwrap() {
        emit(Event::Resumed {
            steps: checkpoint.step,
            tokens: 5,
        });
    }
    let files = BTreeMap::from([("lib.rs".to_owned(), "fn f() {}".into())]);
    store
        .keep_checkpoint(
            &JOB,
            &Checkpoint {
                step: 1,
                files,
                linkage: Default::default(),
                is_main: false,
                skipped: Default::default(),
            },
        )
        .unwrap();
    emit(Event::StepAccepted {
        step: 1,
        pass: "delete_items".to_owned(),
        tokens_before: 9,
        tokens_after: 5,
    });
    match Script::of(request).unwrap() {
        Script::Quick => {}
        Script::Endless => wait(control, gate),
        Script::Panic => panic!("as the script says"),
    }
    Ok(summary(
        request,
        if control.cancel.is_cancelled() {
            Ended::Cancelled
        } else if control.finish.is_cancelled() {
            Ended::FinishedSoon
        } else {
            Ended::Fixpoint
        },
    ))
}

fn wait(control: &Control, gate: &Cancel) {
    let waited_for = [&control.cancel, &control.finish, gate];
    let flags = PollFlags::IN | PollFlags::HUP;
    let mut polled = waited_for.map(|one| PollFd::from_borrowed_fd(one.as_fd(), flags));
    poll(&mut polled, None).unwrap();
}

fn summary(request: &ReductionRequest, ended: Ended) -> Summary {
    let json = serde_json::json!({
        "version": 4, "possible_edits": 0, "verified": null, "ended": "fixpoint", "search": SearchOptions::default(), "tokens_before": 9, "tokens_after": 5, "queries": 3,
        "speculative_queries": 0, "other_runs": 2, "cache_hits": 0,
        "cache_hits_from_earlier_runs": 0, "steps": 1, "slippage": 0, "wall_seconds": 0.5,
        "warm_compiler": false, "ladder": "full", "overhead_seconds": 0.0,
        "compiler_cpu_seconds": 0.1, "peak_memory_bytes": 9,
        "clean": true, "remaining_errors": [], "reproduce": "rustc reduced.rs",
        "signature":
            {"kind": "panic", "file": null, "position": null, "message": "m", "query": null},
        "compiler": "rustc", "result": "/out/reduced.rs", "code": null, "other_crashes": [],
        "passes": [], "kinds": [], "stages": [],
    });
    let summary: Summary = serde_json::from_value(json).unwrap();
    Summary {
        ended,
        delivered: DeliveredResult {
            result: request.output.join("reduced.rs"),
            ..summary.delivered
        },
        ..summary
    }
}

/// A request for the script; `name` tells requests apart.
pub(crate) fn request(script: Script, name: &str) -> ReductionRequest {
    let vars = [("SCRIPT".to_owned(), format!("{script:?}"))];
    ReductionRequest {
        input: Input::File(FileInput {
            path: "/input.rs".into(),
            text: Some("fn f() {}".into()),
            edition: None,
            target_triple: None,
            rustc_args: vec![],
            ..FileInput::default()
        }),
        instead: None,
        from: None,
        surroundings: Surroundings {
            cwd: "/".into(),
            vars: vars.into(),
            rustc: None,
        },
        output: Utf8PathBuf::from("/out").join(name),
        existing_output: ExistingOutput::Refuse,
        property: PropertyOptions {
            goal: reduce_engine::Goal::Ice,
            demands: reduce_engine::Demands::default(),
            env: vec![],
            reads: vec![],
            at_least: 1,
            stability_runs: None,
            sandbox: reduce_engine::SandboxMode::Default,
            timeout_seconds: None,
            baseline_timeout_seconds: 600,
            memory_mib: 64,
            allow_errors: false,
            strict_valid: false,
            ignore_location: false,
            any_message: false,
            fidelity: Fidelity::default(),
            mutate: vec![],
            repeat: reduce_engine::Repeat::ONCE,
        },
        search: SearchOptions::default(),
        compiler: CompilerChoice::Auto,
        jobs: 1,
        remote: None,
        cache: CacheUse::Persistent,
        log: None,
        for_rustc: ForRustc::default(),
        priority: Default::default(),
        launcher: vec![],
        scratch: None,
        budget: Default::default(),
    }
}

pub(crate) fn home(temp: &tempfile::TempDir) -> Home {
    let base = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
    Home {
        run: base.join("run"),
        base,
        memory: None,
    }
}

pub(crate) fn hello(version: &str) -> Hello {
    Hello::new(version, "scripted")
}

pub(crate) fn options(version: &str, idle_exit: Duration) -> ServerOptions {
    ServerOptions {
        hello: hello(version),
        idle_exit,
        grace: Duration::from_secs(20),
        workers: 2,
        most_running: 2,
        disk_limit_bytes: u64::MAX,
        capture_program: "/capture".into(),
        standard_error: StandardError::Keep,
    }
}
