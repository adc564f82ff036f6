//! W-ddmin, weighted ddmin (Zhou et al., *WDD: Weighted Delta Debugging*, IV, Algorithm 1).
//!
//! Like [ddmin](crate::Ddmin), it tries runs of the list alone (*subsets*) and the list without
//! them (*complements*), in rounds that halve the runs. But runs are halved by weight rather
//! than by number, as a heavy element is less likely to go than a light one, and what remains
//! of a round's partitions is kept rather than split anew. A partition of one element leaves
//! the rounds. As heavy elements leave early, the elements are tried one by one at the end.
//!
//! ```
//! use reduce_algorithms::{WeightedDdmin, WeightedDdminOptions, minimize};
//!
//! let weights = [5, 8, 7, 7, 8, 16, 25, 6];
//! let mut tests = 0;
//! let mut search = WeightedDdmin::new(&weights, WeightedDdminOptions::PUBLISHED);
//! let reduced = minimize(&mut search, |subset| {
//!     tests += 1;
//!     [0, 2, 5, 6, 7].iter().all(|needed| subset.keeps(*needed))
//! });
//! // WDD, Fig. 2(b).
//! assert_eq!(tests, 26);
//! assert_eq!(reduced.expect("3 can go").kept().collect::<Vec<_>>(), [0, 2, 5, 6, 7]);
//! ```

mod machine;
mod partition;

use crate::speculative::Speculative;
pub use machine::{WeightedDdminMachine, WeightedDdminMark};

/// W-ddmin as a [`Search`](crate::Search).
///
/// The list as a whole is taken to be interesting and is not proposed. With
/// [`ensure_one_minimal`](WeightedDdminOptions::ensure_one_minimal) the result is 1-minimal: no
/// single element can be removed from it, unless it is the last.
pub type WeightedDdmin = Speculative<WeightedDdminMachine>;

impl WeightedDdmin {
    /// Searches the list whose elements have these weights, in tokens or any other unit of size; a
    /// weight of 0 counts as 1.
    #[must_use]
    pub fn new(weights: &[u64], options: WeightedDdminOptions) -> Self {
        Self::from_machine(WeightedDdminMachine::new(weights, options))
    }
}

/// How W-ddmin goes about it. The default is meant for lists of program parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedDdminOptions {
    /// Whether the elements are tried one by one at the end, until none can go: `ensureOneMinimal`
    /// of Algorithm 1. Default: yes.
    pub ensure_one_minimal: bool,
    /// What follows when a partition or an element was removed. Default: [`Revisit::Continue`].
    pub revisit: Revisit,
    /// Whether partitions are tried alone before their complements are. Such tests hardly ever
    /// succeed on programs (*Toward a Better Understanding of ProbDD*, IV-F: fewer than 0.01 % of
    /// half a million). Default: no.
    pub subsets: bool,
    /// Whether complements and single elements are tried from the end of the list backwards: what
    /// uses a definition mostly comes after it, and must go before it. Default: yes.
    pub from_the_end: bool,
    /// Whether the empty list is the first candidate. It is taken to be uninteresting if not.
    /// Default: yes.
    pub try_empty: bool,
}

impl WeightedDdminOptions {
    /// Algorithm 1 as published.
    pub const PUBLISHED: Self = Self {
        ensure_one_minimal: true,
        revisit: Revisit::Restart,
        subsets: true,
        from_the_end: false,
        try_empty: false,
    };
}

impl Default for WeightedDdminOptions {
    fn default() -> Self {
        Self {
            ensure_one_minimal: true,
            revisit: Revisit::Continue,
            subsets: false,
            from_the_end: true,
            try_empty: true,
        }
    }
}

/// What follows when a complement was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revisit {
    /// Start again from the first partition, or in the final pass from the first element, as
    /// published. Up to n² / 2 tests for n elements.
    Restart,
    /// Go on with the next one. A round tries each partition once; the final pass goes round in
    /// cycles of at most n tests until none of the elements that are left can go. What a restart
    /// tries again rarely succeeds (*Toward a Better Understanding of ProbDD*, IV-F: 0.13 %).
    Continue,
}
