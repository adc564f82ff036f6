//! The values that expressions of a test have where it runs, with and without mutants of the code under test.

use super::super::ask::Oracle;
use super::super::questioner::asked;
use super::CompilerOracle;
use crate::candidate::{Candidate, sources};
use crate::failure::Failure;
use reduce_mutants::is_marked;
use reduce_oracle::{Came, Cancel, Compiled, Own, Plan, Worker};
use reduce_passes::{ObservedChanges, ObservedValues, Probes, Program, VALUES_VARIABLE};

/// A program with probes is compiled so often at most, each time with fewer of them.
const MOST_COMPILED: usize = 8;

impl CompilerOracle {
    /// The literals that may stand in place of expressions of a test, and the rounds in place of loops: these had the same
    /// values in a run of it without and with each of the mutants that are asked. None where neither mutants nor a good
    /// version guard it, as nobody would see that an expression depends on the code under test, or where that is in the
    /// program itself.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(super) fn observed_changes(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<ObservedChanges, Failure> {
        let agreement = self.agreement.as_deref();
        let is_guarded = agreement.is_some() || self.has_good_version();
        let has_code_under_test =
            !candidate.terms.linkage.modules.is_empty() || is_marked(&candidate.tree);
        let stays_as_it_is = self.marked.is_some() && has_code_under_test;
        if !is_guarded || stays_as_it_is || candidate.terms.is_unguarded {
            return Ok(ObservedChanges::default());
        }
        let program = Program::new(&candidate.tree);
        let mut probes = Probes::of(&program);
        let plan = self.plan(&candidate.terms);
        let (plan, _) = asked((&plan, &self.property), agreement);
        let mut worker = Worker::new(self.scratch.join("values"), &plan, &self.edited)?;
        if !compile(&mut worker, &plan, &mut probes, cancel)? {
            return Ok(ObservedChanges::default());
        }
        let mut run = |mutant: Option<(&str, &str)>| {
            let record = Some(VALUES_VARIABLE);
            let own = Own::default();
            let (run, _) = worker.run_original(&plan, mutant, record, &own, cancel)?;
            let has_ended = !matches!(run.came, Came::Unfinished);
            let record = run.record.filter(|_| has_ended);
            Ok::<_, Failure>(ObservedValues::read(&record.unwrap_or_default()))
        };
        let mut observed = run(None)?;
        for mutant in agreement.iter().flat_map(|agreement| agreement.mutants()) {
            observed.merge(run(Some(mutant))?);
        }
        Ok(probes.changes(&observed))
    }
}

/// Compiles a program with as many of its probes as compile. Returns whether there are any.
fn compile(
    worker: &mut Worker,
    plan: &Plan,
    probes: &mut Probes<'_>,
    cancel: &Cancel,
) -> Result<bool, Failure> {
    for _ in 0..MOST_COMPILED {
        if probes.is_empty() {
            return Ok(false);
        }
        let probed = probes.sources();
        let Compiled::No(errors) =
            Compiled::of_plan(worker, plan, &sources(&probed.sources), cancel)?
        else {
            return Ok(true);
        };
        for error in errors {
            let place = error.and_then(|error| {
                let file = probed.sources.find(&error.file)?;
                Some((file, error.bytes))
            });
            probes.drop_broken(&probed, place);
        }
    }
    Ok(false)
}
