//! A program, a plan with the real compiler, and the two ways to ask it.

use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::{Compiler, run_quickly};
use crate::evidence::crash::Observation;
use crate::evidence::property::Property;
use crate::evidence::verdict::Verdict;
use crate::plan::{Plan, Sources};
use crate::system::files;
use crate::system::process::{Bounds, Ending, Invocation};
use crate::worker::warm::check::comparable;
use crate::worker::warm::{Warm, WarmCompiler};
use crate::worker::{Answer, Shown, Trace, Worker};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROOT: &str = "lib.rs";

pub(super) struct Bench {
    _temporary: tempfile::TempDir,
    pub(super) dir: Utf8PathBuf,
    pub(super) plan: Plan,
}

impl Bench {
    /// Makes a bench; `args` are those of the compiler, but for the crate root.
    pub(super) fn new(args: &str) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let dir = temporary.path().canonicalize().unwrap();
        let dir = Utf8PathBuf::from_path_buf(dir).unwrap();
        let tree = dir.join("snapshot");
        files::write(&tree.join(ROOT), "").unwrap();
        let plan = plan(&dir, tree, args);
        Self {
            _temporary: temporary,
            dir,
            plan,
        }
    }

    /// Compiles procedural macros and gives them to the program as `macros`.
    pub(super) fn add_macros(&mut self, text: &str) {
        let source = self.dir.join("macros.rs");
        files::write(&source, text).unwrap();
        let args = [
            source.as_str(),
            "--edition=2021",
            "--crate-type=proc-macro",
            "--out-dir",
            self.dir.as_str(),
        ];
        let args = args.map(str::to_owned);
        let (compiler, env) = (&self.plan.call.compiler.path, &self.plan.call.env);
        let outcome = run_quickly(compiler, &args, env, &self.dir, &Cancel::new().unwrap());
        let outcome = outcome.unwrap();
        assert_eq!(outcome.ending, Ending::Exited(0), "{}", outcome.stderr);
        let library = self.dir.join("libmacros.so");
        self.plan
            .call
            .args
            .push(format!("--extern=macros={library}"));
    }

    /// Writes a script that stands for a compiler.
    pub(super) fn script(&self, text: &str) -> Utf8PathBuf {
        let path = self.dir.join("rustc");
        files::write(&path, &format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Returns the reason why the warm compiler is not to be used.
    pub(super) fn check(&self) -> Option<String> {
        let warm = WarmCompiler::install(&self.dir).unwrap().unwrap();
        warm.check(&self.plan, &self.dir, &Cancel::new().unwrap())
            .unwrap()
            .objection
    }

    pub(super) fn pair(&self) -> Pair {
        let (worker, compiler) = self.worker();
        Pair {
            plan: self.plan.clone(),
            worker,
            compiler,
        }
    }

    /// Makes a worker with a warm compiler.
    pub(super) fn worker(&self) -> (Worker, WarmCompiler) {
        let edited = BTreeSet::from([ROOT.into()]);
        let mut worker = Worker::new(self.dir.join("worker"), &self.plan, &edited).unwrap();
        let compiler = WarmCompiler::install(&self.dir).unwrap().unwrap();
        worker.warm_up(&compiler);
        (worker, compiler)
    }

    /// Gives the worker the bench's plan as it is now.
    pub(super) fn pair_with(&self, pair: Pair) -> Pair {
        Pair {
            plan: self.plan.clone(),
            ..pair
        }
    }
}

fn plan(dir: &Utf8Path, tree: Utf8PathBuf, args: &str) -> Plan {
    let user = Surroundings::of_tests();
    let cancel = Cancel::new().unwrap();
    let compiler = Compiler::find(Utf8Path::new("rustc"), &user, &cancel).unwrap();
    let mut args = shlex::split(args).unwrap();
    args.push(ROOT.to_owned());
    let ours = [
        ("RUSTC_ICE", "0"),
        ("RUST_BACKTRACE", "0"),
        ("RUSTC_BOOTSTRAP", "1"),
        ("LC_ALL", "C"),
        ("NOTES", dir.as_str()),
    ];
    let mut env = user.vars;
    env.extend(ours.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let mut plan = Plan::of_root(compiler, tree, ROOT);
    plan.call.args = args;
    plan.call.env = env;
    plan.run_policy.limits.deadline = Some(Duration::from_secs(120));
    plan
}

/// A pair of ways to ask: a worker that can ask both.
pub(super) struct Pair {
    plan: Plan,
    worker: Worker,
    compiler: WarmCompiler,
}

impl Pair {
    /// Asks both compilers; the traces that they leave behind must be the same. Returns how they
    /// ended.
    pub(super) fn compare(&mut self, text: &str) -> Ending {
        let (plan, cancel) = (&self.plan, Cancel::new().unwrap());
        let sources = sources(text);
        let anew = normalised(self.worker.trace_anew(plan, &sources, &cancel).unwrap());
        let warm = normalised(self.worker.trace(plan, &sources, &cancel).unwrap());
        assert_eq!(anew.stderr, warm.stderr, "{text}");
        assert_eq!(anew, warm, "{text}");
        anew.ending
    }

    /// Runs a warm compiler that may use so much CPU time and as much time as it likes.
    pub(super) fn end_with_cpu(&mut self, text: &str, cpu: Duration) -> Ending {
        files::write(&self.plan.inputs.tree.join(ROOT), text).unwrap();
        let mut warm = Warm::new(self.compiler.clone());
        let invocation = Invocation {
            program: &self.plan.call.compiler.path,
            args: &self.plan.call.args,
            env: &self.plan.call.env,
            dir: &self.plan.inputs.tree,
            bounds: Bounds {
                deadline: Some(Duration::from_secs(120)),
                cpu: Some(cpu),
                own_cpu: None,
                group: None,
                processes: None,
                memory_bytes: None,
                file_bytes: None,
                open_files: None,
                output_bytes: 1 << 20,
            },
            confinement: None,
        };
        let outcome = warm.run(&invocation, &Cancel::new().unwrap(), &mut |_| false);
        outcome.unwrap().unwrap().ending
    }

    /// Returns the property of a program that crashes.
    pub(super) fn property_of(&mut self, text: &str) -> Option<Property> {
        let (observation, _) = self.observe(text);
        Some(Property {
            signature: observation.crashes.first()?.clone(),
            allowed_errors: observation.errors.into_iter().collect(),
            allow_errors: false,
            ignore_location: false,
            patterns: Default::default(),
            ignore_values: false,
            among_others: false,
        })
    }

    /// Returns the answer of a query, and the verdict of a compiler that runs to its end.
    pub(super) fn ask_both_ways(&mut self, text: &str, property: &Property) -> (Answer, Verdict) {
        let cancel = Cancel::new().unwrap();
        let answer = self
            .worker
            .judge(&self.plan, &sources(text), property, &cancel);
        let (observation, _) = self.observe(text);
        (answer.unwrap(), property.judge(&observation))
    }

    fn observe(&mut self, text: &str) -> (Observation, Shown) {
        let cancel = Cancel::new().unwrap();
        let seen = self.worker.observe(&self.plan, &sources(text), &cancel);
        seen.unwrap()
    }

    pub(super) fn ask_warm(&mut self, text: &str, cancel: &Cancel) -> Ending {
        let trace = self.worker.trace(&self.plan, &sources(text), cancel);
        trace.unwrap().ending
    }

    /// Whether the last answer was a warm compiler's.
    pub(super) fn is_warm(&self) -> bool {
        self.worker.is_warm()
    }
}

pub(super) fn sources(text: &str) -> Sources {
    Sources::from([(ROOT.into(), Arc::from(text))])
}

/// Removes what two compilers that are started anew do not agree in, and how much was printed when
/// the time was over.
fn normalised(trace: Trace) -> Trace {
    let mut trace = comparable(trace);
    if trace.ending == Ending::TimedOut {
        trace.stderr.truncate(trace.stderr.find('\n').unwrap_or(0));
    }
    trace
}

/// Returns the text of a fixture.
pub(super) fn fixture(name: &str) -> String {
    let path = Utf8Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures")
        .join(name);
    files::read(&path).unwrap()
}

/// Returns the text, and so many texts that each lack another part of its lines: some compile, most
/// do not.
pub(super) fn variants(text: &str, count: usize) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let size = lines.len().div_ceil(count);
    let without = |nth: usize| {
        let kept = lines.iter().enumerate();
        let kept = kept.filter(|(at, _)| at / size != nth);
        kept.map(|(_, line)| format!("{line}\n")).collect()
    };
    let whole = text.to_owned();
    std::iter::once(whole)
        .chain((0..count).map(without))
        .collect()
}

/// Whether a process is gone, or is in a moment.
pub(super) fn ends_soon(pid: &str) -> bool {
    let is_running = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    };
    let until = Instant::now() + Duration::from_secs(20);
    while is_running() && Instant::now() < until {
        std::thread::yield_now();
    }
    !is_running()
}
