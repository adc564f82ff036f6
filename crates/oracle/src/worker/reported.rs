//! Finds the errors of a program, each with its place.

use super::Worker;
use super::tools::FilePart;
use super::tree_paths::TreePaths;
use crate::compiler::args;
use crate::error::OracleError;
use crate::evidence::crash::{error_name, named_error};
use crate::evidence::diagnostics::{Remark, errors_with_spans, whole_errors};
use crate::plan::{Plan, Sources};
use crate::system::process::Outcome;
use reduce_platform::Cancel;
use std::time::Duration;

/// An error of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedError {
    /// The error's code, or its message without what depends on the program.
    pub name: String,
    /// The error's message without its code, in the form that signatures of crashes have.
    pub message: String,
    /// The part of a file that the error is about.
    pub part: FilePart,
}

/// An error of a program in all the words in which the compiler says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeError {
    /// The error's code, if it has one.
    pub code: Option<String>,
    /// The message in the error's first line.
    pub message: String,
    /// The labels, notes and suggestions of the error.
    pub details: Vec<String>,
    /// The part of a file that the error is about, where that is one of the program's.
    pub part: Option<FilePart>,
}

/// The point up to which the compiler goes to find errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The compiler goes as far as other crates need it to compile against the program.
    Metadata,
    /// The compiler goes as far as it does in a query.
    Query,
}

impl Worker {
    /// Returns the errors of a program, each with the part of a file that it is about, as far as it is in one of the
    /// program's; and the CPU time of the compiler. What the compiler does not come to after others is not among them, nor
    /// what a lint forbids.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn errors(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        extent: Extent,
        cancel: &Cancel,
    ) -> Result<(Vec<ReportedError>, Duration), OracleError> {
        let args = extent.args(plan);
        let Some((outcome, within)) = self.printed(plan, sources, &args, cancel)? else {
            return Ok(Default::default());
        };
        Ok((reported(&outcome, &within), outcome.cpu))
    }

    /// Returns the errors of a program in all words, and the CPU time of the compiler. `None` where what the program is
    /// compiled with does not compile, or the compiler has not said all.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn whole_errors(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        extent: Extent,
        cancel: &Cancel,
    ) -> Result<Option<(Vec<WholeError>, Duration)>, OracleError> {
        let printed = self.printed(plan, sources, &extent.args(plan), cancel)?;
        let Some((outcome, within)) = printed.filter(|(outcome, _)| !outcome.truncated) else {
            return Ok(None);
        };
        let errors = whole_errors(&outcome.stderr).map(|error| WholeError {
            code: error.code,
            message: error.message,
            details: error.details,
            part: error.span.and_then(|span| within.part(span)),
        });
        Ok(Some((errors.collect(), outcome.cpu)))
    }
}

/// Returns the errors that a compiler has printed, each with the part of a file that it is about.
pub(super) fn reported(outcome: &Outcome, within: &TreePaths) -> Vec<ReportedError> {
    let errors = errors_with_spans(&outcome.stderr).into_iter();
    let errors = errors.filter_map(|(remark, span)| {
        let Remark::Error { code, message } = &remark else {
            return None;
        };
        Some(ReportedError {
            name: error_name(&remark)?,
            message: named_error(code.as_deref(), message),
            part: within.part(span?)?,
        })
    });
    errors.collect()
}

impl Extent {
    fn args(self, plan: &Plan) -> Vec<String> {
        match self {
            Self::Metadata => args::with_emit(&plan.call.args, "metadata"),
            Self::Query => plan.query_args(),
        }
    }
}
