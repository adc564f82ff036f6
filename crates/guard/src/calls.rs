//! Holds a test that panics in the code under test, where no mutant says anything, to the calls that lead to its panic: a candidate
//! has to panic at the same place, by the same functions of the code under test.
//!
//! See docs/decisions/mutation-guard.md.

use crate::context::{CodePlace, GuardContext};
use crate::error::GuardError;
use crate::switches::Switches;
use reduce_mutants::{MUTANT_VARIABLE, REACHED_VARIABLE};
use reduce_oracle::{
    CallsToPanic, Came, CountedFunctions, CrashKind, Expected, Harness, Own, Plan, Signature,
    Switched, Unit, Variants, Worker,
};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// The test without switches, of which the calls are found that lead to its panic.
pub(crate) struct Unswitched<'u> {
    context: &'u GuardContext<'u>,
    plan: &'u Plan,
    counted: CountedFunctions,
    own: Own,
}

/// The calls to which a test is held.
pub(crate) struct HeldByCalls {
    /// The runs that decide about a candidate: none of them is under a mutant.
    pub(crate) runs: Variants,
    /// The place of the panic, and the functions that lead to it, in words.
    pub(crate) told: String,
}

impl<'u> Unswitched<'u> {
    /// Finds out which functions count, as the code under test is in these `units`, or beside the test. `own` are the parts of a
    /// failure that are compared, but for its values.
    pub(crate) fn new(
        context: &'u GuardContext<'u>,
        (plan, units): (&'u Plan, &[Unit]),
        place: CodePlace<'_>,
        switches: &Switches,
        own: &Own,
    ) -> Self {
        let names = switches.code_under_test.iter();
        let mut crates: BTreeSet<String> = names.map(|&idx| units[idx].name.clone()).collect();
        let own_crate = &plan.call.crate_name;
        let is_beside = !matches!(place, CodePlace::Linked);
        if is_beside {
            crates.insert(own_crate.clone());
        }
        let test = match plan.execution().map(|execution| &execution.harness) {
            Some(Harness::Libtest { test }) if is_beside => module_of(own_crate, test),
            _ => own_crate.clone(),
        };
        Self {
            context,
            plan,
            counted: CountedFunctions { crates, test },
            own: Own {
                compares_values: false,
                ..own.clone()
            },
        }
    }

    /// Finds the calls that lead to the panic of this form of the test; `None` where it does not panic in the code under test,
    /// where these are not the same in two runs, and where the code under test is reduced too.
    pub(crate) fn held(&self, tree: &SourceTree) -> Result<Option<HeldByCalls>, GuardError> {
        let context = self.context;
        let mut plan = self.plan.clone();
        // A backtrace takes many times as long as the run of a test.
        plan.run_policy.limits.usual = None;
        let plan = &plan;
        let Some(execution) = plan.execution().filter(|_| !context.is_whole()) else {
            return Ok(None);
        };
        let sources = tree.to_files();
        let edited = sources.keys().cloned().collect();
        let mut worker = Worker::new(context.scratch.join("calls"), plan, &edited)?;
        let cancel = context.cancel;
        let Some(compiling) = worker.compile_original(plan, &sources, cancel)? else {
            return Ok(None);
        };
        let (run, _) = worker.run_original(plan, None, None, &self.own, cancel)?;
        let (Came::Fails(at), Came::Fails(failure)) = (run.came, run.compared) else {
            return Ok(None);
        };
        if !is_panic(&at) || self.own.says_expectation(&at) {
            return Ok(None);
        }
        let mut find = || worker.calls_to_panic(plan, &self.counted, cancel);
        let ((calls, running), (again, _)) = (find()?, find()?);
        let Some(calls) = calls.filter(|calls| again.as_ref() == Some(calls)) else {
            return Ok(None);
        };
        let told = told(&at, &calls);
        let expected = Expected {
            variable: MUTANT_VARIABLE.to_owned(),
            failure: *failure,
            outcomes: Vec::new(),
            record: REACHED_VARIABLE.to_owned(),
            entered: BTreeSet::new(),
            calls: Some(calls),
            own: self.own.clone(),
        };
        let usual = compiling.max(running);
        let runs = Variants::new(Switched::default(), execution.clone(), expected, usual);
        Ok(Some(HeldByCalls { runs, told }))
    }
}

/// Returns the path of the module that a test is in.
fn module_of(krate: &str, test: &str) -> String {
    let module = test.rsplit_once("::").map(|(module, _)| module);
    module.map_or_else(|| krate.to_owned(), |module| format!("{krate}::{module}"))
}

fn is_panic(failure: &Signature) -> bool {
    use CrashKind::{Abort, Assertion, ProgramPanic};
    matches!(failure.kind, Abort | Assertion | ProgramPanic) && failure.file.is_some()
}

/// Says where a test panics, and by which functions it came there.
fn told(at: &Signature, calls: &CallsToPanic) -> String {
    let file = at.file.as_deref().unwrap_or_default();
    let line = at.position.map_or(0, |(line, _)| line);
    let functions: Vec<String> = calls
        .functions
        .iter()
        .rev()
        .map(|one| format!("`{one}`"))
        .collect();
    format!(
        "its panic in `{file}:{line}`, and to the calls that lead there, {}",
        functions.join(" and ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_of_a_test_is_its_path_without_the_name() {
        assert_eq!(
            module_of("pool", "tests::of_insert::a"),
            "pool::tests::of_insert"
        );
        assert_eq!(module_of("pool", "a"), "pool");
    }

    #[test]
    fn only_what_panics_at_a_place_is_held_by_calls() {
        let at = |kind, file: Option<&str>| Signature {
            file: file.map(str::to_owned),
            ..Signature::of_kind(kind, "index out of bounds")
        };
        assert!(is_panic(&at(CrashKind::ProgramPanic, Some("src/lib.rs"))));
        assert!(is_panic(&at(CrashKind::Assertion, Some("src/lib.rs"))));
        assert!(!is_panic(&at(CrashKind::ProgramPanic, None)));
        assert!(!is_panic(&at(CrashKind::ErrorReturned, Some("src/lib.rs"))));
    }

    #[test]
    fn the_outermost_call_is_told_first() {
        let at = Signature {
            file: Some("src/lib.rs".to_owned()),
            position: Some((30, 41)),
            ..Signature::of_kind(CrashKind::ProgramPanic, "index out of bounds")
        };
        let calls = CallsToPanic {
            counted: CountedFunctions::default(),
            functions: vec!["pool::take".to_owned(), "pool::insert".to_owned()],
        };
        assert_eq!(
            told(&at, &calls),
            "its panic in `src/lib.rs:30`, and to the calls that lead there, `pool::insert` and `pool::take`"
        );
    }
}
