//! The weighing of verdicts and of compiler output by how much they tell about the cause of a
//! crash.

use crate::figures::PlainError;
use reduce_oracle::escape::without_colours;
use reduce_oracle::{Ending, Shown, Signature, Verdict};
use std::collections::BTreeSet;

/// The codes of errors in programs that lack a name, a member or an unstable feature. They would have them
/// whatever crashes.
const OF_GAPS: [&str; 38] = [
    "E0026", "E0027", "E0040", "E0046", "E0050", "E0053", "E0063", "E0106", "E0186", "E0191",
    "E0195", "E0220", "E0261", "E0404", "E0405", "E0407", "E0411", "E0412", "E0422", "E0423",
    "E0424", "E0425", "E0426", "E0432", "E0433", "E0437", "E0438", "E0531", "E0532", "E0559",
    "E0560", "E0573", "E0574", "E0576", "E0599", "E0601", "E0609", "E0658",
];
/// The codes of errors that deleting or replacing a part often causes: types that do not fit, numbers of arguments.
const OF_FIT: [&str; 12] = [
    "E0023", "E0057", "E0060", "E0061", "E0107", "E0282", "E0283", "E0284", "E0308", "E0381",
    "E0392", "E0747",
];
/// The beginnings of errors without a code that are about the text, such as its syntax, or about a
/// `loop {}` that an edit has put there.
const OF_SYNTAX: [&str; 7] = [
    "expected ",
    "unexpected ",
    "missing ",
    "cannot find ",
    "unknown ",
    "this file contains an unclosed",
    "constant evaluation is taking a long time",
];

/// The weight of a verdict, which says how much it tells about a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// The verdict tells something, and the less the higher this number is. An edit tells as much less as it
    /// has tokens.
    Strong(u64),
    /// The verdict tells little, and is only reported where there is nothing else.
    Weak,
}

/// Weighs a verdict; `None` where it tells nothing, as of a candidate that ran out of time. Of a program that lacks
/// a feature, only that it compiles does.
pub(super) fn weight(verdict: &Verdict, lacks_feature: bool) -> Option<Weight> {
    match verdict {
        Verdict::Compiles => Some(Weight::Strong(0)),
        _ if lacks_feature => None,
        Verdict::Rejected => Some(Weight::Strong(4)),
        Verdict::AddsError(error) if OF_FIT.contains(&error.as_str()) => Some(Weight::Weak),
        Verdict::AddsError(error) if !is_of_gap(error) => Some(Weight::Strong(8)),
        _ => None,
    }
}

/// The outcome of a program as a person compiles it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// The program compiles, or has this error, in place of the failure.
    Instead(Option<PlainError>),
    /// The compiler crashes, or what it says of the program does not help.
    Nothing,
}

/// Reads the outcome of a program that was compiled as a person would compile it. `errors_before`
/// are those of the result.
pub(super) fn seen(
    shown: &Shown,
    errors_before: &BTreeSet<String>,
    is_same_failure: impl Fn(&Signature) -> bool,
) -> Told {
    let crash = shown.signature.as_ref();
    let is_crash = crash.is_some_and(|crash| crash.is_of_compiler() || is_same_failure(crash));
    if is_crash || shown.truncated {
        return Told::Nothing;
    }
    let tells = |error: &str| !is_of_gap(error) || errors_before.contains(error);
    let error = first_error(&shown.stderr);
    match (shown.ending, error) {
        (Ending::Exited(0), _) => Told::Instead(None),
        (Ending::Exited(1), Some(error)) if tells(error.name()) => Told::Instead(Some(error)),
        _ => Told::Nothing,
    }
}

impl PlainError {
    fn name(&self) -> &str {
        self.code.as_deref().unwrap_or(&self.message)
    }
}

fn is_of_gap(error: &str) -> bool {
    OF_GAPS.contains(&error) || OF_SYNTAX.iter().any(|begin| error.starts_with(begin))
}

/// Finds the first error in what the compiler printed for people.
fn first_error(stderr: &str) -> Option<PlainError> {
    let text = without_colours(stderr);
    text.lines().find_map(|line| {
        let rest = line.strip_prefix("error")?;
        let (code, message) = match rest.strip_prefix('[') {
            Some(rest) => {
                let (code, message) = rest.split_once("]: ")?;
                let is_code =
                    code.starts_with('E') && code[1..].bytes().all(|b| b.is_ascii_digit());
                (is_code.then(|| code.to_owned()), message)
            }
            None => (None, rest.strip_prefix(": ")?),
        };
        let message = message.trim().to_owned();
        Some(PlainError { code, message })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_oracle::CrashKind;
    use std::time::Duration;

    fn shown(ending: Ending, stderr: &str) -> Shown {
        Shown {
            stderr: stderr.to_owned(),
            stdout: String::new(),
            truncated: false,
            duration: Duration::ZERO,
            ending,
            signature: None,
            others: vec![],
            errors: BTreeSet::new(),
            query_stack: vec![],
            runs: 1,
        }
    }

    fn error(code: Option<&str>, message: &str) -> Told {
        Told::Instead(Some(PlainError {
            code: code.map(str::to_owned),
            message: message.to_owned(),
        }))
    }

    #[test]
    fn errors_that_any_program_with_a_gap_has_tell_nothing() {
        let adds = |error: &str| weight(&Verdict::AddsError(error.to_owned()), false);
        assert_eq!(weight(&Verdict::Compiles, false), Some(Weight::Strong(0)));
        assert_eq!(weight(&Verdict::Rejected, false), Some(Weight::Strong(4)));
        assert_eq!(adds("E0277"), Some(Weight::Strong(8)));
        assert_eq!(adds("E0308"), Some(Weight::Weak));
        for gap in ["E0425", "E0412", "E0433", "expected expression, found `)`"] {
            assert_eq!(adds(gap), None, "{gap}");
        }
        assert_eq!(weight(&Verdict::TimedOut, false), None, "no evidence");
        assert_eq!(weight(&Verdict::Interesting, false), None);
    }

    #[test]
    fn what_lacks_a_feature_tells_something_where_it_compiles() {
        assert_eq!(weight(&Verdict::Compiles, true), Some(Weight::Strong(0)));
        assert_eq!(weight(&Verdict::Rejected, true), None);
    }

    #[test]
    fn the_first_error_is_told() {
        let none = |_: &Signature| false;
        let text = "warning: unused\n\n\u{1b}[31merror[E0277]\u{1b}[0m: no `A`\n --> a\n\nerror: aborting\n";
        let seen = |ending, text: &str| seen(&shown(ending, text), &BTreeSet::new(), none);
        assert_eq!(
            seen(Ending::Exited(1), text),
            error(Some("E0277"), "no `A`")
        );
        let plain = error(None, "recursion in an async fn");
        assert_eq!(
            seen(Ending::Exited(1), "error: recursion in an async fn\n"),
            plain
        );
        assert_eq!(seen(Ending::Exited(0), ""), Told::Instead(None));
        assert_eq!(seen(Ending::Exited(1), "error[E0425]: no\n"), Told::Nothing);
        let before = BTreeSet::from(["E0425".to_owned()]);
        let as_before = super::seen(
            &shown(Ending::Exited(1), "error[E0425]: no\n"),
            &before,
            none,
        );
        assert_eq!(
            as_before,
            error(Some("E0425"), "no"),
            "the result has it too"
        );
        assert_eq!(seen(Ending::TimedOut, "error[E0277]: no\n"), Told::Nothing);
    }

    #[test]
    fn what_crashes_after_an_error_is_not_told() {
        let mut shown = shown(Ending::Exited(101), "error[E0277]: a\n");
        assert_eq!(seen(&shown, &BTreeSet::new(), |_| false), Told::Nothing);
        let signature = r#"{"kind":"panic","file":null,"position":null,"message":"","query":null}"#;
        shown.signature = Some(serde_json::from_str(signature).expect("it is one"));
        shown.ending = Ending::Exited(1);
        assert_eq!(seen(&shown, &BTreeSet::new(), |_| false), Told::Nothing);
        let found = shown.signature.as_mut().expect("it is there");
        found.kind = CrashKind::Diagnostic;
        assert_eq!(
            seen(&shown, &BTreeSet::new(), |_| true),
            Told::Nothing,
            "the error is still there"
        );
        assert_ne!(seen(&shown, &BTreeSet::new(), |_| false), Told::Nothing);
    }
}
