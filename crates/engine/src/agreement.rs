//! Mutant agreement: what keeps a reduced test about the bug that it fails for.
//!
//! The code under test is compiled once with switches (`switches`), the original test is run under the mutants that
//! it passes (`outcomes`), and a few of them that tell much are asked about each candidate.

mod outcomes;
mod switches;

use crate::candidate::sources;
use crate::context::Context;
use crate::event::Event;
use crate::failure::Failure;
use crate::request::Fidelity;
use camino::Utf8PathBuf;
use outcomes::Outcomes;
use reduce_mutants::{MUTANT_VARIABLE, Mutant};
use reduce_oracle::{Agreement, Expected, Goal, Own, Plan, Switched, Unit, Worker};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;
use switches::Switches;

/// What was found out about a test and the code under test.
#[derive(Default)]
pub(crate) struct Prepared {
    /// What candidates must agree with; absent where no mutant tells anything.
    pub(crate) agreement: Option<Agreement>,
    /// What the user should know: why nothing is asked.
    pub(crate) warning: Option<String>,
    /// Compiler runs that it took.
    pub(crate) runs: u64,
}

/// Whether only the test of a request is reduced, and the code under test stays as it is.
pub(crate) fn keeps_code_under_test(context: &Context<'_>) -> bool {
    let property = &context.request.property;
    matches!(property.goal, Goal::Test { .. }) && property.fidelity == Fidelity::Test
}

/// Compiles the code under test with switches, and finds out which mutants tell something.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn prepare(
    context: &Context<'_>,
    plan: &Plan,
    units: &[Unit],
    original: &SourceTree,
) -> Result<Prepared, Failure> {
    let doing = |what: &str| {
        let what = what.to_owned();
        (context.emit)(Event::Preparing { what });
    };
    doing("compiling the code under test with mutants");
    let switches = Switches::of(context, plan, units)?;
    let mut prepared = Prepared {
        agreement: None,
        warning: None,
        runs: switches.runs,
    };
    if switches.mutants.is_empty() {
        prepared.warning = Some(unguarded("there is no code under test that can be mutated"));
        return Ok(prepared);
    }
    doing("running the test under mutants of the code under test");
    let plan = switches.switched.plan(plan);
    let own = own_files(&plan, original);
    let trial = Trial {
        context,
        plan,
        original,
        own,
    };
    match trial.outcomes(&switches.mutants)? {
        Ok(outcomes) if outcomes.asked.is_empty() => {
            let what = "no mutant of the code under test changes the outcome of the test";
            prepared.warning = Some(unguarded(what));
        }
        Ok(outcomes) => prepared.agreement = Some(trial.agreement(switches.switched, outcomes)),
        Err(reason) => prepared.warning = Some(unguarded(reason)),
    }
    Ok(prepared)
}

/// The warning of a reduction that no mutant guards.
fn unguarded(reason: &str) -> String {
    format!("the reduced test may not show the bug any more, as mutants cannot be asked: {reason}")
}

/// The files of the test as panics name them.
fn own_files(plan: &Plan, original: &SourceTree) -> Own {
    let paths = original.files().map(|(_, path, _)| path);
    let both = paths.flat_map(|path| {
        let relative = path.strip_prefix(&plan.call.cwd).ok();
        [Some(path.to_owned()), relative.map(Utf8PathBuf::from)]
    });
    Own {
        files: both.flatten().collect(),
        compares_values: true,
    }
}

/// The original test, linked with switches.
struct Trial<'t> {
    context: &'t Context<'t>,
    plan: Plan,
    original: &'t SourceTree,
    own: Own,
}

impl Trial<'_> {
    /// What comes of it under the mutants that it passes, or why that cannot be found out.
    fn outcomes(&self, mutants: &[Mutant]) -> Result<Result<Outcomes, &'static str>, Failure> {
        let sources = sources(self.original);
        let edited: BTreeSet<Utf8PathBuf> = sources.keys().cloned().collect();
        let scratch = self.context.site.scratch.join("agreement");
        let mut worker = Worker::new(scratch, &self.plan, &edited)?;
        let cancel = self.context.cancel;
        let Some(compiling) = worker.compile_original(&self.plan, &sources, cancel)? else {
            return Ok(Err("the test does not compile with the mutated code"));
        };
        Outcomes::find(
            &mut worker,
            &self.plan,
            compiling,
            &self.own,
            mutants,
            cancel,
        )
    }

    fn agreement(&self, switched: Switched, outcomes: Outcomes) -> Agreement {
        let execution = self.plan.execution().expect("a test is run").clone();
        let expected = Expected {
            variable: MUTANT_VARIABLE.to_owned(),
            failure: outcomes.failure,
            outcomes: outcomes.asked,
            own: self.own.clone(),
        };
        Agreement::new(switched, execution, expected, outcomes.usual)
    }
}
