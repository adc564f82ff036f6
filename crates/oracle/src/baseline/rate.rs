//! Measures how often a compiler call fails that does not fail in each run, and finds a simpler call that fails about
//! as often.

use super::replay::Replayed;
use super::{cheapest_call, simplify};
use crate::error::OracleError;
use crate::evidence::property::Property;
use crate::flaky::{Flaky, Sample};
use crate::plan::{Plan, Sources};
use crate::search::context::BaselineContext;
use crate::worker::Answer;
use std::time::{Duration, Instant};

/// The time after which a call is no longer run only to measure more exactly how often it fails.
const LONGEST: Duration = Duration::from_secs(60);
const FEWEST_RUNS: u32 = 10;

/// The simplified compiler call that is made for each candidate, and how it fails.
pub(super) struct Simplified {
    pub(super) plan: Plan,
    pub(super) property: Property,
    pub(super) flaky: Option<Flaky>,
}

/// Finds the simplest call that still has the property; one that is not stable should not fail much
/// less often either.
pub(super) fn simplify(
    replayed: &Replayed,
    plan: Plan,
    context: &BaselineContext<'_>,
) -> Result<Simplified, OracleError> {
    if context.options.repeat.expects_passes() {
        return simplify_flaky(replayed, plan, context);
    }
    (context.note)("simplifying the compiler call");
    let (plan, property) = simplify::simplify(plan, replayed.property.clone(), context)?;
    let plan = cheapest_call::step_down(plan, &property, context)?;
    Ok(Simplified {
        plan,
        property,
        flaky: None,
    })
}

/// Simplifies a call that is not stable, but puts no cheaper call before it: a candidate would have to fail in that
/// one and in the plan's own, by chance.
fn simplify_flaky(
    replayed: &Replayed,
    plan: Plan,
    context: &BaselineContext<'_>,
) -> Result<Simplified, OracleError> {
    let found = Simplified::measured(plan, replayed.property.clone(), context)?;
    if found.rate() <= 0.0 {
        return Err(never_again(replayed, &found));
    }
    (context.note)("simplifying the compiler call");
    let (plan, property) = simplify::simplify(found.plan.clone(), found.property.clone(), context)?;
    if plan == found.plan {
        return Ok(found);
    }
    let simpler = Simplified::measured(plan, property, context)?;
    match 2.0 * simpler.rate() < found.rate() {
        true => Ok(found),
        false => Ok(simpler),
    }
}

impl Simplified {
    /// Measures how often the call fails, and lets each candidate have as many runs as that needs.
    fn measured(
        mut plan: Plan,
        property: Property,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let options = context.options;
        let sample = measure(&plan, &property, context)?;
        let flaky = Flaky::of(sample, options.repeat, options.at_least);
        plan.run_policy.repeat = flaky.repeat;
        plan.run_policy.at_least = flaky.at_least;
        Ok(Self {
            plan,
            property,
            flaky: Some(flaky),
        })
    }

    fn rate(&self) -> f64 {
        self.flaky.map_or(1.0, |flaky| flaky.input.rate())
    }
}

fn measure(
    plan: &Plan,
    property: &Property,
    context: &BaselineContext<'_>,
) -> Result<Sample, OracleError> {
    (context.note)("counting how often it fails");
    let begun = Instant::now();
    let is_enough = |sample: Sample, _: &Answer| {
        let is_late = begun.elapsed() >= LONGEST && sample.runs >= FEWEST_RUNS;
        sample.is_conclusive() || is_late
    };
    let mut worker = context.worker(plan)?;
    let sources = Sources::new();
    let sample = worker.sample(plan, &sources, property, &is_enough, context.cancel)?;
    context.count(u64::from(sample.runs));
    Ok(sample)
}

fn never_again(replayed: &Replayed, found: &Simplified) -> OracleError {
    let sample = found.flaky.map(|flaky| flaky.input).unwrap_or_default();
    OracleError::Unstable {
        command: found.plan.command(&found.plan.call.root),
        crashed: replayed.crashed + sample.failed,
        runs: replayed.runs + sample.runs,
        signatures: vec![replayed.property.signature.clone()],
    }
}
