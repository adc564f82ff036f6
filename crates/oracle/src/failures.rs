//! The kinds of failures that a user may ask for, and the table of their implementations.
//!
//! A kind is one file: what is wanted and in which words, how a plan is made of what was found
//! ([`failure::Failure`]), and, where no other kind has it already, what is done with a candidate
//! ([`crate::check::Check`]). CONTRIBUTING.md says how to add one.

mod any;
mod cargo;
mod clippy;
pub(crate) mod doc_test;
mod error;
pub(crate) mod failure;
mod fuzz;
mod hang;
mod ice;
mod incremental;
mod memory;
mod miscompile;
mod run;
mod rustdoc;
mod rustfmt;
mod script;
mod slow;
mod test;
mod test_case;
mod test_hang;
mod tool;
mod unsaid;
mod warning;

use crate::plan::one_call::FlagsOfOneCall;
use crate::search::failure_info::FailureInfo;
use crate::text::pattern::Pattern;
use crate::version::Version;
use camino::Utf8PathBuf;
use failure::Failure;
use serde::{Deserialize, Serialize};
pub use tool::Tool;

/// The failure that is looked for. It travels in requests: no name of a variant or field changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// `--ice`: the compiler crashes.
    #[default]
    Ice,
    /// `--incremental`: the compiler crashes when it goes on from what it kept of an earlier compilation.
    Incremental {
        /// `--before`: the program as it was compiled first; absent where it is the same.
        before: Option<Version>,
        /// `--before-args` and `--after-args`: flags of one of the two compilations.
        #[serde(default, skip_serializing_if = "FlagsOfOneCall::is_empty")]
        flags: FlagsOfOneCall,
    },
    /// A failing test, of those whose name has the filter in it.
    Test {
        /// `[FILTER]`, as for `cargo test`.
        filter: Option<String>,
    },
    /// `--run`: a program fails, or prints what is looked for.
    Run {
        /// The program's arguments.
        args: Vec<String>,
        /// The standard input of the program, if the user has given it one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<String>,
    },
    /// `--error`: the compiler reports an error.
    Error(Pattern),
    /// `--warning`: a lint fires; one of clippy's as `clippy::NAME`.
    Warning(String),
    /// `--hang`: the compiler does not end, or with `--run` the program.
    Hang {
        /// Whether the program hangs; otherwise the compiler does.
        of_program: bool,
        /// The program's arguments.
        args: Vec<String>,
        /// The time that the program or compiler must run to count as hanging, in seconds.
        seconds: u64,
    },
    /// `--run --hang` of a package's tests: a test does not end, of those whose name has the filter in
    /// it.
    TestHang {
        /// `[FILTER]`, as for `cargo test`.
        filter: Option<String>,
        /// The time that the test must run to count as hanging, in seconds.
        seconds: u64,
    },
    /// `--oom`: the compiler uses so much memory.
    Memory {
        /// Largest resident set of the compiler, in bytes.
        bytes: u64,
    },
    /// `--slow`: the compiler takes so many times the time that it takes for an empty program.
    Slow {
        /// The factor between the two times, more than 1.
        factor: u32,
    },
    /// `--miscompile`: with other flags the program prints something else.
    Miscompile {
        /// The flags of the second build.
        flags: Vec<String>,
    },
    /// `--rustdoc`: rustdoc crashes.
    Rustdoc,
    /// `--clippy`: clippy crashes.
    Clippy,
    /// `--rustfmt`: rustfmt crashes, or formats its own output otherwise.
    Rustfmt,
    /// `--cargo`: a cargo command fails.
    Cargo {
        /// The subcommand and its arguments.
        args: Vec<String>,
    },
    /// `--script`: a program of the user's decides, by ending with status 0.
    Script {
        /// The script's path, absolute.
        path: Utf8PathBuf,
    },
    /// `--regression` alone: whatever fails here, a crash or an error.
    Any,
    /// No failure was named: all that are found are listed, each with the command that reduces it.
    Unsaid,
}

impl Goal {
    /// Returns the implementation of a kind of failure.
    pub(crate) fn failure(&self) -> Box<dyn Failure + '_> {
        match self {
            Self::Ice => Box::new(ice::Ice),
            Self::Incremental { before, flags } => {
                Box::new(incremental::IncrementalCrash::new(before.as_ref(), flags))
            }
            Self::Test { filter } => Box::new(test::FailingTest::new(filter)),
            Self::Run { args, input } => Box::new(run::FailingProgram {
                args,
                input: input.as_deref(),
            }),
            Self::Error(pattern) => Box::new(error::Reported { pattern }),
            Self::Warning(lint) => Box::new(warning::Fired { lint }),
            Self::Hang {
                of_program: true,
                args,
                seconds,
            } => Box::new(hang::ProgramHang {
                args,
                seconds: *seconds,
            }),
            Self::Hang { seconds, .. } => Box::new(hang::CompilerHang { seconds: *seconds }),
            Self::TestHang { filter, seconds } => Box::new(test_hang::HangingTest {
                filter,
                seconds: *seconds,
            }),
            Self::Memory { bytes } => Box::new(memory::TooMuchMemory { bytes: *bytes }),
            Self::Slow { factor } => Box::new(slow::TooSlow { factor: *factor }),
            Self::Miscompile { flags } => Box::new(miscompile::OtherOutput { flags }),
            Self::Rustdoc => Box::new(rustdoc::RustdocCrash),
            Self::Clippy => Box::new(clippy::ClippyCrash),
            Self::Rustfmt => Box::new(rustfmt::RustfmtFault),
            Self::Cargo { args } => Box::new(cargo::FailingCommand { args }),
            Self::Script { path } => Box::new(script::Interesting { path }),
            Self::Any => Box::new(any::WhateverFails),
            Self::Unsaid => Box::new(unsaid::Unsaid::default()),
        }
    }

    /// Whether the failure is a crash of rustc, in one call or in the second of two.
    #[must_use]
    pub fn is_crash_of_rustc(&self) -> bool {
        matches!(self, Self::Ice | Self::Incremental { .. })
    }

    /// Returns the program whose failure is looked for.
    #[must_use]
    pub fn tool(&self) -> Tool {
        match self {
            Self::Rustdoc => Tool::Rustdoc,
            Self::Clippy => Tool::Clippy,
            Self::Rustfmt => Tool::Rustfmt,
            _ => Tool::Rustc,
        }
    }

    /// Returns how messages name the failure, and which arguments of the command line go with it.
    #[must_use]
    pub fn info(&self) -> FailureInfo {
        self.failure().info()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::crash::Crash;
    use crate::check::diagnostic::ToldBy;
    use crate::check::program::Program;
    use crate::check::{AnyCheck, CommandCall, Execution};
    use crate::evidence::program::Harness;
    use crate::plan::{Plan, testing};
    use std::collections::{BTreeMap, BTreeSet};
    use std::time::Duration;

    fn plan(check: AnyCheck) -> Plan {
        testing::plan("/x").checked(check)
    }

    fn execution() -> Execution {
        let test = "t".to_owned();
        Execution {
            args: vec!["--exact".to_owned()],
            harness: Harness::Libtest { test },
            env: env(),
            cwd: "a".into(),
            hangs_after: Some(Duration::from_secs(3)),
            may_succeed: true,
            links_dynamically: false,
            link_args: vec![],
            input: None,
        }
    }

    fn env() -> BTreeMap<String, String> {
        let all = [("HOME", "/home/a"), ("A", "/x/a")];
        let all = all.into_iter();
        all.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    fn command(meaning: &'static str) -> CommandCall {
        CommandCall {
            program: "/x/tool".into(),
            args: vec!["b".to_owned()],
            env: env(),
            cwd: "a".into(),
            meaning,
            shown: "tool".to_owned(),
            identity: Some([1; 32]),
            builds: Some("/b".into()),
            reads: vec!["/c".into()],
        }
    }

    fn reports(told_by: ToldBy) -> AnyCheck {
        let pattern = "E0308".parse().unwrap();
        AnyCheck::new(error::Reports { pattern, told_by })
    }

    fn fires(told_by: ToldBy) -> AnyCheck {
        let lint = "dead_code".to_owned();
        AnyCheck::new(warning::Fires { lint, told_by })
    }

    /// Verdicts that are stored under these digests outlive a version of the program.
    #[test]
    fn the_digest_of_each_kind_of_failure_stays_as_it_is() {
        let seconds = Duration::from_secs;
        let miscompile = miscompile::Differs {
            execution: execution(),
            flags: vec!["-O".to_owned()],
            judges: miscompile::nobody(),
        };
        let slow = slow::Takes {
            least: seconds(1),
            most: seconds(4),
        };
        let table = [
            (Crash::check(), "4b4f4d75417c"),
            (reports(ToldBy::Name), "ea4a44479912"),
            (reports(ToldBy::Shape), "1c52dfed1726"),
            (fires(ToldBy::Name), "f965e706e8e0"),
            (fires(ToldBy::Shape), "e0f0d1859b02"),
            (AnyCheck::new(hang::RunsFor(seconds(2))), "4da489b7adc7"),
            (
                AnyCheck::new(memory::Uses { bytes: 1 << 30 }),
                "202e8e38ad91",
            ),
            (AnyCheck::new(slow), "8ad29ac3ed40"),
            (Program::check(execution()), "c212f608b514"),
            (AnyCheck::new(miscompile), "962ccb312603"),
            (
                AnyCheck::new(script::Succeeds(command("success-is-interesting"))),
                "cb455774ec8d",
            ),
            (
                AnyCheck::new(cargo::Fails {
                    call: command("failure-is-interesting"),
                    may_succeed: false,
                }),
                "d4a3b15a0556",
            ),
            (
                AnyCheck::new(rustfmt::Formats::once(command(""))),
                "3d9734a33ee3",
            ),
            (
                AnyCheck::new(rustfmt::Formats::twice(command(""))),
                "705619bb9439",
            ),
        ];
        for (check, expected) in table {
            let plan = plan(check);
            let digest = plan.digest(&BTreeSet::new());
            let start = digest.iter().take(6).map(|byte| format!("{byte:02x}"));
            assert_eq!(
                start.collect::<String>(),
                expected,
                "{:?}",
                plan.run_policy.check
            );
        }
    }

    #[track_caller]
    fn typed(check: AnyCheck, cwd: &str, root: &str, expected: &str) {
        let check = check.adapted(&mut |started| {
            if let crate::check::Started::Command(call) = started {
                call.cwd = cwd.into();
                call.env = BTreeMap::from([("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned())]);
                call.shown = "tool -x".to_owned();
            }
        });
        let compiler = plan(Crash::check()).call.compiler;
        let plan = Plan::of_root(compiler, "/tree".into(), "a/src/lib.rs");
        let plan = plan.checked(check.unwrap());
        let expected = expected.replace("TOOL", "RUSTC_BOOTSTRAP=1 tool -x");
        assert_eq!(plan.removable_args(), []);
        assert_eq!(plan.command(root.into()), expected);
    }

    #[test]
    fn a_script_gets_the_file_and_runs_in_its_own_directory() {
        let script = || AnyCheck::new(script::Succeeds(command("")));
        typed(script(), "", "a/src/lib.rs", "TOOL a/src/lib.rs");
        typed(script(), "a", "a/src/lib.rs", "cd a && TOOL src/lib.rs");
        typed(script(), "a", "reduced.rs", "TOOL reduced.rs");
        typed(script(), "", "my file.rs", "TOOL 'my file.rs'");
    }

    #[test]
    fn cargo_is_not_given_the_file() {
        let cargo = || {
            AnyCheck::new(cargo::Fails {
                call: command(""),
                may_succeed: false,
            })
        };
        typed(cargo(), "", "a/src/lib.rs", "TOOL");
        typed(cargo(), "a", "a/src/lib.rs", "cd a && TOOL");
    }

    #[test]
    fn rustfmt_is_shown_what_it_printed() {
        let once = AnyCheck::new(rustfmt::Formats::once(command("")));
        typed(once, "", "reduced.rs", "TOOL --check reduced.rs");
        let twice = || AnyCheck::new(rustfmt::Formats::twice(command("")));
        let alone = "TOOL < reduced.rs | tool -x --check";
        typed(twice(), "", "reduced.rs", alone);
        let in_place = "TOOL a/src/lib.rs && tool -x --check a/src/lib.rs";
        typed(twice(), "", "a/src/lib.rs", in_place);
    }
}
