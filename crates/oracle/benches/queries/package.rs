//! A package in a directory of its own, the crash that the oracle finds in it, and workers that are
//! asked about candidates as in a reduction.

use crate::Failure;
use crate::checks::Checks;
use crate::figures::Sample;
use crate::inputs::{self, Last, Pair};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{
    Answer, Baseline, BaselineOptions, BaselineSite, Cancel, Input, Limits, PackageInput, Plan,
    Property, Sources, Surroundings, Verdict, WarmCompiler, Worker, find_baseline,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

/// The package's name.
pub(crate) const NAME: &str = "measured";

/// A package that crashes rustc, and the baseline that the oracle makes of it.
pub(crate) struct Package {
    _temporary: tempfile::TempDir,
    dir: Utf8PathBuf,
    dependencies: usize,
    vars: BTreeMap<String, String>,
    pub(crate) baseline: Baseline,
    compiler: WarmCompiler,
}

/// The way in which a compiler is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The compiler is started anew for each query.
    Anew,
    /// The compiler is forked from one that is loaded.
    Warm,
}

impl Start {
    pub(crate) const BOTH: [Self; 2] = [Self::Anew, Self::Warm];

    /// Returns the name for a cell of a table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Anew => "rustc replayed",
            Self::Warm => "warm compiler",
        }
    }
}

impl Package {
    /// Makes a package with this text, which crashes, and so many dependencies beside it.
    ///
    /// # Errors
    /// When it does not crash, or the warm compiler does not serve it.
    pub(crate) fn new(text: &str, dependencies: usize) -> Result<Self, Failure> {
        let temporary = tempfile::tempdir()?;
        let dir = Utf8PathBuf::try_from(temporary.path().canonicalize()?)?;
        let vars = user_variables();
        write_package(&dir.join("user"), text, dependencies)?;
        let baseline = baseline(&dir, &vars)?;
        let compiler = WarmCompiler::install(&dir)?.ok_or("there is no warm compiler here")?;
        let check = compiler.check(&baseline.plan, &dir, &Cancel::new()?)?;
        if let Some(reason) = check.objection {
            return Err(format!("the warm compiler does not serve: {reason}").into());
        }
        Ok(Self {
            _temporary: temporary,
            dir,
            dependencies,
            vars,
            baseline,
            compiler,
        })
    }

    /// Makes a worker with the plan of the baseline.
    ///
    /// # Errors
    /// When its tree cannot be written.
    pub(crate) fn queries(&self, name: &str, start: Start) -> Result<Queries<'_>, Failure> {
        self.queries_with(self.baseline.plan.clone(), name, start)
    }

    /// Makes a worker that resolves names and does no more.
    ///
    /// # Errors
    /// When its tree cannot be written.
    pub(crate) fn filter(&self, name: &str, start: Start) -> Result<Queries<'_>, Failure> {
        let plan = &self.baseline.plan;
        let resolves = |arg: &String| match arg.starts_with("--emit=") {
            true => "--emit=dep-info".to_owned(),
            false => arg.clone(),
        };
        let plan = plan.with_args(plan.call.args.iter().map(resolves).collect());
        if plan.call.args == self.baseline.plan.call.args {
            return Err("the plan has no `--emit=`".into());
        }
        self.queries_with(plan, name, start)
    }

    fn queries_with(&self, plan: Plan, name: &str, start: Start) -> Result<Queries<'_>, Failure> {
        let edited = BTreeSet::from([plan.call.root.clone()]);
        let mut worker = Worker::new(self.dir.join(name), &plan, &edited)?;
        if start == Start::Warm {
            worker.warm_up(&self.compiler);
        }
        Ok(Queries {
            worker,
            plan,
            property: &self.baseline.property,
            cancel: Cancel::new()?,
        })
    }

    /// Makes a copy of the package, in which cargo checks one text after the other.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn checks(&self, name: &str, is_quiet: bool) -> Result<Checks, Failure> {
        let dir = self.dir.join(name);
        write_package(&dir, "", self.dependencies)?;
        let mut vars = self.vars.clone();
        if is_quiet {
            let quiet = [("RUSTC_ICE", "0"), ("RUST_BACKTRACE", "0")];
            vars.extend(quiet.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        Ok(Checks { dir, vars })
    }
}

/// A worker and what it is asked with.
pub(crate) struct Queries<'a> {
    worker: Worker,
    plan: Plan,
    property: &'a Property,
    cancel: Cancel,
}

impl Queries<'_> {
    /// Asks about a candidate. The wall time is that of the whole query, the CPU time that of the
    /// compiler: what a fork costs its server is not in it.
    ///
    /// # Errors
    /// When the verdict is not one of these: then something else is measured than what is meant.
    pub(crate) fn ask(
        &mut self,
        text: &Arc<str>,
        is_expected: fn(&Verdict) -> bool,
    ) -> Result<(Sample, Answer), Failure> {
        self.ask_with(text, self.property, is_expected)
    }

    /// Asks about a candidate as [`Queries::ask`] does, to the compiler's end: no error stops it.
    ///
    /// # Errors
    /// See [`Queries::ask`].
    pub(crate) fn ask_to_the_end(
        &mut self,
        text: &Arc<str>,
        is_expected: fn(&Verdict) -> bool,
    ) -> Result<(Sample, Answer), Failure> {
        let property = Property {
            allow_errors: true,
            ..self.property.clone()
        };
        self.ask_with(text, &property, is_expected)
    }

    fn ask_with(
        &mut self,
        text: &Arc<str>,
        property: &Property,
        is_expected: fn(&Verdict) -> bool,
    ) -> Result<(Sample, Answer), Failure> {
        let sources = Sources::from([(self.plan.call.root.clone(), text.clone())]);
        let started = Instant::now();
        let asked = self
            .worker
            .judge(&self.plan, &sources, property, &self.cancel);
        let (wall, answer) = (started.elapsed(), asked?);
        if !is_expected(&answer.verdict) {
            return Err(format!("a query was answered with {:?}", answer.verdict).into());
        }
        let sample = Sample {
            wall,
            cpu: answer.cpu,
        };
        Ok((sample, answer))
    }
}

/// Returns the check of the verdict of a candidate that ends with `last`.
pub(crate) fn expected(last: Last) -> fn(&Verdict) -> bool {
    match last {
        Last::Crash => Verdict::is_interesting,
        Last::Nothing => |verdict| *verdict == Verdict::Compiles,
        Last::UnknownFunction | Last::UnknownType | Last::WrongType | Last::Unparsable => {
            |verdict| matches!(verdict, Verdict::AddsError(_))
        }
    }
}

/// Returns the user's environment, without what cargo adds for a benchmark that it starts.
#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark is a user, who has an environment"
)]
fn user_variables() -> BTreeMap<String, String> {
    let is_cargos = |name: &str| {
        let is_named = ["LD_LIBRARY_PATH", "OUT_DIR"].contains(&name);
        is_named || (name.starts_with("CARGO") && name != "CARGO_HOME")
    };
    let vars = std::env::vars();
    vars.filter(|(name, _)| !is_cargos(name)).collect()
}

/// Writes a package with dependencies that lie beside its sources.
fn write_package(dir: &Utf8Path, text: &str, dependencies: usize) -> Result<(), Failure> {
    let mut named = String::new();
    for nth in 0..dependencies {
        writeln!(named, "store{nth} = {{ path = \"store{nth}\" }}")?;
        let dependency = dir.join(format!("store{nth}"));
        write_crate(
            &dependency,
            &format!("store{nth}"),
            "",
            &inputs::ordinary(40),
        )?;
    }
    write_crate(dir, NAME, &named, text)
}

fn write_crate(dir: &Utf8Path, name: &str, dependencies: &str, text: &str) -> Result<(), Failure> {
    let package = format!("name = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"");
    let manifest = format!("[package]\n{package}\n\n[dependencies]\n{dependencies}");
    fs::create_dir_all(dir.join("src"))?;
    fs::write(dir.join("Cargo.toml"), manifest)?;
    Ok(fs::write(dir.join("src/lib.rs"), text)?)
}

/// Makes a pair of programs that use each of so many dependencies.
pub(crate) fn pair_with_dependencies(dependencies: usize, lines: usize, last: Last) -> Pair {
    let mut uses = String::new();
    for nth in 0..dependencies {
        let length = format!("length{nth}(parcel: &store{nth}::Parcel0) -> i32");
        writeln!(uses, "pub fn {length} {{ parcel.length() }}").expect("a string takes all");
    }
    inputs::pair_with(&uses, lines, last)
}

fn baseline(dir: &Utf8Path, vars: &BTreeMap<String, String>) -> Result<Baseline, Failure> {
    let surroundings = Surroundings {
        cwd: dir.join("user"),
        vars: vars.clone(),
        rustc: None,
    };
    let site = BaselineSite {
        scratch: &dir.join("scratch"),
        builds: &dir.join("builds"),
        capture_program: &Utf8PathBuf::try_from(std::env::current_exe()?)?,
        plain_tests: &(),
    };
    let input = Input::Package(PackageInput::default());
    let cancel = Cancel::new()?;
    Ok(find_baseline(
        &reduce_oracle::Goal::Ice,
        &input,
        &surroundings,
        &site,
        &options(),
        &|_| {},
        &cancel,
    )?)
}

fn options() -> BaselineOptions {
    BaselineOptions {
        demands: reduce_oracle::Demands::default(),
        env: vec![],
        reads: vec![],
        at_least: 1,
        sandbox: reduce_oracle::SandboxMode::Default,
        limits: Limits::default(),
        repeat: reduce_oracle::Repeat::ONCE,
        allow_errors: false,
        ignore_location: false,
        any_message: false,
        instead: None,
    }
}
