//! The verdicts about candidates that are known already, so that no compiler is asked about these or equivalent
//! candidates again.

use super::equivalent_rejections::Alike;
use crate::answer::{Answer, Effort, Timing};
use crate::decider::Decider;
use crate::store::Digest;
use crate::trace;
use reduce_oracle::Verdict;
use std::collections::HashMap;

/// The verdicts that are known in this run.
#[derive(Debug, Default)]
pub(crate) struct KnownVerdicts {
    verdicts: HashMap<Digest, KnownVerdict>,
    alike: Alike,
}

/// A verdict that is known in this run.
#[derive(Debug)]
pub(crate) struct KnownVerdict {
    pub(crate) verdict: Verdict,
    /// The check that decided the verdict.
    pub(crate) decider: Decider,
    pub(crate) effort: Effort,
    pub(crate) timing: Timing,
    /// The reason for the verdict in words, kept only where a log is written.
    pub(crate) reason: Option<String>,
    /// Whether the search has used the verdict.
    used: bool,
}

impl KnownVerdict {
    /// Makes the known verdict for a candidate that an earlier run has decided.
    fn of_earlier_run(verdict: Verdict) -> Self {
        Self {
            verdict,
            decider: Decider::Cache,
            effort: Effort::default(),
            timing: Timing::default(),
            reason: None,
            used: false,
        }
    }

    fn of(answer: &Answer) -> Self {
        Self {
            verdict: answer.verdict.clone(),
            decider: answer.decider,
            effort: answer.effort,
            timing: answer.timing,
            reason: answer.reason.clone().filter(|_| trace::is_on()),
            used: false,
        }
    }

    /// Whether the candidate ran out of time.
    pub(crate) fn is_late(&self) -> bool {
        self.verdict == Verdict::TimedOut && self.timing.late.is_some()
    }
}

impl KnownVerdicts {
    /// Returns the verdict that is known under a key.
    pub(crate) fn get(&self, key: &Digest) -> Option<&KnownVerdict> {
        self.verdicts.get(key)
    }

    /// Returns the verdict of the first candidate that differs from this one only in names that occur once, if it was
    /// rejected. `rest` is the candidate without such names.
    pub(crate) fn rejected_alike(
        &mut self,
        key: Digest,
        rest: Digest,
    ) -> Option<(Digest, Verdict)> {
        let first = self.alike.first_asked(key, rest);
        let known = self.get(&first)?;
        is_rejected(&known.verdict).then(|| (first, known.verdict.clone()))
    }

    /// Returns the key under which a verdict is counted, so that rejected candidates that differ in lone names alone
    /// count as one.
    pub(crate) fn counted_as(&mut self, key: Digest) -> Digest {
        let first = self.alike.first_used(key);
        let rejects = |key: &Digest| self.get(key).is_some_and(|one| is_rejected(&one.verdict));
        match rejects(&first) && rejects(&key) {
            true => first,
            false => key,
        }
    }

    /// Remembers a verdict of an earlier run.
    pub(crate) fn recall(&mut self, key: Digest, verdict: Verdict) {
        self.verdicts
            .insert(key, KnownVerdict::of_earlier_run(verdict));
    }

    /// Remembers an answer about a candidate.
    pub(crate) fn learn(&mut self, key: Digest, answer: &Answer) {
        self.verdicts.insert(key, KnownVerdict::of(answer));
    }

    /// Notes that the search has used a verdict. Returns it, and whether this is the first time.
    pub(crate) fn note_used(&mut self, key: &Digest) -> Option<(&KnownVerdict, bool)> {
        let known = self.verdicts.get_mut(key)?;
        let is_first = !std::mem::replace(&mut known.used, true);
        Some((known, is_first))
    }

    /// Whether the search need not look at a candidate: it has used the candidate's verdict, or an
    /// earlier run has.
    pub(crate) fn is_settled(&self, key: &Digest) -> bool {
        let known = self.get(key);
        known.is_some_and(|known| known.used || known.decider == Decider::Cache)
    }

    /// Whether the candidate with this key is interesting; `None` where that is not known, or more time may change the
    /// verdict.
    pub(crate) fn is_known_interesting(&self, key: &Digest) -> Option<bool> {
        let known = self.get(key).filter(|known| !known.is_late());
        known.map(|known| known.verdict.is_interesting())
    }

    /// Whether the search has used the verdict under this key.
    pub(crate) fn is_used(&self, key: &Digest) -> bool {
        self.get(key).is_some_and(|known| known.used)
    }
}

/// Whether a verdict rejects a candidate for good, as a timeout, a cancellation or another crash
/// does not.
fn is_rejected(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::AddsError(_) | Verdict::Compiles | Verdict::Rejected
    )
}
