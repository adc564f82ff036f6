//! Checks of programs outside of the search: as a person sees them, and how often they fail.

use super::CompilerOracle;
use crate::candidate::{Candidate, CompileOptions};
use crate::failure::Failure;
use reduce_oracle::{
    Cancel, Expectation, Neighbour, Plan, Sample, Shown, Surroundings, ask_neighbours,
};
use reduce_syntax::SourceTree;

impl CompilerOracle {
    /// Whether the compiler's output shows the failure that candidates with these compile options have, with no error that they
    /// may not have.
    pub(crate) fn is_interesting(&self, compile_options: &CompileOptions, shown: &Shown) -> bool {
        let property = &self.criteria.property;
        let adds_none = shown.errors.is_subset(&property.allowed_errors);
        let failures = shown.failures();
        self.show_same_failure(compile_options, &failures)
            && (adds_none || property.allow_errors)
            && property.patterns.accept(|| shown.printed())
    }

    /// Compiles a program as a person would, and returns what is printed.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn show(
        &self,
        plan: &Plan,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Shown, Failure> {
        let mut worker = self.workshop.worker("show", plan)?;
        // Nothing is asked beside it any more, and a backtrace takes its time.
        worker.expect(Expectation::default().again());
        let is_wanted = |shown: &Shown| self.is_interesting(&candidate.compile_options, shown);
        Ok(worker.show(plan, &candidate.tree.to_files(), &is_wanted, cancel)?)
    }

    /// Compiles a program with a compiler that crashes at the first delayed bug, and returns what is printed. `None` where the
    /// failure is no crash, or errors come before it.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn show_first_bug(
        &self,
        plan: &Plan,
        tree: &SourceTree,
        cancel: &Cancel,
    ) -> Result<Option<Shown>, Failure> {
        let is_first = self.criteria.property.allowed_errors.is_empty();
        let Some(plan) = plan.until_first_bug().filter(|_| is_first) else {
            return Ok(None);
        };
        let mut worker = self.workshop.worker("show", &plan)?;
        Ok(Some(worker.show(
            &plan,
            &tree.to_files(),
            &|_| true,
            cancel,
        )?))
    }

    /// Runs a candidate until it is clear how often it fails, in the scratch directory of this name. A
    /// warm compiler answers where there is one.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn sample(
        &self,
        directory: &str,
        candidate: &Candidate,
        is_enough: &dyn Fn(Sample, &reduce_oracle::Answer) -> bool,
        cancel: &Cancel,
    ) -> Result<Sample, Failure> {
        let (mut plan, sources) = (
            self.plan(&candidate.compile_options),
            candidate.tree.to_files(),
        );
        // A cheaper call would be made besides, and keep the warm compiler from this one.
        plan.run_policy.cheapest_call = None;
        let property = self.criteria.property(&candidate.compile_options);
        let mut worker = self.workshop.warm_worker(directory, &plan)?;
        Ok(worker.sample(&plan, &sources, &property, is_enough, cancel)?)
    }

    /// Whether a program also passes the calls of its companions, such as one with another
    /// toolchain.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn holds_elsewhere(
        &self,
        plan: &Plan,
        tree: &SourceTree,
        cancel: &Cancel,
    ) -> Result<bool, Failure> {
        if plan.run_policy.companions.is_empty() {
            return Ok(true);
        }
        let mut worker = self.workshop.worker("show", plan)?;
        Ok(worker.holds_elsewhere(plan, &tree.to_files(), cancel)?)
    }

    /// Returns the outcome of a candidate with another compiler of the user's, if one does not crash, and the
    /// number of compilers that were asked.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn neighbour(
        &self,
        candidate: &Candidate,
        user: &Surroundings,
        cancel: &Cancel,
    ) -> Result<(Option<Neighbour>, u64), Failure> {
        let plan = self.plan(&candidate.compile_options);
        let dir = self.workshop.scratch.join("neighbours");
        let sources = candidate.tree.to_files();
        Ok(ask_neighbours(&dir, &plan, &sources, user, cancel)?)
    }
}
