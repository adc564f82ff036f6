//! Runs a candidate, and judges what the runs show.

use super::answer::Answer;
use super::auxiliary;
use super::query::Query;
use super::shown::printed;
use crate::check::Seen;
use crate::check::again::Again;
use crate::check::program::both;
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::evidence::property::Property;
use crate::evidence::verdict::Verdict;
use crate::flaky::Sample;
use crate::system::process::Outcome;

impl Query<'_> {
    /// Judges one run of the candidate after the other, until `is_enough` returns true.
    pub(super) fn judge_until(
        &mut self,
        property: &Property,
        is_enough: &dyn Fn(Sample, &Answer) -> bool,
    ) -> Result<(Answer, Sample), OracleError> {
        let (mut answer, mut sample) = (Answer::default(), Sample::default());
        if let Some(failed) = self.compile_auxiliaries()? {
            answer.add(&failed);
            answer.verdict = auxiliary::verdict(&failed, property);
            return Ok((answer, Sample { failed: 0, runs: 1 }));
        }
        let plan = self.plan;
        self.keeps_program = plan.run_policy.check.keeps_program();
        loop {
            self.judge_run(&plan.query_args(), property, &mut answer)?;
            if answer.verdict.is_interesting() && plan.run_policy.cheapest_call.is_some() {
                self.judge_run(&plan.call.args, property, &mut answer)?;
            }
            sample.add(answer.verdict.is_interesting());
            // A candidate that does not compile will not the next time either.
            let is_built = !self.keeps_program || self.place.program().is_file();
            if !is_built || is_enough(sample, &answer) {
                self.forget_program()?;
                return Ok((answer, sample));
            }
        }
    }

    fn judge_run(
        &mut self,
        args: &[String],
        property: &Property,
        answer: &mut Answer,
    ) -> Result<(), OracleError> {
        let (outcome, observation) = self.plan.run_policy.check.run(self, args)?;
        answer.verdict = judged(property, &observation, &outcome);
        answer.crash = observation.crashes.into_iter().next();
        answer.errors = observation.errors.into_iter().collect();
        answer.add(&outcome);
        Ok(())
    }

    /// Makes the plan's calls once, and returns their outcome and the failures seen in it, without a verdict.
    pub(super) fn run_once(&mut self) -> Result<Seen, OracleError> {
        match self.compile_auxiliaries()? {
            Some(failed) => {
                let seen = Observation::of(&failed);
                Ok((failed, seen))
            }
            None => {
                let plan = self.plan;
                plan.run_policy.check.run(self, &plan.call.args)
            }
        }
    }

    /// Runs the candidate as the plan says until `holds` is false for a run, or true for so many that this can hardly
    /// be luck. Returns the last run with the costs of all, and whether it holds.
    pub(super) fn run_until_sure(
        &mut self,
        holds: &dyn Fn(&Observation) -> bool,
    ) -> Result<(Outcome, bool), OracleError> {
        let plan = self.plan;
        self.keeps_program = plan.run_policy.check.keeps_program();
        let again = Again::of(plan);
        let (mut outcome, mut seen) = self.run_once()?;
        while holds(&seen) && again.goes_on((&outcome).into()) {
            let (next, next_seen) = plan.run_policy.check.run(self, &plan.call.args)?;
            (outcome, seen) = (both(&outcome, next), next_seen);
        }
        self.forget_program()?;
        Ok((outcome, holds(&seen)))
    }

    /// Removes the compiled program of the candidate, if that was kept.
    pub(super) fn forget_program(&mut self) -> Result<(), OracleError> {
        match std::mem::take(&mut self.keeps_program) {
            true => self.place.clean_up(),
            false => Ok(()),
        }
    }
}

/// Judges a run by the property and by the patterns of what must be printed besides.
pub(super) fn judged(property: &Property, observation: &Observation, outcome: &Outcome) -> Verdict {
    match property.judge(observation) {
        Verdict::Interesting if !property.patterns.accept(|| printed(outcome)) => Verdict::Rejected,
        verdict => verdict,
    }
}
