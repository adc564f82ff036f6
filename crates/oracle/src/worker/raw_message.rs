//! Finds the message of a failure as it was printed. A signature has only what must stay the same; people want to
//! read what was printed.

use crate::evidence::crash::named_error;
use crate::evidence::diagnostics::{Remark, own_location, parse, reports};
use crate::evidence::program;
use crate::signature::{CrashKind, Signature, normalise, shape};
use crate::worker::Shown;

impl Shown {
    /// Returns the failure on one line, with its message as it was printed in this run. Where that is not found, the
    /// message of the signature.
    #[must_use]
    pub fn describe(&self, signature: &Signature) -> String {
        match self.message(signature) {
            Some(message) => Signature {
                message,
                ..signature.clone()
            }
            .to_string(),
            None => signature.to_string(),
        }
    }

    /// Returns the message of a failure as it was printed in this run, if it is found.
    #[must_use]
    pub fn message(&self, signature: &Signature) -> Option<String> {
        let found = match signature.is_of_compiler() {
            true => raw_message_of_compiler(&self.stderr, signature),
            false => None,
        };
        let found = found.or_else(|| raw_message_of_diagnostic(&self.stderr, signature));
        found.or_else(|| raw_message_of_program(self, signature))
    }
}

/// Returns the first compiler message of which the message in the signature is the normalised form.
fn raw_message_of_compiler(stderr: &str, signature: &Signature) -> Option<String> {
    let wanted = &signature.message;
    parse(stderr).into_iter().find_map(|remark| match remark {
        Remark::Error { code, message } | Remark::Internal { code, message, .. } => {
            let message = without_location(&message);
            match &code {
                Some(code) if named_error(Some(code), message) == *wanted => {
                    Some(format!("[{code}] {message}"))
                }
                _ => (normalise(message) == *wanted).then(|| message.to_owned()),
            }
        }
        Remark::Panic { message, .. } | Remark::Llvm(message) | Remark::Other(message) => {
            (normalise(&message) == *wanted).then_some(message)
        }
        _ => None,
    })
}

/// Returns the message of an error or a warning that is looked for by its code or lint, alone or with the shape of the
/// message.
fn raw_message_of_diagnostic(stderr: &str, signature: &Signature) -> Option<String> {
    if signature.kind != CrashKind::Diagnostic {
        return None;
    }
    let of_errors = parse(stderr).into_iter().filter_map(|remark| match remark {
        Remark::Error { code, message } => Some((code?, message)),
        _ => None,
    });
    let of_warnings = reports(stderr).filter_map(|report| Some((report.code?, report.message)));
    of_errors.chain(of_warnings).find_map(|(code, message)| {
        let wanted = signature.message.strip_prefix(code.as_str())?;
        let is_wanted = match wanted.strip_prefix(": ") {
            Some(wanted) => shape(&message) == wanted,
            None => wanted.is_empty(),
        };
        is_wanted.then(|| format!("{code}: {message}"))
    })
}

/// Returns the words of a program about its failure: all that it printed, not only what is compared.
fn raw_message_of_program(shown: &Shown, signature: &Signature) -> Option<String> {
    let is_wanted = matches!(
        signature.kind,
        CrashKind::Assertion | CrashKind::ProgramPanic | CrashKind::Abort
    );
    let texts = [&shown.stderr, &shown.stdout].into_iter();
    let mut texts = texts.filter(|_| is_wanted);
    texts.find_map(|text| program::raw_message(text, &signature.message))
}

/// Removes the location at the beginning of a message of `bug!`, which the signature has apart.
fn without_location(message: &str) -> &str {
    own_location(message).map_or(message, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::diagnostic::printed;
    use crate::system::process::Ending;
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn shown(stderr: &str) -> Shown {
        Shown {
            stderr: stderr.to_owned(),
            stdout: String::new(),
            truncated: false,
            duration: Duration::ZERO,
            ending: Ending::Exited(101),
            signature: None,
            others: vec![],
            errors: BTreeSet::new(),
            query_stack: vec![],
            runs: 1,
        }
    }

    #[track_caller]
    fn check(stderr: &str, kind: CrashKind, message: &str, expected: &str) {
        let signature = Signature::of_kind(kind, message);
        assert_eq!(shown(stderr).describe(&signature), expected);
    }

    #[test]
    fn a_crash_is_described_in_the_compilers_words() {
        check(
            "thread 'rustc' panicked at compiler/rustc_x/src/y.rs:1:2:\n\
             called `Option::unwrap()` on a `None` value\nstack backtrace:\n",
            CrashKind::Panic,
            "called .. on a .. value",
            "panic: called `Option::unwrap()` on a `None` value",
        );
        check(
            "error: internal compiler error: compiler/rustc_x/src/y.rs:1:2: no type for T\n\n",
            CrashKind::Bug,
            "no type for ..",
            "bug: no type for T",
        );
        check(
            "LLVM ERROR: Cannot select: 0x7f3a\n",
            CrashKind::LlvmError,
            "Cannot select: N",
            "LLVM error: Cannot select: 0x7f3a",
        );
    }

    #[test]
    fn of_several_messages_the_one_of_the_signature_counts() {
        let stderr = "error[E0308]: mismatched types\n\n\
                      error: internal compiler error: first of A\n\n\
                      error: internal compiler error: second of B\n\n";
        check(
            stderr,
            CrashKind::DelayedBug,
            "second of ..",
            "delayed bug: second of B",
        );
        check(
            stderr,
            CrashKind::Panic,
            "[E0308] mismatched types",
            "panic: [E0308] mismatched types",
        );
    }

    #[test]
    fn an_error_that_is_known_by_its_code_has_its_message() {
        check(
            "error[E0308]: mismatched types\n\n",
            CrashKind::Diagnostic,
            "E0308",
            "diagnostic: E0308: mismatched types",
        );
    }

    #[test]
    fn of_several_errors_of_a_code_the_one_of_this_shape_has_its_message() {
        let stderr = "error[E0277]: the trait bound `u8: Stage` is not satisfied\n\n\
                      error[E0277]: `Rc<u8>` cannot be sent between threads safely\n\n";
        check(
            stderr,
            CrashKind::Diagnostic,
            "E0277: .. cannot be sent between thread safely",
            "diagnostic: E0277: `Rc<u8>` cannot be sent between threads safely",
        );
    }

    #[test]
    fn a_warning_has_its_message() {
        check(
            &printed("dead_code", "warning", "function `f` is never used"),
            CrashKind::Diagnostic,
            "dead_code: function .. is .. used",
            "diagnostic: dead_code: function `f` is never used",
        );
    }

    #[test]
    fn an_assertion_has_its_expression() {
        check(
            "thread 'main' panicked at src/main.rs:2:5:\nassertion failed: total > 3\n\
             note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
            CrashKind::Assertion,
            "assertion failed",
            "failed assertion: assertion failed: total > 3",
        );
    }

    #[test]
    fn what_is_not_found_is_described_by_its_signature() {
        check("", CrashKind::Panic, "no entry", "panic: no entry");
        check("", CrashKind::Signal(11), "in f", "signal 11: in f");
    }
}
