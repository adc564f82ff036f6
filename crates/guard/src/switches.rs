//! The code under test with switches for mutants: the crates that get them, and the crates that
//! link those.

use crate::code_under_test::{code_under_test, others_that_test_names};
use crate::compiling::{compiling, fewer_const, with_switches};
use crate::context::GuardContext;
use crate::error::GuardError;
use crate::marked::MutatedCrate;
use crate::rest::RestOfCrate;
use camino::Utf8Path;
use reduce_gather::collect_sources;
use reduce_mutants::{Instrumented, Mutant, MutantId, Reach, names_in_constants};
use reduce_oracle::{
    Compiled, ErrorPlace, Features, Plan, Recompiled, Sources, Switched, Unit, Worker,
};
use reduce_syntax::SourceTree;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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
    /// The rest of the crate of a unit test, with its switches.
    pub(crate) rest: Option<Instrumented>,
    /// Linked crates with their switches, by their numbers among the units.
    linked: BTreeMap<usize, Arc<Instrumented>>,
    /// Whether the crates that link those with switches compile.
    is_linked: bool,
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
    /// The linked crates that get these switches, by their numbers among the units.
    known: BTreeMap<usize, Instrumented>,
}

/// The result of compiling the crates that call the code under test, by macros and in constants.
enum InCalls {
    Compile,
    /// Some switches do not compile: the linked crates without these.
    Fewer(BTreeMap<usize, Instrumented>),
    /// It does not compile, and the switches that do not are not known.
    Unknown,
}

impl Switches {
    /// Compiles the code under test with as many switches as it and the test compile with. `units` are the crates that the test
    /// links, and then those of the programs that it may start.
    pub(crate) fn of(
        context: &GuardContext<'_>,
        plan: &Plan,
        units: &[Unit],
        test: (&SourceTree, Option<&RestOfCrate<'_>>),
    ) -> Result<Self, GuardError> {
        let mut constness = match context.is_whole() {
            true => Constness::WhereNamed,
            false => Constness::AsWritten,
        };
        let mut runs = 0;
        for reach in Reach::ALL {
            let mut known = BTreeMap::new();
            loop {
                let attempt = Attempt {
                    reach,
                    constness,
                    known,
                };
                let mut switches = Self::with(context, plan, units, test, attempt)?;
                runs += switches.runs;
                switches.runs = runs;
                let is_last = reach == Reach::Plain && constness == Constness::AsWritten;
                if is_last {
                    return Ok(switches);
                }
                match switches.in_calls(context, plan, test.0, constness)? {
                    InCalls::Compile => return Ok(switches),
                    InCalls::Fewer(fewer) => known = fewer,
                    InCalls::Unknown if constness == Constness::WhereNamed => {
                        constness = Constness::AsWritten;
                        known = BTreeMap::new();
                    }
                    InCalls::Unknown => break,
                }
            }
        }
        unreachable!("the last ones are taken as they are")
    }

    /// Compiles the crates that link the code under test, to see whether its switches compile there too. Only calls
    /// of macros are a question, and what the compiler evaluates.
    fn in_calls(
        &self,
        context: &GuardContext<'_>,
        plan: &Plan,
        test: &SourceTree,
        constness: Constness,
    ) -> Result<InCalls, GuardError> {
        if !self.is_linked {
            return Ok(InCalls::Unknown);
        }
        let mut all = self.crates.iter().flat_map(|one| &one.mutants);
        if constness == Constness::AsWritten && !all.any(|one| one.is_in_macro) {
            return Ok(InCalls::Compile);
        }
        let mut plan = self.switched.plan(plan);
        plan.run_policy.limits.usual = None;
        let sources = test.to_files();
        let edited = sources.keys().cloned().collect();
        let scratch = context.scratch.join("calls-of-macros");
        let mut worker = Worker::new(scratch, &plan, &edited)?;
        let compiled = Compiled::of_plan(&mut worker, &plan, &sources, context.cancel)?;
        Ok(match compiled {
            Compiled::Yes => InCalls::Compile,
            Compiled::No(places) => self
                .without_broken(&places)
                .map_or(InCalls::Unknown, InCalls::Fewer),
        })
    }

    /// Returns the linked crates without the mutants in macros that cause these errors; `None` where no mutant
    /// does.
    fn without_broken(
        &self,
        places: &[Option<ErrorPlace>],
    ) -> Option<BTreeMap<usize, Instrumented>> {
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
        let fewer = fewer.collect();
        are_fewer.then_some(fewer)
    }

    /// Compiles the code under test with the switches of an attempt, with the rest of the test's own crate where there
    /// is one. A crate that does not compile with switches has none.
    fn with(
        context: &GuardContext<'_>,
        plan: &Plan,
        units: &[Unit],
        (test, rest): (&SourceTree, Option<&RestOfCrate<'_>>),
        attempt: Attempt,
    ) -> Result<Self, GuardError> {
        let Attempt {
            reach,
            constness,
            mut known,
        } = attempt;
        let dir = context.scratch.join("code-under-test");
        let mut crates = Recompiled::new(plan, units, context.builds, dir, context.cancel)?;
        let is_mutated = code_under_test(context.mutate, plan, &crates, units)?;
        let others = others_that_test_names(test, plan, &crates, units, &is_mutated);
        let mut sources_of = BTreeMap::new();
        for &idx in &is_mutated {
            sources_of.extend(read(&crates, units, idx).map(|tree| (idx, tree)));
        }
        let in_constants = match constness {
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
                    let instrumented = match known.remove(&idx) {
                        Some(known) => again(&mut crates, idx, known)?,
                        None => {
                            let plain = plain(&mut crates, idx, &tree, in_constants.as_ref())?;
                            mutate(&mut crates, idx, &plain, (next, reach))?
                        }
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
                if crates.compile(idx, &as_it_is, Features::AsCalled)? != Compiled::Yes {
                    mutated.clear();
                    is_linked = false;
                    break;
                }
            }
        }
        let (mut switched, mut runs) = crates.finish();
        let (mut own, mut of_rest) = (None, None);
        if let Some(rest) = rest
            && let Some(instrumented) =
                rest.mutate(context, &switched.plan(plan), next, in_constants.as_ref())?
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
            of_rest = rest.tests.map(|_| instrumented);
        }
        Ok(Self {
            switched,
            code_under_test: is_mutated,
            rest: of_rest,
            crates: mutated,
            own,
            others,
            runs,
            linked,
            is_linked,
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

/// Removes `const` from the functions of a crate but those that names in constants lead to, if it
/// compiles then.
fn plain(
    crates: &mut Recompiled<'_>,
    idx: usize,
    tree: &SourceTree,
    in_constants: Option<&BTreeSet<String>>,
) -> Result<SourceTree, GuardError> {
    fewer_const(tree, in_constants, |plain| {
        Ok(crates.compile(idx, &plain.to_files(), Features::AsCalled)?)
    })
}

/// Puts switches for mutants into a crate and compiles it; `None` where none of them compiles.
fn mutate(
    crates: &mut Recompiled<'_>,
    idx: usize,
    tree: &SourceTree,
    numbers: (MutantId, Reach),
) -> Result<Option<Instrumented>, GuardError> {
    with_switches(tree, numbers, |switched, reach| {
        Ok(crates.compile(idx, &switched.to_files(), features(reach))?)
    })
}

/// Compiles a crate again with switches that were compiled before, without those that do not
/// compile now.
fn again(
    crates: &mut Recompiled<'_>,
    idx: usize,
    known: Instrumented,
) -> Result<Option<Instrumented>, GuardError> {
    let features = features(known.reach());
    compiling(known, |switched| {
        Ok(crates.compile(idx, &switched.to_files(), features)?)
    })
}

/// Returns the compiler features that a kind of switches needs.
pub(crate) fn features(reach: Reach) -> Features {
    match reach {
        Reach::Plain => Features::AsCalled,
        Reach::Constant | Reach::MacroOperators | Reach::Macros => Features::Unstable,
    }
}
