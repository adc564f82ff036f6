//! `--oom`: the compiler uses so much memory.

use super::failure::{Failure, checked};
use crate::check::cost::{with_cost, with_failures};
use crate::check::crash::compiled;
use crate::check::{Bench, Check, Seen, form};
use crate::error::OracleError;
use crate::plan::{Plan, memory_for};
use crate::search::context::BaselineContext;
use crate::search::context::empty_program::{cost_of_nothing, too_low};
use crate::search::failure_info::{CallTime, DirectoryWord, FailureInfo, Given};
use crate::signature::{CrashKind, Signature};
use crate::system::process::Ending;

/// A compiler that uses so much memory.
pub(super) struct TooMuchMemory {
    pub(super) bytes: u64,
}

impl Failure for TooMuchMemory {
    fn info(&self) -> FailureInfo {
        let bytes = self.bytes;
        FailureInfo {
            directory: DirectoryWord::incomplete("oom"),
            given: Some(Given::Mebibytes("--oom", bytes.div_ceil(1 << 20))),
            call_time: CallTime::AsTheUserSays,
            compiler_bytes: Some(bytes),
            ..FailureInfo::of(format!("a compiler that uses {} MiB", bytes >> 20))
        }
    }

    /// Makes the plan, if the user's bound is at least one and a half times the memory that the compiler needs for an empty
    /// program.
    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let usual = cost_of_nothing(&plan, context)?.peak_memory_bytes;
        let least = usual + usual / 2;
        match self.bytes < least {
            true => Err(too_low(
                &plan,
                format!("{} MiB", usual >> 20),
                format!("`--oom {}M`", (least >> 20) + 1),
                context,
            )),
            false => Ok(checked(plan, Uses { bytes: self.bytes })),
        }
    }
}

/// The check that compiles a candidate, and sees whether the compiler's largest resident set reaches a bound.
#[derive(Debug)]
pub(super) struct Uses {
    pub(super) bytes: u64,
}

impl Check for Uses {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let seen = compiled(bench, args)?;
        let is_reached = seen.0.peak_memory_bytes >= self.bytes;
        // A compiler that uses too much is stopped by a signal, which is no crash then.
        let is_stopped = matches!(seen.0.ending, Ending::Signalled(_));
        Ok(match is_reached && is_stopped {
            true => with_failures(seen, [Signature::of_kind(CrashKind::Memory, "")]),
            false => with_cost(seen, is_reached, CrashKind::Memory),
        })
    }

    fn form(&self) -> String {
        form(&["cost", "memory"], &self.bytes)
    }

    fn memory_bytes(&self) -> Option<u64> {
        Some(memory_for(self.bytes))
    }

    fn is_measured(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::scripted::{Scripted, ended};
    use crate::system::process::Outcome;

    fn kinds(ending: Ending, bytes: u64) -> Vec<CrashKind> {
        let outcome = Outcome {
            peak_memory_bytes: 100,
            ..ended(ending)
        };
        let mut bench = Scripted::compiling(outcome);
        let (_, seen) = Uses { bytes }.run(&mut bench, &[]).unwrap();
        seen.crashes.iter().map(|failure| failure.kind).collect()
    }

    #[test]
    fn memory_counts_from_its_bound_on() {
        assert_eq!(kinds(Ending::Exited(1), 100), [CrashKind::Memory]);
        assert_eq!(kinds(Ending::Exited(1), 101), []);
    }

    #[test]
    fn a_crash_comes_first_but_not_a_signal_that_ends_what_uses_too_much() {
        assert_eq!(kinds(Ending::Exited(101), 100), [CrashKind::Panic]);
        assert_eq!(kinds(Ending::Signalled(6), 100), [CrashKind::Memory]);
        assert_eq!(kinds(Ending::Signalled(6), 101), [CrashKind::Signal(6)]);
    }
}
