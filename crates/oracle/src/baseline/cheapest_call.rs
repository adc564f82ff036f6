//! Finds the cheapest call of the compiler that shows the crash.

use crate::error::OracleError;
use crate::evidence::property::Property;
use crate::plan::{CheapestCall, Plan, Sources, takes_unstable};
use crate::search::context::BaselineContext;

/// Returns the plan with the cheapest compiler call on which the property holds, or as it is if no call is cheaper
/// than its own. The cheapest is tried first, so that looking costs less than a few queries.
pub(super) fn step_down(
    mut plan: Plan,
    property: &Property,
    context: &BaselineContext<'_>,
) -> Result<Plan, OracleError> {
    // A program that is run must be linked; and a measured use depends on how far the compiler
    // goes.
    if !plan.run_policy.check.may_stop_early() {
        return Ok(plan);
    }
    let mut worker = context.worker(&plan)?;
    let takes_unstable = takes_unstable(&plan.call.compiler.verbose_version, &plan.call.env);
    for cheapest_call in CheapestCall::below(&plan.call.args, takes_unstable) {
        let call = plan.with_args(cheapest_call.args(&plan.call.args));
        let answer = worker.judge(&call, &Sources::new(), property, context.cancel)?;
        context.count(u64::from(answer.runs));
        if context.cancel.is_cancelled() {
            return Err(OracleError::Cancelled);
        }
        if answer.verdict.is_interesting() {
            plan.run_policy.cheapest_call = Some(cheapest_call);
            break;
        }
    }
    Ok(plan)
}
