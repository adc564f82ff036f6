//! The failure in the output of a cargo command: a crash of the compiler first, then the message of a test or a program,
//! then the first error, and where nothing was said, the command's ending.

use crate::evidence::crash::{crash_in, first_error_in_words};
use crate::evidence::program::{self, Harness};
use crate::signature::{CrashKind, Signature};
use crate::system::process::{Ending, Outcome};
use crate::text::escape::without_colours;

/// The words of cargo for a program that it has run and that failed.
const NOT_SUCCESSFUL: &str = "process didn't exit successfully: `";
/// The words of rustdoc for an example that does not compile.
const NOT_COMPILED: &str = "Couldn't compile the test.";
/// The programs whose signals are crashes of a compiler.
const COMPILERS: [&str; 3] = ["rustc", "rustdoc", "clippy-driver"];
/// The beginnings of lines that cargo itself adds after another program has failed.
const OF_CARGO: [&str; 5] = [
    "test failed, to rerun",
    "process didn't exit successfully",
    "doctest failed, to rerun",
    "bench failed, to rerun",
    "build failed",
];

/// Returns the signature of the command's failure; `None` where it did not fail. `tree` is where the program lies. Where
/// what is printed says what a failure is, a command that ends with status 0 is one too (`may_succeed`).
pub(crate) fn failure(outcome: &Outcome, tree: &str, may_succeed: bool) -> Option<Signature> {
    let status = match outcome.ending {
        Ending::Exited(0) if may_succeed => {
            return Some(Signature::of_kind(CrashKind::ExitStatus(0), ""));
        }
        Ending::Exited(0)
        | Ending::TimedOut
        | Ending::Exceeded
        | Ending::Cancelled
        | Ending::Decided => return None,
        Ending::Exited(status) => CrashKind::ExitStatus(status),
        Ending::Signalled(signal) => CrashKind::Signal(signal),
    };
    let stderr = without_colours(&outcome.stderr);
    let stdout = without_colours(&outcome.stdout);
    let ends = Ended::all(&stderr);
    compiler_crash(&stderr, &stdout, &ends)
        .or_else(|| failed_program(outcome, &stdout, tree))
        .or_else(|| failed_example(&stdout))
        .or_else(|| reported(&stderr))
        .or_else(|| ends.first().map(|end| Signature::of_kind(end.kind, "")))
        .or_else(|| Some(Signature::of_kind(status, "")))
}

fn compiler_crash(stderr: &str, stdout: &str, ends: &[Ended<'_>]) -> Option<Signature> {
    let of_compiler = ends.iter().filter(|end| end.is_of_compiler());
    let mut signal = of_compiler.filter_map(|end| match end.kind {
        CrashKind::Signal(number) => Some(number),
        _ => None,
    });
    // cargo's own words are none of the compiler's.
    let stderr = stderr.replace("\nCaused by:\n", "\n");
    crash_in(&stderr, signal.next_back()).or_else(|| crash_in(stdout, None))
}

/// Returns the failure of the first test that failed, or of the program that cargo has run.
fn failed_program(outcome: &Outcome, stdout: &str, tree: &str) -> Option<Signature> {
    let harness = match program::failed_tests(stdout).into_iter().next() {
        Some(test) => Harness::Libtest { test },
        None => Harness::None,
    };
    let failure = program::failures_in(outcome, tree, &harness)
        .into_iter()
        .next()?;
    let is_silent = failure.kind == CrashKind::ProgramPanic && failure.message.is_empty();
    let is_said = !matches!(
        failure.kind,
        CrashKind::ExitStatus(_) | CrashKind::Signal(_)
    );
    (is_said && !(is_silent && stdout.contains(NOT_COMPILED))).then_some(failure)
}

/// Returns the first error in an example that does not compile.
fn failed_example(stdout: &str) -> Option<Signature> {
    let error =
        first_error_in_words(stdout, &|_| true).filter(|_| stdout.contains(NOT_COMPILED))?;
    Some(Signature::of_kind(CrashKind::Diagnostic, error))
}

fn reported(stderr: &str) -> Option<Signature> {
    let is_wanted = |error: &str| !OF_CARGO.iter().any(|start| error.starts_with(start));
    let error = first_error_in_words(stderr, &is_wanted)?;
    Some(Signature::of_kind(CrashKind::Diagnostic, error))
}

/// The end of a process, as cargo tells it.
#[derive(Debug)]
struct Ended<'a> {
    program: &'a str,
    kind: CrashKind,
}

impl<'a> Ended<'a> {
    fn all(stderr: &'a str) -> Vec<Self> {
        stderr.lines().filter_map(Self::of).collect()
    }

    /// Reads a line such as `process didn't exit successfully: `PROGRAM ARGS` (signal: 6, SIGABRT: ..)`, or `(exit
    /// status: 3)`.
    fn of(line: &'a str) -> Option<Self> {
        let (_, rest) = line.split_once(NOT_SUCCESSFUL)?;
        let (command, end) = rest.rsplit_once("` (")?;
        let number = |text: &str| {
            let digits = text.find(|c: char| !c.is_ascii_digit() && c != '-');
            text.get(..digits.unwrap_or(text.len()))?.parse().ok()
        };
        let kind = match end.strip_prefix("signal: ") {
            Some(signal) => CrashKind::Signal(number(signal)?),
            None => CrashKind::ExitStatus(number(end.strip_prefix("exit status: ")?)?),
        };
        let program = command.split(' ').next().unwrap_or(command);
        Some(Self { program, kind })
    }

    fn is_of_compiler(&self) -> bool {
        let name = self.program.rsplit('/').next().unwrap_or(self.program);
        COMPILERS.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn outcome(status: i32, stdout: &str, stderr: &str) -> Outcome {
        Outcome {
            ending: Ending::Exited(status),
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

    #[track_caller]
    fn check(status: i32, stdout: &str, stderr: &str, expected: Option<&str>) {
        let seen = failure(&outcome(status, stdout, stderr), "/tree", false);
        assert_eq!(seen.map(|seen| seen.to_string()).as_deref(), expected);
    }

    #[test]
    fn success_is_no_failure_whatever_was_printed() {
        check(0, "", "error: internal compiler error: x", None);
        check(
            0,
            "test result: FAILED. 0 passed; 1 failed; 0 ignored",
            "",
            None,
        );
    }

    #[test]
    fn success_is_one_where_what_is_printed_says_so() {
        let succeeded = outcome(0, "", "warning: failed to apply the suggestions");
        let seen = failure(&succeeded, "/tree", true);
        assert_eq!(
            seen.map(|seen| seen.to_string()).as_deref(),
            Some("exit status 0")
        );
        let failed = outcome(101, "", "error[E0308]: mismatched types");
        assert_eq!(
            failure(&failed, "/tree", true),
            failure(&failed, "/tree", false)
        );
    }

    #[test]
    fn a_crash_of_the_compiler_comes_first() {
        let stderr = "error[E0308]: mismatched types\n\
            thread 'rustc' (7) panicked at compiler/rustc_x/src/y.rs:1:2:\nno entry found\n\
            error: could not compile `a` (lib)";
        let expected = "panic at compiler/rustc_x/src/y.rs:1:2: no entry found";
        check(101, "", stderr, Some(expected));
        let killed = "error: could not compile `a` (lib)\n\nCaused by:\n  \
            process didn't exit successfully: `/t/bin/rustc --crate-name a` (signal: 11, SIGSEGV: invalid memory reference)";
        check(101, "", killed, Some("signal 11"));
    }

    #[test]
    fn an_example_of_the_documentation_fails_like_a_test() {
        let stdout = "running 1 test\ntest src/lib.rs - f (line 3) ... FAILED\n\nfailures:\n\n\
            ---- src/lib.rs - f (line 3) stdout ----\n\
            Test executable failed (exit status: 101).\n\nstderr:\n\n\
            thread 'main' (9) panicked at src/lib.rs:5:1:\nassertion `left == right` failed\n  left: 1\n right: 2\n\
            note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\n\n\
            failures:\n    src/lib.rs - f (line 3)\n\n\
            test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n";
        let stderr = "error: doctest failed, to rerun pass `--doc`";
        let expected = "failed assertion: assertion `left == right` failed; left: 1; right: 2";
        check(101, stdout, stderr, Some(expected));
    }

    #[test]
    fn an_example_that_does_not_compile_has_an_error() {
        let stdout = "failures:\n\n---- src/lib.rs - f (line 3) stdout ----\n\
            error[E0425]: cannot find value `x` in this scope\n --> src/lib.rs:4:1\n\n\
            error: aborting due to 1 previous error\n\nCouldn't compile the test.\n\n\
            failures:\n    src/lib.rs - f (line 3)\n\n\
            test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s\n";
        check(
            101,
            stdout,
            "error: doctest failed",
            Some("diagnostic: E0425: cannot find value .. in this scope"),
        );
    }

    #[test]
    fn a_program_is_known_by_its_panic_and_else_by_its_status() {
        let panic = "     Running `target/debug/a`\n\
            thread 'main' (3) panicked at src/main.rs:2:5:\nboom\n\
            note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace";
        check(101, "", panic, Some("panic of the program: boom"));
        let status = "     Running `target/debug/a`\n\
            error: process didn't exit successfully: `target/debug/a` (exit status: 3)";
        check(3, "", status, Some("exit status 3"));
        check(7, "", "", Some("exit status 7"));
    }

    #[test]
    fn without_a_program_the_first_error_counts() {
        let stderr = "warning: unused\nerror[E0308]: mismatched types\n --> src/lib.rs:1:1\n\n\
            error: could not compile `a` (lib) due to 1 previous error";
        check(101, "", stderr, Some("diagnostic: E0308: mismatched type"));
        let denied = "error: this looks odd\n\nerror: could not compile `a` (lib)";
        check(101, "", denied, Some("diagnostic: this looks odd"));
    }
}
