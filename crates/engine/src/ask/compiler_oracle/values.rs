//! The values that expressions of a test have where it runs, as it is and as its guard runs it; and those of its variables, for the
//! report.

use super::super::job_facts::JobFacts;
use super::CompilerOracle;
use crate::candidate::Candidate;
use crate::failure::Failure;
use reduce_guard::has_points;
use reduce_oracle::{Came, Cancel, Compiled, Own, Plan, Variants, Worker};
use reduce_passes::{
    Carving, ChangesByValues, PassingTraces, ProbeSet, Probes, Program, RunValues, TraceProbes,
    VALUES_VARIABLE, VARIABLES_VARIABLE, VariableProbes, VariableValues,
};

/// The largest number of compilations of a program with probes, each time with fewer of them.
const MOST_COMPILED: usize = 8;

impl CompilerOracle {
    /// Finds the literals that may stand in place of expressions of a program, and the rounds in place of loops: these had
    /// the same values in a run of it and in each run of its guard. None of a test that neither such runs nor a good version
    /// guard, as nobody would see that an expression depends on the code under test, or where that is in the test itself.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(super) fn found_changes_by_values(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<ChangesByValues, Failure> {
        let compile_options = &candidate.compile_options;
        let guard = self.criteria.guard(compile_options);
        let runs = self.criteria.runs(compile_options);
        let has_mutants = runs
            .as_ref()
            .is_some_and(|runs| !runs.outcomes().is_empty());
        let is_guarded = has_mutants || self.has_good_version() || self.permits_other_causes();
        let has_code_under_test =
            !compile_options.linkage.modules.is_empty() || has_points(&candidate.tree);
        let stays_as_it_is = self.keeps_points() && has_code_under_test;
        if !is_guarded || stays_as_it_is || compile_options.is_unguarded {
            return Ok(ChangesByValues::default());
        }
        let program = Program::new(&candidate.tree);
        // The runs that are about the function that the bug is in show what depends on it; what the others give may be written
        // down.
        let is_located = runs.is_some() && guard.is_some_and(|guard| guard.findings().is_located);
        let mut probes = match is_located {
            true => Probes::of_all_values(&program),
            false => Probes::of(&program),
        };
        let plan = self.plan_with_switches(candidate, runs.as_deref());
        let mut worker = self.workshop.worker("values", &plan)?;
        if !compile(&mut worker, &plan, &mut probes, cancel)? {
            return Ok(ChangesByValues::default());
        }
        let mut run = |setting: Option<(&str, &str)>| {
            let record = recorded(&mut worker, &plan, setting, VALUES_VARIABLE, cancel)?;
            Ok::<_, Failure>(RunValues::read(&record))
        };
        let mut values = run(None)?;
        for setting in runs.iter().flat_map(|runs| runs.settings()) {
            values.merge(run(Some(setting))?);
        }
        if self.permits_other_causes() {
            let shown = self.criteria.property.signature.compared();
            values = values.without(shown.as_ref().map_or(&[], |both| both));
        }
        Ok(probes.changes(&values))
    }
}

impl CompilerOracle {
    /// Writes a test anew from what it does in a run, in several forms. In none where no compiler runs it, where the code under
    /// test is in the program itself, or where two runs of it differ.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(super) fn carved_forms(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Carving, Failure> {
        let compile_options = &candidate.compile_options;
        if !compile_options.linkage.modules.is_empty() || has_points(&candidate.tree) {
            return Ok(Carving::default());
        }
        let program = Program::new(&candidate.tree);
        let mut probes = TraceProbes::of(&program);
        let guard = self.criteria.guard(compile_options);
        let runs = self.criteria.runs(compile_options);
        let plan = self.plan_with_switches(candidate, runs.as_deref());
        let mut worker = self.workshop.worker("trace", &plan)?;
        if plan.execution().is_none() || !compile(&mut worker, &plan, &mut probes, cancel)? {
            return Ok(Carving::default());
        }
        let mut run = |setting| recorded(&mut worker, &plan, setting, VALUES_VARIABLE, cancel);
        let (first, second) = (run(None)?, run(None)?);
        let mut passing = PassingTraces::default();
        for mend in guard.iter().flat_map(|guard| guard.mends()) {
            passing.mends.push(run(Some(mend))?);
        }
        if let Some(good) = plan.with_other_version() {
            passing.good = self.record_of((&good, "good-trace"), &mut probes, cancel)?;
        }
        let mut carving = probes.carved(&first, &passing);
        // Traces may differ in what no form has. Where there is none, the obstacle of the first run is as good as that of the other.
        let may_differ = first != second && !carving.forms.is_empty();
        if may_differ && carving != probes.carved(&second, &passing) {
            return Ok(Carving {
                forms: Vec::new(),
                obstacle: Some("two runs of the test differ"),
            });
        }
        let leeway = guard.map(|guard| guard.leeway(&self.criteria.property.signature));
        // Where nothing says what the code under test would return without its bug, the test has to decide by it as before.
        if leeway.is_some_and(|leeway| !leeway.is_guarded) {
            carving.forms.retain(|form| form.keeps_branches);
        }
        Ok(carving)
    }

    /// The plan of a candidate, with the switches of the code under test that these runs set.
    fn plan_with_switches(&self, candidate: &Candidate, runs: Option<&Variants>) -> Plan {
        let plan = self.plan(&candidate.compile_options);
        match runs {
            Some(runs) => runs.plan(&plan),
            None => plan,
        }
    }

    /// The record that a test with probes writes in a run, compiled by a plan; nothing where it does not compile.
    fn record_of(
        &self,
        (plan, directory): (&Plan, &str),
        probes: &mut impl ProbeSet,
        cancel: &Cancel,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let mut worker = self.workshop.worker(directory, plan)?;
        match compile(&mut worker, plan, probes, cancel)? {
            true => recorded(&mut worker, plan, None, VALUES_VARIABLE, cancel).map(Some),
            false => Ok(None),
        }
    }

    /// Finds the values that the variables of a test have after each of its statements, as far as they are the same
    /// in two runs. None of a program that is not run, or cannot be compiled with probes.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn values_of_variables(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Vec<VariableValues>, Failure> {
        let program = Program::new(&candidate.tree);
        let mut probes = VariableProbes::of(&program);
        let (plan, mut worker) = self.aside("variables", candidate)?;
        if plan.execution().is_none() || !compile(&mut worker, &plan, &mut probes, cancel)? {
            return Ok(Vec::new());
        }
        let mut run = || recorded(&mut worker, &plan, None, VARIABLES_VARIABLE, cancel);
        let (one, other) = (run()?, run()?);
        Ok(probes.values([&one, &other]))
    }
}

/// Returns the file that this variable names, as a run of a program with probes has written it; nothing where the run
/// has not come to its end.
fn recorded(
    worker: &mut Worker,
    plan: &Plan,
    setting: Option<(&str, &str)>,
    variable: &str,
    cancel: &Cancel,
) -> Result<Vec<u8>, Failure> {
    let (run, _) = worker.run_original(plan, setting, Some(variable), &Own::default(), cancel)?;
    let has_ended = !matches!(run.came, Came::Unfinished);
    Ok(run.record.filter(|_| has_ended).unwrap_or_default())
}

/// Compiles a program with as many of its probes as compile. Returns whether there are any.
fn compile(
    worker: &mut Worker,
    plan: &Plan,
    probes: &mut impl ProbeSet,
    cancel: &Cancel,
) -> Result<bool, Failure> {
    for _ in 0..MOST_COMPILED {
        if probes.is_empty() {
            return Ok(false);
        }
        let probed = probes.sources();
        let Compiled::No(errors) =
            Compiled::of_plan(worker, plan, &probed.sources.to_files(), cancel)?
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
