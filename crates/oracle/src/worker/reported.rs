//! The errors of a program, each with its place.

use super::Worker;
use super::tools::FilePart;
use crate::compiler::args;
use crate::error::OracleError;
use crate::observed::crash::{error_name, named_error};
use crate::observed::diagnostics::{Remark, errors_with_spans};
use crate::plan::{Plan, Sources};
use crate::system::cancel::Cancel;
use std::time::Duration;

/// An error of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedError {
    /// Its code, or its message without what depends on the program.
    pub name: String,
    /// That message behind the code, as signatures of crashes have it.
    pub said: String,
    /// The part of a file that it is about.
    pub part: FilePart,
}

/// How far the compiler goes to find errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Up to what other crates need of the program.
    Metadata,
    /// As far as in a query.
    Query,
}

impl Worker {
    /// The errors of a program, each with the part of a file that it is about, as far as it is in one of the program's; and
    /// the CPU time of the compiler. What the compiler does not come to after others is not among them, nor what a lint
    /// forbids.
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
        let args = match extent {
            Extent::Metadata => args::with_emit(&plan.call.args, "metadata"),
            Extent::Query => plan.query_args(),
        };
        let Some((outcome, within)) = self.printed(plan, sources, &args, cancel)? else {
            return Ok(Default::default());
        };
        let errors = errors_with_spans(&outcome.stderr).into_iter();
        let errors = errors.filter_map(|(remark, span)| {
            let Remark::Error { code, message } = &remark else {
                return None;
            };
            Some(ReportedError {
                name: error_name(&remark)?,
                said: named_error(code.as_deref(), message),
                part: within.part(span?)?,
            })
        });
        Ok((errors.collect(), outcome.cpu))
    }
}
