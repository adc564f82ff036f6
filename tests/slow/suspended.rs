//! A test of a suspension that is longer than a query may take.

use crate::support::suspended;
use std::time::Duration;

/// The time of the suspension, which is longer than the half minute of wall time that a query may
/// take at least.
const LONG: Duration = Duration::from_secs(45);

#[cfg(target_os = "linux")]
#[test]
fn a_reduction_that_is_suspended_for_longer_than_a_query_may_take_has_the_same_result() {
    suspended::check(LONG);
}
