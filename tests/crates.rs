//! Tests of reductions from a workspace with dependencies to one file without any: each fixture has
//! something that ties a crate to others, and ends as one file that crashes where nothing else is.

use crate::support::{
    CASE, Case, Reduction, Running, World, check, copy, names_in, read_tree, reproduces_with,
};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The most tokens that a result may have. "By hand" in `fixtures/README.md` is what a person gets.
mod at_most {
    pub(crate) const PROC_MACRO_DERIVE: u64 = 84;
    pub(crate) const BUILD_SCRIPT_CFG: u64 = 31;
    pub(crate) const CRATE_BOUNDARY: u64 = 20;
    pub(crate) const EDITION_2015_DEPENDENCY: u64 = 142;
    pub(crate) const RENAMED_DEPENDENCY: u64 = 92;
    pub(crate) const MANY_MEMBERS: u64 = 84;
}

/// The number of members without any part in the crash that are added to a workspace.
const UNRELATED: usize = 10;

const FULLY_PERFORM: &[&str] = &["error performing operation: fully_perform"];
const AS_BUG: &str = "aborting due to `-Z treat-err-as-bug=1`";

const PROC_MACRO_DERIVE: Case = Case {
    fixture: "proc-macro-derive",
    args: &["-p", "mill"],
    at_most: at_most::PROC_MACRO_DERIVE,
    crash: FULLY_PERFORM,
    ..CASE
};

/// Reduces to one file, and checks that it crashes where nothing else is.
#[track_caller]
fn check_one_file(case: &Case) -> Reduction {
    let reduction = check(case);
    is_one_file(&reduction, case.crash);
    reduction
}

/// Checks that the file alone, in a directory of its own, crashes with the command of the summary,
/// which names nothing but the file and its flags.
#[track_caller]
fn is_one_file(reduction: &Reduction, crash: &[&str]) {
    let result = &reduction.summary()["result"];
    let code = reduction.code();
    assert!(reduction.is_single_file(), "{result} is left:\n{code}");
    let command = reduction.summary()["reproduce"].as_str();
    let command = command.expect("`reproduce` is a string");
    for other in ["--extern", "-L", "deps", "OUT_DIR", "CARGO_", "cargo "] {
        assert!(!command.contains(other), "`{other}` in `{command}`");
    }
    for other in ["include!", "include_str!", "env!", "extern crate", "mod "] {
        assert!(!code.contains(other), "`{other}` in\n{code}");
    }
    crashes_alone(code, command, crash);
}

#[track_caller]
fn crashes_alone(code: &str, command: &str, crash: &[&str]) {
    let world = World::empty();
    std::fs::write(world.work().join("reduced.rs"), code).expect("a file can be written");
    let mut shell = world.command("sh");
    shell.args(["-c", command]);
    let finished = Running::start(shell).finish();
    assert!(finished.is_crash(), "it does not crash\n{finished}\n{code}");
    for text in crash {
        assert!(finished.stderr().contains(text), "no `{text}`\n{finished}");
    }
}

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

fn cargo(world: &World, args: &[&str]) -> std::process::Command {
    let mut command = world.command("cargo");
    command.args(args);
    command
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

#[test]
fn a_crate_of_edition_2015_is_put_into_one_of_2021() {
    check_one_file(&Case {
        fixture: "edition-2015-dependency",
        args: &["-p", "tower"],
        at_most: at_most::EDITION_2015_DEPENDENCY,
        factor: 3,
        crash: &[
            "rustc_borrowck/src/type_check/relate_tys.rs:393:37",
            "failure to relate an opaque to itself",
        ],
        ..CASE
    });
}

#[test]
fn renamed_crates_of_two_versions_are_told_apart() {
    let reduction = check_one_file(&Case {
        fixture: "renamed-dependency",
        args: &["-p", "port"],
        at_most: at_most::RENAMED_DEPENDENCY,
        crash: FULLY_PERFORM,
        ..CASE
    });
    let code = reduction.code();
    for gone in ["macro_rules", "$crate", "\r"] {
        assert!(!code.contains(gone), "`{gone}` in\n{code}");
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

#[test]
fn members_that_have_nothing_to_do_with_the_crash_cost_no_query() {
    let few = World::with("with-dependency");
    let many = World::with("with-dependency");
    add_members(&many);
    let args = ["-p", "app", "--no-daemon", "--no-cache"];
    let (few, many) = (few.reduce_to("out", &args), many.reduce_to("out", &args));
    assert_eq!(few.code(), many.code());
    for field in ["tokens_before", "tokens_after", "queries", "steps"] {
        assert_eq!(few.number(field), many.number(field), "{field}");
    }
    is_one_file(&many, FULLY_PERFORM);
    assert!(many.number("tokens_after") <= at_most::MANY_MEMBERS);
}

/// Adds members to a workspace, after the others and before them in the alphabet. Every second one
/// uses a crate that the crash needs too, every third one its neighbour.
fn add_members(world: &World) {
    let manifest = world.work().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).expect("there is a manifest");
    let mut listed = String::new();
    for number in 0..UNRELATED {
        let name = format!("{}{number}", if number < 5 { "a" } else { "zone" });
        write!(listed, "\"{name}\", ").expect("a text can be written to");
        add_member(world, number, &name);
    }
    let text = text.replace("members = [", &format!("members = [{listed}"));
    std::fs::write(manifest, text).expect("a file can be written");
    let lock = cargo(world, &["generate-lockfile", "--offline", "--quiet"]);
    Running::start(lock).finish().expect_success();
}

fn add_member(world: &World, number: usize, name: &str) {
    let directory = world.work().join(name);
    copy(&world.work().join("colours"), &directory);
    let mut manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n"
    );
    let source = directory.join("src/lib.rs");
    let mut text = std::fs::read_to_string(&source).expect("there is a library");
    if number.is_multiple_of(2) {
        manifest.push_str("signals = { path = \"../signals\" }\n");
        text.push_str("\npub use signals::Strength;\n");
    }
    if number % 3 == 1 {
        let before = format!("a{}", number.saturating_sub(1).min(4));
        writeln!(manifest, "{before} = {{ path = \"../{before}\" }}").expect("the same");
        writeln!(text, "\npub use {before}::Colour as Other;").expect("the same");
    }
    std::fs::write(directory.join("Cargo.toml"), manifest).expect("a file can be written");
    std::fs::write(source, text).expect("a file can be written");
}
