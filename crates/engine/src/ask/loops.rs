//! The programs that are asked about in place of candidates with a `loop {}`, which might run
//! without end.
//!
//! Passes put `loop {}` in place of bodies, as it fits each type. A program that gets there says
//! nothing until its deadline. So what is compiled and run has an end of the process in these places:
//! the program fails in the same way as the candidate up to there, and in another way from there on.
//! The candidate itself keeps its `loop {}`: it is shorter, and the last look at the result is one at
//! exactly what is delivered.
//!
//! The compiler evaluates constants, and comes to no end of a `loop {}` there, as the lint that would end it is capped. There
//! it is a panic first: where the crash comes before the evaluation it is there too, and the candidate itself is asked about.

use crate::failure::Failure;
use reduce_oracle::{Answer, Cancel, CrashKind, Plan, Property, Sources, Verdict, Worker};
use reduce_passes::{Halting, count_loops_in_constants, halting_at_loops, halting_in_constants};
use reduce_syntax::SourceTree;

/// The exit status of a program that got to a `loop {}`, and another one where the failure that is
/// looked for is this status.
const STATUSES: [i32; 2] = [86, 87];

/// The way in which candidates with a `loop {}` are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loops {
    /// Programs are run, and may get to a `loop {}`. A program that gets to such a place ends with
    /// this status.
    Run {
        /// The exit status of a program that gets to a loop.
        status: i32,
    },
    /// Programs are not run, but the compiler evaluates a `loop {}` in a constant.
    Evaluated {
        /// The number of loops in constants that the original has.
        known: usize,
    },
}

impl Loops {
    /// Chooses how the `loop {}` in candidates is kept from running; `None` where none runs or is evaluated, or where
    /// it may be the failure: when a program that hangs does, and when a script decides.
    pub(crate) fn of(plan: &Plan, property: &Property, original: &SourceTree) -> Option<Self> {
        let signature = &property.signature;
        if plan.runs_loops(signature) {
            let is_taken = signature.kind == CrashKind::ExitStatus(STATUSES[0]);
            let status = STATUSES[usize::from(is_taken)];
            return Some(Self::Run { status });
        }
        let is_evaluated = signature.is_of_compiler()
            || matches!(signature.kind, CrashKind::Signal(_) | CrashKind::Diagnostic);
        let known = count_loops_in_constants(original);
        is_evaluated.then_some(Self::Evaluated { known })
    }

    /// Asks about a program in which something that ends it stands in place of each `loop {}`. Where this does not tell
    /// all, the program is asked about as it is, too.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn judge_with_ends(
        self,
        tree: &SourceTree,
        worker: &mut Worker,
        (plan, property): (&Plan, &Property),
        cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        let mut ask = |sources: &Sources| Ok(worker.judge(plan, sources, property, cancel)?);
        let Some((halting, is_certain)) = self.halting(tree) else {
            return ask(&tree.to_files());
        };
        // Optimised code is not the same with other code around it.
        let is_certain = is_certain && !plan.compares_builds();
        if plan.run_policy.repeat > 1 && !is_certain {
            return ask(&tree.to_files());
        }
        let first = ask(&halting.to_files())?;
        if first.verdict.is_interesting() && !is_certain {
            let second = ask(&tree.to_files())?;
            return Ok(second.after(&first));
        }
        Ok(Answer {
            verdict: self.told(first.verdict),
            ..first
        })
    }

    /// Returns the program that is asked about first in place of a candidate, and whether the answer about it is that
    /// about the candidate. `None` where the candidate itself is asked about.
    fn halting(self, tree: &SourceTree) -> Option<(SourceTree, bool)> {
        match self {
            Self::Run { status } => {
                let Halting { tree, is_certain } = halting_at_loops(tree, status)?;
                Some((tree, is_certain))
            }
            Self::Evaluated { known } => Some((halting_in_constants(tree, known)?, false)),
        }
    }

    /// Translates the verdict about the program without endless loops into one about the candidate: one that got to a
    /// loop does not fail, as nobody looks for this status. Another crash is one of a program that nobody has.
    fn told(self, verdict: Verdict) -> Verdict {
        match (self, verdict) {
            (Self::Run { status }, Verdict::OtherCrash(crash))
                if crash.kind == CrashKind::ExitStatus(status) =>
            {
                Verdict::Rejected
            }
            (Self::Evaluated { .. }, Verdict::OtherCrash(_)) => Verdict::Rejected,
            (_, verdict) => verdict,
        }
    }

    /// Returns the program that takes a candidate's place in a joint compilation; `None` where that is the candidate
    /// itself.
    pub(super) fn beside_others(self, tree: &SourceTree) -> Option<SourceTree> {
        // Beside others no program is run, but constants are evaluated there too.
        let known = match self {
            Self::Run { .. } => 0,
            Self::Evaluated { known } => known,
        };
        halting_in_constants(tree, known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_in_a_constant_is_a_panic_beside_others() {
        let program = |text: &str| SourceTree::single("a.rs".into(), text.into());
        let check = |loops: Loops, text: &str, expected: Option<&str>| {
            let beside = loops.beside_others(&program(text));
            assert_eq!(beside, expected.map(program), "{loops:?}");
        };
        let constant = "const C: u8 = loop {}; fn f() { loop {} }";
        let panicking = "const C: u8 = panic! {}; fn f() { loop {} }";
        check(Loops::Run { status: 86 }, constant, Some(panicking));
        check(Loops::Run { status: 86 }, "fn f() { loop {} }", None);
        check(Loops::Evaluated { known: 0 }, constant, Some(panicking));
        check(Loops::Evaluated { known: 1 }, constant, None);
    }
}
