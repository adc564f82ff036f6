//! Tests of what happens to the daemon and around it: signals, a suspended machine, another build of the program, and
//! surroundings in which something is missing.

use crate::support::disks::{say_not_tested, with_disks};
use crate::support::{
    FEW_PASSES, Reduction, Running, World, copy_program, exit_code, reproduces_with, signal,
    suspended, wait_until,
};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// The place of the crash of `ice-library`.
const CRASH: [&str; 1] = ["rustc_trait_selection/src/traits/select/mod.rs:2495:17"];
/// The number of the user of many systems that has nothing.
const NOBODY: u32 = 65_534;

#[track_caller]
fn check_best_so_far(world: &World) {
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.summary()["ended"], "cancelled");
    assert!(reduction.number("tokens_after") < reduction.number("tokens_before"));
    reproduces_with(&reduction, world, &CRASH);
}

/// Checks that a daemon that is asked to end writes the best so far, tells its client, and leaves nothing that
/// misleads.
#[track_caller]
fn check_signal(name: &str) {
    let world = World::with("ice-library");
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    let pid = world.daemon_pid().expect("a daemon runs");
    signal(pid, name);
    client.finish().expect_code(exit_code::STOPPED);
    check_best_so_far(&world);
    let socket = world.state().join("run/socket");
    wait_until("the socket is gone", || (!socket.exists()).then_some(()));
    wait_until("the daemon is gone", || {
        world.daemon_pid().is_none().then_some(())
    });
    let log = std::fs::read_to_string(world.state().join("log")).expect("there is a log");
    assert!(log.contains(&format!("got SIG{name}")), "{log}");
    world.start_to("out", &[]).wait_for("resumed");
}

#[test]
fn a_terminated_daemon_writes_the_best_so_far_and_the_same_command_goes_on() {
    check_signal("TERM");
}

#[test]
fn a_daemon_whose_terminal_hangs_up_writes_the_best_so_far_and_the_same_command_goes_on() {
    check_signal("HUP");
}

/// Copies the program, which then is another build of it for all that can be seen.
fn another_build(world: &World) -> PathBuf {
    let path = world.beside("cargo-reduce");
    copy_program(&path);
    path
}

#[test]
fn a_job_goes_on_when_the_program_is_replaced_while_it_runs() {
    let world = World::with("ice-library");
    let mut client = world.start_to("out", &["--passes", FEW_PASSES]);
    client.wait_for("step-accepted");
    let pid = world.daemon_pid();
    let newer = another_build(&world);
    let mut command = world.command(newer.to_str().expect("the path is UTF-8"));
    command.args(["reduce", "--ice", "--output"]);
    command.arg(world.beside("other"));
    let refused = Running::start(command).finish();
    refused.expect_failure(exit_code::DAEMON, &["1 job"]);
    assert_eq!(world.daemon_pid(), pid, "the daemon was replaced");
    client.finish().expect_success();
    reproduces_with(&Reduction::read(&world.beside("out")), &world, &CRASH);
    // Now it has nothing to do.
    let mut command = world.command(newer.to_str().expect("the path is UTF-8"));
    command.args(["reduce", "--ice", "nowhere.rs"]);
    Running::start(command)
        .finish()
        .expect_code(exit_code::BAD_INPUT);
    let after = world.daemon_pid();
    assert!(after.is_some() && after != pid, "{after:?} after {pid:?}");
}

/// Longer suspensions are in `tests/slow`.
#[cfg(target_os = "linux")]
#[test]
fn a_reduction_that_is_suspended_for_a_while_has_the_same_result() {
    suspended::check(Duration::from_secs(3));
}

/// Files that seem to come from the future are found where the clock was set back.
#[test]
fn what_was_made_in_the_future_is_used_and_looked_after() {
    let world = World::with("treat-err-as-bug");
    let first = world.reduce_to("first", &["--no-daemon"]);
    let later = SystemTime::now() + Duration::from_secs(10 * 365 * 24 * 60 * 60);
    for path in all_below(&world.state()) {
        let file = std::fs::File::open(&path).expect("it is ours");
        file.set_modified(later).expect("it is ours");
    }
    let again = world.reduce_to("again", &["--no-daemon"]);
    assert_eq!(again.code(), first.code());
    let builds = world.state().join("builds");
    let cache = |args: &[&str]| {
        let all = [&["cache"], args].concat();
        Running::start(world.program(&all))
            .finish()
            .expect_success()
    };
    cache(&["stats"]);
    cache(&["verify"]);
    cache(&["prune", "--older-than", "1"]);
    let left = std::fs::read_dir(&builds).expect("it is there").count();
    assert!(left > 0, "what is new was removed");
    cache(&["prune", "--max-size", "0"]);
    let left = std::fs::read_dir(&builds).expect("it is there").count();
    assert_eq!(left, 0, "what is too much is there");
}

fn all_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = vec![directory.to_owned()];
    for entry in std::fs::read_dir(directory).expect("it is ours").flatten() {
        match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true => found.extend(all_below(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}

/// Starts a daemon for a job that finds no crash, finds it again, and stops it.
#[track_caller]
fn check_daemon(prepare: impl Fn(&mut Command)) {
    let world = World::with("no-crash");
    let run = |args: &[&str]| {
        let mut command = world.program(args);
        prepare(&mut command);
        Running::start(command).finish()
    };
    let finished = run(&["--ice", "--jobs", "2"]);
    assert!(finished.stderr().contains("succeeds"), "{finished}");
    finished.expect_code(exit_code::NO_CRASH);
    let status = run(&["daemon", "status"]).expect_success();
    assert!(status.stdout().contains("pid"), "no daemon runs\n{status}");
    run(&["daemon", "stop"]).expect_success();
}

#[test]
fn a_home_whose_socket_would_have_too_long_a_path_has_a_daemon() {
    let long = World::empty();
    let directory = long.beside(&format!("{}/{}", "a".repeat(120), "b".repeat(120)));
    check_daemon(|command| {
        command.env("CARGO_REDUCE_HOME", &directory);
    });
}

#[test]
fn a_runtime_directory_whose_socket_would_have_too_long_a_path_has_a_daemon() {
    let long = World::empty();
    let runtime = long.beside(&"r".repeat(120));
    std::fs::create_dir(&runtime).expect("a directory can be made");
    check_daemon(|command| {
        command.env_remove("CARGO_REDUCE_HOME");
        command.env("XDG_CACHE_HOME", long.beside("home"));
        command.env("XDG_RUNTIME_DIR", &runtime);
    });
}

#[test]
fn where_there_is_no_runtime_directory_the_socket_is_beside_the_store() {
    let place = World::empty();
    std::fs::write(place.beside("file"), "").expect("a file can be written");
    check_daemon(|command| {
        command.env_remove("CARGO_REDUCE_HOME");
        command.env("XDG_CACHE_HOME", place.beside("home"));
        command.env("XDG_RUNTIME_DIR", place.beside("file/run"));
    });
    assert!(place.beside("home/cargo-reduce/run").is_dir());
}

#[test]
fn where_the_runtime_directory_is_read_only_the_socket_is_beside_the_store() {
    let world = World::with("no-crash");
    let runtime = world.beside("runtime");
    let mut command = world.ice(&[]);
    command.env_remove("CARGO_REDUCE_HOME");
    command.env("XDG_CACHE_HOME", world.beside("home"));
    command.env("XDG_RUNTIME_DIR", &runtime);
    let Some(command) = with_disks(&world, &[(&runtime, "ro")], command) else {
        return;
    };
    Running::start(command)
        .finish()
        .expect_code(exit_code::NO_CRASH);
    let ours = world.beside("home/cargo-reduce");
    assert!(ours.join("run/socket").exists());
    let mut stop = world.program(&["daemon", "stop"]);
    stop.env("CARGO_REDUCE_HOME", ours);
    let stopped = Running::start(stop).finish().expect_success();
    assert!(stopped.everything().contains("stop"), "{stopped}");
}

/// Without variables, as in a container, the system knows the user's home, or there is a word about what to set.
#[test]
fn without_any_variable_but_the_search_path_the_program_works_or_says_what_to_set() {
    let world = World::empty();
    let mut command = world.program(&["captured"]);
    let path = command.get_envs().find(|(name, _)| *name == "PATH");
    let path = path.and_then(|(_, value)| value).expect("there is one");
    let path = path.to_owned();
    command.env_clear().env("PATH", path);
    let finished = Running::start(command).finish();
    match finished.stderr().contains("CARGO_REDUCE_HOME") {
        true => drop(finished.expect_failure(exit_code::BAD_INPUT, &["HOME"])),
        false => drop(finished.expect_success()),
    }
}

/// Another user reaches neither the daemon nor what is kept, and is told so.
#[test]
fn another_user_is_told_whose_the_daemon_is() {
    let world = World::with("no-crash");
    let root = world.work().parent().and_then(Path::parent);
    let root = root.expect("the world is above it");
    if root.metadata().expect("it is there").uid() != 0 {
        say_not_tested("only root can be another user too");
        return;
    }
    world.reduce(&[]).expect_code(exit_code::NO_CRASH);
    let pid = world.daemon_pid();
    // Another user could not even come near the program otherwise.
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(root, open).expect("it is ours");
    let program = another_build(&world);
    let nobody = |args: &[&str], home: &Path| {
        let mut command = world.command(program.to_str().expect("the path is UTF-8"));
        command.arg("reduce").args(args).uid(NOBODY).gid(NOBODY);
        command.env("CARGO_REDUCE_HOME", home).current_dir("/");
        Running::start(command).finish()
    };
    let refused = nobody(&["daemon", "stop", "--force"], &world.state());
    assert!(!refused.everything().contains("panicked"), "{refused}");
    assert_eq!(
        world.daemon_pid(),
        pid,
        "another user has stopped it\n{refused}"
    );
    // The other user has a daemon of their own at the same time.
    let theirs = world.beside("theirs");
    std::fs::create_dir(&theirs).expect("a directory can be made");
    chown(&theirs, Some(NOBODY), Some(NOBODY)).expect("we are root");
    let file = theirs.join("a.rs");
    std::fs::write(&file, "fn f() {}").expect("a file can be written");
    let args = [
        "--ice",
        file.to_str().expect("the path is UTF-8"),
        "--rustc",
        "/no/rustc",
    ];
    let own = nobody(&args, &theirs);
    own.expect_code(exit_code::COMPILER_MISSING);
    let status = nobody(&["daemon", "status"], &theirs).expect_success();
    assert!(status.stdout().contains("pid"), "{status}");
    nobody(&["daemon", "stop"], &theirs).expect_success();
    assert_eq!(world.daemon_pid(), pid);
}
