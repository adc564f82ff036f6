//! The figures of a search. What is in them was used by the search, so that they do not depend on
//! the number of workers; only the compiler runs do, which were also made ahead of time.

use crate::summary::{KindStatistics, OtherCrash};

/// The figures of a search.
#[derive(Debug, Clone, Default)]
pub(crate) struct Figures {
    pub(crate) queries: u64,
    pub(crate) cache_hits: u64,
    pub(crate) cache_hits_from_earlier_runs: u64,
    pub(crate) compiler_runs: u64,
    pub(crate) steps: u64,
    pub(crate) slippage: u64,
    pub(crate) kinds: Vec<KindStatistics>,
    pub(crate) other_crashes: Vec<OtherCrash>,
}

impl Figures {
    /// Counts a query, in all and by its kind.
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
