//! Tests of more of the main job; `tests/passes.rs` compares numbers of workers by a smaller
//! program.

use crate::support::{Reduction, Running, World};

#[test]
fn the_result_does_not_depend_on_the_number_of_jobs() {
    let code_with = |jobs: &str| {
        let world = World::with("ice-library");
        let output = world.beside("out");
        let mut command = world.program(&["--ice", "--no-daemon", "--jobs", jobs, "--output"]);
        command.arg(&output);
        Running::start(command).finish().expect_success();
        Reduction::read(&output).code().to_owned()
    };
    assert_eq!(code_with("1"), code_with("3"));
}

#[test]
fn without_the_daemon_the_code_is_the_same_as_with_it() {
    let with = World::with("treat-err-as-bug");
    let without = World::with("treat-err-as-bug");
    let reduction = without.reduce_to("out", &["--no-daemon"]);
    assert_eq!(without.daemon_pid(), None, "a daemon was started");
    assert_eq!(reduction.code(), with.reduce_to("out", &[]).code());
    assert!(with.daemon_pid().is_some(), "no daemon was started");
}

#[test]
fn without_the_cache_the_second_run_asks_again() {
    let world = World::with("treat-err-as-bug");
    let cold = world.reduce_to("cold", &[]);
    let again = world.reduce_to("again", &["--no-cache"]);
    assert_eq!(again.number("queries"), cold.number("queries"));
    assert_eq!(again.code(), cold.code());
}
