//! Tests of changes on disk while the program runs: the sources, the result, and with `--watch` the
//! changes for which a reduction begins anew.

use crate::support::{Reduction, Running, World, exit_code, reproduces_with, signal};
use serde_json::Value;
use std::path::Path;

/// The place of the crash of `ice-library`, the fixture of these tests.
const CRASH: [&str; 1] = ["rustc_trait_selection/src/traits/select/mod.rs:2495:17"];

/// The program that a person who knows the crash would write, with something that can go.
const EDIT: &str = "trait Trait {}
trait Trait2 {
    type Assoc;
}
impl Trait2 for <dyn Trait as Trait2>::Assoc {
    type Assoc = u8;
}
pub fn written_by_hand() -> Option<(u8, u8)> { let pair = (1, 2); Some(pair) }
";

fn world() -> World {
    World::with("ice-library")
}

/// Appends to a file, as a person who saves it does.
fn append(path: &Path, text: &str) {
    let before = std::fs::read_to_string(path).expect("the file is there");
    std::fs::write(path, before + text).expect("the file can be written");
}

/// Replaces a file, as editors do that never leave half of one.
fn replace(path: &Path, text: &str) {
    let draft = path.with_extension("draft");
    std::fs::write(&draft, text).expect("the draft can be written");
    std::fs::rename(&draft, path).expect("it can be renamed");
}

fn messages(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .filter_map(|event| event["message"].as_str())
        .collect()
}

#[test]
fn a_source_that_changes_meanwhile_is_told_and_not_waited_for() {
    let world = world();
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    append(&world.work().join("src/lib.rs"), "\nfn meanwhile() {}\n");
    let finished = client.finish().expect_success();
    let warnings = finished.events_named("warning");
    let changed: Vec<&str> = messages(&warnings)
        .into_iter()
        .filter(|message| message.contains("`src/lib.rs` was changed"))
        .collect();
    assert_eq!(changed.len(), 1, "{finished}");
    let reduction = Reduction::read(&world.beside("out"));
    assert!(!reduction.code().contains("meanwhile"));
}

/// A workspace that reads a path dependency where it is, outside of what is copied.
fn world_with_outer_dependency() -> World {
    let world = World::with("ice-library");
    let outer = world.beside("outer");
    std::fs::create_dir_all(outer.join("src")).expect("a directory can be made");
    let manifest = "[package]\nname = \"outer\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    std::fs::write(outer.join("Cargo.toml"), manifest).expect("a file can be written");
    std::fs::write(outer.join("src/lib.rs"), "pub fn outer() {}\n").expect("as above");
    let dependency = "\n[dependencies]\nouter = { path = \"../../outer\" }\n";
    append(&world.work().join("Cargo.toml"), dependency);
    // The lock file does not know it.
    let _ = std::fs::remove_file(world.work().join("Cargo.lock"));
    world
}

#[test]
fn a_path_dependency_that_changes_meanwhile_ends_the_reduction() {
    let world = world_with_outer_dependency();
    let source = world.beside("outer/src/lib.rs");
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    append(&source, "pub fn meanwhile() {}\n");
    let finished = client.finish().expect_code(exit_code::CHANGED);
    let failed = finished.events_named("failed");
    let said = failed[0].to_string();
    let path = source.to_str().expect("it is UTF-8");
    for expected in [
        &format!("the path dependency `{path}` was changed during the reduction"),
        "is the last confirmed step",
    ] {
        assert!(said.contains(expected), "{said}");
    }
    assert!(world.beside("out/reduced.rs").exists());
    // The next reduction needs no `--force`.
    world.start_to("out", &[]).finish().expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    reproduces_with(&reduction, &world, &CRASH);
}

#[test]
fn watching_begins_again_when_a_path_dependency_changes_meanwhile() {
    let world = world_with_outer_dependency();
    let mut client = world.start_to("out", &["--watch"]);
    client.wait_for("step-accepted");
    let source = world.beside("outer/src/lib.rs");
    append(&source, "pub fn meanwhile() {}\n");
    client.wait_for("failed");
    client.wait_for("finished");
    stop(client, 0);
    let reduction = Reduction::read(&world.beside("out"));
    reproduces_with(&reduction, &world, &CRASH);
}

#[test]
fn an_edit_of_the_result_that_still_crashes_is_gone_on_from() {
    let world = world();
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    replace(&world.beside("out/reduced.rs"), EDIT);
    let finished = client.finish().expect_success();
    assert_eq!(finished.events_named("edit-adopted").len(), 1, "{finished}");
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(
        code.contains("dyn") && !code.contains("written_by_hand"),
        "{code}"
    );
    assert!(!world.beside("out/rejected-edit.rs").exists());
    reproduces_with(&reduction, &world, &CRASH);
}

#[test]
fn an_edit_of_the_result_that_does_not_crash_is_kept_aside() {
    let world = world();
    let mut client = world.start_to("out", &[]);
    client.wait_for("step-accepted");
    replace(&world.beside("out/reduced.rs"), "fn written_by_hand() {}\n");
    let finished = client.finish().expect_success();
    let rejected = finished.events_named("edit-rejected");
    assert_eq!(rejected.len(), 1, "{finished}");
    let kept = std::fs::read_to_string(world.beside("out/rejected-edit.rs"));
    assert_eq!(kept.expect("it was kept"), "fn written_by_hand() {}\n");
    let reduction = Reduction::read(&world.beside("out"));
    reproduces_with(&reduction, &world, &CRASH);
}

#[test]
fn watching_starts_again_after_a_change_and_ends_with_the_code_of_the_last_run() {
    let world = world();
    let mut client = world.start_to("out", &["--watch"]);
    client.wait_for("finished");
    append(&world.work().join("src/lib.rs"), "\nfn another() {}\n");
    client.wait_for("baseline-found");
    client.wait_for("finished");
    stop(client, 0);
    let reduction = Reduction::read(&world.beside("out"));
    reproduces_with(&reduction, &world, &CRASH);
}

#[test]
fn watching_waits_for_a_crash_where_there_is_none() {
    let world = World::with("no-crash");
    let mut client = world.start_to("out", &["--watch"]);
    client.wait_for("failed");
    append(&world.work().join("src/lib.rs"), "\nfn another() {}\n");
    client.wait_for("failed");
    stop(client, exit_code::NO_CRASH);
}

/// Stops the client by a signal, which may come before the program waits again; then it stops what
/// it has begun.
#[track_caller]
fn stop(client: Running, code: i32) {
    signal(client.pid(), "INT");
    client.finish().expect_code(code);
}
