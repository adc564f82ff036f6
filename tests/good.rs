//! What fails with the present version of a library, and not with another one: `--good`.

mod support;

use support::{FEW_PASSES, Finished, Reduction, Running, World, copy, exit_code, read_tree};

/// `cargo-reduce reduce ARGS` in the version with the bug.
fn run(world: &World, args: &[&str]) -> Finished {
    let mut command = world.program(&["--no-daemon", "--no-cache", "--jobs", "2", "--output"]);
    command.arg(world.beside("out")).args(args);
    command.current_dir(world.work().join("now"));
    Running::start(command).finish()
}

/// Reduces, and runs the commands of the result: with one version it fails, with the other it does not.
#[track_caller]
fn check(world: &World, args: &[&str], at_most: u64) -> Reduction {
    let sources = read_tree(world.work());
    run(world, args).expect_success();
    assert_eq!(read_tree(world.work()), sources, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    let (tokens, code) = (reduction.number("tokens_after"), reduction.code());
    assert!(tokens <= at_most, "{tokens} tokens\n{code}");
    reduction.reproduce(world).expect_code(101);
    let command = reduction.summary()["also"][0]["command"].as_str();
    let command = command.expect("there is a command that succeeds");
    reduction.run(world, command).expect_success();
    reduction
}

#[test]
fn a_test_that_only_this_version_has_is_linked_with_both() {
    let world = World::with("two-versions");
    let args = ["--good", "../before", "--test", "ways", "a_way_with_a_stop"];
    let reduction = check(&world, &args, 80);
    let code = reduction.code();
    assert!(
        code.contains("Some(&11)"),
        "the right answer is gone\n{code}"
    );
    let report = reduction.report();
    assert!(report.contains("/before` of what it links"), "{report}");
}

#[track_caller]
fn check_refused(args: &[&str], code: i32, texts: &[&str]) {
    check_refused_in(&World::with("two-versions"), args, code, texts);
}

#[track_caller]
fn check_refused_in(world: &World, args: &[&str], code: i32, texts: &[&str]) {
    let test = [
        "--test",
        "ways",
        "a_way_with_a_stop",
        "--passes",
        FEW_PASSES,
    ];
    run(world, &[args, &test].concat()).expect_failure(code, texts);
}

#[test]
fn a_version_with_which_it_fails_too_is_none_that_is_good() {
    let texts = ["failed to see a difference", "fails too", "right: Some(11)"];
    check_refused(&["--good", "./"], exit_code::NO_CRASH, &texts);
}

#[test]
fn a_path_that_has_no_such_package_is_said_with_what_it_has() {
    let nothing = [
        "before/nothing`: there is no such directory",
        "`git rev-parse ",
    ];
    check_refused(
        &["--good", "../before/nothing"],
        exit_code::BAD_INPUT,
        &nothing,
    );
    let manifest = ["there is no `Cargo.toml` in it"];
    check_refused(
        &["--good", "../before/src"],
        exit_code::BAD_INPUT,
        &manifest,
    );
    let world = World::with("two-versions");
    // Apart from the workspace that it is a member of.
    copy(&world.work().join("now/queue"), &world.beside("queue"));
    let queue = world.beside("queue");
    let good = ["--good", queue.to_str().expect("the path is UTF-8")];
    let package = [
        "it has no package `routes`, but `queue`",
        "of the same workspace",
    ];
    check_refused_in(&world, &good, exit_code::BAD_INPUT, &package);
}

#[test]
fn what_links_nothing_has_no_other_version() {
    let world = World::with("ordinary-error");
    let mut command = world.program(&["--no-daemon", "--error", "E0308", "--good", "../"]);
    command.arg("--output").arg(world.beside("out"));
    let texts = ["links no crate", "`--regression TOOLCHAIN`"];
    Running::start(command)
        .finish()
        .expect_failure(exit_code::BAD_INPUT, &texts);
}
