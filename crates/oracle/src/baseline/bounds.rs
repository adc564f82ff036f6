//! From which cost on a compiler run is a failure. What is asked for must be well above what a
//! program of nothing needs by the same call: otherwise every candidate would be one, down to nothing.

use super::Setting;
use crate::args;
use crate::check::{Check, Cost};
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::process::{Ending, Outcome};
use crate::worker::Worker;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// What does not end must run for so many times the time of an empty program: other programs may be
/// slow, or the machine busy.
const HANG_FACTOR: u32 = 5;
/// What is slow may take so many times the CPU time of the input.
const PATIENCE: u32 = 2;
/// Runs of the empty program, of which the cheapest counts.
const RUNS: u32 = 3;

/// The check for a compiler that does not end in so many seconds.
pub(super) fn hang(plan: &Plan, seconds: u64, setting: &Setting<'_>) -> Result<Check, OracleError> {
    let usual = cost_of_nothing(plan, setting)?.wall;
    let bound = Duration::from_secs(seconds);
    let least = usual * HANG_FACTOR;
    match bound < least {
        true => Err(too_low(
            plan,
            format!("{:.2} s", usual.as_secs_f64()),
            format!("`--hang {}`", least.as_secs() + 1),
            setting,
        )),
        false => Ok(Check::Cost(Cost::Hang(bound))),
    }
}

/// The check for a compiler that uses so much memory: at least half as much again as for nothing.
pub(super) fn memory(plan: &Plan, bytes: u64, setting: &Setting<'_>) -> Result<Check, OracleError> {
    let usual = cost_of_nothing(plan, setting)?.peak_memory_bytes;
    let least = usual + usual / 2;
    match bytes < least {
        true => Err(too_low(
            plan,
            format!("{} MiB", usual >> 20),
            format!("`--oom {}M`", (least >> 20) + 1),
            setting,
        )),
        false => Ok(Check::Cost(Cost::Memory(bytes))),
    }
}

/// The plan with the check for a compiler that takes so many times the CPU time that it takes for
/// nothing. Time varies: what is near the bound must be above it in two runs of two, and the result
/// passes its last check even if it is a little quicker. What takes much longer than the input is taken
/// for endless, and that is another failure.
pub(super) fn slow(plan: Plan, factor: u32, setting: &Setting<'_>) -> Result<Plan, OracleError> {
    let least = cost_of_nothing(&plan, setting)?.cpu * factor;
    let input = setting
        .worker(&plan)?
        .cost(&plan, &Sources::new(), setting.cancel)?;
    setting.count(1);
    let most = PATIENCE * input.cpu.max(least);
    Ok(Plan {
        check: Check::Cost(Cost::Cpu { least, most }),
        repeat: plan.repeat.max(2),
        at_least: plan.at_least.max(2),
        ..plan
    })
}

fn too_low(plan: &Plan, usual: String, least: String, setting: &Setting<'_>) -> OracleError {
    OracleError::BoundTooLow {
        wanted: setting.options.goal.describe(),
        command: plan.command(&plan.root),
        usual,
        least,
    }
}

/// What the compiler uses for a program of nothing, by the same call: the least of a few runs, each
/// figure by itself.
fn cost_of_nothing(plan: &Plan, setting: &Setting<'_>) -> Result<Outcome, OracleError> {
    let edited = BTreeSet::from([plan.root.clone()]);
    let mut worker = Worker::new(setting.scratch.join("nothing"), plan, &edited)?;
    let text = match args::generates_code(&plan.args) {
        true => "fn main() {}",
        false => "",
    };
    let sources = Sources::from([(plan.root.clone(), Arc::from(text))]);
    let mut least = worker.cost(plan, &sources, setting.cancel)?;
    for _ in 1..RUNS {
        let run = worker.cost(plan, &sources, setting.cancel)?;
        least.wall = least.wall.min(run.wall);
        least.cpu = least.cpu.min(run.cpu);
        least.peak_memory_bytes = least.peak_memory_bytes.min(run.peak_memory_bytes);
        least.ending = run.ending;
    }
    setting.count(u64::from(RUNS));
    match least.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        _ => Ok(least),
    }
}
