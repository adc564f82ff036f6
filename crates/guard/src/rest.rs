//! The rest of the crate of a unit test, with switches for mutants: it is compiled with each candidate, instead of being
//! linked. Mostly the tests in it are reduced apart from the rest; with `--whole` all of it is.

use crate::compiling::{Chosen, with_switches};
use crate::context::GuardContext;
use crate::error::GuardError;
use reduce_mutants::Instrumented;
use reduce_oracle::{Compiled, Plan, Sources, Worker};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// The crate of a unit test in two parts, of which one gets switches.
pub(crate) struct RestOfCrate<'r> {
    /// The sources that get switches, and stay as they are where the tests are apart from them.
    pub(crate) fixed: &'r SourceTree,
    /// The tests that are reduced apart from the rest; `None` if the crate is reduced as a whole.
    pub(crate) tests: Option<&'r SourceTree>,
}

impl RestOfCrate<'_> {
    /// Puts switches into the rest of the crate, as many as compile together with the tests; `None` where it has
    /// none. `plan` has what it links. Only those functions stay `const` that names `in_constants` lead to, if
    /// these are known.
    pub(crate) fn mutate(
        &self,
        context: &GuardContext<'_>,
        plan: &Plan,
        chosen: Chosen,
        in_constants: Option<&BTreeSet<String>>,
    ) -> Result<Option<Instrumented>, GuardError> {
        let mut plan = plan.clone();
        // With switches it takes longer than anything before.
        plan.run_policy.limits.usual = None;
        let edited = self.with(self.fixed).into_keys().collect();
        let scratch = context.scratch.join("rest-of-crate");
        let mut worker = Worker::new(scratch, &plan, &edited)?;
        let mut compile = |tree: &SourceTree| {
            let all = self.with(tree);
            Ok(Compiled::of_plan(&mut worker, &plan, &all, context.cancel)?)
        };
        with_switches(chosen, (self.fixed, in_constants), |switched, _| {
            compile(switched)
        })
    }

    /// Returns all files of the crate, with `fixed` in place of the sources that have switches.
    fn with(&self, fixed: &SourceTree) -> Sources {
        let mut all = fixed.to_files();
        all.extend(self.tests.map(SourceTree::to_files).unwrap_or_default());
        all
    }
}
