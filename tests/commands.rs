//! What is asked in place of the compiler: scripts, cargo commands, rustfmt, rustdoc, clippy.

use crate::support::asked::{
    RECURSES, check, check_started, command, command_is, out, reproduces, run, script,
    with_errors_as_bugs,
};
use crate::support::{FEW_PASSES, Running, World, exit_code};
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_script_says_what_is_interesting_of_a_file() {
    let world = World::with("recursion.rs");
    let script = script(&world, RECURSES);
    let reduction = check(&world, &["recursion.rs", "--script", &script], 12);
    command_is(&reduction, &format!("{script} reduced.rs"));
    reproduces(&reduction, &world, 0, &[]);
    let summary = reduction.summary();
    assert_eq!(summary["signature"]["kind"], "script");
    assert!(summary["clean"].is_null(), "no compiler was asked");
    assert_eq!(
        summary["kept"],
        format!("that `{script}` ends with status 0")
    );
}

#[test]
fn a_command_that_decides_the_same_without_a_program_is_refused() {
    let world = World::with("recursion.rs");
    let script = script(&world, "#!/bin/sh\nexit 0\n");
    let finished = run(&world, &["recursion.rs", "--script", &script]);
    let texts = [&*script, "for an empty program too", "an empty file"];
    finished.expect_failure(exit_code::NO_CRASH, &texts);
    assert!(!out(&world).exists(), "something was written");
    let world = World::with("doc-example");
    let finished = run(&world, &["--cargo", "check --features absent", "--lib"]);
    let texts = ["`cargo check --features absent`", "fails in the same way"];
    finished.expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn errors_of_the_compiler_are_nothing_that_a_command_can_be_asked_about() {
    let world = World::with("recursion.rs");
    let script = script(&world, RECURSES);
    let finished = run(
        &world,
        &["recursion.rs", "--strict-valid", "--script", &script],
    );
    finished.expect_failure(exit_code::BAD_INPUT, &["a command decides"]);
    let finished = run(&world, &["recursion.rs", "--any-message", "--ice"]);
    finished.expect_failure(exit_code::BAD_INPUT, &["goes with `--error CODE`"]);
}

/// What a script leaves behind would otherwise decide the next candidate.
#[test]
fn what_a_script_writes_is_gone_before_the_next_candidate() {
    let world = World::with("recursion.rs");
    let text = format!(
        "{RECURSES}found=$?\ntest ! -e seen || exit 1\ntouch seen; echo >> \"$1\"\nexit $found\n"
    );
    let script = script(&world, &text);
    check(&world, &["recursion.rs", "--script", &script], 12);
}

#[test]
fn a_script_sees_no_variable_but_those_that_are_handed_on() {
    let world = World::with("recursion.rs");
    let needs = format!("{RECURSES}test $? = 0 && test \"$SECRET\" = word\n");
    let script = script(&world, &needs);
    let start = |more: &[&str]| {
        let mut command = command(&world, &["recursion.rs", "--script", &script]);
        command.args(more).env("SECRET", "word");
        Running::start(command).finish()
    };
    start(&[]).expect_failure(exit_code::NO_CRASH, &["exit status 1", "--env"]);
    start(&["--env", "SECRET"]).expect_success();
}

#[test]
fn a_script_that_is_not_executable_is_bad_input() {
    let world = World::with("recursion.rs");
    let script = script(&world, RECURSES);
    let mode = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&script, mode).expect("it is ours");
    let finished = run(&world, &["recursion.rs", "--script", &script]);
    finished.expect_failure(
        exit_code::BAD_INPUT,
        &["not marked as executable", "chmod +x"],
    );
    let finished = run(&world, &["recursion.rs", "--script", "absent.sh"]);
    finished.expect_failure(exit_code::BAD_INPUT, &["absent.sh", "no such file"]);
}

#[test]
fn a_script_that_does_not_take_the_input_for_interesting_is_shown_with_what_it_prints() {
    let world = World::with("recursion.rs");
    let script = script(&world, "#!/bin/sh\necho \"$1 is dull\"; exit 3\n");
    let finished = run(&world, &["recursion.rs", "--script", &script]);
    let texts = ["exit status 3", "not with status 0", "recursion.rs is dull"];
    finished.expect_failure(exit_code::NO_CRASH, &texts);
    assert!(!out(&world).exists(), "something was written");
}

#[test]
fn a_cargo_command_names_the_target_that_is_reduced() {
    let world = World::with("doc-example");
    let args = ["--cargo", "run --example sail", "--passes", FEW_PASSES];
    let reduction = check(&world, &args, 80);
    reproduces(&reduction, &world, 101, &["the ship is home"]);
    let code = std::fs::read_to_string(out(&world).join("reduced/examples/sail.rs"));
    assert!(code.expect("it is there").contains("the ship is home"));
}

#[test]
fn a_cargo_command_that_succeeds_or_is_none_is_refused() {
    let world = World::with("doc-example");
    let finished = run(&world, &["--cargo", "check --offline"]);
    finished.expect_failure(exit_code::NO_CRASH, &["cargo check --offline", "succeeds"]);
    let finished = run(&world, &["--cargo", "frobnicate"]);
    finished.expect_failure(exit_code::BAD_INPUT, &["frobnicate"]);
}

#[test]
fn rustfmt_goes_on_to_format_its_output_otherwise() {
    let world = World::with("unstable-format.rs");
    let args = ["unstable-format.rs", "--rustfmt", "--edition", "2021"];
    let reduction = check(&world, &args, 30);
    command_is(&reduction, "rustfmt");
    // Of what it reads from its input rustfmt only prints the difference.
    reproduces(&reduction, &world, 0, &["Diff in "]);
    assert_eq!(reduction.summary()["signature"]["kind"], "different-output");
    assert!(reduction.report().contains("formatted once, and twice"));
}

#[test]
fn a_file_that_rustfmt_formats_well_is_refused() {
    let world = World::with("recursion.rs");
    let finished = run(&world, &["recursion.rs", "--rustfmt", "--edition", "2021"]);
    finished.expect_failure(exit_code::NO_CRASH, &["rustfmt", "unstable output"]);
}

#[test]
fn a_crash_of_rustdoc_is_asked_of_rustdoc() {
    let world = World::with("rustdoc-crash.rs");
    let args = ["rustdoc-crash.rs", "--rustdoc", "--passes", FEW_PASSES];
    let command = with_errors_as_bugs(&world, &args);
    let reduction = check_started(&world, command, 40);
    command_is(&reduction, "rustdoc");
    reproduces(&reduction, &world, 101, &["unresolved link to"]);
    assert!(reduction.report().contains("`rustdoc --version --verbose`"));
}

#[test]
fn a_crash_of_clippy_is_asked_of_clippy() {
    let world = World::with("clippy-crash.rs");
    let command = with_errors_as_bugs(&world, &["clippy-crash.rs", "--clippy"]);
    let reduction = check_started(&world, command, 12);
    command_is(&reduction, "clippy-driver");
    reproduces(&reduction, &world, 101, &["equal expressions as operands"]);
}

#[test]
fn a_warning_of_clippy_stays() {
    let world = World::with("clippy-crash.rs");
    let args = [
        "clippy-crash.rs",
        "--warning",
        "clippy::needless_return",
        "--edition",
        "2021",
    ];
    let more = ["--", "--crate-type", "lib"];
    let reduction = check(&world, &[&args[..], &more].concat(), 10);
    command_is(&reduction, "clippy-driver");
    reproduces(&reduction, &world, 0, &["unneeded `return` statement"]);
}

#[test]
fn a_crash_that_rustc_has_none_of_is_no_crash_of_rustc() {
    let world = World::with("clippy-crash.rs");
    let command = with_errors_as_bugs(&world, &["clippy-crash.rs", "--ice"]);
    let finished = Running::start(command).finish();
    finished.expect_failure(exit_code::NO_CRASH, &["a crash"]);
}
