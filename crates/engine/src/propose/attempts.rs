//! The edits that have failed in earlier rounds. What failed once mostly fails again, so that
//! rounds leave it out until nothing else goes; only then is all tried once more, which makes the
//! result 1-minimal.

use std::collections::HashSet;

/// A digest that tells an edit from others, wherever it stands: it is that of the replaced text and
/// the new one.
pub(crate) type Fingerprint = [u8; 32];

/// The record of edits that failed, in this round and in earlier ones.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    earlier: HashSet<Fingerprint>,
    /// The edits that failed in this round; the same edit at another place is tried nevertheless.
    now: HashSet<Fingerprint>,
    leaves_out_failed: bool,
}

impl Attempts {
    /// Begins a round, of all edits or of those that did not fail in an earlier one.
    pub(crate) fn begin_round(&mut self, leaves_out_failed: bool) {
        self.leaves_out_failed = leaves_out_failed;
        self.earlier.extend(self.now.drain());
    }

    /// Whether this round leaves out edits that failed in an earlier one.
    pub(crate) fn leaves_out_failed(&self) -> bool {
        self.leaves_out_failed
    }

    /// Whether this round tries the edit.
    pub(crate) fn is_worth_trying(&self, edit: &Fingerprint) -> bool {
        !self.leaves_out_failed || !self.earlier.contains(edit)
    }

    /// Notes an edit that failed.
    pub(crate) fn note_failed(&mut self, edit: Fingerprint) {
        self.now.insert(edit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_left_out_in_later_rounds_only() {
        let mut attempts = Attempts::default();
        attempts.begin_round(true);
        attempts.note_failed([1; 32]);
        assert!(attempts.is_worth_trying(&[1; 32]));
        attempts.begin_round(true);
        assert!(!attempts.is_worth_trying(&[1; 32]));
        assert!(attempts.is_worth_trying(&[2; 32]));
    }

    #[test]
    fn a_whole_round_tries_all() {
        let mut attempts = Attempts::default();
        attempts.note_failed([1; 32]);
        attempts.begin_round(false);
        assert!(attempts.is_worth_trying(&[1; 32]));
    }
}
