//! Mounts small or read-only file systems in memory, for one program and what it starts.

use super::{Running, World};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Makes a command for which these directories are file systems of their own, with these options of `tmpfs`. `None`
/// where the system makes no mount namespace, which is said.
pub(crate) fn with_disks(
    world: &World,
    disks: &[(&Path, &str)],
    program: Command,
) -> Option<Command> {
    let mut mounts = String::new();
    for (directory, options) in disks {
        std::fs::create_dir_all(directory).expect("a directory can be made");
        let directory = directory.display();
        mounts += &format!("mount -t tmpfs -o {options} tmpfs '{directory}' && ");
    }
    if !can_mount(world, &mounts) {
        say_not_tested("this system makes no mount namespace");
        return None;
    }
    let mut command = in_namespace(world, &format!("{mounts} exec \"$0\" \"$@\""));
    command.arg(program.get_program()).args(program.get_args());
    let vars = program.get_envs();
    command.env_clear();
    command.envs(vars.filter_map(|(name, value)| Some((name, value?))));
    Some(command)
}

/// Says on the terminal, past the harness, that a test has checked nothing.
pub(crate) fn say_not_tested(why: &str) {
    let _ = writeln!(std::io::stderr(), "NOT TESTED: {why}");
}

fn can_mount(world: &World, mounts: &str) -> bool {
    let is_there = Command::new("unshare").arg("--version").output().is_ok();
    let tried = || in_namespace(world, &format!("{mounts} echo mounted"));
    is_there
        && Running::start(tried())
            .finish()
            .stdout()
            .contains("mounted")
}

fn in_namespace(world: &World, line: &str) -> Command {
    let mut command = world.command("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", line]);
    command
}
