//! The oracle: decides whether a candidate still fails in the same way.
//!
//! [`find_baseline`] finds the compiler call that fails and makes a [`Plan`] and a [`Property`] of
//! it; a [`Worker`] asks the compiler about one candidate after the other. This crate starts all
//! processes; it does not know what an edit is.
//!
//! The crate's directories stand on each other, the lowest first. No two files import each other.
//!
//! - `text`: text that people, shells and other programs write and read.
//! - `signature`: the parts of a failure that must stay the same for a candidate to show the same bug: messages without
//!   the names and values of the program, and the shape of errors (`signature/shape`). `demands`: further demands on
//!   candidates. `version`: another version of the program. `error`: the reasons for no answer.
//! - `test_name`: a name of a test, as people and tools write it. `offer`: a failure with the command that asks for it.
//! - `plain_tests`: the trait of whoever can write doc tests, failing cases and fuzz targets as plain tests, take unit
//!   tests to another version, and find the files that a program names.
//! - `system`: processes, files, sandboxes and time. The one place that starts children is in it.
//! - [`cargo_config`]: cargo's configuration, from all of its files.
//! - `compiler`: the compiler, its arguments, and the crates that it links.
//! - `evidence`: the observation of a run, from its output to a verdict.
//! - `flaky`, `stability`: failures that do not show in each run: rates, the number of runs that a candidate needs, and a
//!   sequential test (Wald 1945) of whether a failure shows in each run.
//! - `check`: the check by which a candidate is seen to fail, as far as kinds of failures share it.
//! - `plan`: the call that is replayed for each candidate, on which files, how often and with which bounds.
//! - `pinned_inputs`: the compiler and the linked crates that verdicts depend on, which must not change meanwhile.
//! - `worker`: a private tree in which one candidate after the other is asked about.
//! - `search`: the parts of the search for a failure: the context of a baseline, runs of cargo, the program as it was found.
//! - `launcher`: has processes of workers started on other machines, and runs them there.
//! - `failures`: one file for each kind of failure, and the table of them.
//! - `instrumented`: the crates that a test links, compiled again with other text.
//! - `neighbours`: the answers of the user's other compilers on a program that crashes the one that is asked.
//! - `listing`: the packages, targets and toolchains that a user may name.
//! - [`captured`]: crashes that are kept when they happen, in the user's own builds.
//! - `baseline`: the compiler call that fails, and its failure: the search from a request to a plan.

mod baseline;
pub mod captured;
pub mod cargo_config;
mod check;
mod compiler;
mod demands;
mod error;
mod evidence;
mod failures;
mod flaky;
mod instrumented;
mod launcher;
mod listing;
mod neighbours;
mod offer;
mod pinned_inputs;
mod plain_tests;
mod plan;
mod search;
mod signature;
mod stability;
mod system;
mod test_name;
mod text;
mod version;
mod worker;

pub use baseline::{
    Baseline, BaselineSite, Look, Looker, Note, OneTest, TestPackage, Tested, Testing,
    find_baseline, is_variable_of_tools,
};
pub use check::input::STANDARD_INPUT;
pub use check::variants::{Expected, OwnResults, VariantOutcome, VariantRuns};
pub use check::{Execution, UndefinedBehaviour};
pub use compiler::args::ArgGroup;
pub use compiler::capture;
pub use compiler::target::{
    CapturedInput, FileInput, Input, LinkedFile, PackageInput, Surroundings, TargetSelection,
};
pub use compiler::toolchain::Compiler;
pub use compiler::unit::{Unit, units_of_programs};
pub use demands::{Demand, Demands};
pub use error::OracleError;
pub use evidence::calls::{CallsToPanic, CountedFunctions};
pub use evidence::crash::Observation;
pub use evidence::own::{FunctionLines, Own};
pub use evidence::program::{Comparison, Harness};
pub use evidence::property::Property;
pub use evidence::verdict::Verdict;
pub use failures::{Goal, Tool};
pub use flaky::{Flaky, NotARepeat, Repeat, Sample, percent};
pub use instrumented::{Compiled, ErrorPlace, Features, Recompiled};
pub use launcher::{Launcher, launched};
pub use listing::{Member, list_members, list_toolchains};
pub use neighbours::{FEATURE_REFUSED, Neighbour, ask_neighbours};
pub use offer::Offer;
pub use pinned_inputs::{Change, PinnedInputs};
pub use plain_tests::{
    BothVersions, DocTest, DocTestCode, FailingCase, FuzzTarget, FuzzTest, NamingProgram,
    PlainTest, PlainTests, TwoCrates,
};
pub use plan::companion::{Companion, OwnCrate, TwoVersions, VersionName};
pub use plan::linkage::{Auxiliary, Linkage, externs_of};
pub use plan::one_call::{FewerDifferences, FlagsOfOneCall};
pub use plan::variants::{Switched, Variants};
pub use plan::{
    Access, CheapestCall, CompilerCall, ErrorFormat, FlagDifferences, Inputs, Limits, Plan,
    RunPolicy, Sources, TWO_FILES, VERSIONS, first_directory,
};
pub use reduce_platform::Cancel;
pub use reduce_platform::files::remove_tree;
pub use reduce_remote_protocol::{
    Address, Counts, ErrorKind as RemoteErrorKind, Header, NotAnAddress, PROGRAM as REMOTE_CLIENT,
    Property as PlatformProperty, Settings as RemoteSettings,
    how_to_install as how_to_install_remote_client,
};
pub use search::context::configuration::with_fewer_settings;
pub use search::context::{BaselineOptions, OtherProgram};
pub use search::failure_info::{DirectoryWord, FailureInfo, Given, Needed};
pub use search::workspace::first_error_flag;
pub use signature::{CrashKind, Signature};
pub use stability::Stability;
pub use system::budget::{Expectation, Late, TimeBudget, TimeSpent};
pub use system::keeper;
pub use system::process::{Ending, edit_in_terminal};
pub use system::sandbox::{SandboxMode, missing};
pub use test_name::TestName;
pub use text::escape;
pub use text::pattern::{NotAPattern, Pattern, Patterns};
pub use text::shell::line_of;
pub use version::{NotAVersion, Version};
pub use worker::warm::{WarmCheck, WarmCompiler, warm_compilers};
pub use worker::{
    Answer, Came, ClientError, Executor, Extent, JointBuild, JointTests, JointVerdicts, Linted,
    OriginalRun, Printout, RemoteServer, RemoteToolchain, ReportedError, Shown, TestsRun,
    TreePaths, WholeError, Worker,
};
