//! Failures of a compiler that does not crash: what it reports, and what it costs.

use crate::check::{Cost, Wanted};
use crate::diagnostics::{Report, reports};
use crate::process::{Ending, Outcome};
use crate::signature::{CrashKind, Signature, normalise};

/// The diagnostics that are looked for, as far as they were printed. Each has the error's name, as
/// one that only matches the same pattern is another failure.
pub(super) fn failures(outcome: &Outcome, wanted: &Wanted) -> Vec<Signature> {
    let mut found: Vec<Signature> = vec![];
    for report in reports(&outcome.stderr).filter(|report| is_wanted(report, wanted)) {
        let failure = Signature::of_kind(CrashKind::Diagnostic, message(&report, wanted));
        if !found.contains(&failure) {
            found.push(failure);
        }
    }
    found
}

fn message(report: &Report, wanted: &Wanted) -> String {
    match wanted {
        Wanted::Error(pattern) if !pattern.is_code() => {
            let name = report.code.clone();
            let name = name.unwrap_or_else(|| normalise(&report.message));
            format!("{name}: {pattern}")
        }
        Wanted::Error(pattern) => pattern.to_string(),
        Wanted::Lint(name) => name.clone(),
    }
}

fn is_wanted(report: &Report, wanted: &Wanted) -> bool {
    match wanted {
        Wanted::Error(_) if !report.is_error => false,
        Wanted::Error(pattern) if pattern.is_code() => {
            report.code.as_deref() == Some(pattern.as_str())
        }
        // The message alone may end in the middle of what people read.
        Wanted::Error(pattern) => {
            pattern.is_match(&report.message) || pattern.is_match(&report.rendered)
        }
        Wanted::Lint(name) => report.code.as_deref() == Some(name),
    }
}

/// What a run cost, if that is what is looked for.
pub(super) fn cost(outcome: &Outcome, cost: Cost) -> Option<Signature> {
    let (is_reached, kind) = match cost {
        Cost::Hang(_) => (outcome.ending == Ending::TimedOut, CrashKind::Hang),
        Cost::Memory(bytes) => (outcome.peak_memory_bytes >= bytes, CrashKind::Memory),
        // Not the wall time: that depends on what else the machine does.
        Cost::Cpu { least, .. } => {
            let has_ended = matches!(outcome.ending, Ending::Exited(_));
            (has_ended && outcome.cpu >= least, CrashKind::Slow)
        }
    };
    is_reached.then(|| Signature::of_kind(kind, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn printed(code: &str, level: &str, message: &str) -> Outcome {
        let stderr = format!(
            r#"{{"$message_type":"diagnostic","message":"{message}","code":{{"code":"{code}","explanation":null}},"level":"{level}","spans":[],"children":[],"rendered":"{level}: {message}\n label here\n"}}"#
        );
        Outcome {
            ending: Ending::Exited(1),
            stdout: String::new(),
            stderr,
            truncated: false,
            wall: Duration::from_secs(1),
            cpu: Duration::from_secs(2),
            late: None,
            asleep: Duration::ZERO,
            peak_memory_bytes: 100,
        }
    }

    #[track_caller]
    fn check(wanted: &Wanted, level: &str, expected: bool) {
        let outcome = printed("E0308", level, "mismatched types");
        assert_eq!(
            !failures(&outcome, wanted).is_empty(),
            expected,
            "{wanted:?}"
        );
    }

    fn error(pattern: &str) -> Wanted {
        Wanted::Error(pattern.parse().unwrap())
    }

    #[test]
    fn an_error_is_known_by_its_code_or_by_what_it_says() {
        check(&error("E0308"), "error", true);
        check(&error("E0309"), "error", false);
        check(&error("mismatched .ypes"), "error", true);
        check(&error("label here"), "error", true);
        check(&error("E0308"), "warning", false);
    }

    #[test]
    fn a_lint_is_known_by_its_name_at_any_level() {
        check(&Wanted::Lint("E0308".to_owned()), "warning", true);
        check(&Wanted::Lint("E0308".to_owned()), "error", true);
        check(&Wanted::Lint("dead_code".to_owned()), "warning", false);
    }

    #[test]
    fn a_cost_counts_from_its_bound_on() {
        let outcome = printed("", "error", "");
        let seconds = Duration::from_secs;
        let slow = |least| Cost::Cpu {
            least: seconds(least),
            most: seconds(9),
        };
        for (bound, expected) in [
            (Cost::Memory(100), true),
            (Cost::Memory(101), false),
            (slow(2), true),
            (slow(3), false),
            (Cost::Hang(seconds(1)), false),
        ] {
            assert_eq!(cost(&outcome, bound).is_some(), expected, "{bound:?}");
        }
        let stopped = Outcome {
            ending: Ending::TimedOut,
            ..outcome
        };
        assert!(cost(&stopped, Cost::Hang(seconds(1))).is_some());
        assert!(cost(&stopped, slow(2)).is_none());
    }
}
