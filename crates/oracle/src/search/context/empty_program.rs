//! Measures what an empty program costs by the plan's compiler call. A bound that the user asks for must be well
//! above it: otherwise every candidate would fail, down to nothing.

use super::BaselineContext;
use crate::compiler::args;
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::system::process::{Ending, Outcome};
use crate::worker::Worker;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of runs of the empty program, of which the cheapest counts.
const RUNS: u32 = 3;

/// Returns the time and memory that the plan's compiler call uses for an empty program: the least of a few runs, each
/// figure by itself.
pub(crate) fn cost_of_nothing(
    plan: &Plan,
    context: &BaselineContext<'_>,
) -> Result<Outcome, OracleError> {
    let edited = BTreeSet::from([plan.call.root.clone()]);
    let mut worker = Worker::new(context.scratch.join("nothing"), plan, &edited)?;
    let text = match args::generates_code(&plan.call.args) {
        true => "fn main() {}",
        false => "",
    };
    let sources = Sources::from([(plan.call.root.clone(), Arc::from(text))]);
    let mut least = worker.cost(plan, &sources, context.cancel)?;
    for _ in 1..RUNS {
        let run = worker.cost(plan, &sources, context.cancel)?;
        least.wall = least.wall.min(run.wall);
        least.cpu = least.cpu.min(run.cpu);
        least.peak_memory_bytes = least.peak_memory_bytes.min(run.peak_memory_bytes);
        least.ending = run.ending;
    }
    context.count(u64::from(RUNS));
    match least.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        _ => Ok(least),
    }
}

/// Makes the error for a bound that an empty program nearly reaches.
pub(crate) fn too_low(
    plan: &Plan,
    usual: String,
    least: String,
    context: &BaselineContext<'_>,
) -> OracleError {
    OracleError::BoundTooLow {
        wanted: context.wanted.words.clone(),
        command: plan.command(&plan.call.root),
        usual,
        least,
    }
}
