//! `--warning`: a lint fires, one of rustc's or of clippy's. A lint may say several things, so the shape of the message counts too.

use super::clippy::with_clippy;
use super::failure::{Failure, checked};
use crate::check::diagnostic::{ToldBy, diagnosed};
use crate::check::{Bench, Check, Seen, form};
use crate::error::OracleError;
use crate::evidence::diagnostics::Report;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::failure_info::{CHECK, DirectoryWord, FailureInfo};

/// A lint that fires.
pub(super) struct Fired<'a> {
    pub(super) lint: &'a str,
}

impl Failure for Fired<'_> {
    fn info(&self) -> FailureInfo {
        let lint = self.lint;
        FailureInfo {
            directory: DirectoryWord::complete(format!("warning-{lint}")),
            verbs: CHECK,
            as_hang: Some(vec![]),
            ..FailureInfo::of(format!("a warning of `{lint}`"))
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let fires = Fires {
            lint: self.lint.to_owned(),
            told_by: ToldBy::of(context.options),
        };
        let plan = checked(plan, fires);
        match self.lint.starts_with("clippy::") {
            true => with_clippy(plan, context),
            false => Ok(plan),
        }
    }
}

/// The check that compiles a candidate, and sees whether the compiler reports a lint by this name, such as `dead_code`, at any
/// level.
#[derive(Debug)]
pub(super) struct Fires {
    pub(super) lint: String,
    pub(super) told_by: ToldBy,
}

impl Check for Fires {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        diagnosed(bench, args, &|report| {
            name(report, &self.lint, self.told_by)
        })
    }

    fn form(&self) -> String {
        form(&["diagnostic", self.told_by.form("lint")], &self.lint)
    }

    /// Lets lints warn: the one that is looked for must still be reported.
    fn lint_cap(&self) -> &'static str {
        "warn"
    }

    fn may_stop_early(&self) -> bool {
        true
    }
}

fn name(report: &Report, lint: &str, told_by: ToldBy) -> Option<String> {
    let is_wanted = report.code.as_deref() == Some(lint);
    is_wanted.then(|| told_by.name(lint, &report.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::diagnostic::{failures, printed};

    #[track_caller]
    fn check(lint: &str, level: &str, expected: bool) {
        let stderr = printed("E0308", level, "mismatched types");
        let found = failures(&stderr, &|report| name(report, lint, ToldBy::Shape));
        assert_eq!(!found.is_empty(), expected, "{lint}");
    }

    #[test]
    fn a_lint_is_known_by_its_name_at_any_level() {
        check("E0308", "warning", true);
        check("E0308", "error", true);
        check("dead_code", "warning", false);
    }

    #[test]
    fn what_a_lint_says_counts_unless_any_message_will_do() {
        let named = |message: &str, told_by: ToldBy| {
            let stderr = printed("unused_variables", "warning", message);
            failures(&stderr, &|report| name(report, "unused_variables", told_by))
        };
        let (unused, assigned) = (
            "unused variable: `x`",
            "variable `x` is assigned to, but never used",
        );
        let by_shape = |message| named(message, ToldBy::Shape);
        assert_eq!(by_shape(unused), by_shape("unused variable: `total`"));
        assert_ne!(by_shape(unused), by_shape(assigned));
        assert_eq!(named(unused, ToldBy::Name), named(assigned, ToldBy::Name));
    }
}
