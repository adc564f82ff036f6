//! Delta debugging as synchronous machines: a list of elements, a yes/no test, and the question
//! which elements the test needs.
//!
//! This crate knows lists, weights and verdicts; nothing of what the elements are. It starts no
//! thread, does no I/O, and draws no random number without being given a seed. An algorithm is a [`Search`]: it *proposes*
//! candidates and is *answered* with verdicts, in any order, with as many outstanding as the caller
//! likes. The result is the same for one worker and for sixteen.
//!
//! ```
//! use reduce_algorithms::{DdminOptions, Search, WeightedDdmin};
//!
//! // A program of four functions with their sizes in tokens. Only the third crashes the compiler.
//! let sizes = [40, 200, 35, 80];
//! let mut search = WeightedDdmin::new(&sizes, DdminOptions::default());
//! let mut left = vec![0, 1, 2, 3];
//! while let Some((ticket, candidate)) = search.propose() {
//!     let still_crashes = candidate.keeps(2);
//!     if let Some(accepted) = search.answer(ticket, still_crashes).accepted {
//!         left = accepted.candidate.kept().collect();
//!     }
//! }
//! assert_eq!(left, [2]);
//! ```
//!
//! # Which one
//!
//! | algorithm | removes | 1-minimal | tests, of 1,000 for ddmin |
//! |---|---|---|---:|
//! | [`Ddmin`] | runs, halved by number | yes | 1,000 |
//! | [`WeightedDdmin`], as published | runs, halved by weight | yes | 680 |
//! | [`WeightedDdmin`], default | the same, without tests that rarely succeed | yes | 200 |
//! | [`ProbDd`] | sets that are likely to go | in a fixpoint | 155 |
//! | [`WeightedProbDd`] | sets by likelihood and weight | in a fixpoint | 160 |
//! | [`Cdd`] | runs of a length that shrinks by rule | in a fixpoint | 160 |
//!
//! The last column is the mean over the random lists of WDD, IV-D (`cargo bench -p reduce-algorithms
//! --bench simulation`), where an element can go or not whatever else goes. Programs are not like that:
//! measure. [`ListAlgorithm`] has all of them behind one type.
//!
//! - [`Tmin`] replaces elements by smaller ones instead of removing them.
//!
//! To add one, implement [`Sequential`], which knows one candidate at a time; [`Speculative`] makes
//! it a [`Search`].
//!
//! # What is known beforehand
//!
//! A [`List`] has weights; how probable it is that each element is needed, for [`ProbDd`] and
//! [`WeightedProbDd`]; and which elements go along with which: all algorithms then remove and keep
//! sets that are [closed](Closure) under it.
//!
//! # What they promise
//!
//! The list as a whole is interesting by assumption. Each accepted candidate was answered to be
//! interesting, on top of what was accepted before it. A *1-minimal* result is one from which no
//! single element can be removed (with what goes along with it). No candidate is proposed twice,
//! unless its ticket was [void](Answered::void). This takes constant time per candidate: sets of
//! elements are recognised by 128-bit fingerprints, which could in theory collide (at about 2^-128
//! for each pair).
//!
//! Memory is linear in the elements. Proposing a candidate takes logarithmic time, and no algorithm
//! copies the list for one: `cargo bench -p reduce-algorithms --bench scaling` prints the time for lists
//! of up to 10^6 elements.
//!
//! # Papers
//!
//! | here | paper | what is different, and why |
//! |---|---|---|
//! | [`Ddmin`] | Hodován et al. 2021, *Extending Hierarchical Delta Debugging with Hoisting*, Fig. 1, after Zeller and Hildebrandt 2002 | The order of tests is fixed: first to last, subsets before complements. After a complement the other runs stay as they are, which satisfies Fig. 1 and spares testing runs that are shifted by an element; the search goes on from the first complement, as the subsets are known. Tests whose outcome is known are left out: WDD, Fig. 2(a) counts in the same way. |
//! | [`WeightedDdmin`] with [`PUBLISHED`](DdminOptions::PUBLISHED) | Zhou et al. 2025, *WDD: Weighted Delta Debugging*, IV, Algorithm 1 | Known outcomes left out. The paper leaves ties between two ways to halve a partition open: the first half is then the lighter one. A weight of 0 counts as 1, as a list without weights would otherwise be split off element by element. |
//! | [`ProbDd`] | Wang et al. 2021, *Probabilistic Delta Debugging*, 3 | Of sets with the same gain, the larger: Fig. 2(c) of WDD has it so. Elements of the same probability go in the order of the list, or in one that a seed decides once (the paper shuffles for each test; IV-E of the next paper found no influence). What is known to fail teaches without being tested. |
//! | [`WeightedProbDd`] | Zhou et al. 2025, V, Algorithm 2 | The look for the best prefix ends once no longer one can be better, instead of at the end of the list. |
//! | [`Cdd`] | Zhang et al. 2025, *Toward a Better Understanding of Probabilistic Delta Debugging*, V, Algorithm 2 | Of sizes with the same gain, the larger. |
//! | [`Revisit::Continue`] | the same, IV-F, and OPDD (Gharachorlu and Sumner), named there | No restart after a success: 0.13 % of revisits succeeded. 1-minimality is kept by cycles over the elements at the end. |
//! | [`subsets: false`](DdminOptions::subsets) | the same, IV-F ("complement" there is what is *removed*) | A run is not tried alone: fewer than 0.01 % of such tests succeeded. |
//! | [`ONE_PASS`](DdminOptions::ONE_PASS) | the same, IV-F and IV-G | Both left out, and the cycles at the end too: for use in a fixpoint. |
//! | [`from_the_end`](DdminOptions::from_the_end) | none | Users mostly come after what they use and must go first. |
//! | [`try_empty`](DdminOptions::try_empty) | none | The papers take the empty list to fail; for the items of one module it often does not. |
//! | [`Closure`] | none | What uses something goes with it. |
//! | [`with_probabilities`](List::with_probabilities) | Wang et al. 2021, 3.1.4 | The paper has one prior for all elements. Here each may have its own. |
//! | [`Tmin`] | Hodován et al. 2021, III-B, Fig. 6 | The order, open in the paper, is cyclic. An element is replaced once: its alternatives belong to what it was. Its replacement's alternatives are for the next search. |
//! | [`Speculative`] | none | Runs ahead on assumed failures. |
//!
//! # Modules
//!
//! - `search` defines what a search is, seen from outside (tickets, answers), and `minimize` for the simple case.
//! - `speculative` makes a [`Search`] of a machine that knows one candidate at a time, by running it ahead on
//!   the assumption that what is outstanding fails.
//! - `algorithm` puts all list algorithms behind one type, `list` is what they are given, and `options` says
//!   how they go about it.
//! - `ddmin`, `wddmin` and `cdd` are the algorithms that work in rounds of runs. `runs` is the machine that
//!   they share, and `runs/partition` says how the runs of a round come out of those before.
//! - `cycle` goes round the elements one by one.
//! - `probdd` holds ProbDD and W-ProbDD, `probdd/model` their probabilities, and `ranking` finds the best
//!   element while these change.
//! - `list_search` gives each list algorithm a type of its own.
//! - `closure` describes elements that bring others with them.
//! - `tmin` is TMIN, which replaces elements instead of removing them.
//! - `waves` tests many candidates of another search on the same list, and combines those that are interesting.
//! - `subset` and `current` are a candidate and the current list, neither of which copies the list; `bits`,
//!   `sums` and `fenwick` are the data structures below them.
//! - `tested` remembers which candidates have failed, and `fingerprint` names a candidate in constant time.
//! - `random` draws numbers from a seed.
//! - [`tree`] has the strategies for trees: HDD, coarse HDD, HDDr, HOIST, HDDH and a worklist.
//!   - `tree/arena` and `tree/node` are the tree; `tree/change` is what can be done to it, and
//!     `tree/hoistable` finds what may stand in place of a node.
//!   - `tree/search` makes one search without repetitions of many searches of levels and nodes; `tree/inner`
//!     is one of these, and `tree/known` remembers what has failed.
//!   - `tree/route` says which search follows which; `tree/levels` goes level by level and `tree/worklist`
//!     node by node.

mod algorithm;
mod bits;
mod cdd;
mod closure;
mod current;
mod cycle;
mod ddmin;
mod fenwick;
mod fingerprint;
mod list;
mod list_search;
mod options;
mod probdd;
mod random;
mod ranking;
mod runs;
mod search;
mod speculative;
mod subset;
mod sums;
mod tested;
mod tmin;
pub mod tree;
mod waves;
mod wddmin;

pub use algorithm::{BoxedListSearch, ListAlgorithm};
pub use cdd::Cdd;
pub use closure::Closure;
pub use ddmin::Ddmin;
pub use list::List;
pub use options::{DdminOptions, ProbabilityOptions, Revisit, Ties};
pub use probdd::{ProbDd, WeightedProbDd};
pub use search::{Accepted, Answered, Search, Ticket, minimize};
pub use speculative::{Sequential, Speculative};
pub use subset::{Kind, Subset};
pub use tmin::{Replacement, Tmin, TminMachine, TminMark};
pub use waves::{Combine, Combined, Waves};
pub use wddmin::WeightedDdmin;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
