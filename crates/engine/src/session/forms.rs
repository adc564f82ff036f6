//! Other forms of the best so far, which need not be smaller: laid out otherwise, with other names, or
//! the start of a detour.

use super::Session;
use crate::candidate::Candidate;
use crate::failure::Failure;
use reduce_syntax::{SourceTree, std_words};
use std::collections::BTreeSet;

/// Which words of the standard library candidates may have.
pub(crate) struct StdLimit(Option<BTreeSet<String>>);

impl Session<'_> {
    /// Does some work in which a candidate may be larger than the best so far.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn of_any_size<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.accepts_any_size = true;
        let result = work(self);
        self.accepts_any_size = false;
        result
    }

    /// Remembers the best so far while what is taken in its place is larger.
    pub(super) fn note_growth(&mut self, tokens_before: u64, tokens_after: u64) {
        let smallest = self.before_growth.as_ref();
        let smallest = smallest.map(|before| before.tree.count_tokens());
        match smallest {
            None if tokens_after > tokens_before => self.before_growth = Some(self.best.clone()),
            Some(smallest) if tokens_after <= smallest => self.before_growth = None,
            _ => {}
        }
    }

    /// For a search that was stopped: what was the best so far before the program grew, if it has not
    /// become smaller than that since.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn take_growth_back(&mut self) -> Result<(), Failure> {
        if let Some(before) = self.before_growth.take() {
            self.keep_late_edit()?;
            self.show(&before)?;
            self.set_best(before);
        }
        Ok(())
    }

    /// Ends with the best so far in another form, which was seen to be as interesting. The job goes on
    /// from what was accepted.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn end_with(&mut self, tree: SourceTree) -> Result<(), Failure> {
        let terms = self.best.terms.clone();
        let last = Candidate { tree, terms };
        self.keep_late_edit()?;
        self.show(&last)?;
        self.set_best(last);
        Ok(())
    }

    /// Does some work, and comes back unless `has_paid` says, at what there was, that the end of it
    /// has. What is accepted on the way is neither kept nor counted as a step. An end that is larger
    /// stays even if the search is stopped. Returns whether it paid.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn on_trial(
        &mut self,
        name: &str,
        work: impl FnOnce(&mut Self) -> Result<(), Failure>,
        has_paid: impl FnOnce(&Self, &Candidate) -> bool,
    ) -> Result<bool, Failure> {
        let before = self.best.clone();
        self.is_on_detour = true;
        let result = work(self);
        self.is_on_detour = false;
        let after = self.best.clone();
        self.set_best(before);
        let has_paid = has_paid(self, &after);
        if has_paid {
            let had_grown = self.before_growth.is_some();
            self.start_pass(name, self.round);
            self.accept(after)?;
            if !had_grown {
                self.before_growth = None;
            }
        }
        result.map(|()| has_paid)
    }

    /// From now on, candidates may only have the words of the standard library that the best so far
    /// has: else what is shorter by its names would come back. Returns the earlier limit.
    pub(crate) fn limit_std(&mut self) -> StdLimit {
        let words = std_words(&self.best.tree);
        StdLimit(self.std_limit.replace(words))
    }

    /// Back to an earlier limit.
    pub(crate) fn restore_std_limit(&mut self, limit: StdLimit) {
        self.std_limit = limit.0;
    }

    pub(super) fn is_within_std_limit(&self, candidate: &Candidate) -> bool {
        let limit = self.std_limit.as_ref();
        limit.is_none_or(|limit| std_words(&candidate.tree).is_subset(limit))
    }

    /// Does some work from which an interrupted job does not go on: it is repeated instead. What was
    /// asked before in another form of the program has its verdicts for that form.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn without_checkpoints<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.keeps_checkpoints = false;
        let result = work(self);
        self.keeps_checkpoints = true;
        result
    }
}
