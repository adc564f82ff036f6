//! Reduces the fixtures of `--good`, and checks that the result fails with the one version and passes with the other.

use super::failing_test::reproduce_in_package;
use super::{Finished, Reduction, Running, World, copy, read_tree};
use std::path::Path;

/// Runs `cargo-reduce reduce ARGS` in the version with the bug.
pub(crate) fn run(world: &World, args: &[&str]) -> Finished {
    let mut command = world.program(&["--no-daemon", "--no-cache", "--jobs", "2", "--output"]);
    command.arg(world.beside("out")).args(args);
    command.current_dir(world.work().join("now"));
    Running::start(command).finish()
}

/// Reduces, and puts the result into the package: there it fails, and it passes where the package has the code of the good
/// version.
#[track_caller]
pub(crate) fn check(world: &World, args: &[&str], at_most: u64) -> Reduction {
    check_with(world, args, at_most, |now| {
        copy(&world.work().join("before/src"), &now.join("src"));
    })
}

/// Reduces, and checks the result in the package before and after `mend` gives the package the code of the good version.
#[track_caller]
pub(crate) fn check_with(
    world: &World,
    args: &[&str],
    at_most: u64,
    mend: impl FnOnce(&Path),
) -> Reduction {
    let reduction = reduce(world, args, at_most);
    let now = world.work().join("now");
    let also = &reduction.summary()["also"][0]["command"];
    assert_eq!(*also, reduction.summary()["reproduce"]);
    reproduce_in_package(world, &now, &reduction, 101);
    mend(&now);
    reproduce_in_package(world, &now, &reduction, 0);
    reduction
}

/// Reduces, and runs the commands of the result where it is: with one version it fails, with the other it does not.
#[track_caller]
pub(crate) fn check_alone(world: &World, args: &[&str], at_most: u64) -> Reduction {
    let reduction = reduce(world, args, at_most);
    reduction.reproduce(world).expect_code(101);
    let command = reduction.summary()["also"][0]["command"].as_str();
    let command = command.expect("there is a command that succeeds");
    reduction.run(world, command).expect_success();
    reduction
}

/// Reduces to at most this many tokens.
#[track_caller]
pub(crate) fn reduce(world: &World, args: &[&str], at_most: u64) -> Reduction {
    let sources = read_tree(world.work());
    run(world, args).expect_success();
    assert_eq!(read_tree(world.work()), sources, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    let (tokens, code) = (reduction.number("tokens_after"), reduction.code());
    assert!(tokens <= at_most, "{tokens} tokens\n{code}");
    reduction
}
