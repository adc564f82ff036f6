//! Asks companions, which are other compiler calls that a failing candidate must pass.

use super::elsewhere::{Elsewhere, Turn};
use super::place::compiled_in;
use super::query::Query;
use super::{Answer, Worker};
use crate::demands::Demand;
use crate::error::OracleError;
use crate::evidence::crash::error_in;
use crate::evidence::program::{Comparison, Harness};
use crate::evidence::verdict::Verdict;
use crate::plan::auxiliary::COMPILED;
use crate::plan::companion::Companion;
use crate::plan::{Plan, Sources};
use crate::system::budget::Expectation;
use crate::system::process::{Ending, Outcome};
use crate::text::paths::relocate;
use crate::worker::warm::Warm;
use reduce_platform::Cancel;
use std::collections::btree_map::Entry;

impl Worker {
    /// Whether all companions of a plan have the outcome that they must have; the companions are compiled as for each
    /// candidate, by compilers that are started anew.
    ///
    /// # Errors
    /// When the tree cannot be written, a compiler cannot be started, or on cancellation.
    pub fn holds_elsewhere(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<bool, OracleError> {
        self.place.write(sources)?;
        for idx in 0..plan.run_policy.companions.len() {
            let seen = self.see_companion(plan, idx, cancel)?;
            match (seen.outcome.ending, seen.holds) {
                (Ending::Cancelled, _) => return Err(OracleError::Cancelled),
                (_, false) => return Ok(false),
                (_, true) => {}
            }
        }
        Ok(true)
    }

    /// Returns the failed comparison, such as of an `assert_eq!`, that a candidate shows with another version,
    /// compiled as for each candidate. `None` where it does not fail there, or otherwise.
    ///
    /// # Errors
    /// When the tree cannot be written, a compiler cannot be started, or on cancellation.
    pub fn compared_in_version(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Option<Comparison>, OracleError> {
        let mut companions = plan.run_policy.companions.iter();
        let Some(idx) = companions.position(|companion| companion.version.is_some()) else {
            return Ok(None);
        };
        let seen = self.see_companion_of(plan, idx, sources, cancel)?;
        let harness = plan.execution().map(|execution| &execution.harness);
        let compared = |harness: &Harness| Comparison::of_run(&seen.outcome, harness.thread());
        match seen.outcome.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            _ => Ok(harness.and_then(compared)),
        }
    }

    /// Returns the verdict of the first companion that refuses the candidate in the tree; the costs of its runs are
    /// added to `cost`.
    pub(super) fn refusal(
        &mut self,
        plan: &Plan,
        turn: Turn,
        cancel: &Cancel,
        cost: &mut Answer,
    ) -> Result<Option<Verdict>, OracleError> {
        for (idx, companion) in plan.run_policy.companions.iter().enumerate() {
            if companion.is_cheaper != (turn == Turn::Before) {
                continue;
            }
            for _ in 0..times(companion, plan) {
                let seen = self.see_companion(plan, idx, cancel)?;
                cost.add(&seen.outcome);
                if !seen.holds {
                    return Ok(Some(meaning(&seen.outcome)));
                }
            }
        }
        Ok(None)
    }

    /// Asks one companion about a candidate, and returns what the call showed.
    pub(crate) fn see_companion_of(
        &mut self,
        plan: &Plan,
        idx: usize,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Elsewhere, OracleError> {
        self.place.write(sources)?;
        self.see_companion(plan, idx, cancel)
    }

    /// Asks one companion about the candidate in the tree, and stops its compiler at the first error.
    fn see_companion(
        &mut self,
        plan: &Plan,
        idx: usize,
        cancel: &Cancel,
    ) -> Result<Elsewhere, OracleError> {
        let Some(companion) = plan.run_policy.companions.get(idx) else {
            let what = format!("there is no companion {idx}");
            return Err(OracleError::Format {
                what: "which companion is meant".to_owned(),
                source: what.into(),
            });
        };
        let derived = compiled_apart(companion.plan(plan), companion, idx);
        // The usual time of the plan's own call says nothing of a companion's call.
        let expectation = Expectation {
            usual: None,
            ..self.expectation
        };
        let warm = match self.warm_companions.entry(idx) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(place) => {
                let new = self.warm.as_ref().and_then(Warm::for_companion);
                new.map(|warm| place.insert(warm))
            }
        };
        let query = Query::new(&mut self.place, &derived, expectation, cancel).warm(warm);
        let mut query = query.until(|line| error_in(line).is_some());
        let (outcome, holds) = query.run_until_sure(&|seen| companion.holds(&derived, seen))?;
        Ok(Elsewhere {
            holds,
            outcome,
            spent: query.spent,
        })
    }
}

/// Returns the number of times that a companion is asked: where a failure is not stable, one success says
/// little.
fn times(companion: &Companion, plan: &Plan) -> u32 {
    match companion.demand {
        Demand::Compiles => 1,
        Demand::Succeeds => plan.run_policy.repeat.max(1),
    }
}

/// Returns the verdict about a candidate for which a companion does not have the outcome that it must have.
fn meaning(refused: &Outcome) -> Verdict {
    match refused.ending {
        Ending::Cancelled => Verdict::Cancelled,
        // It may be in time with another deadline.
        Ending::TimedOut | Ending::Exceeded => Verdict::TimedOut,
        _ => Verdict::Rejected,
    }
}

/// Gives a companion that has another compiler or other dependencies a directory of its own for compiled
/// auxiliary crates: those of the plan's own compiler do not fit.
fn compiled_apart(mut plan: Plan, companion: &Companion, idx: usize) -> Plan {
    if companion.toolchain.is_none() && companion.replaced.is_empty() {
        return plan;
    }
    let (from, to) = (plan.inputs.tree.join(COMPILED), compiled_in("".into(), idx));
    let place = plan.inputs.tree.join(&to);
    let moved = |arg: &String| relocate(arg, &from, place.as_str());
    plan.call.args = plan.call.args.iter().map(moved).collect();
    for call in &mut plan.inputs.auxiliaries {
        call.args = call.args.iter().map(moved).collect();
        if let Ok(file) = call.compiled.strip_prefix(COMPILED) {
            call.compiled = to.join(file);
        }
    }
    plan
}
