//! Tests of failures that are no crash of the compiler: programs that are run, errors, warnings, and
//! what the compiler costs. Each from the command to what a user pastes into an empty directory.

use crate::support::property::{CASE, Case, arguments, check, check_run};
use crate::support::{FEW_PASSES, Reduction, Running, World, exit_code};

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
fn an_error_keeps_its_words_unless_any_message_will_do() {
    let reduction = check(&Case {
        fixture: "error-of-trait.rs",
        args: &["--error", "E0277", "--edition", "2021"],
        at_most: 24,
        prints: &["cannot be sent between threads safely"],
        lacks: &["trait", "minutes"],
        ..CASE
    });
    let kept = reduction.summary()["kept"].as_str().map(str::to_owned);
    let kept = kept.expect("it is said");
    let expected = "the error `E0277` in these words, with other names, types and numbers: `";
    assert!(kept.starts_with(expected), "{kept}");
    assert!(
        kept.ends_with("cannot be sent between threads safely"),
        "{kept}"
    );
    assert!(reduction.report().contains("- What had to stay: "));
    let reduction = check(&Case {
        fixture: "error-of-trait.rs",
        args: &["--error", "E0277", "--any-message", "--edition", "2021"],
        at_most: 14,
        prints: &["error[E0277]"],
        ..CASE
    });
    let expected = "the error `E0277`, whatever it says";
    assert_eq!(reduction.summary()["kept"], expected);
}

/// Reduces from a step of another reduction, and returns what is in its output directory.
#[track_caller]
fn reduced_from(world: &World, more: &[&str], directory: &str) -> Reduction {
    let output = world.beside("out");
    let mut command = world.program(&["--output"]);
    command.arg(&output);
    command.args(arguments(
        "error-borrow.rs",
        &["--error", "E0502", "--stability-runs", "3"],
    ));
    command.args(more);
    Running::start(command).finish().expect_success();
    Reduction::read(&output.join(directory))
}

#[test]
fn a_search_from_an_earlier_step_finds_another_program_where_the_way_from_there_is_closed() {
    let world = World::with("error-borrow.rs");
    let first = reduced_from(&world, &[], "");
    let steps = std::fs::read(world.beside("out/steps.json")).expect("they are there");
    let steps: serde_json::Value = serde_json::from_slice(&steps).expect("it is JSON");
    let n_steps = steps["steps"].as_array().expect("a list").len();
    let step = (n_steps / 2).to_string();
    let from = ["--from", &*step, "--forbid"];
    let second = reduced_from(&world, &from, &format!("from-{step}"));
    let third = reduced_from(&world, &from, &format!("from-{step}-2"));
    let results = [first, second, third];
    for (number, result) in results.iter().enumerate() {
        assert_eq!(result.summary()["ended"], "fixpoint");
        let earlier = results[..number].iter();
        let mut earlier = earlier.map(Reduction::code);
        assert!(
            earlier.all(|code| code != result.code()),
            "{}",
            result.code()
        );
        let said = result.run(
            &world,
            result.summary()["reproduce"].as_str().expect("a line"),
        );
        assert!(said.everything().contains("error[E0502]"), "{said}");
    }
    let mut command = world.program(&["--output"]);
    command.arg(world.beside("out"));
    command.args(arguments(
        "error-borrow.rs",
        &["--error", "E0502", "--from", "999"],
    ));
    let finished = Running::start(command).finish();
    finished.expect_failure(
        exit_code::BAD_INPUT,
        &["has no step 999", "give a step from 0"],
    );
}

#[test]
fn candidates_are_compiled_together_with_any_number_of_jobs() {
    let with = |jobs| {
        let world = World::with("error-borrow.rs");
        let output = world.beside("out");
        let mut command = world.program(&["--output"]);
        command
            .arg(&output)
            .args(["--no-daemon", "--no-cache", "--error", "E0502"]);
        command.args(["--jobs", jobs, "error-borrow.rs"]);
        Running::start(command).finish().expect_success();
        Reduction::read(&output)
    };
    let (one, four) = (with("1"), with("4"));
    let together = one.summary()["kinds"].as_array().expect("a list").iter();
    let mut together = together.filter(|kind| kind["kind"] == "joint compilation");
    assert!(together.any(|kind| kind["queries"].as_u64() > Some(1)));
    assert_eq!(one.code(), four.code());
    assert_eq!(one.summary()["kinds"], four.summary()["kinds"]);
    assert_eq!(one.summary()["nearest"], four.summary()["nearest"]);
    let section = "### Nearest programs without this error\n\n- ";
    assert!(one.report().contains(section), "{}", one.report());
}

#[test]
fn a_slice_gets_the_operator_and_the_iterator_that_it_lacks() {
    let with = |jobs| {
        let world = World::with("shared-names.rs");
        let output = world.beside("out");
        let mut command = world.program(&["--output"]);
        command
            .arg(&output)
            .args(["--no-daemon", "--no-cache", "--error", "E0502"]);
        command.args(["--passes", "keep_slice", "--jobs", jobs, "shared-names.rs"]);
        Running::start(command).finish().expect_success();
        Reduction::read(&output)
    };
    let (one, four) = (with("1"), with("4"));
    let figures = |list: &str, name: &str, is: &str, figure: &str| {
        let all = one.summary()[list].as_array().expect("a list").iter();
        let one = all.clone().find(|one| one[name] == is);
        one.and_then(|one| one[figure].as_u64())
    };
    // The first slice that is tried is accepted, once the compiler misses nothing in it.
    let slice = |figure| figures("passes", "pass", "keep_slice", figure);
    assert_eq!([slice("tried"), slice("accepted")], [Some(1); 2]);
    assert_eq!(one.code(), four.code());
    assert_eq!(one.summary()["kinds"], four.summary()["kinds"]);
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

#[test]
fn a_program_ends_by_the_same_signal() {
    // A shell adds 128 to a signal.
    check_run(&["--run=abort"], 20, 134, &[]);
}

#[test]
fn what_a_program_did_not_enter_goes_first_and_its_wrong_value_stays_computed() {
    check(&Case {
        fixture: "program-fails.rs",
        args: &[
            "--run=compare",
            "--passes",
            "delete_dead_code,fold_values,delete_unused",
        ],
        at_most: 330,
        code: 101,
        prints: &["left: 55", "right: 56"],
        lacks: &["55", "endless", "lift", "for ("],
        ..CASE
    });
}

#[test]
fn two_builds_print_different_things() {
    let reduction = check(&Case {
        fixture: "miscompiled.rs",
        args: &["--miscompile", "--passes", FEW_PASSES],
        at_most: 130,
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
            ["an empty program already takes", "--oom "],
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
