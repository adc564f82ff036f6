//! Makes a repository of git in a test's world.

use super::{Running, World};
use std::path::Path;

/// Runs git in a directory, as somebody who can commit.
#[track_caller]
pub(crate) fn git(world: &World, directory: &Path, args: &[&str]) {
    let mut command = world.command("git");
    let names = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
    ];
    command.current_dir(directory).args(names).args(args);
    Running::start(command).finish().expect_success();
}
