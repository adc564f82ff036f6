//! Finds and replays the first of several compiler calls that fails as the user asked.

use super::replay::{self, Replayed};
use crate::error::OracleError;
use crate::failures::failure::Failure;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::original::Call;
use crate::signature::Signature;
use crate::system::sandbox::SandboxMode;

/// Replays the first of these compiler calls that fails as the user asked.
///
/// # Errors
/// That of the first call, if none of them fails in the way that is wanted.
pub(super) fn replay_first(
    failure: &dyn Failure,
    calls: Vec<Call>,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    if let Some((plan, expected)) = failure.find(&calls, context)? {
        return replay(plan, Some(expected), context);
    }
    let mut first_error = None;
    for call in calls {
        let plan = failure.plan(call.plan.clone(), context);
        let found = plan.and_then(|plan| replay(plan, None, context));
        if matches!(found, Ok(_) | Err(OracleError::NoFailure { .. })) {
            failure.compare_outside(&call, context)?;
        }
        match found {
            Err(error @ OracleError::NoFailure { .. }) => {
                first_error = first_error.or(Some(error));
            }
            found => return found,
        }
    }
    Err(first_error.expect("there is always a call"))
}

/// Replays a compiler call, without the sandbox where it may be left out and the failure does not show in it.
pub(super) fn replay(
    plan: Plan,
    expected: Option<Signature>,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    (context.note)("replaying the compiler call");
    let may_do_without =
        plan.access.sandbox == SandboxMode::Default && !plan.run_policy.check.executes();
    match replay::replay(plan.clone(), expected.clone(), context) {
        // A compiler may be a script that writes where it likes, a macro may ask a server.
        Err(error @ (OracleError::NoFailure { .. } | OracleError::Unstable { .. }))
            if may_do_without =>
        {
            let plan = plan.in_sandbox(SandboxMode::Off);
            let found = replay::replay(plan, expected, context).map_err(|_| error)?;
            (context.note)("doing without a sandbox: the failure does not show in it");
            Ok(found)
        }
        found => found,
    }
}
