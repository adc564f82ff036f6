//! `--rustdoc`: rustdoc crashes. It takes most arguments of rustc, and is asked like it.

use super::failure::Failure;
use crate::compiler::args;
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::failure_info::{CHECK, DirectoryWord, FailureInfo};

/// The arguments of rustc that rustdoc does not take.
const NOT_FOR_RUSTDOC: [&str; 6] = ["--emit", "-O", "-g", "-l", "--print", "--explain"];

/// A crash of rustdoc.
pub(super) struct RustdocCrash;

impl Failure for RustdocCrash {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            one_target_for: Some("--rustdoc"),
            directory: DirectoryWord::complete("rustdoc"),
            verbs: CHECK,
            has_own_tool: true,
            ..FailureInfo::of("a crash of rustdoc")
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        match plan.call.compiler.is_rustdoc() {
            // A package's calls are calls of rustdoc already.
            true => Ok(plan),
            false => self.with_tool(plan, &[], context),
        }
    }

    fn with_tool(
        &self,
        mut plan: Plan,
        more: &[String],
        context: &BaselineContext<'_>,
    ) -> Result<Plan, OracleError> {
        let (user, cancel) = (context.user, context.cancel);
        let compiler = plan.call.compiler.tool("rustdoc", user, cancel)?;
        let groups = args::groups(&plan.call.args).into_iter();
        let left_out: Vec<_> = groups
            .filter(|group| NOT_FOR_RUSTDOC.contains(&group.name.as_str()))
            .collect();
        let mut args = args::without(&plan.call.args, &left_out);
        let flags = user.vars.get("RUSTDOCFLAGS").map_or("", String::as_str);
        args.extend(flags.split_whitespace().map(str::to_owned));
        args.extend(more.iter().cloned());
        plan.call.compiler = compiler;
        plan.call.args = args;
        Ok(plan)
    }
}
