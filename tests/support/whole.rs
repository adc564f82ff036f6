//! Reduces the fixtures of `--whole`, and checks that the bug is in the result.

use super::{Reduction, Running, World, read_tree};

/// Reduces a test of a fixture with the code under test.
pub(crate) fn whole(world: &World, args: &[&str]) -> Reduction {
    let sources = read_tree(world.work());
    let mut command = world.program(&["--no-daemon", "--no-cache", "--jobs", "2", "--whole"]);
    command.arg("--output").arg(world.beside("out")).args(args);
    command.current_dir(world.work());
    Running::start(command).finish().expect_success();
    assert_eq!(read_tree(world.work()), sources, "the user's files changed");
    Reduction::read(&world.beside("out"))
}

/// Reduces with `--whole`, and returns the log of candidates too.
pub(crate) fn whole_with_log(world: &World, args: &[&str]) -> (Reduction, String) {
    let log = world.beside("candidates");
    let log_to = log.to_str().expect("it is a name");
    let reduction = whole(world, &[args, &["--log", log_to]].concat());
    (
        reduction,
        std::fs::read_to_string(log).expect("there is a log"),
    )
}

/// Checks that the faulty text is there once, and that the result passes where it is mended.
#[track_caller]
pub(crate) fn check_mended(world: &World, reduction: &Reduction, wrong: &str, right: &str) {
    let code = reduction.code();
    assert_eq!(code.matches(wrong).count(), 1, "{code}");
    let mended = code.replace(wrong, right);
    std::fs::write(world.beside("out").join("reduced.rs"), mended).expect("it can be written");
    reduction.reproduce(world).expect_success();
}
