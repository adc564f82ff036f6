//! `--regression` alone: whatever fails here, a crash if there is one, else the first error.

use super::error::Reports;
use super::failure::{Failure, checked};
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::search::context::BaselineContext;
use crate::search::failure_info::{DirectoryWord, FailureInfo};
use crate::text::pattern::Pattern;

/// Any failure: a crash or an error.
pub(super) struct WhateverFails;

impl Failure for WhateverFails {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            directory: DirectoryWord::incomplete("any"),
            as_hang: Some(vec![]),
            ..FailureInfo::of("a crash or an error")
        }
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let mut worker = context.worker(&plan)?;
        let (seen, _) = worker.observe(&plan, &Sources::new(), context.cancel)?;
        context.count(1);
        let error = seen.errors.first().filter(|_| seen.crashes.is_empty());
        Ok(match error.and_then(|error| pattern_of(error)) {
            Some(pattern) => checked(plan, Reports::new(pattern, context)),
            None => plan,
        })
    }
}

/// Returns the pattern that finds an error again: its code, or how its message begins.
fn pattern_of(error: &str) -> Option<Pattern> {
    match error.parse::<Pattern>() {
        Ok(code) if code.is_code() => Some(code),
        _ => {
            let said = error.split('`').next().unwrap_or_default();
            regex::escape(said).parse().ok()
        }
    }
}
