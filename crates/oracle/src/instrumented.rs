//! Compiles the crates that a test links again with other text: each by the call that cargo made for it, into a directory
//! of ours, together with those that link them.
//!
//! See docs/decisions/mutants.md.

use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::compiler::unit::Unit;
use crate::compiler::unit::calls::Calls;
use crate::error::OracleError;
use crate::evidence::diagnostics::{ErrorSpan, error_spans_with_macros};
use crate::plan::digest::of_file;
use crate::plan::linkage::externs_of;
use crate::plan::variants::Switched;
use crate::plan::{Plan, Sources};
use crate::search::original::package_dir;
use crate::system::budget::TimeSpent;
use crate::system::files;
use crate::system::process::{Bounds, Ending, Invocation, Outcome, run};
use crate::system::sandbox::Confinement;
use crate::system::snapshot::Snapshot;
use crate::text::path::{normal, with_extension_of};
use crate::worker::{Worker, places};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::collections::{BTreeMap, BTreeSet};

/// Crates of a plan that are compiled again with other text.
#[derive(Debug)]
pub struct Recompiled<'a> {
    plan: &'a Plan,
    units: &'a [Unit],
    calls: BTreeMap<usize, Record>,
    /// A copy of the plan's tree, whose text changes.
    tree: Utf8PathBuf,
    /// Copies of packages outside of the tree, by their directories.
    packages: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    dir: Utf8PathBuf,
    switched: Switched,
    cancel: &'a Cancel,
    runs: u64,
}

/// The features that a crate may use when it is compiled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Features {
    /// The features that cargo's call permits.
    AsCalled,
    /// All features that the compiler knows, for what we have put into the crate's text.
    Unstable,
}

impl Features {
    /// Sets the environment variable by which a compiler permits the features, if it needs one.
    pub(crate) fn permit(self, env: &mut BTreeMap<String, String>) {
        if self == Self::Unstable {
            env.insert("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned());
        }
    }
}

/// The result of compiling a crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compiled {
    /// The crate can be linked; with the time that it took to compile it.
    Yes(TimeSpent),
    /// The crate has errors; each with its place, if that is in a file of the crate.
    No(Vec<Option<ErrorPlace>>),
}

/// The place of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorPlace {
    /// The file, as the crate's sources name it.
    pub file: Utf8PathBuf,
    /// The bytes of the error in its file.
    pub bytes: std::ops::Range<usize>,
    /// The places of the error in the macros that are called there, the innermost first: files and their bytes. The
    /// compiler has its own names for files of other crates.
    pub in_macros: Vec<(Utf8PathBuf, std::ops::Range<usize>)>,
}

impl Compiled {
    /// Whether the crate can be linked.
    #[must_use]
    pub const fn is_yes(&self) -> bool {
        matches!(self, Self::Yes(_))
    }

    /// Reads the compiler's errors in a crate that was compiled in `cwd`. Paths become relative to `base`.
    fn not(outcome: &Outcome, cwd: &Utf8Path, base: &Utf8Path) -> Self {
        let spans = error_spans_with_macros(&outcome.stderr);
        let in_crate = |name: &str| {
            let file = normal(&cwd.join(name));
            file.strip_prefix(base).ok().map(Utf8Path::to_owned)
        };
        let place = |mut spans: Vec<ErrorSpan>| {
            let span = spans.pop()?;
            let in_macros = spans.into_iter().map(|one| {
                let file = in_crate(&one.file).unwrap_or_else(|| one.file.into());
                (file, one.bytes)
            });
            Some(ErrorPlace {
                file: in_crate(&span.file)?,
                bytes: span.bytes,
                in_macros: in_macros.collect(),
            })
        };
        let mut places: Vec<_> = spans.into_iter().map(place).collect();
        if places.is_empty() {
            places.push(None);
        }
        Self::No(places)
    }

    /// Compiles the program of a plan with these files. Their paths are relative to the tree.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started, and on cancellation.
    pub fn of_plan(
        worker: &mut Worker,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Self, OracleError> {
        let built = worker.build_original(plan, sources, cancel)?;
        let Some((built, spent)) = built else {
            return Ok(Self::No(vec![None]));
        };
        let tree = worker.tree();
        Ok(match built.ending {
            Ending::Exited(0) => Self::Yes(spent),
            _ => Self::not(&built, &tree.join(&plan.call.cwd), tree),
        })
    }
}

impl<'a> Recompiled<'a> {
    /// Prepares to compile `units` below `dir`, which is emptied. `builds` is the directory of all that cargo has
    /// compiled for us.
    ///
    /// # Errors
    /// [`OracleError::Io`].
    pub fn new(
        plan: &'a Plan,
        units: &'a [Unit],
        builds: &Utf8Path,
        dir: Utf8PathBuf,
        cancel: &'a Cancel,
    ) -> Result<Self, OracleError> {
        files::make_empty(&dir)?;
        let tree = dir.join("tree");
        Snapshot::take(
            vec![plan.inputs.tree.clone()],
            tree.clone(),
            &BTreeSet::new(),
        )?;
        let output = dir.join("compiled");
        for made in [&output, &dir.join("tmp")] {
            files::make_dir(made)?;
        }
        // The plan's tree is where the directory of the builds says that it was.
        let builds = builds
            .canonicalize_utf8()
            .map_err(OracleError::io("find", builds))?;
        let known = Calls {
            builds: &builds,
            tree: &plan.inputs.tree,
        };
        let calls = units.iter().enumerate();
        let calls = calls.filter_map(|(idx, unit)| Some((idx, known.of(&unit.artifact)?)));
        Ok(Self {
            calls: calls.collect(),
            switched: Switched {
                directory: output,
                ..Switched::default()
            },
            plan,
            units,
            tree,
            packages: BTreeMap::new(),
            dir,
            cancel,
            runs: 0,
        })
    }

    /// Whether a unit can be compiled with other text: procedural macros are not, as they run in the compiler.
    #[must_use]
    pub fn can_change(&self, idx: usize) -> bool {
        self.calls.contains_key(&idx) && !self.units[idx].is_proc_macro
    }

    /// Whether a unit is a member of the user's workspace.
    #[must_use]
    pub fn is_member(&self, idx: usize) -> bool {
        self.units[idx].root.starts_with(&self.plan.inputs.tree)
    }

    /// Returns the directory to which the paths of a unit's sources are relative: that of the workspace for a member,
    /// else that of its package.
    #[must_use]
    pub fn base(&self, idx: usize) -> Utf8PathBuf {
        match self.is_member(idx) {
            true => self.plan.inputs.tree.clone(),
            false => package_dir(&self.units[idx].env, &self.units[idx].cwd),
        }
    }

    /// Compiles a unit again, with the texts in `sources` in place of its own files, or unchanged where there are none. All
    /// that it links must be compiled before. In the directory `incremental` the compiler keeps what it knows of the unit for the
    /// next time.
    ///
    /// # Errors
    /// When files cannot be written or the compiler cannot be started, and on cancellation.
    pub fn compile(
        &mut self,
        idx: usize,
        sources: &Sources,
        features: Features,
        incremental: Option<&Utf8Path>,
    ) -> Result<Compiled, OracleError> {
        let (base, there) = match sources.is_empty() {
            true => (self.base(idx), self.base(idx)),
            false => (self.base(idx), self.place_of(idx)?),
        };
        for (path, text) in sources {
            files::write_below(&there, path, text)?;
        }
        let Some(record) = self.calls.get(&idx) else {
            return Ok(Compiled::No(vec![None]));
        };
        let mut record = record.moved(&base, &there);
        features.permit(&mut record.env);
        let outcome = self.run(&record, incremental)?;
        if outcome.ending == Ending::Exited(0) {
            self.replace(idx)?;
            return Ok(Compiled::Yes(TimeSpent {
                compiling: outcome.cpu,
                asleep: outcome.asleep,
                ..TimeSpent::default()
            }));
        }
        Ok(Compiled::not(&outcome, &record.cwd, &there))
    }

    /// Whether a unit links one that was compiled again, so that it has to be compiled again too.
    #[must_use]
    pub fn links_replaced(&self, idx: usize) -> bool {
        let unit = &self.units[idx];
        let linked = externs_of(unit, self.units);
        !unit.is_proc_macro && linked.values().any(|&other| self.is_replaced(other))
    }

    /// Returns the crates that were compiled again, and the number of compiler runs that this took.
    #[must_use]
    pub fn finish(self) -> (Switched, u64) {
        (self.switched, self.runs)
    }

    fn is_replaced(&self, idx: usize) -> bool {
        let artifact = self.units[idx].artifact.with_extension("");
        self.switched.replaced.contains_key(&artifact)
    }

    fn replace(&mut self, idx: usize) -> Result<(), OracleError> {
        let unit = &self.units[idx];
        let artifact = unit.artifact.with_extension("");
        let name = artifact.file_name().unwrap_or_default();
        let there = self.switched.directory.join(name);
        if unit.is_program() {
            for program in self.plan.inputs.programs.values() {
                if program.file_stem() == unit.program_name() {
                    let there = with_extension_of(&there, program);
                    self.switched
                        .digests
                        .insert(there.clone(), of_file(&there)?);
                    self.switched.programs.insert(program.clone(), there);
                }
            }
            return Ok(());
        }
        for extension in ["rlib", "rmeta"] {
            let path = there.with_extension(extension);
            if path.is_file() {
                let digest = of_file(&path)?;
                self.switched.digests.insert(path, digest);
            }
        }
        self.switched.replaced.insert(artifact, there);
        Ok(())
    }

    /// Returns the copy of a unit's package, or of the whole workspace.
    fn place_of(&mut self, idx: usize) -> Result<Utf8PathBuf, OracleError> {
        if self.is_member(idx) {
            return Ok(self.tree.clone());
        }
        let package = self.base(idx);
        if let Some(known) = self.packages.get(&package) {
            return Ok(known.clone());
        }
        let copy = self.dir.join(format!("package-{}", self.packages.len()));
        Snapshot::take(vec![package.clone()], copy.clone(), &BTreeSet::new())?;
        self.packages.insert(package, copy.clone());
        Ok(copy)
    }

    fn run(
        &mut self,
        record: &Record,
        incremental: Option<&Utf8Path>,
    ) -> Result<Outcome, OracleError> {
        self.runs += 1;
        let compiler = &self.plan.call.compiler;
        let temporary = self.dir.join("tmp");
        let mut writes = vec![self.switched.directory.clone(), temporary.clone()];
        let mut args = self.args(&record.args);
        if let Some(kept) = incremental {
            files::make_dir(kept)?;
            args.push(format!("-Cincremental={kept}"));
            writes.push(kept.to_owned());
        }
        let mut reads = vec![self.dir.clone()];
        reads.extend(compiler.directories());
        reads.extend(compiler.files());
        reads.extend(record.env.get("OUT_DIR").map(Utf8PathBuf::from));
        reads.push(package_dir(&record.env, &record.cwd));
        reads.extend(args::inputs(&record.args));
        let confined = places(self.plan, reads, writes);
        let confinement = Confinement::of_compiler(self.plan.access.sandbox, &confined)
            .map_err(OracleError::io("set up the sandbox for", &self.dir))?;
        let mut env = record.env.clone();
        env.insert("TMPDIR".to_owned(), temporary.into_string());
        let invocation = Invocation {
            program: &compiler.path,
            args: &args,
            env: &env,
            dir: &record.cwd,
            bounds: self.bounds(),
            confinement: confinement.as_ref(),
        };
        let outcome = run(&invocation, self.cancel)?;
        match outcome.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            _ => Ok(outcome),
        }
    }

    /// Returns the arguments of a call that writes to our directory and reports errors as JSON. What depends on the
    /// place of our directory is left out of what is compiled.
    fn args(&self, args: &[String]) -> Vec<String> {
        let mut own = args::with_lints_capped(&args::without_output(args), "allow");
        let debug_information = args::groups(&own).into_iter();
        let is_of_place = |group: &args::ArgGroup| group.is_codegen("debuginfo");
        let dropped: Vec<_> = debug_information.filter(is_of_place).collect();
        own = args::without(&own, &dropped);
        own = self.switched.args(&own);
        own.extend([
            "--out-dir".to_owned(),
            self.switched.directory.to_string(),
            "--error-format=json".to_owned(),
            format!("--remap-path-prefix={}=/", self.dir),
        ]);
        own
    }

    fn bounds(&self) -> Bounds {
        let limits = &self.plan.run_policy.limits;
        Bounds {
            memory_bytes: Some(limits.memory_bytes),
            ..Bounds::of_time(limits.longest, limits.output_bytes)
        }
    }
}
