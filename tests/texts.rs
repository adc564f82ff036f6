//! Tests of the texts that a user reads: nothing that others wrote acts on the terminal or in the report, failures are shown
//! in their own words, cargo's progress is forwarded, and code is laid out.

use crate::support::{Finished, PROGRAM, Reduction, Running, World, exit_code, signal};
use reduce_engine::escape;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Sets the title of a terminal, clears it, turns text around; ends folded text, calls everybody.
const HOSTILE: &str =
    "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}</details> @everyone <img src=x onerror=alert(1)>";
/// Clears the screen and turns text around.
const NAME: &str = "a\u{1b}[2J\u{202e}.rs";
/// A name on two lines that clears the screen and turns text around.
const LINES: &str = "a\nerror: b\u{1b}[2J\u{202e}.rs";

/// Runs the program without a daemon, and in JSON only where that is asked for.
fn run(world: &World, args: &[&str]) -> Finished {
    let args = [&["--no-daemon", "--jobs", "2"], args].concat();
    Running::start(world.program(&args)).finish()
}

#[track_caller]
fn is_inert(text: &str) {
    let active: Vec<char> = text.chars().filter(|c| escape::is_active(*c)).collect();
    assert!(active.iter().all(|c| *c == '\n'), "{active:?} in\n{text}");
}

#[test]
fn names_and_messages_cannot_act_on_a_terminal_or_in_a_report() {
    let world = World::empty();
    // rustc refuses marks of direction in a literal.
    let literal = HOSTILE.replace('\u{202e}', "\\u{202e}");
    let code = format!("fn unrelated() {{}}\nfn main() {{ panic!(\"{literal}\"); }}\n");
    std::fs::write(world.work().join(NAME), code).expect("the file can be written");
    let output = world.beside("out");
    let output_arg = output.to_str().expect("the path is UTF-8");
    let args = ["--run", NAME, "--output", output_arg, "-v"];
    let finished = run(&world, &[&args, &["--", "--crate-name", "a"][..]].concat());
    let finished = finished.expect_success();
    is_inert(finished.stderr());
    let said = r"panic of the program: \u{1b}]0;x\u{7}\u{9b}2J\u{202e}</details> @everyone";
    assert!(finished.stderr().contains(said), "{finished}");
    let reduction = Reduction::read(&output);
    is_inert(reduction.report());
    let prose = reduction.report().lines();
    let failure: Vec<&str> = prose
        .filter(|line| line.starts_with("- Failure: "))
        .collect();
    let [failure] = failure[..] else {
        panic!("{}", reduction.report());
    };
    assert!(
        failure.starts_with("- Failure: `") && failure.ends_with('`'),
        "{failure}"
    );
    // Data is exact.
    assert!(finished.stdout().contains(&literal), "{finished}");
    assert!(reduction.code().contains(&literal), "{}", reduction.code());
    let said = &reduction.summary()["failure"];
    assert_eq!(said, &format!("panic of the program: {HOSTILE}"));
}

#[test]
fn a_file_whose_name_has_several_lines_is_reduced_and_begins_none_of_ours() {
    let world = World::with("standalone.rs");
    let renamed = world.work().join(LINES);
    std::fs::rename(world.work().join("standalone.rs"), renamed).expect("it can be renamed");
    let output = world.beside("out");
    let output_arg = output.to_str().expect("the path is UTF-8");
    let args = [
        "--ice",
        "-v",
        "--edition",
        "2021",
        LINES,
        "--output",
        output_arg,
    ];
    let args = [
        &args[..],
        &[
            "--",
            "--crate-type=lib",
            "--crate-name=a",
            "--cfg=timed",
            "-Copt-level=3",
        ],
    ]
    .concat();
    let finished = run(&world, &args).expect_success();
    is_inert(finished.stderr());
    assert!(!finished.stderr().contains("\nerror: "), "{finished}");
    let command = r"$'a\nerror: b\033[2J\342\200\256.rs'";
    assert!(finished.stderr().contains(command), "{finished}");
    is_inert(Reduction::read(&output).report());
}

#[test]
fn a_file_that_is_not_there_is_named_without_acting_on_the_terminal() {
    let world = World::empty();
    for args in [["--run", LINES], ["--run", "--jobs=\u{1b}[2J\u{202e}"]] {
        let finished = run(&world, &args).expect_code(exit_code::BAD_INPUT);
        is_inert(finished.stderr());
        let begins = finished
            .stderr()
            .lines()
            .filter(|line| line.starts_with("error: "));
        assert_eq!(begins.count(), 1, "{finished}");
    }
}

#[test]
fn the_program_says_its_version_however_it_is_called() {
    let world = World::empty();
    let expected = format!("cargo-reduce {}", env!("CARGO_PKG_VERSION"));
    for args in [&["--version"][..], &["reduce", "--version"]] {
        let mut program = world.command(PROGRAM);
        program.args(args);
        let finished = Running::start(program).finish().expect_success();
        assert_eq!(finished.stdout(), expected);
    }
}

#[test]
fn a_variable_of_no_flag_is_warned_of() {
    let world = World::with("no-crash");
    let run = |args: &[&str]| {
        let mut program = world.ice(&[&["--no-daemon"], args].concat());
        program.env("CARGO_REDUCE_JOPS", "1");
        Running::start(program).finish()
    };
    let finished = run(&[]).expect_code(exit_code::NO_CRASH);
    let warning = "the variable `CARGO_REDUCE_JOPS` is ignored: no flag has this name; \
                   `CARGO_REDUCE_JOBS` is one";
    assert!(finished.stderr().contains(warning), "{finished}");
    let finished = run(&["--message-format", "json"]);
    assert_eq!(finished.events()[0]["message"], warning);
}

#[test]
fn a_crash_is_shown_in_the_words_of_the_compiler() {
    let world = World::with("ice-library");
    let finished = world.start_to("out", &["--no-daemon"]).finish();
    let finished = finished.expect_success();
    let events = finished.events();
    let said = |text: &Value| {
        let text = text.as_str().expect("it is a string");
        assert!(
            text.contains("was matchable against Binder { value: "),
            "{text}"
        );
        assert!(!text.contains(" .. "), "{text}");
    };
    let found = finished.events_named("baseline-found");
    said(&found[0]["signature"]);
    let reduction = Reduction::read(&world.beside("out"));
    said(&reduction.summary()["failure"]);
    assert!(reduction.report().contains("- Crash: `bug at compiler/"));
    // Whoever reads the report has other directories and another toolchain. The comment above it links to a new issue, which
    // has all of it.
    let report = reduction.report();
    let (_, shown) = report.split_once("-->").expect("a comment comes first");
    let (facts, _) = shown.split_once("### Meta").expect("it has one");
    assert!(!facts.contains("x86_64"), "{facts}");
    assert!(
        !facts.contains(world.beside("").to_str().expect("UTF-8")),
        "{facts}"
    );
    is_forwarded(&events);
}

/// Checks that cargo's progress comes while it compiles, before its crash is known.
#[track_caller]
fn is_forwarded(events: &[Value]) {
    let at = |wanted: &dyn Fn(&Value) -> bool| events.iter().position(wanted);
    let compiles = |event: &Value| {
        let line = event["line"].as_str().unwrap_or_default();
        event["event"] == "cargo" && line.starts_with("Checking ice-library v0.1.0 (")
    };
    let compiled = at(&compiles).expect("cargo says what it checks");
    let replayed = at(&|event| event["what"] == "replaying the compiler call");
    assert!(replayed.is_some_and(|replayed| compiled < replayed));
}

#[test]
fn code_of_a_search_that_was_stopped_is_laid_out() {
    let world = World::with("several-modules");
    without_layout(&world.work().join("src"));
    let mut program = world.start_to("out", &["--no-daemon"]);
    // Inputs in place, and then a slice.
    program.wait_for("step-accepted");
    program.wait_for("step-accepted");
    signal(program.pid(), "INT");
    program.finish().expect_code(exit_code::STOPPED);
    let output = world.beside("out");
    let reduction = Reduction::read(&output);
    let single = output.join("reduced.rs");
    let file = match single.is_file() {
        true => single,
        false => output.join("reduced/src/lib.rs"),
    };
    let mut rustfmt: Command = world.command("rustfmt");
    rustfmt.args(["--check", "--edition", "2024"]).arg(file);
    let difference = Running::start(rustfmt).finish().stdout().to_owned();
    // A result has none of the commas that each layout adds behind the last field or arm.
    let lines = |sign: char| -> Vec<&str> {
        let lines = difference
            .lines()
            .filter_map(|line| line.strip_prefix(sign));
        lines.map(|line| line.trim_end_matches(',')).collect()
    };
    assert_eq!(lines('-'), lines('+'), "{}", reduction.code());
    assert!(reduction.reproduce(&world).is_crash());
}

/// Puts all lines of the sources to the left, with more room between words.
fn without_layout(sources: &Path) {
    for entry in std::fs::read_dir(sources).expect("there are sources") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            without_layout(&path);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
        let lines = text
            .lines()
            .map(|line| line.trim().replace(" {", "  {") + "\n");
        std::fs::write(&path, lines.collect::<String>()).expect("it can be written");
    }
}
