//! The options of the list algorithms.

/// The options of ddmin and W-ddmin. The default is meant for lists of program parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DdminOptions {
    /// Whether the elements are tried one by one at the end, until none can go: `ensureOneMinimal`
    /// of WDD, Algorithm 1. ddmin that restarts has then tried them already. Default: yes.
    pub ensure_one_minimal: bool,
    /// The next step after a run of elements, or a single one, was removed. Default:
    /// [`Revisit::Continue`].
    pub revisit: Revisit,
    /// Whether each run is also tried alone, before the list without it is. Such tests hardly ever
    /// succeed on programs (*Toward a Better Understanding of ProbDD*, IV-F: fewer than 0.01 % of
    /// half a million). Default: no.
    pub subsets: bool,
    /// Whether complements and single elements are tried from the end of the list backwards: the
    /// uses of a definition mostly come after it, and must go before it. Default: yes.
    pub from_the_end: bool,
    /// Whether the empty list is the first candidate. It is taken to be uninteresting if not.
    /// Default: yes.
    pub try_empty: bool,
}

impl DdminOptions {
    /// ddmin and W-ddmin as published.
    pub const PUBLISHED: Self = Self {
        ensure_one_minimal: true,
        revisit: Revisit::Restart,
        subsets: true,
        from_the_end: false,
        try_empty: false,
    };

    /// The options of a single pass: each run of each round is removed or not, once; none is tried
    /// alone, and none again. Neither 1-minimal; a fixpoint around it can be (*Toward a Better
    /// Understanding of ProbDD*, IV-F, G).
    pub const ONE_PASS: Self = Self {
        ensure_one_minimal: false,
        revisit: Revisit::Continue,
        subsets: false,
        ..Self::PUBLISHED
    };
}

impl Default for DdminOptions {
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

/// The next step when a complement was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revisit {
    /// Starts again from the first run, or in the final pass from the first element, as published.
    /// Up to n² / 2 tests for n elements.
    Restart,
    /// Goes on with the next run or element. A round tries each run once; the final pass goes round
    /// in cycles of at most n tests until none of the elements that are left can go. What a restart
    /// tries again rarely succeeds (*Toward a Better Understanding of ProbDD*, IV-F: 0.13 %).
    Continue,
}

/// The options of CDD, ProbDD and W-ProbDD. The default is meant for lists of program parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbabilityOptions {
    /// The probability at first that an element is in the result, where nothing is known about it:
    /// more than 0, less than 1. The expected share of the result. Default: 0.1, as in the
    /// evaluations of the papers.
    pub initial_probability: f64,
    /// The order of equally promising elements. CDD has no chance in it: with [`Ties::Shuffled`] it
    /// goes from the start. Default: [`Ties::FromTheEnd`].
    pub ties: Ties,
    /// Whether the elements are tried one by one at the end, until none can go. As published, the
    /// result need not be 1-minimal. Default: no.
    pub ensure_one_minimal: bool,
    /// Whether the empty list is the first candidate. It is taken to be uninteresting if not.
    /// Default: yes.
    pub try_empty: bool,
}

impl ProbabilityOptions {
    /// The options as published; but among equally promising elements the order of the list
    /// decides, not chance.
    pub const PUBLISHED: Self = Self {
        initial_probability: 0.1,
        ties: Ties::FromTheStart,
        ensure_one_minimal: false,
        try_empty: false,
    };
}

impl Default for ProbabilityOptions {
    fn default() -> Self {
        Self {
            ties: Ties::FromTheEnd,
            try_empty: true,
            ..Self::PUBLISHED
        }
    }
}

/// The order of equally promising elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// The element that comes first in the list is tried first: stable sorting.
    FromTheStart,
    /// The element that comes last in the list is tried first.
    FromTheEnd,
    /// Chance decides, with the same outcome for the same seed (ProbDD, `RandomizeThenSort`; but an
    /// element draws its place once, not for each test).
    Shuffled(u64),
}
