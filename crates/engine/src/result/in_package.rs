//! The last check of a test of a package: it is put into a copy of the user's package, and compiled and run there by
//! cargo's own call.

use super::delivery::{Delivery, OtherInPackage};
use crate::ask::CompilerOracle;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::failure::Failure;
use crate::packaged::PackagedTest;
use reduce_oracle::{Cancel, Shown, Tested};

/// Shows a result to the compiler as candidates were shown, and then runs it in the user's package. What the package
/// shows is what is delivered.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn deliver_in_package(
    oracle: &CompilerOracle,
    best: &Candidate,
    test: &PackagedTest,
    context: &Context<'_>,
    patient: &Cancel,
) -> Result<Delivery, Failure> {
    let plan = oracle.plan(&best.compile_options);
    let shown = oracle.show(&plan, &best.tree, patient)?;
    let mut runs = u64::from(shown.runs);
    let mut is_interesting =
        oracle.is_interesting(&shown) && oracle.holds_elsewhere(&plan, &best.tree, patient)?;
    let mut shown = shown;
    let mut other_in_package = None;
    if is_interesting {
        let tested = test.tested(context, &best.tree, patient)?;
        runs += tested.runs;
        is_interesting = is_same(oracle, &tested);
        other_in_package = (!is_interesting).then(|| OtherInPackage {
            failure: tested.failure.clone(),
            flags: plan.differences(&tested.args),
        });
        shown = in_package(shown, tested);
    }
    Ok(Delivery {
        configuration: None,
        companions: plan.companion_plans(),
        plan,
        support: Vec::new(),
        shown,
        is_checked: true,
        is_interesting,
        runs,
        other_in_package,
    })
}

/// Delivers a result for the user's package that nobody has time to check.
pub(super) fn unchecked_in_package(
    oracle: &CompilerOracle,
    best: &Candidate,
    of_input: &Shown,
) -> Delivery {
    let plan = oracle.plan(&best.compile_options);
    Delivery {
        configuration: None,
        companions: plan.companion_plans(),
        plan,
        support: Vec::new(),
        shown: of_input.clone(),
        is_checked: false,
        is_interesting: false,
        runs: 0,
        other_in_package: None,
    }
}

fn is_same(oracle: &CompilerOracle, tested: &Tested) -> bool {
    let mut failures = tested.failure.iter();
    failures.any(|failure| oracle.is_same_failure(failure))
}

/// Puts the output of the test in its package in place of the output that the result had outside of
/// it.
fn in_package(shown: Shown, tested: Tested) -> Shown {
    Shown {
        stdout: tested.stdout,
        stderr: tested.stderr,
        ..shown
    }
}
