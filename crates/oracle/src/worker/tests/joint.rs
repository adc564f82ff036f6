//! Joint programs: a compiler that makes a program whose tests end with the status that their names tell.

use super::*;
use crate::check::Execution;
use crate::check::program::Program;
use crate::evidence::program::Harness;
use crate::worker::JointTests;

/// Makes a bench on which the program is called with the name of a test, such as `joint_1::fails_3`.
fn bench(compiler: &str) -> (Bench, Property) {
    let program = "#!/bin/sh\\necho $1 >> ../ran; exit ${1##*_}\\n";
    let mut bench = Bench::new(&format!(
        "{compiler}\nwhile [ \"$1\" != -o ]; do shift; done; printf '{program}' > \"$2\"; chmod +x \"$2\""
    ));
    bench.plan.run_policy.check = Program::check(Execution {
        args: vec!["test_3".to_owned(), "--exact".to_owned()],
        harness: Harness::Libtest {
            test: "test_3".to_owned(),
        },
        env: BTreeMap::new(),
        cwd: Utf8PathBuf::new(),
        hangs_after: None,
        may_succeed: false,
        links_dynamically: false,
        link_args: vec![],
        input: None,
    });
    let property = Property {
        signature: Signature::of_kind(CrashKind::ExitStatus(3), ""),
        ..property()
    };
    (bench, property)
}

#[track_caller]
fn check(
    compiler: &str,
    (reference, tests): (Option<&str>, &[&str]),
    expected: (bool, &[Verdict]),
    ran: &[&str],
) {
    let (bench, property) = bench(compiler);
    let program = sources(&[("src/lib.rs", "")]);
    let tests = JointTests {
        reference: reference.map(str::to_owned),
        candidates: tests.iter().map(|&test| test.to_owned()).collect(),
        variable: None,
        are_all_run: false,
    };
    let cancel = Cancel::new().unwrap();
    let mut worker = bench.worker();
    let build = worker
        .build_jointly(&bench.plan, &program, &cancel)
        .unwrap();
    let joint = worker
        .judge_jointly(&bench.plan, &property, &tests, &cancel)
        .unwrap();
    assert_eq!(build.is_made, !ran.is_empty());
    assert!(!worker.place.program().exists(), "it goes with its tests");
    let verdicts: Vec<_> = expected.1.iter().cloned().map(Some).collect();
    assert_eq!((joint.is_alike, joint.verdicts), (expected.0, verdicts));
    let names = std::fs::read_to_string(worker.place.tree.join("../ran")).unwrap_or_default();
    assert_eq!(names.lines().collect::<Vec<_>>(), ran);
}

const REFERENCE: &str = "joint_0::test_3";

#[test]
fn each_test_is_judged_by_the_run_of_it_alone() {
    let other = Verdict::OtherCrash(Box::new(Signature::of_kind(CrashKind::ExitStatus(4), "")));
    let tests = ["joint_1::test_0", "joint_2::test_4"];
    let expected = [Verdict::Compiles, other];
    let ran = [REFERENCE, tests[0], tests[1]];
    check("", (Some(REFERENCE), &tests), (true, &expected), &ran);
    check("", (None, &tests), (true, &expected), &tests);
}

#[test]
fn one_that_is_interesting_is_run_as_often_as_in_a_query_and_what_comes_after_it_is_not() {
    let tests = ["joint_1::test_0", "joint_2::test_3", "joint_3::test_3"];
    let expected = [Verdict::Compiles, Verdict::Interesting];
    let mut ran = vec![tests[0]];
    ran.extend([tests[1]; 6]);
    check("", (None, &tests), (true, &expected), &ran);
}

#[test]
fn where_the_reference_is_not_interesting_nothing_more_is_run() {
    let reference = "joint_0::test_0";
    check(
        "",
        (Some(reference), &["joint_1::test_0"]),
        (false, &[]),
        &[reference],
    );
}

#[test]
fn what_does_not_compile_together_has_no_verdicts() {
    check(
        "exit 1",
        (Some(REFERENCE), &["joint_1::test_0"]),
        (false, &[]),
        &[],
    );
}
