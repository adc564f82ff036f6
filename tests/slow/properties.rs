//! Tests of more failures that are no crash of the compiler; `tests/properties.rs` has one of each
//! kind.

use crate::support::property::{CASE, Case, TIMED_OUT, arguments, check, check_run, pasted};
use crate::support::{FEW_PASSES, Reduction, Running, World, copy};
use std::path::Path;

#[test]
fn an_error_is_also_known_by_what_it_says() {
    check(&Case {
        fixture: "error-borrow.rs",
        args: &["--error", "cannot find function `page_of`"],
        at_most: 12,
        prints: &["error[E0425]: cannot find function `page_of`"],
        ..CASE
    });
}

#[test]
fn cargo_is_not_waited_for_where_its_compiler_does_not_end() {
    let world = package_of("compiler-hangs.rs");
    let output = world.beside("out");
    let mut command = world.program(&["--output"]);
    command.arg(&output).args(arguments("", &["--hang", "3"]));
    Running::start(command).finish().expect_success();
    let reduction = Reduction::read(&output);
    assert!(
        reduction.number("tokens_after") <= 12,
        "{}",
        reduction.code()
    );
    pasted(&world, &reduction).expect_code(TIMED_OUT);
}

/// A package whose program is a fixture that is one file.
fn package_of(fixture: &str) -> World {
    let world = World::empty();
    let manifest =
        "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::write(world.work().join("Cargo.toml"), manifest).expect("written");
    std::fs::create_dir(world.work().join("src")).expect("a directory can be made");
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures")
        .join(fixture);
    copy(&file, &world.work().join("src/main.rs"));
    world
}

#[test]
fn a_program_returns_the_same_error() {
    check_run(
        &["--run=error"],
        170,
        1,
        &["Heavy { weight: 30, limit: 25 }"],
    );
}

#[test]
fn a_program_that_succeeds_prints_what_is_looked_for() {
    check_run(
        &["--run", "--and", "3 of [0-9]+ kg", "--not", "error"],
        105,
        0,
        &["3 of "],
    );
}

#[test]
fn a_program_of_a_package_is_one_file_in_the_end() {
    check(&Case {
        fixture: "program-in-package",
        args: &["--run", "--bin", "teller"],
        at_most: 230,
        code: 101,
        prints: &["the ledger does not close", "left: 1042", "right: 1050"],
        ..CASE
    });
}

#[test]
fn memory_of_the_compiler_stays_above_a_bound() {
    check(&Case {
        fixture: "compiler-eats-memory.rs",
        args: &["--oom", "150M"],
        at_most: 60,
        code: 0,
        ..CASE
    });
}

#[test]
fn time_of_the_compiler_stays_above_a_bound() {
    check(&Case {
        fixture: "compiler-is-slow.rs",
        args: &["--slow", "5"],
        at_most: 70,
        code: 0,
        ..CASE
    });
}

#[test]
fn a_program_ends_with_the_same_status() {
    check_run(&["--run=status a b"], 50, 3, &[]);
}

#[test]
fn a_program_that_reads_a_wrong_address_goes_on_doing_so() {
    check(&Case {
        fixture: "program-fails.rs",
        args: &["--run=address"],
        at_most: 25,
        code: 139,
        noun: "- Crash: `signal 11`",
        ..CASE
    });
}

#[test]
fn a_program_panics_with_the_same_values() {
    let values = &["index out of bounds: the len is 3 but the index is 7"];
    check_run(&["--run=index"], 95, 101, values);
}

#[test]
fn two_builds_go_on_to_print_different_things() {
    check(&Case {
        fixture: "miscompiled.rs",
        args: &["--miscompile"],
        at_most: 60,
        code: 0,
        ..CASE
    });
}

#[test]
fn a_compiler_that_does_not_end_is_waited_for_as_long_as_it_is_said() {
    check(&Case {
        fixture: "compiler-hangs.rs",
        args: &["--hang", "4"],
        at_most: 12,
        code: TIMED_OUT,
        ..CASE
    });
}

#[test]
fn a_program_does_not_end() {
    check_run(&["--run=wait", "--hang", "2"], 15, TIMED_OUT, &[]);
}

#[test]
fn memory_and_time_of_the_compiler_stay_above_a_bound() {
    check(&Case {
        fixture: "compiler-eats-memory.rs",
        args: &["--oom", "150M", "--passes", FEW_PASSES],
        at_most: 90,
        code: 0,
        ..CASE
    });
    check(&Case {
        fixture: "compiler-is-slow.rs",
        args: &["--slow", "5", "--passes", FEW_PASSES],
        at_most: 125,
        code: 0,
        ..CASE
    });
}
