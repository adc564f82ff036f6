//! Outputs that programs leave behind, in the formats of several years, and awkward things that
//! they print.

mod real;

use super::*;
use std::time::Duration;

const TEST: &str = "m::inner";
/// The output of libtest around a test that failed.
const FAILED: &str = "\nrunning 1 test\ntest m::inner ... FAILED\n\nfailures:\n\nfailures:\n    m::inner\n\n\
                      test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 39 filtered out; \
                      finished in 0.00s\n\n";
const NOTE: &str =
    "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";

fn outcome(ending: Ending, stdout: &str, stderr: &str) -> Outcome {
    Outcome {
        ending,
        stdout: stdout.to_owned(),
        stderr: stderr.to_owned(),
        truncated: false,
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        late: None,
        asleep: Duration::ZERO,
        peak_memory_bytes: 0,
    }
}

/// Returns the failure as one line; empty where there is none.
fn failure(outcome: &Outcome, harness: &Harness) -> String {
    let own = |path: &str| path.starts_with("src/") || path.starts_with("tests/");
    let ran = Ran {
        outcome,
        dir: "/dev/shm/worker",
        own: &own,
    };
    let failures = failures(&ran, harness);
    assert!(failures.len() < 2);
    failures
        .first()
        .map(ToString::to_string)
        .unwrap_or_default()
}

/// Checks the failure of a test for which libtest says that it failed.
fn check_test(stderr: &str, expected: &str) {
    let test = TEST.to_owned();
    let outcome = outcome(Ending::Exited(101), FAILED, stderr);
    let found = failure(&outcome, &Harness::Libtest { test });
    assert_eq!(found, expected, "{stderr}");
}

/// Checks the failure of a `main`.
fn check_main(ending: Ending, stderr: &str, expected: &str) {
    let outcome = outcome(ending, "", stderr);
    assert_eq!(failure(&outcome, &Harness::None), expected, "{stderr}");
}

/// Checks the failure of a test, with all that libtest printed.
fn check_stdout(ending: Ending, stdout: &str, expected: &str) {
    let test = TEST.to_owned();
    let outcome = outcome(ending, stdout, "");
    let found = failure(&outcome, &Harness::Libtest { test });
    assert_eq!(found, expected, "{stdout}");
}

/// Returns a panic of the test as it is printed today.
fn panic(message: &str) -> String {
    format!("\nthread 'm::inner' (77) panicked at src/a.rs:1:2:\n{message}\n")
}

#[test]
fn a_panic_has_the_difference_that_was_printed_before_it() {
    let check = |stdout: &str, stderr: &str, expected: &str| {
        let stdout = FAILED.replace("... FAILED", &format!("... {stdout}FAILED"));
        let outcome = outcome(Ending::Exited(101), &stdout, stderr);
        let test = TEST.to_owned();
        let found = failure(&outcome, &Harness::Libtest { test });
        assert_eq!(found, expected, "{stdout}{stderr}");
    };
    let differs = panic("texts differ in line 7");
    let expected = "panic of the program: texts differ in line ..; printed: -1.25; +1.05";
    check("read a.txt\n-1.25\n+1.05\n", &differs, expected);
    check("", &format!("-1.25\n+1.05\n{differs}"), expected);
    // A value that is printed later is no part of the failure, nor is one side alone.
    check(
        "+1.05\n",
        &format!("{differs}{NOTE}-1.25\n"),
        "panic of the program: texts differ in line ..",
    );
    let equal = panic("assertion `left == right` failed\n  left: 1\n right: 2");
    let expected = "failed assertion: assertion `left == right` failed; left: 1; right: 2";
    check("-1.25\n+1.05\n", &equal, expected);
    // It ends without a panic that is printed.
    check(
        "Expect:\n1\n\nActual:\n2\n\n",
        "",
        "panic of the program: printed: Expect:; 1; Actual:; 2",
    );
}

#[test]
fn assertions_keep_their_values() {
    let table = [
        (
            "assertion `left == right` failed\n  left: 10\n right: 64",
            "failed assertion: assertion `left == right` failed; left: 10; right: 64",
        ),
        (
            "assertion `left == right` failed: hello 3\nworld\n  left: P { name: \"a\\nb\" }\n right: 0x1f",
            "failed assertion: assertion `left == right` failed: hello 3; world; \
             left: P { name: \"a\\nb\" }; right: 0x1f",
        ),
        (
            "assertion `left != right` failed\n  left: 0x00000000ffffffff\n right: 1.5s",
            "failed assertion: assertion `left != right` failed; left: 0x00000000ffffffff; right: 1.5s",
        ),
        (
            "assertion `left matches right` failed: m\n  left: 1\n right: Some(_)",
            "failed assertion: assertion `left matches right` failed: m; left: 1",
        ),
        // The asserted expression is source.
        (
            "assertion failed: v.is_empty()",
            "failed assertion: assertion failed",
        ),
        (
            "assertion failed: a &&\n    b",
            "failed assertion: assertion failed",
        ),
        // A message of the program's own.
        ("custom 1", "panic of the program: custom 1"),
        (
            "assertion `a == b` failed",
            "panic of the program: assertion `a == b` failed",
        ),
        // The output of `pretty_assertions`.
        (
            "assertion failed: `(left == right)`\n\n\x1b[1mDiff\x1b[0m \x1b[31m< left\x1b[0m\n\x1b[31m<10\x1b[0m",
            "failed assertion: assertion failed: `(left == right)`; Diff < left; <10",
        ),
    ];
    for (message, expected) in table {
        check_test(&format!("{}{NOTE}", panic(message)), expected);
        check_test(&panic(message), expected);
    }
}

#[test]
fn a_property_test_that_fails_in_the_same_way_has_the_same_signature_each_time() {
    for successes in [4, 23] {
        let counts = format!(
            "\tsuccesses: {successes}\n\tlocal rejects: {successes}\n\tglobal rejects: 0\n"
        );
        let said = format!(
            "Test failed: too many marks at tests/marks.rs:9.\nminimal failing input: marks = 100\n{counts}"
        );
        check_test(
            &format!("{}{NOTE}", panic(&said)),
            "panic of the program: Test failed: too many marks at $SOURCE.; minimal failing input: marks = \
             100; successes: $N; local rejects: $N; global rejects: $N",
        );
        check_test(
            &panic(&format!(
                "[quickcheck] TEST FAILED. Arguments: ({successes}, [{successes}])"
            )),
            "panic of the program: [quickcheck] TEST FAILED. Arguments: (..)",
        );
    }
}

#[test]
fn messages_of_any_number_of_lines_are_read_in_all_formats() {
    let table = [
        (
            "\nthread 'm::inner' (5) panicked at src/a.rs:1:2:\none\n\n  two\n",
            "panic of the program: one; two",
        ),
        (
            "thread 'm::inner' panicked at src/a.rs:1:2:\none\n",
            "panic of the program: one",
        ),
        (
            "thread 'm::inner' panicked at 'one', src/a.rs:1:2\n",
            "panic of the program: one",
        ),
        (
            "thread 'main' panicked at 'one', src/a.rs:1:2\n",
            "panic of the program: one",
        ),
        (
            "thread 'm::inner' panicked at 'it's', 'one\ntwo', src/a.rs:1:2\nnote: run with `RUST_BACKTRACE=1`\n",
            "panic of the program: it's', 'one; two",
        ),
        (
            "thread 'm::inner' panicked at 'assertion failed: `(left == right)`\n  left: `10`,\n right: `64`: why', src/a.rs:1:2\n",
            "failed assertion: assertion failed: `(left == right)`; left: `10`,; right: `64`: why",
        ),
        // A message that has no end is none.
        (
            "thread 'm::inner' panicked at 'one\ntwo\n",
            "panic of the program",
        ),
        // The output of a hook of the user's.
        (
            "HOOK panicked at src/a.rs:1:2:\none\n",
            "panic of the program: one",
        ),
        ("HOOK panicked at src/a.rs:1:2\n", "panic of the program"),
        ("", "panic of the program"),
        (
            "he panicked at the sight of 1:2:3\n",
            "panic of the program",
        ),
    ];
    for (stderr, expected) in table {
        check_test(stderr, expected);
    }
}

#[test]
fn a_panic_outside_of_the_program_has_a_place() {
    let table = [
        (
            "/rustc/59807616e1/library/core/src/option.rs:5:6",
            "panic of the program at library/core/src/option.rs:5:6: m",
        ),
        (
            "/home/u/.cargo/registry/src/host-1949cf8c/serde-1.0.1/src/x.rs:7:8",
            "panic of the program at serde-1.0.1/src/x.rs:7:8: m",
        ),
        ("/dev/shm/worker/src/a.rs:7:8", "panic of the program: m"),
        ("tests/a.rs:7:8", "panic of the program: m"),
        (
            "build/generated.rs:7:8",
            "panic of the program at build/generated.rs:7:8: m",
        ),
    ];
    for (location, expected) in table {
        let stderr = format!("\nthread 'm::inner' (5) panicked at {location}:\nm\n");
        check_test(&stderr, expected);
    }
}

#[test]
fn the_last_panic_of_the_tests_own_thread_counts() {
    let other = "\nthread '<unnamed>' (78) panicked at src/b.rs:3:4:\ninner\n";
    let table = [
        // The first was caught.
        (format!("{}{NOTE}after\n{}", panic("a"), panic("b")), "b"),
        (format!("{}{}", panic("a"), panic("b")), "b"),
        (format!("{}{NOTE}{other}", panic("a")), "a"),
        (format!("{other}{NOTE}{}", panic("a")), "a"),
        // Resumed in the thread of the test, which prints nothing.
        (format!("{other}{NOTE}"), "inner"),
        // Passed on.
        (
            format!(
                "{other}{NOTE}{}",
                panic("called `Result::unwrap()` on an `Err` value: Any { .. }")
            ),
            "inner",
        ),
        (
            format!("{other}{NOTE}{}", panic("a scoped thread panicked")),
            "inner",
        ),
        (
            panic("a scoped thread panicked"),
            "a scoped thread panicked",
        ),
        // A process that the test started.
        (
            format!(
                "{}{NOTE}\nthread 'main' (9) panicked at src/c.rs:1:2:\nchild\n",
                panic("a")
            ),
            "a",
        ),
        // Lookalikes.
        (
            format!(
                "thread 'm::inner' panicked at src/x.rs:1:2:\nfake{}{NOTE}",
                panic("real")
            ),
            "real",
        ),
        (
            format!(
                "error: \"thread 'm::inner' panicked at src/x.rs:1:2:\"{}",
                panic("real")
            ),
            "real",
        ),
        (
            format!(
                "{}{NOTE}thread 'm::inner' panicked at nothing\n",
                panic("real")
            ),
            "real",
        ),
        (
            "no line breakthread 'm::inner' panicked at 'real', src/a.rs:1:2\n".to_owned(),
            "real",
        ),
        (
            format!(
                "thread 'm::inner' panicked at 'real', src/a.rs:1:2\n{NOTE}x thread 'm::inner' panicked at 'fake', src/a.rs:1:2\n"
            ),
            "real",
        ),
        // The note says where the message ends.
        (format!("{}{NOTE}dropped\n", panic("a")), "a"),
        (
            format!("{}{NOTE}", panic("a\nnote: mine\nError: mine\nend")),
            "a; note: mine; Error: mine; end",
        ),
        (format!("{}\n[17 bytes left out]\nx\n", panic("a")), "a"),
        (format!("{}stack backtrace:\n   0: x\n", panic("a")), "a"),
    ];
    for (stderr, expected) in table {
        check_test(&stderr, &format!("panic of the program: {expected}"));
    }
}

#[test]
fn a_test_that_returns_an_error_says_so_after_all_panics() {
    let old = "thread 'm::inner' panicked at 'assertion failed: `(left == right)`\n  left: `1`,\n right: `0`: \
               the test returned a termination value with a non-zero status code (1) which indicates a failure', \
               /rustc/4b91a6ea72/library/test/src/lib.rs:187:5\n";
    let table = [
        ("Error: \"bad thing\"\n".to_owned(), "\"bad thing\""),
        (
            "Error: one\n\nCaused by:\n    two\n".to_owned(),
            "one; Caused by:; two",
        ),
        ("Error: logged\nError: real\n".to_owned(), "real"),
        (format!("{}{NOTE}Error: real\n", panic("caught")), "real"),
        (
            format!("{}{NOTE}{}Error: real\n", panic("caught"), panic("again")),
            "real",
        ),
        (format!("Error: \"old\"\n{old}{NOTE}"), "\"old\""),
        (
            "Error: at 0x7f12a3b4c5d6 after 1.25ms in /dev/shm/worker/x\n".to_owned(),
            "at 0x.. after $TIME in $DIR/x",
        ),
    ];
    for (stderr, expected) in table {
        check_test(&stderr, &format!("returned error: {expected}"));
    }
    check_test(&format!("{old}{NOTE}"), "returned error");
    check_test(
        &format!("Error: logged\n{}{NOTE}", panic("m")),
        "panic of the program: m",
    );
}

#[test]
fn the_harness_decides_whether_a_test_failed() {
    let ok = "\nrunning 1 test\ntest m::inner ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; finished in 0.00s\n";
    let gone = "\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s\n";
    let started = "\nrunning 1 test\ntest m::inner ... ";
    let fake = format!("{started}{}", FAILED);
    let captured = "\nrunning 1 test\ntest m::inner ... FAILED\n\nfailures:\n\n---- m::inner stdout ----\n\nthread 'm::inner' (7) panicked at src/a.rs:1:2:\nsaid\n\n\nfailures:\n    m::inner\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let table = [
        (0, ok, ""),
        (0, gone, ""),
        (0, started, ""),
        (3, started, "exit status 3"),
        (101, started, "exit status 101"),
        (101, "", "exit status 101"),
        (4, ok, "exit status 4"),
        (3, &fake, "exit status 3"),
        (101, captured, "panic of the program: said"),
    ];
    for (status, stdout, expected) in table {
        check_stdout(Ending::Exited(status), stdout, expected);
    }
}

#[test]
fn a_panic_that_did_not_come_is_told_from_one_that_says_something_else() {
    let around = |note: &str| {
        format!(
            "\nrunning 1 test\ntest m::inner - should panic ... ---- m::inner stdout ----\nnote: fake\nFAILED\n\nfailures:\n\n---- m::inner stdout ----\n{note}\n\nfailures:\n    m::inner\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 39 filtered out; finished in 0.00s\n"
        )
    };
    let table = [
        (
            "note: test did not panic as expected at t.rs:14:28",
            "test did not panic as expected",
        ),
        (
            "note: test did not panic as expected",
            "test did not panic as expected",
        ),
        (
            "note: panic did not contain expected string\n      panic message: \"hay\"\n expected substring: \"needle\"",
            "panic did not contain expected string; panic message: \"hay\"; expected substring: \"needle\"",
        ),
        (
            "note: expected panic with string value,\n found non-string value: `TypeId(0x56ced5e4a15bd89050bb9674fa2df013)`\n     expected substring: \"needle\"",
            "expected panic with string value,; found non-string value: `TypeId(0x..)`; expected substring: \"needle\"",
        ),
    ];
    for (note, expected) in table {
        let expected = format!("missing panic: {expected}");
        check_stdout(Ending::Exited(101), &around(note), &expected);
    }
}

#[test]
fn a_program_fails_by_its_exit_status() {
    let panic = |thread| format!("\nthread '{thread}' (5) panicked at src/main.rs:1:2:\nm\n{NOTE}");
    let table = [
        (0, panic("main"), ""),
        (101, panic("main"), "panic of the program: m"),
        (101, panic("<unnamed>"), "panic of the program: m"),
        (101, String::new(), "exit status 101"),
        (4, panic("<unnamed>"), "exit status 4: m"),
        (1, panic("main"), "exit status 1: m"),
        (1, panic("main").repeat(2), "exit status 1"),
        (
            1,
            "x\nError: E { a: 1 }\n".to_owned(),
            "returned error: E { a: 1 }",
        ),
        (1, "ParseError: x\n".to_owned(), "exit status 1"),
        (101, "Error: x\n".to_owned(), "exit status 101"),
        (2, "Error: x\n".to_owned(), "exit status 2"),
        (
            1,
            "\x1b[31mError: \x1b[0mx\n".to_owned(),
            "returned error: x",
        ),
    ];
    for (status, stderr, expected) in table {
        check_main(Ending::Exited(status), &stderr, expected);
    }
}

/// Checks the failure of a harness of the user's own that ends with a status.
fn check_own_harness(status: i32, stdout: &str, stderr: &str, expected: &str) {
    let outcome = outcome(Ending::Exited(status), stdout, stderr);
    assert_eq!(failure(&outcome, &Harness::None), expected, "{stdout}");
}

#[test]
fn a_harness_of_the_users_own_tells_what_a_test_has_returned() {
    let end = "\n\nfailures:\n    sums\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let told =
        |told: &str| format!("running 2 tests\ntest sums ... FAILED\n\nfailures:\n\n{told}{end}");
    let table = [
        (
            "---- sums ----\nthe sum is 4\n",
            "returned error: the sum is 4",
        ),
        (
            "---- sums stdout ----\nthe sum is 4\nof 2\n",
            "returned error: the sum is 4; of 2",
        ),
        (
            "---- sums ----\ntest panicked: no sum\n",
            "panic of the program: no sum",
        ),
        (
            "---- sums stdout ----\nsumming\nthread 'sums' panicked at src/a.rs:1:2:\nno sum\n",
            "panic of the program: no sum",
        ),
        // Of several, the first by name.
        (
            "---- b ----\nlate\n\n---- a ----\nearly\n",
            "returned error: early",
        ),
        ("---- sums ----\n", "exit status 101"),
        ("", "exit status 101"),
    ];
    for (text, expected) in table {
        check_own_harness(101, &told(text), "", expected);
    }
    check_own_harness(1, &told("---- sums ----\nno\n"), "", "returned error: no");
    // A panic that was printed has a place, and one that a test caught is not how it failed.
    let printed = "thread 'sums' panicked at lib/a.rs:1:2:\nno sum\n";
    let panicked = told("---- sums ----\ntest panicked: no sum\n");
    check_own_harness(
        101,
        &panicked,
        printed,
        "panic of the program at lib/a.rs:1:2: no sum",
    );
    let returned = told("---- sums ----\nthe sum is 4\n");
    check_own_harness(101, &returned, printed, "returned error: the sum is 4");
    check_own_harness(0, &returned, printed, "");
    // The output of a test is no list of failures.
    check_own_harness(
        101,
        "failures:\nnone\n---- a ----\nb\n",
        printed,
        "panic of the program at lib/a.rs:1:2: no sum",
    );
}

#[test]
fn signals_and_deadlines_are_failures_and_what_we_stopped_is_none() {
    let overflow = "\nthread 'main' (7) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
    let old = "\nthread 'main' has overflowed its stack\nfatal runtime error: stack overflow\n";
    let table = [
        (Ending::TimedOut, "", "does not end"),
        (Ending::TimedOut, overflow, "does not end"),
        (Ending::Cancelled, overflow, ""),
        (Ending::Decided, "", ""),
        (Ending::Signalled(11), "", "signal 11"),
        (Ending::Signalled(6), overflow, "stack overflow"),
        (Ending::Signalled(6), old, "stack overflow"),
        (Ending::Signalled(11), overflow, "stack overflow"),
        (
            Ending::Signalled(6),
            "a thread 'main' has overflowed its stack\n",
            "abort",
        ),
        (Ending::Exited(3), overflow, "exit status 3"),
    ];
    for (ending, stderr, expected) in table {
        check_main(ending, stderr, expected);
    }
}

#[test]
fn an_abort_is_known_by_what_was_said_before() {
    let panicked = |message| format!("\nthread 'main' (5) panicked at src/a.rs:1:2:\n{message}\n");
    let std = |message| {
        format!(
            "\nthread 'main' (5) panicked at /rustc/5980/library/core/src/panicking.rs:225:5:\n{message}\nstack backtrace:\n   0: 0x55 - std\nthread caused non-unwinding panic. aborting.\n"
        )
    };
    let table = [
        (String::new(), "abort"),
        ("just talk\n".to_owned(), "abort"),
        (
            format!("{}{NOTE}{}", panicked("in c"), std("panic in a function that cannot unwind")),
            "abort: in c; panic in a function that cannot unwind",
        ),
        (
            format!("{}{}", panicked("in drop"), std("panic in a destructor during cleanup")),
            "abort: in drop; panic in a destructor during cleanup",
        ),
        (
            format!("{}{NOTE}{}", panicked("caught"), std("unsafe precondition(s) violated: x")),
            "abort at library/core/src/panicking.rs:225:5: unsafe precondition(s) violated: x",
        ),
        (
            "panicked at src/a.rs:28:96:\nin display\nthread panicked while processing panic. aborting.\n".to_owned(),
            "abort: in display; thread panicked while processing panic",
        ),
        (
            "thread panicked while panicking. aborting.\n".to_owned(),
            "abort: thread panicked while panicking",
        ),
        (
            format!("memory allocation of 12 bytes failed\n{NOTE}"),
            "abort: memory allocation of 12 bytes failed",
        ),
        (
            format!("{}memory allocation of 12 bytes failed\n", panicked("caught")),
            "abort: memory allocation of 12 bytes failed",
        ),
        (
            "fatal runtime error: Rust panics must be rethrown, aborting\n".to_owned(),
            "abort: Rust panics must be rethrown",
        ),
        // A program that is compiled to abort at a panic.
        (
            format!("{}{NOTE}", panicked("assertion failed: x > 3")),
            "abort: assertion failed",
        ),
        (
            format!("free(): invalid pointer\n{}{NOTE}", panicked("last")),
            "abort: last",
        ),
        (
            "free(): invalid pointer\n".to_owned(),
            "abort: free(): invalid pointer",
        ),
        (
            "a.out: a.c:3: main: Assertion `x' failed.\n".to_owned(),
            "abort: a.out: a.c:3: main: Assertion `x' failed.",
        ),
        ("thread caused non-unwinding panic. aborting.\n".to_owned(), "abort"),
    ];
    for (stderr, expected) in table {
        check_main(Ending::Signalled(6), &stderr, expected);
    }
}

#[test]
fn a_flood_of_lookalikes_is_read_quickly() {
    let started = std::time::Instant::now();
    let table = [
        "thread 'm::inner' panicked at 'a\n",
        "x thread 'm::inner' panicked at 'a\n",
        "thread 'm::inner' panicked at src/a.rs:1:2:\n",
        "Error: a\n",
        "thread '",
        "' (1) panicked at ",
        "', src/a.rs:1:2",
        "failures:\n    a\n",
        "---- m::inner stdout ----\n",
        "test a ... ",
        "0x0x0x1234567890 ",
        "/tmp//tmp/",
        "assertion `left == right` failed\n  left: ",
        "\u{1b}[\u{1b}[",
    ];
    for text in table {
        let flood = text.repeat(100_000 / text.len());
        for stdout in [FAILED.to_owned(), flood.clone(), format!("{flood}{FAILED}")] {
            let test = TEST.to_owned();
            let stderr = format!("{}{flood}", panic(&flood));
            let outcome = outcome(Ending::Exited(101), &stdout, &stderr);
            let _ = failure(&outcome, &Harness::Libtest { test });
            let _ = failed_tests(&stdout);
        }
        check_main(Ending::Signalled(11), &flood, "signal 11");
        let _ = normalise_output(&flood, "/dev/shm/worker");
    }
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_doc_test_fails_by_the_panic_that_rustdoc_shows() {
    let output = |shown: &str| {
        format!(
            "failures:\n\n---- src/lib.rs - a (line 3) stdout ----\n{shown}\n\nfailures:\n    src/lib.rs - a (line 3)\n"
        )
    };
    let check = |shown: &str, expected: Option<&str>| {
        let failure = doc_failure(&output(shown), "src/lib.rs - a (line 3)", "/tree");
        let failure = failure.map(|failure| failure.to_string());
        assert_eq!(failure.as_deref(), expected, "{shown}");
    };
    check(
        "Test executable failed (exit status: 101).\n\nstderr:\n\nthread 'main' (7) panicked at src/lib.rs:4:1:\n\
         assertion `left == right` failed\n  left: 1\n right: 2\n",
        Some("failed assertion: assertion `left == right` failed; left: 1; right: 2"),
    );
    check(
        "Test executable succeeded, but it's marked `should_panic`.",
        Some("missing panic: test did not panic as expected"),
    );
    check("error[E0425]: cannot find value `x`", None);
}
