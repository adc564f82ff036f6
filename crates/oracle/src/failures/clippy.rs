//! `--clippy`: clippy crashes. Its driver takes the arguments of rustc, and is asked like it.

use super::failure::Failure;
use super::tool::Tool;
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::context::configuration::with_file_near;
use crate::search::failure_info::{CHECK, DirectoryWord, FailureInfo};

/// A crash of clippy.
pub(super) struct ClippyCrash;

impl Failure for ClippyCrash {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            directory: DirectoryWord::complete("clippy"),
            verbs: CHECK,
            ..FailureInfo::of("a crash of clippy")
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        with_clippy(plan, context)
    }
}

/// Replaces the plan's compiler by clippy's driver.
///
/// # Errors
/// Where it is not there.
pub(super) fn with_clippy(plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
    let (user, cancel) = (context.user, context.cancel);
    let compiler = plan
        .call
        .compiler
        .tool(Tool::Clippy.program(), user, cancel)?;
    let mut plan = with_file_near(plan, Tool::Clippy.configuration_files(), &user.cwd)?;
    plan.call.compiler = compiler;
    Ok(plan)
}
