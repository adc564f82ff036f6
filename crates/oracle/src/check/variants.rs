//! Candidates that must fail as the original does, and must have the outcome of the original under each of a few
//! variants of the code under test too.
//!
//! A failing test has no signature that would tell one bug from another: a test that has lost a part of its setup
//! may fail in the same way, with the same values, and go on failing when the bug is gone. A variant is another
//! version of the code under test, in which a test that still asks the same question gets the same other answer.
//!
//! Which other answer that is need not be the same in a variant in which the test fails too: it is computed from all that the setup
//! does, whether the failure needs that or not.
//!
//! See docs/decisions/mutation-guard.md.

use crate::check::program::{Build, both, build};
use crate::check::{AnyCheck, Bench, Check, Execution, FEWEST_FORKED, Seen, Started, Starts, form};
use crate::error::OracleError;
use crate::evidence::calls::{CallsToPanic, with_backtrace};
use crate::evidence::crash::Observation;
use crate::evidence::own::Own;
use crate::signature::{CrashKind, Signature};
use crate::system::process::{Ending, Outcome};
use crate::worker::RECORD;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The outcome that a candidate must have in a variant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VariantOutcome {
    /// The value of the variable that switches the variant on.
    pub setting: String,
    /// The original's failure; `None` where it passes.
    pub failure: Option<Signature>,
}

/// The results of a test that was written anew or judged again, which its candidates keep in place of the original's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnResults {
    /// The test's failure where no variant is on, as far as it is compared; `None` where it is the original's.
    pub failure: Option<Signature>,
    /// The outcomes where one variant is on.
    pub outcomes: Vec<VariantOutcome>,
    /// The switches that a candidate has to pass where no variant is on; `None` where these are the original's.
    pub entered: Option<BTreeSet<u32>>,
}

/// The results in which a candidate must agree with the original.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Expected {
    /// The variable that switches a variant on.
    pub variable: String,
    /// The original's failure where no variant is on.
    pub failure: Signature,
    /// The original's outcomes where one variant is on.
    pub outcomes: Vec<VariantOutcome>,
    /// The variable that names the file to which a run writes the numbers of the switches that it passes.
    pub record: String,
    /// Switches that a candidate has to pass where no variant is on.
    pub entered: BTreeSet<u32>,
    /// The calls in the code under test by which a candidate has to come to its panic where no variant is on; `None` where any may
    /// lead there, as variants tell enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<CallsToPanic>,
    /// The parts of a failure that are compared.
    pub own: Own,
}

/// The check that compiles and links a candidate, and runs it in each of some variants.
#[derive(Debug, Clone)]
pub(crate) struct Variants {
    execution: Execution,
    expected: Arc<Expected>,
    /// The outcomes in the order in which they are asked, which decides about time alone: the variant that refused the
    /// last candidate comes first.
    order: Arc<Mutex<Vec<usize>>>,
    /// The check that was last made for other results: its order is kept for the next that expects the same.
    with_other_results: Arc<Mutex<Option<Box<Variants>>>>,
    spent: Arc<VariantRuns>,
}

/// The costs of candidates' runs in variants so far.
#[derive(Debug, Default)]
pub struct VariantRuns {
    runs: AtomicU64,
    nanoseconds: AtomicU64,
}

impl VariantRuns {
    /// Returns the number of runs of candidates in variants of the code under test.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    /// Returns the sum of the wall times of candidates' runs in variants of the code under test.
    #[must_use]
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    fn add(&self, ran: &Outcome) {
        let nanoseconds = u64::try_from(ran.wall.as_nanos()).unwrap_or(u64::MAX);
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }
}

impl Variants {
    pub(crate) fn new(execution: Execution, expected: Arc<Expected>) -> Self {
        let order = (0..expected.outcomes.len()).collect();
        Self {
            execution,
            expected,
            order: Arc::new(Mutex::new(order)),
            with_other_results: Arc::default(),
            spent: Arc::default(),
        }
    }

    /// Returns a copy of the check with other expected results. The costs of runs are counted for both together.
    pub(crate) fn expecting(&self, expected: Arc<Expected>) -> Self {
        Self {
            spent: self.spent.clone(),
            ..Self::new(self.execution.clone(), expected)
        }
    }

    /// Returns a copy of the check with the results of a test that was written anew. The costs of runs are counted for both
    /// together. Copies that expect the same learn from each other which variants refuse candidates.
    pub(crate) fn expecting_own(&self, own: &OwnResults) -> Self {
        let mut last = self
            .with_other_results
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let failure = own.failure.as_ref().unwrap_or(&self.expected.failure);
        let entered = own.entered.as_ref().unwrap_or(&self.expected.entered);
        let is_same = |known: &&Self| {
            let known = &known.expected;
            (&known.outcomes, &known.failure, &known.entered) == (&own.outcomes, failure, entered)
        };
        if let Some(known) = last.as_deref().filter(is_same) {
            return known.executing(self.execution.clone());
        }
        let made = self.expecting(Arc::new(Expected {
            failure: failure.clone(),
            outcomes: own.outcomes.clone(),
            entered: entered.clone(),
            ..Expected::clone(&self.expected)
        }));
        *last = Some(Box::new(made.clone()));
        made
    }

    /// Returns the expected outcomes in variants.
    pub(crate) fn outcomes(&self) -> &[VariantOutcome] {
        &self.expected.outcomes
    }

    /// Returns the switches that a candidate has to pass where no variant is on.
    pub(crate) fn entered(&self) -> &BTreeSet<u32> {
        &self.expected.entered
    }

    /// Whether a candidate has to pass switches, or to come to its panic by certain calls, where no variant is on.
    pub(crate) fn asks_how_it_fails(&self) -> bool {
        !self.expected.entered.is_empty() || self.expected.calls.is_some()
    }

    /// Returns the parts of a failure that are compared.
    pub(crate) fn own(&self) -> &Own {
        &self.expected.own
    }

    /// Returns the costs of this check's runs in variants so far, with those of the copies for other executions.
    pub(crate) fn spent(&self) -> Arc<VariantRuns> {
        self.spent.clone()
    }

    /// Returns a copy of the check for another execution of the program. Both learn from each other which variants refuse
    /// candidates.
    pub(crate) fn executing(&self, execution: Execution) -> Self {
        Self {
            execution,
            ..self.clone()
        }
    }

    /// Returns the original's failure where no variant is on.
    pub(crate) fn expected_failure(&self) -> &Signature {
        &self.expected.failure
    }

    /// Returns the variables that switch the variants on, with their values.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        let outcomes = self.expected.outcomes.iter();
        outcomes.map(|outcome| (&*self.expected.variable, &*outcome.setting))
    }

    fn order(&self) -> Vec<usize> {
        let order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        order.clone()
    }

    fn note_refusal(&self, outcome: usize) {
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = order.iter().position(|idx| *idx == outcome) {
            order[..=at].rotate_right(1);
        }
    }

    /// Returns the failure of a run of the program, if it fails, as far as it is compared.
    fn failure(&self, ran: &Outcome, bench: &dyn Bench) -> Option<Signature> {
        let own = &self.expected.own;
        own.failure(ran, bench.tree().as_str(), &self.execution.harness)
    }

    /// Runs the candidate with no variant of the code under test switched on. Returns also which switches it has passed, if
    /// that is asked for.
    fn execute_unchanged(
        &self,
        bench: &mut dyn Bench,
    ) -> Result<(Outcome, BTreeSet<u32>), OracleError> {
        let expected = &self.expected;
        if expected.entered.is_empty() {
            return Ok((bench.execute(&self.execution)?, BTreeSet::new()));
        }
        bench.clear_temporary()?;
        let record = bench.temporary().join(RECORD);
        let mut execution = self.execution.clone();
        execution
            .env
            .insert(expected.record.clone(), record.to_string());
        let ran = bench.execute(&execution)?;
        let record = std::fs::read(&record).unwrap_or_default();
        Ok((ran, numbers(&record)))
    }

    /// Runs the candidate in each variant of the code under test, until its outcome in one is not the expected one. Returns
    /// whether one has, or which run did not come to an end. A process is started for the first variant, which is the most
    /// likely to refuse, and another one is forked for the rest. Only a process that was started for a variant refuses.
    fn refused(&self, bench: &mut dyn Bench, cost: &mut Outcome) -> Result<Refused, OracleError> {
        if let Some(calls) = &self.expected.calls {
            let refused = self.refused_by_calls(calls, bench, cost)?;
            if !matches!(refused, Refused::No) {
                return Ok(refused);
            }
        }
        let order = self.order();
        let mut has_forks = false;
        for (number, &idx) in order.iter().enumerate() {
            if number == 1 && order.len() >= FEWEST_FORKED {
                has_forks = bench.start_forks(&self.execution, &self.settings_of(&order))?;
            }
            if has_forks && let Some(ran) = bench.execute_fork(&self.execution, number)? {
                self.count(&ran, cost);
                if ran.ending.is_of_itself() && self.is_expected(&ran, idx, bench) {
                    continue;
                }
            }
            let mut execution = self.execution.clone();
            let variable = self.expected.variable.clone();
            let setting = self.expected.outcomes[idx].setting.clone();
            execution.env.insert(variable, setting);
            let ran = bench.execute_afresh(&execution)?;
            self.count(&ran, cost);
            if !ran.ending.is_of_itself() {
                return Ok(Refused::Unknown(ran.ending));
            }
            if !self.is_expected(&ran, idx, bench) {
                self.note_refusal(idx);
                return Ok(Refused::Yes);
            }
        }
        Ok(Refused::No)
    }

    /// Runs the candidate with a backtrace, which takes far more time than the run, until it has come to its panic by other calls than
    /// the original.
    fn refused_by_calls(
        &self,
        calls: &CallsToPanic,
        bench: &mut dyn Bench,
        cost: &mut Outcome,
    ) -> Result<Refused, OracleError> {
        let mut execution = self.execution.clone();
        execution.env.extend(with_backtrace());
        let ran = bench.execute_afresh(&execution)?;
        self.count(&ran, cost);
        let functions = calls.counted.in_text(&ran.stderr, &execution.harness);
        Ok(match ran.ending.is_of_itself() {
            true if functions == calls.functions => Refused::No,
            true => Refused::Yes,
            false => Refused::Unknown(ran.ending),
        })
    }

    /// Returns the settings of these variants, each as a variable with its value.
    fn settings_of(&self, variants: &[usize]) -> Vec<String> {
        let expected = &self.expected;
        let value = |idx: &usize| &expected.outcomes[*idx].setting;
        let settings = variants.iter().map(value);
        let settings = settings.map(|value| format!("{}={value}", expected.variable));
        settings.collect()
    }

    /// Adds a run in a variant to what such runs have cost, and to what the candidate costs.
    fn count(&self, ran: &Outcome, cost: &mut Outcome) {
        self.spent.add(ran);
        *cost = both(cost, ran.clone());
    }

    /// Whether a run has the outcome that is expected in a variant: it passes, or fails in the same way. The values of the failure may be
    /// others, but they are those that it has where no variant is on if the expected ones are: the variant makes a difference or none.
    fn is_expected(&self, ran: &Outcome, idx: usize, bench: &dyn Bench) -> bool {
        let seen = self.failure(ran, bench);
        let both = [seen.as_ref(), self.expected.outcomes[idx].failure.as_ref()];
        let [seen, expected] = both.map(|failure| failure.map(Signature::without_values));
        let usual = Some(&self.expected.failure);
        let [seen_is_usual, expected_is_usual] = both.map(|failure| is_same(failure, usual));
        is_same(seen.as_ref(), expected.as_ref()) && seen_is_usual == expected_is_usual
    }
}

/// The answer whether a candidate's outcome in some variant is not the expected one, so that it is refused.
enum Refused {
    No,
    Yes,
    /// A run of the candidate in a variant did not come to an end, which is no evidence.
    Unknown(Ending),
}

impl Check for Variants {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let built = match build(bench, args)? {
            Build::Failed(seen) => return Ok(seen),
            Build::Done(built) => built,
        };
        let (ran, entered) = self.execute_unchanged(bench)?;
        let mut cost = match &built {
            Some(built) => both(built, ran.clone()),
            None => ran.clone(),
        };
        let mut ending = ran.ending;
        let has_ended = ran.ending.is_of_itself();
        let mut failure = has_ended.then(|| self.failure(&ran, bench)).flatten();
        let is_same = is_same(failure.as_ref(), Some(&self.expected.failure));
        if is_same && !self.expected.entered.is_subset(&entered) {
            failure = Some(other_outcome());
        } else if is_same {
            match self.refused(bench, &mut cost)? {
                Refused::No => {}
                Refused::Yes => failure = Some(other_outcome()),
                Refused::Unknown(unfinished) => (failure, ending) = (None, unfinished),
            }
        }
        bench.clean_up_but_for_program()?;
        let seen = Observation {
            ending,
            crashes: failure.into_iter().collect(),
            errors: vec![],
            duration: cost.wall,
        };
        let shown = Outcome {
            ending,
            stdout: ran.stdout,
            stderr: ran.stderr,
            ..cost
        };
        Ok((shown, seen))
    }

    fn form(&self) -> String {
        form(
            &["variants", "of other values"],
            &(&self.execution, &*self.expected),
        )
    }

    fn starts(&self) -> Starts<'_> {
        Starts::Program(&self.execution)
    }

    fn adapted(&self, change: &mut dyn FnMut(Started<'_>)) -> Option<AnyCheck> {
        let mut execution = self.execution.clone();
        change(Started::Program(&mut execution));
        Some(AnyCheck::new(self.executing(execution)))
    }

    fn what_runs(&self) -> &'static str {
        "the test"
    }

    fn keeps_program(&self) -> bool {
        true
    }

    fn runs_loops(&self, _: &Signature) -> bool {
        true
    }
}

/// Returns the numbers in a record: four bytes each, the least significant first. One that was cut off is left out.
fn numbers(record: &[u8]) -> BTreeSet<u32> {
    let (numbers, _) = record.as_chunks::<4>();
    numbers
        .iter()
        .map(|bytes| u32::from_le_bytes(*bytes))
        .collect()
}

/// Returns the signature of a candidate that fails as the original does, but not in each variant. It does not say
/// under which one, as that depends on the order in which they are asked.
fn other_outcome() -> Signature {
    Signature::of_kind(CrashKind::OtherOutcome, "")
}

fn is_same(seen: Option<&Signature>, expected: Option<&Signature>) -> bool {
    match (seen, expected) {
        (Some(seen), Some(expected)) => expected.is_same_bug(seen, false),
        (seen, expected) => seen.is_none() && expected.is_none(),
    }
}

#[cfg(test)]
mod tests;
