//! Runs the original test with switches: first without the code that cannot flow into its failure, and then under mutants.

use crate::compiled_test::CompiledTest;
use crate::context::GuardContext;
use crate::error::GuardError;
use crate::outcome::OtherTests;
use crate::outcome::Outcome;
use crate::outcomes::{KnownMutants, Outcomes};
use crate::random_tests::RandomTests;
use crate::test_target::TestTarget;
use crate::tests_beside::TestsBeside;
use crate::weakness::is_weak;
use camino::Utf8PathBuf;
use reduce_mutants::MutantId;
use reduce_oracle::{Demands, Own, Plan, Signature, Sources, TimeSpent, Worker};
use reduce_passes::ExpectedLiterals;
use reduce_syntax::SourceTree;

/// The number of mutants that is enough to guard a part of what an assertion compares.
const ENOUGH: usize = 8;
/// The factor by which more mutants have to change the whole comparison for the whole to be
/// compared, where fewer than [`ENOUGH`] change a part.
const MUCH_MORE: usize = 2;
const NOT_COMPILED: &str = "the test does not compile with the mutated code";

/// The original test, linked with switches.
pub(crate) struct Trial<'t> {
    pub(crate) context: &'t GuardContext<'t>,
    pub(crate) plan: Plan,
    pub(crate) original: &'t SourceTree,
    /// Whether the original itself has switches, so that no code is removed from it.
    pub(crate) has_switches: bool,
    pub(crate) own: Own,
    /// Whether code that only reads changes nothing, in the test and in the code under test.
    pub(crate) only_reads: bool,
    /// The other tests of the package, which are compiled with the same switches.
    pub(crate) beside: Vec<TestsBeside>,
}

impl Trial<'_> {
    /// Returns the outcomes of the original, and of the other tests, under the mutants whose places it comes to;
    /// or the reason why there are none. `compiled` is the original, if it is compiled already.
    pub(crate) fn outcomes(
        &self,
        mutants: KnownMutants<'_>,
        compiled: Option<CompiledTest>,
    ) -> Result<Result<Tried, &'static str>, GuardError> {
        let (mut worker, held) = match compiled {
            Some(CompiledTest { worker, compiling }) => (worker, Some(compiling)),
            None => (self.worker("original")?, None),
        };
        if let Some(compiler) = self.context.forks {
            worker.fork_programs(compiler);
        }
        let mut targets = self.targets();
        let part = self.outcomes_of((&mut worker, held), &mut targets, mutants, true)?;
        let Ok(found) = &part else {
            return Ok(part);
        };
        let is_weak = is_weak(&found.outcomes);
        let n_telling = found.outcomes.telling();
        let isolated = &found.isolated;
        let may_be_too_little =
            isolated.changed.is_some() && is_weak || isolated.is_narrowed && n_telling < ENOUGH;
        if !may_be_too_little {
            return Ok(part);
        }
        let whole = self.outcomes_of((&mut worker, None), &mut targets, mutants, false)?;
        let of_whole = whole.as_ref().map_or(0, |tried| tried.outcomes.telling());
        match is_weak || tells_much_more(of_whole, n_telling) {
            true => Ok(whole),
            false => Ok(part),
        }
    }

    /// Returns the outcomes of the test after its isolation, with a narrowed assertion if `narrows`
    /// says so. `held` is the time that it took to compile the original, if the worker holds that.
    fn outcomes_of(
        &self,
        (worker, held): (&mut Worker, Option<TimeSpent>),
        targets: &mut [TestTarget],
        mutants: KnownMutants<'_>,
        narrows: bool,
    ) -> Result<Result<Tried, &'static str>, GuardError> {
        let cancel = self.context.cancel;
        let compiling = match held {
            Some(compiling) => Some(compiling),
            None => self.compile(worker, self.original)?,
        };
        let Some(compiling) = compiling else {
            return Ok(Err(NOT_COMPILED));
        };
        if let Some(own) = targets.first_mut() {
            own.have(worker.other_tests(&self.plan, cancel)?);
        }
        let isolated = match self.may_isolate() {
            true => self.isolate(worker, compiling, narrows)?,
            // A printed text may come from anywhere.
            false => Isolated::whole(self.original, compiling),
        };
        let compiling = match isolated.held {
            Some(compiling) => Some(compiling),
            None => self.compile(worker, &isolated.tree)?,
        };
        let Some(compiling) = compiling else {
            return Ok(Err(NOT_COMPILED));
        };
        let mut ask_others = |failure: &Signature, all: &[(MutantId, Outcome)]| {
            OtherTests::run(targets, (failure, all), mutants.all, cancel)
        };
        let mut find = |worker: &mut Worker, own: &Own| {
            let others = &mut ask_others;
            Outcomes::find(worker, &self.plan, compiling, own, mutants, others, cancel)
        };
        let mut own = Own {
            compares_values: isolated.values_count,
            ..self.own.clone()
        };
        let mut found = find(worker, &own)?;
        // Without values most mutants that change something do not change the outcome.
        if !own.compares_values && found.as_ref().is_ok_and(is_weak) {
            own.compares_values = true;
            found = find(worker, &own)?;
        }
        let outcomes = match found {
            Ok(outcomes) => outcomes,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(Ok(Tried {
            isolated,
            own,
            outcomes,
        }))
    }

    /// Returns the targets with other tests: the failing test's own, as the tests beside it may share the code that is left
    /// out of it, and those of the other tests of the package.
    fn targets(&self) -> Vec<TestTarget> {
        let scratch = &self.context.scratch;
        let own = TestTarget::new(
            self.plan.clone(),
            self.original.to_files(),
            RandomTests::of(self.original),
            scratch.join("other-tests"),
        );
        let beside = self.beside.iter().enumerate().map(|(idx, one)| {
            let scratch = scratch.join(format!("tests-beside-{idx}"));
            let (plan, random) = (one.plan.clone(), one.random.clone());
            let target = match &one.switches {
                Some(library) => TestTarget::within(library, plan, random, scratch),
                None => TestTarget::new(plan, Sources::new(), random, scratch),
            };
            target.without(one.left_out.clone(), one.has_own)
        });
        std::iter::once(own).chain(beside).collect()
    }

    /// Whether the failure can be recognized by its values and its place alone, so that code may be
    /// removed from the test.
    fn may_isolate(&self) -> bool {
        // The demand of another version does not come into it.
        let demands = Demands {
            good: None,
            ..self.context.demands.clone()
        };
        demands == Demands::default() && !self.has_switches
    }

    /// Returns the original without the code that its failure does not need; `None` where that
    /// cannot be found out.
    pub(crate) fn isolated(&self, narrows: bool) -> Result<Option<Isolated>, GuardError> {
        if !self.may_isolate() {
            return Ok(None);
        }
        let mut worker = self.worker("isolation")?;
        match self.compile(&mut worker, self.original)? {
            Some(compiling) => Ok(Some(self.isolate(&mut worker, compiling, narrows)?)),
            None => Ok(None),
        }
    }

    /// Makes a worker in a scratch directory of this name.
    pub(crate) fn worker(&self, name: &str) -> Result<Worker, GuardError> {
        let edited = self.original.to_files().into_keys().collect();
        let scratch = self.context.scratch.join(name);
        let mut worker = Worker::new(scratch, &self.plan, &edited)?;
        if let Some(compiler) = self.context.forks {
            worker.fork_programs(compiler);
        }
        Ok(worker)
    }

    /// Compiles a program in the worker; `None` where it does not compile.
    fn compile(
        &self,
        worker: &mut Worker,
        tree: &SourceTree,
    ) -> Result<Option<TimeSpent>, GuardError> {
        let cancel = self.context.cancel;
        Ok(worker.compile_original(&self.plan, &tree.to_files(), cancel)?)
    }
}

/// Whether the mutants that change a whole comparison are many more than those that change a part
/// of it.
fn tells_much_more(of_whole: usize, of_part: usize) -> bool {
    of_part < ENOUGH && of_whole >= of_part * MUCH_MORE
}

/// The results of the runs of the original test.
pub(crate) struct Tried {
    pub(crate) isolated: Isolated,
    /// The part of a failure that is compared.
    pub(crate) own: Own,
    pub(crate) outcomes: Outcomes,
}

/// The test that isolation has left, and the failure that it shows.
pub(crate) struct Isolated {
    pub(crate) tree: SourceTree,
    /// The literals that have to stay in the test.
    pub(crate) literals: ExpectedLiterals,
    /// Whether the values of the failure are compared: not where the right answer changes with the
    /// input.
    pub(crate) values_count: bool,
    /// Whether the test takes a value out of a `Result` or an `Option` that has none, and fails
    /// there.
    pub(crate) unwraps: bool,
    /// The failure that the test shows since its assertion was changed; `None` where it was not
    /// changed.
    pub(crate) changed: Option<Signature>,
    /// Whether the test's assertion was narrowed to a part of what it compared.
    pub(crate) is_narrowed: bool,
    /// The time that it took to compile the test, if the worker still holds its program.
    pub(crate) held: Option<TimeSpent>,
    /// The number of programs that were compiled to isolate the test.
    pub(crate) runs: u64,
}

impl Isolated {
    /// Makes the result of no isolation: the whole test, which the worker holds, compiled in the time `compiling`.
    pub(crate) fn whole(original: &SourceTree, compiling: TimeSpent) -> Self {
        Self {
            tree: original.clone(),
            literals: ExpectedLiterals::default(),
            values_count: true,
            unwraps: false,
            changed: None,
            is_narrowed: false,
            held: Some(compiling),
            runs: 0,
        }
    }
}

/// Returns the paths of the test's files as panics name them.
pub(crate) fn own_files(plan: &Plan, original: &SourceTree) -> Own {
    let paths = original.files().map(|(_, path, _)| path);
    let both = paths.flat_map(|path| {
        let relative = path.strip_prefix(&plan.call.cwd).ok();
        [Some(path.to_owned()), relative.map(Utf8PathBuf::from)]
    });
    Own {
        files: both.flatten().collect(),
        compares_values: true,
        ..Own::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_which_few_mutants_tell_is_compared_with_the_whole() {
        assert!(tells_much_more(19, 6));
        assert!(tells_much_more(12, 6));
        assert!(!tells_much_more(11, 6));
        assert!(!tells_much_more(40, 8));
    }
}
