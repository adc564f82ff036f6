//! A compiler run as a person sees it.

use super::Worker;
use crate::cancel::Cancel;
use crate::crash::Observation;
use crate::diagnostics::{query_stack, rendered};
use crate::error::OracleError;
use crate::flaky::confirming_runs;
use crate::plan::{Plan, Sources};
use crate::process::{Ending, Outcome};
use crate::signature::Signature;
use std::collections::BTreeSet;
use std::time::Duration;

/// A compiler run as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// All that was printed, by the compiler or what was run instead: diagnostics for people,
    /// backtrace included.
    pub stderr: String,
    /// What the program printed to its standard output.
    pub stdout: String,
    /// Whether the middle of it was left out, because it is longer than the limit.
    pub truncated: bool,
    /// Wall time of the last run.
    pub duration: Duration,
    /// How it ended.
    pub ending: Ending,
    /// The crash.
    pub signature: Option<Signature>,
    /// The ordinary errors: codes, or normalised messages.
    pub errors: BTreeSet<String>,
    /// The lines of the query stack, `#0 [..` first.
    pub query_stack: Vec<String>,
    /// Compiler runs.
    pub runs: u32,
}

impl Shown {
    /// All that was printed.
    #[must_use]
    pub fn printed(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }
}

impl Worker {
    /// Compiles a candidate as a person would, with the full query stack and a backtrace; where
    /// [`Plan::repeat`] is more than 1, again and again until it fails as `is_wanted` says, but not
    /// endlessly. Otherwise what is returned is the last run.
    ///
    /// # Errors
    /// When the tree cannot be written, the compiler cannot be started, or on cancellation.
    pub fn show(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        is_wanted: &dyn Fn(&Shown) -> bool,
        cancel: &Cancel,
    ) -> Result<Shown, OracleError> {
        let for_people = plan.for_people();
        let most = match plan.repeat {
            0 | 1 => 1,
            repeat => confirming_runs(repeat),
        };
        let mut runs = 0;
        loop {
            let (_, shown) = self.observe(&for_people, sources, cancel)?;
            runs += 1;
            if shown.ending == Ending::Cancelled {
                return Err(OracleError::Cancelled);
            }
            let shown = Shown { runs, ..shown };
            if is_wanted(&shown) {
                return Ok(shown);
            }
            if runs >= most {
                return self.read_as_asked(plan, sources, shown, cancel);
            }
        }
    }

    /// The same run as queries read it, where it crashed and people get other diagnostics: in a text for
    /// people, a message with a line break, such as one of a file's name, may be read as two.
    fn read_as_asked(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        shown: Shown,
        cancel: &Cancel,
    ) -> Result<Shown, OracleError> {
        if !shown.ending.is_of_crash() || plan.for_people().error_format == plan.error_format {
            return Ok(shown);
        }
        let (_, read) = self.observe(plan, sources, cancel)?;
        Ok(Shown {
            signature: read.signature,
            errors: read.errors,
            runs: shown.runs + 1,
            ..shown
        })
    }
}

pub(super) fn shown(outcome: Outcome, observation: Observation, runs: u32) -> Shown {
    Shown {
        query_stack: query_stack(&outcome.stderr),
        ending: outcome.ending,
        stdout: outcome.stdout,
        stderr: rendered(&outcome.stderr),
        truncated: outcome.truncated,
        duration: outcome.wall,
        signature: observation.crashes.into_iter().next(),
        errors: observation.errors.into_iter().collect(),
        runs,
    }
}
