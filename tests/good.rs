//! Tests of `--good`: failures with the present version of a library that another version does not have.

use crate::support::git::git;
use crate::support::good::{check, check_with, reduce, run};
use crate::support::{FEW_PASSES, Reduction, Running, World, copy, exit_code, write};
use std::path::Path;

#[test]
fn the_right_value_of_a_smaller_setup_is_that_of_the_good_version() {
    let world = World::with("two-versions");
    let passes = format!("{FEW_PASSES},recompute_expected");
    let args = [
        "--good",
        "../before",
        "--test",
        "ways",
        "all_ways",
        "--passes",
        &passes,
    ];
    let reduction = check(&world, &args, 130);
    let code = reduction.code();
    // The shortest way is from `A` by `C` to `F`, where the other way takes 14.
    assert_eq!(code.matches("map.add(").count(), 3, "{code}");
    assert!(code.contains("assert_eq!(total, 20"), "{code}");
    // The test is isolated before the search.
    assert!(!code.contains("the sum of all ways"), "{code}");
}

const TRIPS: &str = r#"
use routes::Map;

struct Trips {
    map: Map,
    kilometres: u32,
    cents: u32,
}

impl Trips {
    fn make(&mut self, from: &'static str, to: &str) {
        let length = self.map.ways(from)[to];
        self.kilometres += length;
        if length > 10 {
            self.cents += 12 * length;
        }
    }
}

#[test]
fn trips_are_paid() {
    let mut map = Map::new();
    for (from, to, length) in [("A", "B", 7), ("A", "C", 9), ("A", "F", 14), ("C", "F", 2)] {
        map.add(from, to, length);
    }
    let mut trips = Trips { map, kilometres: 0, cents: 50 };
    for (from, to) in [("A", "C"), ("A", "F"), ("C", "F"), ("A", "B")] {
        trips.make(from, to);
    }
    assert_eq!(trips.kilometres, 29);
    assert_eq!(trips.cents, 182);
}
"#;

/// The good version comes to another branch of the test, and to other sums.
#[test]
fn the_first_value_that_the_good_version_gives_otherwise_is_asserted() {
    let world = World::with("two-versions");
    std::fs::write(world.work().join("now/tests/trips.rs"), TRIPS).expect("written");
    let args = ["--good", "../before", "--test", "trips", "trips_are_paid"];
    let passes = ["--passes", "carve,delete_items,delete_statements"];
    let reduction = check(&world, &[&args[..], &passes].concat(), 80);
    let code = reduction.code();
    assert!(code.contains("[\"F\"], 11)"), "{code}");
    for gone in ["struct", "kilometres", "cents", "12", "if "] {
        assert!(!code.contains(gone), "`{gone}` is in\n{code}");
    }
}

/// The two versions as commits of one repository, which stands beside the user's directory; between them one
/// that changes no code.
fn repository() -> World {
    let world = World::with("two-versions");
    let now = world.work().join("now");
    let git = |args: &[&str]| git(&world, &now, args);
    let faulty = std::fs::read_to_string(now.join("src/lib.rs")).expect("it is there");
    let test = std::fs::read_to_string(now.join("tests/ways.rs")).expect("it is there");
    copy(&world.work().join("before"), &now);
    std::fs::remove_dir_all(now.join("tests")).expect("it can be removed");
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "Begin"]);
    git(&["tag", "old"]);
    std::fs::write(now.join("NOTES"), "Roads lead in one direction.").expect("written");
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "Take notes"]);
    std::fs::write(now.join("src/lib.rs"), faulty).expect("written");
    git(&["commit", "--quiet", "-a", "-m", "Compare ways otherwise"]);
    // Nobody has committed it yet.
    std::fs::create_dir(now.join("tests")).expect("made");
    std::fs::write(now.join("tests/ways.rs"), test).expect("written");
    let described = "\n[[test]]\nname = \"ways\"\n";
    let manifest = std::fs::read_to_string(now.join("Cargo.toml")).expect("it is there");
    std::fs::write(now.join("Cargo.toml"), manifest + described).expect("written");
    world
}

#[test]
fn a_revision_is_read_from_the_repository_as_it_is() {
    let world = repository();
    let args = ["--good", "old", "--test", "ways", "a_way_with_a_stop"];
    let reduction = check(
        &world,
        &[&args[..], &["--passes", FEW_PASSES]].concat(),
        110,
    );
    let report = reduction.report();
    let good = "- Passes with the code of: `old (commit ";
    assert!(report.contains(good), "{report}");
}

#[test]
fn the_commit_that_breaks_it_is_found() {
    let world = repository();
    let args = ["--good", "auto", "--test", "ways", "a_way_with_a_stop"];
    let args = [&args[..], &["--passes", "keep_slice,delete_items"]].concat();
    let reduction = check(&world, &args, 200);
    let also = &reduction.summary()["also"][0];
    let ends_with = |field: &str, end: &str| also[field].as_str().is_some_and(|t| t.ends_with(end));
    assert!(ends_with("version", " (Take notes)"), "{also}");
    assert!(
        ends_with("broken_by", " (Compare ways otherwise)"),
        "{also}"
    );
    let report = reduction.report();
    assert!(report.contains("- Fails since: `"), "{report}");
}

#[test]
fn a_history_in_which_nothing_passes_is_said() {
    let world = repository();
    let never = world.work().join("now/tests/ways.rs");
    let text = std::fs::read_to_string(&never).expect("it is there");
    std::fs::write(&never, text.replace("Some(&11)", "Some(&12)")).expect("written");
    let texts = ["with no commit that was tried, back to `", "(Begin)`"];
    check_refused_in(&world, &["--good", "auto"], exit_code::BAD_INPUT, &texts);
}

#[test]
fn a_revision_that_is_not_there_is_said() {
    let world = repository();
    let refused = |good: &str, texts: &[&str]| {
        check_refused_in(&world, &["--good", good], exit_code::BAD_INPUT, texts);
    };
    refused(
        "older",
        &["the version `older`: git knows no such revision"],
    );
    refused("HEAD:src", &["git knows no such revision"]);
    let world = World::with("two-versions");
    let none = ["is in no git repository", "a path with a `/` in it"];
    check_refused_in(&world, &["--good", "old"], exit_code::BAD_INPUT, &none);
}

/// The checksums file that cargo wants in the directory of a published package.
const NO_SUMS: &str = "{\"files\":{}, \"package\":null}";

/// Makes cargo take the directory `source` for the registry.
fn replace_registry(world: &World) {
    let source = world.beside("source");
    let config = format!(
        "[source.crates-io]\nreplace-with = \"beside\"\n\n[source.beside]\ndirectory = {source:?}\n"
    );
    std::fs::create_dir(world.work().join(".cargo")).expect("made");
    std::fs::write(world.work().join(".cargo/config.toml"), config).expect("written");
}

/// The version before as a published one, in a directory that cargo takes for the registry.
fn published() -> World {
    let world = World::with("two-versions");
    let (work, source) = (world.work(), world.beside("source"));
    for (package, from) in [("routes", "before"), ("queue", "before/queue")] {
        let directory = source.join(package);
        copy(&work.join(from), &directory);
        let manifest = directory.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).expect("it is there");
        let text = text.replace("{ path = \"queue\" }", "\"0.1.0\"");
        let text = text.split("[workspace]").next().expect("a part is there");
        std::fs::write(&manifest, text).expect("written");
        std::fs::write(directory.join(".cargo-checksum.json"), NO_SUMS).expect("written");
    }
    replace_registry(&world);
    world
}

#[test]
fn a_published_version_is_got_by_cargo() {
    let world = published();
    let args = ["--good", "=0.1.0", "--test", "ways", "a_way_with_a_stop"];
    let args = [&args[..], &["--passes", "keep_slice,delete_items"]].concat();
    let reduction = check(&world, &args, 200);
    let report = reduction.report();
    let good = "- Passes with the code of: `routes 0.1.0`";
    assert!(report.contains(good), "{report}");
}

/// A package that has nothing but a test of a published dependency, of which there are two versions.
fn with_dependency() -> World {
    let world = World::empty();
    let package = |name: &str, version: &str, more: &str| {
        format!("[package]\nname = {name:?}\nversion = {version:?}\nedition = \"2021\"\n{more}")
    };
    for (version, answer) in [("1.0.0", 42), ("1.0.1", 41)] {
        let directory = world.beside("source").join(version);
        write(
            &directory.join("Cargo.toml"),
            &package("answers", version, ""),
        );
        let text = format!("pub fn answer() -> u8 {{ {answer} }}");
        write(&directory.join("src/lib.rs"), &text);
        write(&directory.join(".cargo-checksum.json"), NO_SUMS);
    }
    let now = world.work().join("now");
    let more = "[dependencies]\nanswers = \"1\"\n";
    write(&now.join("Cargo.toml"), &package("asks", "0.1.0", more));
    write(&now.join("src/lib.rs"), "");
    let test = "#[test]\nfn answers() {\n    let answer = answers::answer();\n    assert_eq!(answer, 42);\n}\n";
    write(&now.join("tests/asks.rs"), test);
    replace_registry(&world);
    world
}

#[test]
fn a_dependency_may_have_another_version() {
    let world = with_dependency();
    let args = ["--good", "answers=1.0.0", "--test", "asks"];
    let args = [&args[..], &["--passes", "keep_slice,delete_items"]].concat();
    let reduction = check_with(&world, &args, 40, |now| {
        let manifest = now.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).expect("it is there");
        std::fs::write(&manifest, text.replace("\"1\"", "\"=1.0.0\"")).expect("written");
        let _ = std::fs::remove_file(now.join("Cargo.lock"));
    });
    let report = reduction.report();
    let good = "- Passes with the code of: `answers=1.0.0`";
    assert!(report.contains(good), "{report}");
}

#[test]
fn a_version_that_cargo_does_not_get_is_said_with_what_it_says() {
    let world = published();
    let refused = |good: &str, texts: &[&str]| {
        check_refused_in(&world, &["--good", good], exit_code::BAD_INPUT, texts);
    };
    refused(
        "=0.0.9",
        &[
            "the version `routes 0.0.9`: cargo does not get it (",
            "published",
        ],
    );
    refused(
        "serde=1.0.1",
        &["the version `serde=1.0.1`: cargo does not take it ("],
    );
}

#[test]
fn what_compiles_with_the_version_before_is_an_error_of_the_new_one() {
    let world = World::with("two-versions");
    let args = [
        "--good",
        "../before",
        "--example",
        "table",
        "--error",
        "E0308",
    ];
    run(&world, &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    assert!(reduction.number("tokens_after") <= 40, "{code}");
    assert!(code.contains("longest"), "{code}");
    let shown = reduction.reproduce(&world).expect_code(1);
    assert!(shown.stderr().contains("error[E0308]"), "{shown}");
    let command = reduction.summary()["also"][0]["command"].as_str();
    let command = command.expect("there is a command that succeeds");
    reduction.run(&world, command).expect_success();
}

#[track_caller]
fn check_refused(args: &[&str], code: i32, texts: &[&str]) {
    check_refused_in(&World::with("two-versions"), args, code, texts);
}

#[track_caller]
fn check_refused_in(world: &World, args: &[&str], code: i32, texts: &[&str]) {
    let test = [
        "--test",
        "ways",
        "a_way_with_a_stop",
        "--passes",
        FEW_PASSES,
    ];
    run(world, &[args, &test].concat()).expect_failure(code, texts);
}

#[test]
fn a_version_with_which_it_fails_too_is_none_that_is_good() {
    let texts = ["failed to see a difference", "fails too", "right: Some(11)"];
    check_refused(&["--good", "./"], exit_code::NO_CRASH, &texts);
}

#[test]
fn a_path_that_has_no_such_package_is_said_with_what_it_has() {
    let nothing = [
        "before/nothing`: there is no such directory",
        "`git rev-parse ",
    ];
    check_refused(
        &["--good", "../before/nothing"],
        exit_code::BAD_INPUT,
        &nothing,
    );
    let manifest = ["there is no `Cargo.toml` in it"];
    check_refused(
        &["--good", "../before/src"],
        exit_code::BAD_INPUT,
        &manifest,
    );
    let world = World::with("two-versions");
    // Apart from the workspace that it is a member of.
    copy(&world.work().join("now/queue"), &world.beside("queue"));
    let queue = world.beside("queue");
    let good = ["--good", queue.to_str().expect("the path is UTF-8")];
    let package = [
        "it has no package `routes`, but `queue`",
        "of the same workspace",
    ];
    check_refused_in(&world, &good, exit_code::BAD_INPUT, &package);
}

#[test]
fn what_links_nothing_has_no_other_version() {
    let world = World::with("ordinary-error");
    let mut command = world.program(&["--no-daemon", "--error", "E0308", "--good", "../"]);
    command.arg("--output").arg(world.beside("out"));
    let texts = ["links no crate", "`--regression TOOLCHAIN`"];
    Running::start(command)
        .finish()
        .expect_failure(exit_code::BAD_INPUT, &texts);
}

/// Writes a version of a library, and a program that counts so many steps while it is compiled.
fn write_version(directory: &Path, steps: &str) {
    let write = |name: &str, text: &str| write(&directory.join(name), text);
    let manifest = "[package]\nname = \"stairs\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    write("Cargo.toml", manifest);
    write(
        "src/lib.rs",
        &format!("pub const fn steps() -> u32 {{\n    {steps}\n}}\n"),
    );
    write(
        "src/main.rs",
        "#![allow(long_running_const_eval)]\n\nconst fn count(to: u32) -> u32 {\n    let mut at = 0;\n    \
         while at < to {\n        at += 1;\n    }\n    at\n}\n\nconst COUNT: u32 = count(stairs::steps());\n\n\
         fn main() {\n    let words = [\"steps\", \"up\"];\n    println!(\"{COUNT} {}\", words.join(\" \"));\n}\n",
    );
}

#[test]
fn what_has_become_slow_to_compile_is_as_quick_with_the_other_version() {
    let world = World::empty();
    write_version(&world.work().join("before"), "3");
    write_version(&world.work().join("now"), "900_000");
    let args = [
        "--slow",
        "4",
        "--bin",
        "stairs",
        "--good",
        "../before",
        "--max-queries",
        "12",
    ];
    let reduction = reduce(&world, &args, 60);
    let code = reduction.code();
    assert!(code.contains("stairs::steps()"), "{code}");
    assert!(!code.contains("words"), "{code}");
    for command in [
        &reduction.summary()["reproduce"],
        &reduction.summary()["also"][0]["command"],
    ] {
        let command = command.as_str().expect("it is a line");
        reduction.run(&world, command).expect_success();
    }
}
