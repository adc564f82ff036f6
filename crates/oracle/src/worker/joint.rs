//! Judges several candidates by a joint program, which has each of them in a module of its own, is compiled once, and
//! whose tests are run one after the other.
//!
//! See docs/decisions/joint-compilations.md.

use super::Worker;
use super::judge::judged;
use super::query::Query;
use super::reported::{ReportedError, reported};
use crate::check::again::Again;
use crate::check::program::{both, does_not_compile};
use crate::check::{Execution, Started};
use crate::error::OracleError;
use crate::evidence::program::Harness;
use crate::evidence::property::Property;
use crate::evidence::verdict::Verdict;
use crate::plan::{Plan, Sources};
use crate::system::process::Outcome;
use reduce_platform::Cancel;
use std::time::Duration;

/// The outcome of compiling a joint program, which consists of several candidates.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct JointBuild {
    /// The errors that keep the program from being made.
    pub errors: Vec<ReportedError>,
    /// Whether the program was made.
    pub is_made: bool,
    /// The CPU time of the compiler and the linker.
    pub cpu: Duration,
}

/// The tests of a joint program that are run.
#[derive(Debug)]
pub struct JointTests {
    /// The path of the reference test, which must be interesting before any other test of the program is believed.
    pub reference: Option<String>,
    /// The paths of the tests of the candidates.
    pub candidates: Vec<String>,
    /// The variable by which a program without a harness is told what it runs, where paths are values of that.
    pub variable: Option<&'static str>,
    /// Whether the tests after one that is interesting are run too.
    pub are_all_run: bool,
}

/// The verdicts of a joint program's tests.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct JointVerdicts {
    /// Whether the reference test is interesting, or there is none. Otherwise no other test was run.
    pub is_alike: bool,
    /// The verdicts of the tests, up to the first that is interesting if not all are run. A test that was not done in time has none.
    pub verdicts: Vec<Option<Verdict>>,
    /// The CPU time of the tests.
    pub cpu: Duration,
}

impl Worker {
    /// Compiles a joint program by the call with which the plan's candidates are compiled. A program that has errors is
    /// not made; one that is stays where [`Self::judge_jointly`] finds it.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn build_jointly(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<JointBuild, OracleError> {
        self.place.clean_up()?;
        self.place.write(sources)?;
        let mut query = self.query(plan, cancel);
        if query.compile_auxiliaries()?.is_some() {
            return Ok(JointBuild::default());
        }
        let outcome = query.compile_in_tree(&plan.call.args)?;
        let build = JointBuild {
            errors: reported(&outcome, &query.tree_paths()),
            is_made: !does_not_compile(&outcome),
            cpu: outcome.cpu,
        };
        if !build.is_made {
            query.place.clean_up()?;
        }
        Ok(build)
    }

    /// Judges tests of the joint program that [`Self::build_jointly`] has made, one after the other, and
    /// removes the program. Where none was made, there are no verdicts.
    ///
    /// # Errors
    /// When the tree cannot be written or a process cannot be started, and on cancellation.
    pub fn judge_jointly(
        &mut self,
        plan: &Plan,
        property: &Property,
        tests: &JointTests,
        cancel: &Cancel,
    ) -> Result<JointVerdicts, OracleError> {
        let mut query = self.query(plan, cancel);
        let mut joint = JointVerdicts::default();
        if query.place.program().is_file() {
            query.keeps_program = true;
            query.judge_tests(property, tests, &mut joint)?;
            query.forget_program()?;
        }
        Ok(joint)
    }
}

impl Query<'_> {
    fn judge_tests(
        &mut self,
        property: &Property,
        tests: &JointTests,
        joint: &mut JointVerdicts,
    ) -> Result<(), OracleError> {
        if let Some(reference) = &tests.reference {
            let judged = self.judge_test(property, tests.variable, reference)?;
            let Some((Verdict::Interesting, outcome)) = judged else {
                return Ok(());
            };
            joint.cpu += outcome.cpu;
        }
        joint.is_alike = true;
        for test in &tests.candidates {
            let Some((verdict, outcome)) = self.judge_test_again(property, tests.variable, test)?
            else {
                break;
            };
            joint.cpu += outcome.cpu;
            let is_enough = verdict.is_interesting() && !tests.are_all_run;
            let is_last = is_enough || self.cancel.is_cancelled();
            let has_ended = !matches!(verdict, Verdict::TimedOut | Verdict::Cancelled);
            joint.verdicts.push(has_ended.then_some(verdict));
            if is_last {
                break;
            }
        }
        Ok(())
    }

    /// Runs and judges one test as often as a query does: one run of a program may show the failure by luck.
    fn judge_test_again(
        &mut self,
        property: &Property,
        variable: Option<&'static str>,
        test: &str,
    ) -> Result<Option<(Verdict, Outcome)>, OracleError> {
        let again = Again::of(self.plan);
        let mut judged = self.judge_test(property, variable, test)?;
        while let Some((verdict, outcome)) = &judged
            && verdict.is_interesting()
            && again.goes_on(outcome.into())
        {
            let Some((verdict, more)) = self.judge_test(property, variable, test)? else {
                return Ok(None);
            };
            judged = Some((verdict, both(outcome, more)));
        }
        Ok(judged)
    }

    /// Runs and judges one test of the joint program; `None` where it has gone, or is none that runs.
    fn judge_test(
        &mut self,
        property: &Property,
        variable: Option<&'static str>,
        test: &str,
    ) -> Result<Option<(Verdict, Outcome)>, OracleError> {
        let check = self.plan.run_policy.check.adapted(&mut |started| {
            if let Started::Program(execution) = started {
                run_instead(execution, variable, test);
            }
        });
        let Some(check) = check else {
            return Ok(None);
        };
        if !self.place.program().is_file() {
            return Ok(None);
        }
        let plan = self.plan;
        let (outcome, observation) = check.run(self, &plan.call.args)?;
        let verdict = judged(property, &observation, &outcome);
        Ok(Some((verdict, outcome)))
    }
}

/// Changes an execution so that it runs another test, or another version of a program.
fn run_instead(execution: &mut Execution, variable: Option<&str>, test: &str) {
    let Harness::Libtest { test: before } = &mut execution.harness else {
        let chosen = variable.map(|name| (name.to_owned(), test.to_owned()));
        execution.env.extend(chosen);
        return;
    };
    let before = std::mem::replace(before, test.to_owned());
    let named = execution.args.iter_mut().filter(|arg| **arg == before);
    named.for_each(|arg| test.clone_into(arg));
}
