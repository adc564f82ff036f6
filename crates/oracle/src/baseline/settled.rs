//! Checks that a companion has the outcome that it must have for the original program.

use super::replay::Replayed;
use crate::error::OracleError;
use crate::plan::companion::Companion;
use crate::plan::{Plan, Sources};
use crate::search::context::BaselineContext;
use crate::system::process::Ending;
use crate::text::output::tail;
use crate::worker::{Elsewhere, Worker};
use std::collections::BTreeSet;

/// The factor by which a companion must be cheaper to be asked first.
const MUCH_CHEAPER: u32 = 2;
/// The words of rustc for a `-Z` flag that it does not know.
const UNKNOWN_FLAG: &str = "unknown unstable option";

/// Returns the companion, with its time, after it had the outcome that it must have for the original program.
pub(super) fn settled(
    companion: Companion,
    replayed: &Replayed,
    context: &BaselineContext<'_>,
) -> Result<Companion, OracleError> {
    let (mut seen, mut plan) = see(&companion, &replayed.plan, context)?;
    let mut companion = companion;
    if !seen.holds && seen.outcome.stderr.contains(UNKNOWN_FLAG) && !companion.is_stable {
        companion.is_stable = true;
        (seen, plan) = see(&companion, &replayed.plan, context)?;
    }
    let wall = seen.outcome.wall;
    if !seen.holds {
        let (command, output) = (plan.command(&plan.call.root), tail(&seen.printed()));
        return Err(match companion.version {
            Some(version) => OracleError::FailsInVersion {
                version: version.name,
                command,
                output,
            },
            None => OracleError::FailsElsewhere {
                demand: companion.demand,
                command,
                output,
            },
        });
    }
    Ok(Companion {
        is_cheaper: wall * MUCH_CHEAPER < replayed.duration,
        usual: Some(seen.spent),
        ..companion
    })
}

/// Asks the companion about the original program; where the failure is not stable, again and again until it is not
/// what it must be.
fn see(
    companion: &Companion,
    plan: &Plan,
    context: &BaselineContext<'_>,
) -> Result<(Elsewhere, Plan), OracleError> {
    let mut plan = plan.with_companions(Vec::new());
    plan.add_companion(companion.clone());
    let mut worker = Worker::new(context.scratch.join("replay"), &plan, &BTreeSet::new())?;
    let mut n_left = plan.run_policy.repeat.max(1);
    loop {
        let seen = worker.see_companion_of(&plan, 0, &Sources::new(), context.cancel)?;
        context.count(1);
        n_left -= 1;
        if seen.outcome.ending == Ending::Cancelled {
            return Err(OracleError::Cancelled);
        }
        if n_left == 0 || !seen.holds {
            return Ok((seen, companion.plan(&plan)));
        }
    }
}
