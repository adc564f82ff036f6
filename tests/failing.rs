//! Failing tests: from the command to one file that fails with the same message and the same values.

use crate::support::failing_test::{CASE, Case, check, run};
use crate::support::{Finished, Reduction, Running, World, exit_code, read_tree};

#[test]
fn as_main_makes_a_program_of_a_unit_test_of_a_library() {
    let (_world, reduction) = check(&Case {
        args: &["--lib", "--as-main"],
        at_most: 105,
        prints: &["called `Option::unwrap()` on a `None` value"],
        has: "fn main()",
        ..CASE
    });
    ends_at_emptied_bodies(&reduction);
    // The page begins with the original, from which the search begins with less.
    let first = &reduction.steps()["states"][0];
    assert_eq!(first[0], "the original");
    assert_eq!(first[1], reduction.number("tokens_before"));
}

/// Passes put `loop {}` in place of bodies: a test that calls one would run until its deadline.
#[track_caller]
fn ends_at_emptied_bodies(reduction: &Reduction) {
    let stages = reduction.summary()["stages"].to_string();
    assert!(stages.contains("\"end\""), "{stages}");
    assert!(!stages.contains("\"deadline\""), "{stages}");
}

#[test]
fn a_test_that_should_panic_stays_one() {
    check(&Case {
        args: &["--test", "others", "does_not_panic"],
        // The result has the attribute by which the test should panic.
        at_most: 60,
        prints: &["test did not panic as expected"],
        has: "#[should_panic]",
        ..CASE
    });
}

#[test]
fn what_a_test_reads_stays_where_it_is_in_the_package() {
    let (_world, reduction) = check(&Case {
        args: &["--test", "others", "reads_a_file"],
        at_most: 96,
        prints: &["left: 41", "right: 42"],
        ..CASE
    });
    assert!(reduction.is_single_file(), "{}", reduction.code());
}

#[test]
fn an_overflow_of_the_stack_stays_one() {
    check(&Case {
        args: &["--test", "others", "overflows"],
        at_most: 75,
        prints: &["has overflowed its stack"],
        noun: "- Crash: `stack overflow`",
        ..CASE
    });
}

#[test]
fn where_several_tests_fail_they_are_named() {
    let world = World::with("failing-tests");
    let texts = [
        "5 of them fail",
        "returns_an_error",
        "cargo reduce --test others overflows",
        "give one of these commands",
    ];
    run(&world, &["--test", "others"]).expect_failure(2, &texts);
}

#[test]
fn a_test_that_succeeds_is_none() {
    let world = World::with("failing-tests");
    let finished = run(&world, &["--test", "transfers", "what_is_taken_is_gone"]);
    finished.expect_failure(
        3,
        &["a failing test whose name has `what_is_taken_is_gone` in it"],
    );
}

/// Checks that a test that cannot be run is told with the command that reduces what stands in its
/// way.
#[track_caller]
fn check_broken(args: &[&str], message: &str, shown: &str, suggestion: &str) {
    let world = World::with("broken-tests");
    let finished = run(&world, args);
    finished.expect_failure(exit_code::NO_CRASH, &[message, shown, suggestion]);
}

#[test]
fn a_test_that_does_not_compile_is_shown_with_its_error_and_the_command_that_reduces_it() {
    check_broken(
        &["--test", "types"],
        "`cargo test --no-run --test types` does not compile it",
        "| error[E0308]: mismatched types",
        "`cargo reduce --error E0308 --test types`",
    );
    // The library compiles, but for its own tests.
    check_broken(
        &["--lib"],
        "`cargo test --no-run --lib` does not compile it",
        "src/lib.rs:14:29",
        "`cargo reduce --cargo 'test --no-run --lib'`",
    );
}

#[test]
fn a_test_for_which_the_compiler_crashes_is_told_as_a_crash() {
    check_broken(
        &["--test", "crash", "nothing_costs_nothing"],
        "the compiler crashes in `cargo test --no-run --test crash`",
        "| error: internal compiler error",
        "`cargo reduce --ice --test crash`",
    );
}

#[test]
fn a_library_that_is_to_be_run_is_no_program() {
    let world = World::with("broken-tests");
    let texts = ["failed to choose a program to be reduced", "--bin NAME"];
    run(&world, &["--run"]).expect_failure(exit_code::BAD_INPUT, &texts);
}

/// Runs the program with a variable that programs do not see, and with a file in the home.
fn with_surroundings(world: &World, args: &[&str]) -> Finished {
    std::fs::write(world.beside("home/article"), "article-7\n").expect("written");
    let mut command = world.program(&["--no-daemon", "--no-cache", "--output"]);
    command.arg(world.beside("out")).args(args);
    command.env("SHOP_ARTICLE", "article-7");
    command.env("SHOP_NAME", "nobody reads this");
    Running::start(command).finish()
}

#[track_caller]
fn check_other_in_sandbox(args: &[&str], texts: &[&str]) {
    let world = World::with("other-in-sandbox");
    with_surroundings(&world, args).expect_failure(exit_code::NO_CRASH, texts);
}

#[test]
fn a_failure_that_needs_a_variable_is_told_with_the_flag_that_passes_it_on() {
    check_other_in_sandbox(
        &["--test", "variable", "fails_either_way"],
        &[
            "the test `fails_either_way` fails in the sandbox in another way than outside",
            "| in the sandbox: panic of the program: called",
            "| outside: failed assertion: assertion `left == right` failed; left: 14; right: 15",
            "hint: with `--env SHOP_ARTICLE` it fails here as it does for you\n",
        ],
    );
    check_other_in_sandbox(
        &["--test", "variable", "fails_with_it"],
        &[
            "the test `fails_with_it` passes in the sandbox, and fails outside",
            "hint: with `--env SHOP_ARTICLE` it fails here",
        ],
    );
    check_other_in_sandbox(
        &["--test", "variable", "fails_without_it"],
        &[
            "the test `fails_without_it` fails in the sandbox, and passes outside",
            "hint: with `--env SHOP_ARTICLE` it passes here too",
        ],
    );
    check_other_in_sandbox(
        &["--run"],
        &[
            "the program fails in the sandbox in another way than outside",
            "hint: with `--env SHOP_ARTICLE` it fails here",
        ],
    );
}

#[test]
fn with_the_flag_that_was_named_the_users_failure_is_reduced() {
    let world = World::with("other-in-sandbox");
    let args = ["--test", "variable", "fails_either_way"];
    let args = [&args[..], &["--env", "SHOP_ARTICLE"]].concat();
    with_surroundings(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert!(reduction.code().contains("15"), "{}", reduction.code());
}

#[test]
fn a_test_that_binds_a_socket_needs_no_sandbox() {
    check_other_in_sandbox(
        &["--test", "surroundings", "binds_a_socket"],
        &[
            "| outside: failed assertion: assertion `left == right` failed: the shop is open",
            "hint: with `--sandbox off` it fails here as it does for you\n",
        ],
    );
}

#[test]
fn a_test_that_reads_the_home_is_told_that_it_finds_another() {
    check_other_in_sandbox(
        &["--test", "surroundings", "reads_the_home"],
        &["neither your variables nor `--sandbox off`", "`HOME`"],
    );
}

#[test]
fn a_test_that_has_files_compiled_is_told_how_to_reduce_such_a_file() {
    let world = World::with("other-in-sandbox");
    let manifest = std::fs::read_to_string(world.work().join("Cargo.toml")).expect("it is there");
    let dependency = "\n[dev-dependencies]\ntrybuild = { path = \"trybuild\" }\n";
    world.write("Cargo.toml", &format!("{manifest}{dependency}"));
    let of_library = "[package]\nname = \"trybuild\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
    world.write("trybuild/Cargo.toml", of_library);
    world.write("trybuild/src/lib.rs", "");
    let args = ["--test", "surroundings", "reads_the_home"];
    let texts = ["by `trybuild`", "`--example NAME --error CODE`"];
    with_surroundings(&world, &args).expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn what_the_run_outside_changes_is_as_it_was_for_the_reduction() {
    let world = World::with("other-in-sandbox");
    let args = ["--test", "surroundings", "changes_its_own_package"];
    let before = read_tree(world.work());
    with_surroundings(&world, &args).expect_success();
    assert_eq!(read_tree(world.work()), before);
    let report = Reduction::read(&world.beside("out")).report().to_owned();
    assert!(report.contains("left: \"1\"; right: \"2\""), "{report}");
}

#[test]
fn the_one_test_that_fails_for_the_user_is_meant_and_sees_no_more_than_others() {
    let world = World::with("other-in-sandbox");
    let args = ["--test", "several", "--and", "the shop is Err.NotPresent"];
    with_surroundings(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let signature = reduction.summary()["signature"].to_string();
    assert!(signature.contains("left: 6"), "{signature}");
}

#[test]
fn of_several_tests_those_count_that_fail_for_the_user() {
    let texts = [
        "2 of them fail",
        "| cargo reduce --test variable fails_either_way\n",
        "| cargo reduce --test variable fails_with_it\n",
    ];
    let world = World::with("other-in-sandbox");
    with_surroundings(&world, &["--test", "variable"]).expect_failure(2, &texts);
}
