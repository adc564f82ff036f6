//! Command lines and the requests that they become.

use super::*;
use crate::exit::ExitStatus;
use reduce_engine::{Algorithm, CompilerChoice, Demands, SandboxMode, SearchOptions};

fn try_request(words: &[&str], files: &Layer) -> Result<ReductionRequest, CommandError> {
    request_of(words, files, Subject::Package)
}

/// Makes the request of a command line in `/crate`, a package or another subject. A file is taken
/// to be there.
fn request_of(
    words: &[&str],
    files: &Layer,
    subject: Subject,
) -> Result<ReductionRequest, CommandError> {
    let words = ["cargo", "reduce"].iter().chain(words).map(OsString::from);
    let parsed = parse(words, files).unwrap();
    let context = Context {
        cwd: "/crate".into(),
        vars: [("PATH".to_owned(), "/bin".to_owned())].into(),
        program: "/bin/cargo-reduce".into(),
        user_home: None,
    };
    let project = match (parsed.args.program.file(), subject) {
        (Some(_), Subject::StandardInput(text)) => Project::of_standard_input(text, &context.cwd),
        (Some(file), _) => Project::of_file(&context.absolute(file), None, &context.cwd),
        (None, subject) => Project {
            directory: "/crate".into(),
            target_parent: "/workspace".into(),
            name: "krate".to_owned(),
            subject,
        },
    };
    request(&parsed, &project, &context)
}

/// Returns the output directory of a command line.
pub(super) fn output_of(words: &[&str]) -> Utf8PathBuf {
    try_request(words, &Layer::new()).unwrap().output
}

/// Returns the output directory for a workspace without a package of its own.
pub(super) fn virtual_output_of(words: &[&str]) -> Utf8PathBuf {
    let request = request_of(words, &Layer::new(), Subject::Workspace);
    request.unwrap().output
}

#[track_caller]
fn check_refused(words: &[&str], expected: &str) {
    let error = try_request(words, &Layer::new()).unwrap_err();
    assert_eq!(error.kind, ExitStatus::BadInput);
    assert!(
        error.source.to_string().contains(expected),
        "{}",
        error.source
    );
}

fn package(words: &[&str]) -> PackageInput {
    match try_request(words, &Layer::new()).unwrap().input {
        Input::Package(package) => package,
        other => panic!("{other:?} is no package"),
    }
}

#[test]
fn ice_alone_reduces_the_package_here() {
    let request = try_request(&["--ice"], &Layer::new()).unwrap();
    assert_eq!(request.input, Input::Package(PackageInput::default()));
    assert_eq!(request.output, "/workspace/target/reduce/krate");
    assert_eq!(request.existing_output, ExistingOutput::Refuse);
    assert_eq!(request.cache, CacheUse::Persistent);
    assert_eq!(request.surroundings.vars["PATH"], "/bin");
    assert_eq!(request.property.memory_mib, 6144);
    assert_eq!(request.search, SearchOptions::default());
    assert!(request.jobs >= 1);
}

#[test]
fn doc_tests_are_named_as_rustdoc_does() {
    let title = "src/lib.rs - price (line 5)";
    let request = try_request(&["--doc", title], &Layer::new()).unwrap();
    let filter = Some(title.to_owned());
    assert_eq!(request.property.goal, Goal::Test { filter });
    assert_eq!(package(&["--doc"]).target, TargetSelection::Doc);
    assert!(try_request(&["--ice", "--doc"], &Layer::new()).is_ok());
    check_refused(&["--clippy", "--doc"], "only where they fail");
}

#[test]
fn a_test_is_named_as_tools_name_it() {
    let check = |words: &[&str], target: TargetSelection, expected: &str| {
        let request = try_request(words, &Layer::new()).unwrap();
        let filter = Some(expected.to_owned());
        assert_eq!(request.property.goal, Goal::Test { filter }, "{words:?}");
        let Input::Package(package) = request.input else {
            panic!("{words:?} is no package");
        };
        assert_eq!(package.target, target, "{words:?}");
        assert_eq!(package.rustc_args, [""; 0], "{words:?}");
    };
    let default = || TargetSelection::Default;
    check(&["test m::a ... FAILED"], default(), "m::a");
    check(&["spans::bin/tool m::a"], default(), "spans::bin/tool m::a");
    check(&["tests/api.rs:31:5"], default(), "tests/api.rs:31");
    check(&["--", "m::a", "--exact"], default(), "m::a");
    let api = || TargetSelection::Test("api".to_owned());
    check(&["--test", "api", "--", "--nocapture", "a"], api(), "a");
    let title = "src/lib.rs - price (line 5)";
    check(&[title], TargetSelection::Doc, title);
    check_refused(&["a", "--", "b"], "only one test");
    check_refused(&["--", "b", "a", "--exact"], "only one test");
}

#[test]
fn a_fuzz_target_needs_an_input() {
    let target = package(&["--fuzz", "parse", "--input", "crash-1"]).target;
    let (name, input) = ("parse".to_owned(), "/crate/crash-1".into());
    assert_eq!(
        target,
        TargetSelection::Fuzz {
            target: name,
            input
        }
    );
    let fuzz = ["--ice", "--fuzz", "parse", "--input", "crash-1"];
    check_refused(&fuzz, "only where they fail");
    let words = ["cargo", "reduce", "--fuzz", "parse"].map(OsString::from);
    assert!(parse(words, &Layer::new()).is_err());
}

#[test]
fn what_is_to_stay_must_be_said_where_nobody_chooses() {
    let request = try_request(&["--whole"], &Layer::new()).unwrap();
    assert_eq!(request.property.goal, Goal::Unsaid);
    for words in [["--detach"], ["--watch"], ["a.rs"]] {
        check_refused(&words, "what must stay");
    }
}

#[test]
fn what_is_chosen_takes_the_place_of_what_left_the_choice() {
    let args = ["cargo", "reduce", "--whole", "--jobs", "3", "--release"].map(OsString::from);
    let parsed = parse(args, &Layer::new()).unwrap();
    let context = Context {
        cwd: "/crate".into(),
        vars: [].into(),
        program: "/bin/cargo-reduce".into(),
        user_home: None,
    };
    let project = Project::of_manifest("/crate/Cargo.toml".into());
    let unsaid = request(&parsed, &project, &context).unwrap();
    let chosen = |words: &[&str]| {
        let offer = Offer {
            what: "a".to_owned(),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
        };
        chosen(&offer, &unsaid, &parsed.args, &project, &context).unwrap()
    };
    let test = chosen(&["--test", "api", "--release", "m::a"]);
    let filter = Some("m::a".to_owned());
    assert_eq!(test.property.goal, Goal::Test { filter });
    assert_eq!(test.property.fidelity, Fidelity::Whole);
    assert_eq!(test.jobs, 3);
    assert!(test.output.as_str().contains("test-api"), "{}", test.output);
    let Input::Package(package) = test.input else {
        panic!("it is no package");
    };
    assert_eq!(package.target, TargetSelection::Test("api".to_owned()));
    assert!(package.release);
    let error = chosen(&["--error", "E0308", "--lib"]);
    assert!(matches!(error.property.goal, Goal::Error(_)));
    assert_eq!(error.property.fidelity, Fidelity::Test);
}

#[test]
fn package_flags_are_carried_over() {
    let package = package(&[
        "--ice",
        "--manifest-path",
        "sub/Cargo.toml",
        "-p",
        "tool",
        "--bin",
        "main",
        "--features",
        "a,b",
        "--no-default-features",
        "--release",
        "--target",
        "wasm32",
        "--",
        "-Zunpretty=hir",
        "-O",
    ]);
    assert_eq!(package.manifest_path.unwrap(), "/crate/sub/Cargo.toml");
    assert_eq!(package.package.unwrap(), "tool");
    assert_eq!(package.target, TargetSelection::Bin("main".to_owned()));
    assert_eq!(package.features, ["a,b"]);
    assert!(package.no_default_features && package.release && !package.all_features);
    assert_eq!(package.target_triple.unwrap(), "wasm32");
    assert_eq!(package.rustc_args, ["-Zunpretty=hir", "-O"]);
}

#[test]
fn all_kinds_of_targets_are_carried_over() {
    use TargetSelection::{AllTargets, Bench, Benches, Tests};
    let cases = [
        (vec!["--bench", "b"], Bench("b".to_owned())),
        (vec!["--tests"], Tests),
        (vec!["--benches"], Benches),
        (vec!["--all-targets"], AllTargets),
    ];
    for (words, expected) in cases {
        let words = [vec!["--ice"], words].concat();
        assert_eq!(package(&words).target, expected);
    }
    check_refused(&["--ice", "--tests", "--lib"], "at a time");
    check_refused(
        &["--ice", "x.rs", "--all-targets"],
        "`--all-targets` is for packages",
    );
}

#[test]
fn what_needs_one_target_does_not_take_all() {
    check_refused(
        &["--run", "--tests"],
        "`--run` needs one target, and `--tests`",
    );
    check_refused(
        &["--script", "x", "--all-targets"],
        "`--script` needs one target",
    );
    check_refused(&["--rustdoc", "--benches"], "`--rustdoc` needs one target");
    for words in [
        ["--error", "E0308"],
        ["--hang", "5"],
        ["--warning", "dead_code"],
    ] {
        let words = [&words[..], &["--all-targets"]].concat();
        assert!(try_request(&words, &Layer::new()).is_ok(), "{words:?}");
    }
}

#[test]
fn a_file_is_compiled_by_rustc_alone() {
    let words = [
        "--ice",
        "a/crash.rs",
        "--edition",
        "2024",
        "--",
        "-Copt-level=3",
    ];
    let expected = Input::File(FileInput {
        path: "/crate/a/crash.rs".into(),
        text: None,
        edition: Some("2024".to_owned()),
        target_triple: None,
        rustc_args: vec!["-Copt-level=3".to_owned()],
        ..FileInput::default()
    });
    assert_eq!(try_request(&words, &Layer::new()).unwrap().input, expected);
}

#[test]
fn run_flags_are_carried_over() {
    let words = [
        "--ice",
        "--output",
        "out",
        "--force",
        "--jobs",
        "7",
        "--compiler",
        "spawn",
        "--timeout",
        "9",
        "--baseline-timeout",
        "30",
        "--memory",
        "512",
        "--repeat",
        "4",
        "--stability-runs",
        "5",
        "--allow-errors",
        "--ignore-location",
        "--no-cache",
        "--algorithm",
        "probdd",
        "--rustc",
        "/built/rustc",
    ];
    let request = try_request(&words, &Layer::new()).unwrap();
    assert_eq!(request.output, "/crate/out");
    assert_eq!(request.existing_output, ExistingOutput::Replace);
    assert_eq!(request.jobs, 7);
    assert_eq!(request.compiler, CompilerChoice::Spawn);
    assert_eq!(request.cache, CacheUse::ThisRunOnly);
    assert_eq!(request.search.algorithm, Algorithm::Probdd);
    assert_eq!(request.surroundings.rustc.unwrap(), "/built/rustc");
    let expected = PropertyOptions {
        timeout_seconds: Some(9),
        baseline_timeout_seconds: 30,
        memory_mib: 512,
        allow_errors: true,
        strict_valid: false,
        ignore_location: true,
        any_message: false,
        fidelity: Fidelity::Test,
        mutate: vec![],
        repeat: Repeat::Times(4),
        at_least: 1,
        stability_runs: Some(5),
        sandbox: SandboxMode::Default,
        goal: Goal::Ice,
        demands: Demands::default(),
        env: vec![],
        reads: vec![],
    };
    assert_eq!(request.property, expected);
}

#[test]
fn a_number_that_cannot_be_meant_is_refused() {
    check_refused(&["--ice", "--jobs", "1000000"], "from 1 to 1024");
    check_refused(&["--ice", "--memory", "9999999999999"], "`--memory");
    check_refused(
        &["--ice", "--timeout", "18446744073709551615"],
        "`--timeout",
    );
    check_refused(&["--hang", "18446744073709551615"], "`--hang");
}

#[test]
fn a_hang_is_that_of_the_compiler_a_program_or_a_test() {
    let of_program = |args: &[&str]| Goal::Hang {
        of_program: true,
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        seconds: 3,
    };
    let of_test = |filter: Option<&str>| Goal::TestHang {
        filter: filter.map(str::to_owned),
        seconds: 3,
    };
    let of_compiler = Goal::Hang {
        of_program: false,
        args: vec![],
        seconds: 3,
    };
    let table: [(&[&str], Goal); 7] = [
        (&["--test", "t"], of_compiler),
        (&["--run", "x.rs"], of_program(&[])),
        (&["--run", "--bin", "b"], of_program(&[])),
        (&["--run=own", "--test", "t"], of_program(&["own"])),
        (&["--run", "--test", "t"], of_test(None)),
        (&["--run", "--lib", "waits"], of_test(Some("waits"))),
        (&["--run", "waits"], of_test(Some("waits"))),
    ];
    for (words, expected) in table {
        let words = [&["--hang", "3"], words].concat();
        let request = try_request(&words, &Layer::new()).unwrap();
        assert_eq!(request.property.goal, expected, "{words:?}");
    }
}

#[test]
fn how_faithful_a_result_is_can_be_said_of_tests() {
    let fidelity = |words: &[&str], files: &Layer| {
        let request = try_request(words, files).unwrap();
        request.property.fidelity
    };
    let nothing = Layer::new();
    assert_eq!(fidelity(&["--test", "api"], &nothing), Fidelity::Test);
    assert_eq!(fidelity(&["--free", "sums"], &nothing), Fidelity::Free);
    assert_eq!(fidelity(&["--lib", "--whole"], &nothing), Fidelity::Whole);
    let file = Layer::from([("free".to_owned(), vec!["true".to_owned()])]);
    assert_eq!(fidelity(&["--lib"], &file), Fidelity::Free);
    assert_eq!(fidelity(&["--ice"], &file), Fidelity::Test);
    check_refused(&["--ice", "--free"], "`--free` is for failing tests");
    check_refused(&["--ice", "--whole"], "`--whole` is for failing tests");
}

#[test]
fn packages_are_mutated_for_a_test_that_mutants_guard() {
    let mutated = |words: &[&str], files: &Layer| {
        let request = try_request(words, files).unwrap();
        let specs = request.property.mutate.iter();
        specs.map(ToString::to_string).collect::<Vec<_>>()
    };
    let words = ["--lib", "--mutate", "a", "--mutate", "b@1.2"];
    assert_eq!(mutated(&words, &Layer::new()), ["a", "b@1.2"]);
    let file = Layer::from([("mutate".to_owned(), vec!["c".to_owned()])]);
    assert_eq!(mutated(&["--test", "t"], &file), ["c"]);
    assert_eq!(mutated(&["--ice"], &file), [""; 0]);
    let refused = "`--mutate` is for failing tests";
    check_refused(&["--ice", "--mutate", "a"], refused);
    check_refused(&["--lib", "--mutate", "a", "--free"], "`--free`");
    check_refused(&["--lib", "--mutate", "a", "--good", "HEAD"], "`--good`");
}

#[test]
fn flags_that_contradict_each_other_are_refused() {
    check_refused(&["--ice", "--lib", "--bin", "main"], "at a time");
    check_refused(&["--ice", "x.rs", "--lib"], "`--lib` is for packages");
    check_refused(
        &["--ice", "x.rs", "--manifest-path", "a"],
        "`--manifest-path`",
    );
    check_refused(
        &["--ice", "--edition", "2024"],
        "`--edition` is for single files",
    );
}

#[test]
fn more_failures_than_runs_are_refused() {
    check_refused(&["--ice", "--at-least", "2"], "2 failures");
    check_refused(
        &["--ice", "--repeat", "3", "--at-least", "4"],
        "`--repeat 3`",
    );
    let words = ["--ice", "--repeat", "auto", "--at-least", "4"];
    let property = try_request(&words, &Layer::new()).unwrap().property;
    assert_eq!((property.repeat, property.at_least), (Repeat::Auto, 4));
}

#[test]
fn a_flag_wins_over_another_target_in_a_file() {
    let files = Layer::from([("bin".to_owned(), vec!["main".to_owned()])]);
    let request = try_request(&["--ice", "--lib"], &files).unwrap();
    assert!(matches!(
        request.input,
        Input::Package(PackageInput {
            target: TargetSelection::Lib,
            ..
        })
    ));
}

#[test]
fn a_target_in_a_file_does_not_hinder_the_reduction_of_a_single_file() {
    let files = Layer::from([("bin".to_owned(), vec!["main".to_owned()])]);
    assert!(try_request(&["--ice", "x.rs"], &files).is_ok());
}

#[test]
fn the_text_of_standard_input_is_the_program() {
    let of_text = |text: &str| {
        let subject = Subject::StandardInput(text.to_owned());
        request_of(&["--ice", "-"], &Layer::new(), subject).unwrap()
    };
    let request = of_text("fn f() {}");
    let Input::File(file) = &request.input else {
        panic!("{:?} is no file", request.input);
    };
    assert_eq!(file.path, "/crate/stdin.rs");
    assert_eq!(file.text.as_deref(), Some("fn f() {}"));
    assert!(
        request
            .output
            .as_str()
            .starts_with("/crate/target/reduce/stdin.")
    );
    assert_eq!(request.output, of_text("fn f() {}").output);
    assert_ne!(request.output, of_text("fn g() {}").output);
}

#[test]
fn what_is_for_rustc_is_about_crashes() {
    let given = [
        "--crashes-test",
        "123",
        "--ui-test",
        "bad-bound",
        "--bisect-script",
    ];
    let request = try_request(&[&["--ice"], &given[..]].concat(), &Layer::new());
    let expected = ForRustc {
        crashes_test: Some(123),
        bisect_script: true,
        ui_test: Some("bad-bound".to_owned()),
    };
    assert_eq!(request.unwrap().for_rustc, expected);
    for (goal, option) in [
        (&["--run"][..], &given[..2]),
        (&["--run"], &given[2..4]),
        (&["--slow", "3"], &given[4..]),
    ] {
        check_refused(&[goal, option].concat(), "about a crash of the compiler");
    }
}

#[test]
fn errors_warnings_programs_and_tests_are_bisected_too() {
    let goals = [
        &["--error", "E0277"][..],
        &["--warning", "dead_code"],
        &["--run"],
        &["--lib"],
        &["a_long_day"],
    ];
    for goal in goals {
        let given = [goal, &["--bisect-script"]].concat();
        let request = try_request(&given, &Layer::new()).unwrap();
        assert!(request.for_rustc.bisect_script);
    }
}

#[test]
fn a_ui_test_is_another_file_than_a_crashes_test() {
    let named = ["--ice", "--crashes-test", "123", "--ui-test", "123"];
    check_refused(&named, "would be the same file");
}

#[test]
fn standard_input_is_not_watched() {
    check_refused(
        &["--ice", "-", "--watch"],
        "`--watch` cannot watch standard input",
    );
}
