//! Remembers the changes that have failed, so that none is proposed again on the same tree.
//!
//! Each change has a fingerprint, and a state of the tree that of the changes that led to it. A
//! candidate is known by the exclusive-or of both: the fingerprint of the tree that it makes. A
//! round that repeats what the round before has found out therefore costs no query, and a list
//! algorithm may have tested "without all" before all but one were removed.
//!
//! Failures are taken down when a candidate after them is accepted or their search ends, not when
//! they arrive: what is known then does not depend on how many candidates were outstanding.

use super::change::TreeChange;
use crate::fingerprint::{BuildFingerprintHasher, EMPTY, Fingerprint};
use crate::search::Ticket;
use std::collections::HashSet;

/// The number of failures that are kept at most when a change is accepted, for each node of the
/// tree.
const FAILURES_PER_NODE: usize = 2;
const LEAST_FAILURES: usize = 1024;

#[derive(Debug)]
pub(super) struct Known {
    failed: HashSet<Fingerprint, BuildFingerprintHasher>,
    /// The proposals of the active search since it accepted something, in order.
    proposed: Vec<(Ticket, Fingerprint)>,
    state: Fingerprint,
    limit: usize,
}

impl Known {
    pub(super) fn new(n_nodes: usize) -> Self {
        Self {
            failed: HashSet::default(),
            proposed: Vec::new(),
            state: EMPTY,
            limit: FAILURES_PER_NODE * n_nodes + LEAST_FAILURES,
        }
    }

    pub(super) fn has_failed(&self, change: &TreeChange) -> bool {
        self.failed.contains(&self.outcome(change))
    }

    pub(super) fn proposed(&mut self, ticket: Ticket, change: &TreeChange) {
        let outcome = self.outcome(change);
        self.proposed.push((ticket, outcome));
    }

    /// Notes an accepted change, and that all proposals before its `ticket` have failed. What failed
    /// on the tree as it was until now may be forgotten: that it is still known only helps by
    /// chance.
    pub(super) fn accepted(&mut self, ticket: Ticket, change: &TreeChange) {
        let proposed = self.proposed.drain(..);
        let failed = proposed.take_while(|(earlier, _)| *earlier < ticket);
        self.failed.extend(failed.map(|(_, outcome)| outcome));
        self.state ^= change.fingerprint();
        if self.failed.len() > self.limit {
            self.failed.clear();
        }
    }

    /// Notes that everything that was proposed since the last acceptance has failed.
    pub(super) fn search_ended(&mut self) {
        let proposed = self.proposed.drain(..);
        self.failed.extend(proposed.map(|(_, outcome)| outcome));
    }

    /// Returns the fingerprint of the tree that `change` would make.
    fn outcome(&self, change: &TreeChange) -> Fingerprint {
        self.state ^ change.fingerprint()
    }
}
