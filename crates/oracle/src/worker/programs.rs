//! Candidates that are compiled, linked and run.

use super::Worker;
use crate::cancel::Cancel;
use crate::check::Execution;
use crate::crash::Observation;
use crate::error::OracleError;
use crate::files;
use crate::plan::Plan;
use crate::process::{Decides, Ending, Invocation, Outcome, run_until};
use crate::program;
use crate::signature::{CrashKind, Signature};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// The compiled program, in the directory for output.
pub(super) const PROGRAM: &str = "program";

impl Worker {
    /// Compiles, links and runs. Where it does not compile, that is what was observed. A program
    /// that is kept is only run again: the compiler would make the same of it.
    pub(super) fn build_and_run(
        &mut self,
        plan: &Plan,
        args: &[String],
        execution: &Execution,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<(Outcome, Observation), OracleError> {
        let built = match self.keeps_program && self.program().is_file() {
            true => None,
            false => Some(self.run(plan, args, cancel, decides)?),
        };
        if let Some(failed) = built
            .clone()
            .filter(|built| built.ending != Ending::Exited(0))
        {
            self.clean_up()?;
            let observation = Observation::of(&failed);
            return Ok((failed, observation));
        }
        let ran = self.execute(plan, execution, cancel)?;
        match self.keeps_program {
            true => files::empty(&self.temporary)?,
            false => self.clean_up()?,
        }
        let observation = observed(&ran, self.tree.as_str(), execution);
        Ok(match built {
            Some(built) => (both(built, ran), observation),
            None => (ran, observation),
        })
    }

    /// Removes the program that was kept.
    pub(super) fn forget_program(&mut self) -> Result<(), OracleError> {
        match std::mem::take(&mut self.keeps_program) {
            true => self.clean_up(),
            false => Ok(()),
        }
    }

    /// Compiles and runs with the plan's arguments, and again with more flags. Each of the two
    /// programs is run twice where that matters: one that does not print the same each time, such as
    /// addresses or times, says nothing about the compiler.
    pub(super) fn compare_runs(
        &mut self,
        plan: &Plan,
        args: &[String],
        (execution, flags): (&Execution, &[String]),
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<(Outcome, Observation), OracleError> {
        let once = self.build_and_run_twice(plan, args, execution, cancel, decides)?;
        if once.fails() || !once.is_steady {
            return Ok(once.without_failure());
        }
        let args = [args, flags].concat();
        let again = self.build_and_run_twice(plan, &args, execution, cancel, decides)?;
        let is_different = once.printed != again.printed;
        let is_failure = !again.fails() && again.is_steady && is_different;
        let stderr = format!(
            "{}\nwith `{}`:\n{}",
            once.printed.trim_end(),
            flags.join(" "),
            again.printed
        );
        let (second, seen) = again.without_failure();
        let outcome = Outcome {
            stderr,
            ..both(once.outcome, second)
        };
        let failure = Signature::of_kind(CrashKind::DifferentOutput, "");
        let crashes = is_failure.then_some(failure).into_iter().collect();
        Ok((outcome, Observation { crashes, ..seen }))
    }

    fn build_and_run_twice(
        &mut self,
        plan: &Plan,
        args: &[String],
        execution: &Execution,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Printed, OracleError> {
        let built = self.run(plan, args, cancel, decides)?;
        if built.ending != Ending::Exited(0) {
            self.clean_up()?;
            return Ok(Printed::nothing(built));
        }
        let ran = self.execute(plan, execution, cancel)?;
        let again = self.execute(plan, execution, cancel)?;
        self.clean_up()?;
        let text = |outcome: &Outcome| {
            let tree = self.tree.as_str();
            program::normalise_output(&outcome.stdout, tree)
        };
        let (first, second) = (text(&ran), text(&again));
        Ok(Printed {
            is_steady: ran.ending == again.ending && first == second,
            seen: observed(&ran, self.tree.as_str(), execution),
            outcome: both(both(built, again), ran),
            printed: first,
        })
    }

    fn execute(
        &self,
        plan: &Plan,
        execution: &Execution,
        cancel: &Cancel,
    ) -> Result<Outcome, OracleError> {
        let args = execution.args.iter();
        let args: Vec<_> = args.map(|arg| self.here(arg, plan)).collect();
        let invocation = Invocation {
            program: &self.program(),
            args: &args,
            env: &self.program_env(plan, &execution.env),
            dir: &self.tree.join(&execution.cwd),
            bounds: self.bounds_of_program(plan, execution),
            confinement: self.confined.program.as_ref(),
        };
        let ran = run_until(&invocation, cancel, &mut |_| false)?;
        self.note_executed(&ran);
        Ok(ran)
    }

    /// Where the compiled program is.
    pub(super) fn program(&self) -> Utf8PathBuf {
        self.out.join(PROGRAM)
    }

    /// Whatever a program takes for the user's home is ours.
    pub(super) fn program_env(
        &self,
        plan: &Plan,
        env: &BTreeMap<String, String>,
    ) -> BTreeMap<String, String> {
        let mut env = self.env_here(env, plan);
        set_own_places(&mut env, &self.temporary);
        env
    }
}

/// Has a program find a directory of ours wherever it would write to one of the user's.
pub(crate) fn set_own_places(env: &mut BTreeMap<String, String>, dir: &Utf8Path) {
    let names = ["HOME", "TMPDIR", "CARGO_TARGET_TMPDIR"];
    env.extend(names.map(|name| (name.to_owned(), dir.to_string())));
}

/// What a run showed of what is looked for.
pub(super) fn observed(ran: &Outcome, tree: &str, execution: &Execution) -> Observation {
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

/// What a build of a program prints.
struct Printed {
    outcome: Outcome,
    seen: Observation,
    printed: String,
    /// Whether it printed the same again.
    is_steady: bool,
}

impl Printed {
    /// Of what does not compile.
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

    /// What is seen where the outputs do not tell. That a program fails is not what is looked for.
    fn without_failure(self) -> (Outcome, Observation) {
        let seen = Observation {
            crashes: vec![],
            ..self.seen
        };
        let note = "the program does not print the same each time it is run";
        let outcome = match self.is_steady {
            true => self.outcome,
            false => Outcome {
                stderr: format!("{note}\n{}", self.outcome.stderr),
                ..self.outcome
            },
        };
        (outcome, seen)
    }
}

/// Two runs as one: what the second showed, and what both cost.
fn both(first: Outcome, second: Outcome) -> Outcome {
    Outcome {
        wall: first.wall + second.wall,
        cpu: first.cpu + second.cpu,
        asleep: first.asleep + second.asleep,
        peak_memory_bytes: first.peak_memory_bytes.max(second.peak_memory_bytes),
        ..second
    }
}
