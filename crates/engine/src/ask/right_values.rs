//! The values that candidates' failing assertions have to expect, as runs with the good version (`--good`) or under mends show them.

use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::store::Digest;
use reduce_guard::Judgement;
use reduce_oracle::{Cancel, Comparison, Plan, Worker};
use reduce_passes::{FailedAt, FailedComparison, with_expected_value};
use reduce_syntax::SourceTree;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// A program that expects the right value, and the judgement about it; absent where it shows another bug.
type Right = Option<(SourceTree, Judgement)>;

/// The answers up to now, and the worker that finds them.
#[derive(Default)]
pub(super) struct RightValues {
    asked: Mutex<Asked>,
}

#[derive(Default)]
struct Asked {
    /// The worker that runs candidates with the good version or under mends, made when it is first needed.
    worker: Option<Worker>,
    /// The answers by the digests of compile options and candidate, which decide them.
    known: HashMap<(Digest, Digest), Right>,
}

impl RightValues {
    /// Returns the answer about a candidate, for which `ask` is called where it was not asked about before. `digest` is that of the
    /// compile options. `ask` makes the worker if there is none.
    ///
    /// # Errors
    /// Those of `ask`.
    pub(super) fn about(
        &self,
        (candidate, digest): (&Candidate, Digest),
        ask: impl FnOnce(&mut Option<Worker>) -> Result<Right, Failure>,
    ) -> Result<Right, Failure> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (digest, candidate.tree.digest());
        if let Some(known) = asked.known.get(&key) {
            return Ok(known.clone());
        }
        let right = ask(&mut asked.worker)?;
        asked.known.insert(key, right.clone());
        Ok(right)
    }
}

/// Returns the candidate with the value that the good version computes; as it is where that passes, or fails otherwise than by an
/// `assert_eq!`. `plan` is that of the candidate.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn by_good_version(
    candidate: &Candidate,
    plan: &Plan,
    worker: &mut Worker,
    cancel: &Cancel,
) -> Result<Right, Failure> {
    let seen = worker.compared_in_version(plan, &candidate.tree.to_files(), cancel)?;
    let tree = seen.and_then(|seen| expecting(&candidate.tree, &seen));
    let tree = tree.unwrap_or_else(|| candidate.tree.clone());
    Ok(Some((tree, Judgement::AsOriginal)))
}

/// Changes a program to expect the value that its failed assertion has computed; `None` where it compares no value that is written out.
pub(crate) fn expecting(tree: &SourceTree, failed: &Comparison) -> Option<SourceTree> {
    let failed = FailedComparison {
        at: FailedAt {
            path: &failed.path,
            line: usize::try_from(failed.line).ok()?,
            column: usize::try_from(failed.column).ok()?,
        },
        left: &failed.left,
        right: &failed.right,
    };
    with_expected_value(tree, &failed)
}
