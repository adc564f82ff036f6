//! Reduction of trees: a test that holds for a whole tree, and the question how small a tree it
//! still holds for.
//!
//! A list algorithm does not know that a statement belongs to a function: its candidates cut across
//! what belongs together, and most of them are no programs at all. *Hierarchical* delta debugging
//! removes subtrees, from the root downwards, where a few tests can remove most of the tree.
//! Two things can be done with a node of a tree:
//!
//! - **Pruning** takes it away with all that is below it, or puts the [smallest valid
//!   fragment](Removal::Smallest) in its place.
//! - **Hoisting** puts a [compatible](Classes) descendant in its place. What is around the
//!   descendant goes, which pruning cannot do: in `f(g(x))`, pruning `g(x)` breaks the call of `f`,
//!   and pruning the call of `f` takes `g(x)` with it.
//!
//! A [`TreeSearch`] is given a [`Tree`], a [`TreeStrategy`] that says what is done where and in
//! which order, and the list algorithm that prunes a list of nodes. It proposes [`TreeChange`]s.
//!
//! ```
//! use reduce_algorithms::tree::{
//!     Class, Node, NodeId, Removal, Tree, TreeChange, TreeOptions, TreeSearch,
//! };
//! use reduce_algorithms::{DdminOptions, Search, WeightedDdmin};
//!
//! // f(g(x)); h();  The crash is in g(x).
//! let call = Class::new(0);
//! let statement = Node { weight: 1, removal: Removal::Remove, ..Node::default() };
//! let expression = Node { weight: 3, class: Some(call), accepts: call.into(), ..Node::default() };
//! let mut tree = Tree::new();
//! let block = tree.push(None, Node::default());
//! let first = tree.push(Some(block), statement);
//! let f = tree.push(Some(first), expression);
//! let g = tree.push(Some(f), Node { weight: 4, ..expression });
//! let second = tree.push(Some(block), statement);
//! let h = tree.push(Some(second), expression);
//!
//! // HOIST*, then HDD*, with W-ddmin for the levels.
//! let options = TreeOptions::default();
//! let mut search = TreeSearch::new(tree, options, |_: &[NodeId], weights: &[u64]| {
//!     Box::new(WeightedDdmin::new(weights, DdminOptions::default()))
//! });
//! while let Some((ticket, change)) = search.propose() {
//!     let mut candidate = search.tree().clone();
//!     candidate.apply(&change);
//!     search.answer(ticket, candidate.is_left(g));
//! }
//! assert_eq!(search.tree().left().collect::<Vec<_>>(), [block, first, g]);
//! assert_eq!(search.tree().total_weight(), 5);
//! ```
//!
//! # The strategies, their papers, and what is different here
//!
//! HDD 2021 is Vince, Hodován, Bársony and Kiss, *Extending Hierarchical Delta
//! Debugging with Hoisting*. WDD is Zhou et al. 2025, *WDD: Weighted Delta Debugging*.
//!
//! | here | paper | what is different, and why |
//! |---|---|---|
//! | [`Hdd`](TreeStrategy::Hdd) | HDD 2021, II, Fig. 2, after Misherghi and Su 2006 | Only nodes that may be pruned are in the list of a level, instead of failing there one by one. If one is left, it is tried alone, as Fig. 1 takes the empty list to fail. With [`fixpoint`](TreeOptions::fixpoint) this is HDD\*, and 1-tree-minimal if the list algorithm is 1-minimal: no single node that is left can be pruned. |
//! | [`CoarseHdd`](TreeStrategy::CoarseHdd) | Hodován, Kiss and Gyimóthy 2017, *Coarse Hierarchical Delta Debugging* | Its nodes are those of which nothing remains. HDD follows, for the rest. |
//! | [`HddRecursive`](TreeStrategy::HddRecursive) | Kiss, Hodován and Gyimóthy 2018, *HDDr: A Recursive Variant of the Hierarchical Delta Debugging Algorithm* | The children of each node are a list of their own, depth first, in preorder. |
//! | [`Hoist`](TreeStrategy::Hoist) | HDD 2021, III-C, Fig. 6 to 8 | See below. |
//! | [`Hddh`](TreeStrategy::Hddh) | HDD 2021, III-C, Fig. 9 | None but those of its parts. |
//! | [`HoistThenHdd`](TreeStrategy::HoistThenHdd), [`HoistThenHddh`](TreeStrategy::HoistThenHddh) | HDD 2021, IV | With [`fixpoint`](TreeOptions::fixpoint) HOIST\*+HDD\* and HOIST\*+HDDH\*: each stage is repeated until it accepts nothing, then comes the next. |
//! | [`Worklist`](TreeStrategy::Worklist) | Sun et al. 2018, *Perses: Syntax-Guided Program Reduction*, named in HDD 2021, IV and WDD, III | The heaviest node first. A list loses children by the list algorithm; another node goes alone, or is replaced, the nearest and lightest descendant first. Which replacements fit is said by [`Node::accepts`] instead of a grammar in normal form. |
//! | [`Removal::Smallest`] | HDD 2021, II, the later reading of PRUNE | A node no heavier than its fragment is not tried. |
//!
//! Where Fig. 6 to 8 leave things open, or we depart from them:
//!
//! - **The order of Fig. 6** is that of [`Tmin`](crate::Tmin), which replaces an element once; it is
//!   run again on the level, with the replacements in their places, until it accepts nothing.
//!   So the level is 1-maximal, and replacement is transitive, as Fig. 6 asks.
//! - **Alternatives** are those of Fig. 7, and one step further: what is nearest below the nearest,
//!   as the nearest may be what has to go. [`nearest_only`](TreeOptions::nearest_only) is Fig. 7 as
//!   published. There are at most [`max_alternatives`](TreeOptions::max_alternatives).
//! - **The measure** of Fig. 6 is the weight, not the number of nodes. What is hoisted must be
//!   lighter than what it replaces.
//! - **A level goes on with what was hoisted**: its children are on the next level. It takes over
//!   whether its place may be pruned, and what may stand there.
//! - **No test is repeated.** What failed is not proposed again before something else is accepted,
//!   across levels, rounds and stages. The last round of a fixpoint costs little for it.

mod arena;
mod change;
mod hoistable;
mod inner;
mod known;
mod levels;
mod node;
mod options;
mod route;
mod search;
mod task;
mod worklist;

pub use arena::Tree;
pub use change::{Pruned, TreeChange};
pub use node::{Class, Classes, Node, NodeId, Removal};
pub use options::{TreeOptions, TreeStrategy};
pub use search::TreeSearch;
