//! The plan of a query: the compiler call that is replayed for each candidate.
//!
//! - `parts`: the parts of a plan: the call, the files, the readable paths, the way in which a candidate is asked about.
//! - `files`: other files in place of those that a plan was found with.
//! - `limits`: the limits of a query. `cheapest_call`: calls that go less far than the plan's.
//! - `digest`: the digest of all on which a verdict depends. `line`: plans as shell lines.
//! - `companion`: other calls that a candidate must pass. `companion_call`: their derivation from a plan.
//! - `variants`: the plan of a failing test under variants of the code under test.
//! - `beside`: the calls for the other tests of a package.
//! - `programs`: the programs that a test may start.
//! - `one_call`: flags that one of two calls has alone.
//! - `linkage`: the crates that a program is linked with. `auxiliary`: the calls for crates whose text is edited too.

pub(crate) mod auxiliary;
mod cheapest_call;
pub(crate) mod companion;
mod companion_call;
pub(crate) mod digest;
#[cfg(test)]
mod example;
mod files;
mod limits;
mod line;
pub(crate) mod linkage;
pub(crate) mod one_call;
mod parts;
pub(crate) mod programs;
mod sibling_tests;
pub(crate) mod variants;

pub use cheapest_call::CheapestCall;
pub(crate) use cheapest_call::takes_unstable;
pub use limits::Limits;
pub(crate) use limits::memory_for;
pub use line::{TWO_FILES, VERSIONS};
pub use parts::{Access, CompilerCall, ErrorFormat, Inputs, RunPolicy};

use crate::check::{AnyCheck, CompilerTime, Execution, Started, UndefinedBehaviour};
use crate::compiler::args::{self, ArgGroup};
use crate::error::OracleError;
use crate::evidence::program::Harness;
use crate::plan::companion::Companion;
use crate::signature::{CrashKind, Signature};
use crate::system::sandbox::SandboxMode;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The unstable flag by which the compiler reports a delayed bug where it happens, and not at its end.
const EMITS_AT_ONCE: &str = "-Zeagerly-emit-delayed-bugs";
/// The unstable option that says at which error the compiler crashes.
const TREATS: &str = "treat-err-as-bug";

/// The variable that names a directory for the files of integration tests and benchmarks. cargo sets it for their compiler, not
/// when it starts them.
pub(crate) const TARGET_TMPDIR: &str = "CARGO_TARGET_TMPDIR";

/// The files that are edited, by path relative to the tree.
pub type Sources = BTreeMap<Utf8PathBuf, Arc<str>>;

/// The flags that each of two calls has alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagDifferences {
    /// The flags that only the first call has.
    pub here: Vec<String>,
    /// The flags that only the second call has.
    pub there: Vec<String>,
}

/// The compiler call that is replayed for each candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The compiler call that is made for each candidate.
    pub call: CompilerCall,
    /// The files that the call reads.
    pub inputs: Inputs,
    /// The paths that its processes may read besides.
    pub access: Access,
    /// The way in which a candidate is asked about.
    pub run_policy: RunPolicy,
}

impl Plan {
    /// Returns the compiled dependencies that are named on the command line, and on those of the crates that the plan compiles
    /// itself: absolute paths.
    #[must_use]
    pub fn extern_files(&self) -> Vec<Utf8PathBuf> {
        let of_auxiliaries = self.inputs.auxiliaries.iter().map(|one| &one.args);
        let all = std::iter::once(&self.call.args).chain(of_auxiliaries);
        let paths = all.flat_map(|args| args::extern_files(args));
        paths
            .filter(|path| !path.starts_with(&self.inputs.tree))
            .collect()
    }

    /// Returns the crates that the program may name without a definition: those on the command line.
    #[must_use]
    pub fn extern_names(&self) -> BTreeSet<String> {
        args::extern_names(&self.call.args)
    }

    /// Whether the crate is compiled with the test harness of the standard library.
    #[must_use]
    pub fn compiles_tests(&self) -> bool {
        args::is_test(&self.call.args)
    }

    /// Returns the crates on the command line with their compiled files; a crate that comes with the compiler has no file.
    #[must_use]
    pub fn externs(&self) -> Vec<(String, Option<Utf8PathBuf>)> {
        args::externs_with_files(&self.call.args)
    }

    /// Returns the root of the files that are edited: that of the crate, unless only a part of it is.
    #[must_use]
    pub fn edited_root(&self) -> &Utf8Path {
        let part = self.inputs.edited_root.as_deref();
        part.unwrap_or(&self.call.root)
    }

    /// Returns the compiled dependencies of the plan: those that are named, and all in the directories where the compiler
    /// looks for others.
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
        let searched = args::dependency_directories(&self.call.args);
        let all = parents.chain(searched);
        let is_compiled_before =
            |directory: &Utf8PathBuf| !directory.starts_with(&self.inputs.tree);
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

    /// Returns the plan with its compiled dependencies in another directory, all in one. Those that it compiles itself stay.
    #[must_use]
    pub fn with_dependencies_in(&self, directory: &Utf8Path) -> Self {
        let moved =
            |args: &[String]| args::with_dependencies_in(args, directory, &self.inputs.tree);
        let mut plan = self.with_args(moved(&self.call.args));
        for call in &mut plan.inputs.auxiliaries {
            call.args = moved(&call.args);
        }
        let before = first_directory(directory);
        if let Some(check) = self.run_policy.check.linking_first_from(&before, directory) {
            plan.access.reads.push(before);
            plan.run_policy.check = check;
        }
        plan
    }

    /// Returns the file that the first of two calls links in place of a compiled dependency, where that may be another one.
    #[must_use]
    pub fn linked_first(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.run_policy.check.linked_first(path)
    }

    /// Returns the plan without the directories of compiled dependencies, for a program that links nothing that needs them.
    #[must_use]
    pub fn without_dependency_directories(&self) -> Self {
        let tree = &self.inputs.tree;
        let is_outside = |group: &ArgGroup| {
            let directory = group.value.strip_prefix("dependency=");
            directory.is_some_and(|path| !Utf8Path::new(path).starts_with(tree))
        };
        let groups = args::groups(&self.call.args).into_iter();
        let dropped = groups.filter(|group| group.name == "-L" && is_outside(group));
        self.with_args(args::without(&self.call.args, &dropped.collect::<Vec<_>>()))
    }

    /// Returns the argument groups that a person would try to do without: all but the crate root. A command is not given them.
    #[must_use]
    pub fn removable_args(&self) -> Vec<ArgGroup> {
        if self.runs_command() {
            return vec![];
        }
        let groups = args::groups(&self.call.args).into_iter();
        groups.filter(|group| !group.is_root()).collect()
    }

    /// Returns the plan without some of its [`Plan::removable_args`]. Unit tests that are not run are a library without their
    /// harness, as that was what had a `main`.
    #[must_use]
    pub fn without_args(&self, groups: &[ArgGroup]) -> Self {
        let mut fewer = args::without(&self.call.args, groups);
        let lost_harness = args::is_test(&self.call.args) && !args::is_test(&fewer);
        if lost_harness && self.execution().is_none() {
            fewer = args::as_library(&fewer).unwrap_or(fewer);
        }
        let mut fewer = self.with_args(fewer);
        fewer.call.edition = args::edition(&fewer.call.args);
        fewer
    }

    /// Returns the flags that say what is special about the call: neither names, edition nor output.
    #[must_use]
    pub fn deciding_flags(&self) -> Vec<String> {
        const USUAL: [&str; 3] = ["--crate-name", "--edition", "--emit"];
        let groups = self.removable_args().into_iter();
        let deciding = groups
            .filter(|group| !USUAL.contains(&group.name.as_str()) && !self.chooses_version(group));
        deciding
            .map(|group| self.call.args[group.range].join(" "))
            .collect()
    }

    /// Returns the flags that only one of this call and another one has, of those that may decide how a program runs: neither
    /// names, nor what is searched and linked, nor what the compiler is to say.
    #[must_use]
    pub fn differences(&self, other: &[String]) -> FlagDifferences {
        let [own, other] = [&self.call.args, other].map(|args| {
            let groups = args::groups(args).into_iter();
            let deciding = groups.filter(args::decides_program);
            let words = deciding.map(|group| args[group.range].join(" "));
            words.collect::<BTreeSet<String>>()
        });
        FlagDifferences {
            here: own.difference(&other).cloned().collect(),
            there: other.difference(&own).cloned().collect(),
        }
    }

    /// Returns the plan with other arguments.
    #[must_use]
    pub fn with_args(&self, args: Vec<String>) -> Self {
        let mut plan = self.clone();
        plan.call.args = args;
        plan
    }

    /// Returns the plan in which errors are no bugs; `None` where the first error is none.
    #[must_use]
    pub fn with_errors_reported(&self) -> Option<Self> {
        let groups = args::groups(&self.call.args).into_iter();
        let as_bugs: Vec<ArgGroup> = groups
            .filter(|group| group.error_as_bug().is_some())
            .collect();
        let is_first = as_bugs.last()?.error_as_bug() == Some("1");
        is_first.then(|| self.with_args(args::without(&self.call.args, &as_bugs)))
    }

    /// Returns the compiler arguments of a query: those of the cheaper call, if the plan has one.
    pub(crate) fn query_args(&self) -> Vec<String> {
        let cheapest_call = self
            .run_policy
            .cheapest_call
            .map(|cheapest_call| cheapest_call.args(&self.call.args));
        cheapest_call.unwrap_or_else(|| self.call.args.clone())
    }

    /// Returns the plan with its programs and commands changed, if it starts anything but a compiler.
    pub(crate) fn adapted(&self, change: &mut dyn FnMut(Started<'_>)) -> Self {
        self.or_with(self.run_policy.check.adapted(change))
    }

    /// Returns the plan with another check.
    pub(crate) fn checked(mut self, check: AnyCheck) -> Self {
        self.run_policy.check = check;
        self
    }

    /// Returns the plan with other companions.
    pub(crate) fn with_companions(&self, companions: Vec<Companion>) -> Self {
        let mut plan = self.clone();
        plan.run_policy.companions = companions;
        plan
    }

    /// Adds a companion, with the files that it reads.
    pub(crate) fn add_companion(&mut self, companion: Companion) {
        let own = companion.own_crate.iter();
        let files = own.flat_map(|own| own.files.iter().cloned());
        self.inputs.files.extend(files);
        self.run_policy.companions.push(companion);
    }

    /// Returns the plan with another mode of the sandbox.
    pub(crate) fn in_sandbox(&self, sandbox: SandboxMode) -> Self {
        let mut plan = self.clone();
        plan.access.sandbox = sandbox;
        plan
    }

    /// Returns the plan with another check, or unchanged where that is `None`.
    fn or_with(&self, check: Option<AnyCheck>) -> Self {
        let mut plan = self.clone();
        plan.run_policy.check = check.unwrap_or(plan.run_policy.check);
        plan
    }

    /// Returns the plan with programs that are linked dynamically, with the standard library as it is.
    pub(crate) fn linked_dynamically(&self) -> Self {
        self.adapted(&mut |started| {
            if let Started::Program(execution) = started {
                execution.links_dynamically = true;
            }
        })
    }

    /// Returns the plan with programs that are linked dynamically, with more arguments by which that is quick.
    pub(crate) fn linked_quickly(&self, link_args: &[String]) -> Self {
        self.linked_dynamically().adapted(&mut |started| {
            if let Started::Program(execution) = started {
                execution.link_args = link_args.to_vec();
            }
        })
    }

    /// Returns the plan without the test harness: the program has a `main` instead. What is there for tests alone stays.
    #[must_use]
    pub fn without_harness(&self) -> Self {
        let args = self.call.args.iter().map(|arg| match arg.as_str() {
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

    /// Returns the plan in which a program that ends with status 0 shows no failure, unless the given failure is status 0.
    pub(crate) fn expecting(&self, failure: &Signature) -> Self {
        self.adapted(&mut |started| {
            if let Started::Program(execution) = started {
                execution.may_succeed &= failure.kind == CrashKind::ExitStatus(0);
            }
        })
    }

    /// Returns the plan for a command in place of the compiler: a compiler that is asked at all is called in the tree
    /// itself.
    pub(crate) fn run_by_command(mut self) -> Self {
        self.call.cwd = Utf8PathBuf::new();
        self
    }

    /// Returns the memory that a query may use: that of the check where it says one, else that of the limits.
    pub(crate) fn memory_bytes(&self) -> u64 {
        let own = self.run_policy.check.memory_bytes();
        own.unwrap_or(self.run_policy.limits.memory_bytes)
    }

    /// Returns the plan with the check that the input itself must pass.
    pub(crate) fn for_first_look(&self) -> Self {
        self.or_with(self.run_policy.check.for_first_look())
    }

    /// Returns the plan for a report: a crash with human diagnostics and the full query stack, which needs a backtrace.
    pub(crate) fn for_people(&self) -> Self {
        if !self.run_policy.check.is_crash() {
            return self.or_with(self.run_policy.check.for_last_look());
        }
        let mut plan = self.with_backtrace();
        plan.call.error_format = ErrorFormat::Human;
        plan
    }

    /// Returns the plan with a compiler that crashes at the first delayed bug, where it says in what it was. `None` where the
    /// failure is no crash, or the call says already how the compiler treats errors.
    #[must_use]
    pub fn until_first_bug(&self) -> Option<Self> {
        let is_said = self.call.args.iter().any(|arg| arg.contains(TREATS));
        if !self.run_policy.check.is_crash() || is_said {
            return None;
        }
        let flags = [EMITS_AT_ONCE.to_owned(), format!("-Z{TREATS}=1")];
        let mut plan = self.with_args([&self.call.args[..], &flags].concat());
        let env = &mut plan.call.env;
        env.insert("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned());
        Some(plan)
    }

    /// Returns the plan with a compiler that prints a backtrace where it crashes.
    pub(crate) fn with_backtrace(&self) -> Self {
        let mut plan = self.clone();
        let env = &mut plan.call.env;
        env.insert("RUST_BACKTRACE".to_owned(), "1".to_owned());
        plan
    }
}

/// Questions about the failure of a plan.
impl Plan {
    /// Returns the way in which a compiled candidate is run.
    #[must_use]
    pub fn execution(&self) -> Option<&Execution> {
        self.run_policy.check.execution()
    }

    /// Whether the plan runs a command in place of a compiler.
    #[must_use]
    pub fn runs_command(&self) -> bool {
        self.run_policy.check.command().is_some()
    }

    /// Whether the plan's failure is a hang, which shows when the deadline passes.
    #[must_use]
    pub fn is_hang(&self) -> bool {
        self.run_policy.check.is_hang()
    }

    /// Whether the plan's failure is that a compiler needs too much time or memory.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.run_policy.check.is_measured()
    }

    /// Whether the plan itself says how much CPU time a compiler may use.
    #[must_use]
    pub fn bounds_cpu_time(&self) -> bool {
        matches!(self.run_policy.check.compiler_time(), CompilerTime::Cpu(_))
    }

    /// Returns the arguments of the first of two compiler calls, from whose results the plan's own call goes on.
    #[must_use]
    pub fn first_args(&self) -> Option<Vec<String>> {
        self.run_policy.check.first_call(&self.call.args)
    }

    /// Returns the arguments of the compiler call that comes after the first of two.
    #[must_use]
    pub fn second_args(&self) -> Vec<String> {
        let second = self.run_policy.check.second_call(&self.call.args);
        second.unwrap_or_else(|| self.call.args.clone())
    }

    /// Whether candidates of the plan may be checked on a remote server, which has no state of earlier calls and measures
    /// no process exactly.
    #[must_use]
    pub fn may_be_asked_remotely(&self) -> bool {
        let check = &self.run_policy.check;
        let is_alone = !self.runs_command() && self.first_args().is_none();
        is_alone && !self.is_measured() && !check.bounds_time()
    }

    /// Whether each of the plan's two calls reads files of its own in place of a text that is two versions.
    #[must_use]
    pub fn has_versions_apart(&self) -> bool {
        self.run_policy.check.has_versions_apart()
    }

    /// Returns the edition of the first of two calls.
    #[must_use]
    pub fn first_edition(&self) -> Option<String> {
        self.first_args().map(|args| args::edition(&args))
    }

    /// Whether a candidate is compiled to one program, which is kept to be run again.
    #[must_use]
    pub fn keeps_program(&self) -> bool {
        self.run_policy.check.keeps_program()
    }

    /// Whether the plan compares two builds of a candidate.
    #[must_use]
    pub fn compares_builds(&self) -> bool {
        self.run_policy.check.compares_builds()
    }

    /// Whether a `loop {}` of a candidate may run, and is not the failure that is looked for.
    #[must_use]
    pub fn runs_loops(&self, signature: &Signature) -> bool {
        self.run_policy.check.runs_loops(signature)
    }

    /// Says whether somebody looks for undefined behaviour in candidates, where that matters.
    #[must_use]
    pub fn undefined_behaviour(&self) -> Option<&UndefinedBehaviour> {
        self.run_policy.check.undefined_behaviour()
    }
}

/// Returns the directory in which the first of two calls finds its dependencies, by that of the second.
#[must_use]
pub fn first_directory(directory: &Utf8Path) -> Utf8PathBuf {
    format!("{directory}-before").into()
}

/// Whether a file is a compiled crate that a compiler links.
pub(crate) fn is_compiled(path: &Utf8Path) -> bool {
    matches!(
        path.extension(),
        Some("rlib" | "rmeta" | "so" | "dylib" | "dll")
    )
}

#[cfg(test)]
pub(crate) mod testing;

#[cfg(test)]
mod tests {
    use super::testing::plan;
    use super::*;

    #[test]
    fn calls_differ_in_what_decides_a_program() {
        let words = |line: &str| shlex::split(line).unwrap();
        let plan = plan("/t").with_args(words(
            "a.rs --cfg x -Coverflow-checks=on --cap-lints=allow -L /a --extern=b=/b",
        ));
        let other = words("a.rs --cfg x -C opt-level=3 -C metadata=1 -L /c --test");
        let differences = plan.differences(&other);
        assert_eq!(differences.here, ["-Coverflow-checks=on"]);
        assert_eq!(differences.there, ["-C opt-level=3"]);
        let same = plan.differences(&plan.call.args);
        assert!(same.here.is_empty() && same.there.is_empty());
    }

    #[test]
    fn a_crash_is_to_happen_at_the_first_bug_unless_the_call_says_when() {
        let mut plan = plan("/t");
        let first = plan.until_first_bug().expect("it is a crash");
        let flags = ["-Zeagerly-emit-delayed-bugs", "-Ztreat-err-as-bug=1"];
        assert_eq!(
            first.call.args,
            [&plan.call.args[..], &flags.map(str::to_owned)].concat()
        );
        assert_eq!(first.call.env["RUSTC_BOOTSTRAP"], "1");
        plan.call.args.push("-Ztreat-err-as-bug=2".to_owned());
        assert_eq!(plan.until_first_bug().map(|plan| plan.call.args), None);
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
        assert_eq!(plan.without_args(&groups).call.args, ["src/lib.rs"]);
        assert_eq!(plan.deciding_flags(), ["--cfg feature=\"x\"", "-O"]);
    }

    #[test]
    fn without_its_flag_the_edition_is_the_first() {
        let plan = plan("/x").with_args(vec!["--edition=2021".to_owned(), "a.rs".to_owned()]);
        assert_eq!(plan.without_args(&[]).call.edition, "2021");
        assert_eq!(
            plan.without_args(&plan.removable_args()).call.edition,
            "2015"
        );
    }

    #[test]
    fn errors_are_reported_where_the_first_is_a_bug() {
        let args = |line: &str| {
            let words = line.split(' ').map(str::to_owned).collect();
            let reported = plan("/x").with_args(words).with_errors_reported();
            reported.map(|plan| plan.call.args.join(" "))
        };
        let expected = Some("a.rs -O".to_owned());
        assert_eq!(args("-Ztreat-err-as-bug a.rs -O"), expected);
        assert_eq!(args("a.rs -Z treat-err-as-bug=1 -O"), expected);
        assert_eq!(args("a.rs -Ztreat-err-as-bug=2 -O"), None);
        assert_eq!(args("a.rs -O"), None);
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
        other_data
            .inputs
            .contents
            .insert("data.txt".into(), [3; 32]);
        let mut other_source = original.clone();
        other_source
            .inputs
            .contents
            .insert("src/lib.rs".into(), [3; 32]);
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
