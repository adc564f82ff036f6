//! The options of a tree search: its strategy, and the limits of hoisting.

/// A strategy for reducing a tree: the work at each node or level, and its order. See [the module](super) for
/// the papers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TreeStrategy {
    /// HDD: prunes level by level.
    Hdd,
    /// Coarse HDD, which prunes only what can go without a trace, then HDD.
    CoarseHdd,
    /// HDDr: prunes among the children of each node, depth first.
    HddRecursive,
    /// HOIST: hoists level by level.
    Hoist,
    /// HDDH: at each level prunes, then hoists.
    Hddh,
    /// HOIST, then HDD.
    HoistThenHdd,
    /// HOIST, then HDDH.
    HoistThenHddh,
    /// Visits the heaviest node first: prunes among the children of a list, prunes a node alone, or
    /// replaces it.
    Worklist,
}

impl TreeStrategy {
    /// All strategies.
    pub const ALL: [Self; 8] = [
        Self::Hdd,
        Self::CoarseHdd,
        Self::HddRecursive,
        Self::Hoist,
        Self::Hddh,
        Self::HoistThenHdd,
        Self::HoistThenHddh,
        Self::Worklist,
    ];

    /// Returns the name of the strategy in the papers, without the asterisk of a fixpoint.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hdd => "HDD",
            Self::CoarseHdd => "coarse HDD",
            Self::HddRecursive => "HDDr",
            Self::Hoist => "HOIST",
            Self::Hddh => "HDDH",
            Self::HoistThenHdd => "HOIST+HDD",
            Self::HoistThenHddh => "HOIST+HDDH",
            Self::Worklist => "worklist",
        }
    }
}

/// The options of a reduction of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeOptions {
    /// The strategy by which the tree is reduced. Default: HOIST, then HDD.
    pub strategy: TreeStrategy,
    /// Whether each stage is repeated until a whole round of it accepts nothing: the asterisk of
    /// HDD\*. Default: yes.
    pub fixpoint: bool,
    /// The number of descendants that are offered for a node at most. Sixteen times as many are looked at, as
    /// some are too far away or not lighter. 0: nothing is hoisted. Default: 12.
    pub max_alternatives: usize,
    /// The number of levels that a descendant may be below the node that it replaces, at most. Default: any
    /// number.
    pub max_distance: Option<u32>,
    /// Whether only the nearest compatible descendant on each path is offered, as in Fig. 7; else
    /// also those nearest below it, and for a worklist all. Default: no.
    pub nearest_only: bool,
}

impl TreeOptions {
    /// Makes the options of a strategy as published: a fixpoint, with all hoistable descendants of
    /// Fig. 7.
    #[must_use]
    pub const fn published(strategy: TreeStrategy) -> Self {
        Self {
            strategy,
            fixpoint: true,
            max_alternatives: usize::MAX,
            max_distance: None,
            nearest_only: true,
        }
    }
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self {
            strategy: TreeStrategy::HoistThenHdd,
            fixpoint: true,
            max_alternatives: 12,
            max_distance: None,
            nearest_only: false,
        }
    }
}
