//! `--error`: the compiler reports an error, by its code or by what it says. Where the code is given, the shape of the message
//! counts too: errors of many kinds have the same code.

use super::failure::{Failure, checked};
use crate::check::diagnostic::{ToldBy, diagnosed};
use crate::check::{Bench, Check, Seen, form};
use crate::error::OracleError;
use crate::evidence::crash::first_error;
use crate::evidence::diagnostics::Report;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::failure_info::{DirectoryWord, FailureInfo};
use crate::signature::normalise;
use crate::text::pattern::Pattern;

/// An error of the compiler.
pub(super) struct Reported<'a> {
    pub(super) pattern: &'a Pattern,
}

impl Failure for Reported<'_> {
    fn info(&self) -> FailureInfo {
        let pattern = self.pattern;
        FailureInfo {
            directory: match pattern.is_code() {
                true => DirectoryWord::complete(format!("error-{pattern}").to_lowercase()),
                false => DirectoryWord::incomplete("error"),
            },
            as_hang: Some(vec![]),
            ..FailureInfo::of(format!("the error `{pattern}`"))
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        Ok(checked(plan, Reports::new(self.pattern.clone(), context)))
    }

    /// Whether a doc test shows the error: the pattern is asked of the code, or else of all that was said; the check then asks
    /// it of the message alone.
    fn shows_in_doc_test(&self, said: &str) -> bool {
        match self.pattern.is_code() {
            true => first_error(said, &|code| code == self.pattern.as_str()).is_some(),
            false => self.pattern.is_match(said),
        }
    }
}

/// The check that compiles a candidate, and looks for an error that the compiler reports.
#[derive(Debug)]
pub(super) struct Reports {
    pub(super) pattern: Pattern,
    pub(super) told_by: ToldBy,
}

impl Reports {
    /// Makes the check for an error that matches the pattern. The shape of a message counts where only a code was given: a
    /// regular expression says itself which words do.
    pub(super) fn new(pattern: Pattern, context: &BaselineContext<'_>) -> Self {
        let told_by = match pattern.is_code() {
            true => ToldBy::of(context.options),
            false => ToldBy::Name,
        };
        Self { pattern, told_by }
    }
}

impl Check for Reports {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        diagnosed(bench, args, &|report| {
            name(report, &self.pattern, self.told_by)
        })
    }

    fn form(&self) -> String {
        form(&["diagnostic", self.told_by.form("error")], &self.pattern)
    }

    fn may_stop_early(&self) -> bool {
        true
    }
}

/// Returns the name of a diagnostic, if it is an error that is looked for. One that only matches the same pattern is
/// another failure.
fn name(report: &Report, pattern: &Pattern, told_by: ToldBy) -> Option<String> {
    let code = report.code.as_deref();
    let is_wanted = match pattern.is_code() {
        true => code == Some(pattern.as_str()),
        // The message alone may end in the middle of what people read.
        false => pattern.is_match(&report.message) || pattern.is_match(&report.rendered),
    };
    let said = || code.map_or_else(|| normalise(&report.message), str::to_owned);
    (report.is_error && is_wanted).then(|| match pattern.is_code() {
        true => told_by.name(pattern.as_str(), &report.message),
        false => format!("{}: {pattern}", said()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::diagnostic::{failures, printed};

    fn found(pattern: &str, level: &str, message: &str, told_by: ToldBy) -> Vec<String> {
        let pattern = pattern.parse().unwrap();
        let stderr = printed("E0308", level, message);
        let found = failures(&stderr, &|report| name(report, &pattern, told_by));
        found.into_iter().map(|one| one.message).collect()
    }

    #[track_caller]
    fn check(pattern: &str, level: &str, expected: bool) {
        for told_by in [ToldBy::Name, ToldBy::Shape] {
            let found = found(pattern, level, "mismatched types", told_by);
            assert_eq!(!found.is_empty(), expected, "{pattern}");
        }
    }

    #[test]
    fn an_error_is_known_by_its_code_or_by_what_it_says() {
        check("E0308", "error", true);
        check("E0309", "error", false);
        check("mismatched .ypes", "error", true);
        check("label here", "error", true);
        check("E0308", "warning", false);
    }

    #[test]
    fn errors_of_a_code_are_told_apart_by_the_shape_of_their_messages() {
        let by_shape = |message| found("E0308", "error", message, ToldBy::Shape);
        let arms = by_shape("`match` arms have incompatible types");
        assert_eq!(arms, ["E0308: .. arm has incompatible type"]);
        assert_ne!(by_shape("mismatched types"), arms);
        let by_code = |message| found("E0308", "error", message, ToldBy::Name);
        assert_eq!(by_code("mismatched types"), ["E0308"]);
        let pattern = found("mis", "error", "mismatched types", ToldBy::Shape);
        assert_eq!(pattern, ["E0308: mis"]);
    }
}
