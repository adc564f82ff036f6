//! A candidate: a program, and the terms on which the compiler is asked about it.

use reduce_oracle::{Linkage, Sources};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A program and the terms on which it is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) tree: SourceTree,
    pub(crate) terms: Terms,
}

/// How a program is asked about, where that differs from the plan and the property.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Terms {
    /// Which of the removable groups of flags are left out, by index, ascending. Behind those of the call come those that
    /// an earlier call has alone.
    pub(crate) left_out: Arc<Vec<usize>>,
    /// Which of the flags that one of two calls has alone are given to both, by index, ascending: first those of the first
    /// call.
    pub(crate) shared: Arc<Vec<usize>>,
    /// Errors of the baseline that are not allowed any more.
    pub(crate) forbidden: Arc<BTreeSet<String>>,
    /// The crates that it is linked with.
    pub(crate) linkage: Arc<Linkage>,
    /// The test is its `main`, and there is no harness.
    pub(crate) is_main: bool,
    /// No mutants are asked: what is done to it changes nothing but names and layout.
    pub(crate) is_unguarded: bool,
    /// Its versions have the names of revisions, as in a test of rustc's own.
    pub(crate) revisions: Option<Revisions>,
}

/// What the revisions of a test of incremental compilation are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Revisions {
    /// The first, which begins from nothing.
    pub(crate) first: &'static str,
    /// The second.
    pub(crate) second: &'static str,
}

impl Candidate {
    /// Another program on the same terms.
    pub(crate) fn with_tree(&self, tree: SourceTree) -> Self {
        Self {
            tree,
            terms: self.terms.clone(),
        }
    }
}

/// The files of a program as the oracle takes them.
pub(crate) fn sources(tree: &SourceTree) -> Sources {
    tree.files()
        .map(|(_, path, text)| (path.to_owned(), text.clone()))
        .collect()
}
