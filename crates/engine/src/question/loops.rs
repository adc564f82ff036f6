//! What is asked about in place of a candidate that has a `loop {}` which may run.
//!
//! Passes put `loop {}` in place of bodies, as it fits each type. A program that gets there says
//! nothing until its deadline. So what is compiled and run has an end of the process in these places:
//! the program fails in the same way as the candidate up to there, and in another way from there on.
//! The candidate itself keeps its `loop {}`: it is shorter, and the last look at the result is one at
//! exactly what is delivered.

use crate::candidate::sources;
use crate::failure::Failure;
use reduce_oracle::{Answer, Cancel, CrashKind, Plan, Property, Sources, Verdict, Worker};
use reduce_passes::{Halting, halting_at_loops};
use reduce_syntax::SourceTree;

/// The exit status of a program that got to a `loop {}`, and another one where the failure that is
/// looked for is this status.
const STATUSES: [i32; 2] = [86, 87];

/// How candidates with a `loop {}` are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Loops {
    status: i32,
}

impl Loops {
    /// `None` where a `loop {}` does not run, or where it may be what is looked for: when the compiler
    /// fails, when a program that hangs does, and when a script decides.
    pub(crate) fn of(plan: &Plan, property: &Property) -> Option<Self> {
        let signature = &property.signature;
        let is_run = plan.runs_loops(signature);
        let is_taken = signature.kind == CrashKind::ExitStatus(STATUSES[0]);
        let status = STATUSES[usize::from(is_taken)];
        is_run.then_some(Self { status })
    }

    /// Asks about a program, with an end in place of each `loop {}`. Where this does not tell all, the
    /// program is asked about as it is, too.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn ask(
        self,
        tree: &SourceTree,
        worker: &mut Worker,
        (plan, property): (&Plan, &Property),
        cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        let mut ask = |sources: &Sources| Ok(worker.ask(plan, sources, property, cancel)?);
        let Some(Halting {
            tree: halting,
            is_certain,
        }) = halting_at_loops(tree, self.status)
        else {
            return ask(&sources(tree));
        };
        // Optimised code is not the same with other code around it.
        let is_certain = is_certain && !plan.compares_builds();
        if plan.conduct.repeat > 1 && !is_certain {
            return ask(&sources(tree));
        }
        let first = ask(&sources(&halting))?;
        if first.verdict.is_interesting() && !is_certain {
            let second = ask(&sources(tree))?;
            return Ok(second.after(&first));
        }
        Ok(Answer {
            verdict: self.told(first.verdict),
            ..first
        })
    }

    /// A program that got to a loop is one that does not fail: nobody looks for this status.
    fn told(self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::OtherCrash(crash) if crash.kind == CrashKind::ExitStatus(self.status) => {
                Verdict::Rejected
            }
            verdict => verdict,
        }
    }
}
