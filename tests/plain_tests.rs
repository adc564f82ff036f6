//! Tests of reductions in which tests of other kinds become plain `#[test]` functions before they
//! are reduced.

use crate::support::failing_test::{reproduce, run};
use crate::support::{FEW_PASSES, Reduction, World, exit_code, read_tree};

/// Reduces a failing test, and checks that the command of the result fails in this way.
#[track_caller]
fn reduced(fixture: &str, args: &[&str], prints: &[&str]) -> Reduction {
    let world = World::with(fixture);
    let sources = read_tree(world.work());
    run(&world, &[args, &["--passes", FEW_PASSES]].concat()).expect_success();
    assert_eq!(read_tree(world.work()), sources, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    let shown = reproduce(&world, &reduction, 101);
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
    assert!(
        report.contains("--test doc_of_distance doc_of_distance -- --exact"),
        "{report}"
    );
}

/// Reduces a doc test of a file that the library includes, and checks that the command of the
/// result fails in this way.
#[track_caller]
fn reduced_doc(name: &str, prints: &[&str], has: &str) -> Reduction {
    let reduction = reduced("documented", &["--doc", name], prints);
    let code = reduction.code();
    assert!(code.contains(has), "{code}");
    reduction
}

#[test]
fn a_doc_test_of_an_included_file_has_the_flags_for_doc_tests() {
    let reduction = reduced_doc("src/lib.rs - (line 6)", &["left: 39", "right: 40"], "fee(");
    let code = reduction.code();
    assert!(!code.contains("winter"), "{code}");
}

#[test]
fn a_doc_test_that_should_panic_stays_one() {
    let prints = ["test did not panic as expected"];
    reduced_doc("src/lib.rs - (line 16)", &prints, "#[should_panic]");
}

#[test]
fn a_doc_test_in_another_edition_is_written_in_that_of_its_package() {
    reduced_doc(
        "src/lib.rs:12",
        &["left: \"43\"", "right: \"44\""],
        "fee(11)",
    );
}

#[test]
fn a_doc_test_that_should_not_compile_and_does_is_told_as_such() {
    let world = World::with("documented");
    let texts = [
        "it is marked `compile_fail`, and it compiles",
        "nothing to reduce",
    ];
    run(&world, &["--doc", "src/lib.rs - (line 24)"]).expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn a_doc_test_for_which_the_compiler_crashes_is_reduced_as_a_crash() {
    let world = World::with("documented");
    let name = ["--doc", "src/lib.rs - (line 30)"];
    let texts = ["the compiler crashes", "`cargo reduce --ice --doc`"];
    run(&world, &name).expect_failure(exit_code::NO_CRASH, &texts);
    run(&world, &["--ice", "--doc"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(code.contains("impl"), "{code}");
    assert!(reduction.number("tokens_after") <= 40, "{code}");
    reduction.reproduce(&world).expect_code(101);
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

/// Checks that a property becomes a plain test with the input for which it fails.
#[track_caller]
fn check_property(name: &str, prints: &[&str], has: &[&str]) {
    let args = ["--test", "properties", name];
    let reduction = reduced("property-tests", &args, prints);
    let code = reduction.code();
    for text in has {
        assert!(code.contains(text), "no `{text}` in\n{code}");
    }
    for name in ["proptest!", "prop_assert", "quickcheck"] {
        assert!(!code.contains(name), "`{name}` is in\n{code}");
    }
}

#[test]
fn the_input_that_a_property_fails_for_becomes_variables() {
    check_property(
        "each_crate_costs_ten",
        &["left: 79", "right: 80"],
        &[
            "#[test]\nfn each_crate_costs_ten() {",
            "let crates: u32 = 8;",
            "assert_eq!(total",
        ],
    );
}

#[test]
fn values_of_unknown_types_are_tried_in_several_forms() {
    check_property(
        "no_name_is_too_short",
        &["left: 0", "right: 1"],
        &[
            "let list = vec![String::from(\"a\")];",
            "let length: u32 = 1;",
        ],
    );
}

#[test]
fn a_function_that_is_handed_to_quickcheck_is_called() {
    check_property("prices_grow", &["assertion failed"], &["assert!(grows(8))"]);
}

#[test]
fn a_fuzz_target_becomes_an_integration_test_with_its_input() {
    let input = ["--fuzz", "words", "--input", "crash-without-a-space"];
    let message = "index out of bounds: the len is 3 but the index is 3";
    let reduction = reduced("fuzz-target", &input, &[message]);
    let code = reduction.code();
    assert!(code.contains("#[test]\nfn fuzz_words() {"), "{code}");
    assert!(code.contains("b\"abc\""), "{code}");
    assert!(!code.contains("libfuzzer"), "{code}");
}

#[test]
fn a_fuzz_target_that_is_not_there_is_told_with_those_that_are() {
    let world = World::with("fuzz-target");
    let input = ["--fuzz", "lines", "--input", "crash-without-a-space"];
    let texts = ["failed to find the fuzz target `lines`", "| words"];
    run(&world, &input).expect_failure(exit_code::BAD_INPUT, &texts);
}
