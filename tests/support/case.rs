//! Checks what must hold for every reduction of a fixture, and what a fixture adds to it.

use super::{Reduction, World, read_tree, reproduces_with};
use serde_json::Value;

/// A fixture, how it is asked for, and what a result must be like.
pub(crate) struct Case {
    pub(crate) fixture: &'static str,
    pub(crate) args: &'static [&'static str],
    /// The most tokens that a result may have. A person's result is in `fixtures/README.md`.
    pub(crate) at_most: u64,
    /// The number of times that the result is smaller than the input, at least.
    pub(crate) factor: u64,
    /// The compiler's words when it crashes: the file in rustc, and the message.
    pub(crate) crash: &'static [&'static str],
    /// Ordinary errors that belong to the crash.
    pub(crate) errors: &'static [&'static str],
}

/// A case to fill up with `..`: four times smaller, no error but the crash.
pub(crate) const CASE: Case = Case {
    fixture: "",
    args: &[],
    at_most: 0,
    factor: 4,
    crash: &[],
    errors: &[],
};

/// Reduces and checks everything that holds for every reduction: the figures, the result, the
/// report, and that the user's files are as they were.
#[track_caller]
pub(crate) fn check(case: &Case) -> Reduction {
    let world = World::with(case.fixture);
    let before = read_tree(world.work());
    let reduction = world.reduce_to("out", case.args);
    assert_eq!(
        read_tree(world.work()),
        before,
        "the user's files have changed"
    );
    check_figures(case, &reduction);
    reproduces_with(&reduction, &world, case.crash);
    check_report(case, &reduction);
    reduction
}

#[track_caller]
fn check_figures(case: &Case, reduction: &Reduction) {
    let (before, after) = (
        reduction.number("tokens_before"),
        reduction.number("tokens_after"),
    );
    let code = reduction.code();
    assert!(
        after <= case.at_most,
        "{after} tokens of {before}, {} allowed\n{code}",
        case.at_most
    );
    assert!(
        after * case.factor <= before,
        "{after} of {before} tokens are left\n{code}"
    );
    assert!(after > 0 && !code.trim().is_empty(), "nothing is left");
    let summary = reduction.summary();
    assert_eq!(summary["ended"], "fixpoint");
    assert_eq!(summary["clean"], case.errors.is_empty(), "{summary:#}");
    assert_eq!(
        summary["remaining_errors"],
        Value::from(case.errors.to_vec()),
        "{summary:#}"
    );
    assert!(reduction.number("queries") > 0, "no query and yet a result");
    assert!(
        summary["wall_seconds"]
            .as_f64()
            .is_some_and(|seconds| seconds > 0.0)
    );
}

#[track_caller]
fn check_report(case: &Case, reduction: &Reduction) {
    let report = reduction.report();
    let compiler = reduction.summary()["compiler"]
        .as_str()
        .expect("`compiler` is a string");
    assert!(
        compiler.contains("\nhost: "),
        "not the verbose version\n{compiler}"
    );
    let reproduce = reduction.summary()["reproduce"]
        .as_str()
        .expect("`reproduce` is a string");
    for text in case
        .crash
        .iter()
        .copied()
        .chain([compiler.trim(), reproduce])
    {
        assert!(report.contains(text), "no `{text}` in\n{report}");
    }
    let code = if reduction.is_single_file() {
        reduction.code().trim()
    } else {
        "```rust"
    };
    assert!(report.contains(code), "no `{code}` in\n{report}");
    let query = &reduction.summary()["signature"]["query"];
    assert_eq!(
        report.contains("Query stack"),
        !query.is_null(),
        "a query stack where there is one: {query}\n{report}"
    );
}
