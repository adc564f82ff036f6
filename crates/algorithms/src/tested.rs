//! Remembers the candidates that were tested and failed, so that none is proposed twice: with constant
//! time per candidate, and memory in proportion to the list rather than to the number of tests.
//!
//! A list only ever loses elements, and every later candidate is a part of it. So a failed candidate
//! can be forgotten as soon as it has an element that the list lost:
//!
//! - a run that was *kept* can come up again as long as all of it is there;
//! - what was *removed* can come up again only if the list has since lost nothing but some of these
//!   elements (the others are then removed, with the same outcome). Nearly all are forgotten at
//!   each acceptance.
//!
//! Both are judged by positions and numbers alone, so that some are remembered for longer than needed.

use crate::fingerprint::{BuildFingerprintHasher, Fingerprint};
use crate::subset::Change;
use std::collections::HashSet;
use std::ops::Range;

/// The number by which kept runs must outnumber the elements of the list before they are looked
/// through.
const SLACK: usize = 1024;

/// The candidates that were tested and that may come up again.
#[derive(Debug, Default)]
pub(crate) struct Tested {
    fingerprints: HashSet<Fingerprint, BuildFingerprintHasher>,
    kept: Vec<Attempt>,
    removed: Vec<Attempt>,
    /// The number of kept runs at which they are next looked through.
    kept_limit: usize,
}

/// A tested candidate, with what decides whether the search may come to it again.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) fingerprint: Fingerprint,
    /// The positions of the original list between which all elements lie that the candidate keeps
    /// or removes.
    pub(crate) range: Range<usize>,
    /// The run of elements that the candidate keeps or removes.
    pub(crate) run: Range<usize>,
    /// The number of elements that were removed, or that the kept run had.
    pub(crate) run_len: usize,
    /// The number of elements that the list had when the candidate was made.
    pub(crate) list_len: usize,
}

impl Tested {
    /// Notes an attempt; `false` if the same set of elements was noted before.
    pub(crate) fn note(&mut self, change: Change, attempt: Attempt) -> bool {
        let is_new = self.fingerprints.insert(attempt.fingerprint);
        if is_new {
            self.journal(change).push(attempt);
        }
        is_new
    }

    /// Forgets the newest attempt, of which `change` says whether it kept or removed elements.
    pub(crate) fn take_back(&mut self, change: Change) {
        if let Some(attempt) = self.journal(change).pop() {
            self.fingerprints.remove(&attempt.fingerprint);
        }
    }

    /// Forgets candidates that cannot come up again after the list lost elements between the
    /// positions `gone`, the first and the last of which were among them. `count` counts the
    /// elements that the list, now of `len`, still has in a range.
    pub(crate) fn list_lost(
        &mut self,
        gone: &Range<usize>,
        len: usize,
        count: impl Fn(&Range<usize>) -> usize,
    ) {
        let Self {
            fingerprints,
            kept,
            removed,
            kept_limit,
        } = self;
        retain(removed, fingerprints, |attempt| {
            let spans_it = attempt.range.start <= gone.start && gone.end <= attempt.range.end;
            spans_it && attempt.list_len - len < attempt.run_len
        });
        if kept.len() >= *kept_limit {
            retain(kept, fingerprints, |attempt| {
                count(&attempt.run) == attempt.run_len
            });
            *kept_limit = 2 * kept.len() + len + SLACK;
        }
    }

    fn journal(&mut self, change: Change) -> &mut Vec<Attempt> {
        match change {
            Change::Keep => &mut self.kept,
            Change::Remove => &mut self.removed,
        }
    }
}

fn retain(
    attempts: &mut Vec<Attempt>,
    fingerprints: &mut HashSet<Fingerprint, BuildFingerprintHasher>,
    may_recur: impl Fn(&Attempt) -> bool,
) {
    attempts.retain(|attempt| {
        let stays = may_recur(attempt);
        if !stays {
            fingerprints.remove(&attempt.fingerprint);
        }
        stays
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(fingerprint: Fingerprint, range: Range<usize>) -> Attempt {
        Attempt {
            fingerprint,
            run_len: range.len(),
            run: range.clone(),
            range,
            list_len: 10,
        }
    }

    /// Notes a removed and a kept run of ten elements, takes `gone` out of the list, and says which
    /// of the two are still remembered.
    fn check(removed: Range<usize>, kept: Range<usize>, gone: Range<usize>) -> [bool; 2] {
        let mut tested = Tested::default();
        assert!(tested.note(Change::Remove, attempt(1, removed.clone())));
        assert!(tested.note(Change::Keep, attempt(2, kept.clone())));
        let lost_from =
            |range: &Range<usize>| range.clone().filter(|one| gone.contains(one)).count();
        tested.list_lost(&gone, 10 - gone.len(), |range| {
            range.len() - lost_from(range)
        });
        let remembers_removed = !tested.note(Change::Remove, attempt(1, removed));
        let remembers_kept = !tested.note(Change::Keep, attempt(2, kept));
        [remembers_removed, remembers_kept]
    }

    #[test]
    fn a_removed_run_is_remembered_only_if_all_that_went_was_in_it() {
        assert!(check(2..6, 0..1, 3..5)[0]);
        assert!(!check(2..6, 0..1, 5..7)[0]);
        assert!(!check(2..6, 0..1, 8..9)[0]);
    }

    #[test]
    fn a_kept_run_is_remembered_only_while_all_of_it_is_there() {
        assert!(check(0..1, 2..6, 6..9)[1]);
        assert!(!check(0..1, 2..6, 5..9)[1]);
    }

    #[test]
    fn a_removed_run_is_forgotten_once_as_much_is_gone() {
        assert!(check(3..5, 0..1, 3..4)[0]);
        assert!(!check(3..5, 0..1, 3..5)[0]);
    }

    #[test]
    fn what_is_taken_back_is_new_again() {
        let mut tested = Tested::default();
        assert!(tested.note(Change::Keep, attempt(1, 0..1)));
        assert!(tested.note(Change::Remove, attempt(2, 0..1)));
        tested.take_back(Change::Remove);
        assert!(tested.note(Change::Remove, attempt(2, 0..1)));
        assert!(!tested.note(Change::Remove, attempt(1, 0..1)));
    }
}
