//! Makes launchers for a test, and finds what they have started.

use super::asked::{path_str, write_script};
use super::disks::say_not_tested;
use super::{Reduction, Running, World, wait_until};
use std::path::PathBuf;
use std::process::Command;

/// The commands that run another one among mounts and processes of its own, with and without being root. Its processes end
/// with the first.
const APART: [&str; 2] = [
    "unshare --mount --pid --fork --kill-child --mount-proc",
    "unshare --map-root-user --mount --pid --fork --kill-child --mount-proc",
];

/// A launcher that runs what it is given among mounts and processes of its own, as on another machine; where the system
/// makes none, which is said, as it is.
pub(crate) fn apart(world: &World) -> String {
    let works = |line: &&str| {
        let mut command = world.command("sh");
        command.args(["-c", &format!("{line} true")]);
        command.output().is_ok_and(|tried| tried.status.success())
    };
    let line = APART.into_iter().find(works).unwrap_or_else(|| {
        say_not_tested("this system makes no process namespace for a launcher");
        ""
    });
    script(world, &format!("exec {line} \"$@\""))
}

/// Writes a launcher with this script.
pub(crate) fn script(world: &World, text: &str) -> String {
    let path = world.beside("launcher");
    write_script(&path, &format!("#!/bin/sh\n{text}\n"));
    path_str(&path).to_owned()
}

/// Like [`apart`], but each third call of it ends before it has done anything.
pub(crate) fn unreliable(world: &World) -> String {
    now_and_then(world, 3, "exit 1")
}

/// Like [`apart`], but each seventh call of it is killed in the middle, with what it has started.
pub(crate) fn killed(world: &World) -> String {
    let starts = "exec 3<&0; \"$steady\" \"$@\" <&3 & sleep 0.06";
    now_and_then(world, 7, &format!("{starts}; kill -KILL $!; exit 1"))
}

/// Makes a launcher like [`apart`], which does something else in one of this many calls.
fn now_and_then(world: &World, one_of: u32, what: &str) -> String {
    let steady = world.beside("steady");
    std::fs::rename(apart(world), &steady).expect("it can be renamed");
    let calls = world.beside("calls");
    let (steady, calls) = (path_str(&steady), path_str(&calls));
    let text = format!(
        "steady='{steady}'; echo >> '{calls}'\n\
         test $(($(wc -l < '{calls}') % {one_of})) != 0 || {{ {what}; }}\n\
         exec \"$steady\" \"$@\""
    );
    script(world, &text)
}

/// Reduces here and by a launcher, with one worker and with two, and compares the results. The user stands in a fixture, or in
/// a directory of it.
#[track_caller]
pub(crate) fn check(place: &str, args: &[&str], launcher: impl Fn(&World) -> String) {
    let (fixture, directory) = place.split_once('/').unwrap_or((place, ""));
    let world = World::with(fixture);
    let launcher = launcher(&world);
    let here = reduce(&world, directory, "here", args);
    for jobs in ["1", "2"] {
        let more = ["--jobs", jobs, "--launcher", &launcher];
        let launched = reduce(&world, directory, jobs, &[args, &more].concat());
        assert_eq!(here.code(), launched.code());
        for figure in ["tokens_before", "tokens_after", "steps", "queries"] {
            assert_eq!(here.number(figure), launched.number(figure), "{figure}");
        }
    }
}

#[track_caller]
fn reduce(world: &World, directory: &str, out: &str, args: &[&str]) -> Reduction {
    let out = world.beside(out);
    let mut command = world.program(&["--no-daemon", "--no-cache", "--output"]);
    command.arg(&out).args(args);
    command.current_dir(world.work().join(directory));
    let finished = Running::start(command).finish().expect_success();
    let said = finished.stderr();
    assert!(!said.contains("asked on this machine"), "{said}");
    Reduction::read(&out)
}

/// The command lines of all processes that have this text in them.
pub(crate) fn processes_with(text: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path().join("cmdline"));
    let lines = paths.filter_map(|path: PathBuf| std::fs::read(path).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(text)).collect()
}

/// Waits until no process has this text in its command line.
#[track_caller]
pub(crate) fn wait_until_gone(text: &str) {
    wait_until("no process is left", || {
        processes_with(text).is_empty().then_some(())
    });
}
