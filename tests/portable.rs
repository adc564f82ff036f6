//! Tests of reductions without the parts for Linux, as they are made on other systems. Only a program with the feature
//! `portable` can show that: `.ci/run --slow` builds it and runs this target.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test is the user: it reads its environment, starts programs, and says what they did"
)]

mod support;

use std::path::Path;
use support::{Finished, Reduction, Running, World, exit_code, reproduces_with};

const NO_SANDBOX: &str = "there is no sandbox, build scripts and macros run with your rights: cargo-reduce has a sandbox for Linux only";
const NOT_WARM: &str = "the warm compiler is not used, queries take longer";
const CRASH: [&str; 1] = ["rustc_trait_selection/src/traits/select/mod.rs:2495:17"];
const ONE_TEST: [&str; 3] = ["--test", "others", "overflows"];

fn reduce(world: &World, args: &[&str], out: &Path) -> Finished {
    let mut command = world.program(args);
    command.arg("--output").arg(out);
    Running::start(command).finish()
}

#[test]
fn a_crash_is_reduced_to_the_same_program_and_the_user_is_told_what_is_missing() {
    let world = World::with("ice-library");
    let out = world.beside("out");
    let finished = reduce(&world, &["--ice"], &out).expect_success();
    for warning in [NO_SANDBOX, NOT_WARM] {
        assert!(finished.stderr().contains(warning), "{}", finished.stderr());
    }
    let reduction = Reduction::read(&out);
    reproduces_with(&reduction, &world, &CRASH);
    // The result has as many tokens as with the parts for Linux, see the README.
    assert_eq!(reduction.number("tokens_after"), 25);
}

#[test]
fn what_runs_candidates_is_refused_unless_the_user_says_that_there_is_to_be_no_sandbox() {
    let world = World::with("failing-tests");
    let out = world.beside("out");
    let why = ["has a sandbox for Linux only", "--sandbox off"];
    reduce(&world, &ONE_TEST, &out).expect_failure(exit_code::SANDBOX, &why);
    let off = [&ONE_TEST[..], &["--sandbox", "off"]].concat();
    let finished = reduce(&world, &off, &out).expect_success();
    assert!(
        finished.stderr().contains("the sandbox is off"),
        "{}",
        finished.stderr()
    );
    let reduction = Reduction::read(&out);
    assert!(reduction.code().contains("fn overflows"));
    assert!(reduction.number("tokens_after") < 100);
}

#[test]
fn a_warm_compiler_that_is_asked_for_is_refused() {
    let world = World::with("ice-library");
    let warm = ["--ice", "--compiler", "warm"];
    reduce(&world, &warm, &world.beside("out")).expect_failure(
        exit_code::COMPILER_MISSING,
        &["leave out `--compiler warm`"],
    );
}
