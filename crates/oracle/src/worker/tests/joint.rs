//! Joint programs: a compiler that makes a program whose tests end with the status that their names tell.

use super::*;
use crate::check::Execution;
use crate::check::program::Program;
use crate::observed::program::Harness;
use crate::worker::JointProgram;

/// The program is called with the name of a test, such as `joint_1::fails_3`.
fn bench(compiler: &str) -> (Bench, Property) {
    let program = "#!/bin/sh\\necho $1 >> ../ran; exit ${1##*_}\\n";
    let mut bench = Bench::new(&format!(
        "{compiler}\nwhile [ \"$1\" != -o ]; do shift; done; printf '{program}' > \"$2\"; chmod +x \"$2\""
    ));
    bench.plan.conduct.check = Program::check(Execution {
        args: vec!["test_3".to_owned(), "--exact".to_owned()],
        harness: Harness::Libtest {
            test: "test_3".to_owned(),
        },
        env: BTreeMap::new(),
        cwd: Utf8PathBuf::new(),
        hangs_after: None,
        may_succeed: false,
        links_dynamically: false,
    });
    let property = Property {
        signature: Signature::of_kind(CrashKind::ExitStatus(3), ""),
        ..property()
    };
    (bench, property)
}

#[track_caller]
fn check(compiler: &str, tests: &[&str], expected: &[Verdict], ran: &[&str]) {
    let (bench, property) = bench(compiler);
    let program = JointProgram {
        sources: sources(&[("src/lib.rs", "")]),
        tests: tests.iter().map(|&test| test.to_owned()).collect(),
    };
    let cancel = Cancel::new().unwrap();
    let mut worker = bench.worker();
    let (verdicts, _) = worker
        .judge_jointly(&bench.plan, &property, &program, &cancel)
        .unwrap();
    let expected: Vec<_> = expected.iter().cloned().map(Some).collect();
    assert_eq!(verdicts, expected);
    let names = std::fs::read_to_string(worker.place.tree.join("../ran")).unwrap_or_default();
    assert_eq!(names.lines().collect::<Vec<_>>(), ran);
}

#[test]
fn each_test_is_judged_by_the_run_of_it_alone() {
    let other = Verdict::OtherCrash(Box::new(Signature::of_kind(CrashKind::ExitStatus(4), "")));
    let tests = ["joint_0::test_3", "joint_1::test_0", "joint_2::test_4"];
    check(
        "",
        &tests,
        &[Verdict::Interesting, Verdict::Compiles, other],
        &tests,
    );
}

#[test]
fn what_comes_after_one_that_is_interesting_is_not_run() {
    let tests = [
        "joint_0::test_3",
        "joint_1::test_0",
        "joint_2::test_3",
        "joint_3::test_3",
    ];
    let expected = [
        Verdict::Interesting,
        Verdict::Compiles,
        Verdict::Interesting,
    ];
    check("", &tests, &expected, &tests[..3]);
}

#[test]
fn where_the_program_itself_is_not_interesting_nothing_more_is_run() {
    let tests = ["joint_0::test_0", "joint_1::test_0"];
    check("", &tests, &[Verdict::Compiles], &tests[..1]);
}

#[test]
fn what_does_not_compile_together_has_no_verdicts() {
    check("exit 1", &["joint_0::test_3"], &[], &[]);
}
