//! Tests that are run in variants, with processes that have ended already.

use super::*;
use crate::check::scripted::{RECORD, SWITCH, Scripted, ended};
use crate::evidence::calls::CountedFunctions;
use crate::evidence::program::Harness;
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};

/// Makes the outcome of a test that fails by an assertion with this value.
fn fails(left: &str) -> Outcome {
    Outcome {
        stderr: format!(
            "thread 't' panicked at tests/t.rs:3:5:\nassertion `left == right` failed\n  left: {left}\n right: 9\n"
        ),
        stdout: "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"
            .to_owned(),
        ..ended(Ending::Exited(101))
    }
}

fn passes() -> Outcome {
    ended(Ending::Exited(0))
}

fn own(compares_values: bool) -> Own {
    Own {
        files: ["tests/t.rs".into()].into(),
        compares_values,
        ..Own::default()
    }
}

fn failure(outcome: &Outcome, own: &Own) -> Option<Signature> {
    own.failure(outcome, "/tree", &harness())
}

fn harness() -> Harness {
    let test = "t".to_owned();
    Harness::Libtest { test }
}

/// Makes the check of an original that fails with 7, passes in variant 1, and fails with 8 in
/// variant 2.
fn variants(compares_values: bool) -> Variants {
    entering(compares_values, [])
}

/// Makes the check of an original that passes these switches, of which variants say nothing.
fn entering<const N: usize>(compares_values: bool, entered: [u32; N]) -> Variants {
    let execution = Execution {
        args: vec![],
        harness: harness(),
        env: BTreeMap::new(),
        cwd: "".into(),
        hangs_after: None,
        may_succeed: false,
        links_dynamically: false,
        link_args: vec![],
        input: None,
    };
    let own = own(compares_values);
    let under = |setting: &str, outcome: &Outcome| VariantOutcome {
        setting: setting.to_owned(),
        failure: failure(outcome, &own),
    };
    let expected = Expected {
        variable: SWITCH.to_owned(),
        failure: failure(&fails("7"), &own).unwrap(),
        outcomes: vec![under("1", &passes()), under("2", &fails("8"))],
        record: RECORD.to_owned(),
        entered: BTreeSet::from(entered),
        calls: None,
        own: own.clone(),
    };
    Variants::new(execution, Arc::new(expected))
}

/// Makes a bench on which a candidate ends like this, and in variants like that.
fn candidate(ran: Outcome, switched: &[(&str, Outcome)]) -> Scripted {
    let switched = switched.iter();
    Scripted {
        ran,
        switched: switched
            .map(|(value, outcome)| ((*value).to_owned(), outcome.clone()))
            .collect(),
        ..Scripted::compiling(ended(Ending::Exited(0)))
    }
}

/// Makes a bench on which a candidate has all expected outcomes, and a run writes this record.
fn recording(scratch: &tempfile::TempDir, record: &[u8]) -> Scripted {
    Scripted {
        temporary: Utf8PathBuf::from_path_buf(scratch.path().to_owned()).unwrap(),
        record: record.to_owned(),
        ..candidate(fails("7"), &[("1", passes()), ("2", fails("8"))])
    }
}

/// Checks the kind of failure that is seen of a candidate, and the variants that it was run in.
#[track_caller]
fn check(check: &Variants, mut bench: Scripted, expected: Option<CrashKind>, asked: &[&str]) {
    let (_, seen) = check.run(&mut bench, &[]).unwrap();
    assert_eq!(seen.crashes.first().map(|crash| crash.kind), expected);
    assert_eq!(bench.asked, asked);
}

#[test]
fn a_candidate_has_the_outcome_of_the_original_in_each_variant() {
    let good = candidate(fails("7"), &[("1", passes()), ("2", fails("8"))]);
    check(
        &variants(true),
        good,
        Some(CrashKind::Assertion),
        &["1", "2"],
    );
    let never_passes = candidate(fails("7"), &[("2", fails("8"))]);
    let disagrees = Some(CrashKind::OtherOutcome);
    check(&variants(true), never_passes, disagrees, &["1"]);
    let changes_nothing = candidate(fails("7"), &[("1", passes()), ("2", fails("7"))]);
    check(&variants(true), changes_nothing, disagrees, &["1", "2"]);
    let always_passes = candidate(fails("7"), &[("1", passes()), ("2", passes())]);
    check(&variants(true), always_passes, disagrees, &["1", "2"]);
}

#[test]
fn the_values_of_a_failure_in_a_variant_may_be_others() {
    let other_value = candidate(fails("7"), &[("1", passes()), ("2", fails("6"))]);
    check(
        &variants(true),
        other_value,
        Some(CrashKind::Assertion),
        &["1", "2"],
    );
    let elsewhere = Outcome {
        stderr: "thread 't' panicked at tests/t.rs:3:5:\nno value\n".to_owned(),
        ..fails("6")
    };
    let fails_otherwise = candidate(fails("7"), &[("1", passes()), ("2", elsewhere)]);
    check(
        &variants(true),
        fails_otherwise,
        Some(CrashKind::OtherOutcome),
        &["1", "2"],
    );
}

#[test]
fn the_variant_that_refused_comes_first_for_all_that_expect_the_same_results() {
    let original = variants(true);
    let own = OwnResults {
        failure: None,
        outcomes: original.outcomes().to_vec(),
        entered: None,
    };
    let unchanged = || candidate(fails("7"), &[("1", passes()), ("2", fails("7"))]);
    let disagrees = Some(CrashKind::OtherOutcome);
    check(
        &original.expecting_own(&own),
        unchanged(),
        disagrees,
        &["1", "2"],
    );
    check(
        &original.expecting_own(&own),
        unchanged(),
        disagrees,
        &["2"],
    );
    let fewer = OwnResults {
        outcomes: own.outcomes[1..].to_vec(),
        ..own.clone()
    };
    check(
        &original.expecting_own(&fewer),
        unchanged(),
        disagrees,
        &["2"],
    );
    // Another failure without a variant refuses before any is asked.
    let other_failure = OwnResults {
        failure: Some(Signature::of_kind(CrashKind::Assertion, "left: 9")),
        ..own
    };
    let same = || candidate(fails("7"), &[("1", passes()), ("2", fails("8"))]);
    check(
        &original.expecting_own(&other_failure),
        same(),
        Some(CrashKind::Assertion),
        &[],
    );
}

#[test]
fn a_test_that_was_written_anew_may_pass_other_switches_than_the_original() {
    let scratch = tempfile::tempdir().unwrap();
    let passing = |number: u32| recording(&scratch, &number.to_le_bytes());
    let original = entering(true, [3]);
    let own = OwnResults {
        failure: None,
        outcomes: original.outcomes().to_vec(),
        entered: None,
    };
    let disagrees = Some(CrashKind::OtherOutcome);
    check(&original.expecting_own(&own), passing(4), disagrees, &[]);
    let own = OwnResults {
        entered: Some(BTreeSet::from([4])),
        ..own
    };
    let both = ["1", "2"];
    let same = Some(CrashKind::Assertion);
    check(&original.expecting_own(&own), passing(4), same, &both);
    check(&original.expecting_own(&own), passing(3), disagrees, &[]);
}

/// Checks in which variants a candidate is run by processes of its own, if its forks end like this.
#[track_caller]
fn check_forks(forks: &[(&str, Outcome)], asked: &[&str], expected: CrashKind) {
    let two = variants(true);
    let mut expecting = (*two.expected).clone();
    expecting.outcomes.push(VariantOutcome {
        setting: "3".to_owned(),
        failure: None,
    });
    let three = two.expecting(Arc::new(expecting));
    let forks = forks.iter();
    let bench = Scripted {
        forks: forks
            .map(|(value, outcome)| (format!("{SWITCH}={value}"), outcome.clone()))
            .collect(),
        ..candidate(
            fails("7"),
            &[("1", passes()), ("2", fails("8")), ("3", passes())],
        )
    };
    check(&three, bench, Some(expected), asked);
}

#[test]
fn forks_spare_all_processes_but_the_first_where_their_outcomes_are_expected() {
    let same = CrashKind::Assertion;
    check_forks(&[], &["1", "2", "3"], same);
    check_forks(&[("2", fails("8")), ("3", passes())], &["1"], same);
}

#[test]
fn a_fork_refuses_no_candidate() {
    let same = CrashKind::Assertion;
    let stopped = ended(Ending::TimedOut);
    check_forks(&[("2", fails("7")), ("3", passes())], &["1", "2"], same);
    check_forks(&[("2", fails("8")), ("3", stopped)], &["1", "3"], same);
    check_forks(&[("2", fails("8"))], &["1", "3"], same);
}

#[test]
fn runs_in_variants_are_counted_for_all_executions() {
    let counted = variants(true);
    let other = counted.executing(counted.execution.clone());
    let good = || candidate(fails("7"), &[("1", passes()), ("2", fails("8"))]);
    let same = Some(CrashKind::Assertion);
    check(&counted, good(), same, &["1", "2"]);
    check(&other, good(), same, &["1", "2"]);
    check(&other, candidate(passes(), &[]), None, &[]);
    assert_eq!(counted.spent().runs(), 4);
}

#[test]
fn a_candidate_enters_what_the_original_does_where_variants_say_nothing_of_it() {
    let scratch = tempfile::tempdir().unwrap();
    let good = |record: &[u8]| recording(&scratch, record);
    let entering = entering(true, [9, 300]);
    let same = Some(CrashKind::Assertion);
    let all = [9, 0, 0, 0, 5, 0, 0, 0, 44, 1, 0, 0, 9];
    check(&entering, good(&all), same, &["1", "2"]);
    let disagrees = Some(CrashKind::OtherOutcome);
    check(&entering, good(&all[..8]), disagrees, &[]);
    check(&entering, good(&[]), disagrees, &[]);
}

#[test]
fn a_candidate_comes_to_its_panic_by_the_calls_of_the_original() {
    let panicked = |frames: &str| Outcome {
        stderr: format!("thread 't' panicked at src/lib.rs:3:5:\nindex out of bounds\n{frames}"),
        ..fails("7")
    };
    let by = |functions: &[&str]| {
        let functions = functions.iter().enumerate();
        let frames = functions.map(|(idx, name)| format!("   {idx}: {name}\n"));
        panicked(&format!("stack backtrace:\n{}", frames.collect::<String>()))
    };
    let without = variants(false);
    let expected = Expected {
        failure: failure(&panicked(""), &own(false)).unwrap(),
        outcomes: Vec::new(),
        calls: Some(CallsToPanic {
            counted: CountedFunctions {
                crates: ["pool".to_owned()].into(),
                test: String::new(),
            },
            functions: vec!["pool::take".to_owned(), "pool::Pool::insert".to_owned()],
        }),
        ..(*without.expected).clone()
    };
    let by_calls = without.expecting(Arc::new(expected));
    // The first run of a candidate is without a backtrace.
    let candidate = |traced: Outcome| Scripted {
        ran_first: [panicked("")].into(),
        ..candidate(traced, &[])
    };
    let same = Some(CrashKind::ProgramPanic);
    let good = by(&[
        "core::panic",
        "pool::take",
        "pool::Pool<u8>::insert",
        "t::t",
    ]);
    check(&by_calls, candidate(good), same, &[]);
    let disagrees = Some(CrashKind::OtherOutcome);
    let other = by(&["core::panic", "pool::take", "pool::Pool<u8>::push", "t::t"]);
    check(&by_calls, candidate(other), disagrees, &[]);
    check(&by_calls, candidate(panicked("")), disagrees, &[]);
}

#[test]
fn what_does_not_fail_as_the_original_is_asked_in_no_variant() {
    check(&variants(true), candidate(passes(), &[]), None, &[]);
    let other = Some(CrashKind::Assertion);
    check(&variants(true), candidate(fails("5"), &[]), other, &[]);
}

#[test]
fn values_that_do_not_count_may_differ() {
    let other_values = candidate(fails("5"), &[("1", passes()), ("2", fails("6"))]);
    check(
        &variants(false),
        other_values,
        Some(CrashKind::Assertion),
        &["1", "2"],
    );
    let always_passes = candidate(fails("5"), &[("1", passes()), ("2", passes())]);
    check(
        &variants(false),
        always_passes,
        Some(CrashKind::OtherOutcome),
        &["1", "2"],
    );
}

#[test]
fn a_run_without_an_end_is_no_evidence() {
    let late = candidate(fails("7"), &[("1", ended(Ending::TimedOut))]);
    let mut bench = late;
    let (outcome, seen) = variants(true).run(&mut bench, &[]).unwrap();
    assert_eq!((seen.ending, seen.crashes), (Ending::TimedOut, vec![]));
    assert_eq!(outcome.ending, Ending::TimedOut);
}

#[test]
fn who_has_refused_is_asked_first() {
    let variants = variants(true);
    let unchanged = || candidate(fails("7"), &[("1", passes()), ("2", fails("7"))]);
    let disagrees = Some(CrashKind::OtherOutcome);
    check(&variants, unchanged(), disagrees, &["1", "2"]);
    let same = variants.executing(variants.execution.clone());
    check(&same, unchanged(), disagrees, &["2"]);
}

#[test]
fn a_panic_in_the_code_under_test_has_a_place() {
    let at = |place: &str| Outcome {
        stderr: format!("thread 't' panicked at {place}:\nindex out of bounds\n"),
        ..fails("7")
    };
    let seen = |place: &str| failure(&at(place), &own(true)).unwrap();
    assert_eq!(seen("tests/t.rs:3:5").position, None);
    assert_eq!(seen("src/lib.rs:3:5").position, Some((3, 5)));
    assert!(!seen("src/lib.rs:3:5").is_same_bug(&seen("src/lib.rs:4:5"), false));
    assert!(seen("tests/t.rs:3:5").is_same_bug(&seen("tests/t.rs:4:5"), false));
}
