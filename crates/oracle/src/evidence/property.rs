//! The property that every accepted candidate keeps: the baseline's failure, and no error that the
//! baseline did not have.

use crate::evidence::crash::{Observation, error_in};
use crate::evidence::verdict::Verdict;
use crate::signature::{CrashKind, Signature};
use crate::system::process::Ending;
use crate::text::pattern::Patterns;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The property that must stay true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Property {
    /// The failure.
    pub signature: Signature,
    /// The ordinary errors that the baseline has: codes, or normalised messages.
    pub allowed_errors: BTreeSet<String>,
    /// Whether other errors are allowed.
    pub allow_errors: bool,
    /// Whether the crash may be at another line and column of the same file.
    pub ignore_location: bool,
    /// The patterns that must be printed besides the failure, or must not be.
    pub patterns: Patterns,
    /// Whether the values that a program compares and prints may be others; `--good` says then that it is the same
    /// bug.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignore_values: bool,
    /// Whether the failure may follow other failures of the same run, as it did when it was found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub among_others: bool,
}

impl Property {
    /// Judges a candidate by its run. An error that the property forbids decides, whatever follows it.
    #[must_use]
    pub fn judge(&self, observation: &Observation) -> Verdict {
        if observation.ending == Ending::Cancelled {
            return Verdict::Cancelled;
        }
        if let Some(error) = observation.errors.iter().find(|error| self.forbids(error)) {
            return Verdict::AddsError(error.clone());
        }
        let failures = &observation.crashes;
        let is_there = self.is_shown_by(failures);
        match (observation.ending, observation.crashes.first()) {
            _ if is_there => Verdict::Interesting,
            (Ending::TimedOut | Ending::Exceeded, _) => Verdict::TimedOut,
            (Ending::Exited(0), None) => Verdict::Compiles,
            (_, None) => Verdict::Rejected,
            (_, Some(other)) => Verdict::OtherCrash(Box::new(other.clone())),
        }
    }

    /// Whether a run that has failed in these ways shows the failure.
    #[must_use]
    pub fn is_shown_by(&self, failures: &[Signature]) -> bool {
        if self.among_others {
            let is_same = |one| self.signature.is_same_bug(one, self.ignore_location);
            return failures.iter().any(is_same);
        }
        if !self.ignore_values {
            return self.signature.is_shown_by(failures, self.ignore_location);
        }
        let failures: Vec<Signature> = failures.iter().map(Signature::without_values).collect();
        let wanted = self.signature.without_values();
        wanted.is_shown_by(&failures, self.ignore_location)
    }

    /// Whether an error of the compiler is the failure that must stay.
    #[must_use]
    pub fn looks_for(&self, error: &str) -> bool {
        let Signature { kind, message, .. } = &self.signature;
        let rest = message.strip_prefix(error);
        *kind == CrashKind::Diagnostic
            && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
    }

    /// Whether an error, in the words of signatures, is the failure where the compiler crashes by taking its first error
    /// for a bug.
    #[must_use]
    pub fn crashes_with(&self, message: &str) -> bool {
        self.signature.kind == CrashKind::Panic && self.signature.message == message
    }

    /// Whether a line of JSON among the compiler's output decides that the candidate is not
    /// interesting: then nothing that follows can change what [`Property::judge`] says.
    pub(crate) fn is_decided_by(&self, line: &str) -> bool {
        !self.allow_errors && error_in(line).is_some_and(|error| self.forbids(&error))
    }

    /// Whether a candidate with this error is not interesting.
    #[must_use]
    pub fn forbids(&self, error: &str) -> bool {
        !self.allow_errors && !self.allowed_errors.contains(error)
    }

    /// Returns a digest of everything in the property that a verdict depends on.
    ///
    /// # Panics
    /// Never: all of it has a JSON form.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let json = serde_json::to_vec(self).expect("strings and numbers have a JSON form");
        *blake3::hash(&json).as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn property() -> Property {
        Property {
            signature: Signature::of_kind(CrashKind::LlvmError, "odd"),
            allowed_errors: BTreeSet::from(["E0308".to_owned()]),
            allow_errors: false,
            ignore_location: false,
            patterns: Patterns::default(),
            ignore_values: false,
            among_others: false,
        }
    }

    fn judge(property: &Property, ending: Ending, crashes: &[&str], errors: &[&str]) -> Verdict {
        let crashes = crashes
            .iter()
            .map(|text| Signature::of_kind(CrashKind::LlvmError, *text));
        property.judge(&Observation {
            ending,
            crashes: crashes.collect(),
            errors: errors.iter().map(|error| (*error).to_owned()).collect(),
            duration: Duration::ZERO,
        })
    }

    #[test]
    fn the_same_crash_without_new_errors_is_interesting() {
        let crashed = Ending::Exited(101);
        assert_eq!(
            judge(&property(), crashed, &["odd"], &["E0308"]),
            Verdict::Interesting
        );
        assert_eq!(
            judge(&property(), crashed, &["odd"], &[]),
            Verdict::Interesting
        );
    }

    #[test]
    fn the_first_crash_counts() {
        let crashed = Ending::Exited(101);
        let new = Signature::of_kind(CrashKind::LlvmError, "new");
        assert_eq!(
            judge(&property(), crashed, &["odd", "new"], &[]),
            Verdict::Interesting
        );
        assert_eq!(
            judge(&property(), crashed, &["new", "odd"], &[]),
            Verdict::OtherCrash(Box::new(new))
        );
    }

    #[test]
    fn a_crash_that_was_met_behind_another_counts_wherever_it_is() {
        let among_others = Property {
            among_others: true,
            ..property()
        };
        let crashed = Ending::Exited(101);
        let shown = |crashes: &[&str]| judge(&among_others, crashed, crashes, &[]);
        assert_eq!(shown(&["new", "odd"]), Verdict::Interesting);
        assert_eq!(shown(&["odd", "new"]), Verdict::Interesting);
        assert!(matches!(shown(&["new"]), Verdict::OtherCrash(_)));
        assert_ne!(among_others.digest(), property().digest());
    }

    #[test]
    fn the_first_new_error_is_named_unless_errors_are_allowed() {
        let added = Verdict::AddsError("E0001".to_owned());
        let crashed = Ending::Exited(101);
        let errors = &["E0308", "E0001", "E0000"];
        assert_eq!(judge(&property(), crashed, &["odd"], errors), added);
        let lenient = Property {
            allow_errors: true,
            ..property()
        };
        assert_eq!(
            judge(&lenient, crashed, &["odd"], errors),
            Verdict::Interesting
        );
    }

    #[test]
    fn a_new_error_decides_whatever_follows_it() {
        let added = Verdict::AddsError("E0001".to_owned());
        let endings = [
            (Ending::Decided, vec![]),
            (Ending::Exited(1), vec![]),
            (Ending::TimedOut, vec![]),
            (Ending::Exited(101), vec!["odd"]),
            (Ending::Exited(101), vec!["new"]),
            (Ending::Signalled(11), vec!["new"]),
        ];
        for (ending, crashes) in endings {
            let verdict = judge(&property(), ending, &crashes, &["E0001"]);
            assert_eq!(verdict, added, "{ending}");
        }
    }

    #[test]
    fn a_line_decides_only_if_it_is_an_error_that_is_forbidden() {
        let error = |code: &str| {
            format!(
                r#"{{"$message_type":"diagnostic","message":"m","code":{{"code":"{code}","explanation":null}},"level":"error","spans":[],"children":[],"rendered":"error"}}"#
            )
        };
        let property = property();
        assert!(property.is_decided_by(&error("E0001")));
        assert!(!property.is_decided_by(&error("E0308")));
        let warning = error("E0001").replace(r#""level":"error""#, r#""level":"warning""#);
        assert!(!property.is_decided_by(&warning));
        let internal = error("E0001").replace(
            r#""level":"error""#,
            r#""level":"error: internal compiler error""#,
        );
        assert!(!property.is_decided_by(&internal));
        assert!(!property.is_decided_by("error[E0001]: m"));
        let lenient = Property {
            allow_errors: true,
            ..property
        };
        assert!(!lenient.is_decided_by(&error("E0001")));
    }

    #[test]
    fn an_error_that_is_taken_for_a_bug_is_the_message_of_a_panic() {
        let of = |kind: CrashKind| Property {
            signature: Signature::of_kind(kind, "[E0382] use of moved value: .."),
            ..property()
        };
        let panic = of(CrashKind::Panic);
        assert!(panic.crashes_with("[E0382] use of moved value: .."));
        assert!(!panic.crashes_with("[E0382] borrow of moved value: .."));
        assert!(!of(CrashKind::Bug).crashes_with("[E0382] use of moved value: .."));
    }

    #[test]
    fn other_values_are_the_same_failure_only_where_they_are_ignored() {
        let of = |message: &str| Signature::of_kind(CrashKind::Assertion, message);
        let property = |ignore_values: bool| Property {
            signature: of("assertion `left == right` failed\n  left: 10\n right: 64"),
            ignore_values,
            ..property()
        };
        let other = of("assertion `left == right` failed: sums\n  left: [1]\n right: []");
        assert!(property(true).is_shown_by(std::slice::from_ref(&other)));
        assert!(!property(false).is_shown_by(&[other]));
        let unequal = of("assertion `left != right` failed\n  left: 10\n right: 10");
        assert!(!property(true).is_shown_by(&[unequal]));
    }

    #[test]
    fn everything_else_has_a_verdict_of_its_own() {
        let other = Signature::of_kind(CrashKind::LlvmError, "new");
        let other = Verdict::OtherCrash(Box::new(other));
        assert_eq!(
            judge(&property(), Ending::Exited(101), &["new"], &[]),
            other
        );
        assert_eq!(
            judge(&property(), Ending::Exited(0), &[], &[]),
            Verdict::Compiles
        );
        assert_eq!(
            judge(&property(), Ending::Exited(1), &[], &[]),
            Verdict::Rejected
        );
        assert_eq!(
            judge(&property(), Ending::TimedOut, &[], &[]),
            Verdict::TimedOut
        );
        assert_eq!(
            judge(&property(), Ending::Cancelled, &[], &[]),
            Verdict::Cancelled
        );
    }

    #[test]
    fn the_digest_changes_with_what_decides() {
        let lenient = Property {
            ignore_location: true,
            ..property()
        };
        assert_eq!(property().digest(), property().digest());
        assert_ne!(property().digest(), lenient.digest());
    }
}
