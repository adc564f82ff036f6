//! Failures that do not show in each run: a script counts its runs, and fails in those that it is told.

use super::*;
use crate::check::Execution;
use crate::check::program::Program;
use crate::demands::Demand;
use crate::evidence::program::Harness;
use crate::flaky::Sample;
use crate::plan::companion::Companion;

/// The lines of a shell that count the runs in a file beside the tree.
const COUNT: &str = "n=0; test -e ../n && read n < ../n; n=$((n + 1)); echo $n > ../n";

/// Makes a bench whose compiler crashes in the runs of these numbers.
fn crashing_in(runs: &[u32]) -> Bench {
    let runs: Vec<String> = runs.iter().map(u32::to_string).collect();
    let runs = runs.join("|");
    Bench::new(&format!("{COUNT}; case $n in {runs}) {CRASH} ;; esac"))
}

#[track_caller]
fn check(crashing: &[u32], (repeat, at_least): (u32, u32), expected: (Verdict, u32)) {
    let mut bench = crashing_in(crashing);
    (bench.plan.run_policy.repeat, bench.plan.run_policy.at_least) = (repeat, at_least);
    let answer = bench.ask(&mut bench.worker(), &sources(&[("src/lib.rs", "")]));
    assert_eq!((answer.verdict, answer.runs), expected);
}

#[test]
fn runs_end_as_soon_as_enough_have_failed() {
    check(&[1], (1, 1), (Verdict::Interesting, 1));
    check(&[3], (5, 1), (Verdict::Interesting, 3));
    check(&[2, 4], (5, 2), (Verdict::Interesting, 4));
    check(&[1, 2, 3], (3, 3), (Verdict::Interesting, 3));
    check(&[4, 5], (5, 2), (Verdict::Interesting, 5));
}

#[test]
fn runs_end_as_soon_as_too_few_can_fail() {
    check(&[9], (1, 1), (Verdict::Compiles, 1));
    check(&[9], (5, 1), (Verdict::Compiles, 5));
    check(&[9], (5, 2), (Verdict::Compiles, 4));
    check(&[1], (5, 5), (Verdict::Compiles, 2));
    check(&[1, 3], (4, 3), (Verdict::Compiles, 4));
}

#[test]
fn an_error_that_is_new_is_not_asked_about_again() {
    let error = r#"{"$message_type":"diagnostic","message":"m","code":{"code":"E0001"},"level":"error","spans":[],"children":[],"rendered":"error"}"#;
    let mut bench = Bench::new(&format!("echo '{error}' >&2; exit 1"));
    bench.plan.run_policy.repeat = 5;
    let answer = bench.ask(&mut bench.worker(), &sources(&[("src/lib.rs", "")]));
    let expected = Verdict::AddsError("E0001".to_owned());
    assert_eq!((answer.verdict, answer.runs), (expected, 1));
}

#[test]
fn a_sample_counts_runs_until_it_is_told_that_they_are_enough() {
    let bench = crashing_in(&[2, 3, 7]);
    let mut worker = bench.worker();
    let sources = sources(&[("src/lib.rs", "")]);
    let mut sample = |runs: u32| {
        let is_enough = |sample: Sample, _: &Answer| sample.runs >= runs;
        let cancel = Cancel::new().unwrap();
        worker
            .sample(&bench.plan, &sources, &property(), &is_enough, &cancel)
            .unwrap()
    };
    assert_eq!(sample(4), Sample { failed: 2, runs: 4 });
    assert_eq!(sample(3), Sample { failed: 1, runs: 3 });
}

#[test]
fn a_sample_that_is_cancelled_is_none() {
    let bench = crashing_in(&[1]);
    let cancel = Cancel::new().unwrap();
    cancel.cancel();
    let sources = sources(&[("src/lib.rs", "")]);
    let mut worker = bench.worker();
    let sample = worker.sample(&bench.plan, &sources, &property(), &|_, _| false, &cancel);
    assert!(matches!(sample, Err(OracleError::Cancelled)));
}

/// Makes a bench whose compiler makes a program which ends with status 3 in its third run of each candidate.
fn programs(compiler: &str) -> (Bench, Property) {
    programs_failing_in("3", compiler)
}

/// Makes a bench whose compiler makes a program which ends with status 3 in the runs whose number fits this
/// pattern of a shell.
fn programs_failing_in(runs: &str, compiler: &str) -> (Bench, Property) {
    let program = format!(
        "#!/bin/sh\\ncd ..; mkdir -p x; cd x; {COUNT}; case $n in {runs}) exit 3;; esac\\n"
    );
    let make = format!(
        "echo built >> ../builds; {compiler}\nwhile [ \"$1\" != -o ]; do shift; done; \
         printf '{program}' > \"$2\"; chmod +x \"$2\""
    );
    let mut bench = Bench::new(&make);
    bench.plan.run_policy.check = Program::check(Execution {
        args: vec![],
        harness: Harness::None,
        env: bench.plan.call.env.clone(),
        cwd: Utf8PathBuf::new(),
        hangs_after: None,
        may_succeed: false,
        links_dynamically: false,
        link_args: vec![],
        input: None,
    });
    bench.plan.run_policy.repeat = 5;
    let signature = Signature::of_kind(CrashKind::ExitStatus(3), "");
    let property = Property {
        signature,
        ..property()
    };
    (bench, property)
}

fn ask(bench: &Bench, worker: &mut Worker, property: &Property) -> (Verdict, u32, usize) {
    let cancel = Cancel::new().unwrap();
    let sources = sources(&[("src/lib.rs", "")]);
    let answer = worker
        .judge(&bench.plan, &sources, property, &cancel)
        .unwrap();
    let builds = files::read(&bench.dir.join("worker/builds")).unwrap();
    (answer.verdict, answer.runs, builds.lines().count())
}

#[test]
fn a_program_is_compiled_once_and_run_often() {
    let (bench, property) = programs(":");
    let mut worker = bench.worker();
    let found = ask(&bench, &mut worker, &property);
    assert_eq!(found, (Verdict::Interesting, 3, 1));
    let out = files::entries(&bench.dir.join("worker/deps")).unwrap();
    assert!(out.is_empty(), "the program is still there");
    let next = ask(&bench, &mut worker, &property);
    assert_eq!(next, (Verdict::Compiles, 5, 2));
}

#[test]
fn a_program_that_does_not_compile_is_not_compiled_again() {
    let (bench, property) = programs("exit 1");
    let found = ask(&bench, &mut bench.worker(), &property);
    assert_eq!(found, (Verdict::Rejected, 1, 1));
}

/// Checks one question about a program that fails in these runs, where the failure is stable.
#[track_caller]
fn check_stable(failing: &str, expected: (Verdict, u32)) {
    let (mut bench, property) = programs_failing_in(failing, ":");
    bench.plan.run_policy.repeat = 1;
    let (verdict, runs, builds) = ask(&bench, &mut bench.worker(), &property);
    assert_eq!(((verdict, runs), builds), (expected, 1), "{failing}");
}

#[test]
fn a_program_that_fails_is_run_again_in_case_that_was_luck() {
    check_stable("*", (Verdict::Interesting, 6));
    check_stable("1", (Verdict::Compiles, 2));
    check_stable("[1-5]", (Verdict::Compiles, 6));
    check_stable("[2-9]", (Verdict::Compiles, 1));
}

#[test]
fn a_companion_that_passes_by_luck_is_found_out() {
    // The first six runs are those of the plan's own call.
    for (failing, expected) in [
        ("[1-6]", (Verdict::Interesting, 2)),
        ("[1-68]", (Verdict::Rejected, 2)),
    ] {
        let (mut bench, property) = programs_failing_in(failing, ":");
        bench.plan.run_policy.repeat = 1;
        let companion = Companion::new(None, Demand::Succeeds, &bench.plan);
        bench.plan.run_policy.companions = vec![companion];
        let (verdict, _, builds) = ask(&bench, &mut bench.worker(), &property);
        assert_eq!((verdict, builds), expected, "{failing}");
    }
}
