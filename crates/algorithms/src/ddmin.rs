//! ddmin, the minimizing delta debugging algorithm (Zeller and Hildebrandt), in the form of
//! Hodován et al., *Extending Hierarchical Delta Debugging with Hoisting*, Fig. 1.
//!
//! The list is split into `n` runs of about equal length, at first two. Then, in this order:
//! each run is tried alone (*reduce to subset*, go on with two runs), then the list without each run
//! (*reduce to complement*, go on with one run less); if nothing was interesting, the number of runs
//! is doubled, until each has one element. After a complement the other runs stay as they are; the
//! list is split anew when the number of runs changes otherwise.
//!
//! ```
//! use reduce_algorithms::{Ddmin, minimize};
//!
//! let mut tests = 0;
//! let reduced = minimize(&mut Ddmin::new(8), |subset| {
//!     tests += 1;
//!     [0, 2, 5, 6, 7].iter().all(|needed| subset.keeps(*needed))
//! });
//! // Weighted Delta Debugging, Fig. 2(a).
//! assert_eq!(tests, 30);
//! assert_eq!(reduced.expect("1 can go").kept().collect::<Vec<_>>(), [0, 2, 5, 6, 7]);
//! ```

use crate::list::List;
use crate::list_search::list_search;
use crate::options::DdminOptions;
use crate::runs::{Partition, RunsMachine};

list_search! {
    /// ddmin as a [`Search`](crate::Search).
    ///
    /// As published, or with [`ensure_one_minimal`](DdminOptions::ensure_one_minimal), the result is
    /// 1-minimal: no single element can be removed from it, unless it is the last.
    Ddmin(RunsMachine)
}

impl Ddmin {
    /// Makes a search by ddmin as published, for a list of `len` elements. The list as a whole is
    /// taken to be interesting, the empty list not; neither is proposed.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self::over(List::new(len), DdminOptions::PUBLISHED)
    }

    /// Makes a search of `list` by ddmin.
    #[must_use]
    pub fn over(list: List, options: DdminOptions) -> Self {
        Self::run(RunsMachine::new(list, Partition::Even, options))
    }
}
