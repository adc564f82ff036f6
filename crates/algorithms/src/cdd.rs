//! CDD, counter-based delta debugging (Zhang et al. 2025, *Toward a Better Understanding of
//! Probabilistic Delta Debugging*, V, Algorithm 2).
//!
//! CDD is what remains of ProbDD once its probabilities are seen to grow by the same factor with every
//! round: in each round the list is split into runs of the same length, and each is removed or
//! not, once. The length depends on the round's number alone, and shrinks to 1.
//!
//! ```
//! use reduce_algorithms::{Cdd, List, ProbabilityOptions, minimize};
//!
//! let published = ProbabilityOptions::PUBLISHED;
//! let options = ProbabilityOptions { initial_probability: 0.25, ..published };
//! let mut removed = Vec::new();
//! let reduced = minimize(&mut Cdd::over(List::new(8), options), |subset| {
//!     removed.push(subset.newly_removed().count());
//!     subset.keeps(1) && subset.keeps(3)
//! });
//! // The sizes of the paper's Table III; to remove 1 after 0 was tried with 0 and 1 together.
//! assert_eq!(removed, [4, 4, 2, 2, 1, 1, 1]);
//! assert_eq!(reduced.expect("6 can go").kept().collect::<Vec<_>>(), [1, 3]);
//! ```

use crate::list::List;
use crate::list_search::list_search;
use crate::options::{DdminOptions, ProbabilityOptions, Revisit, Ties};
use crate::runs::{Partition, RunsMachine};

list_search! {
    /// CDD as a [`Search`](crate::Search).
    ///
    /// The result is 1-minimal if removing an element never makes another removable, or if
    /// [`ensure_one_minimal`](ProbabilityOptions::ensure_one_minimal) is set.
    Cdd(RunsMachine)
}

impl Cdd {
    /// Makes a search of `list` by CDD.
    #[must_use]
    pub fn over(list: List, options: ProbabilityOptions) -> Self {
        let initial_probability = options.initial_probability;
        let partition = Partition::Counted {
            initial_probability,
        };
        let options = DdminOptions {
            ensure_one_minimal: options.ensure_one_minimal,
            revisit: Revisit::Continue,
            subsets: false,
            from_the_end: options.ties == Ties::FromTheEnd,
            try_empty: options.try_empty,
        };
        Self::run(RunsMachine::new(list, partition, options))
    }
}
