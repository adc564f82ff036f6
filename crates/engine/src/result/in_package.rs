//! The last check of a test of a package: it is put into a copy of the user's package, and compiled and run there by
//! cargo's own call.

use super::delivery::{Delivery, OtherInPackage};
use crate::ask::CompilerOracle;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::failure::Failure;
use crate::packaged::PackagedTest;
use reduce_oracle::{Cancel, Plan, Shown, Tested};

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
    let shown = oracle.show(&plan, best, patient)?;
    let mut delivery = Delivery {
        is_checked: true,
        is_interesting: oracle.is_interesting(&best.compile_options, &shown)
            && oracle.holds_elsewhere(&plan, &best.tree, patient)?,
        runs: u64::from(shown.runs),
        ..unchecked_in_package(plan, shown)
    };
    if delivery.is_interesting {
        let tested = test.tested(context, &best.tree, patient)?;
        delivery.runs += tested.runs;
        delivery.is_interesting =
            oracle.show_same_failure(&best.compile_options, tested.failure.as_slice());
        delivery.other_in_package = (!delivery.is_interesting).then(|| OtherInPackage {
            failure: tested.failure.clone(),
            flags: delivery.plan.differences(&tested.args),
        });
        delivery.shown = in_package(delivery.shown, tested);
    }
    Ok(delivery)
}

/// Delivers a result for the user's package that nobody has checked.
pub(super) fn unchecked_in_package(plan: Plan, shown: Shown) -> Delivery {
    Delivery {
        configuration: None,
        companions: plan.companion_plans(),
        plan,
        support: Vec::new(),
        shown,
        is_checked: false,
        is_interesting: false,
        runs: 0,
        other_in_package: None,
    }
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
