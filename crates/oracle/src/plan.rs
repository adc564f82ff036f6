//! The plan of a query: the compiler call that is replayed for each candidate.

mod companion;
mod digest;
mod line;
mod rung;

pub use rung::Rung;
pub(crate) use rung::takes_unstable;

use crate::args::{self, ArgGroup};
use crate::auxiliary::AuxiliaryCall;
use crate::budget::TimeSpent;
use crate::check::{AnyCheck, CompilerTime, Execution, Started};
use crate::companion::Companion;
use crate::error::OracleError;
use crate::private::Private;
use crate::program::Harness;
use crate::sandbox::SandboxMode;
use crate::signature::{CrashKind, Signature};
use crate::toolchain::Compiler;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// The files that are edited, by path relative to the tree.
pub type Sources = BTreeMap<Utf8PathBuf, Arc<str>>;

/// A 256-bit digest.
pub(crate) type Digest = [u8; 32];

/// What a query may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time, where the user has said how much. Else it is derived from what is used.
    pub deadline: Option<Duration>,
    /// What the plan's own program has used; absent until that is known.
    pub usual: Option<TimeSpent>,
    /// Wall time of a run of which nothing is known yet; a compiler gets at least 10 minutes.
    pub longest: Duration,
    /// Address space of each process of the query.
    pub memory_bytes: u64,
    /// How much of the compiler's output is kept.
    pub output_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline: None,
            usual: None,
            longest: LONGEST,
            memory_bytes: 6 << 30,
            output_bytes: 8 << 20,
        }
    }
}

/// Wall time of a run of which nothing is known yet, where the user does not say; no compiler gets less, as
/// how long it takes depends on the machine.
const LONGEST: Duration = Duration::from_secs(600);

impl Limits {
    /// Wall time of a compiler run of which nothing is known yet.
    pub(crate) fn longest_compilation(&self) -> Duration {
        self.longest.max(LONGEST)
    }
}

/// The address space for a compiler that is to use so many bytes: a little more, so that what reaches
/// them is seen to.
pub(crate) fn memory_for(bytes: u64) -> u64 {
    bytes.saturating_add(2 << 30)
}

/// The form in which the compiler prints its diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorFormat {
    /// `--error-format=json`: the safest to read.
    Json,
    /// rustc's default.
    Human,
}

/// The compiler call that is replayed for each candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The compiler.
    pub compiler: Compiler,
    /// Its arguments, without those that say where output goes and how diagnostics look.
    pub args: Vec<String>,
    /// All of its environment, `PATH` included.
    pub env: BTreeMap<String, String>,
    /// A directory of ours that mirrors the program as it was. Paths below it in arguments and
    /// environment are replaced by those of the worker's own tree.
    pub tree: Utf8PathBuf,
    /// The directory of the call, relative to the tree; empty for the tree itself.
    pub cwd: Utf8PathBuf,
    /// The crate root, relative to the tree.
    pub root: Utf8PathBuf,
    /// All files below the tree that the compiler reads, relative to it.
    pub files: BTreeSet<Utf8PathBuf>,
    /// The crate's name, as given to rustc or derived from the root.
    pub crate_name: String,
    /// The edition, such as `2021`.
    pub edition: String,
    /// How diagnostics are asked for.
    pub error_format: ErrorFormat,
    /// What a query may use; its usual time is there once the baseline is known.
    pub limits: Limits,
    /// What is done with a candidate to see whether it fails.
    pub(crate) check: AnyCheck,
    /// How much of a sandbox what is started has.
    pub sandbox: SandboxMode,
    /// What it may read besides the toolchain and its own tree.
    pub(crate) reads: Vec<Utf8PathBuf>,
    /// What the user has opened to it (`--read`): absolute paths.
    pub(crate) user_reads: Vec<Utf8PathBuf>,
    /// The user's places that stay closed to it.
    pub(crate) private: Private,
    /// How often a candidate that does not fail is asked; 1 for a stable failure.
    pub repeat: u32,
    /// How many of these times it must fail.
    pub at_least: u32,
    /// A cheaper call that shows the crash too. It is made first, and the plan's own only for those
    /// candidates that crash in it.
    pub rung: Option<Rung>,
    /// Other calls that a candidate must pass.
    pub companions: Vec<Companion>,
    /// Crates that are compiled before, from edited text, in this order.
    pub(crate) auxiliaries: Vec<AuxiliaryCall>,
    pub(crate) contents: BTreeMap<Utf8PathBuf, Digest>,
    /// Of all that it may be linked with.
    pub(crate) dependencies: BTreeMap<Utf8PathBuf, Digest>,
}

impl Plan {
    /// The compiled dependencies that are named on the command line, and on those of the crates that
    /// it compiles itself: absolute paths.
    #[must_use]
    pub fn extern_files(&self) -> Vec<Utf8PathBuf> {
        let of_auxiliaries = self.auxiliaries.iter().map(|one| &one.args);
        let all = std::iter::once(&self.args).chain(of_auxiliaries);
        let paths = all.flat_map(|args| args::extern_files(args));
        paths.filter(|path| !path.starts_with(&self.tree)).collect()
    }

    /// The crates that the program may name without a definition: those on the command line.
    #[must_use]
    pub fn extern_names(&self) -> BTreeSet<String> {
        args::extern_names(&self.args)
    }

    /// The crates on the command line with their compiled files; without one those that come with
    /// the compiler.
    #[must_use]
    pub fn externs(&self) -> Vec<(String, Option<Utf8PathBuf>)> {
        args::externs_with_files(&self.args)
    }

    /// All compiled dependencies beside those that are named, which may need them.
    ///
    /// # Errors
    /// Where a directory of them cannot be read.
    pub fn dependency_files(&self) -> Result<BTreeSet<Utf8PathBuf>, OracleError> {
        let named = self.extern_files();
        let mut found: BTreeSet<Utf8PathBuf> = named.iter().cloned().collect();
        let parents = named
            .iter()
            .filter_map(|path| path.parent())
            .map(Utf8Path::to_owned);
        let searched = args::dependency_directories(&self.args);
        let all = parents.chain(searched);
        let is_compiled_before = |directory: &Utf8PathBuf| !directory.starts_with(&self.tree);
        for directory in all.filter(is_compiled_before).collect::<BTreeSet<_>>() {
            let failed = OracleError::io("read the directory", &directory);
            let entries: Result<Vec<_>, _> = directory
                .read_dir_utf8()
                .and_then(Iterator::collect)
                .map_err(failed);
            let paths = entries?.into_iter().map(|entry| entry.into_path());
            found.extend(paths.filter(|path| is_compiled(path)));
        }
        Ok(found)
    }

    /// The plan with its compiled dependencies in another directory, all in one. Those that it
    /// compiles itself stay.
    #[must_use]
    pub fn with_dependencies_in(&self, directory: &Utf8Path) -> Self {
        let moved = |args: &[String]| args::with_dependencies_in(args, directory, &self.tree);
        let mut plan = self.with_args(moved(&self.args));
        for call in &mut plan.auxiliaries {
            call.args = moved(&call.args);
        }
        plan
    }

    /// The argument groups that a person would try to do without: all but the crate root. A command
    /// is not given them.
    #[must_use]
    pub fn removable_args(&self) -> Vec<ArgGroup> {
        if self.runs_command() {
            return vec![];
        }
        let groups = args::groups(&self.args).into_iter();
        groups.filter(|group| !group.is_root()).collect()
    }

    /// The same plan without some of its [`Plan::removable_args`]. Unit tests that are not run are a
    /// library without their harness, as that was what had a `main`.
    #[must_use]
    pub fn without_args(&self, groups: &[ArgGroup]) -> Self {
        let mut fewer = args::without(&self.args, groups);
        let lost_harness = args::is_test(&self.args) && !args::is_test(&fewer);
        if lost_harness && self.execution().is_none() {
            fewer = args::as_library(&fewer).unwrap_or(fewer);
        }
        let fewer = self.with_args(fewer);
        let edition = args::edition(&fewer.args);
        Self { edition, ..fewer }
    }

    /// The flags that say what is special about the call: neither names, edition nor output.
    #[must_use]
    pub fn telling_flags(&self) -> Vec<String> {
        const USUAL: [&str; 3] = ["--crate-name", "--edition", "--emit"];
        let groups = self.removable_args().into_iter();
        let telling = groups.filter(|group| !USUAL.contains(&group.name.as_str()));
        telling
            .map(|group| self.args[group.range].join(" "))
            .collect()
    }

    /// The same plan with other arguments.
    #[must_use]
    pub fn with_args(&self, args: Vec<String>) -> Self {
        Self {
            args,
            ..self.clone()
        }
    }

    /// The arguments of a query: those of the cheaper call, if there is one.
    pub(crate) fn query_args(&self) -> Vec<String> {
        let rung = self.rung.map(|rung| rung.args(&self.args));
        rung.unwrap_or_else(|| self.args.clone())
    }

    /// The same plan with what it starts changed, if it starts anything but a compiler.
    pub(crate) fn adapted(&self, change: &mut dyn FnMut(Started<'_>)) -> Self {
        let check = self.check.adapted(change);
        Self {
            check: check.unwrap_or_else(|| self.check.clone()),
            ..self.clone()
        }
    }

    /// The same plan, with programs that are linked with the standard library as it is.
    pub(crate) fn linked_dynamically(&self) -> Self {
        self.adapted(&mut |started| {
            if let Started::Program(execution) = started {
                execution.links_dynamically = true;
            }
        })
    }

    /// The same plan without the test harness: the program has a `main` instead. What is there for tests
    /// alone stays.
    #[must_use]
    pub fn without_harness(&self) -> Self {
        let args = self.args.iter().map(|arg| match arg.as_str() {
            "--test" => "--cfg=test".to_owned(),
            _ => arg.clone(),
        });
        self.with_args(args.collect()).adapted(&mut |started| {
            if let Started::Program(execution) = started {
                execution.args.clear();
                execution.harness = Harness::None;
            }
        })
    }

    /// The same plan where programs that succeed need not be looked at any more, if the one that was given
    /// fails.
    pub(crate) fn expecting(&self, failure: &Signature) -> Self {
        self.adapted(&mut |started| {
            if let Started::Program(execution) = started {
                execution.may_succeed &= failure.kind == CrashKind::ExitStatus(0);
            }
        })
    }

    /// The same plan for a command in place of the compiler, which is asked in the tree itself, if at all.
    pub(crate) fn run_by_command(self) -> Self {
        Self {
            cwd: Utf8PathBuf::new(),
            ..self
        }
    }

    /// What a query may use, where something else is looked for than usual.
    pub(crate) fn memory_bytes(&self) -> u64 {
        let own = self.check.memory_bytes();
        own.unwrap_or(self.limits.memory_bytes)
    }

    /// The same plan as the input must pass it.
    pub(crate) fn for_first_look(&self) -> Self {
        let check = self.check.for_first_look();
        Self {
            check: check.unwrap_or_else(|| self.check.clone()),
            ..self.clone()
        }
    }

    /// The same plan for a report: a crash with human diagnostics and the full query stack, which
    /// needs a backtrace.
    pub(crate) fn for_people(&self) -> Self {
        if !self.check.is_crash() {
            let check = self.check.for_last_look();
            return Self {
                check: check.unwrap_or_else(|| self.check.clone()),
                ..self.clone()
            };
        }
        let mut plan = Self {
            error_format: ErrorFormat::Human,
            ..self.clone()
        };
        plan.env.insert("RUST_BACKTRACE".to_owned(), "1".to_owned());
        plan
    }
}

/// What is known of its failure.
impl Plan {
    /// How a compiled candidate is run.
    #[must_use]
    pub fn execution(&self) -> Option<&Execution> {
        self.check.execution()
    }

    /// Whether a command is run in place of a compiler.
    #[must_use]
    pub fn runs_command(&self) -> bool {
        self.check.command().is_some()
    }

    /// Whether it is the deadline that shows the failure.
    #[must_use]
    pub fn is_hang(&self) -> bool {
        self.check.is_hang()
    }

    /// Whether it is what a compiler uses that shows the failure.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.check.is_measured()
    }

    /// Whether it says itself how much CPU time a compiler may use.
    #[must_use]
    pub fn bounds_cpu_time(&self) -> bool {
        matches!(self.check.compiler_time(), CompilerTime::Cpu(_))
    }

    /// Whether two builds of a candidate are compared.
    #[must_use]
    pub fn compares_builds(&self) -> bool {
        self.check.compares_builds()
    }

    /// Whether a `loop {}` of a candidate may run, and is not what is looked for.
    #[must_use]
    pub fn runs_loops(&self, signature: &Signature) -> bool {
        self.check.runs_loops(signature)
    }

    /// What the user should know of all failures of this kind.
    #[must_use]
    pub fn caution(&self) -> Option<&'static str> {
        self.check.caution()
    }
}

#[cfg(test)]
impl Plan {
    /// For tests: compiles one file in a tree, with nothing but its name.
    pub(crate) fn of_root(compiler: Compiler, tree: Utf8PathBuf, root: &str) -> Self {
        Self {
            compiler,
            args: vec![root.to_owned()],
            env: BTreeMap::new(),
            tree,
            cwd: "".into(),
            root: root.into(),
            files: BTreeSet::from([root.into()]),
            crate_name: "lib".to_owned(),
            edition: "2015".to_owned(),
            error_format: ErrorFormat::Json,
            limits: Limits::default(),
            check: crate::checks::crash::Crash::check(),
            sandbox: SandboxMode::Off,
            reads: Vec::new(),
            user_reads: Vec::new(),
            private: Private::default(),
            repeat: 1,
            at_least: 1,
            rung: None,
            companions: Vec::new(),
            auxiliaries: Vec::new(),
            contents: BTreeMap::new(),
            dependencies: BTreeMap::new(),
        }
    }
}

fn is_compiled(path: &Utf8Path) -> bool {
    matches!(
        path.extension(),
        Some("rlib" | "rmeta" | "so" | "dylib" | "dll")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(tree: &str) -> Plan {
        let compiler = Compiler {
            path: "/t/bin/rustc".into(),
            command: "rustc +nightly".to_owned(),
            verbose_version: "rustc 1.95.0\n".to_owned(),
            identity: [7; 32],
            sysroot: None,
        };
        let args = [
            "--crate-name=a",
            "--cfg",
            "feature=\"x\"",
            "-O",
            "src/lib.rs",
            "--emit=obj",
        ];
        let env = [("CARGO_MANIFEST_DIR", tree), ("RUSTC_BOOTSTRAP", "1")];
        Plan {
            args: args.map(str::to_owned).to_vec(),
            env: env
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            files: BTreeSet::from(["src/lib.rs".into(), "data.txt".into()]),
            crate_name: "a".to_owned(),
            contents: BTreeMap::from([
                ("src/lib.rs".into(), [1; 32]),
                ("data.txt".into(), [2; 32]),
            ]),
            ..Plan::of_root(compiler, tree.into(), "src/lib.rs")
        }
    }

    #[test]
    fn a_person_can_type_the_command() {
        let command = plan("/x").command(Utf8Path::new("reduced.rs"));
        let expected = "RUSTC_BOOTSTRAP=1 rustc +nightly --crate-name=a --cfg 'feature=\"x\"' -O reduced.rs --emit=obj";
        assert_eq!(command, expected);
    }

    #[test]
    fn all_flags_can_be_removed_and_the_root_stays() {
        let plan = plan("/x");
        let groups = plan.removable_args();
        let names: Vec<_> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["--crate-name", "--cfg", "-O", "--emit"]);
        assert_eq!(plan.without_args(&groups).args, ["src/lib.rs"]);
        assert_eq!(plan.telling_flags(), ["--cfg feature=\"x\"", "-O"]);
    }

    #[test]
    fn without_its_flag_the_edition_is_the_first() {
        let plan = plan("/x").with_args(vec!["--edition=2021".to_owned(), "a.rs".to_owned()]);
        assert_eq!(plan.without_args(&[]).edition, "2021");
        assert_eq!(plan.without_args(&plan.removable_args()).edition, "2015");
    }

    #[test]
    fn the_digest_does_not_depend_on_where_the_tree_is() {
        let edited = BTreeSet::from(["src/lib.rs".into()]);
        assert_eq!(
            plan("/x/y").digest(&edited),
            plan("/elsewhere").digest(&edited)
        );
    }

    #[test]
    fn the_digest_depends_on_files_that_are_not_edited() {
        let edited = BTreeSet::from(["src/lib.rs".into()]);
        let original = plan("/x");
        let mut other_data = original.clone();
        other_data.contents.insert("data.txt".into(), [3; 32]);
        let mut other_source = original.clone();
        other_source.contents.insert("src/lib.rs".into(), [3; 32]);
        assert_ne!(original.digest(&edited), other_data.digest(&edited));
        assert_eq!(original.digest(&edited), other_source.digest(&edited));
        assert_ne!(
            original.digest(&edited),
            original
                .without_args(&original.removable_args())
                .digest(&edited)
        );
    }
}
