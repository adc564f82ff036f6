//! `--slow`: the compiler takes so many times the CPU time that it takes for an empty program.

use super::failure::{Failure, checked};
use crate::check::cost::with_cost;
use crate::check::crash::compiled;
use crate::check::{AnyCheck, Bench, Check, CompilerTime, Seen, form};
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::search::context::BaselineContext;
use crate::search::context::empty_program::cost_of_nothing;
use crate::search::failure_info::{CallTime, DirectoryWord, FailureInfo};
use crate::signature::CrashKind;
use crate::system::process::Ending;
use serde::Serialize;
use std::time::Duration;

/// The factor by which a candidate may take more CPU time than the input.
const PATIENCE: u32 = 2;

/// A compiler that takes so many times as long as for an empty program.
pub(super) struct TooSlow {
    pub(super) factor: u32,
}

impl Failure for TooSlow {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            directory: DirectoryWord::complete(format!("slow-{}", self.factor)),
            call_time: CallTime::AsTheUserSays,
            ..FailureInfo::of(format!(
                "a compiler that takes {} times as long",
                self.factor
            ))
        }
    }

    /// Makes the plan for a compiler that takes too much CPU time, with bounds from an empty program and from the input.
    /// Time varies: a program near the bound must be above it in two runs of two, and the result passes its last check even
    /// if it is a little quicker. A program that takes much longer than the input is taken for endless, and that is another
    /// failure.
    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let least = cost_of_nothing(&plan, context)?.cpu * self.factor;
        let mut worker = context.worker(&plan)?;
        let input = worker.cost(&plan, &Sources::new(), context.cancel)?;
        context.count(1);
        let most = PATIENCE * input.cpu.max(least);
        let mut plan = checked(plan, Takes { least, most });
        plan.run_policy.repeat = plan.run_policy.repeat.max(2);
        plan.run_policy.at_least = plan.run_policy.at_least.max(2);
        Ok(plan)
    }
}

/// The check that compiles a candidate, and sees whether the CPU time of the compiler lies between two bounds.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Takes {
    /// The CPU time from which on a compiler counts as slow.
    pub(super) least: Duration,
    /// The CPU time after which the compiler is stopped: one that never ends is not looked for.
    pub(super) most: Duration,
}

impl Takes {
    /// Whether a run took the CPU time that is looked for. Wall time does not count: it depends on what
    /// else the machine does.
    fn is_reached(self, ending: Ending, cpu: Duration) -> bool {
        matches!(ending, Ending::Exited(_)) && cpu >= self.least
    }
}

impl Check for Takes {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let seen = compiled(bench, args)?;
        let is_reached = self.is_reached(seen.0.ending, seen.0.cpu);
        Ok(with_cost(seen, is_reached, CrashKind::Slow))
    }

    fn form(&self) -> String {
        form(&["cost", "cpu"], self)
    }

    /// Returns no other check for the input, which must be as slow as a candidate must be.
    fn for_first_look(&self) -> Option<AnyCheck> {
        None
    }

    fn for_last_look(&self) -> Option<AnyCheck> {
        let least = self.least * 4 / 5;
        Some(AnyCheck::new(Self { least, ..*self }))
    }

    fn compiler_time(&self) -> CompilerTime {
        CompilerTime::Cpu(self.most)
    }

    fn is_measured(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slow_takes_its_time_and_ends() {
        let seconds = Duration::from_secs;
        let takes = |least| Takes {
            least: seconds(least),
            most: seconds(9),
        };
        let (ended, stopped) = (Ending::Exited(1), Ending::TimedOut);
        assert!(takes(2).is_reached(ended, seconds(2)));
        assert!(!takes(3).is_reached(ended, seconds(2)));
        assert!(!takes(2).is_reached(stopped, seconds(2)));
    }
}
