//! A target whose passing tests are run under mutants.

use crate::compiling::compiling;
use crate::error::GuardError;
use crate::quick_tests::{QuickTests, time};
use crate::random_tests::RandomTests;
use camino::Utf8PathBuf;
use reduce_mutants::{Instrumented, MUTANT_VARIABLE, MutantId, REACHED_VARIABLE, reached};
use reduce_oracle::{Cancel, Compiled as Compiles, Plan, Sources, TimeSpent, Worker};
use reduce_syntax::SourceTree;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// The largest number of tests of a target that are run, spread over all.
const MOST_TESTS: usize = 500;
/// The time after which no more tests of a target are run alone.
const OF_ALL: Duration = Duration::from_secs(5);
/// The usual time of a test, many times of which a test may take: somewhat longer than the chosen tests take together.
const OF_ONE: TimeSpent = TimeSpent {
    compiling: Duration::ZERO,
    running: Duration::from_millis(24),
    asleep: Duration::from_millis(100),
};

/// Returns the largest number of mutants that the tests are run under, where a run of all tests takes so much time. What is
/// chosen depends on these runs, and so the steps are far from each other: there are seldom more than a hundred mutants that
/// change an outcome.
fn most_mutants(run: Duration) -> usize {
    match run.as_millis() {
        0..50 => 200,
        50..200 => 60,
        200..1000 => 20,
        _ => 8,
    }
}

/// A target with tests, which is compiled with switches when it is first asked for.
pub(crate) struct TestTarget {
    plan: Plan,
    sources: Sources,
    /// The library with switches that the target's tests are in.
    library: Option<Arc<Instrumented>>,
    /// The tests that choose their input at random.
    random: RandomTests,
    /// The mutants that have no switch in the target, though they have one where the library is
    /// linked.
    left_out: BTreeSet<MutantId>,
    /// Whether the target contains the tests of the failing test's own target too.
    has_own: bool,
    /// The names of the tests that are left out because the failing test's own target has them too.
    known: BTreeSet<String>,
    /// The names of the target's tests but for the failing one, if its program has told them.
    listed: Option<BTreeSet<String>>,
    scratch: Utf8PathBuf,
    state: State,
}

enum State {
    Unknown,
    /// The target does not compile, or none of its tests passes.
    Useless,
    Compiled(Box<Compiled>),
}

/// A target that has compiled, and of which some tests pass.
struct Compiled {
    worker: Worker,
    /// The mutants whose switches the target was compiled with, where it is in the library itself: those that were asked for, as
    /// more would take longer.
    asked: BTreeSet<MutantId>,
    tests: QuickTests,
    most_mutants: usize,
    /// The time of all tests in one process, without a mutant.
    together: TimeSpent,
    /// The number of tests that do not pass under a mutant, for each mutant that the tests were run
    /// under.
    broken: BTreeMap<MutantId, usize>,
}

/// The figures of the passing tests of a target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassingTests {
    /// The number of tests that pass without a mutant.
    pub(crate) n_passing: usize,
    /// The largest number of mutants under which the tests may be run.
    pub(crate) most_mutants: usize,
}

impl TestTarget {
    /// Makes a target that is compiled by a plan with these files in the directory `scratch`, which is emptied then.
    /// Tests that are `random` do not count: what breaks them is not the same in each run.
    pub(crate) fn new(
        plan: Plan,
        sources: Sources,
        random: RandomTests,
        scratch: Utf8PathBuf,
    ) -> Self {
        Self {
            plan,
            sources,
            library: None,
            random,
            left_out: BTreeSet::new(),
            has_own: false,
            known: BTreeSet::new(),
            listed: None,
            scratch,
            state: State::Unknown,
        }
    }

    /// Makes the target of the tests in a library with switches. It compiles code with them that is not compiled where it is
    /// linked, so that some of its mutants may have to go.
    pub(crate) fn within(
        library: &Arc<Instrumented>,
        plan: Plan,
        random: RandomTests,
        scratch: Utf8PathBuf,
    ) -> Self {
        Self {
            library: Some(Arc::clone(library)),
            ..Self::new(plan, library.sources().to_files(), random, scratch)
        }
    }

    /// Leaves out the switches of some mutants. `has_own` says whether the tests of the failing one's own target are in it
    /// too.
    pub(crate) fn without(self, left_out: BTreeSet<MutantId>, has_own: bool) -> Self {
        Self {
            left_out,
            has_own,
            ..self
        }
    }

    /// Leaves out the tests that the failing test's own target has too, and that pass there.
    pub(crate) fn leave_out_own(&mut self, own: &Self) {
        if let (true, State::Compiled(own)) = (self.has_own, &own.state) {
            self.known = own.tests.names().map(str::to_owned).collect();
        }
    }

    /// Notes which tests the target has, as another compilation of it has told. Without any, it is not compiled.
    pub(crate) fn have(&mut self, names: BTreeSet<String>) {
        self.listed = Some(names);
    }

    /// Returns the figures of the target's tests, which can be run under the mutants that are `asked` for; `None` where none
    /// of them passes.
    pub(crate) fn tests(
        &mut self,
        asked: &[MutantId],
        cancel: &Cancel,
    ) -> Result<Option<PassingTests>, GuardError> {
        let mut asked: BTreeSet<MutantId> = asked.iter().copied().collect();
        let is_compiled = match &self.state {
            State::Unknown => false,
            State::Useless => true,
            State::Compiled(known) => {
                let is_enough = self.library.is_none() || asked.is_subset(&known.asked);
                asked.extend(&known.asked);
                is_enough
            }
        };
        if !is_compiled {
            self.state = match self.compile(asked, cancel)? {
                Some(compiled) => State::Compiled(Box::new(compiled)),
                None => State::Useless,
            };
        }
        Ok(match &self.state {
            State::Compiled(compiled) => Some(PassingTests {
                n_passing: compiled.tests.len(),
                most_mutants: compiled.most_mutants,
            }),
            State::Unknown | State::Useless => None,
        })
    }

    /// Whether a mutant has a switch in the target.
    pub(crate) fn has(&self, id: MutantId) -> bool {
        match &self.state {
            State::Compiled(_) => !self.left_out.contains(&id),
            State::Unknown | State::Useless => false,
        }
    }

    /// Returns the number of the target's tests that do not pass under a mutant.
    pub(crate) fn broken_by(&mut self, id: MutantId, cancel: &Cancel) -> Result<usize, GuardError> {
        let State::Compiled(compiled) = &mut self.state else {
            return Ok(0);
        };
        if let Some(known) = compiled.broken.get(&id) {
            return Ok(*known);
        }
        let number = id.to_string();
        let variable = Some((MUTANT_VARIABLE, number.as_str()));
        // All others do the same as before.
        let reaching = compiled.tests.reaching(id);
        let usual = reaching.spent.min(compiled.together);
        self.plan.run_policy.limits.usual = Some(under_mutant(usual));
        let run = compiled.worker.run_tests(
            &self.plan,
            reaching.names.iter().copied(),
            variable,
            None,
            cancel,
        )?;
        let is_broken = |name: &&&str| !run.passing.contains(**name);
        let broken = reaching.names.iter().filter(is_broken).count();
        compiled.broken.insert(id, broken);
        Ok(broken)
    }

    /// Compiles the target and runs its tests; `None` where it does not compile, or none of them
    /// passes.
    fn compile(
        &mut self,
        asked: BTreeSet<MutantId>,
        cancel: &Cancel,
    ) -> Result<Option<Compiled>, GuardError> {
        let counts = |name: &String| !self.random.has(name) && !self.known.contains(name);
        let has_none = |names: &BTreeSet<String>| !names.iter().any(counts);
        if self.listed.as_ref().is_some_and(has_none) {
            return Ok(None);
        }
        let edited = self.sources.keys().cloned().collect();
        let mut worker = Worker::new(self.scratch.clone(), &self.plan, &edited)?;
        if !self.compile_in(&mut worker, &asked, cancel)? {
            return Ok(None);
        }
        let mut names = match &self.listed {
            Some(listed) => listed.clone(),
            None => worker.other_tests(&self.plan, cancel)?,
        };
        names.retain(|name| !self.random.has(name) && !self.known.contains(name));
        let mut tests = self.run_alone(&mut worker, &names, cancel)?;
        tests.leave_out_slow();
        // A test that passes by chance says nothing of a mutant.
        self.plan.run_policy.limits.usual = Some(under_mutant(tests.spent()));
        let again = worker.run_tests(&self.plan, tests.names(), None, None, cancel)?;
        tests.retain(&again.passing);
        Ok((!tests.is_empty()).then(|| Compiled {
            worker,
            asked,
            tests,
            most_mutants: most_mutants(time(again.spent)),
            together: again.spent,
            broken: BTreeMap::new(),
        }))
    }

    /// Runs each test alone, and returns the time of each that passes and the mutants whose places
    /// it comes to.
    fn run_alone(
        &mut self,
        worker: &mut Worker,
        names: &BTreeSet<String>,
        cancel: &Cancel,
    ) -> Result<QuickTests, GuardError> {
        self.plan.run_policy.limits.usual = Some(OF_ONE);
        let mut found = QuickTests::default();
        let mut all = Duration::ZERO;
        let step = names.len().div_ceil(MOST_TESTS).max(1);
        for name in names.iter().step_by(step) {
            if all > OF_ALL {
                break;
            }
            let record = Some(REACHED_VARIABLE);
            let run = worker.run_tests(&self.plan, [name.as_str()], None, record, cancel)?;
            all += time(run.spent);
            if run.passing.contains(name) {
                let passed = reached(&run.record.unwrap_or_default());
                found.add(name.clone(), run.spent, passed);
            }
        }
        Ok(found)
    }

    /// Compiles the target in the worker, which then holds its program: a library with the switches that are `asked` for, without
    /// the mutants that do not compile with its tests. Returns whether that could be done.
    fn compile_in(
        &mut self,
        worker: &mut Worker,
        asked: &BTreeSet<MutantId>,
        cancel: &Cancel,
    ) -> Result<bool, GuardError> {
        let ids = |library: &Instrumented| -> BTreeSet<MutantId> {
            library.mutants().iter().map(|one| one.id).collect()
        };
        let Some(library) = &self.library else {
            let compiled = worker.compile_original(&self.plan, &self.sources, cancel)?;
            return Ok(compiled.is_some());
        };
        let library = library.without(&(&ids(library) - asked));
        // The limit of a run of its tests says nothing of the time that it takes to compile.
        self.plan.run_policy.limits.usual = None;
        let all = ids(&library);
        let mut compile = |tree: &SourceTree| {
            let files = tree.to_files();
            Ok(Compiles::of_plan(worker, &self.plan, &files, cancel)?)
        };
        if all.is_empty() {
            // The mutants are those of crates that it links.
            return Ok(compile(library.sources())?.is_yes());
        }
        // The last that is compiled is the one that has compiled.
        let fewer = compiling(library, compile)?;
        let Some(fewer) = fewer else {
            return Ok(false);
        };
        self.left_out.extend(&all - &ids(&fewer));
        Ok(true)
    }
}

/// Returns the time that tests are expected to take under a mutant. A candidate gets a multiple that is too much for what
/// is run so often.
pub(crate) fn under_mutant(spent: TimeSpent) -> TimeSpent {
    TimeSpent {
        running: spent.running / 4,
        asleep: spent.asleep / 4,
        ..spent
    }
}
