//! The formats in which rustc reports a crash, one case each, shortened from real output.

use super::*;

fn observe(ending: Ending, stderr: &str) -> Observation {
    Observation::of(&Outcome {
        ending,
        stdout: String::new(),
        stderr: stderr.to_owned(),
        truncated: false,
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        late: None,
        asleep: Duration::ZERO,
        peak_memory_bytes: 0,
    })
}

fn check(ending: Ending, stderr: &str, expected: &[&str]) {
    let crashes = observe(ending, stderr).crashes;
    let crashes: Vec<_> = crashes.iter().map(ToString::to_string).collect();
    assert_eq!(crashes, expected, "{stderr}");
}

fn check_panic(stderr: &str, expected: &str) {
    check(Ending::Exited(101), stderr, &[expected]);
}

fn errors(stderr: &str) -> Vec<String> {
    observe(Ending::Exited(1), stderr)
        .errors
        .into_iter()
        .collect()
}

#[test]
fn a_panic_of_1_73_and_later_is_read() {
    let expected = "panic at compiler/rustc_x/src/y.rs:12:5: index out of bounds: the len is N but \
                    the index is N [query: typeck]";
    for thread in ["thread 'rustc'", "thread 'rustc' (12345)"] {
        let stderr = format!(
            "warning: unused\n --> a.rs:1:1\n\n\n\
             {thread} panicked at /rustc/0123abcd/compiler/rustc_x/src/y.rs:12:5:\n\
             index out of bounds: the len is 3 but the index is 7\n\
             note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\
             error: the compiler unexpectedly panicked. This is a bug\n\n\
             query stack during panic:\n\
             #0 [typeck] type-checking `main`\n#1 [analysis] running analysis passes on crate `a`\n\
             end of query stack\n"
        );
        check_panic(&stderr, expected);
    }
}

#[test]
fn a_message_of_several_lines_is_read_to_its_end() {
    let stderr = "thread 'rustc' panicked at compiler/rustc_x/src/y.rs:1:2:\n\
                  assertion `left == right` failed: no match\n  left: 1\n right: 2\n\
                  stack backtrace:\n   0: rust_begin_unwind\n\
                  note: we would appreciate a bug report: https://example.org\n";
    let expected =
        "panic at compiler/rustc_x/src/y.rs:1:2: assertion .. failed: no match left: N right: N";
    check_panic(stderr, expected);
}

#[test]
fn a_panic_of_1_72_and_earlier_is_read() {
    let stderr = "thread 'rustc' panicked at 'called `Option::unwrap()` on a `None` value', \
                  compiler/rustc_x/src/y.rs:12:5\n\
                  note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\
                  error: internal compiler error: unexpected panic\n\n\
                  note: the compiler unexpectedly panicked. this is a bug.\n\n\
                  query stack during panic:\n#0 [layout_of] computing layout of `T`\nend of query stack\n";
    let expected =
        "panic at compiler/rustc_x/src/y.rs:12:5: called .. on a .. value [query: layout_of]";
    check_panic(stderr, expected);
}

#[test]
fn of_two_compilations_that_do_not_agree_the_panic_counts() {
    let said = "internal compiler error: encountered incremental compilation error with evaluate_obligation(5d-e6)";
    let panic = "\nthread 'rustc' (7) panicked at /rustc-dev/e5/compiler/rustc_middle/src/verify_ich.rs:82:9:\n\
                 Found unstable fingerprints for evaluate_obligation(5d-e6): Ok(EvaluatedToOk)\n\n\
                 error: the compiler unexpectedly panicked. This is a bug\n";
    let expected = "panic at compiler/rustc_middle/src/verify_ich.rs:82:9: Found unstable fingerprints for \
                    evaluate_obligation ..: ..";
    check_panic(
        &format!("error: {said}\n  |\n  = note: a note\n\n{panic}"),
        expected,
    );
    let json = format!(
        "{{\"message\":\"{said}\",\"code\":null,\"level\":\"error\",\"spans\":[],\"children\":[]}}"
    );
    check_panic(&format!("{json}\n{panic}"), expected);
}

#[test]
fn an_old_message_of_several_lines_has_its_location_after_the_last() {
    let stderr = "thread 'rustc' panicked at 'assertion failed: `(left == right)`\n  left: `1`,\n \
                  right: `2`: it's wrong', /rustc/abc/compiler/rustc_x/src/y.rs:12:5\n\
                  note: run with `RUST_BACKTRACE=1`\n";
    let expected = "panic at compiler/rustc_x/src/y.rs:12:5: assertion failed: .. left: .., right: ..: it's wrong";
    check_panic(stderr, expected);
}

#[test]
fn a_bug_has_its_own_location() {
    let stderr = "error: internal compiler error: /rustc-dev/e50a/compiler/rustc_middle/src/mir/consts.rs:327:25: \
                  Normalization of `ty::ConstKind::Expr` is unimplemented\n\n\n\
                  thread 'rustc' (5905) panicked at /rustc-dev/e50a/compiler/rustc_middle/src/mir/consts.rs:327:25:\n\
                  Box<dyn Any>\n\
                  note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\
                  query stack during panic:\n#0 [eval_to_allocation_raw] const-evaluating + checking `a`\n\
                  ... and 3 other queries... use `env RUST_BACKTRACE=1` to see the full query stack\n\
                  error: aborting due to 1 previous error; 3 warnings emitted\n";
    let expected = "bug at compiler/rustc_middle/src/mir/consts.rs:327:25: Normalization of .. is \
                    unimplemented [query: eval_to_allocation_raw]";
    check_panic(stderr, expected);
    let old = "error: internal compiler error: compiler/rustc_middle/src/mir/consts.rs:327:25: \
               Normalization of `ty::ConstKind::Expr` is unimplemented\n\n\
               thread 'rustc' panicked at 'Box<dyn Any>', compiler/rustc_errors/src/lib.rs:1425:13\n\n\
               query stack during panic:\n#0 [eval_to_allocation_raw] const-evaluating\nend of query stack\n";
    check_panic(old, expected);
}

#[test]
fn a_bug_in_json_reads_like_one_in_human_form() {
    let stderr = "{\"$message_type\":\"diagnostic\",\"message\":\"/rustc-dev/e5/compiler/rustc_ty_utils/src/layout.rs:151:17: \
                  failed to normalize const, but it is not generic: (Add: (1_usize: usize))\",\"code\":null,\
                  \"level\":\"error: internal compiler error\",\"spans\":[],\"children\":[],\"rendered\":\"error: ..\"}\n\n\
                  thread 'rustc' (59) panicked at /rustc-dev/e5/compiler/rustc_ty_utils/src/layout.rs:151:17:\n\
                  Box<dyn Any>\n\nquery stack during panic:\n#0 [layout_of] computing layout of `[(); 1]`\n\
                  {\"message\":\"aborting due to 1 previous error\",\"code\":null,\"level\":\"error\"}\n";
    let expected = "bug at compiler/rustc_ty_utils/src/layout.rs:151:17: failed to normalize const, \
                    but it is not generic: .. [query: layout_of]";
    check_panic(stderr, expected);
    assert!(observe(Ending::Exited(101), stderr).errors.is_empty());
}

const DELAYED: &str =
    "delayed bug at compiler/rustc_borrowck/src/type_check/mod.rs:634:21: bad assignment ..: ..";

#[test]
fn delayed_bugs_have_no_panic_and_no_query() {
    let stderr = "note: no errors encountered even though delayed bugs were created\n\n\
                  note: those delayed bugs will now be shown as internal compiler errors\n\n\
                  error: internal compiler error: bad assignment (T = u8): NoSolution\n   --> a.rs:1:1\n    |\n\
                  308 |         slf + slf\n    |         ^^^^^^^^^\n    |\n\
                  note: delayed at /rustc-dev/59/compiler/rustc_borrowck/src/type_check/mod.rs:634:21 - disabled backtrace\n   \
                  --> a.rs:1:1\n\n\
                  note: rustc 1.95.0 (59807616e 2026-04-14) running on x86_64-unknown-linux-gnu\n\n\
                  query stack during panic:\nend of query stack\n";
    check_panic(stderr, DELAYED);
    let with_backtrace = stderr.replace(
        " - disabled backtrace",
        "\n         0: <rustc_errors::DiagCtxt>::emit",
    );
    check_panic(&with_backtrace, DELAYED);
}

#[test]
fn a_place_of_the_program_in_a_message_is_no_location() {
    let delayed = |message: &str| {
        format!(
            "note: no errors encountered even though delayed bugs were created\n\n\
             error: internal compiler error: {message}\n --> a.rs:1:1\n  |\n  \
             = note: delayed at /rustc-dev/59/compiler/rustc_a/src/b.rs:1:2 - disabled backtrace\n\n"
        )
    };
    let bug = |message: &str| {
        format!(
            "error: internal compiler error: {message}\n\n\
             thread 'rustc' (1) panicked at /rustc-dev/59/compiler/rustc_a/src/b.rs:1:2:\nBox<dyn Any>\n"
        )
    };
    let closure = "unexpected type of {closure@file.rs:22:13: 22:15} here";
    let table = [
        (closure, "unexpected type of .. here"),
        (
            "src/file.rs:22:13: 22:15: odd type",
            "..: N: N: N: N: odd type",
        ),
    ];
    for (message, expected) in table {
        let at = format!("at compiler/rustc_a/src/b.rs:1:2: {expected}");
        check_panic(&delayed(message), &format!("delayed bug {at}"));
        check_panic(&bug(message), &format!("bug {at}"));
    }
    let moved = closure.replace("22", "7");
    check_panic(
        &delayed(&moved),
        "delayed bug at compiler/rustc_a/src/b.rs:1:2: unexpected type of .. here",
    );
}

#[test]
fn a_delayed_bug_is_where_it_was_delayed_whatever_its_message_begins_with() {
    let stderr = "note: no errors encountered even though delayed bugs were created\n\n\
                  error: internal compiler error: compiler/rustc_c/src/d.rs:3:4: odd\n  |\n  \
                  = note: delayed at compiler/rustc_a/src/b.rs:1:2 - disabled backtrace\n\n";
    check_panic(
        stderr,
        "delayed bug at compiler/rustc_a/src/b.rs:1:2: ..: N: N: odd",
    );
    let nowhere = stderr.replace("  = note: delayed", "  = note: made");
    check_panic(
        &nowhere,
        "delayed bug at compiler/rustc_c/src/d.rs:3:4: odd",
    );
}

#[test]
fn a_bug_of_a_tool_or_of_a_compiler_that_was_built_here_has_a_location() {
    let table = [
        ("src/librustdoc/clean/mod.rs", "src/librustdoc/clean/mod.rs"),
        (
            "/home/me/rust/compiler/rustc_a/src/b.rs",
            "compiler/rustc_a/src/b.rs",
        ),
        (
            "/home/me/.cargo/registry/src/index/ena-0.14.3/src/lib.rs",
            "ena-0.14.3/src/lib.rs",
        ),
    ];
    for (path, expected) in table {
        let stderr = format!("error: internal compiler error: {path}:1:2: odd\n");
        check_panic(&stderr, &format!("bug at {expected}:1:2: odd"));
    }
}

#[test]
fn delayed_bugs_in_json_are_read() {
    let stderr = "{\"message\":\"no errors encountered even though delayed bugs were created\",\"code\":null,\"level\":\"note\",\"children\":[]}\n\
                  {\"message\":\"bad assignment (T = u8): NoSolution\",\"code\":null,\"level\":\"error: internal compiler error\",\
                  \"children\":[{\"message\":\"delayed at /rustc-dev/59/compiler/rustc_borrowck/src/type_check/mod.rs:634:21 - disabled backtrace\",\"code\":null}]}\n\
                  query stack during panic:\nend of query stack\n";
    check_panic(stderr, DELAYED);
}

#[test]
fn each_of_several_delayed_bugs_counts() {
    let stderr = "note: no errors encountered even though delayed bugs were created\n\n\
                  error: internal compiler error: first\n  |\n  = note: delayed at compiler/rustc_a/src/b.rs:1:2\n\n\
                  error: internal compiler error: second\n  |\n  = note: delayed at compiler/rustc_a/src/b.rs:3:4\n\n";
    let expected = [
        "delayed bug at compiler/rustc_a/src/b.rs:1:2: first",
        "delayed bug at compiler/rustc_a/src/b.rs:3:4: second",
    ];
    check(Ending::Exited(101), stderr, &expected);
}

#[test]
fn old_delayed_bugs_are_read_in_spite_of_the_panic_that_follows() {
    let stderr = "error: internal compiler error: no errors encountered even though `delay_span_bug` issued\n\n\
                  error: internal compiler error: it went wrong\n --> a.rs:3:1\n  |\n3 | fn main() {}\n  | ^^^^^^^^^\n  |\n  \
                  = note: delayed at compiler/rustc_middle/src/util/bug.rs:46:14\n\n\
                  thread 'rustc' panicked at 'Box<dyn Any>', compiler/rustc_errors/src/lib.rs:1425:13\n\n\
                  query stack during panic:\nend of query stack\n";
    check_panic(
        stderr,
        "delayed bug at compiler/rustc_middle/src/util/bug.rs:46:14: it went wrong",
    );
}

#[test]
fn a_stack_overflow_needs_a_signal() {
    let stderr = "error: rustc interrupted by SIGSEGV, printing backtrace\n\n\
                  /lib/librustc_driver-61.so(+0x3b62e1c)[0x7ff7f6762e1c]\n\n\
                  ### cycle encountered after 3 frames with period 5\n\
                  note: rustc unexpectedly overflowed its stack! this is a bug\n\
                  note: we would appreciate a report at https://github.com/rust-lang/rust\n";
    check(Ending::Signalled(11), stderr, &["stack overflow"]);
    check(Ending::Exited(1), stderr, &[]);
    assert!(observe(Ending::Signalled(11), stderr).errors.is_empty());
    let old = "\nthread 'rustc' has overflowed its stack\nfatal runtime error: stack overflow\n";
    check(Ending::Signalled(6), old, &["stack overflow"]);
}

#[test]
fn a_panic_that_ends_in_an_abort_is_told_from_one_that_exits() {
    let panic = "thread 'rustc' (1) panicked at compiler/rustc_x/src/y.rs:1:2:\nfirst\n\n\
                 thread 'rustc' (1) panicked at library/core/src/panicking.rs:233:5:\n\
                 panic in a destructor during cleanup\nthread caused non-unwinding panic. aborting.\n";
    let expected = "panic at compiler/rustc_x/src/y.rs:1:2: first";
    check_panic(panic, expected);
    let aborted = format!("{expected} [signal: 6]");
    check(Ending::Signalled(6), panic, &[&aborted]);
    let llvm = "LLVM ERROR: odd\n";
    check(Ending::Signalled(6), llvm, &["LLVM error: odd [signal: 6]"]);
    let delayed = "note: no errors encountered even though delayed bugs were created\n\n\
                   error: internal compiler error: first\n  |\n  = note: delayed at compiler/rustc_a/src/b.rs:1:2\n\n";
    let expected = "delayed bug at compiler/rustc_a/src/b.rs:1:2: first [signal: 6]";
    check(Ending::Signalled(6), delayed, &[expected]);
}

#[test]
fn other_signals_are_told_apart_by_what_was_said() {
    check(
        Ending::Signalled(11),
        "error: rustc interrupted by SIGSEGV, printing backtrace\n",
        &["signal 11"],
    );
    let frames = "error: rustc interrupted by SIGSEGV, printing backtrace\n\n\
                  /t/lib/librustc_driver-61.so(+0x3b62e1c)[0x7ff7f6762e1c]\n\
                  /lib/x86_64-linux-gnu/libc.so.6(+0x3c050)[0x7ff7f2a5a050]\n\
                  /t/lib/libLLVM.so.21(_ZN4llvm5Value7getTypeEv+0x4)[0x7765d8125ff8]\n";
    check(
        Ending::Signalled(11),
        frames,
        &["signal 11: in _ZN4llvm5Value7getTypeEv"],
    );
    let memory = "memory allocation of 1073741824 bytes failed\n";
    check(
        Ending::Signalled(6),
        memory,
        &["signal 6: memory allocation of N bytes failed"],
    );
}

#[test]
fn an_error_of_llvm_is_a_crash_of_its_own_kind() {
    let stderr = "LLVM ERROR: Cannot select: 0x7f2c: i32 = intrinsic %42\n";
    check_panic(stderr, "LLVM error: Cannot select: N: .. intrinsic % N");
    check(Ending::Exited(1), stderr, &[]);
}

#[test]
fn with_internal_features_the_closing_words_are_others() {
    let stderr = "thread 'rustc' (1) panicked at compiler/rustc_x/src/y.rs:1:2:\nno such intrinsic\n\
                  note: using internal features is not supported and expected to cause internal compiler errors when used incorrectly\n\n\
                  query stack during panic:\nend of query stack\n";
    check_panic(
        stderr,
        "panic at compiler/rustc_x/src/y.rs:1:2: no such intrinsic",
    );
}

#[test]
fn an_error_treated_as_a_bug_is_named() {
    let expected =
        "panic at compiler/rustc_errors/src/lib.rs:15:17: [E0308] mismatched types [query: typeck]";
    let end = "query stack during panic:\n#0 [typeck] type-checking `main`\nend of query stack\n";
    let new = "\n\nthread 'rustc' (6) panicked at /rustc-dev/59/compiler/rustc_errors/src/lib.rs:15:17:\n\
               aborting due to `-Z treat-err-as-bug=1`\n\n";
    let old = "thread 'rustc' panicked at 'aborting due to `-Z treat-err-as-bug=1`', compiler/rustc_errors/src/lib.rs:15:17\n\n";
    check_panic(
        &format!(
            "error: internal compiler error[E0308]: mismatched types\n --> e.rs:1:26{new}{end}"
        ),
        expected,
    );
    check_panic(
        &format!("error[E0308]: mismatched types\n --> e.rs:1:26\n\n{old}{end}"),
        expected,
    );
    let json = |level: &str| {
        format!(
            "{{\"message\":\"mismatched types\",\"code\":{{\"code\":\"E0308\",\"explanation\":\"x\"}},\"level\":\"{level}\",\"children\":[]}}\n"
        )
    };
    check_panic(
        &format!("{}{new}{end}", json("error: internal compiler error")),
        expected,
    );
    check_panic(&format!("{}{old}{end}", json("error")), expected);
}

/// The compiler goes on with other bodies. What it shows of delayed bugs behind a panic might have become ordinary errors.
#[test]
fn crashes_behind_the_first_one_are_read_too() {
    let second = "thread 'rustc' (1) panicked at compiler/rustc_x/src/z.rs:3:4:\nsecond\n\
                  query stack during panic:\n#0 [mir_built] building `g`\nend of query stack\n";
    let delayed = "note: no errors encountered even though delayed bugs were created\n\
                   error: internal compiler error: third\n";
    let first = "thread 'rustc' (1) panicked at compiler/rustc_x/src/y.rs:1:2:\nfirst\n\
                 note: run with `RUST_BACKTRACE=1` environment variable\n\n";
    let expected = [
        "panic at compiler/rustc_x/src/y.rs:1:2: first",
        "panic at compiler/rustc_x/src/z.rs:3:4: second [query: mir_built]",
    ];
    check(
        Ending::Exited(101),
        &format!("{first}{second}{delayed}"),
        &expected,
    );
    let bug = "error: internal compiler error: compiler/rustc_x/src/y.rs:1:2: odd\n\n\
               thread 'rustc' (1) panicked at compiler/rustc_x/src/y.rs:1:2:\nBox<dyn Any>\n\n\
               query stack during panic:\n#0 [typeck] type-checking `f`\nend of query stack\n";
    let expected = [
        "bug at compiler/rustc_x/src/y.rs:1:2: odd [query: typeck]",
        expected[1],
    ];
    check(Ending::Exited(101), &format!("{bug}{second}"), &expected);
}

#[test]
fn of_errors_that_are_taken_for_bugs_the_first_counts() {
    let error = |code: &str, panic: &str| {
        format!(
            "error: internal compiler error[{code}]: odd\n --> e.rs:1:26\n\n\n\
             thread 'rustc' (6) panicked at compiler/rustc_errors/src/lib.rs:{panic}\n\n\
             query stack during panic:\n#0 [typeck] type-checking `f`\nend of query stack\n"
        )
    };
    let first = error("E0308", "15:17:\naborting due to `-Z treat-err-as-bug=1`");
    let second = error(
        "E0369",
        "13:13:\nassertion `left == right` failed\n  left: 1\n right: 2",
    );
    check_panic(
        &format!("{first}{second}"),
        "panic at compiler/rustc_errors/src/lib.rs:15:17: [E0308] odd [query: typeck]",
    );
}

#[test]
fn quoted_source_never_counts() {
    let quoted = "error[E0425]: cannot find value `x` in this scope\n --> a.rs:2:1\n  |\n\
                  2 | thread 'rustc' panicked at compiler/rustc_x/src/y.rs:1:2:\n  | ^\n\
                  3 | error: internal compiler error: no\n  | ^\n  = help: LLVM ERROR: no\n\n\
                  error: aborting due to 1 previous error\n";
    check(Ending::Exited(1), quoted, &[]);
    let (crash, expected) = (
        "thread 'rustc' (1) panicked at compiler/rustc_r/src/r.rs:9:9:\nthe real one\n\n",
        "panic at compiler/rustc_r/src/r.rs:9:9: the real one",
    );
    check_panic(&format!("{quoted}{crash}"), expected);
    let json = "{\"message\":\"unused\",\"code\":null,\"level\":\"warning\",\"children\":[],\
                \"rendered\":\"warning\\nerror: internal compiler error: no\\nthread 'rustc' panicked at a.rs:1:2:\\n\"}\n";
    check_panic(&format!("{json}{crash}"), expected);
}

#[test]
fn colours_are_no_part_of_the_text() {
    let stderr = "\x1b[0m\x1b[1m\x1b[38;5;9merror: internal compiler error\x1b[0m\x1b[1m: compiler/rustc_x/src/y.rs:1:2: odd\x1b[0m\r\n\n\
                  thread 'rustc' panicked at compiler/rustc_x/src/y.rs:1:2:\nBox<dyn Any>\n";
    check_panic(stderr, "bug at compiler/rustc_x/src/y.rs:1:2: odd");
}

#[test]
fn paths_begin_at_compiler_or_library_or_the_dependency() {
    let table = [
        (
            "/home/me/rust/compiler/rustc_x/src/y.rs",
            "compiler/rustc_x/src/y.rs",
        ),
        (
            "/rustc/0123/library/core/src/option.rs",
            "library/core/src/option.rs",
        ),
        (
            "/home/me/.cargo/registry/src/index-0123456789abcdef/ena-0.14.3/src/lib.rs",
            "ena-0.14.3/src/lib.rs",
        ),
        ("src/plugin.rs", "src/plugin.rs"),
    ];
    for (path, expected) in table {
        assert_eq!(compiler_path(path), expected);
    }
}

#[test]
fn a_crash_in_no_known_format_is_a_crash_all_the_same() {
    check_panic("", "panic");
    check_panic(
        "fatal runtime error: odd thing\n",
        "panic: fatal runtime error: odd thing",
    );
}

#[test]
fn errors_are_codes_or_messages_without_the_program() {
    let human = "error[E0308]: mismatched types\n --> a.rs:1:1\n\nerror: cannot find macro `foo` in this scope\n\n\
                 error: aborting due to 2 previous errors\n\nwarning: unused\n";
    assert_eq!(
        errors(human),
        ["E0308", "cannot find macro .. in this scope"]
    );
    let json = "{\"message\":\"mismatched types\",\"code\":{\"code\":\"E0308\"},\"level\":\"error\",\"children\":[]}\n\
                {\"message\":\"cannot find macro `foo` in this scope\",\"code\":null,\"level\":\"error\",\"children\":[]}\n\
                {\"message\":\"aborting due to 2 previous errors\",\"code\":null,\"level\":\"error\",\"children\":[]}\n";
    assert_eq!(
        errors(json),
        ["E0308", "cannot find macro .. in this scope"]
    );
}
