//! Finds the other tests of the package that are run under mutants: those in its library, and some of its
//! integration tests.

use crate::error::GuardError;
use crate::random_tests::RandomTests;
use crate::switches::{Switches, features};
use reduce_mutants::{Instrumented, MutantId};
use reduce_oracle::{Plan, Unit};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The largest number of files of integration tests that are compiled, the largest first.
const MOST_FILES: usize = 4;
/// The number of bytes above which a file of integration tests is not compiled.
const LARGEST: u64 = 200_000;

/// Other tests of the package: the plan by which they are compiled, and their switches.
pub(crate) struct TestsBeside {
    pub(crate) plan: Plan,
    /// The tests that choose their input at random.
    pub(crate) random: RandomTests,
    /// The library with its switches, where the tests are in it.
    pub(crate) switches: Option<Arc<Instrumented>>,
    /// The mutants that have no switch in these tests.
    pub(crate) left_out: BTreeSet<MutantId>,
    /// Whether these tests contain those of the failing test's own target.
    pub(crate) has_own: bool,
}

impl TestsBeside {
    /// Makes the tests of a plan that links the same crates with switches as the failing test.
    fn new(plan: Plan, random: RandomTests) -> Self {
        Self {
            plan,
            random,
            switches: None,
            left_out: BTreeSet::new(),
            has_own: false,
        }
    }
}

/// Returns all tests in the crate of a unit test.
pub(crate) fn tests_of_crate(
    plan: &Plan,
    crate_text: &SourceTree,
    switches: &Switches,
) -> Option<TestsBeside> {
    let rest = switches.rest.as_ref()?;
    let whole = rest.in_sources(crate_text);
    let ids = |one: &Instrumented| -> BTreeSet<MutantId> {
        one.mutants().iter().map(|mutant| mutant.id).collect()
    };
    let mut plan = switches.switched.plan(plan);
    plan.run_policy.limits.usual = None;
    Some(TestsBeside {
        left_out: &ids(rest) - &ids(&whole),
        switches: Some(Arc::new(whole)),
        has_own: true,
        ..TestsBeside::new(plan, RandomTests::of(crate_text))
    })
}

/// Returns the other tests of the package that can be run with the switches of the failing test of
/// `plan`.
///
/// # Errors
/// Where files of the package cannot be read.
pub(crate) fn tests_beside(
    plan: &Plan,
    units: &[Unit],
    switches: &Switches,
) -> Result<Vec<TestsBeside>, GuardError> {
    let mut found = Vec::new();
    for (idx, instrumented) in switches.linked() {
        let unit = &units[idx];
        if let Some(plan) = unit_tests(plan, unit, instrumented)? {
            let random = RandomTests::of(instrumented.sources());
            found.push(TestsBeside {
                switches: Some(Arc::clone(instrumented)),
                ..TestsBeside::new(plan, random)
            });
        }
    }
    let mut files = plan.integration_tests_beside()?;
    files.retain(|(_, size)| *size <= LARGEST);
    files.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    for (plan, _) in files.into_iter().take(MOST_FILES) {
        let root = plan.inputs.tree.join(&plan.call.root);
        let text = std::fs::read_to_string(&root).unwrap_or_default();
        let random = RandomTests::of(&SourceTree::single(root, text.into()));
        found.push(TestsBeside::new(plan, random));
    }
    for one in &mut found {
        one.plan = switches.switched.plan(&one.plan);
        one.plan.run_policy.limits.usual = None;
    }
    Ok(found)
}

/// Returns the plan of the tests in a library that has switches.
fn unit_tests(
    plan: &Plan,
    unit: &Unit,
    instrumented: &Instrumented,
) -> Result<Option<Plan>, GuardError> {
    let tree = instrumented.sources();
    let has_tests = tree.files().any(|(_, _, text)| text.contains("#[test]"));
    if !has_tests {
        return Ok(None);
    }
    let features = features(instrumented.reach());
    Ok(plan.unit_tests_of(unit, &tree.to_files(), features)?)
}
