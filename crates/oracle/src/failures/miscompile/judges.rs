//! Judges look for undefined behaviour in a program of which two builds print different things: a program that has it may
//! print anything, and then nothing is wrong with the compiler.

use super::miri;
use crate::check::{
    AnyCheck, Bench, Check, CommandCall, Execution, Seen, Started, Starts, UndefinedBehaviour, form,
};
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::plan::{Plan, Sources, takes_unstable};
use crate::search::context::BaselineContext;
use crate::system::process::{Ending, Outcome};
use crate::text::output::tail;
use serde::Serialize;

/// The compiler's own checks: whether the MIR of a program is well-formed, and uses no local that has no storage.
const VALIDATION: [&str; 2] = ["-Zvalidate-mir", "-Zlint-mir"];

/// The judges that look for undefined behaviour in each candidate that would be accepted.
#[derive(Debug, Clone, Serialize)]
pub(in crate::failures) struct Judges {
    /// The flags of one more build, which has to succeed; none where the compiler does not take them, or refuses the input
    /// with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    validation: Vec<String>,
    /// The call of Miri, without the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    miri: Option<CommandCall>,
    /// The answer in results to the question whether somebody has looked for undefined behaviour.
    #[serde(skip)]
    told: UndefinedBehaviour,
}

impl Judges {
    /// Makes judges that look at nothing, for this reason.
    pub(super) fn nobody(reason: impl Into<String>) -> Self {
        Self {
            validation: vec![],
            miri: None,
            told: UndefinedBehaviour::Unchecked(reason.into()),
        }
    }

    /// Finds the judges that can judge the input, and accept it. The files that they need are readable in the plan from then
    /// on.
    ///
    /// # Errors
    /// Where Miri finds undefined behaviour in the input, or it cannot be asked for want of room and the like.
    pub(super) fn of(
        plan: &mut Plan,
        execution: &Execution,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let mut judges = match miri::find(plan, context)? {
            Err(reason) => Self::nobody(reason),
            Ok(found) => {
                plan.access.reads.extend(found.reads.iter().cloned());
                found.judge(plan, execution, context)?
            }
        };
        let compiler = &plan.call.compiler;
        if takes_unstable(&compiler.verbose_version, &plan.call.env) {
            let validation = VALIDATION.map(str::to_owned).to_vec();
            let alone = Self {
                validation,
                ..Self::nobody("")
            };
            if alone.hear(plan, execution, context)?.0 == Ending::Exited(0) {
                judges.validation = alone.validation;
            }
        }
        Ok(judges)
    }

    /// Says whether Miri looks at each candidate, and if not, why.
    pub(super) fn told(&self) -> &UndefinedBehaviour {
        &self.told
    }

    /// Asks each judge about the candidate that lies at the bench, until one refuses it. Returns the last answer: all accept
    /// the candidate where that ends with status 0.
    pub(super) fn ask(
        &self,
        bench: &mut dyn Bench,
        args: &[String],
        execution: &Execution,
    ) -> Result<Option<Outcome>, OracleError> {
        let mut answer = None;
        if !self.validation.is_empty() {
            answer = Some(bench.compile(&[args, &self.validation].concat())?);
            bench.clean_up()?;
        }
        let is_refused = answer.as_ref().is_some_and(refuses);
        if let Some(call) = self.miri.as_ref().filter(|_| !is_refused) {
            let call = miri::of_program(call, args, execution, bench.tree());
            let dir = bench.tree().join(&call.cwd);
            answer = Some(bench.call(&call, &dir, &[])?);
            bench.clean_up()?;
        }
        Ok(answer)
    }

    /// Runs the judges on the original program, and returns how they ended and what they printed.
    fn hear(
        &self,
        plan: &Plan,
        execution: &Execution,
        context: &BaselineContext<'_>,
    ) -> Result<(Ending, String), OracleError> {
        let asked = plan.clone().checked(AnyCheck::new(Asks {
            judges: self.clone(),
            execution: execution.clone(),
        }));
        let mut worker = context.worker(&asked)?;
        let (seen, shown) = worker.observe(&asked, &Sources::new(), context.cancel)?;
        context.count(1);
        match seen.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            ending => Ok((ending, shown.stderr)),
        }
    }
}

impl miri::InstalledMiri {
    /// Returns judges of which Miri is one, if it accepts the input; judges that look at nothing if it cannot run the
    /// input.
    fn judge(
        &self,
        plan: &Plan,
        execution: &Execution,
        context: &BaselineContext<'_>,
    ) -> Result<Judges, OracleError> {
        (context.note)("asking Miri whether the program has undefined behaviour");
        let judges = Judges {
            miri: Some(self.call.clone()),
            told: UndefinedBehaviour::CheckedBy(format!("Miri ({})", self.version)),
            ..Judges::nobody("")
        };
        let (ending, printed) = judges.hear(plan, execution, context)?;
        match miri::Answer::of(&ending, &printed) {
            miri::Answer::Accepted => Ok(judges),
            miri::Answer::Undefined => Err(OracleError::Undefined {
                output: tail(&printed),
            }),
            miri::Answer::Unknown(reason) => Ok(Judges::nobody(reason)),
        }
    }
}

/// Returns whether a judge refuses a program, which it does by any other end than status 0.
pub(super) fn refuses(answer: &Outcome) -> bool {
    answer.ending != Ending::Exited(0)
}

/// A check that asks the judges alone about the input.
#[derive(Debug, Clone, Serialize)]
struct Asks {
    judges: Judges,
    execution: Execution,
}

impl Check for Asks {
    fn run(&self, bench: &mut dyn Bench, args: &[String]) -> Result<Seen, OracleError> {
        let answer = self.judges.ask(bench, args, &self.execution)?;
        let answer = answer.expect("somebody is asked where this is made");
        let seen = Observation {
            crashes: vec![],
            ..Observation::of(&answer)
        };
        Ok((answer, seen))
    }

    fn form(&self) -> String {
        form(&["judged"], self)
    }

    fn starts(&self) -> Starts<'_> {
        Starts::Program(&self.execution)
    }

    fn adapted(&self, change: &mut dyn FnMut(Started<'_>)) -> Option<AnyCheck> {
        let mut check = self.clone();
        change(Started::Program(&mut check.execution));
        Some(AnyCheck::new(check))
    }
}
