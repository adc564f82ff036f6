//! Companions: what a candidate that fails must show elsewhere.

use super::{Answer, Worker, printed};
use crate::budget::{Expectation, TimeSpent};
use crate::cancel::Cancel;
use crate::companion::{Companion, Demand};
use crate::crash::{Observation, error_in};
use crate::error::OracleError;
use crate::linkage::COMPILED;
use crate::plan::{Plan, Sources, relocate};
use crate::process::{Ending, Outcome};
use crate::verdict::Verdict;
use crate::warm::Warm;
use camino::{Utf8Path, Utf8PathBuf};

/// What a companion's call showed.
pub(crate) struct Seen {
    pub(crate) outcome: Outcome,
    /// Whether it is what it must be.
    pub(crate) holds: bool,
    /// The time that it has used.
    pub(crate) spent: TimeSpent,
}

impl Seen {
    /// All that was printed, as people see it.
    pub(crate) fn printed(&self) -> String {
        printed(&self.outcome)
    }
}

/// Which of a plan's companions are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Those that take much less time than the plan's own call.
    Before,
    /// The others: most candidates are refused by the plan's own call.
    After,
}

impl Worker {
    /// Whether all companions of a plan show what they must; compiled as they are asked for each
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
        self.write(sources)?;
        for idx in 0..plan.companions.len() {
            let seen = self.see_companion(plan, idx, cancel)?;
            match (seen.outcome.ending, seen.holds) {
                (Ending::Cancelled, _) => return Err(OracleError::Cancelled),
                (_, false) => return Ok(false),
                (_, true) => {}
            }
        }
        Ok(true)
    }

    /// The verdict of the first companion that refuses what is in the tree; its runs are added to
    /// `cost`.
    pub(super) fn refusal(
        &mut self,
        plan: &Plan,
        turn: Turn,
        cancel: &Cancel,
        cost: &mut Answer,
    ) -> Result<Option<Verdict>, OracleError> {
        for (idx, companion) in plan.companions.iter().enumerate() {
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

    /// What one companion shows of a candidate.
    pub(crate) fn see_companion_of(
        &mut self,
        plan: &Plan,
        idx: usize,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Seen, OracleError> {
        self.write(sources)?;
        self.see_companion(plan, idx, cancel)
    }

    /// Asks one companion about what is in the tree, up to the first error.
    fn see_companion(
        &mut self,
        plan: &Plan,
        idx: usize,
        cancel: &Cancel,
    ) -> Result<Seen, OracleError> {
        let Some(companion) = plan.companions.get(idx) else {
            let what = format!("there is no companion {idx}");
            return Err(OracleError::Format {
                what: "which companion is meant".to_owned(),
                source: what.into(),
            });
        };
        let derived = compiled_apart(companion.plan(plan), companion, idx);
        // What is enough for the plan's own call says nothing of this one.
        let expectation = Expectation {
            usual: None,
            ..self.expectation
        };
        let of_plan = self.spent.take();
        let own = (
            self.warm.take(),
            std::mem::replace(&mut self.expectation, expectation),
        );
        let known = self.warm_companions.remove(&idx);
        self.warm = known.or_else(|| own.0.as_ref().and_then(Warm::for_companion));
        let ran = self.run_companion(&derived, cancel);
        let warm = std::mem::replace(&mut self.warm, own.0);
        self.warm_companions.extend(warm.map(|warm| (idx, warm)));
        self.expectation = own.1;
        let spent = self.spent.replace(of_plan);
        let (outcome, seen) = ran?;
        let holds = companion.holds(&derived, &seen);
        Ok(Seen {
            outcome,
            holds,
            spent,
        })
    }

    fn run_companion(
        &mut self,
        plan: &Plan,
        cancel: &Cancel,
    ) -> Result<(Outcome, Observation), OracleError> {
        match self.compile_auxiliaries(plan, cancel)? {
            Some(failed) => {
                let seen = Observation::of(&failed);
                Ok((failed, seen))
            }
            None => self.run_and_read(plan, &plan.args, cancel, &mut |line| {
                error_in(line).is_some()
            }),
        }
    }
}

/// How often it is asked: where a failure is not stable, one success says little.
fn times(companion: &Companion, plan: &Plan) -> u32 {
    match companion.demand {
        Demand::Compiles => 1,
        Demand::Succeeds => plan.repeat.max(1),
    }
}

/// What it means for a candidate that a companion does not show what it must.
fn meaning(refused: &Outcome) -> Verdict {
    match refused.ending {
        Ending::Cancelled => Verdict::Cancelled,
        // It may be in time with another deadline.
        Ending::TimedOut | Ending::Exceeded => Verdict::TimedOut,
        _ => Verdict::Rejected,
    }
}

/// Where a companion's compiler puts auxiliary crates.
pub(super) fn compiled_in(tree: &Utf8Path, idx: usize) -> Utf8PathBuf {
    tree.join(format!("{COMPILED}-{idx}"))
}

/// What one compiler has made of the auxiliary crates, another does not read.
fn compiled_apart(mut plan: Plan, companion: &Companion, idx: usize) -> Plan {
    if companion.toolchain.is_none() {
        return plan;
    }
    let (from, to) = (plan.tree.join(COMPILED), compiled_in("".into(), idx));
    let place = plan.tree.join(&to);
    let moved = |arg: &String| relocate(arg, &from, place.as_str());
    plan.args = plan.args.iter().map(moved).collect();
    for call in &mut plan.auxiliaries {
        call.args = call.args.iter().map(moved).collect();
        if let Ok(file) = call.compiled.strip_prefix(COMPILED) {
            call.compiled = to.join(file);
        }
    }
    plan
}
