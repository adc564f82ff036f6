//! The property that every accepted candidate keeps: the baseline's crash, and no error that the
//! baseline did not have.

use crate::crash::Observation;
use crate::process::Ending;
use crate::signature::Signature;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What must stay true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Property {
    /// The crash.
    pub signature: Signature,
    /// The ordinary errors that the baseline has: codes, or normalised messages.
    pub allowed_errors: BTreeSet<String>,
    /// Other errors do not matter.
    pub allow_errors: bool,
    /// The crash may be at another line and column of the same file.
    pub ignore_location: bool,
}

impl Property {
    /// What the run means for the candidate. Where several delayed bugs are reported, the first
    /// counts: the report should be about the bug that was looked for.
    #[must_use]
    pub fn judge(&self, observation: &Observation) -> Verdict {
        let is_same = |crash: &Signature| self.signature.is_same_bug(crash, self.ignore_location);
        match (observation.ending, observation.crashes.first()) {
            (Ending::Cancelled, _) => Verdict::Cancelled,
            (Ending::TimedOut, _) => Verdict::TimedOut,
            (Ending::Exited(0), None) => Verdict::Compiles,
            (_, None) => Verdict::Rejected,
            (_, Some(first)) if is_same(first) => self.judge_errors(&observation.errors),
            (_, Some(other)) => Verdict::OtherCrash(Box::new(other.clone())),
        }
    }

    /// A digest of everything that a verdict depends on here.
    ///
    /// # Panics
    /// Never: all of it has a JSON form.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let json = serde_json::to_vec(self).expect("strings and numbers have a JSON form");
        *blake3::hash(&json).as_bytes()
    }

    fn judge_errors(&self, errors: &BTreeSet<String>) -> Verdict {
        let added: Vec<_> = errors.difference(&self.allowed_errors).cloned().collect();
        match added.is_empty() || self.allow_errors {
            true => Verdict::Interesting,
            false => Verdict::AddsErrors(added),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::CrashKind;
    use std::time::Duration;

    fn property() -> Property {
        Property {
            signature: Signature::of_kind(CrashKind::LlvmError, "odd"),
            allowed_errors: BTreeSet::from(["E0308".to_owned()]),
            allow_errors: false,
            ignore_location: false,
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
    fn new_errors_are_named_unless_they_are_allowed() {
        let added = Verdict::AddsErrors(vec!["E0001".to_owned()]);
        let crashed = Ending::Exited(101);
        assert_eq!(
            judge(&property(), crashed, &["odd"], &["E0001", "E0308"]),
            added
        );
        let lenient = Property {
            allow_errors: true,
            ..property()
        };
        assert_eq!(
            judge(&lenient, crashed, &["odd"], &["E0001"]),
            Verdict::Interesting
        );
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
