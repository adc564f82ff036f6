//! The cost of a compiler run, as the failure that is looked for.

use crate::check::Seen;
use crate::evidence::crash::Observation;
use crate::signature::{CrashKind, Signature};

/// Makes the time or memory that a run used its failure, if `is_reached` and nothing else has failed.
pub(crate) fn with_cost((outcome, seen): Seen, is_reached: bool, kind: CrashKind) -> Seen {
    let is_failure = is_reached && seen.crashes.is_empty();
    with_failures(
        (outcome, seen),
        is_failure.then(|| Signature::of_kind(kind, "")),
    )
}

/// Replaces the failures that a run showed by others, if there are others.
pub(crate) fn with_failures(
    (outcome, seen): Seen,
    failures: impl IntoIterator<Item = Signature>,
) -> Seen {
    let crashes: Vec<Signature> = failures.into_iter().collect();
    match crashes.is_empty() {
        true => (outcome, seen),
        false => (outcome, Observation { crashes, ..seen }),
    }
}
