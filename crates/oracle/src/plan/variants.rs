//! The plan of a failing test that is asked in variants of the code under test: it is linked with crates that
//! have switches, and each candidate is run several times.

use super::programs::PROGRAM_VARIABLE;
use super::{Plan, Sources};
use crate::check::AnyCheck;
use crate::check::Execution;
use crate::check::variants::{
    Expected, OwnResults, VariantOutcome, VariantRuns, Variants as Check,
};
use crate::compiler::args;
use crate::evidence::own::Own;
use crate::evidence::property::Property;
use crate::signature::Signature;
use crate::system::budget::TimeSpent;
use crate::text::path::with_extension_of;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Crates whose code has switches for variants; a plan is linked with them in place of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Switched {
    /// The directory of the crates with switches.
    pub directory: Utf8PathBuf,
    /// The crates with switches, by the path of the crate that cargo has compiled; both without an extension.
    pub replaced: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    /// Programs that a test may start, with switches, by the path of the program that cargo has made.
    pub(crate) programs: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    /// Files of the test's own crate that stay as they are, with switches: paths are relative to the tree.
    pub texts: Sources,
    /// The digests of the crates with switches, for stored verdicts.
    pub(crate) digests: BTreeMap<Utf8PathBuf, [u8; 32]>,
}

/// The runs in which candidates must agree with the original, and the crates that they are linked with for it.
#[derive(Debug, Clone)]
pub struct Variants {
    switched: Switched,
    check: Check,
    usual: TimeSpent,
}

impl Switched {
    /// Returns the plan that links the crates with switches in place of its own. The others are found where they were.
    #[must_use]
    pub fn plan(&self, plan: &Plan) -> Plan {
        let mut switched = plan.with_args(self.args(&plan.call.args));
        for call in &mut switched.inputs.auxiliaries {
            call.args = self.args(&call.args);
        }
        switched.inputs.dependencies.extend(self.digests.clone());
        for program in switched.inputs.programs.values_mut() {
            if let Some(there) = self.programs.get(program) {
                program.clone_from(there);
            }
        }
        for (name, program) in &mut switched.call.env {
            let there = self.programs.get(Utf8Path::new(program));
            if let Some(there) = there.filter(|_| name.starts_with(PROGRAM_VARIABLE)) {
                *program = there.to_string();
            }
        }
        switched.with_texts(&self.texts)
    }

    /// Changes the arguments of a compiler call so that it links the crates with switches.
    pub(crate) fn args(&self, args: &[String]) -> Vec<String> {
        let mut args = args::with_dependencies(args, &|path| self.of(path));
        if self.replaced.is_empty() {
            return args;
        }
        args.push(format!("-Ldependency={}", self.directory));
        args
    }

    fn of(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let there = self.replaced.get(&path.with_extension(""))?;
        Some(with_extension_of(there, path))
    }
}

impl Variants {
    /// Makes the variants of a test; `usual` is the time that the original used in a query.
    #[must_use]
    pub fn new(
        switched: Switched,
        execution: Execution,
        expected: Expected,
        usual: TimeSpent,
    ) -> Self {
        Self {
            switched,
            check: Check::new(execution, Arc::new(expected)),
            usual,
        }
    }

    /// Returns the variants with other expected outcomes. The costs of runs are counted for both together.
    #[must_use]
    pub fn expecting(&self, expected: Expected) -> Self {
        Self {
            check: self.check.expecting(Arc::new(expected)),
            ..self.clone()
        }
    }

    /// Returns the variants of a program that has other results than the original. The costs of runs are counted for both
    /// together.
    #[must_use]
    pub fn expecting_own(&self, own: &OwnResults) -> Self {
        Self {
            check: self.check.expecting_own(own),
            ..self.clone()
        }
    }

    /// Returns the outcomes that a candidate must have, each in one variant.
    #[must_use]
    pub fn outcomes(&self) -> &[VariantOutcome] {
        self.check.outcomes()
    }

    /// Returns the switches that a candidate has to pass where no variant is on.
    #[must_use]
    pub fn entered(&self) -> &BTreeSet<u32> {
        self.check.entered()
    }

    /// Returns the failure that a candidate must show where no variant is on.
    #[must_use]
    pub fn failure(&self) -> &Signature {
        self.check.expected_failure()
    }

    /// Whether a candidate has to pass switches, or to come to its panic by certain calls, where no variant is on.
    #[must_use]
    pub fn asks_how_it_fails(&self) -> bool {
        self.check.asks_how_it_fails()
    }

    /// Returns the parts of a failure that are compared.
    #[must_use]
    pub fn own(&self) -> &Own {
        self.check.own()
    }

    /// Returns the plan by which a candidate is run in each variant. A plan that runs nothing stays as it is.
    #[must_use]
    pub fn plan(&self, plan: &Plan) -> Plan {
        let Some(execution) = plan.execution() else {
            return plan.clone();
        };
        let check = AnyCheck::new(self.check.executing(execution.clone()));
        let mut plan = self.switched.plan(plan).checked(check);
        plan.run_policy.limits.usual = Some(self.usual);
        plan
    }

    /// Returns the variants that are asked, each as a variable with its value.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.check.settings()
    }

    /// Returns the counter of what runs in variants have cost, which goes on counting.
    #[must_use]
    pub fn spent(&self) -> Arc<VariantRuns> {
        self.check.spent()
    }

    /// Returns the time that the original used in a query.
    #[must_use]
    pub fn usual(&self) -> TimeSpent {
        self.usual
    }

    /// Returns the property of a candidate that is asked in variants.
    #[must_use]
    pub fn property(&self, property: &Property) -> Property {
        Property {
            signature: self.check.expected_failure().clone(),
            ..property.clone()
        }
    }
}
