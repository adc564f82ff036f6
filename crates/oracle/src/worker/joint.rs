//! Judges several candidates by a joint program, which has each of them in a module of its own, is compiled once, and
//! whose tests are run one after the other.
//!
//! See docs/decisions/joint-compilations.md.

use super::Worker;
use super::judge::judged;
use super::query::Query;
use crate::check::{Execution, Started};
use crate::error::OracleError;
use crate::evidence::program::Harness;
use crate::evidence::property::Property;
use crate::evidence::verdict::Verdict;
use crate::plan::{Plan, Sources};
use crate::system::process::Outcome;
use reduce_platform::Cancel;
use std::time::Duration;

/// A program that consists of several candidates, each with a test of its own.
#[derive(Debug)]
pub struct JointProgram {
    /// The files of the joint program.
    pub sources: Sources,
    /// The path of the reference test, which must be interesting before any other test of the program is believed.
    pub reference: Option<String>,
    /// The paths of the tests of the candidates.
    pub tests: Vec<String>,
}

/// The verdicts of a joint program's tests.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct JointVerdicts {
    /// Whether the reference test is interesting, or the program has none. Otherwise no other test was run.
    pub is_alike: bool,
    /// The verdicts of the tests up to the first that is interesting. A test that was not done in time has none.
    pub verdicts: Vec<Option<Verdict>>,
    /// The CPU time of the compiler and the tests.
    pub cpu: Duration,
}

impl Worker {
    /// Compiles a joint program and judges its tests, one after the other, up to the first that is interesting. A program
    /// that does not compile has no verdicts.
    ///
    /// # Errors
    /// When the tree cannot be written or a process cannot be started, and on cancellation.
    pub fn judge_jointly(
        &mut self,
        plan: &Plan,
        property: &Property,
        program: &JointProgram,
        cancel: &Cancel,
    ) -> Result<JointVerdicts, OracleError> {
        self.place.write(&program.sources)?;
        let mut query = self.query(plan, cancel);
        let mut joint = JointVerdicts::default();
        if query.compile_auxiliaries()?.is_some() {
            return Ok(joint);
        }
        query.keeps_program = true;
        query.judge_tests(property, program, &mut joint)?;
        query.forget_program()?;
        Ok(joint)
    }
}

impl Query<'_> {
    fn judge_tests(
        &mut self,
        property: &Property,
        program: &JointProgram,
        joint: &mut JointVerdicts,
    ) -> Result<(), OracleError> {
        if let Some(reference) = &program.reference {
            let judged = self.judge_test(property, reference)?;
            let Some((Verdict::Interesting, outcome)) = judged else {
                return Ok(());
            };
            joint.cpu += outcome.cpu;
        }
        joint.is_alike = true;
        for test in &program.tests {
            let Some((verdict, outcome)) = self.judge_test(property, test)? else {
                break;
            };
            joint.cpu += outcome.cpu;
            let is_last = verdict.is_interesting() || self.cancel.is_cancelled();
            let has_ended = !matches!(verdict, Verdict::TimedOut | Verdict::Cancelled);
            joint.verdicts.push(has_ended.then_some(verdict));
            if is_last {
                break;
            }
        }
        Ok(())
    }

    /// Runs and judges one test of the joint program; `None` where there is no program.
    fn judge_test(
        &mut self,
        property: &Property,
        test: &str,
    ) -> Result<Option<(Verdict, Outcome)>, OracleError> {
        let check = self.plan.run_policy.check.adapted(&mut |started| {
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

/// Changes an execution so that it runs another test.
fn run_instead(execution: &mut Execution, test: &str) {
    let Harness::Libtest { test: before } = &mut execution.harness else {
        return;
    };
    let before = std::mem::replace(before, test.to_owned());
    let named = execution.args.iter_mut().filter(|arg| **arg == before);
    named.for_each(|arg| test.clone_into(arg));
}
