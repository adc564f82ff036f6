//! Failures that are no crash of the compiler: programs that are run, errors, warnings, and what the
//! compiler costs. Each from the command to what a user pastes into an empty directory.

mod support;

use std::path::Path;
use support::{Finished, Reduction, Running, World, copy, exit_code};

/// A fixture, what is looked for in it, and what a result must be like.
struct Case {
    fixture: &'static str,
    args: &'static [&'static str],
    /// The most tokens that a result may have.
    at_most: u64,
    /// How the command ends that shows the failure.
    code: i32,
    /// What it prints.
    prints: &'static [&'static str],
    /// What the result does not have.
    lacks: &'static [&'static str],
    /// What the report calls it.
    noun: &'static str,
}

/// For `..`: a Rust file whose reproducing command fails.
const CASE: Case = Case {
    fixture: "",
    args: &[],
    at_most: 0,
    code: 1,
    prints: &[],
    lacks: &[],
    noun: "- Failure: ",
};

fn arguments<'a>(fixture: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    let file = fixture.ends_with(".rs").then_some(fixture);
    let common = ["--no-daemon", "--no-cache", "--jobs", "2"];
    common
        .into_iter()
        .chain(args.iter().copied())
        .chain(file)
        .collect()
}

/// Reduces, and runs the command of the result in a directory where nothing is but the result.
#[track_caller]
fn check(case: &Case) -> Reduction {
    let world = World::with(case.fixture);
    let output = world.beside("out");
    let mut command = world.program(&["--output"]);
    command
        .arg(&output)
        .args(arguments(case.fixture, case.args));
    Running::start(command).finish().expect_success();
    let reduction = Reduction::read(&output);
    let tokens = reduction.number("tokens_after");
    let code = reduction.code();
    assert!(tokens <= case.at_most, "{tokens} tokens\n{code}");
    assert!(tokens > 0, "nothing is left");
    for text in case.lacks {
        assert!(!code.contains(text), "`{text}` is in\n{code}");
    }
    let pasted = pasted(&world, &reduction).expect_code(case.code);
    for text in case.prints {
        assert!(
            pasted.everything().contains(text),
            "no `{text}` in\n{pasted}"
        );
    }
    check_words(&reduction, case.noun);
    reduction
}

/// The command of the result, in a directory with the result alone.
fn pasted(world: &World, reduction: &Reduction) -> Finished {
    assert!(reduction.is_single_file(), "{:#}", reduction.summary());
    let directory = world.beside("empty");
    std::fs::create_dir(&directory).expect("a directory can be made");
    std::fs::write(directory.join("reduced.rs"), reduction.code()).expect("written");
    let line = reduction.summary()["reproduce"].as_str();
    let mut shell = world.command("sh");
    shell.args(["-c", line.expect("it is a string")]);
    shell.current_dir(&directory);
    Running::start(shell).finish()
}

/// It is no crash of the compiler, and no report calls it one; a signal is one of the program.
#[track_caller]
fn check_words(reduction: &Reduction, noun: &str) {
    let report = reduction.report();
    assert!(report.contains(noun), "{report}");
    assert_eq!(reduction.summary()["clean"], true, "{report}");
}

#[test]
fn an_error_of_a_file_stays_and_the_others_go() {
    check(&Case {
        fixture: "error-borrow.rs",
        args: &["--error", "E0502"],
        at_most: 23,
        prints: &["error[E0502]"],
        lacks: &["page_of", "String::from"],
        ..CASE
    });
}

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
fn an_error_of_a_package_stays() {
    check(&Case {
        fixture: "ordinary-error",
        args: &["--error", "mismatched types"],
        at_most: 12,
        prints: &["error[E0308]"],
        ..CASE
    });
}

#[test]
fn a_warning_stays() {
    check(&Case {
        fixture: "warnings.rs",
        args: &["--warning", "dead_code"],
        at_most: 8,
        code: 0,
        prints: &["dead_code"],
        lacks: &["deny"],
        ..CASE
    });
    check(&Case {
        fixture: "warnings.rs",
        args: &["--warning", "unused_variables"],
        at_most: 14,
        code: 0,
        prints: &["unused variable"],
        lacks: &["deny"],
        ..CASE
    });
}

/// What `timeout` says where it had to end something.
const TIMED_OUT: i32 = 124;

#[test]
fn a_compiler_that_does_not_end_is_waited_for_as_long_as_it_is_said() {
    check(&Case {
        fixture: "compiler-hangs.rs",
        args: &["--hang", "3"],
        at_most: 12,
        code: TIMED_OUT,
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
fn memory_and_time_of_the_compiler_stay_above_a_bound() {
    check(&Case {
        fixture: "compiler-eats-memory.rs",
        args: &["--oom", "150M"],
        at_most: 60,
        code: 0,
        ..CASE
    });
    check(&Case {
        fixture: "compiler-is-slow.rs",
        args: &["--slow", "5"],
        at_most: 70,
        code: 0,
        ..CASE
    });
}

#[track_caller]
fn check_run(
    args: &'static [&'static str],
    at_most: u64,
    code: i32,
    prints: &'static [&'static str],
) {
    check(&Case {
        fixture: "program-fails.rs",
        args,
        at_most,
        code,
        prints,
        ..CASE
    });
}

#[test]
fn a_program_panics_with_the_same_values() {
    let values = &["index out of bounds: the len is 3 but the index is 7"];
    check_run(&["--run=index"], 95, 101, values);
}

#[test]
fn a_program_ends_with_the_same_status_or_signal() {
    check_run(&["--run=status a b"], 50, 3, &[]);
    // A shell adds 128 to a signal.
    check_run(&["--run=abort"], 20, 134, &[]);
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
fn a_program_does_not_end() {
    check_run(&["--run=wait", "--hang", "2"], 15, TIMED_OUT, &[]);
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
fn two_builds_print_different_things() {
    let reduction = check(&Case {
        fixture: "miscompiled.rs",
        args: &["--miscompile"],
        at_most: 60,
        code: 0,
        ..CASE
    });
    let command = reduction.summary()["reproduce"].to_string();
    assert!(command.contains("-Copt-level=3") && command.contains("-Cdebug-assertions=off"));
}

#[track_caller]
fn check_refused(fixture: &str, args: &[&str], texts: &[&str]) {
    let world = World::with(fixture);
    let command = world.program(&arguments(fixture, args));
    let finished = Running::start(command).finish();
    finished.expect_failure(exit_code::NO_CRASH, texts);
}

#[test]
fn an_input_without_the_failure_is_refused() {
    for (fixture, args, texts) in [
        (
            "error-borrow.rs",
            vec!["--error", "E0277"],
            ["the error `E0277`", "E0502"],
        ),
        (
            "no-crash",
            vec!["--error", "E0308"],
            ["the error `E0308`", "succeeds"],
        ),
        (
            "warnings.rs",
            vec!["--warning", "unused_mut"],
            ["a warning of `unused_mut`", "succeeds"],
        ),
        (
            "program-fails.rs",
            vec!["--run"],
            ["a program that fails", "succeeds"],
        ),
        (
            "program-fails.rs",
            vec!["--run", "--and", "lost"],
            ["a program that fails with `lost`", "3 of 55"],
        ),
        (
            "program-fails.rs",
            vec!["--run", "--hang", "1"],
            ["a program that runs for 1 s", "succeeds"],
        ),
        (
            "compiler-is-slow.rs",
            vec!["--hang", "20"],
            ["a compiler that runs for 20 s", "succeeds"],
        ),
        (
            "compiler-is-slow.rs",
            vec!["--oom", "3G"],
            ["a compiler that uses 3072 MiB", "succeeds"],
        ),
        (
            "compiler-is-slow.rs",
            vec!["--oom", "10M"],
            ["an empty program needs", "--oom "],
        ),
        (
            "warnings.rs",
            vec!["--slow", "100"],
            ["a compiler that takes 100 times", "succeeds"],
        ),
        (
            "program-fails.rs",
            vec!["--miscompile"],
            ["another output with `-Copt-level=3`", "succeeds"],
        ),
    ] {
        check_refused(fixture, &args, &texts);
    }
}
