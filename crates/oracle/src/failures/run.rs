//! `--run`: a program fails, or prints what is looked for.

use super::failure::{Failure, checked};
use crate::check::Execution;
use crate::check::program::Program;
use crate::error::OracleError;
use crate::observed::program::Harness;
use crate::plan::Plan;
use crate::search::original::outside::{self, is_comparable};
use crate::search::original::{Call, execution};
use crate::search::setting::Setting;
use crate::search::wanted::{BUILD, DirectoryWord, Wanted};
use crate::text::shell::line_of;

/// A program that fails.
pub(super) struct FailingProgram<'a> {
    pub(super) args: &'a [String],
}

impl Failure for FailingProgram<'_> {
    fn wanted(&self) -> Wanted {
        let flag = match self.args.is_empty() {
            true => "--run".to_owned(),
            false => format!("--run={}", line_of(self.args)),
        };
        Wanted {
            executes: true,
            one_target_for: Some("--run"),
            directory: match self.args.is_empty() {
                true => DirectoryWord::complete("run"),
                false => DirectoryWord::incomplete("run"),
            },
            verbs: BUILD,
            as_hang: Some(vec![flag]),
            ..Wanted::of("a program that fails")
        }
    }

    fn plan(&self, plan: Plan, setting: &Setting<'_>) -> Result<Plan, OracleError> {
        let execution = Execution {
            // Without a pattern every program would be one.
            may_succeed: !setting.options.demands.patterns.is_empty(),
            ..execution(&plan, self.args.to_vec(), Harness::None, setting)
        };
        Ok(checked(plan, Program(execution)))
    }

    /// What is looked for in the output of a program is not a failure.
    fn compare_outside(&self, call: &Call, setting: &Setting<'_>) -> Result<(), OracleError> {
        let is_failure = setting.options.demands.patterns.is_empty();
        match is_failure && is_comparable(setting) {
            true => outside::compare_program(call, self.args, setting),
            false => Ok(()),
        }
    }
}
