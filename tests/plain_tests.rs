//! Tests of other kinds become plain `#[test]` functions before they are reduced.

mod support;

use support::failing_test::run;
use support::{FEW_PASSES, Reduction, World, exit_code, read_tree};

/// What is left of a failing test, whose command is seen to fail in this way.
#[track_caller]
fn reduced(fixture: &str, args: &[&str], prints: &[&str]) -> Reduction {
    let world = World::with(fixture);
    let sources = read_tree(world.work());
    run(&world, &[args, &["--passes", FEW_PASSES]].concat()).expect_success();
    assert_eq!(read_tree(world.work()), sources, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    let shown = reduction.reproduce(&world).expect_code(101);
    for text in prints {
        assert!(shown.everything().contains(text), "no `{text}` in\n{shown}");
    }
    reduction
}

#[test]
fn a_doc_test_becomes_an_integration_test() {
    let reduction = reduced(
        "doc-example",
        &["--doc"],
        &["left: 12964.0", "right: 11112.0"],
    );
    let code = reduction.code();
    assert!(code.contains("#[test]\nfn doc_of_distance() {"), "{code}");
    let report = reduction.report();
    assert!(report.contains("doc_of_distance --exact"), "{report}");
}

#[test]
fn a_doc_test_that_is_not_there_is_no_failing_test() {
    let world = World::with("doc-example");
    let texts = [
        "a failing test whose name has `fathoms` in it",
        "`cargo test",
    ];
    run(&world, &["--doc", "fathoms"]).expect_failure(exit_code::NO_CRASH, &texts);
}
