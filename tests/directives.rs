//! Tests of files that say themselves how they are compiled, each reduced without further flags: files of rustc's own tests,
//! with lines such as `//@ edition: 2021`, and cargo scripts, which have their manifest in them.

use crate::support::{PROGRAM, Reduction, Running, World, exit_code, read_tree, reproduces_with};
use std::path::Path;

/// A crash with 25 tokens at least.
const MATCHABLE: &[&str] = &["rustc_trait_selection/src/traits/select/mod.rs:2495:17"];

/// A crash with 80 tokens at least.
const FULLY_PERFORM: &[&str] = &["error performing operation: fully_perform"];

/// Reduces a file of `fixtures/rustc-tests`, and looks at the result and at what was said.
#[track_caller]
fn check(args: &[&str], at_most: u64, crash: &[&str]) -> (Reduction, String) {
    let world = World::with("rustc-tests");
    let before = read_tree(world.work());
    let output = world.beside("out");
    let output_arg = output.to_str().expect("the path is UTF-8");
    let args = [&["--no-daemon", "--output", output_arg], args].concat();
    let finished = world.reduce(&args).expect_success();
    assert_eq!(
        read_tree(world.work()),
        before,
        "the user's files have changed"
    );
    let reduction = Reduction::read(&output);
    reproduces_with(&reduction, &world, crash);
    let after = reduction.number("tokens_after");
    assert!(after <= at_most, "{after} tokens\n{}", reduction.code());
    (reduction, finished.stderr().to_owned())
}

fn command_of(reduction: &Reduction) -> &str {
    let command = reduction.summary()["reproduce"].as_str();
    command.expect("`reproduce` is a string")
}

#[test]
fn the_edition_and_the_variables_of_a_file_are_those_of_the_call() {
    let (reduction, _) = check(&["edition.rs"], 18, &["expected a type, found a trait"]);
    let command = command_of(&reduction);
    for flag in ["RUSTC_BOOTSTRAP=1", "--edition=2021", "-Ztreat-err-as-bug"] {
        assert!(command.contains(flag), "{command}");
    }
}

#[test]
fn flags_with_spaces_in_them_are_given() {
    let (reduction, said) = check(&["compile-flags.rs"], 34, MATCHABLE);
    let command = command_of(&reduction);
    assert!(
        !command.contains("season"),
        "the crash needs no `cfg`: {command}"
    );
    assert!(!said.contains("//@"), "all lines are obeyed: {said}");
    let report = reduction.report();
    let section = "### Nearest programs that do not crash\n\n- With `u8` in place of `<dyn Send as Trait>::Entry` \
                   in line 4 it compiles.\n";
    assert!(report.contains(section), "{report}");
    assert_eq!(
        reduction.summary()["nearest"][0]["changes"][0]["file"],
        "reduced.rs"
    );
}

#[test]
fn the_first_revision_that_crashes_is_reduced() {
    let (_, said) = check(&["revisions.rs"], 34, MATCHABLE);
    let expected = "`gale` is the first revision that fails and is reduced; `--revision` chooses another one of \
                    `calm`, `gale`, `fog`";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_revision_that_is_named_is_reduced() {
    let (_, said) = check(&["revisions.rs", "--revision", "fog"], 120, FULLY_PERFORM);
    assert!(!said.contains("first revision"), "{said}");
}

#[test]
fn a_program_reads_the_variables_that_its_lines_set() {
    let (reduction, _) = check(&["rustc-env.rs"], 34, MATCHABLE);
    let command = command_of(&reduction);
    assert!(
        !command.contains("HARBOUR"),
        "no variable is needed: {command}"
    );
}

#[test]
fn files_that_are_linked_are_compiled_first_and_become_modules() {
    for file in ["aux-build.rs", "aux-crate.rs"] {
        let (reduction, said) = check(&[file], 120, FULLY_PERFORM);
        assert!(reduction.is_single_file(), "{file}: {said}");
        let merged = &reduction.summary()["crates"]["merged"];
        assert_eq!(merged[0], "signals", "{file}: {merged}");
    }
}

#[test]
fn a_procedural_macro_is_compiled_first_and_expanded() {
    let (reduction, said) = check(&["proc-macro.rs"], 34, MATCHABLE);
    assert!(reduction.is_single_file(), "{said}");
}

#[test]
fn a_linked_file_that_does_not_compile_is_shown() {
    let world = World::with("rustc-tests");
    let broken = world.work().join("auxiliary/signals.rs");
    std::fs::write(broken, "fn f() { 1 + }").expect("it can be written");
    let texts = [
        "auxiliary/signals.rs` does not compile it",
        "expected expression",
    ];
    world
        .reduce(&["--no-daemon", "aux-build.rs"])
        .expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn a_program_from_standard_input_is_obeyed_too() {
    let world = World::with("rustc-tests");
    let line = "exec \"$@\" < revisions.rs";
    let mut command = world.command("sh");
    command.args(["-c", line, "sh", PROGRAM, "reduce", "--ice", "-"]);
    command.args(["--no-daemon", "--revision=gale"]);
    let finished = Running::start(command).finish().expect_success();
    assert!(finished.stderr().contains("mod.rs:2495"), "{finished}");
}

#[test]
fn a_revision_that_is_not_there_is_refused() {
    let world = World::with("rustc-tests");
    let refused = |args: &[&str], texts: &[&str]| {
        let args = [&["--no-daemon"], args].concat();
        world
            .reduce(&args)
            .expect_failure(exit_code::BAD_INPUT, texts);
    };
    let texts = ["has no revision `rain`", "`calm`, `gale`, `fog`"];
    refused(&["revisions.rs", "--revision", "rain"], &texts);
    let texts = ["has no revision `rain`", "leave out `--revision`"];
    refused(&["edition.rs", "--revision", "rain"], &texts);
}

#[test]
fn a_file_that_does_not_fail_says_which_lines_may_be_why() {
    let world = World::with("rustc-tests");
    let text = "//@ only-windows\n//@ revisions: a b\n//@ incremental\nfn main() {}\n";
    std::fs::write(world.work().join("fine.rs"), text).expect("it can be written");
    let texts = [
        "the line `//@ only-windows` says where",
        "the line `//@ incremental` is not read",
        "all revisions of the file were tried: `a`, `b`",
    ];
    world
        .reduce(&["--no-daemon", "fine.rs"])
        .expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn a_script_says_whether_a_toolchain_crashes_in_the_same_way() {
    let world = World::with("rustc-tests");
    let args = ["--no-daemon", "edition.rs", "--bisect-script"];
    let reduction = world.reduce_to("out", &args);
    let report = reduction.report();
    let command = "`cargo bisect-rustc --script=./bisect.sh --without-cargo";
    assert!(report.contains(command), "{report}");
    let said = || reduction.run(&world, "./bisect.sh");
    said().expect_code(1);
    let result = world.beside("out/reduced.rs");
    for text in ["fn main() {}", "fn main() { 1 }", "fn f() { -> }"] {
        std::fs::write(&result, text).expect("it can be written");
        said().expect_code(0);
    }
}

#[test]
fn the_crate_of_a_file_has_the_name_that_it_has_in_the_result() {
    let world = World::with("rustc-tests");
    let args = ["--no-daemon", "--no-cache", "revisions.rs"];
    let reduction = world.reduce_to("out", &args);
    let failure = reduction.summary()["failure"].to_string();
    assert!(failure.contains("~ reduced["), "{failure}");
    let report = reduction.report();
    for word in ["revisions[", "crate `revisions`", "revisions.rs"] {
        assert!(!report.contains(word), "`{word}` in\n{report}");
    }
}

/// The tests of rustc's own that a reduction writes, that of `tests/crashes` first, and what another reduction of that one
/// ends with.
#[track_caller]
fn rustc_tests(file: &str) -> (String, String, Reduction) {
    let world = World::with("rustc-tests");
    let args = [
        "--no-daemon",
        file,
        "--crashes-test",
        "123",
        "--ui-test",
        "guard",
    ];
    world.reduce_to("out", &args);
    let ui_test = world.beside("out/guard.rs");
    let ui_test = std::fs::read_to_string(ui_test).expect("there is a test");
    let written = world.beside("out/123.rs");
    let text = std::fs::read_to_string(&written).expect("there is a test");
    let path = written.to_str().expect("the path is UTF-8");
    let mut again = world.ice(&["--no-daemon", path, "--output"]);
    again.arg(world.beside("again")).env("RUSTC_BOOTSTRAP", "1");
    Running::start(again).finish().expect_success();
    // Another result in their place has no such tests.
    world.reduce_to("out", &["--no-daemon", file, "--force"]);
    assert!(!written.exists() && !world.beside("out/guard.rs").exists());
    (text, ui_test, Reduction::read(&world.beside("again")))
}

#[test]
fn a_crashes_test_crashes_by_its_own_lines() {
    let (text, ui_test, again) = rustc_tests("revisions.rs");
    let head = "//@ known-bug: #123\n//@ compile-flags: --crate-type=lib\n\ntrait ";
    assert!(text.starts_with(head), "{text}");
    assert_eq!(again.summary()["signature"]["kind"], "bug");
    let lines = text.strip_prefix("//@ known-bug: #123\n");
    let head = "// The compiler crashed on this program: ICE: impl {impl#0} was matchable against Binder { .. } but now is not\n\
                // See <https://github.com/rust-lang/rust/issues/123>.\n";
    assert_eq!(ui_test.strip_prefix(head), lines, "{ui_test}");
}

#[test]
fn a_crashes_test_has_the_edition_that_it_needs() {
    let (text, ui_test, again) = rustc_tests("edition.rs");
    let head = "//@ known-bug: #123\n//@ edition: 2021\n//@ compile-flags: -Ztreat-err-as-bug --crate-type=lib\n\n";
    assert!(text.starts_with(head), "{text}");
    let message = again.summary()["signature"]["message"].to_string();
    assert!(message.contains("E0782"), "{message}");
    assert!(ui_test.contains(".\n//@ edition: 2021\n"), "{ui_test}");
}

#[test]
fn a_cargo_script_is_reduced_with_its_edition_and_its_dependencies() {
    let world = World::empty();
    let scales = world.work().join("scales");
    std::fs::create_dir_all(scales.join("src")).expect("it can be made");
    let write = |path: &Path, text: &str| std::fs::write(path, text).expect("it can be written");
    write(
        &scales.join("Cargo.toml"),
        "[package]\nname = \"scales\"\nedition = \"2021\"\n",
    );
    write(
        &scales.join("src/lib.rs"),
        "pub fn weigh(parts: &[u8]) -> u8 { parts.iter().sum() }\n",
    );
    let script = "#!/usr/bin/env -S cargo +nightly -Zscript\n---cargo\n[package]\nedition = \"2018\"\n\n\
        [dependencies]\nscales = { path = \"scales\" }\n---\n\n\
        fn main() {\n    let async_parts = [1, 2, 3];\n    let weight = scales::weigh(&async_parts);\n    \
        let name: Box<dyn std::fmt::Debug> = Box::new(\"lead\");\n    println!(\"{:?}\", name);\n    \
        assert_eq!(weight, 7, \"the scales are wrong\");\n}\n";
    write(&world.work().join("balance.rs"), script);
    let before = read_tree(world.work());
    let output = world.beside("out");
    let output_arg = output.to_str().expect("the path is UTF-8");
    let command = [
        "--run",
        "balance.rs",
        "--no-daemon",
        "--jobs",
        "2",
        "--output",
        output_arg,
    ];
    Running::start(world.program(&command))
        .finish()
        .expect_success();
    assert_eq!(
        read_tree(world.work()),
        before,
        "the user's files have changed"
    );
    let reduction = Reduction::read(&output);
    let code = reduction.code();
    assert!(code.contains("assert_eq!"), "{code}");
    assert!(!code.contains("---") && !code.contains("#!/"), "{code}");
    assert!(!code.contains("println"), "{code}");
    let finished = reduction.reproduce(&world);
    assert!(
        finished.everything().contains("the scales are wrong"),
        "{finished}"
    );
    let watched = Running::start(world.program(&["--run", "balance.rs", "--watch"])).finish();
    watched.expect_failure(exit_code::BAD_INPUT, &["cannot watch a cargo script"]);
}
