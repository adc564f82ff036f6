//! Tests of reductions from a workspace with dependencies to one file without any: each fixture has
//! something that ties a crate to others, and ends as one file that crashes where nothing else is.

use crate::support::crates::{FULLY_PERFORM, cargo, check_one_file};
use crate::support::{CASE, Case, Reduction, Running, World, names_in, read_tree, reproduces_with};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The most tokens that a result may have. "By hand" in `fixtures/README.md` is what a person gets.
mod at_most {
    pub(crate) const PROC_MACRO_DERIVE: u64 = 84;
    pub(crate) const BUILD_SCRIPT_CFG: u64 = 31;
    pub(crate) const CRATE_BOUNDARY: u64 = 20;
}

const AS_BUG: &str = "aborting due to `-Z treat-err-as-bug=1`";

const PROC_MACRO_DERIVE: Case = Case {
    fixture: "proc-macro-derive",
    args: &["-p", "mill"],
    at_most: at_most::PROC_MACRO_DERIVE,
    crash: FULLY_PERFORM,
    ..CASE
};

#[test]
fn a_derive_macro_of_the_workspace_is_not_needed_any_more() {
    let reduction = check_one_file(&PROC_MACRO_DERIVE);
    let code = reduction.code();
    assert!(!code.contains("derive"), "{code}");
}

/// A reduction leaves the workspace with its lock file, its target directory and cargo's sources alone.
#[test]
fn the_workspace_its_target_directory_and_cargos_sources_are_as_they_were() {
    let world = World::with("serde-derive");
    std::fs::write(world.work().join("src/lib.rs"), TWO_IMPLS).expect("written");
    // The crate crashes, but all that it needs is compiled, and lies in the target directory.
    Running::start(cargo(&world, &["check", "--quiet"])).finish();
    assert!(world.work().join("target/debug/deps").is_dir());
    let sources = sources_of(&world, &["serde", "serde_core", "serde_derive"]);
    let before: Vec<_> = sources.iter().map(|path| read_tree(path)).collect();
    let workspace = read_tree(world.work());
    let reduction = world.reduce_to("out", &["--no-daemon", "--max-queries", "24"]);
    // The linked crates have been compiled, changed and merged.
    for pass in ["expand_procedural", "merge_crates"] {
        assert!(is_accepted(&reduction, pass), "nothing came of `{pass}`");
    }
    let after: Vec<_> = sources.iter().map(|path| read_tree(path)).collect();
    assert!(before == after, "cargo's sources have changed: {sources:?}");
    assert!(
        workspace == read_tree(world.work()),
        "the workspace has changed"
    );
}

/// The conflict of `serde-derive`, and nothing else: the crates that are linked come after few queries.
const TWO_IMPLS: &str = "use serde::{Serialize, Serializer};

#[derive(Serialize)]
pub struct Entry;

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}
";

/// Whether the search has gone on with a candidate of this pass.
fn is_accepted(reduction: &Reduction, pass: &str) -> bool {
    let passes = reduction.summary()["passes"].as_array();
    let rows = passes.expect("it is a list").iter();
    let row = rows.filter(|row| row["pass"] == pass);
    row.filter_map(|row| row["accepted"].as_u64()).sum::<u64>() > 0
}

/// The directories of these packages.
fn sources_of(world: &World, packages: &[&str]) -> Vec<PathBuf> {
    let metadata = cargo(world, &["metadata", "--format-version", "1", "--locked"]);
    let printed = Running::start(metadata).finish().expect_success().stdout();
    let metadata: Value = serde_json::from_str(&printed).expect("it is JSON");
    let all = metadata["packages"].as_array().expect("it is a list");
    let wanted = |package: &&Value| packages.iter().any(|name| package["name"] == *name);
    let manifests = all.iter().filter(wanted).map(|package| {
        let manifest = package["manifest_path"].as_str();
        PathBuf::from(manifest.expect("it is a string"))
    });
    let directories = manifests.filter_map(|path| path.parent().map(Path::to_owned));
    let directories: Vec<PathBuf> = directories.collect();
    assert_eq!(directories.len(), packages.len(), "{directories:?}");
    directories
}

#[test]
fn what_a_build_script_prints_and_writes_is_in_the_file() {
    let reduction = check_one_file(&Case {
        fixture: "build-script-cfg",
        at_most: at_most::BUILD_SCRIPT_CFG,
        crash: &[
            "rustc_trait_selection/src/traits/select/mod.rs:2495:17",
            "but now is not",
        ],
        ..CASE
    });
    let reproduce = &reduction.summary()["reproduce"];
    let command = reproduce.as_str().expect("it is a string");
    for gone in ["has_pumps", "WELL_"] {
        assert!(!command.contains(gone), "`{gone}` in `{command}`");
    }
}

/// The crash needs two crates: in one crate `#[non_exhaustive]` means nothing, so that there is no
/// error that could be a bug.
#[test]
fn a_crash_that_needs_two_crates_keeps_them() {
    let case = Case {
        fixture: "crate-boundary",
        args: &["-p", "shop", "--no-daemon"],
        at_most: at_most::CRATE_BOUNDARY,
        crash: &[AS_BUG, "cannot create non-exhaustive struct"],
        ..CASE
    };
    let world = World::with(case.fixture);
    let reduction = world.reduce_to("out", case.args);
    let output = world.beside("out");
    assert!(output.join("reduced.rs").is_file());
    assert_eq!(names_in(&output.join("auxiliary")), ["stock.rs"]);
    reproduces_with(&reduction, &world, case.crash);
    assert!(reduction.number("tokens_after") <= case.at_most);
    let crates = &reduction.summary()["crates"];
    assert!(crates.to_string().contains("stock"), "{crates}");
    check_texts_of_two_crates(&output, &reduction);
}

/// Checks that each of the two files has its part of the crash, and that nothing is left of either that
/// is not.
#[track_caller]
fn check_texts_of_two_crates(output: &Path, reduction: &Reduction) {
    let read = |path| std::fs::read_to_string(output.join(path)).expect("it can be read");
    let (own, other) = (read("reduced.rs"), read("auxiliary/stock.rs"));
    assert!(other.contains("non_exhaustive"), "{other}");
    assert!(own.contains("stock"), "{own}");
    for gone in ["derive", "fn ", "enum"] {
        assert!(!other.contains(gone), "`{gone}` in\n{other}");
    }
    let report = reduction.report();
    assert!(report.contains("auxiliary/stock.rs"), "{report}");
    // The scratch directory in which the other crate was compiled is in none of the flags.
    let flags = report.lines().find(|line| line.starts_with("- Flags: "));
    assert!(
        flags.is_some_and(|flags| !flags.contains("stock")),
        "{flags:?}"
    );
    let command = reduction.summary()["reproduce"].as_str();
    let command = command.expect("`reproduce` is a string");
    assert!(!command.contains("deps/"), "`deps` in `{command}`");
}

/// A build script has the compiler try programs, as many do that find out what it can do. Here one of them
/// crashes it, as each error does.
const PROBING: &str = r#"
use std::process::Command;

fn main() {
    let compiler = std::env::var_os("RUSTC").unwrap();
    let mut probe = match std::env::var_os("RUSTC_WRAPPER") {
        Some(wrapper) => Command::new(wrapper),
        None => Command::new(&compiler),
    };
    let out = std::env::var("OUT_DIR").unwrap();
    std::fs::write(format!("{out}/probe.rs"), "pub fn f() -> u8 { u8::NEW_NAME }").unwrap();
    if std::env::var_os("RUSTC_WRAPPER").is_some() {
        probe.arg(&compiler);
    }
    let args = ["--crate-name=probe", "--crate-type=lib", "--emit=metadata", "-Ztreat-err-as-bug=1"];
    let probe = probe.args(args).arg(format!("--out-dir={out}")).arg(format!("{out}/probe.rs"));
    assert!(!probe.output().unwrap().status.success());
}
"#;

#[test]
fn a_crash_that_a_build_script_causes_is_not_that_of_the_program() {
    let manifest =
        "[package]\nname = \"till\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    let config =
        "[env]\nRUSTC_BOOTSTRAP = \"1\"\n[build]\nrustflags = [\"-Ztreat-err-as-bug=1\"]\n";
    let library =
        "pub fn price(pieces: &str) -> u32 {\n    let total: u32 = pieces;\n    total\n}\n";
    let world = World::with_files(&[
        ("Cargo.toml", manifest),
        (".cargo/config.toml", config),
        ("build.rs", PROBING),
        ("src/lib.rs", library),
    ]);
    let reduction = world.reduce_to("out", &["--no-daemon"]);
    let code = reduction.code();
    assert!(!code.contains("NEW_NAME"), "{code}");
    reproduces_with(&reduction, &world, &[AS_BUG, "mismatched types"]);
}
