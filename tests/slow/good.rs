//! What `tests/good.rs` reduces with few passes, with all of them.

use crate::support::{Reduction, Running, World};

#[test]
fn a_test_of_two_versions_is_reduced_with_all_passes() {
    let world = World::with("two-versions");
    let mut command = world.program(&["--no-daemon", "--no-cache", "--output"]);
    command.arg(world.beside("out"));
    command.args(["--good", "../before", "--test", "ways", "a_way_with_a_stop"]);
    command.current_dir(world.work().join("now"));
    Running::start(command).finish().expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let (tokens, code) = (reduction.number("tokens_after"), reduction.code());
    assert!(tokens <= 80, "{tokens} tokens\n{code}");
    assert!(
        code.contains("Some(&11)"),
        "the right answer is gone\n{code}"
    );
}
