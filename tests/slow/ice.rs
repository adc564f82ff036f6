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
