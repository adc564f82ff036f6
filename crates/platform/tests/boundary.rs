//! No crate but this one uses interfaces of one operating system, apart from the parts of `oracle` that are compiled for Linux
//! alone. The test reads the sources of the program, without their tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

/// The beginnings of paths to interfaces of one operating system.
const OF_ONE_SYSTEM: [&str; 8] = [
    "std::os::",
    "libc::",
    "rustix::",
    "signal_hook::",
    "tokio::net::Unix",
    "tokio::net::unix",
    "tokio::net::windows",
    "tokio::signal::unix",
];

/// The files and directories that may use interfaces of one operating system.
const ALLOWED: [&str; 5] = [
    "crates/platform/src",
    "crates/oracle/src/system/process/linux",
    "crates/oracle/src/system/process/linux.rs",
    "crates/oracle/src/system/sandbox/linux",
    "crates/oracle/src/system/sandbox/linux.rs",
];

/// The text with which the tests in a file begin; they are its end.
const TESTS: &str = "#[cfg(test)]\nmod tests {";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The directories of sources of the program, below the root.
fn places() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let names = crates.map(|entry| Path::new("crates").join(entry.unwrap().file_name()));
    let places = names.chain(["cargo-reduce".into(), "daemon".into()]);
    places.map(|place| place.join("src")).collect()
}

/// Collects the Rust files in a directory below the root, without those of tests.
fn sources(place: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root().join(place)).unwrap() {
        let entry = entry.unwrap();
        let path = place.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            if !path.ends_with("tests") {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            found.push(path);
        }
    }
}

/// The lines that name an interface of one system, outside of tests.
fn uses(text: &str) -> Vec<&str> {
    let end = text.find(TESTS).unwrap_or(text.len());
    let names = |line: &&str| OF_ONE_SYSTEM.iter().any(|name| line.contains(name));
    text[..end].lines().filter(names).collect()
}

#[test]
fn interfaces_of_one_system_are_used_by_the_platform_and_parts_of_the_oracle_alone() {
    let mut files = Vec::new();
    for place in places() {
        sources(&place, &mut files);
    }
    let (allowed, others): (Vec<&PathBuf>, Vec<&PathBuf>) = files
        .iter()
        .partition(|path| ALLOWED.iter().any(|place| path.starts_with(place)));
    let read = |path: &Path| fs::read_to_string(root().join(path)).unwrap();
    let mut wrong = Vec::new();
    for path in others {
        for line in uses(&read(path)) {
            wrong.push(format!("{}: {}", path.display(), line.trim()));
        }
    }
    assert!(
        wrong.is_empty(),
        "ask `reduce-platform` instead:\n{}",
        wrong.join("\n")
    );
    for place in ALLOWED {
        let mut inner = allowed.iter().filter(|path| path.starts_with(place));
        assert!(
            inner.any(|path| !uses(&read(path)).is_empty()),
            "`{place}` uses none: it need not be allowed to"
        );
    }
}

#[test]
fn tests_may_use_them() {
    let text =
        "use rustix::fs;\n\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n    use libc::c_int;\n}\n";
    assert_eq!(uses(text), ["use rustix::fs;"]);
}
