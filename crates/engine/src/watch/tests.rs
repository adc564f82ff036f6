//! The system's own watches, on real files. What is waited for comes by itself; nothing depends on how
//! soon.

use super::*;
use crate::request::ReductionRequest;
use camino::{Utf8Path, Utf8PathBuf};
use std::time::{Duration, Instant};

/// The time after which a test has failed, which is far more than it takes.
const DEADLINE: Duration = Duration::from_secs(60);

/// A directory `user`, a copy of it, and an output directory in it.
struct Place {
    _temporary: tempfile::TempDir,
    user: Utf8PathBuf,
    copy: Utf8PathBuf,
    output: Utf8PathBuf,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(temporary.path().to_owned()).unwrap();
        let (user, copy) = (root.join("user"), root.join("copy"));
        let output = user.join("out");
        for (name, text) in files {
            write(&user.join(name), text);
            write(&copy.join(name), text);
        }
        std::fs::create_dir_all(&output).unwrap();
        Self {
            _temporary: temporary,
            user,
            copy,
            output,
        }
    }

    fn watches(&self) -> Watches {
        let (watches, warning) = Watches::start(&self.user, &self.copy, &self.output);
        assert_eq!(warning, None);
        watches
    }
}

fn write(path: &Utf8Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Replaces a file as editors do that never leave half a file.
fn replace(path: &Utf8Path, text: &str) {
    let draft = path.with_extension("draft");
    std::fs::write(&draft, text).unwrap();
    std::fs::rename(&draft, path).unwrap();
}

#[track_caller]
fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "{what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

#[track_caller]
fn wait_for_sources(watches: &Watches) -> Vec<String> {
    wait_for("no source has changed", || {
        let changed = watches.changed_sources(Looking::WhereTold);
        (!changed.is_empty()).then_some(changed)
    })
}

const FILES: [(&str, &str); 3] = [
    ("Cargo.toml", "[package]"),
    ("src/lib.rs", "mod a;"),
    ("src/a.rs", "fn a() {}"),
];

#[test]
fn a_source_that_changes_is_told_once_however_it_is_written() {
    let place = Place::new(&FILES);
    let watches = place.watches();
    write(&place.user.join("src/a.rs"), "fn b() {}");
    assert_eq!(wait_for_sources(&watches), ["src/a.rs"]);
    write(&place.user.join("src/a.rs"), "fn c() {}");
    replace(&place.user.join("src/lib.rs"), "");
    assert_eq!(wait_for_sources(&watches), ["src/lib.rs"]);
}

#[test]
fn manifests_and_new_modules_count_and_what_is_ours_does_not() {
    let place = Place::new(&FILES);
    let watches = place.watches();
    write(&place.output.join("reduced.rs"), "fn a() {}");
    write(&place.user.join("src/.#a.rs"), "");
    write(&place.user.join("src/notes.txt"), "");
    write(&place.user.join("src/a.rs"), "fn a() {}");
    write(&place.user.join("src/b.rs"), "fn b() {}");
    write(&place.user.join("Cargo.toml"), "[workspace]");
    let mut all = wait_for_sources(&watches);
    while all.len() < 2 {
        all.extend(wait_for_sources(&watches));
    }
    all.sort();
    assert_eq!(all, ["Cargo.toml", "src/b.rs"]);
}

#[test]
fn a_source_that_goes_has_changed() {
    let place = Place::new(&FILES);
    let watches = place.watches();
    std::fs::remove_file(place.user.join("src/a.rs")).unwrap();
    assert_eq!(wait_for_sources(&watches), ["src/a.rs"]);
}

#[test]
fn what_changed_between_the_copy_and_the_watch_is_told() {
    let place = Place::new(&FILES);
    let later = std::time::SystemTime::now() + Duration::from_secs(9);
    write(&place.user.join("src/lib.rs"), "fn late() {}");
    let path = place.user.join("src/lib.rs");
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(later).unwrap();
    assert_eq!(wait_for_sources(&place.watches()), ["src/lib.rs"]);
}

#[test]
fn at_the_end_every_file_is_looked_at() {
    let place = Place::new(&FILES);
    let watches = place.watches();
    write(&place.user.join("src/lib.rs"), "fn other() {}");
    let changed = watches.changed_sources(Looking::Everywhere);
    assert_eq!(changed, ["src/lib.rs"]);
    assert!(watches.changed_sources(Looking::Everywhere).is_empty());
}

#[test]
fn a_result_that_is_replaced_has_been_touched() {
    let place = Place::new(&FILES);
    let watches = place.watches();
    assert!(!watches.result_was_touched());
    replace(&place.output.join("reduced.rs"), "fn mine() {}");
    wait_for("the result was not touched", || {
        watches.result_was_touched().then_some(())
    });
}

#[test]
fn what_cannot_be_watched_is_said_once_and_is_no_failure() {
    let place = Place::new(&FILES);
    let missing = place.user.join("missing");
    let (watches, warning) = Watches::start(&place.user, &place.copy, &missing);
    assert!(warning.unwrap().contains("will be noticed late"));
    assert!(!watches.result_was_touched());
    let nothing = Utf8Path::new("");
    let (watches, _) = Watches::start(nothing, &place.copy, &place.output);
    assert!(watches.changed_sources(Looking::Everywhere).is_empty());
}

/// Makes a request for a package, or for a file.
fn request(place: &Place, file: Option<&str>) -> ReductionRequest {
    let input = match file {
        None => serde_json::json!({ "Package": {
            "manifest_path": null, "package": null, "target": "Default", "features": [],
            "all_features": false, "no_default_features": false, "release": false,
            "target_triple": null, "rustc_args": [] } }),
        Some(file) => serde_json::json!({ "File": {
            "path": place.user.join(file), "edition": null, "target_triple": null,
            "rustc_args": [] } }),
    };
    serde_json::from_value(serde_json::json!({
        "input": input,
        "surroundings": {
            "cwd": place.user, "rustc": place.user.join("bin/rustc"), "vars": {} },
        "output": place.output,
        "existing_output": "Refuse",
        "property": { "goal": "ice", "demands": crate::Demands::default(), "env": [],
            "reads": [], "at_least": 1, "sandbox": "default", "timeout_seconds": null, "baseline_timeout_seconds": 600, "memory_mib": 64, "allow_errors": false,
            "strict_valid": false, "ignore_location": false, "repeat": crate::Repeat::ONCE },
        "search": serde_json::to_value(crate::SearchOptions::default()).unwrap(),
        "compiler": "auto",
        "jobs": 1,
        "cache": "ThisRunOnly",
    }))
    .unwrap()
}

#[track_caller]
fn check_inputs(file: Option<&str>, changed: &str, expected: &[&str]) {
    let files = [
        ("src/lib.rs", "mod a;"),
        ("src/a.rs", ""),
        ("src/other.rs", ""),
        ("bin/rustc", "a compiler"),
        ("lib/librustc_driver-1.so", "most of it"),
        ("target/CACHEDIR.TAG", ""),
        ("target/made.rs", ""),
    ];
    let place = Place::new(&files);
    let mut files = watch_inputs(&request(&place, file), &place.user).unwrap();
    write(&place.user.join(changed), "something else");
    let expected: Vec<Utf8PathBuf> = expected.iter().map(|path| place.user.join(path)).collect();
    assert_eq!(files.changed_anywhere(), expected);
}

#[test]
fn a_command_depends_on_sources_and_on_the_toolchain() {
    check_inputs(None, "src/other.rs", &["src/other.rs"]);
    check_inputs(None, "rust-toolchain.toml", &["rust-toolchain.toml"]);
    check_inputs(None, "bin/rustc", &["bin/rustc"]);
    check_inputs(
        None,
        "lib/librustc_driver-1.so",
        &["lib/librustc_driver-1.so"],
    );
    check_inputs(None, "target/made.rs", &[]);
    check_inputs(None, "out/reduced.rs", &[]);
}

#[test]
fn a_file_is_watched_with_its_modules() {
    check_inputs(Some("src/lib.rs"), "src/a.rs", &["src/a.rs"]);
    check_inputs(Some("src/lib.rs"), "src/other.rs", &[]);
}
