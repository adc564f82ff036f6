//! The code under test with switches for mutants: the crates that get them, and the crates that
//! link those.

use crate::code_under_test::{code_under_test, others_that_test_names};
use crate::compiled_test::CompiledTest;
use crate::compiling::{Chosen, SwitchSet, with_switches};
use crate::context::GuardContext;
use crate::error::GuardError;
use crate::marked::MutatedCrate;
use crate::rest::RestOfCrate;
use camino::Utf8Path;
use reduce_gather::collect_sources;
use reduce_mutants::{
    Instrumented, Mutant, MutantId, REACHED_VARIABLE, Reach, names_in_constants, reached,
};
use reduce_oracle::{
    Came, Compiled, ErrorPlace, Features, Own, Plan, Recompiled, Sources, Switched, Unit, Worker,
    remove_tree,
};
use reduce_syntax::SourceTree;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The name of the directory in which the compiler keeps what it knows of a crate from the first step to the second.
const KEPT: &str = "known-by-compiler";

/// Crates with switches for mutants.
pub(crate) struct Switches {
    pub(crate) switched: Switched,
    /// The numbers of the linked crates that are the code under test, with or without switches.
    pub(crate) code_under_test: BTreeSet<usize>,
    /// The crates that have mutants, with their sources.
    pub(crate) crates: Vec<MutatedCrate>,
    /// The test's own crate, where that is the code under test and is reduced as a whole.
    pub(crate) own: Option<SourceTree>,
    /// The packages that the test names, and that could get mutants too.
    pub(crate) others: BTreeSet<String>,
    /// The number of compiler runs that it took to find switches that compile.
    pub(crate) runs: u64,
    /// The part of the test's own crate that is code under test, with its switches.
    pub(crate) rest: Option<Instrumented>,
    /// The kinds of switches that the crates have.
    reach: Reach,
    /// Linked crates with their switches, by their numbers among the units.
    linked: BTreeMap<usize, Arc<Instrumented>>,
    /// Whether the crates that link those with switches compile.
    is_linked: bool,
    /// The test, if it was compiled with these switches.
    pub(crate) compiled: Option<CompiledTest>,
}

/// The way in which functions of the code under test stay `const`. In those that are not there are switches
/// however it is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Constness {
    /// Functions stay `const` only if something that the compiler evaluates names them.
    WhereNamed,
    AsWritten,
}

/// An attempt to put switches into the code under test: which kinds of them, and into which
/// functions.
struct Attempt {
    reach: Reach,
    constness: Constness,
    /// The set that is new where none are known.
    set: SwitchSet,
    known: Option<Known>,
}

impl Attempt {
    /// Returns the switches of a linked crate, new ones with numbers from `next` on; `None` where others are known and this crate has
    /// none.
    fn of_linked(&mut self, idx: usize, next: MutantId) -> Option<Chosen> {
        match &mut self.known {
            Some(known) => known.linked.remove(&idx).map(Chosen::Known),
            None => Some(Chosen::New(self.set, next, self.reach)),
        }
    }

    /// Returns the switches of the part of the test's own crate that is code under test, as for a linked crate.
    fn of_rest(&mut self, next: MutantId) -> Option<Chosen> {
        match &mut self.known {
            Some(known) => known.rest.take().map(Chosen::Known),
            // It is compiled with each candidate, by the user's own call.
            None => Some(Chosen::New(self.set, next, Reach::Plain)),
        }
    }
}

/// Crates with the switches that were found for them.
struct Known {
    /// Linked crates, by their numbers among the units.
    linked: BTreeMap<usize, Instrumented>,
    /// The part of the test's own crate that is code under test.
    rest: Option<Instrumented>,
}

/// The result of compiling the crates that call the code under test, by macros and in constants.
enum InCalls {
    Compile,
    /// Some switches do not compile: the crates without these.
    Fewer(Known),
    /// It does not compile, and the switches that do not are not known.
    Unknown,
}

impl Switches {
    /// Compiles the code under test with as many switches as it and the test compile with. `units` are the crates that the test
    /// links, and then those of the programs that it may start.
    ///
    /// Only mutants whose places the test comes to can change its outcome. So a crate with many is first compiled with a switch at
    /// the beginning of each function, and then with the others in those functions alone that the test enters. Where the code under
    /// test is reduced too, all have them: a program that is mended may enter others.
    pub(crate) fn of(
        context: &GuardContext<'_>,
        plan: &Plan,
        units: &[Unit],
        test: (&SourceTree, Option<&RestOfCrate<'_>>),
    ) -> Result<Self, GuardError> {
        let find = |most: Reach, set: SwitchSet, known: Option<Known>| {
            Self::find(context, plan, units, test, (most, set, known))
        };
        if context.is_whole() {
            return find(Reach::Macros, SwitchSet::All, None);
        }
        let found = Self::in_two_steps(context, plan, find);
        // It may be large, and the scratch directory in memory. What stays goes with that.
        let _removed = remove_tree(context.scratch.join(KEPT).as_std_path());
        found
    }

    /// Finds the switches of large crates in two steps.
    fn in_two_steps(
        context: &GuardContext<'_>,
        plan: &Plan,
        find: impl Fn(Reach, SwitchSet, Option<Known>) -> Result<Self, GuardError>,
    ) -> Result<Self, GuardError> {
        let mut first = find(Reach::Macros, SwitchSet::Entries, None)?;
        let mut all = first.linked.values().map(Arc::as_ref).chain(&first.rest);
        if !all.any(Instrumented::is_at_entries) {
            return Ok(first);
        }
        let mut runs = first.runs;
        if let Some(passed) = first.passed(context, plan)? {
            let known = first.in_entered(&passed);
            let second = find(first.reach, SwitchSet::All, Some(known))?;
            runs += second.runs;
            if second.crates.len() == first.crates.len() {
                return Ok(Self { runs, ..second });
            }
        }
        let whole = find(Reach::Macros, SwitchSet::All, None)?;
        let runs = runs + whole.runs;
        Ok(Self { runs, ..whole })
    }

    /// Compiles the code under test with the switches of a set, or first with known ones, of as large a reach as it and the
    /// test compile with.
    fn find(
        context: &GuardContext<'_>,
        plan: &Plan,
        units: &[Unit],
        test: (&SourceTree, Option<&RestOfCrate<'_>>),
        (most, set, mut known): (Reach, SwitchSet, Option<Known>),
    ) -> Result<Self, GuardError> {
        let mut constness = match context.is_whole() {
            true => Constness::WhereNamed,
            false => Constness::AsWritten,
        };
        let mut runs = 0;
        for reach in Reach::ALL.into_iter().filter(|reach| *reach <= most) {
            loop {
                let attempt = Attempt {
                    reach,
                    constness,
                    set,
                    known: known.take(),
                };
                let mut switches = Self::with(context, plan, units, test, attempt)?;
                runs += switches.runs;
                switches.runs = runs;
                let is_last = reach == Reach::Plain && constness == Constness::AsWritten;
                match switches.compile_test(context, plan, test.0, constness)? {
                    InCalls::Compile => return Ok(switches),
                    InCalls::Fewer(fewer) => known = Some(fewer),
                    InCalls::Unknown if is_last => return Ok(switches),
                    InCalls::Unknown if constness == Constness::WhereNamed => {
                        constness = Constness::AsWritten;
                    }
                    InCalls::Unknown => break,
                }
            }
        }
        unreachable!("the last ones are taken as they are")
    }

    /// Runs the compiled test, and returns the switches that it passes; `None` where it does not fail with them.
    fn passed(
        &mut self,
        context: &GuardContext<'_>,
        plan: &Plan,
    ) -> Result<Option<BTreeSet<MutantId>>, GuardError> {
        let plan = self.switched.plan(plan);
        let Some(CompiledTest { mut worker, .. }) = self.compiled.take() else {
            return Ok(None);
        };
        let (record, own) = (Some(REACHED_VARIABLE), Own::default());
        let (run, _) = worker.run_original(&plan, None, record, &own, context.cancel)?;
        let fails = matches!(run.came, Came::Fails(_));
        Ok(run.record.filter(|_| fails).map(|record| reached(&record)))
    }

    /// Returns the crates with all switches in the functions that a run has entered; these have those at the beginnings of
    /// functions alone.
    fn in_entered(&self, passed: &BTreeSet<MutantId>) -> Known {
        let in_entered = |one: &Instrumented| one.in_entered(passed);
        let linked = self.linked.iter();
        Known {
            linked: linked.map(|(&idx, one)| (idx, in_entered(one))).collect(),
            rest: self.rest.as_ref().map(in_entered),
        }
    }

    /// Compiles the test with the crates that have switches, and keeps it. Only in its calls of macros, and in what the compiler
    /// evaluates there, switches may be wrong that compile elsewhere.
    fn compile_test(
        &mut self,
        context: &GuardContext<'_>,
        plan: &Plan,
        test: &SourceTree,
        constness: Constness,
    ) -> Result<InCalls, GuardError> {
        if !self.is_linked {
            return Ok(InCalls::Unknown);
        }
        if self.crates.is_empty() {
            return Ok(InCalls::Compile);
        }
        let mut plan = self.switched.plan(plan);
        plan.run_policy.limits.usual = None;
        let sources = self.own.as_ref().unwrap_or(test).to_files();
        let edited = sources.keys().cloned().collect();
        let mut worker = Worker::new(context.scratch.join("original"), &plan, &edited)?;
        let places = match Compiled::of_plan(&mut worker, &plan, &sources, context.cancel)? {
            Compiled::Yes(compiling) => {
                self.compiled = Some(CompiledTest { worker, compiling });
                return Ok(InCalls::Compile);
            }
            Compiled::No(places) => places,
        };
        let mut all = self.crates.iter().flat_map(|one| &one.mutants);
        if constness == Constness::AsWritten && !all.any(|one| one.is_in_macro) {
            return Ok(InCalls::Compile);
        }
        let fewer = self.without_broken(&places);
        Ok(fewer.map_or(InCalls::Unknown, InCalls::Fewer))
    }

    /// Returns the crates without the mutants in macros of linked ones that cause these errors; `None` where no mutant
    /// does.
    fn without_broken(&self, places: &[Option<ErrorPlace>]) -> Option<Known> {
        let in_macros = places.iter().flatten().flat_map(|place| &place.in_macros);
        let broken_of = |instrumented: &Instrumented| -> BTreeSet<MutantId> {
            let all = in_macros.clone();
            let all = all.flat_map(|(name, bytes)| instrumented.suspects_in_macros(name, bytes));
            all.collect()
        };
        let mut are_fewer = false;
        let fewer = self.linked.iter().map(|(&idx, instrumented)| {
            let broken = broken_of(instrumented);
            are_fewer |= !broken.is_empty();
            (idx, instrumented.without(&broken))
        });
        let linked = fewer.collect();
        are_fewer.then(|| Known {
            linked,
            rest: self.rest.clone(),
        })
    }

    /// Compiles the code under test with the switches of an attempt, with the rest of the test's own crate where there
    /// is one. A crate that does not compile with switches has none.
    fn with(
        context: &GuardContext<'_>,
        plan: &Plan,
        units: &[Unit],
        (test, rest): (&SourceTree, Option<&RestOfCrate<'_>>),
        mut attempt: Attempt,
    ) -> Result<Self, GuardError> {
        let dir = context.scratch.join("code-under-test");
        let kept = context.scratch.join(KEPT);
        let mut crates = Recompiled::new(plan, units, context.builds, dir, context.cancel)?;
        let is_mutated = code_under_test(context.mutate, plan, &crates, units)?;
        let others = others_that_test_names(test, plan, &crates, units, &is_mutated);
        let mut sources_of = BTreeMap::new();
        for &idx in &is_mutated {
            sources_of.extend(read(&crates, units, idx).map(|tree| (idx, tree)));
        }
        let in_constants = match attempt.constness {
            Constness::WhereNamed => {
                let own_crate = rest.map(|rest| rest.fixed);
                let all = sources_of.values().chain([test]).chain(own_crate);
                Some(all.flat_map(names_in_constants).collect())
            }
            Constness::AsWritten => None,
        };
        let mut mutated: Vec<MutatedCrate> = Vec::new();
        let mut next = MutantId(1);
        let mut linked = BTreeMap::new();
        let mut is_linked = true;
        for idx in dependencies_first(units) {
            let own = match sources_of.remove(&idx) {
                Some(tree) => {
                    let in_constants = in_constants.as_ref();
                    let instrumented = match attempt.of_linked(idx, next) {
                        Some(chosen) => {
                            let sources = (&tree, in_constants);
                            mutate(&mut crates, idx, sources, (chosen, &kept))?
                        }
                        None => None,
                    };
                    instrumented.map(|instrumented| (tree, instrumented))
                }
                None => None,
            };
            if let Some((tree, instrumented)) = own {
                next = instrumented.next();
                mutated.push(MutatedCrate {
                    unit: idx,
                    base: crates.base(idx),
                    is_own: false,
                    package: units[idx].package.clone(),
                    sources: tree,
                    plain: instrumented.base().clone(),
                    mutants: instrumented.mutants().to_vec(),
                });
                linked.insert(idx, Arc::new(instrumented));
            } else if crates.links_replaced(idx) {
                let as_it_is = Sources::new();
                let compiled = crates.compile(idx, &as_it_is, Features::AsCalled, None)?;
                if !compiled.is_yes() {
                    mutated.clear();
                    is_linked = false;
                    break;
                }
            }
        }
        let (mut switched, mut runs) = crates.finish();
        let (mut own, mut of_rest) = (None, None);
        if let (Some(rest), Some(chosen)) = (rest, attempt.of_rest(next))
            && let Some(instrumented) =
                rest.mutate(context, &switched.plan(plan), chosen, in_constants.as_ref())?
        {
            match rest.tests {
                Some(_) => switched.texts = instrumented.sources().to_files(),
                None => own = Some(instrumented.sources().clone()),
            }
            runs += 1;
            mutated.push(MutatedCrate {
                // The test's own crate is none of the units, but the crate that is compiled.
                unit: units.len(),
                base: plan.inputs.tree.clone(),
                is_own: rest.tests.is_none(),
                package: plan.call.crate_name.clone(),
                sources: rest.fixed.clone(),
                plain: instrumented.base().clone(),
                mutants: instrumented.mutants().to_vec(),
            });
            of_rest = Some(instrumented);
        }
        Ok(Self {
            switched,
            code_under_test: is_mutated,
            rest: of_rest,
            reach: attempt.reach,
            crates: mutated,
            own,
            others,
            runs,
            linked,
            is_linked,
            compiled: None,
        })
    }

    /// Returns the linked crates that have switches, by their numbers among the units.
    pub(crate) fn linked(&self) -> impl Iterator<Item = (usize, &Arc<Instrumented>)> {
        self.linked
            .iter()
            .map(|(idx, instrumented)| (*idx, instrumented))
    }

    /// Returns all mutants, in the order of their numbers.
    pub(crate) fn mutants(&self) -> Vec<Mutant> {
        let all = self.crates.iter().flat_map(|one| &one.mutants);
        all.cloned().collect()
    }
}

/// Returns the numbers of the units in an order in which each comes after the units that it links. Among those that the test
/// links, crates that depend on others come first, and so they do among those of the programs, which link the former.
fn dependencies_first(units: &[Unit]) -> impl Iterator<Item = usize> {
    let n_linked = units.iter().take_while(|unit| !unit.is_program()).count();
    (0..n_linked).rev().chain((n_linked..units.len()).rev())
}

/// Reads the sources of a linked crate.
fn read(crates: &Recompiled<'_>, units: &[Unit], idx: usize) -> Option<SourceTree> {
    let base = crates.base(idx);
    let read = |path: &Utf8Path| {
        let text = std::fs::read_to_string(base.join(path)).ok();
        text.map(Arc::from)
    };
    let root = units[idx].root.strip_prefix(&base).ok()?;
    collect_sources(root, &read)
}

/// Puts switches for mutants into a linked crate and compiles it, as [`with_switches`] does. Of a crate that is compiled in two
/// steps, the compiler keeps what it knows in the directory `kept`.
fn mutate(
    crates: &mut Recompiled<'_>,
    idx: usize,
    sources: (&SourceTree, Option<&BTreeSet<String>>),
    (chosen, kept): (Chosen, &Utf8Path),
) -> Result<Option<Instrumented>, GuardError> {
    with_switches(chosen, sources, |switched, mode| {
        let kept = mode.in_two_steps.then_some(kept);
        Ok(crates.compile(idx, &switched.to_files(), features(mode.reach), kept)?)
    })
}

/// Returns the compiler features that a kind of switches needs.
pub(crate) fn features(reach: Reach) -> Features {
    match reach {
        Reach::Plain => Features::AsCalled,
        Reach::Constant | Reach::MacroOperators | Reach::Macros => Features::Unstable,
    }
}
