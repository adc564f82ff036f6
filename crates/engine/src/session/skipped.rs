//! The passes of which the user has skipped a run: the result may not be minimal for them.

use crate::figures::SkippedPass;
use std::collections::{BTreeMap, BTreeSet};

/// Passes that were skipped, by name.
#[derive(Debug, Default)]
pub(super) struct Skipped {
    times: BTreeMap<String, u64>,
    in_round: BTreeSet<&'static str>,
    at_end: BTreeSet<&'static str>,
}

impl Skipped {
    /// Makes the record of the skipped runs of a job before it was interrupted.
    pub(super) fn in_earlier_runs(times: BTreeMap<String, u64>) -> Self {
        Self {
            times,
            ..Self::default()
        }
    }

    /// Notes a run of a pass that was skipped.
    pub(super) fn note(&mut self, pass: &'static str) {
        *self.times.entry(pass.to_owned()).or_default() += 1;
        self.in_round.insert(pass);
    }

    /// Notes that a round begins.
    pub(super) fn begin_round(&mut self) {
        self.in_round.clear();
    }

    /// Notes that the round has accepted nothing, so that the result may not be minimal only for
    /// the passes skipped in it.
    pub(super) fn end_at_fixpoint(&mut self) {
        self.at_end.clone_from(&self.in_round);
    }

    /// Returns the number of skipped runs of each pass.
    pub(super) fn times(&self) -> &BTreeMap<String, u64> {
        &self.times
    }

    pub(super) fn passes(&self) -> impl Iterator<Item = SkippedPass> {
        self.times.iter().map(|(pass, times)| SkippedPass {
            pass: pass.clone(),
            times: *times,
            in_last_round: self.at_end.contains(pass.as_str()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_in_the_last_round_is_told_apart() {
        let mut skipped = Skipped::default();
        skipped.note("flatten_modules");
        skipped.note("delete_items");
        skipped.begin_round();
        skipped.note("delete_items");
        skipped.end_at_fixpoint();
        let rows = skipped.passes();
        let rows: Vec<_> = rows
            .map(|one| (one.pass, one.times, one.in_last_round))
            .collect();
        let expected = [
            ("delete_items".to_owned(), 2, true),
            ("flatten_modules".to_owned(), 1, false),
        ];
        assert_eq!(rows, expected);
    }
}
