//! The reasons why mutants do not guard a test.

use crate::outcomes::Outcomes;
use reduce_oracle::CrashKind;
use reduce_passes::has_predicates;
use reduce_syntax::SourceTree;

/// The number of mutants that are too few to guard an assertion: a single one may tell of something
/// beside the bug.
const FEWEST_ASKED: usize = 2;

/// Returns the reason why the mutants chosen for candidates do not guard these tests, if they do
/// not.
pub(crate) fn weakness_of(
    outcomes: &Outcomes,
    tests: &SourceTree,
    is_whole: bool,
) -> Option<&'static str> {
    let asked = &outcomes.asked_when_merged;
    let failure = &outcomes.failure;
    let is_ended_early =
        failure.kind == CrashKind::ErrorReturned && outcomes.passed_in_success.is_empty();
    let is_caught =
        failure.has_caught_panic() && asked.iter().all(|(_, failure)| failure.is_some());
    let should_panic = failure.kind == CrashKind::NoPanic && !is_whole;
    match asked.is_empty() {
        true if should_panic => {
            Some("no mutant that is known to break no other test lets the test panic as it should")
        }
        false if should_panic => None,
        _ if is_ended_early => {
            Some("the test returns an error, and no mutant shows what comes after that")
        }
        _ if is_caught => {
            Some("its harness catches the panic, and the test passes under no mutant")
        }
        _ if !is_whole && is_judged_by_test(tests, outcomes) => {
            Some("a function of the test says what is right, and does so under no mutant")
        }
        _ => weakness(asked.len(), needs_several(outcomes)),
    }
}

/// Whether too few of the mutants that are chosen for linked code tell anything.
pub(crate) fn is_weak(outcomes: &Outcomes) -> bool {
    weakness(outcomes.asked.len(), needs_several(outcomes)).is_some()
}

/// Whether a single mutant does not guard a test: it fails in its own text, and no function is known that the
/// bug is in.
fn needs_several(outcomes: &Outcomes) -> bool {
    outcomes.is_own && outcomes.located_in.is_none()
}

/// Whether functions in the test's own text may decide whether it passes, and let it pass under no mutant. A function that
/// always says no fails as well.
fn is_judged_by_test(tests: &SourceTree, outcomes: &Outcomes) -> bool {
    let failure = &outcomes.failure;
    let is_judged = match failure.compared() {
        Some(values) => values
            .iter()
            .all(|value| matches!(*value, "true" | "false")),
        None => failure.kind == CrashKind::Assertion,
    };
    let is_never = outcomes.is_own && outcomes.passed_in_success.is_empty();
    is_judged && is_never && has_predicates(tests)
}

/// Returns the reason why so few mutants do not guard a test, if they do not. Several are needed if it fails in its own
/// text, and not in the code under test: a panic there tells what is wrong without them. A single one is enough where it is
/// known to be where the bug is.
fn weakness(n_asked: usize, needs_several: bool) -> Option<&'static str> {
    match n_asked {
        0 => Some("no mutant of the code under test changes the outcome of the test"),
        few if needs_several && few < FEWEST_ASKED => {
            Some("too few mutants of the code under test change the outcome of the test")
        }
        _ => None,
    }
}
