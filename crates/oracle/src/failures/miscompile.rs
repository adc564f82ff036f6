//! `--miscompile`: with other flags the program prints something else.
//!
//! - `judges`: the tools that look for undefined behaviour in the program.
//! - `miri`: Miri, which is asked where it is installed.
//!
//! See docs/decisions/signatures.md.

mod judges;
mod miri;

use super::failure::{Failure, checked};
use crate::check::again::Again;
use crate::check::program::{both, does_not_compile, observe};
use crate::check::{
    AnyCheck, Bench, Check, Execution, Seen, Started, Starts, UndefinedBehaviour, form,
};
use crate::compiler::args;
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::evidence::program::normalise_output;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::failure_info::{BUILD, DirectoryWord, FailureInfo};
use crate::search::original::execution_of_program;
use crate::signature::{CrashKind, Signature};
use crate::system::process::{Ending, Outcome};
use judges::{Judges, refuses};
use serde::Serialize;

/// The flag that both builds have: what a program asks by `cfg!(debug_assertions)`, and whether it looks
/// for overflow, would follow the optimisation.
const NO_ASSERTIONS: &str = "-Cdebug-assertions=off";
/// The reason to refuse a program that does not print the same each time.
const UNSTEADY: &str = "the program does not print the same each time it is run";

/// A program that prints something else where it is compiled with more flags.
pub(super) struct OtherOutput<'a> {
    pub(super) flags: &'a [String],
}

impl Failure for OtherOutput<'_> {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            executes: true,
            one_target_for: Some("--miscompile"),
            directory: DirectoryWord::incomplete("miscompile"),
            verbs: BUILD,
            ..FailureInfo::of(format!("another output with `{}`", self.flags.join(" ")))
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        // Else the two builds may be the same.
        let is_of_level = self.flags.iter().any(|flag| flag.contains("opt-level"));
        let mut plan = match is_of_level {
            true => plan.with_args(args::without(
                &plan.call.args,
                &args::optimisation(&plan.call.args),
            )),
            false => plan,
        };
        let execution = execution_of_program(&plan, vec![], context)?;
        let judges = Judges::of(&mut plan, &execution, context)?;
        let check = Differs {
            execution,
            flags: self.flags.to_vec(),
            judges,
        };
        Ok(checked(plan, check))
    }
}

/// The check that compiles a candidate twice, and sees whether the two programs do not print the same.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Differs {
    /// The way in which both programs are run.
    pub(super) execution: Execution,
    /// The flags that the second compiler call has besides.
    pub(super) flags: Vec<String>,
    /// The programs besides the compiler that have to accept a candidate.
    #[serde(flatten)]
    pub(super) judges: Judges,
}

impl Check for Differs {
    /// Compiles and runs with the plan's arguments, and again with more flags. Each of the two programs is
    /// run again where that matters: one that does not print the same each time, such as addresses or
    /// times, says nothing about the compiler.
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let once = self.build_and_run(bench, args)?;
        if once.fails() || !once.is_steady {
            return Ok(once.without_failure());
        }
        let again = self.build_and_run(bench, &[args, &self.flags].concat())?;
        let is_different = once.printed != again.printed;
        let is_failure = !again.fails() && again.is_steady && is_different;
        let stderr = format!(
            "{}\nwith `{}`:\n{}",
            once.printed.trim_end(),
            self.flags.join(" "),
            again.printed
        );
        let (second, seen) = again.without_failure();
        let outcome = Outcome {
            stderr,
            ..both(&once.outcome, second)
        };
        if !is_failure {
            return Ok((outcome, seen));
        }
        let answer = self.judges.ask(bench, args, &self.execution)?;
        if let Some(answer) = answer.filter(refuses) {
            let seen = Observation::of(&answer);
            let crashes = vec![];
            return Ok((both(&outcome, answer), Observation { crashes, ..seen }));
        }
        let failure = Signature::of_kind(CrashKind::DifferentOutput, "");
        let crashes = vec![failure];
        Ok((outcome, Observation { crashes, ..seen }))
    }

    fn form(&self) -> String {
        // Once both programs were run twice.
        form(&["miscompile", "again"], self)
    }

    fn starts(&self) -> Starts<'_> {
        Starts::Program(&self.execution)
    }

    fn adapted(&self, change: &mut dyn FnMut(Started<'_>)) -> Option<AnyCheck> {
        let mut check = self.clone();
        change(Started::Program(&mut check.execution));
        Some(AnyCheck::new(check))
    }

    fn what_runs(&self) -> &'static str {
        "the program"
    }

    fn added_flag(&self) -> Option<&'static str> {
        let is_said = self
            .flags
            .iter()
            .any(|flag| flag.contains("debug-assertions"));
        (!is_said).then_some(NO_ASSERTIONS)
    }

    fn second_flags(&self) -> &[String] {
        &self.flags
    }

    fn compares_builds(&self) -> bool {
        true
    }

    fn runs_loops(&self, _: &Signature) -> bool {
        true
    }

    fn undefined_behaviour(&self) -> Option<&UndefinedBehaviour> {
        Some(self.judges.told())
    }
}

#[cfg(test)]
pub(super) fn nobody() -> Judges {
    Judges::nobody("")
}

impl Differs {
    fn build_and_run(
        &self,
        bench: &mut dyn Bench,
        args: &[String],
    ) -> Result<Printed, OracleError> {
        let built = bench.compile(args)?;
        if does_not_compile(&built) {
            bench.clean_up()?;
            return Ok(Printed::nothing(built));
        }
        let ran = bench.execute(&self.execution)?;
        let tree = bench.tree().to_string();
        let printed = |outcome: &Outcome| normalise_output(&outcome.stdout, &tree);
        let first = printed(&ran);
        let (mut spent, mut is_steady) = (built, true);
        let again = Again::of_program();
        while is_steady && again.goes_on((&spent).into()) {
            let next = bench.execute(&self.execution)?;
            is_steady = next.ending == ran.ending && printed(&next) == first;
            spent = both(&spent, next);
        }
        bench.clean_up()?;
        Ok(Printed {
            is_steady,
            seen: observe(&ran, &tree, &self.execution),
            outcome: both(&spent, ran),
            printed: first,
        })
    }
}

/// The output of a program that was built in one of two ways.
struct Printed {
    outcome: Outcome,
    seen: Observation,
    printed: String,
    /// Whether the program printed the same in each of its runs.
    is_steady: bool,
}

impl Printed {
    /// Makes the output of a program that does not compile.
    fn nothing(built: Outcome) -> Self {
        Self {
            seen: Observation::of(&built),
            outcome: built,
            printed: String::new(),
            is_steady: true,
        }
    }

    fn fails(&self) -> bool {
        self.outcome.ending != Ending::Exited(0)
    }

    /// Returns the observation of a build without any failure, for outputs that show no miscompilation. A program that
    /// fails is not the failure that is looked for.
    fn without_failure(self) -> Seen {
        let seen = Observation {
            crashes: vec![],
            ..self.seen
        };
        let outcome = match self.is_steady {
            true => self.outcome,
            false => Outcome {
                stderr: format!("{UNSTEADY}\n{}", self.outcome.stderr),
                ..self.outcome
            },
        };
        (outcome, seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::scripted::{Scripted, ended};
    use crate::evidence::program::Harness;
    use std::collections::BTreeMap;

    fn prints(text: &str) -> Outcome {
        Outcome {
            stdout: text.to_owned(),
            ..ended(Ending::Exited(0))
        }
    }

    /// Whether it is a failure that the runs of both programs print these texts, one after the other.
    fn fails(printed: &[&str]) -> bool {
        let differs = Differs {
            execution: Execution {
                args: vec![],
                harness: Harness::None,
                env: BTreeMap::new(),
                cwd: "".into(),
                hangs_after: None,
                may_succeed: false,
                links_dynamically: false,
                link_args: vec![],
                input: None,
            },
            flags: vec!["-O".to_owned()],
            judges: Judges::nobody(""),
        };
        let mut bench = Scripted {
            ran_first: printed.iter().map(|text| prints(text)).collect(),
            ..Scripted::compiling(ended(Ending::Exited(0)))
        };
        let (_, seen) = differs.run(&mut bench, &[]).unwrap();
        assert!(bench.ran_first.is_empty(), "{printed:?}");
        !seen.crashes.is_empty()
    }

    #[test]
    fn two_builds_differ_that_print_the_same_in_each_run() {
        let (once, again) = (["a"; 6], ["b"; 6]);
        assert!(fails(&[once, again].concat()));
        assert!(!fails(&[once, once].concat()));
    }

    #[test]
    fn a_build_that_prints_something_else_in_one_of_six_runs_tells_nothing() {
        let once = ["a"; 6];
        assert!(!fails(&["a", "b"]));
        assert!(!fails(&["a", "a", "a", "a", "a", "b"]));
        assert!(!fails(&[&once[..], &["b", "b", "b", "b", "a"]].concat()));
    }
}
