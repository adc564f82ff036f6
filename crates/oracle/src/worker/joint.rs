//! Joint programs: several candidates in one program, each in a module of its own, which is compiled once and whose tests
//! are run one after the other.

use super::Worker;
use super::judge::judged;
use super::query::Query;
use crate::check::{Execution, Started};
use crate::error::OracleError;
use crate::observed::program::Harness;
use crate::observed::property::Property;
use crate::observed::verdict::Verdict;
use crate::plan::{Plan, Sources};
use crate::system::cancel::Cancel;
use crate::system::process::Outcome;
use std::time::Duration;

/// A program in which several tests stand for one.
#[derive(Debug)]
pub struct JointProgram {
    /// Its files.
    pub sources: Sources,
    /// The paths of the tests, as their harness calls them.
    pub tests: Vec<String>,
}

impl Worker {
    /// Compiles a joint program and judges its tests, one after the other: the first of them is of the program that the
    /// others were made of. Returns their verdicts up to the first of the others that is interesting, and the CPU time of the
    /// compiler and the tests; no verdicts where the program does not compile, or no test of the plan would run in it. A
    /// test that was not done in time has none.
    ///
    /// # Errors
    /// When the tree cannot be written or a process cannot be started, and on cancellation.
    pub fn judge_jointly(
        &mut self,
        plan: &Plan,
        property: &Property,
        program: &JointProgram,
        cancel: &Cancel,
    ) -> Result<(Vec<Option<Verdict>>, Duration), OracleError> {
        self.place.write(&program.sources)?;
        let mut query = self.query(plan, cancel);
        let (mut verdicts, mut cpu) = (Vec::new(), Duration::ZERO);
        if query.compile_auxiliaries()?.is_some() {
            return Ok((verdicts, cpu));
        }
        query.keeps_program = true;
        for test in &program.tests {
            let Some((verdict, outcome)) = query.judge_test(property, test)? else {
                break;
            };
            cpu += outcome.cpu;
            let is_last = verdict.is_interesting() != verdicts.is_empty();
            let has_ended = !matches!(verdict, Verdict::TimedOut | Verdict::Cancelled);
            verdicts.push(has_ended.then_some(verdict));
            if is_last || cancel.is_cancelled() {
                break;
            }
        }
        query.forget_program()?;
        Ok((verdicts, cpu))
    }
}

impl Query<'_> {
    /// Judges one test of the program; `None` where there is no program.
    fn judge_test(
        &mut self,
        property: &Property,
        test: &str,
    ) -> Result<Option<(Verdict, Outcome)>, OracleError> {
        let check = self.plan.conduct.check.adapted(&mut |started| {
            if let Started::Program(execution) = started {
                run_instead(execution, test);
            }
        });
        let Some(check) = check else {
            return Ok(None);
        };
        let plan = self.plan;
        let (outcome, observation) = check.run(self, &plan.call.args)?;
        if !self.place.program().is_file() {
            return Ok(None);
        }
        let verdict = judged(property, &observation, &outcome);
        Ok(Some((verdict, outcome)))
    }
}

/// Makes an execution one of another test.
fn run_instead(execution: &mut Execution, test: &str) {
    let Harness::Libtest { test: before } = &mut execution.harness else {
        return;
    };
    let before = std::mem::replace(before, test.to_owned());
    let named = execution.args.iter_mut().filter(|arg| **arg == before);
    named.for_each(|arg| test.clone_into(arg));
}
