//! `--error`: the compiler reports an error, by its code or by what it says.

use super::failure::{Failure, checked};
use crate::check::diagnostic::diagnosed;
use crate::check::{Bench, Check, Seen, form};
use crate::error::OracleError;
use crate::observed::diagnostics::Report;
use crate::plan::Plan;
use crate::search::setting::Setting;
use crate::search::wanted::{DirectoryWord, Wanted};
use crate::signature::normalise;
use crate::text::pattern::Pattern;

/// An error of the compiler.
pub(super) struct Reported<'a> {
    pub(super) pattern: &'a Pattern,
}

impl Failure for Reported<'_> {
    fn wanted(&self) -> Wanted {
        let pattern = self.pattern;
        Wanted {
            directory: match pattern.is_code() {
                true => DirectoryWord::complete(format!("error-{pattern}").to_lowercase()),
                false => DirectoryWord::incomplete("error"),
            },
            as_hang: Some(vec![]),
            ..Wanted::of(format!("the error `{pattern}`"))
        }
    }

    fn plan(&self, plan: Plan, _: &Setting<'_>) -> Result<Plan, OracleError> {
        Ok(checked(plan, Reports(self.pattern.clone())))
    }
}

/// It is compiled, and the compiler reports an error.
#[derive(Debug)]
pub(super) struct Reports(pub(super) Pattern);

impl Check for Reports {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        diagnosed(bench, args, &|report| name(report, &self.0))
    }

    fn form(&self) -> String {
        form(&["diagnostic", "error"], &self.0)
    }

    fn may_stop_early(&self) -> bool {
        true
    }
}

/// What an error is called that is looked for. One that only matches the same pattern is another failure.
fn name(report: &Report, pattern: &Pattern) -> Option<String> {
    let code = report.code.as_deref();
    let is_wanted = match pattern.is_code() {
        true => code == Some(pattern.as_str()),
        // The message alone may end in the middle of what people read.
        false => pattern.is_match(&report.message) || pattern.is_match(&report.rendered),
    };
    let said = || code.map_or_else(|| normalise(&report.message), str::to_owned);
    (report.is_error && is_wanted).then(|| match pattern.is_code() {
        true => pattern.to_string(),
        false => format!("{}: {pattern}", said()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::diagnostic::{failures, printed};

    #[track_caller]
    fn check(pattern: &str, level: &str, expected: bool) {
        let pattern = pattern.parse().unwrap();
        let stderr = printed("E0308", level, "mismatched types");
        let found = failures(&stderr, &|report| name(report, &pattern));
        assert_eq!(!found.is_empty(), expected, "{pattern}");
    }

    #[test]
    fn an_error_is_known_by_its_code_or_by_what_it_says() {
        check("E0308", "error", true);
        check("E0309", "error", false);
        check("mismatched .ypes", "error", true);
        check("label here", "error", true);
        check("E0308", "warning", false);
    }
}
