//! W-ddmin, weighted ddmin (Zhou et al., *WDD: Weighted Delta Debugging*, IV, Algorithm 1).
//!
//! Like [ddmin](crate::Ddmin), it tries runs of the list alone (*subsets*) and the list without
//! them (*complements*), in rounds that halve the runs. But runs are halved by weight rather
//! than by number, as a heavy element is less likely to go than a light one, and what remains
//! of a round's partitions is kept rather than split anew. A partition of one element leaves
//! the rounds. As heavy elements leave early, the elements are tried one by one at the end.
//!
//! ```
//! use reduce_algorithms::{DdminOptions, WeightedDdmin, minimize};
//!
//! let weights = [5, 8, 7, 7, 8, 16, 25, 6];
//! let mut tests = 0;
//! let mut search = WeightedDdmin::new(&weights, DdminOptions::PUBLISHED);
//! let reduced = minimize(&mut search, |subset| {
//!     tests += 1;
//!     [0, 2, 5, 6, 7].iter().all(|needed| subset.keeps(*needed))
//! });
//! // WDD, Fig. 2(b).
//! assert_eq!(tests, 26);
//! assert_eq!(reduced.expect("3 can go").kept().collect::<Vec<_>>(), [0, 2, 5, 6, 7]);
//! ```
//!
//! See docs/decisions/search.md.

use crate::list::List;
use crate::list_search::list_search;
use crate::options::DdminOptions;
use crate::runs::{Partition, RunsMachine};

list_search! {
    /// W-ddmin as a [`Search`](crate::Search).
    ///
    /// The list as a whole is taken to be interesting and is not proposed. With
    /// [`ensure_one_minimal`](DdminOptions::ensure_one_minimal) the result is 1-minimal: no single
    /// element can be removed from it, unless it is the last.
    WeightedDdmin(RunsMachine)
}

impl WeightedDdmin {
    /// Makes a search of the list whose elements have these weights, in tokens or any other unit of
    /// size; a weight of 0 counts as 1.
    #[must_use]
    pub fn new(weights: &[u64], options: DdminOptions) -> Self {
        Self::over(List::weighted(weights), options)
    }

    /// Makes a search of `list` by W-ddmin.
    #[must_use]
    pub fn over(list: List, options: DdminOptions) -> Self {
        Self::run(RunsMachine::new(list, Partition::Weighted, options))
    }
}
