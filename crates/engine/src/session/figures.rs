//! The figures of a search. What is in them was used by the search, so that they do not depend on
//! the number of workers; only the compiler runs do, which were also made ahead of time.

use crate::answer::Effort;
use crate::decider::Decider;
use crate::figures::{DeciderStatistics, KindStatistics, OtherCrash};
use std::collections::BTreeMap;
use std::time::Duration;

/// The figures of a search.
#[derive(Debug, Clone, Default)]
pub(crate) struct Figures {
    pub(crate) queries: u64,
    pub(crate) cache_hits: u64,
    pub(crate) cache_hits_from_earlier_runs: u64,
    pub(crate) compiler_runs: u64,
    pub(crate) steps: u64,
    pub(crate) slippage: u64,
    /// The number of candidates that fail as the input does, but not in each run of the guard.
    pub(crate) refused_by_guard: u64,
    pub(crate) kinds: Vec<KindStatistics>,
    /// Our own time in the search, outside of the compiler.
    pub(crate) overhead: Duration,
    /// The compiler's CPU time, in all its runs.
    pub(crate) cpu: Duration,
    pub(crate) peak_memory_bytes: u64,
    deciders: BTreeMap<Decider, DeciderStatistics>,
    pub(crate) other_crashes: Vec<OtherCrash>,
}

impl Figures {
    /// Returns the figures of candidates, by the check that decided them.
    pub(crate) fn deciders(&self) -> Vec<DeciderStatistics> {
        self.deciders.values().copied().collect()
    }

    /// Returns the number of candidates that the compiler has decided, now or when they were asked
    /// about before.
    pub(super) fn decided(&self) -> u64 {
        self.queries + self.cache_hits
    }

    /// Counts a candidate that a check has decided.
    pub(super) fn add_decision(&mut self, decider: Decider, effort: Effort) {
        let statistics = self.deciders.entry(decider).or_insert(DeciderStatistics {
            decider,
            candidates: 0,
            wall_seconds: 0.0,
            cpu_seconds: 0.0,
        });
        statistics.candidates += 1;
        statistics.wall_seconds += effort.wall.as_secs_f64();
        statistics.cpu_seconds += effort.cpu.as_secs_f64();
    }

    /// Counts the cost of an answer, whether or not the search will use it.
    pub(super) fn add_effort(&mut self, effort: Effort) {
        self.overhead += effort.overhead;
        self.cpu += effort.cpu;
        self.peak_memory_bytes = self.peak_memory_bytes.max(effort.peak_memory_bytes);
    }

    /// Counts a query, in total and for its kind.
    pub(super) fn add_query(&mut self, kind: &str, is_interesting: bool) {
        self.queries += 1;
        let idx = match self.kinds.iter().position(|known| known.kind == kind) {
            Some(idx) => idx,
            None => {
                self.kinds.push(KindStatistics {
                    kind: kind.to_owned(),
                    queries: 0,
                    accepted: 0,
                });
                self.kinds.len() - 1
            }
        };
        self.kinds[idx].queries += 1;
        self.kinds[idx].accepted += u64::from(is_interesting);
    }
}
