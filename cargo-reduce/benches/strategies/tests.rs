//! Tests of the benchmark: which inputs it finds, what it gives to the program, what its tables say.
//! They are a program of their own, because a benchmark without a harness has no place for them.

#![allow(
    dead_code,
    reason = "the benchmark uses more of these modules than its tests"
)]
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows only the functions with `#[test]` as tests, not what they call"
)]

mod arguments;
mod cases;
mod inputs;
mod rows;
mod run;
mod totals;

use arguments::Arguments;
use cases::{Case, Cases};
use clap::Parser;
use inputs::Input;
use reduce_engine::{KindStatistics, Summary};
use rows::{Outcome, Row};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::TempDir;

fn arguments(words: &[&str]) -> Arguments {
    Arguments::parse_from([&["strategies", "--bench"], words].concat())
}

fn summary(tokens_before: u64, tokens_after: u64, queries: u64) -> Summary {
    let json = serde_json::json!({
        "version": 4, "possible_edits": 0, "verified": null, "ended": "fixpoint", "search": reduce_engine::SearchOptions::default(),
        "tokens_before": tokens_before, "tokens_after": tokens_after, "queries": queries,
        "speculative_queries": 0, "other_runs": 2, "cache_hits": 0,
        "cache_hits_from_earlier_runs": 0, "steps": 1, "slippage": 0, "wall_seconds": 2.5,
        "warm_compiler": true, "ladder": "full", "overhead_seconds": 0.1,
        "compiler_cpu_seconds": 1.5, "peak_memory_bytes": 9,
        "clean": true, "remaining_errors": [], "reproduce": "ARGS",
        "signature":
            {"kind": "panic", "file": null, "position": null, "message": "m", "query": null},
        "compiler": "rustc", "result": "/out/reduced.rs", "code": null, "other_crashes": [],
        "passes": [], "stages": [],
        "kinds": [{"kind": "items", "queries": queries, "accepted": queries / 4}],
    });
    serde_json::from_value(json).unwrap()
}

fn row(input: &str, algorithm: &str, outcome: Outcome) -> Row {
    Row {
        input: input.to_owned(),
        algorithm: algorithm.to_owned(),
        strategy: "staged".to_owned(),
        outcome,
    }
}

fn reduced(before: u64, after: u64, queries: u64) -> Outcome {
    Outcome::Reduced(Box::new(summary(before, after, queries)))
}

fn write(directory: &TempDir, path: &str, text: &str) {
    let path = directory.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn all_algorithms_and_strategies_are_run_unless_some_are_named() {
    let all = arguments(&[]);
    assert_eq!((all.algorithm.len(), all.strategy.len()), (5, 8));
    let some = arguments(&[
        "--algorithm",
        "cdd,ddmin",
        "--strategy",
        "hoist+hdd",
        "a.rs",
    ]);
    assert_eq!(some.algorithm, ["cdd", "ddmin"]);
    assert_eq!(some.strategy, ["hoist+hdd"]);
    assert_eq!(some.inputs, [Path::new("a.rs")]);
    let error = Arguments::try_parse_from(["strategies", "--algorithm", "quick"]).unwrap_err();
    assert!(error.to_string().contains("wprobdd, cdd]"), "{error}");
}

#[test]
fn paths_are_meant_from_where_the_user_stands() {
    let words = ["--csv", "a.csv", "--cases", "/c.toml", "in.rs", "/b"];
    let arguments = arguments(&words).below(Path::new("/user"));
    assert_eq!(
        arguments.inputs,
        [Path::new("/user/in.rs"), Path::new("/b")]
    );
    assert_eq!(arguments.csv.as_deref(), Some(Path::new("/user/a.csv")));
    assert_eq!(arguments.cases.as_deref(), Some(Path::new("/c.toml")));
}

#[test]
fn what_an_input_needs_is_read_from_a_file_and_from_the_command_line() {
    let temp = tempfile::tempdir().unwrap();
    write(
        &temp,
        "cases.toml",
        "[a]\nargs = ['-p', 'x y']\nenv = { RUSTUP_TOOLCHAIN = 'nightly' }\n[b]\nargs = ['--lib']",
    );
    let file = temp.path().join("cases.toml");
    let file = file.to_str().unwrap();
    let given = "b=--edition 2021 -- --cfg 'feature=\"std\"'";
    let cases = arguments(&["--cases", file, "--case-args", given, "in.rs"]).read_cases();
    let a = Case {
        args: vec!["-p".to_owned(), "x y".to_owned()],
        env: [("RUSTUP_TOOLCHAIN".to_owned(), "nightly".to_owned())].into(),
    };
    let b = ["--edition", "2021", "--", "--cfg", "feature=\"std\""];
    let b = Case {
        args: b.map(str::to_owned).into(),
        ..Case::default()
    };
    let expected = Cases::from([("a".to_owned(), a), ("b".to_owned(), b)]);
    assert_eq!(cases.unwrap(), expected);
}

#[test]
fn what_is_wrong_with_a_case_is_said() {
    let check = |text: &str, expected: &str| {
        let error = cases::parse(text).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    check("[a]\narg = []", "`a`: `arg` is neither `args` nor `env`");
    check("[a]\nargs = [1]", "`a`: `args` is not a list of strings");
    check(
        "[a]\nenv = { B = 2 }",
        "`a`: `env` is not a table of strings",
    );
    check("a = 1", "`a` is not a table");
    let check_args = |given: &str, expected: &str| {
        let error = cases::set_args(&mut Cases::new(), given).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    check_args("--lib", "is not of the form `NAME=ARGS`");
    check_args("a='", "a quote is open");
}

#[test]
fn each_fixture_of_which_something_is_known_is_there() {
    let cases = arguments(&[]).read_cases().unwrap();
    let found = inputs::fixtures(&cases).unwrap();
    let names: Vec<&String> = found.inputs.iter().map(|input| &input.name).collect();
    assert_eq!(names, cases.keys().collect::<Vec<_>>());
    assert!(names.len() >= 9, "{names:?}");
}

/// A directory with inputs of all sorts.
fn collection() -> TempDir {
    let temp = tempfile::tempdir().unwrap();
    write(&temp, "package/Cargo.toml", "[package]");
    write(&temp, "package/src/lib.rs", "");
    write(&temp, "package/target/debug/large", "");
    write(&temp, "lone/input.rs", "fn f() {}");
    write(&temp, "lone/oracle.sh", "");
    write(&temp, "two/a.rs", "");
    write(&temp, "two/b.rs", "");
    write(&temp, "file.rs", "");
    write(&temp, "README.md", "");
    temp
}

fn names(inputs: &[Input]) -> Vec<&str> {
    inputs.iter().map(|input| input.name.as_str()).collect()
}

#[test]
fn a_directory_may_have_inputs_of_all_sorts_and_what_is_none_is_named() {
    let temp = collection();
    let found = inputs::find_all(&[temp.path().to_owned()]).unwrap();
    assert_eq!(names(&found.inputs), ["file", "lone", "package"]);
    assert_eq!(found.skipped.len(), 2);
    assert!(found.skipped[0].contains("README.md` is neither a directory nor a `.rs` file"));
    assert!(
        found.skipped[1].contains("two` has neither"),
        "{:?}",
        found.skipped
    );
}

#[test]
fn an_input_may_be_named_itself() {
    let temp = collection();
    for (path, name) in [
        ("package", "package"),
        ("lone", "lone"),
        ("lone/input.rs", "input"),
    ] {
        let found = inputs::find_all(&[temp.path().join(path)]).unwrap();
        assert_eq!(names(&found.inputs), [name]);
        assert!(found.skipped.is_empty());
    }
    let error = inputs::find_all(&[temp.path().join("absent")]).unwrap_err();
    assert!(error.contains("is not there"), "{error}");
    let error = inputs::find_all(&[temp.path().join("README.md")]).unwrap_err();
    assert!(error.contains("neither a directory nor"), "{error}");
}

#[test]
fn a_copy_can_be_written_to_and_has_no_build_directory() {
    let temp = collection();
    let manifest = temp.path().join("package/Cargo.toml");
    fs::set_permissions(&manifest, fs::Permissions::from_mode(0o444)).unwrap();
    let found = inputs::find_all(&[temp.path().join("package"), temp.path().join("lone")]);
    let to = tempfile::tempdir().unwrap();
    let copies = found.unwrap().inputs.into_iter();
    let copies: Vec<_> = copies
        .map(|input| input.copy_into(to.path()).unwrap())
        .collect();
    let copied = copies[0].directory.join("Cargo.toml");
    assert_eq!(
        copied.metadata().unwrap().permissions().mode() & 0o200,
        0o200
    );
    assert!(copies[0].directory.join("src/lib.rs").is_file());
    assert!(!copies[0].directory.join("target").exists());
    assert_eq!(
        (copies[0].file.as_deref(), copies[1].file.as_deref()),
        (None, Some("input.rs".as_ref()))
    );
    assert!(copies[1].directory.join("input.rs").is_file());
}

/// Runs a shell script, which is a file `reduce` beside the input, in place of the program.
fn run_script(script: &str, arguments: &Arguments) -> Vec<Row> {
    let temp = tempfile::tempdir().unwrap();
    write(&temp, "in/input.rs", "");
    write(&temp, "in/reduce", script);
    let text = serde_json::to_string(&summary(100, 10, 40)).unwrap();
    write(&temp, "in/summary.json", &text);
    let input = inputs::find_all(&[temp.path().join("in")])
        .unwrap()
        .inputs
        .remove(0);
    let case = Case {
        args: vec!["--".to_owned(), "-O".to_owned()],
        env: [("MARK".to_owned(), "set".to_owned())].into(),
    };
    let rows = run::all(Path::new("sh"), &input, &case, arguments).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Writes the summary, with the arguments and variables that the script was given in it.
const SUCCEED: &str = r#"
all="$* MARK=$MARK RUSTUP_TOOLCHAIN=$RUSTUP_TOOLCHAIN"
while [ "$1" != --output ]; do shift; done
mkdir "$2" && sed "s|ARGS|$all|" summary.json > "$2/reduction.json"
"#;

#[test]
fn each_algorithm_is_run_with_each_strategy() {
    let arguments = arguments(&["--algorithm", "cdd,ddmin", "--strategy", "hdd,passes"]);
    let rows = run_script(SUCCEED, &arguments);
    let pairs: Vec<_> = rows
        .iter()
        .map(|row| (row.algorithm.as_str(), row.strategy.as_str()))
        .collect();
    let expected = [
        ("cdd", "hdd"),
        ("cdd", "passes"),
        ("ddmin", "hdd"),
        ("ddmin", "passes"),
    ];
    assert_eq!(pairs, expected);
    assert!(rows.iter().all(|row| row.finished().is_some()), "{rows:?}");
}

#[test]
fn the_program_is_given_what_was_asked_for_and_rustcs_arguments_last() {
    let words = [
        "--algorithm",
        "cdd",
        "--strategy",
        "hdd",
        "--args",
        "--jobs 1",
        "--toolchain",
        "t",
    ];
    let rows = run_script(SUCCEED, &arguments(&words));
    let given = &rows[0].finished().unwrap().delivered.reproduce;
    let begin = "--ice --no-daemon --no-cache --algorithm cdd --strategy hdd --output ";
    assert!(given.starts_with(begin), "{given}");
    let end = "/out --jobs 1 input.rs -- -O MARK=set RUSTUP_TOOLCHAIN=t";
    assert!(given.ends_with(end), "{given}");
}

#[test]
fn a_run_that_fails_is_a_row_that_says_how() {
    let arguments = arguments(&["--algorithm", "cdd", "--strategy", "hdd"]);
    let check = |script: &str, expected: &str| {
        let row = run_script(script, &arguments).remove(0);
        assert!(row.markdown().contains(expected), "{}", row.markdown());
        assert!(row.csv().contains(expected), "{}", row.csv());
    };
    check(
        "echo 'error: no crash' >&2; echo 'hint: none' >&2; exit 3",
        "failed: exit code 3: error: no crash",
    );
    check("kill -s KILL $$", "failed: signal 9: it says nothing");
    check("exit 0", "failed: no `reduction.json`");
}

#[test]
fn a_run_that_takes_too_long_is_a_row_too() {
    let mut arguments = arguments(&["--algorithm", "cdd", "--strategy", "hdd"]);
    arguments.timeout_minutes = 0;
    let row = run_script("exec tail -f /dev/null", &arguments).remove(0);
    assert!(matches!(row.outcome, Outcome::TimedOut(None)), "{row:?}");
    assert!(
        row.markdown().ends_with("| timed out |"),
        "{}",
        row.markdown()
    );
}

#[test]
fn what_cargo_sets_for_its_programs_is_not_handed_on() {
    for name in [
        "CARGO",
        "CARGO_PKG_NAME",
        "CARGO_TARGET_DIR",
        "CARGO_REDUCE_JOBS",
    ] {
        assert!(!run::is_inherited(name), "{name}");
    }
    for name in [
        "PATH",
        "HOME",
        "CARGO_HOME",
        "CARGO_HTTP_PROXY",
        "RUSTUP_TOOLCHAIN",
    ] {
        assert!(run::is_inherited(name), "{name}");
    }
}

#[test]
fn the_real_program_is_measured_and_its_failures_too() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let places = ["treat-err-as-bug", "no-crash"].map(|name| fixtures.join(name));
    let arguments = arguments(&["--algorithm", "wddmin", "--strategy", "passes"]);
    let program = Path::new(env!("CARGO_BIN_EXE_cargo-reduce"));
    let found = inputs::find_all(&places).unwrap();
    let rows = found.inputs.iter().map(|input| {
        let case = Case::default();
        let mut rows = run::all(program, input, &case, &arguments).unwrap();
        rows.next().unwrap().unwrap()
    });
    let rows: Vec<Row> = rows.collect();
    let summary = rows[0].finished().unwrap();
    assert!(summary.sizes.tokens_after < summary.sizes.tokens_before);
    let counted: u64 = summary
        .breakdown
        .kinds
        .iter()
        .map(|kind| kind.queries)
        .sum();
    assert_eq!(counted, summary.counts.queries);
    assert!(
        rows[1].csv().contains("failed: exit code 3"),
        "{}",
        rows[1].csv()
    );
}

#[test]
fn a_row_shows_the_figures_and_the_rates() {
    let mut summary = summary(1000, 50, 40);
    summary.breakdown.kinds.push(KindStatistics {
        kind: "hoisted".to_owned(),
        queries: 0,
        accepted: 0,
    });
    let row = row("in", "cdd", Outcome::Reduced(Box::new(summary)));
    assert_eq!(
        row.markdown(),
        "| in | cdd | staged | 1000 | 50 | 40 | 25.0 % | items 25.0 % of 40; hoisted 0.0 % of 0 \
         | 2.5 | yes | reduced |"
    );
    assert_eq!(
        row.csv(),
        "in,cdd,staged,1000,50,40,10,0.2500,items 10/40; hoisted 0/0,2.500,yes,reduced"
    );
}

#[test]
fn a_row_has_as_many_cells_as_the_head_however_it_ended() {
    let best = Some(Box::new(summary(1000, 500, 40)));
    let failed = Outcome::Failed("a | bar, and \"quotes\"".to_owned());
    let outcomes = [
        reduced(9, 3, 4),
        Outcome::TimedOut(best),
        Outcome::TimedOut(None),
        failed,
    ];
    let head = rows::MARKDOWN_HEAD.lines().next().unwrap();
    for outcome in outcomes {
        let row = row("in", "cdd", outcome);
        let line = row.markdown().replace("\\|", "");
        assert_eq!(
            line.matches('|').count(),
            head.matches('|').count(),
            "{line}"
        );
        // Only the outcome may be quoted, and it is the last.
        let unquoted = row.csv().split('"').next().unwrap().matches(',').count();
        assert_eq!(
            unquoted,
            rows::CSV_HEAD.matches(',').count(),
            "{}",
            row.csv()
        );
    }
    let failed = row("in", "cdd", Outcome::Failed("a, \"b\"".to_owned()));
    assert!(
        failed.csv().ends_with(",\"failed: a, \"\"b\"\"\""),
        "{}",
        failed.csv()
    );
}

#[test]
fn the_totals_compare_what_both_have_finished() {
    let rows = [
        row("a", "wddmin", reduced(1000, 100, 100)),
        row("a", "cdd", reduced(1000, 50, 25)),
        row("b", "wddmin", reduced(1000, 10, 300)),
        row(
            "b",
            "cdd",
            Outcome::TimedOut(Some(Box::new(summary(1000, 900, 9)))),
        ),
    ];
    let table = totals::markdown(&rows);
    let lines: Vec<&str> = table.lines().collect();
    // The mean of 0.1 and 0.01; compared with itself, all is 1.
    assert_eq!(
        lines[2],
        "| wddmin | staged | 2 of 2 | 0.0316 | 400 | 5.0 | 1.000 | 1.000 | 1.000 |"
    );
    // Only `a` counts: half the size, a quarter of the queries.
    assert_eq!(
        lines[3],
        "| cdd | staged | 1 of 2 | 0.0500 | 25 | 2.5 | 0.500 | 0.250 | 1.000 |"
    );
}

#[test]
fn where_nothing_has_finished_there_is_nothing_to_sum() {
    let rows = [
        row("a", "wddmin", reduced(1000, 100, 100)),
        row("a", "cdd", Outcome::Failed("no crash".to_owned())),
    ];
    let table = totals::markdown(&rows);
    let line = table.lines().nth(3).unwrap();
    assert_eq!(line, "| cdd | staged | 0 of 1 | – | 0 | 0.0 | – | – | – |");
}

#[test]
fn without_the_default_nothing_is_compared() {
    let table = totals::markdown(&[row("a", "cdd", reduced(1000, 50, 25))]);
    let line = table.lines().nth(2).unwrap();
    assert_eq!(
        line,
        "| cdd | staged | 1 of 1 | 0.0500 | 25 | 2.5 | – | – | – |"
    );
}
