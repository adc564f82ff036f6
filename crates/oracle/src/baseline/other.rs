//! Finds the failure of another program that is reduced in place of the input: one that was made of it by an earlier
//! reduction, and that crashes in another way.

use super::first::replay;
use super::replay::Replayed;
use crate::compiler::args;
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::search::context::{BaselineContext, OtherProgram};
use std::sync::Arc;

/// Compiles the program that is reduced in place of the input, by the compiler call that was found for the input. The
/// files that it shares with the input are not edited in the tree of the plan, which stays a copy of the user's.
///
/// # Errors
/// [`OracleError::OtherCrashGone`] where it does not crash as it did.
pub(super) fn find_failure(
    plan: Plan,
    other: &OtherProgram,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    let texts = other.sources.iter();
    let texts: Sources = texts
        .map(|(path, text)| (path.clone(), Arc::from(text.as_str())))
        .collect();
    let gone = |seen: String| OracleError::OtherCrashGone {
        crash: other.crash.clone(),
        seen,
    };
    let mut plan = plan.with_texts(&texts);
    if let Some(arguments) = &other.arguments {
        plan = plan.with_args(arguments.clone());
        plan.call.edition = args::edition(arguments);
        plan.call.crate_name = args::crate_name(arguments, &plan.call.root);
    }
    match replay(plan, None, context) {
        Ok(found) if found.property.signature.to_string() == other.crash => Ok(found),
        Ok(found) => {
            let seen = format!("it crashes in another way: {}", found.property.signature);
            found.behind(&other.crash).ok_or_else(|| gone(seen))
        }
        Err(OracleError::NoFailure { .. }) => Err(gone("it does not crash".to_owned())),
        Err(error) => Err(error),
    }
}
