//! All list algorithms behind one type, for callers that let a user choose one.

use crate::list::List;
use crate::options::{DdminOptions, ProbabilityOptions};
use crate::search::Search;
use crate::subset::Subset;
use crate::{Cdd, Ddmin, ProbDd, WeightedDdmin, WeightedProbDd};

/// A list algorithm with its options.
///
/// ```
/// use reduce_algorithms::{List, ListAlgorithm, minimize};
///
/// for algorithm in ListAlgorithm::ALL {
///     let mut search = algorithm.search(List::new(100));
///     let reduced = minimize(&mut *search, |subset| subset.keeps(17) && subset.keeps(80));
///     assert_eq!(reduced.expect("less is needed").kept().collect::<Vec<_>>(), [17, 80]);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ListAlgorithm {
    /// The plain algorithm [`Ddmin`].
    Ddmin(DdminOptions),
    /// The algorithm [`WeightedDdmin`].
    WeightedDdmin(DdminOptions),
    /// The algorithm [`ProbDd`].
    ProbDd(ProbabilityOptions),
    /// The algorithm [`WeightedProbDd`].
    WeightedProbDd(ProbabilityOptions),
    /// The algorithm [`Cdd`].
    Cdd(ProbabilityOptions),
}

/// A search of any list algorithm, which can be sent to another thread.
pub type BoxedListSearch = Box<dyn Search<Candidate = Subset> + Send>;

impl ListAlgorithm {
    /// All algorithms as they were published, oldest first.
    pub const ALL: [Self; 5] = [
        Self::Ddmin(DdminOptions::PUBLISHED),
        Self::WeightedDdmin(DdminOptions::PUBLISHED),
        Self::ProbDd(ProbabilityOptions::PUBLISHED),
        Self::WeightedProbDd(ProbabilityOptions::PUBLISHED),
        Self::Cdd(ProbabilityOptions::PUBLISHED),
    ];

    /// Returns the name of the algorithm in the papers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ddmin(_) => "ddmin",
            Self::WeightedDdmin(_) => "W-ddmin",
            Self::ProbDd(_) => "ProbDD",
            Self::WeightedProbDd(_) => "W-ProbDD",
            Self::Cdd(_) => "CDD",
        }
    }

    /// Makes a search of `list` by this algorithm.
    #[must_use]
    pub fn search(self, list: List) -> BoxedListSearch {
        match self {
            Self::Ddmin(options) => Box::new(Ddmin::over(list, options)),
            Self::WeightedDdmin(options) => Box::new(WeightedDdmin::over(list, options)),
            Self::ProbDd(options) => Box::new(ProbDd::over(list, options)),
            Self::WeightedProbDd(options) => Box::new(WeightedProbDd::over(list, options)),
            Self::Cdd(options) => Box::new(Cdd::over(list, options)),
        }
    }
}
