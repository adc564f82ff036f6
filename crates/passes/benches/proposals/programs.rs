//! The programs that are observed: fixtures, and crates that the lock file pins.

#[path = "../../../../tests/support/locked.rs"]
mod locked;

use camino::{Utf8Path, Utf8PathBuf};
use reduce_gather::{Configuration, collect_sources, configured, embedded, inline_modules};
use reduce_syntax::SourceTree;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Crates of the lock file with much of what passes work on, small enough for a test.
const CRATES: [&str; 12] = [
    "arrayvec",
    "clap_lex",
    "equivalent",
    "heck",
    "itoa",
    "once_cell",
    "same-file",
    "scopeguard",
    "semver",
    "shlex",
    "terminal_size",
    "walkdir",
];

/// Crates of the lock file that a program is merged with, and the program.
const MERGES: [(&str, &str); 7] = [
    ("walkdir", "same-file"),
    ("lock_api", "scopeguard"),
    ("anstyle-parse", "utf8parse"),
    ("parking_lot_core", "smallvec"),
    ("tempfile", "fastrand"),
    ("tempfile", "once_cell"),
    ("parking_lot_core", "cfg-if"),
];

/// A crate, as it was collected, with its name.
pub(super) struct Program {
    pub(super) name: String,
    pub(super) sources: SourceTree,
}

/// A program and the text of a crate that it is to be merged with.
pub(super) struct Merge {
    pub(super) program: Program,
    pub(super) dependency: String,
    pub(super) text: String,
}

/// All programs, in the order of their names.
pub(super) fn all() -> Vec<Program> {
    let mut programs = fixtures();
    programs.extend(CRATES.map(|name| program(name, &library(name))));
    programs
}

/// All pairs of a program and a crate that is merged with it.
pub(super) fn merges() -> Vec<Merge> {
    let mut merges: Vec<Merge> = MERGES
        .map(|(program, dependency)| {
            merge(program, &library(program), dependency, &library(dependency))
        })
        .into();
    let fixture = |path: &str| repository().join("fixtures").join(path);
    for (program, dependency, name) in [
        (
            "crate-boundary/shop/src/lib.rs",
            "crate-boundary/stock/src/lib.rs",
            "stock",
        ),
        (
            "with-dependency/app/src/lib.rs",
            "with-dependency/lib/src/lib.rs",
            "lib",
        ),
    ] {
        if fixture(dependency).exists() {
            merges.push(merge(
                program,
                &fixture(program),
                name,
                &fixture(dependency),
            ));
        }
    }
    merges
}

fn repository() -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn merge(program_name: &str, root: &Utf8Path, dependency: &str, of_dependency: &Utf8Path) -> Merge {
    Merge {
        program: program(&format!("{program_name} with {dependency}"), root),
        dependency: dependency.replace('-', "_"),
        text: one_text(of_dependency),
    }
}

fn program(name: &str, root: &Utf8Path) -> Program {
    let directory = root.parent().expect("a file is in a directory").to_owned();
    let relative = Utf8PathBuf::from(root.file_name().expect("a root is a file"));
    let read = |path: &Utf8Path| Some(std::fs::read_to_string(directory.join(path)).ok()?.into());
    let sources = collect_sources(&relative, &read).expect("the root can be read");
    Program {
        name: name.to_owned(),
        sources,
    }
}

/// A crate as one file, as it is handed to a merge: configured, with what it reads in place.
fn one_text(root: &Utf8Path) -> String {
    let configuration = Configuration::from_lines([
        "unix",
        "target_os=\"linux\"",
        "feature=\"std\"",
        "panic=\"unwind\"",
    ]);
    let directory = root.parent().expect("a file is in a directory").to_owned();
    let relative = Utf8PathBuf::from(root.file_name().expect("a root is a file"));
    let read = |path: &Utf8Path| {
        let text = std::fs::read_to_string(directory.join(path)).ok()?;
        Some(Arc::from(configured(
            &embedded(&text, path, &Nothing),
            &configuration,
        )))
    };
    let sources = collect_sources(&relative, &read).expect("the root can be read");
    let inlined = inline_modules(&sources);
    let one = inlined.as_ref().unwrap_or(&sources);
    one.text(one.root()).to_owned()
}

/// Surroundings without files and variables.
struct Nothing;

impl reduce_gather::Readable for Nothing {
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }

    fn file(&self, _path: &Utf8Path) -> Option<Vec<u8>> {
        None
    }
}

/// The root of a library that the lock file pins.
fn library(name: &str) -> Utf8PathBuf {
    static LIBRARIES: std::sync::LazyLock<BTreeMap<String, Utf8PathBuf>> =
        std::sync::LazyLock::new(libraries);
    LIBRARIES[name].clone()
}

fn libraries() -> BTreeMap<String, Utf8PathBuf> {
    let metadata = locked::metadata();
    let mut found = BTreeMap::new();
    for package in metadata.packages {
        if let Some(target) = package.targets.iter().find(|target| target.is_lib()) {
            found
                .entry(package.name.to_string())
                .or_insert(target.src_path.clone());
        }
    }
    found
}

/// Each file of `fixtures/` that is the root of a crate.
fn fixtures() -> Vec<Program> {
    let top = repository().join("fixtures");
    let mut roots = Vec::new();
    find_roots(&top, &mut roots);
    roots.sort_unstable();
    let name = |root: &Utf8Path| {
        root.strip_prefix(&top)
            .expect("it is below")
            .as_str()
            .to_owned()
    };
    roots
        .iter()
        .map(|root| program(&name(root), root))
        .collect()
}

fn find_roots(directory: &Utf8Path, roots: &mut Vec<Utf8PathBuf>) {
    let entries = directory.read_dir_utf8().expect("fixtures can be read");
    for entry in entries {
        let path = entry.expect("fixtures can be read").into_path();
        let in_src = directory.file_name() == Some("src");
        let is_root = !in_src || matches!(path.file_name(), Some("lib.rs" | "main.rs"));
        if path.is_dir() && path.file_name() != Some("target") {
            find_roots(&path, roots);
        } else if path.extension() == Some("rs") && is_root {
            roots.push(path);
        }
    }
}
