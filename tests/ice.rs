//! Tests of the main job, with the real program and the real compiler: each fixture that crashes is reduced, and the
//! result is looked at as a user would look at it.

use crate::support::{
    CASE, Case, FEW_PASSES, PROGRAM, Reduction, Running, World, check, exit_code, read_tree,
    reproduces_with,
};
use serde_json::Value;
use std::path::Path;

const LIBRARY: Case = Case {
    fixture: "ice-library",
    at_most: 34,
    crash: &[
        "rustc_trait_selection/src/traits/select/mod.rs:2495:17",
        "but now is not",
    ],
    ..CASE
};

const TREAT_ERR_AS_BUG: Case = Case {
    fixture: "treat-err-as-bug",
    at_most: 40,
    crash: &["aborting due to `-Z treat-err-as-bug=1`"],
    ..CASE
};

#[test]
fn a_library_is_reduced_to_a_small_file() {
    let reduction = check(&LIBRARY);
    assert_eq!(reduction.summary()["signature"]["kind"], "bug");
    assert_eq!(
        reduction.summary()["signature"]["file"],
        "compiler/rustc_trait_selection/src/traits/select/mod.rs"
    );
    let code = reduction.code();
    assert!(
        code.contains("dyn "),
        "the crash needs a trait object\n{code}"
    );
    assert!(!code.contains("#[test]"), "a test is still there\n{code}");
    let report = reduction.report();
    assert!(report.starts_with("<!--\nA title: ICE: "), "{report}");
    let search = "https://github.com/rust-lang/rust/issues?q=is%3Aissue%20%22";
    assert!(report.contains(search), "{report}");
    check_page(&reduction);
}

/// Checks that the page has a state for each step, from the original to the result, and what a reporter needs.
fn check_page(reduction: &Reduction) {
    let steps = reduction.steps();
    let states = steps["states"].as_array().expect("there are states");
    assert!(states.len() as u64 > reduction.number("steps"), "{steps}");
    assert_eq!(states[0][1], reduction.number("tokens_before"));
    let last = states.last().expect("there is one");
    assert_eq!(last[1], reduction.number("tokens_after"));
    assert_eq!(reduction.last_program(), reduction.code());
    let programs = steps["files"].to_string();
    assert!(!programs.contains("//"), "a comment is shown: {programs}");
    let reporting = reduction.section("reporting");
    assert!(reporting.contains("https://github.com/rust-lang/rust/issues/new?title="));
    let code = "<span class=k>trait</span> <span class=t>";
    assert!(
        reduction.section("report").contains(code),
        "{}",
        reduction.page()
    );
}

#[test]
fn the_configuration_beside_the_manifest_is_honoured() {
    let reduction = check(&TREAT_ERR_AS_BUG);
    let reproduce = reduction.summary()["reproduce"]
        .as_str()
        .expect("it is a string")
        .to_owned();
    assert!(reproduce.contains("RUSTC_BOOTSTRAP=1"), "{reproduce}");
    assert!(reproduce.contains("treat-err-as-bug"), "{reproduce}");
    assert_eq!(reduction.summary()["signature"]["kind"], "panic");
    check_compiled_together(&reduction);
}

/// Checks that some candidates were refused by what was reported beside others, and not by a call of their own.
fn check_compiled_together(reduction: &Reduction) {
    let summary = reduction.summary();
    let stages = summary["stages"].as_array().expect("a list").iter();
    let mut joint = stages.filter(|stage| stage["stage"] == "joint");
    assert!(joint.any(|stage| stage["candidates"].as_u64() > Some(1)));
}

#[test]
fn the_crash_is_found_in_a_nested_module_of_several_files() {
    let reduction = check(&Case {
        fixture: "several-modules",
        at_most: 150,
        crash: &[
            "rustc_borrowck/src/type_check/relate_tys.rs:393:37",
            "failure to relate an opaque to itself",
        ],
        ..CASE
    });
    assert_eq!(reduction.summary()["signature"]["kind"], "delayed-bug");
    let code = reduction.code();
    for gone in ["include_str", "include!", "submarine", "Harbour", "Weather"] {
        assert!(
            !code.contains(gone),
            "`{gone}` has nothing to do with it\n{code}"
        );
    }
    let result = &reduction.summary()["result"];
    assert!(reduction.is_single_file(), "one file is enough: {result}");
}

#[test]
fn a_member_with_a_dependency_that_it_needs_is_reduced() {
    let reduction = check(&Case {
        fixture: "with-dependency",
        args: &["-p", "app"],
        at_most: 90,
        factor: 4,
        crash: &["error performing operation: fully_perform"],
        ..CASE
    });
    assert_eq!(reduction.summary()["signature"]["kind"], "delayed-bug");
    let code = reduction.code();
    assert!(
        !code.contains("colours"),
        "the crash does not need it\n{code}"
    );
}

#[test]
fn a_result_with_a_dependency_needs_nothing_of_ours_to_crash() {
    let world = World::with("with-dependency");
    let reduction = world.reduce_to("out", &["-p", "app", "--no-daemon"]);
    std::fs::remove_dir_all(world.state()).expect("a directory can be removed");
    reproduces_with(
        &reduction,
        &world,
        &["error performing operation: fully_perform"],
    );
}

#[test]
fn a_crash_that_only_a_build_shows_is_found() {
    let reduction = check(&Case {
        fixture: "codegen-only",
        at_most: 120,
        crash: &[
            "rustc_middle/src/ty/instance.rs:570:21",
            "failed to resolve instance for",
        ],
        ..CASE
    });
    let code = reduction.code();
    assert!(
        !code.contains("println"),
        "the output has nothing to do with it\n{code}"
    );
    check_compiled_together(&reduction);
}

const STANDALONE_ARGS: [&str; 10] = [
    "standalone.rs",
    "--edition",
    "2021",
    "--",
    "--crate-type",
    "lib",
    "--cfg",
    "timed",
    "-C",
    "opt-level=3",
];

#[test]
fn a_single_file_is_reduced_with_its_edition_and_flags() {
    let reduction = check(&Case {
        fixture: "standalone.rs",
        args: &STANDALONE_ARGS,
        at_most: 116,
        crash: &["rustc_traits/src/codegen.rs:45:13", "SignatureMismatch"],
        ..CASE
    });
    let reproduce = reduction.summary()["reproduce"]
        .as_str()
        .expect("it is a string")
        .to_owned();
    assert!(
        reproduce.contains("opt-level=3"),
        "the crash needs it\n{reproduce}"
    );
}

#[test]
fn errors_that_the_crash_needs_stay_and_no_others_come() {
    let reduction = check(&Case {
        fixture: "errors-before-crash.rs",
        args: &[
            "errors-before-crash.rs",
            "--edition",
            "2021",
            "--",
            "--crate-type",
            "lib",
        ],
        at_most: 34,
        crash: &[
            "const_to_pat.rs:49:18",
            "Invalid `ConstKind` for `const_to_pat`",
        ],
        errors: &["E0117"],
        ..CASE
    });
    let code = reduction.code();
    assert!(code.contains("impl std::ops::Neg for "), "{code}");
}

#[test]
fn an_overflow_of_the_compilers_stack_is_a_crash() {
    let reduction = check(&Case {
        fixture: "stack-overflow.rs",
        args: &[
            "stack-overflow.rs",
            "--edition",
            "2021",
            "--",
            "--crate-type",
            "lib",
        ],
        at_most: 400,
        factor: 1,
        crash: &["rustc unexpectedly overflowed its stack"],
        ..CASE
    });
    let signature = &reduction.summary()["signature"];
    assert_eq!(signature["kind"], "stack-overflow");
    let cycle = signature["cycle"].as_array().expect("it is printed");
    assert!(!cycle.is_empty(), "{signature}");
    let title = "A title: ICE: stack overflow";
    assert!(reduction.report().contains(title), "{}", reduction.report());
    let code = reduction.code();
    assert!(
        !code.contains("Switch"),
        "the crash does not need it\n{code}"
    );
}

/// The innermost function in the original's trace is still the innermost in a trace of the result.
#[test]
fn a_crash_comes_through_the_same_functions_where_that_is_demanded() {
    let world = World::with("ice-library");
    let reduction = world.reduce_to("out", &["--no-daemon", "--same-frames", "1"]);
    assert!(reduction.number("tokens_after") <= LIBRARY.at_most);
    let trace = reduction.reproduce_with(&world, |command| {
        command.env("RUST_BACKTRACE", "1");
    });
    let innermost = "<rustc_trait_selection::traits::select::SelectionContext>::poly_select";
    assert!(trace.stderr().contains(innermost), "{}", trace.stderr());
}

#[test]
fn more_functions_than_a_backtrace_has_are_bad_input() {
    let world = World::with("ice-library");
    let finished = world.reduce(&["--no-daemon", "--same-frames", "999"]);
    let hint = "hint: ask for at most `--same-frames ";
    finished.expect_failure(exit_code::BAD_INPUT, &[hint]);
}

/// The compiler crashes before it can say which files it reads.
#[test]
fn files_that_only_lie_beside_a_single_file_are_no_part_of_the_result() {
    let world = World::with("stack-overflow.rs");
    std::fs::create_dir(world.work().join("other")).expect("a directory can be made");
    // The program has a macro of the last name.
    for neighbour in ["neighbour.rs", "other/lib.rs", "ten.rs"] {
        std::fs::write(world.work().join(neighbour), "fn unrelated() {}").expect("it is written");
    }
    let args = [
        "stack-overflow.rs",
        "--edition",
        "2021",
        "--",
        "--crate-type",
        "lib",
    ];
    let reduction = world.reduce_to("out", &[&["--no-daemon"], &args[..]].concat());
    let result = &reduction.summary()["result"];
    assert!(reduction.is_single_file(), "one file is enough: {result}");
    assert!(
        !reduction.report().contains("unrelated"),
        "{}",
        reduction.report()
    );
}

/// The result of a package has only the module that the program names.
#[test]
fn files_of_a_package_that_nothing_names_are_no_part_of_the_result() {
    let world = World::with("stack-overflow.rs");
    let source = world.work().join("src");
    std::fs::create_dir(&source).expect("a directory can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(world.work().join(name), text).expect("it is written");
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"night\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    );
    let program = std::fs::read_to_string(world.work().join("stack-overflow.rs"));
    let program = program.expect("the fixture is there");
    write(
        "src/lib.rs",
        "//! Named.\n#[macro_use]\nmod night;\npub use night::*;\n",
    );
    write("src/night.rs", &program.replace("//! Switches.", ""));
    for decoy in ["src/ten.rs", "switch.rs", ".env", "not"] {
        write(decoy, "fn unrelated() {}");
    }
    let reduction = world.reduce_to("out", &["--no-daemon", "--passes", FEW_PASSES]);
    let code = reduction.code();
    assert!(code.contains("macro_rules! ten"), "{code}");
    for (path, bytes) in read_tree(&world.beside("out")) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("unrelated"), "{}", path.display());
    }
}

/// cargo hands arguments over in a file where the command line would be too long, and removes it after the call.
#[test]
fn a_package_with_thousands_of_features_is_reduced() {
    let world = World::with("ice-library");
    let manifest = world.work().join("Cargo.toml");
    let mut text = std::fs::read_to_string(&manifest).expect("the fixture is there");
    text += "[features]\n";
    for number in 0..9000 {
        text += &format!("feature-number-{number} = []\n");
    }
    std::fs::write(&manifest, text).expect("it is written");
    let reduction = world.reduce_to("out", &["--no-daemon", "--passes", FEW_PASSES]);
    assert!(reduction.number("tokens_after") < reduction.number("tokens_before"));
}

#[test]
fn a_second_run_asks_the_compiler_nothing_that_the_first_has_answered() {
    let world = World::with(LIBRARY.fixture);
    let cold = world.reduce_to("out", &[]);
    let warm = world.reduce_to("out", &["--force"]);
    assert!(cold.number("queries") > 0);
    assert_eq!(cold.number("cache_hits_from_earlier_runs"), 0);
    let (cold_facts, warm_facts) = (cold.summary(), warm.summary());
    assert_eq!(
        warm.number("queries"),
        0,
        "first {cold_facts:#}, then {warm_facts:#}"
    );
    assert!(warm.number("cache_hits") > 0);
    assert_eq!(warm.code(), cold.code());
}

#[test]
fn json_messages_are_events_line_by_line_and_end_with_the_figures() {
    let world = World::with(LIBRARY.fixture);
    let finished = world.start_to("out", &[]).finish().expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let last = finished.events().pop().expect("there are events");
    assert_eq!(last["event"], "finished");
    assert_eq!(last["tokens_after"], reduction.summary()["tokens_after"]);
    let baseline = finished.events_named("baseline-found");
    assert_eq!(baseline.len(), 1, "{finished}");
    assert_eq!(baseline[0]["tokens"], reduction.summary()["tokens_before"]);
    check_steps(&finished.events_named("step-accepted"), &reduction);
}

/// Checks that each step begins where the one before ended; together they go from the input to the result.
#[track_caller]
fn check_steps(steps: &[Value], reduction: &Reduction) {
    assert_eq!(steps.len() as u64, reduction.number("steps"));
    let mut tokens = reduction.summary()["tokens_before"].clone();
    for step in steps {
        assert_eq!(step["tokens_before"], tokens, "{step}");
        tokens = step["tokens_after"].clone();
    }
    assert_eq!(tokens, reduction.summary()["tokens_after"]);
}

#[test]
fn for_people_the_code_is_on_stdout_and_the_talk_on_stderr() {
    let world = World::with(TREAT_ERR_AS_BUG.fixture);
    let output = world.beside("out");
    let finished = world.reduce(&["--output", output.to_str().expect("it is UTF-8")]);
    let finished = finished.expect_success();
    let reduction = Reduction::read(&output);
    assert_eq!(finished.stdout().trim(), reduction.code().trim());
    let after = reduction.number("tokens_after").to_string();
    for told in [after.as_str(), "reduced.rs", "rustc"] {
        assert!(
            finished.stderr().contains(told),
            "no `{told}` in\n{finished}"
        );
    }
}

#[test]
fn by_default_the_result_is_below_target() {
    let world = World::with(TREAT_ERR_AS_BUG.fixture);
    let before = read_tree(world.work());
    world.reduce(&[]).expect_success();
    let output = world.work().join("target/reduce/treat-err-as-bug");
    assert!(output.join("reduced.rs").is_file());
    Reduction::read(&output);
    let mut after = read_tree(world.work());
    after.retain(|path, _| !output.starts_with(world.work().join(path)));
    after.retain(|path, _| !world.work().join(path).starts_with(&output));
    assert_eq!(after, before, "there is more than the output directory");
}

#[test]
fn cargo_finds_it_as_a_subcommand() {
    let world = World::with(TREAT_ERR_AS_BUG.fixture);
    let output = world.beside("out");
    let directory = Path::new(PROGRAM)
        .parent()
        .expect("the program is in a directory");
    let mut command = world.command("cargo");
    let path = search_path_with(directory, &command);
    command
        .env("PATH", path)
        .args(["reduce", "--ice", "--jobs", "2", "--output"])
        .arg(&output);
    Running::start(command).finish().expect_success();
    reproduces_with(&Reduction::read(&output), &world, TREAT_ERR_AS_BUG.crash);
}

/// The search path of a command with one more directory before it.
fn search_path_with(directory: &Path, command: &std::process::Command) -> std::ffi::OsString {
    let given = command
        .get_envs()
        .find(|(name, _)| *name == "PATH")
        .and_then(|(_, value)| value);
    let given = given.expect("the search path is set");
    let all = [directory.to_owned()]
        .into_iter()
        .chain(std::env::split_paths(given));
    std::env::join_paths(all).expect("no directory has a colon")
}

/// Each sort of error is a crash of its own with `-Ztreat-err-as-bug`.
#[test]
fn other_crashes_are_reduced_as_well() {
    let world = World::with("treat-err-as-bug");
    let output = world.beside("out");
    let mut command = world.ice(&["--others", "--max-queries", "14", "--output"]);
    command.arg(&output);
    let finished = Running::start(command).finish().expect_success();
    let first = Reduction::read(&output);
    assert_eq!(finished.stdout().trim_end(), first.code().trim_end());
    let met = &first.summary()["other_crashes"][0]["signature"];
    let other = Reduction::read(&output.join("others/1"));
    let directory = other.summary()["result"].as_str().expect("it is a path");
    assert!(
        finished.stderr().contains(directory),
        "{}",
        finished.stderr()
    );
    let message = |reduction: &Reduction| {
        let message = reduction.summary()["signature"]["message"].as_str();
        message.expect("it is a string").to_owned()
    };
    let met = met.as_str().expect("a signature is a string");
    assert!(met.contains(&message(&other)), "{met}");
    assert_ne!(message(&other), message(&first));
    reproduces_with(&other, &world, &["aborting due to `-Z treat-err-as-bug=1`"]);
}

/// A compiler that crashes at a function `first`, and then at a function `second`, as rustc goes on with other bodies.
const TWO_CRASHES: &str = r#"#!/bin/sh
case " $* " in *" -vV "* | *" -V "* | *" --version "* | *" --print"*) exec "$RUSTC_REAL" "$@" ;; esac
for arg; do case "$arg" in *.rs) file=$arg ;; esac; done
status=0
for word in first second; do
    if grep -q "fn $word" "$file"; then
        printf "\nthread 'rustc' (1) panicked at compiler/rustc_x/src/$word.rs:1:2:\nthe $word one\n\n" >&2
        status=101
    fi
done
test $status = 101 && exit 101
exec "$RUSTC_REAL" "$@"
"#;

#[test]
fn a_second_crash_of_the_input_is_named_and_reduced_as_well() {
    let world = World::empty();
    let (script, output) = (world.beside("two-crashes"), world.beside("out"));
    std::fs::write(&script, TWO_CRASHES).expect("it can be written");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, executable).expect("it is ours");
    let text = "pub fn first() {} pub fn second(x: u8) -> u8 { x } pub fn third() {}";
    std::fs::write(world.work().join("two.rs"), text).expect("it can be written");
    let args = ["--ice", "--others", "two.rs", "--sandbox", "off", "--rustc"];
    let mut command = world.program(&args);
    command.arg(&script).arg("--output").arg(&output);
    command.args(["--", "--crate-type", "lib"]);
    command.env("RUSTC_REAL", world.real_compiler());
    let finished = Running::start(command).finish().expect_success();
    let said = "second.rs:1:2: the second one";
    assert!(finished.stderr().contains(said), "{finished}");
    let first = Reduction::read(&output);
    assert_eq!(first.code().trim_end(), "fn first() {}");
    let named = &first.summary()["other_crashes"][0]["signature"];
    assert!(named.as_str().is_some_and(|named| named.contains(said)));
    let second = Reduction::read(&output.join("others/1"));
    assert_eq!(second.code().trim_end(), "fn second() {}");
}

#[test]
fn other_crashes_are_those_of_the_compiler() {
    let world = World::with("failing-tests");
    let command = world.program(&["--test", "one", "--others"]);
    let finished = Running::start(command).finish();
    let hint = "add `--ice` if the compiler crashes";
    finished.expect_failure(exit_code::BAD_INPUT, &["--others", hint]);
}
