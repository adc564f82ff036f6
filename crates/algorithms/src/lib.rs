//! Delta debugging as synchronous machines: a list of elements, a yes/no test, and the question
//! which elements the test needs.
//!
//! This crate knows lists, weights and verdicts; nothing of what the elements are. It starts no
//! thread, does no I/O and draws no random numbers. An algorithm is a [`Search`]: it *proposes*
//! candidates and is *answered* with verdicts, in any order, with as many outstanding as the caller
//! likes. The result is the same for one worker and for sixteen.
//!
//! ```
//! use reduce_algorithms::{Search, WeightedDdmin, WeightedDdminOptions};
//!
//! // A program of four functions with their sizes in tokens. Only the third crashes the compiler.
//! let sizes = [40, 200, 35, 80];
//! let mut search = WeightedDdmin::new(&sizes, WeightedDdminOptions::default());
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
//! - [`WeightedDdmin`] removes elements from a list. The choice for most purposes; its
//!   [default options](WeightedDdminOptions::default) leave out tests that rarely succeed.
//! - [`Ddmin`] is the classic, for comparison.
//! - [`Tmin`] replaces elements by smaller ones instead of removing them.
//!
//! To add one, implement [`Sequential`], which knows one candidate at a time; [`Speculative`] makes
//! it a [`Search`].
//!
//! # What they promise
//!
//! The list as a whole is interesting by assumption. Each accepted candidate was answered to be
//! interesting, on top of what was accepted before it. A *1-minimal* result is one from which no
//! single element can be removed. No candidate is proposed twice, unless its ticket was
//! [void](Answered::void). This takes constant time per candidate: sets of elements are recognised by
//! 128-bit fingerprints, which could in theory collide (at about 2^-128 for each pair).
//!
//! # Papers
//!
//! | here | paper | what is different, and why |
//! |---|---|---|
//! | [`Ddmin`] | Hodován et al. 2021, *Extending Hierarchical Delta Debugging with Hoisting*, Fig. 1, after Zeller and Hildebrandt 2002 | The order of tests is fixed: first to last, subsets before complements. After a complement the other runs stay as they are, which satisfies Fig. 1 and spares testing runs that are shifted by an element; the search goes on from the first complement, as the subsets are known. Tests whose outcome is known are left out: WDD, Fig. 2(a) counts in the same way. |
//! | [`WeightedDdmin`] with [`PUBLISHED`](WeightedDdminOptions::PUBLISHED) | Zhou et al. 2025, *WDD: Weighted Delta Debugging*, IV, Algorithm 1 | Known outcomes left out. The paper leaves ties between two ways to halve a partition open: the first half is then the lighter one. A weight of 0 counts as 1, as a list without weights would otherwise be split off element by element. |
//! | [`Revisit::Continue`] | Zhang et al. 2025, *Toward a Better Understanding of Probabilistic Delta Debugging*, IV-F, and OPDD (Gharachorlu and Sumner), named there | No restart after a success: 0.13 % of revisits succeeded. 1-minimality is kept by cycles over the elements at the end. |
//! | [`subsets: false`](WeightedDdminOptions::subsets) | the same, IV-F ("complement" there is what is *removed*) | A run is not tried alone: fewer than 0.01 % of such tests succeeded. |
//! | [`from_the_end`](WeightedDdminOptions::from_the_end) | none | Users mostly come after what they use and must go first. |
//! | [`try_empty`](WeightedDdminOptions::try_empty) | none | The papers take the empty list to fail; for the items of one module it often does not. |
//! | [`Tmin`] | Hodován et al. 2021, III-B, Fig. 6 | The order, open in the paper, is cyclic. An element is replaced once: its alternatives belong to what it was. Its replacement's alternatives are for the next search. |
//! | [`Speculative`] | none | Runs ahead on assumed failures. |

mod bits;
mod current;
mod ddmin;
mod fingerprint;
mod search;
mod speculative;
mod subset;
mod tested;
mod tmin;
mod wddmin;

pub use ddmin::{Ddmin, DdminMachine, DdminMark};
pub use search::{Accepted, Answered, Search, Ticket, minimize};
pub use speculative::{Sequential, Speculative};
pub use subset::Subset;
pub use tmin::{Replacement, Tmin, TminMachine, TminMark};
pub use wddmin::{
    Revisit, WeightedDdmin, WeightedDdminMachine, WeightedDdminMark, WeightedDdminOptions,
};

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
