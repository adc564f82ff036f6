//! Joint compilations: several candidates are compiled as modules of one crate. That tells of most of those that do not
//! compile that they do not; and of tests, which run from one program, which of them fail in another way.

mod alone;
mod deciding;

use super::super::criteria::asked;
use super::super::oracle::{Refusals, Side};
use super::super::questioner::changes_difference;
use super::super::references::References;
use super::CompilerOracle;
use crate::candidate::{Candidate, CompileOptions};
use crate::failure::Failure;
use deciding::Deciding;
use reduce_gather::{
    JOINT_VARIABLE, JointCrate, JointFile, has_joint_main, joint_crate, joint_test, links_the_same,
};
use reduce_oracle::{
    Cancel, Harness, JointBuild, JointTests, Plan, Property, ReportedError, Sources, Verdict,
    Worker,
};
use reduce_syntax::SourceTree;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// The least number of candidates left for which the compiler is called once more.
const FEWEST: usize = 3;
/// The largest number of calls that look for errors of candidates: errors in macro expansion keep
/// the compiler from all others, and a program that is run is not made as long as there are errors.
const MOST_EXPANSIONS: usize = 4;

/// The first release of the compiler, by its second number, with which a joint program can call a `main` whatever it
/// returns.
const TERMINATION: u32 = 61;

/// The codes of errors of inference, which may come from impls of the other candidates in a joint
/// crate.
const AMBIGUITIES: [&str; 4] = ["E0034", "E0282", "E0283", "E0790"];

/// The workers that compile candidates together, by the number of the joint compilation that each
/// is for.
#[derive(Debug, Default)]
pub(super) struct JointWorkers(Mutex<BTreeMap<usize, Arc<Mutex<State>>>>);

impl JointWorkers {
    fn on(&self, side: Side) -> Arc<Mutex<State>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(side.number).or_default())
    }
}

#[derive(Debug, Default)]
struct State {
    /// The worker that compiles candidates together, made when it is first needed.
    worker: Option<Worker>,
    /// The programs whose tests were run from one executable with those of candidates.
    tests: References,
    /// Whether the error that is looked for did not show in a joint compilation where no other error came before it.
    is_silent: bool,
}

impl CompilerOracle {
    /// Compiles candidates together and returns those that are refused, for
    /// [`crate::ask::Oracle::refused_jointly`].
    pub(super) fn joint_refusals(
        &self,
        base: &Candidate,
        candidates: &[&Candidate],
        side: Side,
        cancel: &Cancel,
    ) -> Result<Refusals, Failure> {
        let has_one_file = base.tree.files().count() == 1;
        let are_alike = candidates
            .iter()
            .all(|one| one.compile_options == base.compile_options);
        let (Some(deciding), true) = (self.deciding(&base.compile_options), are_alike) else {
            return Ok(Refusals::default());
        };
        if !has_one_file {
            return Ok(Refusals {
                is_left_out: true,
                ..Refusals::default()
            });
        }
        let state = self.joint.on(side);
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let joint = Joint {
            oracle: self,
            deciding,
            base,
            candidates,
            side,
            cancel,
        };
        joint.refusals(&mut state)
    }

    /// Whether candidates with these compile options may be compiled together, for
    /// [`crate::ask::Oracle::compiles_jointly`].
    pub(super) fn may_compile_jointly(&self, compile_options: &CompileOptions) -> bool {
        self.deciding(compile_options).is_some()
    }

    /// Returns the rule by which errors decide about candidates with these compile options, if they
    /// do.
    fn deciding(&self, compile_options: &CompileOptions) -> Option<Deciding> {
        let property = self.criteria.property(compile_options);
        Deciding::of(&self.with_options(compile_options).plan, property)
    }

    /// Whether joint compilations of candidates with these compile options tell as much of the first interesting one as a
    /// query does: nothing is asked but how one program runs.
    pub(super) fn may_accept_jointly(&self, compile_options: &CompileOptions) -> bool {
        let plan = &self.with_options(compile_options).plan;
        let policy = &plan.run_policy;
        plan.keeps_program()
            && !plan.is_hang()
            && !self.keeps_points()
            && policy.repeat <= 1
            && policy.companions.is_empty()
            && self.may_compile_jointly(compile_options)
    }

    /// Whether a candidate is compiled beside others with its very text, and a query would not refuse it for anything else
    /// than its runs. Where it fails as it should, it has come to none of its `loop {}`.
    fn asks_as_it_is(&self, candidate: &Candidate) -> bool {
        let (criteria, tree) = (&self.criteria, &candidate.tree);
        let linked = (&*candidate.compile_options.linkage, criteria.crates.units());
        let guard = criteria.guard(&candidate.compile_options);
        let changed = criteria.loops.and_then(|loops| loops.beside_others(tree));
        changed.is_none()
            && criteria.lost_in(candidate).is_none()
            && criteria.prefilter.runs_on_in(tree).is_none()
            && guard.is_none_or(|guard| matches!(guard.screen(tree, linked), Ok(None)))
            && !changes_difference(candidate, &criteria.crates)
    }

    /// Whether a query about a candidate would tell no more than a run of it without a mutant, and under each that is asked.
    pub(super) fn is_decided_by_runs(&self, candidate: &Candidate) -> bool {
        let compile_options = &candidate.compile_options;
        let runs = self.criteria.runs(compile_options);
        let property = &self.criteria.property;
        self.may_accept_jointly(compile_options)
            && self.asks_as_it_is(candidate)
            && runs.is_none_or(|runs| !runs.asks_how_it_fails())
            && property.patterns.is_empty()
    }

    fn joint_worker(&self, plan: &Plan, side: Side) -> Result<Worker, Failure> {
        let directory = format!("joint-{}", side.number);
        Ok(self.workshop.warm_worker(&directory, plan)?)
    }
}

/// Candidates that are compiled together with the program that they were made of.
struct Joint<'a> {
    oracle: &'a CompilerOracle,
    deciding: Deciding,
    base: &'a Candidate,
    candidates: &'a [&'a Candidate],
    side: Side,
    cancel: &'a Cancel,
}

/// A joint crate with its errors, each with the number of the module that it is in: 0 for the
/// program that all candidates are made of.
struct Errors {
    joint: JointCrate,
    errors: Vec<(usize, ReportedError)>,
    /// Whether the crate was compiled to a program, whose tests can be run.
    is_made: bool,
}

/// The runs by which the tests of candidates are judged that are compiled together.
struct Runs {
    plan: Plan,
    property: Property,
    /// The path of the failing test in a program that stands alone; `None` where that runs its `main`.
    test: Option<String>,
}

impl Joint<'_> {
    fn refusals(&self, state: &mut State) -> Result<Refusals, Failure> {
        let mut refusals = Refusals {
            tells_errors_alone: self.deciding.tells_errors_alone(),
            ..Refusals::default()
        };
        let runs = self.runs(&state.tests);
        let State {
            worker,
            tests,
            is_silent,
        } = state;
        let worker = match worker {
            Some(worker) => worker,
            none => none.insert(self.oracle.joint_worker(&self.deciding.plan, self.side)?),
        };
        let Some(seen) = self.add_those_with_errors(worker, runs.as_ref(), &mut refusals)? else {
            refusals.is_left_out = refusals.compiler_runs == 0;
            return Ok(refusals);
        };
        refusals.is_sound = true;
        match runs.filter(|_| seen.is_made) {
            Some(runs) => {
                self.add_other_failures(worker, (&runs, &seen.joint), tests, &mut refusals)?
            }
            None if self.deciding.looks_for_error() && !*is_silent => {
                *is_silent = !self.add_those_without_error(worker, seen, &mut refusals)?;
            }
            None => {}
        }
        Ok(refusals)
    }

    /// Returns how the tests of the candidates are run, where running each once from one program decides about it.
    fn runs(&self, tests: &References) -> Option<Runs> {
        let test = match &self.deciding.plan.execution()?.harness {
            Harness::Libtest { test } => Some(test.clone()),
            Harness::None if self.has_main() => None,
            Harness::None => return None,
        };
        let is_possible = self.runs_once() && tests.may_be_alike(&self.base.tree.digest());
        is_possible.then(|| {
            let compile_options = &self.base.compile_options;
            let runs = self.oracle.criteria.runs(compile_options);
            let (plan, property) = asked(
                (&self.deciding.plan, &self.deciding.property),
                runs.as_deref(),
            );
            Runs {
                plan,
                property,
                test,
            }
        })
    }

    /// Whether the `main` of each candidate can be called from one program.
    fn has_main(&self) -> bool {
        let (plan, root) = (&self.deciding.plan, self.base.tree.root());
        let knows_termination = plan.call.compiler.release().and_then(minor) >= Some(TERMINATION);
        plan.keeps_program()
            && knows_termination
            && self.base.tree.path(root) == plan.call.root
            && has_joint_main(self.base.tree.text(root))
    }

    /// Makes the crate of all candidates that are not refused. The program comes first.
    fn joint_crate(&self, runs: Option<&Runs>, refusals: &Refusals) -> Option<JointCrate> {
        let root = self.base.tree.root();
        let is_root = self.base.tree.path(root) == self.deciding.plan.call.root;
        let file = match runs {
            Some(runs) if runs.test.is_none() => JointFile::Program,
            _ if is_root => JointFile::Root,
            _ => JointFile::Module,
        };
        let halting = |tree| {
            self.oracle
                .criteria
                .loops
                .and_then(|loops| loops.beside_others(tree))
        };
        let left = self.candidates.iter().enumerate().map(|(idx, candidate)| {
            let is_left = !refusals.candidates.contains_key(&idx);
            is_left.then(|| halting(&candidate.tree).unwrap_or_else(|| candidate.tree.clone()))
        });
        let left: Vec<Option<SourceTree>> = left.collect();
        let left = left.iter().map(|tree| Some(tree.as_ref()?.text(root)));
        let base = Some(self.base.tree.text(root));
        let versions: Vec<_> = std::iter::once(base).chain(left).collect();
        joint_crate(file, &versions)
    }

    fn program(&self, joint: &JointCrate) -> Sources {
        let mut tree = self.base.tree.clone();
        tree.set_text(tree.root(), Arc::from(joint.text.as_str()));
        tree.to_files()
    }

    /// Compiles all candidates that are not refused yet as one crate, to a program if that is to be run, and returns its
    /// errors.
    fn errors(
        &self,
        worker: &mut Worker,
        runs: Option<&Runs>,
        refusals: &mut Refusals,
    ) -> Result<Option<Errors>, Failure> {
        let Some(joint) = self.joint_crate(runs, refusals) else {
            return Ok(None);
        };
        let program = self.program(&joint);
        let build = match runs {
            Some(runs) => worker.build_jointly(&runs.plan, &program, self.cancel)?,
            None => {
                let (plan, extent) = (&self.deciding.plan, self.deciding.extent());
                let (errors, cpu) = worker.errors(plan, &program, extent, self.cancel)?;
                JointBuild {
                    errors,
                    cpu,
                    is_made: false,
                }
            }
        };
        refusals.compiler_runs += 1;
        refusals.cpu += build.cpu;
        let path = self.base.tree.path(self.base.tree.root());
        let is_of_others =
            |error: &ReportedError| joint.may_be_ambiguous && AMBIGUITIES.contains(&&*error.name);
        let errors = build
            .errors
            .into_iter()
            .filter(|error| !is_of_others(error));
        let here = errors.filter(|error| error.part.0 == path);
        let with_version = here.filter_map(|error| Some((joint.version_at(&error.part.1)?, error)));
        let errors = with_version.collect();
        Ok(Some(Errors {
            joint,
            errors,
            is_made: build.is_made,
        }))
    }

    /// Refuses the candidates that have an error which they must not have. Returns the errors that were found last; `None`
    /// where the program has one as a module that it has not alone.
    fn add_those_with_errors(
        &self,
        worker: &mut Worker,
        runs: Option<&Runs>,
        refusals: &mut Refusals,
    ) -> Result<Option<Errors>, Failure> {
        let mut seen = None;
        let fewest = match runs.is_some() && self.accepts() {
            true => 1,
            false => FEWEST,
        };
        let most_expansions = match (self.side.is_brief, runs) {
            (true, None) => 1,
            (true, Some(_)) => 2,
            (false, _) => MOST_EXPANSIONS,
        };
        for _ in 0..most_expansions {
            let Some(errors) = self.errors(worker, runs, refusals)? else {
                return Ok(None);
            };
            let forbidden = self.deciding.forbidden(&errors.errors);
            if forbidden.contains_key(&0) {
                return Ok(None);
            }
            let n_before = refusals.candidates.len();
            for (version, name) in forbidden {
                let candidate = refusals.candidates.entry(version - 1);
                candidate.or_insert(Verdict::AddsError(name));
            }
            let is_refused = refusals.candidates.len() > n_before;
            // After errors in what macros expand to, the compiler looks at nothing else. A program is not made after any.
            let mut all = errors.errors.iter();
            let has_come_to_end =
                !is_refused || (runs.is_none() && all.any(|(_, error)| has_code(&error.name)));
            seen = Some(errors);
            if has_come_to_end || self.n_left(refusals) < fewest {
                break;
            }
        }
        Ok(seen)
    }

    fn n_left(&self, refusals: &Refusals) -> usize {
        self.candidates.len() - refusals.candidates.len()
    }

    /// Refuses the candidates that do not have the error that is looked for, if the program has it in the same crate.
    /// Returns whether the program may have it there.
    fn add_those_without_error(
        &self,
        worker: &mut Worker,
        seen: Errors,
        refusals: &mut Refusals,
    ) -> Result<bool, Failure> {
        let with_error = |seen: &Errors| {
            let errors = seen.errors.iter();
            let looked_for = errors.filter(|(_, error)| self.deciding.looks_for(error));
            looked_for.map(|one| one.0).collect::<BTreeSet<_>>()
        };
        let shown = with_error(&seen).contains(&0).then_some(seen);
        let is_worth_it = !refusals.candidates.is_empty() && self.n_left(refusals) >= FEWEST;
        let shown = match shown {
            // After the errors of others the compiler did not come to it.
            None if is_worth_it => self.errors(worker, None, refusals)?,
            shown => shown,
        };
        let Some(shown) = shown else {
            return Ok(true);
        };
        let failing = with_error(&shown);
        let may_show = failing.contains(&0) || !shown.errors.is_empty();
        if failing.contains(&0) {
            let versions = (1..=self.candidates.len()).filter(|version| shown.joint.has(*version));
            let without = versions.filter(|version| !failing.contains(version));
            for version in without {
                let candidate = refusals.candidates.entry(version - 1);
                candidate.or_insert(Verdict::Compiles);
            }
        }
        Ok(may_show)
    }

    /// Refuses the candidates whose test passes, fails in another way, or has another outcome in a run of the guard.
    /// Candidates after one that is interesting are not looked at.
    fn add_other_failures(
        &self,
        worker: &mut Worker,
        (runs, joint): (&Runs, &JointCrate),
        alike: &mut References,
        refusals: &mut Refusals,
    ) -> Result<(), Failure> {
        let digest = self.base.tree.digest();
        let Some((candidates, tests)) = self.tests(joint, runs, alike.is_alike(&digest)) else {
            return Ok(());
        };
        let told = worker.judge_jointly(&runs.plan, &runs.property, &tests, self.cancel)?;
        refusals.cpu += told.cpu;
        alike.note(digest, told.is_alike);
        let ended = candidates.into_iter().zip(told.verdicts);
        let ended = ended.filter_map(|(candidate, verdict)| Some((candidate, verdict?)));
        let (interesting, refused): (Vec<_>, Vec<_>) =
            ended.partition(|(_, verdict)| verdict.is_interesting());
        refusals.candidates.extend(refused);
        if self.accepts() {
            let interesting = interesting.into_iter().map(|(candidate, _)| candidate);
            let as_alone = interesting.filter(|idx| self.is_as_alone(self.candidates[*idx]));
            refusals.accepted = as_alone.collect();
        }
        Ok(())
    }

    /// Returns the tests of the candidates in a joint crate, with the candidates' indices. That of the
    /// program is the reference, unless it is known to be alike.
    fn tests(
        &self,
        joint: &JointCrate,
        runs: &Runs,
        is_known: bool,
    ) -> Option<(Vec<usize>, JointTests)> {
        let root = self.base.tree.root();
        let path = |tree: &SourceTree, version: usize| match &runs.test {
            Some(test) => joint_test(tree.text(root), test, version),
            None => Some(version.to_string()),
        };
        let reference = path(&self.base.tree, 0)?;
        let candidates = self.candidates.iter().enumerate();
        let there = candidates.filter(|(idx, _)| joint.has(idx + 1));
        let tests =
            there.filter_map(|(idx, candidate)| Some((idx, path(&candidate.tree, idx + 1)?)));
        let (candidates, paths) = tests.unzip();
        let tests = JointTests {
            reference: (!is_known).then_some(reference),
            candidates: paths,
            variable: runs.test.is_none().then_some(JOINT_VARIABLE),
            are_all_run: self.accepts(),
        };
        Some((candidates, tests))
    }

    /// Whether what is interesting here is accepted.
    fn accepts(&self) -> bool {
        self.oracle.may_accept_jointly(&self.base.compile_options)
    }

    /// Whether a candidate has nothing here that it would not have alone, and a query would ask about it as it is.
    fn is_as_alone(&self, candidate: &Candidate) -> bool {
        let root = self.base.tree.root();
        links_the_same(self.base.tree.text(root), candidate.tree.text(root))
            && self.oracle.asks_as_it_is(candidate)
    }

    /// Whether a candidate is decided by running it once, exactly as it is in the joint crate.
    fn runs_once(&self) -> bool {
        self.deciding.plan.run_policy.repeat <= 1
            && !self.deciding.plan.is_hang()
            && !self.oracle.keeps_points()
    }
}

/// Returns the second number of a release such as `1.97.0-nightly`.
fn minor(release: &str) -> Option<u32> {
    release.split('.').nth(1)?.parse().ok()
}

/// Whether the name of an error is a code such as `E0308`; an error without a code is named by its
/// message.
fn has_code(name: &str) -> bool {
    let number = name.strip_prefix('E');
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}
