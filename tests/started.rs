//! What a program or a test finds when it is started: that which cargo gives it.

use crate::support::{FEW_PASSES, Finished, Reduction, Running, World, exit_code};

/// A reduction in a directory of the workspace.
fn run_in(world: &World, directory: &str, args: &[&str]) -> Finished {
    let mut command = world.program(&["--no-daemon", "--no-cache", "--jobs", "2", "--output"]);
    command
        .arg(world.beside("out"))
        .args(["--passes", FEW_PASSES]);
    command.args(args).current_dir(world.work().join(directory));
    Running::start(command).finish()
}

#[test]
fn a_program_is_run_in_the_directory_in_which_the_user_stands() {
    let world = World::with("started-by-cargo");
    run_in(&world, "", &["--run", "-p", "till"]).expect_failure(
        exit_code::NO_CRASH,
        &["a program that fails", "`cargo run -p till`"],
    );
    run_in(&world, "night", &["--run", "-p", "till"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let shown = reduction.reproduce(&world).expect_code(101);
    for text in ["left: 7", "right: 10", "of 2 prices"] {
        assert!(shown.everything().contains(text), "{shown}");
    }
}

#[test]
fn each_run_has_an_empty_directory_where_tests_may_write() {
    let world = World::with("started-by-cargo");
    run_in(&world, "till", &["--test", "scratch"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(!code.contains("evening"), "{code}");
    let signature = reduction.summary()["signature"].to_string();
    assert!(signature.contains("left: \\\"7\\\""), "{signature}");
}
