//! Tests of `--incremental`: crashes of the second of two compilations.

use crate::support::git::git;
use crate::support::{FEW_PASSES, Finished, Reduction, Running, World, copy, read_tree};
use std::path::Path;

/// The compiler's message where a function is not as it was.
const NOT_CLEAN: &str = "should be clean but is not";

/// Flags by which a single file crashes the second time.
const FLAGS: [&str; 4] = [
    "--crate-type=lib",
    "--cfg=revised",
    "-Zquery-dep-graph",
    "-Ztreat-err-as-bug",
];

/// Runs `cargo-reduce reduce --incremental ARGS` in a directory.
fn run(world: &World, directory: &Path, args: &[&str]) -> Finished {
    let mut command = world.program(&["--incremental", "--no-daemon", "--no-cache", "--output"]);
    command.arg(world.beside("out")).args(args);
    command.current_dir(directory).env("RUSTC_BOOTSTRAP", "1");
    Running::start(command).finish()
}

/// Reduces, and runs both compilations of the result.
#[track_caller]
fn check(world: &World, directory: &Path, args: &[&str], at_most: u64) -> Reduction {
    let sources = read_tree(world.work());
    run(world, directory, args).expect_success();
    assert_eq!(read_tree(world.work()), sources, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    let (tokens, code) = (reduction.number("tokens_after"), reduction.code());
    assert!(tokens <= at_most, "{tokens} tokens\n{code}");
    let crash = reduction.reproduce(world);
    assert!(crash.is_crash(), "{}", crash.everything());
    assert!(crash.stderr().contains(NOT_CLEAN), "{}", crash.stderr());
    reduction
}

/// Makes a world with a file before a change, and after it.
fn files(before: &str, after: &str) -> World {
    let world = World::empty();
    for (name, text) in [("before.rs", before), ("after.rs", after)] {
        std::fs::write(world.work().join(name), text).expect("written");
    }
    world
}

#[test]
fn a_crash_after_an_edit_in_another_member_becomes_a_test_of_rustc() {
    let world = World::with("incremental-menu");
    let after = world.work().join("after");
    let reduction = check(&world, &after, &["--before", "../before"], 40);
    let code = reduction.code();
    let flags = "//@ compile-flags: --crate-type lib --cfg=revised -Zquery-dep-graph -Ztreat-err-as-bug=1\n\n";
    let head = format!("//@ revisions: bpass1 bpass2\n{flags}#![feature(rustc_attrs)]\n");
    assert!(code.starts_with(&head), "{code}");
    assert!(code.contains("#[cfg(bpass"), "{code}");
    assert!(!code.contains("kitchen"), "a crate is linked\n{code}");
    let reproduce = reduction.summary()["reproduce"].as_str();
    let reproduce = reproduce.expect("it is a string");
    let calls: Vec<&str> = reproduce.split(" && ").collect();
    assert_eq!(calls.len(), 2, "{reproduce}");
    assert!(calls[0].contains("--cfg bpass1 -Cincremental="));
    assert!(calls[1].contains("--cfg bpass2 -Cincremental="));
    let report = reduction.report();
    for part in ["### Change\n", "--- a/reduced.rs", "`tests/incremental`"] {
        assert!(report.contains(part), "{part} is missing\n{report}");
    }
    assert!(
        !report.contains("godbolt"),
        "one call is not enough\n{report}"
    );
    let first = reduction.run(&world, calls[0]);
    first.expect_success();
}

#[test]
fn a_search_that_ends_early_leaves_both_forms_of_what_is_linked() {
    let world = World::with("incremental-menu");
    let after = world.work().join("after");
    let args = ["--before", "../before", "--max-queries", "1"];
    let reduction = check(&world, &after, &args, 400);
    assert!(reduction.code().contains("kitchen"), "it links nothing");
    let reproduce = reduction.summary()["reproduce"].to_string();
    let (first, second) = reproduce.split_once(" && ").expect("there are two calls");
    assert!(first.contains("kitchen=deps-before/"), "{reproduce}");
    assert!(second.contains("kitchen=deps/"), "{reproduce}");
    assert!(!reproduce.contains("builds"), "{reproduce}");
}

#[test]
fn the_program_before_may_be_a_commit() {
    let world = World::with("incremental-menu");
    let now = world.work().join("now");
    copy(&world.work().join("before"), &now);
    git(&world, &now, &["init", "--quiet"]);
    git(&world, &now, &["add", "."]);
    git(&world, &now, &["commit", "--quiet", "-m", "Bake"]);
    copy(&world.work().join("after"), &now);
    let args = ["--before", "HEAD", "--passes", FEW_PASSES];
    let reduction = check(&world, &now, &args, 234);
    assert!(reduction.summary()["difference"].is_string());
}

#[test]
fn a_file_may_be_compiled_after_another_one() {
    let before = "#![feature(rustc_attrs)]\npub fn other() {}\npub fn f() -> u8 { other(); 1 }\n";
    let after = "#![feature(rustc_attrs)]\npub fn other() {}\n#[rustc_clean(cfg = \"revised\")]\npub fn f() -> u8 { other(); 2 }\n";
    let world = files(before, after);
    let args = [&["after.rs", "--before", "before.rs", "--"][..], &FLAGS].concat();
    let reduction = check(&world, world.work(), &args, 32);
    assert!(!reduction.code().contains("other"), "{}", reduction.code());
}

#[test]
fn the_same_program_may_be_compiled_twice() {
    let world = files("", "pub fn f() -> u8 { 1 }\n");
    let flags = [
        "--",
        "--crate-type=lib",
        "-Zassert-incr-state=not-loaded",
        "-Ztreat-err-as-bug",
    ];
    run(&world, world.work(), &[&["after.rs"][..], &flags].concat()).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.number("tokens_after"), 0, "any program will do");
    assert!(reduction.reproduce(&world).is_crash());
    let reproduce = reduction.summary()["reproduce"].to_string();
    assert!(!reproduce.contains("--cfg"), "{reproduce}");
}

#[test]
fn the_compilations_may_differ_in_flags() {
    let text = "pub fn other() {}\npub fn f() -> u8 { 1 }\n";
    let world = files("", text);
    // The state of a compilation without optimisation is not used for one with it, which is an error here.
    let args = [
        "--before-args=--cfg=unused",
        "--after-args=-Zassert-incr-state=loaded -Copt-level=1 --cfg=unused_too",
        "after.rs",
        "--",
        "--crate-type=lib",
        "-Ztreat-err-as-bug",
    ];
    run(&world, world.work(), &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert_eq!(reduction.number("tokens_after"), 0, "any program will do");
    assert!(reduction.reproduce(&world).is_crash());
    let expected = "//@ revisions: bpass1 bpass2\n\
                    //@ compile-flags: --crate-type=lib -Ztreat-err-as-bug\n\
                    //@[bpass2] compile-flags: -Zassert-incr-state=loaded -Copt-level=1";
    assert_eq!(reduction.code().trim_end(), expected);
    let reproduce = reduction.summary()["reproduce"].to_string();
    let (first, second) = reproduce.split_once(" && ").expect("there are two calls");
    assert!(!first.contains("opt-level"), "{reproduce}");
    assert!(second.contains("opt-level"), "{reproduce}");
    let report = reduction.report();
    let told = "Only the second compilation has `-Zassert-incr-state=loaded -Copt-level=1`.";
    assert!(report.contains(told), "{report}");
}

#[test]
fn what_only_one_compilation_sets_is_left_to_the_compiler() {
    let text = "#![feature(rustc_attrs)]\npub fn other() {}\n\
                #[cfg_attr(revised, rustc_clean(cfg = \"revised\"))]\npub fn f() -> u8 {\n    \
                #[cfg(revised)]\n    other();\n    2\n}\n";
    let world = files("", text);
    let args = [
        "--after-args=--cfg=revised",
        "after.rs",
        "--",
        "--crate-type=lib",
        "-Zquery-dep-graph",
        "-Ztreat-err-as-bug",
    ];
    let reduction = check(&world, world.work(), &args, 40);
    let code = reduction.code();
    assert!(
        code.contains("//@[bpass2] compile-flags: --cfg=revised\n"),
        "{code}"
    );
}

#[test]
fn what_one_text_does_not_show_becomes_two_files() {
    // The function stays where it is if both versions are one text.
    let rest = "pub fn other() -> u8 { 1 }\n#[rustc_clean(cfg = \"revised\")]\npub fn line() -> u32 { 1 + line!() }\n";
    let feature = "#![feature(rustc_attrs)]\n";
    let world = files(
        &format!("{feature}pub struct Old {{\n    pub field: u8,\n}}\n{rest}"),
        &format!("{feature}{rest}"),
    );
    let args = [&["after.rs", "--before", "before.rs", "--"][..], &FLAGS].concat();
    let reduction = check(&world, world.work(), &args, 50);
    let code = reduction.code();
    assert!(code.contains("#[cfg(before)]"), "{code}");
    assert!(!code.contains("other"), "{code}");
    let reproduce = reduction.summary()["reproduce"].as_str().expect("a string");
    assert!(!reproduce.contains("--cfg before"), "{reproduce}");
    assert!(!reproduce.contains("--cfg after"), "{reproduce}");
    assert!(reproduce.contains("cp two-files/before.rs two-files/program.rs && "));
    for name in ["before.rs", "after.rs"] {
        let path = world.beside("out").join("two-files").join(name);
        let text = std::fs::read_to_string(path).expect("it is written");
        assert!(
            text.contains("line!()") && !text.contains("cfg(before)"),
            "{text}"
        );
    }
    let again = reduction.run(&world, "sh two-files/reproduce.sh");
    assert!(again.stderr().contains(NOT_CLEAN), "{again}");
    assert!(
        reduction
            .report()
            .contains("each is a file of its own, without attributes: `two-files`")
    );
}

#[test]
fn the_first_compilation_may_have_errors() {
    let feature = "#![feature(rustc_attrs)]\n";
    let after = "pub fn other() {}\npub fn f() -> u8 { 2 }\n";
    // The compiler comes to what it asserts before it looks at bodies, and keeps nothing of the first compilation.
    let world = files(
        &format!("{feature}{after}pub fn g() -> u8 {{ missing }}\n"),
        &format!("{feature}{after}"),
    );
    let args = [
        "after.rs",
        "--before",
        "before.rs",
        "--after-args=-Zassert-incr-state=loaded -Ztreat-err-as-bug",
        "--",
        "--crate-type=lib",
    ];
    run(&world, world.work(), &args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert!(
        reduction
            .code()
            .starts_with("//@ revisions: bfail1 bpass2\n")
    );
    let finished = reduction.reproduce(&world);
    assert!(finished.is_crash(), "{finished}");
    let reproduce = reduction.summary()["reproduce"].to_string();
    assert!(
        reproduce.contains("-Cincremental=incremental; "),
        "{reproduce}"
    );
}

#[test]
fn two_versions_of_several_files_take_the_place_of_one_another() {
    let world = World::empty();
    let module = "#[rustc_clean(cfg = \"revised\")]\npub fn line() -> u32 { 1 + line!() }\n";
    let old = format!("pub struct Old {{\n    pub field: u8,\n}}\n{module}");
    for (directory, text) in [("old", old.as_str()), ("new", module)] {
        let directory = world.work().join(directory);
        std::fs::create_dir_all(&directory).expect("a directory can be made");
        let root = "#![feature(rustc_attrs)]\npub mod a;\n";
        for (name, text) in [("lib.rs", root), ("a.rs", text)] {
            std::fs::write(directory.join(name), text).expect("written");
        }
    }
    let args = [
        "new/lib.rs",
        "--before",
        "old/lib.rs",
        "--passes=delete_items",
        "--",
    ];
    check(&world, world.work(), &[&args[..], &FLAGS].concat(), 60);
    let reduced = world.beside("out").join("reduced");
    for name in ["before", "after"] {
        assert!(reduced.join("two-files").join(name).join("a.rs").is_file());
    }
}

#[test]
fn what_cannot_be_a_pair_is_refused() {
    let refused = |world: &World, args: &[&str], code: i32, texts: &[&str]| {
        let args = [&["after.rs"][..], args, &["--"], &FLAGS].concat();
        run(world, world.work(), &args).expect_failure(code, texts);
    };
    let world = files("pub fn f() -> u8 {}\n", "pub fn f() {}\n");
    let alone = ["the compiler crashes on it by itself", "`--ice` reduces"];
    refused(&world, &["--before", "before.rs"], 2, &alone);
    let world = files("pub fn f( {}\n", "pub fn f() {}\n");
    let apart = [
        "`after.rs` cannot be written as one text",
        "both have to parse",
    ];
    refused(&world, &["--before", "before.rs"], 2, &apart);
    let frames = [
        "`--same-frames` compares one call",
        "leave `--same-frames` out",
    ];
    refused(&world, &["--same-frames", "2"], 2, &frames);
}

#[test]
fn flags_of_one_compilation_are_for_incremental_crashes() {
    let refused = |args: &[&str], texts: &[&str]| {
        let world = files("", "");
        let mut command = world.program(args);
        command.current_dir(world.work());
        Running::start(command).finish().expect_failure(2, texts);
    };
    refused(
        &["--ice", "after.rs", "--after-args=-O"],
        &["`--after-args` go with `--incremental`", "after `--`"],
    );
    refused(
        &["--incremental", "after.rs", "--before-args", "x"],
        &["`--before-args` needs flags of the compiler, and `x` is none"],
    );
}

#[test]
fn another_version_is_for_incremental_crashes() {
    let world = files("", "");
    let mut command = world.program(&["--ice", "after.rs", "--before", "before.rs"]);
    command.current_dir(world.work());
    let texts = ["`--before` goes with `--incremental`", "`--good`"];
    Running::start(command).finish().expect_failure(2, &texts);
}
