//! Tests of disks that are full and disks that fail, below the real program: what is said is clear, no accepted step is
//! lost, and no verdict follows from it.
//!
//! A link to the device that is always full, in the place of a file that is about to be written, fills the disk for that
//! file; a link to the memory of the process itself, which cannot be written at its beginning, makes the disk fail. Whole
//! directories are small file systems in memory, which a mount namespace has for itself: where the system lets nobody make
//! one, these tests say so and check nothing.
#![cfg(target_os = "linux")]

use crate::support::asked::script;
use crate::support::disks::with_disks;
use crate::support::{
    FEW_PASSES, Finished, Reduction, Running, World, exit_code, reproduces_with, signal, wait_until,
};
use serde_json::Value;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The place of the crash of `ice-library`.
const CRASH: [&str; 1] = ["rustc_trait_selection/src/traits/select/mod.rs:2495:17"];

/// A reduction of some steps.
const FEW: [&str; 2] = ["--passes", FEW_PASSES];
const FEW_ALONE: [&str; 3] = ["--no-daemon", "--passes", FEW_PASSES];

fn world() -> World {
    World::with("ice-library")
}

#[track_caller]
fn number(event: &Value, field: &str) -> u64 {
    event[field].as_u64().expect("it is a number")
}

/// Checks that the same command again goes on from this step at least, and comes to its end.
#[track_caller]
fn check_resumed(world: &World, told: &Value, args: &[&str]) {
    let again = world.start_to("out", args).finish().expect_success();
    let resumed = again.events_named("resumed");
    assert_eq!(resumed.len(), 1, "it began anew\n{again}");
    assert!(
        number(&resumed[0], "steps") >= number(told, "step"),
        "{resumed:?}\n{told}"
    );
    check_result(world);
}

#[track_caller]
fn check_result(world: &World) {
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.summary()["ended"], "fixpoint");
    assert!(reduction.number("tokens_after") <= 80);
    reproduces_with(&reduction, world, &CRASH);
    let hidden = std::fs::read_dir(world.beside("out")).expect("it is there");
    let hidden = hidden.map(|entry| entry.expect("it can be read").file_name());
    let hidden: Vec<_> = hidden
        .filter(|name| name.to_string_lossy().starts_with('.'))
        .collect();
    assert!(hidden.is_empty(), "left behind: {hidden:?}");
}

/// Checks a reduction whose best program so far cannot be written from the second step on.
#[track_caller]
fn check_output_directory(device: &str, said: &str) {
    let world = world();
    let mut program = world.start_to("out", &FEW_ALONE);
    program.wait_for("step-accepted");
    let told = program.wait_for("step-accepted");
    let unfinished = world.beside("out/.reduced.rs.unfinished");
    // The file may be under way to be written at this moment.
    wait_until("the link is there", || symlink(device, &unfinished).ok());
    let failed = program.finish().expect_code(exit_code::ENVIRONMENT);
    for text in [said, "error: ", "reduced.rs"] {
        assert!(failed.stderr().contains(text), "no `{text}`\n{failed}");
    }
    let best = std::fs::read_to_string(world.beside("out/reduced.rs"));
    assert!(best.expect("the best so far is there").contains("impl"));
    let left = unfinished.symlink_metadata();
    assert!(left.is_err(), "what was not written to its end stays");
    check_resumed(&world, &told, &FEW_ALONE);
}

#[test]
fn a_full_disk_below_the_output_directory_costs_no_step() {
    check_output_directory("/dev/full", "No space left on device");
}

#[test]
fn an_output_directory_on_a_disk_that_fails_costs_no_step() {
    check_output_directory("/proc/self/mem", "Input/output error");
}

#[test]
fn a_daemon_whose_log_cannot_be_written_works() {
    let world = World::with("no-crash");
    symlink("/dev/full", world.state().join("log")).expect("a link can be made");
    world.reduce(&[]).expect_code(exit_code::NO_CRASH);
    assert!(world.daemon_pid().is_some(), "no daemon was used");
}

/// The path of a directory as a process sees it.
fn as_seen_by(pid: u32, directory: &Path) -> PathBuf {
    let inner = directory.strip_prefix("/").expect("it is absolute");
    Path::new(&format!("/proc/{pid}/root")).join(inner)
}

/// Takes all the room that is left.
fn fill(directory: &Path) {
    let mut file = std::fs::File::create(directory.join("filler")).expect("a file can be made");
    while file.write_all(&[1; 4096]).is_ok() {}
}

/// Starts a daemon in the foreground, whose store has a disk of its own.
fn daemon_on_small_disk(world: &World) -> Option<Running> {
    let run = world.program(&["daemon", "run"]);
    let daemon = with_disks(world, &[(&world.state().join("store"), "size=20m")], run)?;
    let daemon = Running::start(daemon);
    wait_until("the daemon listens", || {
        world.state().join("run/socket").exists().then_some(())
    });
    Some(daemon)
}

/// A daemon, and the client of a job of it that has taken a step and whose store has no room for another one.
fn job_whose_store_is_full(world: &World) -> Option<(Running, Running)> {
    let daemon = daemon_on_small_disk(world)?;
    let mut client = world.start_to("out", &FEW);
    client.wait_for("step-accepted");
    fill(&as_seen_by(daemon.pid(), &world.state().join("store")));
    Some((daemon, client))
}

#[track_caller]
fn warnings_of_store(finished: &Finished) -> usize {
    let warnings = finished.events_named("warning");
    let of_store = warnings
        .iter()
        .filter(|warning| warning.to_string().contains("goes on without it"));
    of_store.count()
}

#[test]
fn a_job_whose_store_has_no_room_any_more_goes_on_and_says_so_once() {
    let world = world();
    let Some((_daemon, client)) = job_whose_store_is_full(&world) else {
        return;
    };
    let finished = client.finish().expect_success();
    assert_eq!(warnings_of_store(&finished), 1, "{finished}");
    check_result(&world);
}

#[test]
fn a_step_that_found_no_room_in_the_store_outlives_the_daemon_and_the_store() {
    let world = world();
    let Some((daemon, mut client)) = job_whose_store_is_full(&world) else {
        return;
    };
    client.wait_for("warning");
    let told = client.wait_for("step-accepted");
    signal(daemon.pid(), "KILL");
    client.finish().expect_code(exit_code::DAEMON);
    // The whole store is gone with its disk.
    check_resumed(&world, &told, &FEW);
}

#[test]
fn a_full_scratch_directory_costs_no_step() {
    let world = world();
    let scratch = world.state().join("scratch");
    let mut reduce = world.ice(&["--message-format", "json", "--output"]);
    reduce.arg(world.beside("out")).args(FEW_ALONE);
    // The usual place is too small.
    let disks = [(Path::new("/dev/shm"), "size=1m"), (&*scratch, "size=40m")];
    let Some(reduce) = with_disks(&world, &disks, reduce) else {
        return;
    };
    let mut program = Running::start(reduce);
    let told = program.wait_for("step-accepted");
    fill(&as_seen_by(program.pid(), &scratch));
    let failed = program.finish().expect_code(exit_code::ENVIRONMENT);
    assert!(failed.stderr().contains("scratch"), "{failed}");
    check_resumed(&world, &told, &FEW_ALONE);
}

/// The command says that there is no room as long as a file is there. It would never find the program interesting again,
/// and these verdicts would be kept.
#[test]
fn what_finds_no_room_in_the_scratch_directory_has_no_verdict() {
    let world = World::empty();
    let functions: Vec<String> = (0..40)
        .map(|number| format!("fn f{number}() {{}}\n"))
        .collect();
    let program = functions.concat() + "fn needle() {}\n";
    std::fs::write(world.work().join("a.rs"), program).expect("a file can be written");
    let full = world.beside("full");
    let script = script(
        &world,
        &format!(
            "#!/bin/sh\nif [ -e '{}' ]; then echo 'ld: No space left on device' >&2; exit 1; fi\n\
             grep -q needle \"$1\"\n",
            full.display()
        ),
    );
    let command = |extra: &[&str]| {
        let mut command = world.program(&["--no-daemon", "--jobs", "1", "--sandbox", "off"]);
        command.args(["--message-format", "json", "--script", &script, "a.rs"]);
        command.arg("--output").arg(world.beside("out")).args(extra);
        command
    };
    let scratch = world.state().join("scratch");
    let disks = [(Path::new("/dev/shm"), "size=1m"), (&*scratch, "size=40m")];
    let Some(small) = with_disks(&world, &disks, command(&[])) else {
        return;
    };
    let mut program = Running::start(small);
    program.wait_for("step-accepted");
    std::fs::write(&full, "").expect("a file can be written");
    let failed = program.finish().expect_code(exit_code::ENVIRONMENT);
    for text in [
        "compile and run candidates in",
        "scratch",
        "hint: make room",
    ] {
        assert!(failed.stderr().contains(text), "no `{text}`\n{failed}");
    }
    std::fs::remove_file(full).expect("it is there");
    let again = Running::start(command(&[])).finish().expect_success();
    assert_eq!(again.events_named("resumed").len(), 1, "{again}");
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.code().trim(), "fn needle() {}");
}
