//! Candidates that are compiled, linked and run: programs, and tests with their harness.

use crate::check::{AnyCheck, Bench, Check, Execution, Seen, Started, Starts, form};
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::evidence::program::{self, Harness};
use crate::signature::{CrashKind, Signature};
use crate::system::process::{Ending, Outcome};

/// The check that compiles, links and runs a candidate, and sees whether the program fails.
#[derive(Debug, Clone)]
pub(crate) struct Program(pub(crate) Execution);

impl Program {
    /// Makes the check for a program that is run in this way.
    pub(crate) fn check(execution: Execution) -> AnyCheck {
        AnyCheck::new(Self(execution))
    }
}

impl Check for Program {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let built = match build(bench, args)? {
            Build::Failed(seen) => return Ok(seen),
            Build::Done(built) => built,
        };
        let ran = bench.execute(&self.0)?;
        bench.clean_up_but_for_program()?;
        let seen = observe(&ran, bench.tree().as_str(), &self.0);
        Ok(match built {
            Some(built) => (both(&built, ran), seen),
            None => (ran, seen),
        })
    }

    fn form(&self) -> String {
        // Once it was run a single time.
        form(&["run", "again"], &self.0)
    }

    fn starts(&self) -> Starts<'_> {
        Starts::Program(&self.0)
    }

    fn adapted(&self, change: &mut dyn FnMut(Started<'_>)) -> Option<AnyCheck> {
        let mut execution = self.0.clone();
        change(Started::Program(&mut execution));
        Some(Self::check(execution))
    }

    fn what_runs(&self) -> &'static str {
        match self.0.harness {
            Harness::None => "the program",
            Harness::Libtest { .. } => "the test",
        }
    }

    fn for_last_look(&self) -> Option<AnyCheck> {
        let hangs_after = self.0.hangs_after.map(|time| time * 2);
        Some(Self::check(Execution {
            hangs_after,
            ..self.0.clone()
        }))
    }

    fn is_hang(&self) -> bool {
        self.0.hangs_after.is_some()
    }

    fn keeps_program(&self) -> bool {
        true
    }

    fn depends_on_luck(&self) -> bool {
        !self.is_hang()
    }

    fn runs_loops(&self, _: &Signature) -> bool {
        !self.is_hang()
    }
}

/// The result of compiling a candidate that is to be run.
pub(crate) enum Build {
    /// The candidate does not compile; with what the compiler showed.
    Failed(Seen),
    /// The program is there, with the outcome of the compiler that made it now.
    Done(Option<Outcome>),
}

/// Compiles a candidate. A program that was kept is only run again: the compiler would make the same of it.
pub(crate) fn build(bench: &mut dyn Bench, args: &[String]) -> Result<Build, OracleError> {
    if bench.has_program() {
        return Ok(Build::Done(None));
    }
    let built = bench.compile(args)?;
    if !does_not_compile(&built) {
        return Ok(Build::Done(Some(built)));
    }
    bench.clean_up()?;
    let seen = Observation::of(&built);
    Ok(Build::Failed((built, seen)))
}

/// Whether a build has made no program.
pub(crate) fn does_not_compile(built: &Outcome) -> bool {
    built.ending != Ending::Exited(0)
}

/// Returns the observation of a program's run, as far as the failure is concerned.
pub(crate) fn observe(ran: &Outcome, tree: &str, execution: &Execution) -> Observation {
    let is_hang = execution.hangs_after.is_some();
    let crashes = match ran.ending {
        Ending::TimedOut if is_hang => vec![Signature::of_kind(CrashKind::Hang, "")],
        Ending::TimedOut | Ending::Exceeded | Ending::Cancelled | Ending::Decided => vec![],
        _ if is_hang => vec![],
        Ending::Exited(0) if execution.may_succeed => {
            vec![Signature::of_kind(CrashKind::ExitStatus(0), "")]
        }
        _ => program::failures_in(ran, tree, &execution.harness),
    };
    Observation {
        ending: ran.ending,
        crashes,
        errors: vec![],
        duration: ran.wall,
    }
}

/// Joins two runs: what the second showed, and what both cost.
pub(crate) fn both(first: &Outcome, second: Outcome) -> Outcome {
    Outcome {
        wall: first.wall + second.wall,
        cpu: first.cpu + second.cpu,
        asleep: first.asleep + second.asleep,
        peak_memory_bytes: first.peak_memory_bytes.max(second.peak_memory_bytes),
        ..second
    }
}
