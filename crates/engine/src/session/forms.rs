//! Other forms of the best so far, which need not be smaller: laid out otherwise, with other names, or
//! the start of a detour.

use super::Session;
use crate::Failure;
use crate::ask::Candidate;
use crate::search::Alternatives;
use reduce_syntax::SourceTree;

impl Session<'_> {
    /// Puts a tree in place of the best so far if it is as interesting: one in another form, not
    /// necessarily smaller.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn try_instead(&mut self, pass: &str, tree: SourceTree) -> Result<(), Failure> {
        if tree == self.best.tree || self.cancel.is_cancelled() {
            return Ok(());
        }
        let candidate = Candidate {
            tree,
            ..self.best.clone()
        };
        self.in_pass(pass, 1, |session| {
            let alternatives = Alternatives {
                candidates: vec![candidate],
                kind: "other form",
            };
            let accepted = session.of_any_size(|session| alternatives.try_in(session));
            accepted.map(drop)
        })
    }

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
            self.tools.output.write_best(&before.tree)?;
            self.set_best(before);
        }
        Ok(())
    }

    /// Goes on with `work` from the first of `starts` that is interesting, whatever its size, and
    /// comes back unless that ends with something simpler than there was. What is accepted on the way
    /// is neither kept nor counted as a step. Returns whether it paid.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn detour(
        &mut self,
        name: &str,
        starts: Vec<SourceTree>,
        work: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let before = self.best.clone();
        self.is_on_detour = true;
        let mut result = Ok(());
        for start in starts {
            if result.is_ok() && self.best == before {
                result = self.try_instead(name, start);
            }
        }
        if result.is_ok() && self.best != before {
            result = work(self);
        }
        self.is_on_detour = false;
        let after = self.best.clone();
        self.set_best(before);
        let has_paid = self.is_simpler(&after);
        if has_paid {
            self.start_pass(name, self.round);
            self.accept(after)?;
        }
        result.map(|()| has_paid)
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
