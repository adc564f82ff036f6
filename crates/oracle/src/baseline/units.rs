//! Finds the crates that a compiler call links, and the `cfg`s that hold in each: the compiler is asked once for all
//! calls for which it would say the same.

use crate::compiler::toolchain::run_quickly;
use crate::compiler::unit::calls::Calls;
use crate::compiler::unit::configuration::{deciding_args, lines, without_unstable};
use crate::compiler::unit::{self, Unit};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::system::process::Ending;
use std::collections::BTreeMap;

/// The variable that allows unstable features, without which some `cfg`s do not exist.
const BOOTSTRAP: &str = "RUSTC_BOOTSTRAP";

/// Returns the crates that the plan's call links with their `cfg`s, and the `cfg`s of the call itself.
pub(super) fn find(
    plan: &Plan,
    context: &BaselineContext<'_>,
) -> Result<(Vec<Unit>, Vec<String>), OracleError> {
    let mut answers = Answers {
        plan,
        context,
        known: BTreeMap::new(),
    };
    let configuration = answers.configuration(&plan.call.args, &plan.call.env)?;
    if plan.run_policy.check.command().is_some() {
        // A command is not told what to link.
        return Ok((vec![], configuration));
    }
    let snapshot = context.snapshot();
    let calls = Calls {
        builds: &context.builds,
        tree: &snapshot,
    };
    let units = unit::linked_by(
        &plan.call.args,
        &plan.inputs.tree.join(&plan.call.cwd),
        &|artifact| calls.of(artifact),
        &mut |record| answers.configuration(&record.args, &record.env),
    )?;
    Ok((units, configuration))
}

/// The compiler's answers to the question which `cfg`s hold, by the arguments of the question.
struct Answers<'a> {
    plan: &'a Plan,
    context: &'a BaselineContext<'a>,
    known: BTreeMap<(Vec<String>, Option<String>), String>,
}

impl Answers<'_> {
    fn configuration(
        &mut self,
        args: &[String],
        env: &BTreeMap<String, String>,
    ) -> Result<Vec<String>, OracleError> {
        let question = (deciding_args(args), env.get(BOOTSTRAP).cloned());
        if !self.known.contains_key(&question) {
            let printed = self.ask(&question.0, question.1.as_deref())?;
            self.known.insert(question.clone(), printed);
        }
        let printed = self.known.get(&question).map_or("", String::as_str);
        Ok(lines(printed, args))
    }

    /// Asks the compiler for its `cfg`s. Some unstable options hinder it in its answer, or are not
    /// taken; none of them matters so much that there should be no answer.
    fn ask(&self, args: &[String], bootstrap: Option<&str>) -> Result<String, OracleError> {
        let printed = self.print(args, bootstrap)?;
        let stable = without_unstable(args);
        match printed {
            Some(printed) => Ok(printed),
            None if stable != args => Ok(self.print(&stable, bootstrap)?.unwrap_or_default()),
            None => Ok(String::new()),
        }
    }

    fn print(
        &self,
        args: &[String],
        bootstrap: Option<&str>,
    ) -> Result<Option<String>, OracleError> {
        let print = ["--print", "cfg"].map(str::to_owned);
        let mut env = self.plan.call.env.clone();
        env.remove(BOOTSTRAP);
        env.extend(bootstrap.map(|value| (BOOTSTRAP.to_owned(), value.to_owned())));
        let outcome = run_quickly(
            &self.plan.call.compiler.frontend(),
            &[args, &print].concat(),
            &env,
            &self.context.scratch,
            self.context.cancel,
        )?;
        self.context.count(1);
        match outcome.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            Ending::Exited(0) => Ok(Some(outcome.stdout)),
            _ => Ok(None),
        }
    }
}
