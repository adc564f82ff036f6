//! Tests of `--regression` and `--valid-with`: failures here and not there, with two compilers as
//! they are installed.

use crate::support::{Finished, Reduction, Running, World, exit_code};
use serde_json::Value;

/// The toolchain that is newer than the one of this repository.
const NIGHTLY: &str = "nightly";
/// The version of the toolchain of this repository.
const STABLE: &str = "1.95.0";

/// Runs `cargo-reduce reduce ARGS` with a toolchain; no goal is given.
fn run(world: &World, toolchain: &str, args: &[&str]) -> Finished {
    let mut command = world.program(&["--jobs", "2", "--no-daemon"]);
    command.args(args).env("RUSTUP_TOOLCHAIN", toolchain);
    Running::start(command).finish()
}

#[track_caller]
fn reduce(world: &World, toolchain: &str, args: &[&str]) -> Reduction {
    let output = world.beside("out");
    let output_arg = output.to_str().expect("the path is UTF-8");
    let all = [&["--output", output_arg], args].concat();
    run(world, toolchain, &all).expect_success();
    Reduction::read(&output)
}

/// Checks that the result fails as it should, and that all commands that should succeed do. Returns
/// these.
#[track_caller]
fn check(world: &World, reduction: &Reduction, error: &str, at_most: u64) -> Vec<String> {
    let finished = reduction.reproduce(world);
    assert!(finished.stderr().contains(error), "{finished}");
    let (tokens, code) = (reduction.number("tokens_after"), reduction.code());
    assert!(tokens <= at_most, "{tokens} tokens\n{code}");
    let report = reduction.report();
    let also = reduction.summary()["also"]
        .as_array()
        .expect("it is a list");
    let commands = also.iter().map(|one| text(&one["command"]));
    let commands: Vec<String> = commands.collect();
    for command in &commands {
        reduction.run(world, command).expect_success();
        assert!(
            report.contains(&format!("{command}  # succeeds")),
            "{report}"
        );
    }
    assert!(report.contains("  # fails"), "{report}");
    commands
}

fn text(value: &Value) -> String {
    value.as_str().expect("it is a string").to_owned()
}

#[test]
fn a_lint_that_became_an_error_is_a_regression() {
    let world = World::with("uninhabited-static.rs");
    let file = ["uninhabited-static.rs", "--edition", "2021"];
    let args = ["--regression", STABLE, "--", "--crate-type", "lib"];
    let reduction = reduce(&world, NIGHTLY, &[file.as_slice(), &args].concat());
    let also = check(&world, &reduction, "static of uninhabited type", 20);
    assert!(also[0].starts_with("rustc +1.95.0 "), "{also:?}");
    let report = reduction.report();
    assert!(report.contains("- Works with: `rustc 1.95.0 ("), "{report}");
}

/// Checks that the script for a bisection tells the nightly, in which it fails, from the release, when it is run in this
/// directory.
#[track_caller]
fn check_script(world: &World, reduction: &Reduction, directory: &str) {
    for (toolchain, status) in [(NIGHTLY, 1), (STABLE, 0)] {
        let script = world.beside("out/bisect.sh");
        let script = script.to_str().expect("the path is UTF-8");
        let line = format!("cd '{directory}' && RUSTUP_TOOLCHAIN={toolchain} sh '{script}'");
        reduction.run(world, &line).expect_code(status);
    }
}

#[test]
fn a_lint_that_became_an_error_is_bisected() {
    let world = World::with("uninhabited-static.rs");
    let file = ["uninhabited-static.rs", "--edition", "2021"];
    let args = ["--error", "uninhabited_static", "--bisect-script"];
    let valid = ["--valid-with", "+1.95.0", "--", "--crate-type", "lib"];
    let reduction = reduce(&world, NIGHTLY, &[&file[..], &args, &valid].concat());
    check(&world, &reduction, "static of uninhabited type", 20);
    check_script(&world, &reduction, "/");
}

#[test]
fn a_program_that_fails_since_a_nightly_is_bisected() {
    let world = World::with("bit-width.rs");
    let args = ["bit-width.rs", "--run", "--regression", STABLE];
    let args = [&args[..], &["--bisect-script"]].concat();
    let reduction = reduce(&world, NIGHTLY, &args);
    check(&world, &reduction, "the width is that of the type", 100);
    check_script(&world, &reduction, "/");
    let report = reduction.report();
    let command = "`cargo bisect-rustc --script=./bisect.sh --without-cargo` finds the nightly since which it fails";
    assert!(report.contains(command), "{report}");
}

#[test]
fn a_unit_test_that_fails_since_a_nightly_is_bisected_and_run_in_its_package() {
    let world = World::with("bit-width");
    let name = "columns_are_as_wide_as_their_type";
    let args = [name, "--regression", STABLE, "--bisect-script"];
    let reduction = reduce(&world, NIGHTLY, &args);
    let package = world.work().to_str().expect("the path is UTF-8");
    check_script(&world, &reduction, package);
    let report = reduction.report();
    let command =
        "`cargo bisect-rustc --script=PATH/bisect.sh` finds the nightly since which it fails";
    assert!(report.contains(command), "{report}");
    let passes = format!("cargo +{STABLE} test --lib tests::{name} -- --exact");
    assert_eq!(reduction.summary()["also"][0]["command"], *passes);
    assert!(
        report.contains(&format!("{passes}  # succeeds")),
        "{report}"
    );
    let line = format!("cd '{package}' && {passes}");
    reduction.run(&world, &line).expect_success();
}

#[test]
fn an_error_that_a_newer_compiler_does_not_have_stays() {
    let world = World::with("stable-later.rs");
    let file = ["stable-later.rs", "--edition", "2021", "--error", "E0658"];
    let args = ["--regression", "+nightly", "--", "--crate-type", "lib"];
    let reduction = reduce(&world, STABLE, &[file.as_slice(), &args].concat());
    let also = check(&world, &reduction, "E0658", 20);
    assert!(also[0].starts_with("rustc +nightly "), "{also:?}");
    let code = reduction.code();
    assert!(code.contains("bit_width"), "{code}");
}

#[test]
fn a_package_is_compiled_with_its_dependencies_by_both() {
    let world = World::with("newer-method");
    let args = ["-p", "lamps", "--regression", STABLE];
    let reduction = reduce(&world, NIGHTLY, &args);
    check(&world, &reduction, "E0308", 60);
    let code = reduction.code();
    assert!(code.contains("highest_one"), "{code}");
    assert!(!code.contains("Switch"), "{code}");
}

#[test]
fn a_crate_of_its_own_is_compiled_by_both() {
    let world = World::with("newer-method");
    let args = ["-p", "lamps", "--regression", STABLE, "--skip-pass"];
    let args = [args.as_slice(), &["merge_crates"]].concat();
    let reduction = reduce(&world, NIGHTLY, &args);
    let also = check(&world, &reduction, "E0308", 70);
    let compiled = "rustc +1.95.0 auxiliary/masks.rs ";
    assert!(also[0].starts_with(compiled), "{also:?}");
}

#[test]
fn a_compiled_dependency_stands_beside_the_result_as_both_have_made_it() {
    let world = World::with("newer-method");
    let args = ["-p", "lamps", "--regression", STABLE, "--skip-pass"];
    let args = [
        args.as_slice(),
        &["merge_crates", "--skip-pass", "open_crates"],
    ]
    .concat();
    let reduction = reduce(&world, NIGHTLY, &args);
    std::fs::remove_dir_all(world.state()).expect("a directory can be removed");
    let also = check(&world, &reduction, "E0308", 40);
    assert!(also[0].contains("=deps-1/libmasks-"), "{also:?}");
}

#[test]
fn a_crash_is_kept_on_code_that_other_flags_compile() {
    let world = World::with("standalone.rs");
    let file = [
        "standalone.rs",
        "--edition",
        "2021",
        "--ice",
        "--valid-with",
    ];
    let flags = [
        "-Copt-level=0",
        "--",
        "--crate-type",
        "lib",
        "--cfg",
        "timed",
    ];
    let args = [file.as_slice(), &flags, &["-C", "opt-level=3"]].concat();
    let reduction = reduce(&world, STABLE, &args);
    let also = check(&world, &reduction, "SignatureMismatch", 130);
    assert!(also[0].ends_with(" -Copt-level=0"), "{also:?}");
}

#[test]
fn what_fails_there_too_is_no_regression() {
    let world = World::with("ordinary-error");
    let texts = [
        "failed to see a regression: `rustc +nightly ",
        "fails too",
        "E0308",
    ];
    run(&world, STABLE, &["--regression", NIGHTLY]).expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn what_does_not_compile_with_these_flags_is_refused() {
    let world = World::with("error-beside-crash.rs");
    let file = ["error-beside-crash.rs", "--edition", "2021", "--ice"];
    let flags = ["--valid-with", "-Copt-level=3", "--", "--crate-type", "lib"];
    let finished = run(&world, STABLE, &[file.as_slice(), &flags].concat());
    let texts = [
        "failed to see a program that is valid",
        "does not compile it",
        "E0425",
    ];
    finished.expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn what_makes_no_sense_is_said_before_anything_is_run() {
    let world = World::with("ordinary-error");
    for flags in ["", "+", "lib.rs"] {
        run(&world, STABLE, &["--ice", "--valid-with", flags])
            .expect_failure(exit_code::BAD_INPUT, &["`--valid-with` needs flags"]);
    }
}

#[test]
fn a_toolchain_that_is_not_there_is_named() {
    let world = World::with("ordinary-error");
    for name in ["1.0.0-none", "./no/rustc"] {
        run(&world, STABLE, &["--regression", name])
            .expect_failure(exit_code::COMPILER_MISSING, &[name]);
    }
}
