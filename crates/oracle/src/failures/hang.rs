//! `--hang`: the compiler does not end, or with `--run` the program.

use super::failure::{Failure, checked};
use crate::check::cost::with_cost;
use crate::check::crash::compiled;
use crate::check::program::Program;
use crate::check::{AnyCheck, Bench, Check, CompilerTime, Execution, Seen, form};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::context::empty_program::{cost_of_nothing, too_low};
use crate::search::failure_info::{BUILD, CallTime, DirectoryWord, FailureInfo, Given};
use crate::search::original::execution_of_program;
use crate::signature::CrashKind;
use crate::system::process::Ending;
use std::time::Duration;

/// The least ratio between the time of a hanging program and that of an empty one: other programs may be
/// slow, or the machine busy.
const FACTOR: u32 = 5;

/// A compiler that does not end.
pub(super) struct CompilerHang {
    pub(super) seconds: u64,
}

/// A program that does not end.
pub(super) struct ProgramHang<'a> {
    pub(super) args: &'a [String],
    pub(super) seconds: u64,
}

impl Failure for CompilerHang {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            directory: DirectoryWord::incomplete("hang"),
            given: Some(Given::Seconds("--hang", self.seconds)),
            call_time: CallTime::AtMost(Duration::from_secs(self.seconds)),
            ..FailureInfo::of(format!("a compiler that runs for {} s", self.seconds))
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let usual = cost_of_nothing(&plan, context)?.wall;
        let bound = Duration::from_secs(self.seconds);
        let least = usual * FACTOR;
        match bound < least {
            true => Err(too_low(
                &plan,
                format!("{:.2} s", usual.as_secs_f64()),
                format!("`--hang {}`", least.as_secs() + 1),
                context,
            )),
            false => Ok(checked(plan, RunsFor(bound))),
        }
    }
}

impl Failure for ProgramHang<'_> {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            executes: true,
            one_target_for: Some("--run --hang"),
            directory: DirectoryWord::incomplete("hang"),
            given: Some(Given::Seconds("--hang", self.seconds)),
            verbs: BUILD,
            ..FailureInfo::of(format!("a program that runs for {} s", self.seconds))
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let execution = Execution {
            hangs_after: Some(Duration::from_secs(self.seconds)),
            ..execution_of_program(&plan, self.args.to_vec(), context)?
        };
        Ok(checked(plan, Program(execution)))
    }
}

/// The check that compiles a candidate, and sees whether the compiler runs for this wall time without an end.
#[derive(Debug)]
pub(super) struct RunsFor(pub(super) Duration);

impl Check for RunsFor {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let seen = compiled(bench, args)?;
        let is_reached = seen.0.ending == Ending::TimedOut;
        Ok(with_cost(seen, is_reached, CrashKind::Hang))
    }

    fn form(&self) -> String {
        form(&["cost", "hang"], &self.0)
    }

    fn for_last_look(&self) -> Option<AnyCheck> {
        Some(AnyCheck::new(Self(self.0 * 2)))
    }

    fn compiler_time(&self) -> CompilerTime {
        CompilerTime::Wall(self.0)
    }

    fn is_hang(&self) -> bool {
        true
    }

    fn is_measured(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::scripted::{Scripted, ended};

    #[test]
    fn a_compiler_hangs_that_is_stopped_at_its_deadline() {
        let hangs = RunsFor(Duration::from_secs(1));
        for (ending, expected) in [(Ending::TimedOut, 1), (Ending::Exited(1), 0)] {
            let mut bench = Scripted::compiling(ended(ending));
            let (_, seen) = hangs.run(&mut bench, &[]).unwrap();
            assert_eq!(seen.crashes.len(), expected, "{ending}");
        }
    }
}
