//! Which other tests of the package are run under mutants: those in its library, and some of its integration tests.

use super::random_tests::RandomTests;
use super::switches::{Switches, features};
use crate::candidate::sources;
use crate::failure::Failure;
use reduce_mutants::Instrumented;
use reduce_oracle::{Plan, Unit};
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// So many files of integration tests are compiled at most, the largest first,
const MOST_FILES: usize = 4;
/// if they have no more bytes.
const LARGEST: u64 = 200_000;

/// How other tests of the package are compiled.
pub(super) struct TestsBeside {
    pub(super) plan: Plan,
    /// Those of them that choose their input at random.
    pub(super) random: RandomTests,
    /// The library with its switches, where the tests are in it.
    pub(super) switches: Option<Arc<Instrumented>>,
}

/// Those that are linked with the switches that the failing test of `plan` is linked with.
///
/// # Errors
/// Where files of the package cannot be read.
pub(super) fn tests_beside(
    plan: &Plan,
    units: &[Unit],
    switches: &Switches,
) -> Result<Vec<TestsBeside>, Failure> {
    let mut found = Vec::new();
    for (idx, instrumented) in switches.linked() {
        let unit = &units[idx];
        if let Some(plan) = unit_tests(plan, unit, instrumented)? {
            found.push(TestsBeside {
                plan,
                random: RandomTests::of(instrumented.sources()),
                switches: Some(Arc::clone(instrumented)),
            });
        }
    }
    let mut files = plan.integration_tests_beside()?;
    files.retain(|(_, size)| *size <= LARGEST);
    files.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    for (plan, _) in files.into_iter().take(MOST_FILES) {
        let root = plan.inputs.tree.join(&plan.call.root);
        let text = std::fs::read_to_string(&root).unwrap_or_default();
        found.push(TestsBeside {
            plan,
            random: RandomTests::of(&SourceTree::single(root, text.into())),
            switches: None,
        });
    }
    for one in &mut found {
        one.plan = switches.switched.plan(&one.plan);
        one.plan.conduct.limits.usual = None;
    }
    Ok(found)
}

/// The plan of the tests in a library that has switches.
fn unit_tests(
    plan: &Plan,
    unit: &Unit,
    instrumented: &Instrumented,
) -> Result<Option<Plan>, Failure> {
    let tree = instrumented.sources();
    let has_tests = tree.files().any(|(_, _, text)| text.contains("#[test]"));
    if !has_tests {
        return Ok(None);
    }
    let features = features(instrumented.reach());
    Ok(plan.unit_tests_of(unit, &sources(tree), features)?)
}
