//! What is asked in place of the compiler: scripts, cargo commands, rustfmt, rustdoc, clippy.

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Finished, Reduction, Running, World, exit_code, read_tree};

/// Whether a compiler warns of a function that only calls itself.
const RECURSES: &str = "#!/bin/sh\n\
    rustc --edition 2021 --crate-type lib --emit metadata --out-dir \"$TMPDIR\" \"$1\" 2>&1 |\n\
    grep -q 'function cannot return without recursing'\n";

/// A script beside the user's directory.
fn script(world: &World, text: &str) -> String {
    let path = world.beside("interesting.sh");
    std::fs::write(&path, text).expect("a file can be written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("it is ours");
    path_str(&path).to_owned()
}

fn path_str(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

fn out(world: &World) -> PathBuf {
    world.beside("out")
}

/// Without the daemon: what is checked here does not depend on it.
fn command(world: &World, args: &[&str]) -> Command {
    let mut command = world.program(&["--no-daemon", "--jobs", "2", "--output"]);
    command.arg(out(world)).args(args);
    command
}

fn run(world: &World, args: &[&str]) -> Finished {
    Running::start(command(world, args)).finish()
}

/// Reduces; at most so many tokens stay, and the user's files are as they were.
#[track_caller]
fn check(world: &World, args: &[&str], at_most: u64) -> Reduction {
    check_started(world, command(world, args), at_most)
}

#[track_caller]
fn check_started(world: &World, command: Command, at_most: u64) -> Reduction {
    let before = read_tree(world.work());
    Running::start(command).finish().expect_success();
    assert_eq!(
        read_tree(world.work()),
        before,
        "the user's files have changed"
    );
    let reduction = Reduction::read(&out(world));
    let (tokens, code) = (reduction.number("tokens_after"), reduction.code());
    assert!(
        tokens <= at_most,
        "{tokens} tokens, {at_most} allowed\n{code}"
    );
    assert_eq!(reduction.summary()["ended"], "fixpoint");
    reduction
}

/// The result's own command ends so, and prints these texts.
#[track_caller]
fn reproduces(reduction: &Reduction, world: &World, code: i32, texts: &[&str]) {
    let finished = reduction.reproduce(world);
    for text in texts {
        assert!(
            finished.everything().contains(text),
            "no `{text}`\n{finished}"
        );
    }
    finished.expect_code(code);
}

#[track_caller]
fn command_is(reduction: &Reduction, expected: &str) {
    let line = reduction.summary()["reproduce"].as_str().expect("a string");
    assert!(line.contains(expected), "no `{expected}` in `{line}`");
    // Who reads the report has other directories.
    let options = line.rsplit_once('/').map_or(line, |(_, rest)| rest);
    let report = reduction.report();
    assert!(report.contains(options), "no `{options}` in\n{report}");
}

#[test]
fn a_script_says_what_is_interesting_of_a_file() {
    let world = World::with("recursion.rs");
    let script = script(&world, RECURSES);
    let reduction = check(&world, &["recursion.rs", "--script", &script], 12);
    command_is(&reduction, &format!("{script} reduced.rs"));
    reproduces(&reduction, &world, 0, &[]);
    assert_eq!(reduction.summary()["signature"]["kind"], "script");
}

#[test]
fn a_script_may_call_cargo_in_the_directory_of_a_package() {
    let world = World::with("script-package");
    let script = world.work().join("still-fails.sh");
    let reduction = check(&world, &["--script", path_str(&script)], 40);
    command_is(&reduction, "still-fails.sh src/main.rs");
    reproduces(&reduction, &world, 0, &[]);
    assert!(reduction.code().contains('7'), "{}", reduction.code());
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
fn an_example_in_the_documentation_goes_on_failing() {
    let world = World::with("doc-example");
    let reduction = check(&world, &["--cargo", "test --doc"], 60);
    command_is(&reduction, "cargo");
    command_is(&reduction, "test --doc");
    let values = ["left: 12964.0", "right: 11112.0"];
    reproduces(&reduction, &world, 101, &values);
    assert_eq!(reduction.summary()["signature"]["kind"], "assertion");
}

#[test]
fn a_cargo_command_names_the_target_that_is_reduced() {
    let world = World::with("doc-example");
    let reduction = check(&world, &["--cargo", "run --example sail"], 23);
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

/// Any error is a crash, of what is asked.
fn with_errors_as_bugs(world: &World, goal: &str, file: &str) -> Command {
    let mut command = command(world, &[file, goal, "--edition", "2021", "--"]);
    command.args(["--crate-type", "lib", "-Ztreat-err-as-bug"]);
    command.env("RUSTC_BOOTSTRAP", "1");
    command
}

#[test]
fn a_crash_of_rustdoc_is_asked_of_rustdoc() {
    let world = World::with("rustdoc-crash.rs");
    let command = with_errors_as_bugs(&world, "--rustdoc", "rustdoc-crash.rs");
    let reduction = check_started(&world, command, 16);
    command_is(&reduction, "rustdoc");
    reproduces(&reduction, &world, 101, &["unresolved link to"]);
    assert!(reduction.report().contains("`rustdoc --version --verbose`"));
}

#[test]
fn a_crash_of_clippy_is_asked_of_clippy() {
    let world = World::with("clippy-crash.rs");
    let command = with_errors_as_bugs(&world, "--clippy", "clippy-crash.rs");
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
    let command = with_errors_as_bugs(&world, "--ice", "clippy-crash.rs");
    let finished = Running::start(command).finish();
    finished.expect_failure(exit_code::NO_CRASH, &["a crash"]);
}
