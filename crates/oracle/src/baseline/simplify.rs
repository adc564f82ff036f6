//! Simplifies the compiler call that was found: what cargo adds for its own purposes goes, lints are capped, and as
//! little is emitted as the crash needs. One run is enough where all of it is possible.
//!
//! Lints are capped so that a candidate is not refused for a lint that its own attributes deny, such
//! as an unused import. Where the result does without, the flag goes at the end like any other.

use super::quick_linking;
use crate::check::Starts;
use crate::compiler::args::{
    as_library, cargo_noise, optimisation, printed_forms, value, with_checks_of, with_emit,
    with_lints_capped, without,
};
use crate::error::OracleError;
use crate::evidence::property::Property;
use crate::plan::{Plan, Sources};
use crate::search::context::BaselineContext;
use crate::worker::{Answer, Worker};

/// The kinds of output that are tried, the cheapest first: `metadata` stops before code generation.
const EMITS: [&str; 2] = ["metadata", "obj"];

/// Finds the simplest call that still has the property, and the property with the errors that this
/// call shows.
pub(super) fn simplify(
    plan: Plan,
    property: Property,
    context: &BaselineContext<'_>,
) -> Result<(Plan, Property), OracleError> {
    let worker = context.worker(&plan)?;
    let mut trial = Trial {
        plan,
        property,
        worker,
        context,
    };
    match trial.plan.run_policy.check.starts() {
        Starts::Program(_) => trial.simplify_program()?,
        Starts::Command(_) => {}
        Starts::Nothing => {
            trial.print_nothing()?;
            trial.simplify()?;
            trial.make_library()?;
        }
    }
    Ok((trial.plan, trial.property))
}

/// Returns the simplest call that a call of the compiler may become, if it does with all simplifications.
pub(super) fn simplest(plan: &Plan) -> Plan {
    let quiet = without_noise(&plan.call.args);
    let capped = with_lints_capped(&quiet, plan.run_policy.check.lint_cap());
    plan.with_args(with_emit(&capped, EMITS[0]))
}

/// Returns the arguments without those that cargo adds for its own purposes.
fn without_noise(args: &[String]) -> Vec<String> {
    without(args, &cargo_noise(args))
}

struct Trial<'a> {
    plan: Plan,
    property: Property,
    worker: Worker,
    context: &'a BaselineContext<'a>,
}

impl Trial<'_> {
    /// Removes the arguments that print the program in another form, as most crashes show without them too, and the
    /// compiler goes less far then.
    fn print_nothing(&mut self) -> Result<(), OracleError> {
        let args = &self.plan.call.args;
        let fewer = without(args, &printed_forms(args));
        self.accept(fewer).map(drop)
    }

    fn simplify(&mut self) -> Result<(), OracleError> {
        let noise = cargo_noise(&self.plan.call.args);
        let quiet = without(&self.plan.call.args, &noise);
        let cap = self.plan.run_policy.check.lint_cap();
        if self.try_emits(&with_lints_capped(&quiet, cap))? {
            return Ok(());
        }
        if self.try_emits(&quiet)? || noise.is_empty() {
            return Ok(());
        }
        if !self.accept(quiet)? {
            self.drop_noise_one_by_one()?;
        }
        let args = self.plan.call.args.clone();
        self.try_emits(&args).map(drop)
    }

    /// Finds the lowest optimisation with which a program still fails, and libraries that need no linking: at once, with a
    /// linker that is called without `cc` where that can be, else one after the other.
    fn simplify_program(&mut self) -> Result<(), OracleError> {
        let found = self.plan.call.args.clone();
        let with_checks = |args: Vec<String>| with_checks_of(&args, &found);
        let quiet = with_checks(without_noise(&found));
        let plain = with_checks(without(&quiet, &optimisation(&quiet)));
        let capped = with_lints_capped(&plain, "allow");
        let simplest = self.plan.with_args(capped.clone());
        if let Some(link_args) = quick_linking::arguments(&simplest, self.context)?
            && self.accept_plan(simplest.linked_quickly(&link_args))?
        {
            return Ok(());
        }
        let dynamic = self.plan.linked_dynamically();
        if self.accept_plan(dynamic.with_args(capped.clone()))? {
            return Ok(());
        }
        for args in [capped, plain, quiet] {
            if self.accept(args)? {
                break;
            }
        }
        self.accept_plan(self.plan.linked_dynamically()).map(drop)
    }

    /// Compiles the crate as a library, which needs no `main`, if it still fails then.
    fn make_library(&mut self) -> Result<(), OracleError> {
        match as_library(&self.plan.call.args) {
            Some(args) => self.accept(args).map(drop),
            None => Ok(()),
        }
    }

    /// Changes the plan to `args` with the cheapest `--emit` that still crashes, if one does.
    fn try_emits(&mut self, args: &[String]) -> Result<bool, OracleError> {
        let given = value(args, "--emit");
        for emit in EMITS {
            let is_given = given.as_deref() == Some(emit);
            let is_other_given = given.as_deref() == Some("metadata") && !is_given;
            if !is_other_given && self.accept(with_emit(args, emit))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn drop_noise_one_by_one(&mut self) -> Result<(), OracleError> {
        let mut at = cargo_noise(&self.plan.call.args).len();
        while at > 0 {
            at -= 1;
            let group = cargo_noise(&self.plan.call.args).swap_remove(at);
            let args = without(&self.plan.call.args, &[group]);
            self.accept(args)?;
        }
        Ok(())
    }

    /// Changes the plan to these arguments if the crash is still there and no error is new.
    fn accept(&mut self, args: Vec<String>) -> Result<bool, OracleError> {
        if args == self.plan.call.args {
            return Ok(true);
        }
        self.accept_plan(self.plan.with_args(args))
    }

    fn accept_plan(&mut self, plan: Plan) -> Result<bool, OracleError> {
        let cancel = self.context.cancel;
        let answer = self
            .worker
            .judge(&plan, &Sources::new(), &self.property, cancel)?;
        let Answer {
            verdict,
            errors,
            runs,
            ..
        } = answer;
        self.context.count(u64::from(runs));
        if cancel.is_cancelled() {
            return Err(OracleError::Cancelled);
        }
        let is_accepted = verdict.is_interesting();
        if is_accepted {
            self.plan = plan;
            self.property.allowed_errors = errors;
        }
        Ok(is_accepted)
    }
}
