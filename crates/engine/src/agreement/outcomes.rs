//! What comes of the original test under each mutant, and which mutants tell much.

use crate::failure::Failure;
use reduce_mutants::{
    MUTANT_VARIABLE, Mutant, MutantId, REACHED_VARIABLE, choose, reached, spread,
};
use reduce_oracle::{
    Came, Cancel, OriginalRun, Own, Plan, Signature, TimeSpent, UnderMutant, Worker,
};
use std::collections::BTreeSet;

/// The original is run under so many mutants at most.
const MOST_RUN: usize = 96;
/// A candidate is asked under so many at most.
const MOST_ASKED: usize = 12;

/// What candidates must agree with.
pub(super) struct Outcomes {
    /// How the original fails with switches, as far as it is compared.
    pub(super) failure: Signature,
    /// The mutants that are asked.
    pub(super) asked: Vec<UnderMutant>,
    /// The time that the original takes with switches.
    pub(super) usual: TimeSpent,
}

impl Outcomes {
    /// Runs the program that lies in the worker.
    pub(super) fn find(
        worker: &mut Worker,
        plan: &Plan,
        compiling: TimeSpent,
        own: &Own,
        mutants: &[Mutant],
        cancel: &Cancel,
    ) -> Result<Result<Self, &'static str>, Failure> {
        let record = Some(REACHED_VARIABLE);
        let (recorded, _) = worker.run_original(plan, None, record, own, cancel)?;
        let (baseline, running) = worker.run_original(plan, None, None, own, cancel)?;
        let (Came::Fails(failure), Came::Fails(at)) = (&baseline.compared, &baseline.came) else {
            return Ok(Err(
                "the test does not fail any more where the code under test has switches",
            ));
        };
        let usual = compiling.max(running);
        let mut plan = plan.clone();
        plan.conduct.limits.usual = Some(usual);
        let passed = reached(&recorded.record.unwrap_or_default());
        let mut runs = Runs {
            worker,
            plan: &plan,
            own,
            is_own: is_own(at, own),
            at: (**at).clone(),
            cancel,
        };
        let asked = runs.asked(mutants, &passed, failure)?;
        Ok(Ok(Self {
            failure: (**failure).clone(),
            asked,
            usual,
        }))
    }
}

/// Whether a failure is in the test's own text, or nowhere.
fn is_own(failure: &Signature, own: &Own) -> bool {
    let file = failure.file.as_deref();
    file.is_none_or(|file| own.files.contains(camino::Utf8Path::new(file)))
}

/// Runs under mutants.
struct Runs<'r> {
    worker: &'r mut Worker,
    plan: &'r Plan,
    own: &'r Own,
    /// How the original fails, with its place.
    at: Signature,
    /// Whether that is in the test itself.
    is_own: bool,
    cancel: &'r Cancel,
}

impl Runs<'_> {
    /// The mutants that tell most, with the outcome of the original under each.
    fn asked(
        &mut self,
        mutants: &[Mutant],
        passed: &BTreeSet<MutantId>,
        failure: &Signature,
    ) -> Result<Vec<UnderMutant>, Failure> {
        let passed = spread(mutants, passed, MOST_RUN);
        let mut outcomes = Vec::new();
        for &id in &passed {
            outcomes.push((id, self.outcome(id)?));
        }
        let baseline = Some(failure.clone());
        let mut asked = Vec::new();
        for id in choose(mutants, &baseline, &outcomes, MOST_RUN) {
            let known = outcomes.iter().find(|(other, _)| *other == id);
            let Some((_, Some(outcome))) = known.filter(|_| asked.len() < MOST_ASKED) else {
                continue;
            };
            // What differs from run to run says nothing about a candidate.
            if self.outcome(id)?.as_ref() == Some(outcome) {
                asked.push(UnderMutant {
                    mutant: id.to_string(),
                    failure: outcome.clone(),
                });
            }
        }
        Ok(asked)
    }

    /// What comes of the original under a mutant: a failure, or that it passes. `None` where nothing follows from
    /// it, as it did not come to what fails.
    fn outcome(&mut self, id: MutantId) -> Result<Option<Option<Signature>>, Failure> {
        let number = id.to_string();
        let variable = Some((MUTANT_VARIABLE, number.as_str()));
        let (run, _) =
            self.worker
                .run_original(self.plan, variable, None, self.own, self.cancel)?;
        Ok(self.told(run))
    }

    fn told(&self, run: OriginalRun) -> Option<Option<Signature>> {
        match (run.came, run.compared) {
            (Came::Passes, _) => Some(None),
            // A panic in the code under test is wrong whatever the input. Only versions without it tell something.
            (Came::Fails(_), _) if !self.is_own => None,
            (Came::Fails(at), Came::Fails(failure)) => {
                let is_there = (&at.kind, &at.file, at.position)
                    == (&self.at.kind, &self.at.file, self.at.position);
                is_there.then_some(Some(*failure))
            }
            _ => None,
        }
    }
}
