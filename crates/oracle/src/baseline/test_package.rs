//! Tests the package of a failing test again with other files: the last look at a result is one at the test where it
//! goes, among the user's files as they were copied.
//!
//! The call that cargo made for the test is made again there, and links what cargo has compiled for it. cargo itself is not
//! asked: it goes by the age of files, and would compile the package anew after each change of one if the build script does not say
//! what it reads.

use super::start::{BaselineSite, Told, context};
use crate::check::Execution;
use crate::compiler::args;
use crate::compiler::target::{PackageInput, Surroundings, TargetSelection};
use crate::compiler::toolchain::Toolchain;
use crate::demands::Demand;
use crate::error::OracleError;
use crate::evidence::program::Harness;
use crate::plan::companion::Companion;
use crate::plan::{Plan, Sources};
use crate::search::context::{BaselineContext, BaselineOptions};
use crate::search::failure_info::{FailureInfo, TESTS};
use crate::search::original::outside::linked;
use crate::search::original::target::{Home, INCLUDE_IGNORED, Listed, Target, one_test};
use crate::search::original::{Call, execution};
use crate::search::workspace::{Workspace, selection};
use crate::signature::Signature;
use crate::system::files;
use crate::system::snapshot::Snapshot;
use crate::text::shell::{line_of, quoted};
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::TargetKind;
use reduce_platform::Cancel;
use std::collections::BTreeSet;

/// The package of a failing test, with the copy of the user's workspace and with the parts of it that are built.
#[derive(Debug, Clone)]
pub struct TestPackage {
    workspace: Workspace,
    snapshot: Snapshot,
    input: PackageInput,
    /// The compiler calls by which cargo has built the programs of the selected targets.
    calls: Vec<Call>,
}

/// One test of a target, or all that a harness of the user's own runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OneTest {
    /// A test of libtest's.
    Libtest {
        /// The path of the test in its crate.
        path: String,
        /// Whether the test has, or had, `#[ignore]`, so that it is run only if the harness is told to.
        is_ignored: bool,
    },
    /// A harness of the user's own, with these arguments.
    OwnHarness(Vec<String>),
}

/// The surroundings, directories and options with which a package is tested again.
#[derive(Clone, Copy)]
pub struct Testing<'a> {
    /// The user's surroundings, in which the command is typed.
    pub surroundings: &'a Surroundings,
    /// The directories that the test may write.
    pub site: BaselineSite<'a>,
    /// The options by which the failure was looked for.
    pub options: &'a BaselineOptions,
    /// The function that is told what is being done, and what cargo says.
    pub note: &'a (dyn Fn(&str) + Sync),
    /// The cancellation, which ends the test.
    pub cancel: &'a Cancel,
}

/// The result of the test of a package.
#[derive(Debug, Clone, Default)]
pub struct Tested {
    /// The test's failure; `None` where it passes, is not there, or does not compile.
    pub failure: Option<Signature>,
    /// The standard output of the test.
    pub stdout: String,
    /// The standard error of the test, for people.
    pub stderr: String,
    /// The number of runs of compiler and cargo.
    pub runs: u64,
    /// The arguments of the call that cargo makes for the test.
    pub args: Vec<String>,
}

impl OneTest {
    /// Reads from an execution which tests of a program it runs.
    #[must_use]
    pub fn of(execution: &Execution) -> Self {
        match &execution.harness {
            Harness::Libtest { test } => Self::Libtest {
                path: test.clone(),
                is_ignored: execution.args.iter().any(|arg| arg == INCLUDE_IGNORED),
            },
            Harness::None => Self::OwnHarness(execution.args.clone()),
        }
    }
}

impl TestPackage {
    pub(super) fn new(
        workspace: Workspace,
        snapshot: Snapshot,
        input: PackageInput,
        calls: Vec<Call>,
    ) -> Self {
        Self {
            workspace,
            snapshot,
            input,
            calls,
        }
    }

    /// Returns the package with nothing selected but the unit tests of the crate with this root, relative to the tree of the plan.
    /// `None` where it is the crate of a test target, or none of the workspace's.
    #[must_use]
    pub fn of_unit_tests(&self, root: &Utf8Path) -> Option<Self> {
        self.selecting(root, |kind, name| match kind {
            TargetKind::Test | TargetKind::Bench => None,
            TargetKind::Bin => Some(TargetSelection::Bin(name)),
            TargetKind::Example => Some(TargetSelection::Example(name)),
            _ => Some(TargetSelection::Lib),
        })
    }

    /// Returns the package with nothing selected but the test target with this root, relative to the tree of the plan. `None` where
    /// it is the root of another target, or of none that is there or was written for the test.
    #[must_use]
    pub fn of_test_target(&self, root: &Utf8Path) -> Option<Self> {
        let selected = self.selecting(root, |kind, name| match kind {
            TargetKind::Test => Some(TargetSelection::Test(name)),
            TargetKind::Bench => Some(TargetSelection::Bench(name)),
            _ => None,
        });
        selected.or_else(|| {
            let written = self.is_written(root).then(|| self.input.clone())?;
            Some(self.with(written, root))
        })
    }

    /// Whether a crate root is a test target that the user's workspace does not have: that of a doc test or a fuzz target, written
    /// as an integration test into the copy.
    fn is_written(&self, root: &Utf8Path) -> bool {
        let is_known = self
            .workspace
            .target_at(&self.snapshot.base.join(root))
            .is_some();
        let selected = match &self.input.target {
            TargetSelection::Test(name) => Some(name.as_str()),
            _ => None,
        };
        !is_known && root.file_stem() == selected
    }

    /// Returns the package with nothing selected but the target that has this crate root.
    fn selecting(
        &self,
        root: &Utf8Path,
        select: impl Fn(&TargetKind, String) -> Option<TargetSelection>,
    ) -> Option<Self> {
        let at = self.workspace.target_at(&self.snapshot.base.join(root))?;
        let target = select(at.target.kind.first()?, at.target.name.clone())?;
        let package = self.input.package.clone();
        let input = PackageInput {
            package: package.or_else(|| (!at.is_only_package).then(|| at.package.to_owned())),
            target,
            ..self.input.clone()
        };
        Some(self.with(input, root))
    }

    /// Returns the package with `input` selected, which is the target with this crate root.
    fn with(&self, input: PackageInput, root: &Utf8Path) -> Self {
        let of_root = |call: &&Call| call.plan.call.root == root && makes_tests(&call.plan);
        Self {
            workspace: self.workspace.clone(),
            snapshot: self.snapshot.clone(),
            input,
            calls: self.calls.iter().filter(of_root).cloned().collect(),
        }
    }

    /// Returns the command line with which a person runs one test, in the directory of the package.
    #[must_use]
    pub fn command(&self, test: &OneTest) -> String {
        format!("cargo test{}", self.rest_of_command(test))
    }

    /// Returns the command line with which a person runs one test as a companion does, in the directory of the
    /// package: with its toolchain and its flags, and without a run where it need only compile.
    #[must_use]
    pub fn command_of(&self, test: &OneTest, companion: &Companion) -> String {
        let flags = &companion.flags;
        let flags = (!flags.is_empty()).then(|| format!("RUSTFLAGS={} ", quoted(&flags.join(" "))));
        let toolchain = companion.toolchain.as_ref();
        let (before, plus) = match toolchain.map(|compiler| compiler.command.as_str()) {
            None | Some("rustc") => (String::new(), String::new()),
            Some(command) => match command.strip_prefix("rustc +") {
                Some(name) => (String::new(), format!(" +{name}")),
                None => (format!("RUSTC={command} "), String::new()),
            },
        };
        let only = match companion.demand {
            Demand::Compiles => " --no-run",
            Demand::Succeeds => "",
        };
        let (flags, rest) = (flags.unwrap_or_default(), self.rest_of_command(test));
        format!("{before}{flags}cargo{plus} test{only}{rest}")
    }

    /// Returns the arguments that follow `cargo test` in the command line that runs one test.
    fn rest_of_command(&self, test: &OneTest) -> String {
        let after: Vec<String> = match test {
            OneTest::Libtest { path, is_ignored } => {
                let words = [path, "--", "--exact"].into_iter();
                let words = words.chain(is_ignored.then_some(INCLUDE_IGNORED));
                words.map(str::to_owned).collect()
            }
            OneTest::OwnHarness(args) if args.is_empty() => vec![],
            OneTest::OwnHarness(args) => [&["--".to_owned()], &args[..]].concat(),
        };
        let words: Vec<String> = selection(&self.input).into_iter().chain(after).collect();
        match words.is_empty() {
            true => String::new(),
            false => format!(" {}", line_of(&words)),
        }
    }

    /// Puts files into a copy of the workspace, without those that are `gone`, compiles the selected tests as
    /// cargo has done it, and runs one of them in a sandbox.
    ///
    /// # Errors
    /// Where our own surroundings fail, or on cancellation.
    pub fn run(
        &self,
        test: &OneTest,
        sources: &Sources,
        gone: &BTreeSet<Utf8PathBuf>,
        testing: Testing<'_>,
    ) -> Result<Tested, OracleError> {
        let wanted = FailureInfo {
            executes: true,
            verbs: TESTS,
            ..FailureInfo::of("a failing test")
        };
        let Testing {
            surroundings,
            site,
            options,
            note,
            cancel,
        } = testing;
        let told = Told {
            note,
            cargo_says: &|_| {},
        };
        let selected = selection(&self.input);
        let context = context(
            (wanted, selected),
            (surroundings, Toolchain::find(surroundings, cancel)?),
            &site,
            options,
            told,
            cancel,
        )?;
        let copy = self
            .snapshot
            .copied_to(context.snapshot().with_file_name("tested"))?;
        for path in gone {
            files::remove(&copy.tree.join(path))?;
        }
        for (path, text) in sources {
            files::write_below(&copy.tree, path, text)?;
        }
        let tested = self.test_in(&copy, test, &context)?;
        Ok(Tested {
            runs: context.runs.get(),
            ..tested
        })
    }

    fn test_in(
        &self,
        copy: &Snapshot,
        test: &OneTest,
        context: &BaselineContext<'_>,
    ) -> Result<Tested, OracleError> {
        let Some(call) = self.calls.first() else {
            return Ok(Tested::default());
        };
        let plan = call.plan.in_copy(&copy.tree);
        let Some(executable) = linked(&plan, context)? else {
            return Ok(Tested::default());
        };
        let (words, harness) = match test {
            OneTest::Libtest { path, is_ignored } => one_test(&Listed {
                name: path.clone(),
                is_ignored: *is_ignored,
            }),
            OneTest::OwnHarness(args) => (args.clone(), Harness::None),
        };
        let target = Target {
            execution: execution(&plan, words.clone(), harness.clone(), context),
            plan,
            executable,
            home: Home::Ours,
            cargo: None,
        };
        let mut tested = Tested::default();
        // The test is run until it fails, where it need not each time.
        for _ in 0..context.options.repeat.attempts() {
            let ran = target.run(&words, context)?;
            tested = Tested {
                failure: target.failure(&ran, &harness),
                stdout: ran.stdout,
                stderr: ran.stderr,
                runs: 0,
                args: target.plan.call.args.clone(),
            };
            if tested.failure.is_some() {
                break;
            }
        }
        Ok(tested)
    }
}

/// Returns whether a compiler call compiles tests. cargo says so to a target with a harness of its own.
pub(super) fn makes_tests(plan: &Plan) -> bool {
    let args = &plan.call.args;
    args::is_test(args) || args::has_value(args, "--cfg", "test")
}
