//! A candidate: a program, and the compile options with which the compiler is asked about it.

use reduce_guard::without_points;
use reduce_oracle::{Linkage, OwnResults, Signature};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A program and the compile options with which it is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) tree: SourceTree,
    pub(crate) compile_options: CompileOptions,
}

/// The compile options of a candidate, which differ from the plan and the property.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CompileOptions {
    /// The groups of compiler flags that are left out, by index, ascending. Behind those of the call come those that an
    /// earlier call has alone.
    pub(crate) left_out: Arc<Vec<usize>>,
    /// The flags that the plan gives to only one of its two calls and that both calls get here, by index, ascending:
    /// first those of the first call.
    pub(crate) shared: Arc<Vec<usize>>,
    /// Errors of the baseline that are not allowed any more.
    pub(crate) forbidden: Arc<BTreeSet<String>>,
    /// The crates that the program is linked with.
    pub(crate) linkage: Arc<Linkage>,
    /// Whether the test is the program's `main`, so that there is no harness.
    pub(crate) is_main: bool,
    /// Whether no guard is asked about the program, because nothing but its names and layout is
    /// changed.
    pub(crate) is_unguarded: bool,
    /// The results that the program has to keep where they are not the original's, as the test was written anew or judged again.
    pub(crate) own_results: Option<Arc<OwnResults>>,
    /// The names of the program's two versions where these are revisions, as in a test of rustc's
    /// own.
    pub(crate) revisions: Option<Revisions>,
}

/// The names of the two revisions of a test of incremental compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Revisions {
    /// The name of the first revision, which begins from nothing.
    pub(crate) first: &'static str,
    /// The name of the second revision.
    pub(crate) second: &'static str,
}

impl CompileOptions {
    /// Returns the failure that the program has to show in place of the original's, if it has one of its own.
    pub(crate) fn own_failure(&self) -> Option<&Signature> {
        self.own_results.as_ref()?.failure.as_ref()
    }
}

impl Candidate {
    /// Returns the program without the marks of the guard, as from now on nothing but names and layout is changed. It is
    /// asked about as a person would.
    pub(crate) fn unguarded(&self) -> Self {
        let mut plain = self.with_tree(without_points(&self.tree));
        plain.compile_options.is_unguarded = true;
        plain
    }

    /// Returns a candidate of another program with the same compile options.
    pub(crate) fn with_tree(&self, tree: SourceTree) -> Self {
        Self {
            tree,
            compile_options: self.compile_options.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_guard::has_points;

    #[test]
    fn what_is_not_to_change_has_no_marks() {
        let text = "fn f(a: u8) -> bool { a /*@4*/ < 3 }";
        let tree = SourceTree::single("lib.rs".into(), Arc::from(text));
        assert!(has_points(&tree));
        let candidate = Candidate {
            tree,
            compile_options: CompileOptions::default(),
        };
        let plain = candidate.unguarded();
        assert!(plain.compile_options.is_unguarded);
        assert!(!has_points(&plain.tree));
    }
}
