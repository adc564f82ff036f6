//! Tests of `capture on` and `off`: what they do to the user's configuration of cargo, and that builds go on whatever becomes
//! of ours.

use crate::captured::{COMPILES, CRASHES, assert_says, config, package, write_lib};
use crate::support::git::git;
use crate::support::{Finished, PROGRAM, Running, World, copy_program, exit_code};
use serde_json::json;
use std::fs::{create_dir_all, read_dir, read_to_string, remove_dir_all, write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a command in a world in which our directories are where they are by default.
fn at_home(world: &World, mut command: Command) -> Finished {
    command.env_remove("CARGO_REDUCE_HOME");
    command.env("XDG_CACHE_HOME", world.beside("caches"));
    command.env("XDG_DATA_HOME", world.beside("my data"));
    command.env("RUSTC_ICE", "0").env("RUST_BACKTRACE", "0");
    Running::start(command).finish()
}

fn capture(world: &World, args: &[&str]) -> Finished {
    at_home(world, world.program(&[&["capture"], args].concat()))
}

fn check(world: &World) -> Finished {
    let mut command = world.command("cargo");
    command.arg("check");
    at_home(world, command)
}

/// The directory of the one wrapper below one of ours.
fn only_wrapper(below: &Path) -> PathBuf {
    let mut entries = read_dir(below.join("cargo-reduce/capture")).expect("it is there");
    let entry = entries.next().expect("there is one");
    assert!(entries.next().is_none(), "there are several");
    entry.expect("it can be read").path()
}

#[track_caller]
fn assert_silent(finished: &Finished) {
    assert!(
        !finished.everything().contains("cargo reduce"),
        "{finished}"
    );
}

#[test]
fn crashes_are_kept_where_the_caches_are_emptied_and_cargo_compiles_where_the_data_are() {
    let world = package(CRASHES);
    capture(&world, &["on"]).expect_success();
    let text = read_to_string(config(&world)).expect("a file can be read");
    assert!(!text.contains("my data"), "{text}");
    assert_says(&check(&world), "this crash was kept as #1");
    remove_dir_all(world.beside("caches")).expect("it can be removed");
    assert_says(&check(&world), "this crash was kept as #1");

    remove_dir_all(world.beside("my data")).expect("it can be removed");
    write_lib(&world, COMPILES);
    assert_silent(&check(&world).expect_success());
    write_lib(&world, CRASHES);
    let crash = check(&world).expect_code(101);
    assert!(!crash.everything().contains("was kept"), "{crash}");
    let status = capture(&world, &["status"]).expect_success();
    assert_says(&status, "its wrapper is missing, so that no crash is kept");
    capture(&world, &["on"]).expect_success();
    assert_says(&check(&world), "this crash is kept as #1 already");
    capture(&world, &["off"]).expect_success();
    assert!(!world.work().join(".cargo").exists());
    let left = read_dir(world.beside("my data/cargo-reduce/capture"));
    assert_eq!(left.expect("it is there").count(), 0);
}

#[test]
fn the_wrapper_before_ours_is_called_and_comes_back_where_the_data_are_emptied() {
    let world = package(COMPILES);
    create_dir_all(world.work().join(".cargo")).expect("a directory can be made");
    let text = "[build]\nrustc-wrapper = \"env\" # shared\n";
    write(config(&world), text).expect("a file can be written");
    capture(&world, &["on"]).expect_success();
    remove_dir_all(world.beside("my data")).expect("it can be removed");
    check(&world).expect_success();
    let script = read_to_string(world.work().join(".cargo/cargo-reduce-capture.sh"));
    let script = script.expect("a file can be read");
    assert!(script.ends_with("exec env \"$@\"\n"), "{script}");
    capture(&world, &["off"]).expect_success();
    let left = read_to_string(config(&world)).expect("a file can be read");
    assert_eq!(left, text);
}

#[test]
fn a_configuration_that_git_tracks_is_refused_with_two_ways_out() {
    let world = package(CRASHES);
    create_dir_all(world.work().join(".cargo")).expect("a directory can be made");
    let text = "[build]\njobs = 1\n";
    write(config(&world), text).expect("a file can be written");
    for args in [&["init", "-q"][..], &["add", ".cargo"]] {
        git(&world, world.work(), args);
    }
    let refused = capture(&world, &["on"]);
    let said = refused.stderr();
    let line = said
        .split('`')
        .find(|part| part.contains("export RUSTC_WRAPPER="));
    let line = line.expect("there is a line to paste").to_owned();
    refused.expect_failure(
        exit_code::BAD_INPUT,
        &["git tracks it", "capture on --user"],
    );
    let left = read_to_string(config(&world)).expect("a file can be read");
    assert_eq!(left, text);
    assert_silent(&check(&world));

    let shell = |script: &str| {
        let mut command = world.command("sh");
        command.args(["-c", &format!("{line}; {script}")]);
        at_home(&world, command)
    };
    assert_says(&shell("cargo check"), "this crash was kept as #1");
    let status = shell(&format!("{PROGRAM} reduce capture status"));
    assert_says(&status, "kept by `RUSTC_WRAPPER` in the environment");
    capture(&world, &["off"]).expect_success();
    assert_silent(&shell("cargo check"));
    // A file that is in no commit is the user's own.
    git(
        &world,
        world.work(),
        &["rm", "-q", "--cached", ".cargo/config.toml"],
    );
    capture(&world, &["on"]).expect_success();
}

#[test]
fn what_an_earlier_version_has_set_up_works_until_it_is_moved() {
    let world = package(CRASHES);
    capture(&world, &["on"]).expect_success();
    let data = world.beside("my data");
    let name = only_wrapper(&data);
    let name = name.file_name().expect("it has a name");
    let older = world.beside("caches/cargo-reduce/capture").join(name);
    capture(&world, &["off"]).expect_success();

    create_dir_all(&older).expect("a directory can be made");
    let wrapper = older.join("cargo-reduce-capture");
    copy_program(&wrapper);
    let settings = json!({
        "config": config(&world), "made_file": true, "made_table": true, "made_directory": true,
        "replaced": "env", "chained": "env", "limit_bytes": 1 << 30, "auto": false,
    });
    write(older.join("settings.json"), settings.to_string()).expect("a file can be written");
    create_dir_all(world.work().join(".cargo")).expect("a directory can be made");
    let text = format!("[build]\nrustc-wrapper = {:?}\n", wrapper);
    write(config(&world), text).expect("a file can be written");

    assert_says(&check(&world), "this crash was kept as #1");
    let status = capture(&world, &["status"]).expect_success();
    assert_says(&status, "the wrapper `env` is called, too");
    let on = capture(&world, &["on"]).expect_success();
    assert_says(&on, "the wrapper `env` is called as before");
    assert!(!older.exists());
    only_wrapper(&data);
    assert_says(&check(&world), "this crash is kept as #1 already");
    capture(&world, &["off"]).expect_success();
    let left = read_to_string(config(&world)).expect("a file can be read");
    assert_eq!(left, "[build]\nrustc-wrapper = \"env\"\n");
}
