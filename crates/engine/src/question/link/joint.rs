//! Joint compilations: several candidates are compiled as modules of one crate. That tells of most of those that do not
//! compile that they do not; and of tests, which run from one program, which of them fail in another way.

use super::super::ask::Refusals;
use super::super::questioner::{asked, stricter};
use super::CompilerOracle;
use crate::candidate::{Candidate, sources};
use crate::failure::Failure;
use reduce_gather::{JointCrate, JointFile, joint_crate, joint_test};
use reduce_oracle::{Cancel, Harness, JointProgram, Plan, Property, Worker};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// For fewer candidates the compiler is not called once more.
const FEWEST: usize = 3;
/// So often candidates are compiled together of which some end the compiler early.
const MOST_EXPANSIONS: usize = 4;

/// Who compiles candidates together, made when it is needed.
#[derive(Debug, Default)]
pub(super) struct JointWorker(Mutex<Option<Worker>>);

impl CompilerOracle {
    /// See [`crate::question::Oracle::refused_jointly`].
    pub(super) fn joint_refusals(
        &self,
        base: &Candidate,
        candidates: &[&Candidate],
        cancel: &Cancel,
    ) -> Result<Refusals, Failure> {
        let has_one_file = base.tree.files().count() == 1;
        let are_alike = candidates.iter().all(|one| one.terms == base.terms);
        if !are_alike || !has_one_file || !self.is_decided_by_errors() {
            return Ok(Refusals::default());
        }
        let on_terms = self.on_terms(&base.terms);
        let mut worker = self.joint.0.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = match &mut *worker {
            Some(worker) => worker,
            none => none.insert(self.joint_worker(&on_terms.plan)?),
        };
        let joint = Joint {
            oracle: self,
            plan: &on_terms.plan,
            property: stricter(&self.property, &base.terms),
            base,
            candidates,
            cancel,
        };
        joint.refusals(worker)
    }

    fn joint_worker(&self, plan: &Plan) -> Result<Worker, Failure> {
        let mut worker = Worker::new(self.scratch.join("joint"), plan, &self.edited)?;
        self.warm.iter().for_each(|warm| worker.warm_up(warm));
        Ok(worker)
    }

    /// Whether errors of a candidate decide, and none of what comes before them ends the compiler.
    fn is_decided_by_errors(&self) -> bool {
        let is_compiler = !self.plan.runs_command() && !self.plan.call.compiler.is_rustdoc();
        let property = &self.property;
        is_compiler && !property.allow_errors && !property.signature.is_of_compiler()
    }
}

/// Candidates that are compiled together with the program that they were made of.
struct Joint<'a> {
    oracle: &'a CompilerOracle,
    plan: &'a Plan,
    property: Property,
    base: &'a Candidate,
    candidates: &'a [&'a Candidate],
    cancel: &'a Cancel,
}

/// A joint crate, and its errors with the versions that they are in.
struct Errors {
    joint: JointCrate,
    errors: Vec<(usize, String)>,
}

impl Errors {
    /// The versions with an error of some kind.
    fn with(&self, is_one: impl Fn(&str) -> bool) -> BTreeSet<usize> {
        let errors = self.errors.iter().filter(|(_, name)| is_one(name));
        errors.map(|(version, _)| *version).collect()
    }
}

impl Joint<'_> {
    fn refusals(&self, worker: &mut Worker) -> Result<Refusals, Failure> {
        let mut refusals = Refusals::default();
        let Some(seen) = self.add_those_with_errors(worker, &mut refusals)? else {
            return Ok(refusals);
        };
        refusals.is_sound = true;
        self.add_those_without_error(worker, seen, &mut refusals)?;
        self.add_other_failures(worker, &mut refusals)?;
        Ok(refusals)
    }

    /// The crate with all candidates that are not refused. The program comes first.
    fn joint_crate(&self, refusals: &Refusals) -> Option<JointCrate> {
        let root = self.base.tree.root();
        let file = match self.base.tree.path(root) == self.plan.call.root {
            true => JointFile::Root,
            false => JointFile::Module,
        };
        let left = self.candidates.iter().enumerate().map(|(idx, candidate)| {
            let is_left = !refusals.candidates.contains(&idx);
            is_left.then(|| candidate.tree.text(root))
        });
        let base = Some(self.base.tree.text(root));
        let versions: Vec<_> = std::iter::once(base).chain(left).collect();
        joint_crate(file, &versions)
    }

    fn program(&self, joint: &JointCrate) -> reduce_oracle::Sources {
        let mut tree = self.base.tree.clone();
        tree.set_text(tree.root(), Arc::from(joint.text.as_str()));
        sources(&tree)
    }

    /// The errors of all candidates that are not refused.
    fn errors(
        &self,
        worker: &mut Worker,
        refusals: &mut Refusals,
    ) -> Result<Option<Errors>, Failure> {
        let Some(joint) = self.joint_crate(refusals) else {
            return Ok(None);
        };
        let (errors, cpu) = worker.errors(self.plan, &self.program(&joint), self.cancel)?;
        refusals.compiler_runs += 1;
        refusals.cpu += cpu;
        let path = self.base.tree.path(self.base.tree.root());
        let here = errors.into_iter().filter(|(_, (file, _))| file == path);
        let with_version =
            here.filter_map(|(name, (_, bytes))| Some((joint.version_at(&bytes)?, name)));
        let errors = with_version.collect();
        Ok(Some(Errors { joint, errors }))
    }

    /// Those that have an error which they must not have. Returns the errors that were found last; `None` where the program
    /// has one as a module that it has not alone.
    fn add_those_with_errors(
        &self,
        worker: &mut Worker,
        refusals: &mut Refusals,
    ) -> Result<Option<Errors>, Failure> {
        let mut seen = None;
        for _ in 0..MOST_EXPANSIONS {
            let Some(errors) = self.errors(worker, refusals)? else {
                return Ok(None);
            };
            let faulty = errors.with(|name| self.property.forbids(name));
            if faulty.contains(&0) {
                return Ok(None);
            }
            refusals
                .candidates
                .extend(faulty.iter().map(|version| version - 1));
            // After errors in what macros expand to, the compiler looks at nothing else.
            let goes_on = faulty.is_empty() || !errors.with(has_code).is_empty();
            seen = Some(errors);
            if goes_on || self.n_left(refusals) < FEWEST {
                break;
            }
        }
        Ok(seen)
    }

    fn n_left(&self, refusals: &Refusals) -> usize {
        self.candidates.len() - refusals.candidates.len()
    }

    /// Where an error is looked for: those that do not have it, though the program has it beside them.
    fn add_those_without_error(
        &self,
        worker: &mut Worker,
        seen: Errors,
        refusals: &mut Refusals,
    ) -> Result<(), Failure> {
        if self.plan.execution().is_some() {
            return Ok(());
        }
        let with_error = |seen: &Errors| seen.with(|name| self.property.looks_for(name));
        let shown = with_error(&seen).contains(&0).then_some(seen);
        let is_worth_it = !refusals.candidates.is_empty() && self.n_left(refusals) >= FEWEST;
        let shown = match shown {
            // After the errors of others the compiler did not come to it.
            None if is_worth_it => self.errors(worker, refusals)?,
            shown => shown,
        };
        let Some(shown) = shown else {
            return Ok(());
        };
        let failing = with_error(&shown);
        if failing.contains(&0) {
            let versions = (1..=self.candidates.len()).filter(|version| shown.joint.has(*version));
            let without = versions.filter(|version| !failing.contains(version));
            refusals
                .candidates
                .extend(without.map(|version| version - 1));
        }
        Ok(())
    }

    /// Where a test fails: those that pass, fail in another way, or disagree under a mutant. Candidates after one that is
    /// interesting are not looked at.
    fn add_other_failures(
        &self,
        worker: &mut Worker,
        refusals: &mut Refusals,
    ) -> Result<(), Failure> {
        let is_worth_it = self.n_left(refusals) >= FEWEST && self.runs_once();
        let test = self.plan.execution().map(|execution| &execution.harness);
        let Some(Harness::Libtest { test }) = test.filter(|_| is_worth_it) else {
            return Ok(());
        };
        let Some(joint) = self.joint_crate(refusals) else {
            return Ok(());
        };
        let root = self.base.tree.root();
        let text = |version: usize| match version {
            0 => self.base.tree.text(root),
            _ => self.candidates[version - 1].tree.text(root),
        };
        let tests = (0..=self.candidates.len()).filter(|version| joint.has(*version));
        let tests =
            tests.filter_map(|version| Some((version, joint_test(text(version), test, version)?)));
        let (versions, tests): (Vec<usize>, Vec<String>) = tests.unzip();
        let program = JointProgram {
            sources: self.program(&joint),
            tests,
        };
        let agreement = self.oracle.guard(&self.base.terms);
        let (plan, property) = asked((self.plan, &self.property), agreement);
        refusals.compiler_runs += 1;
        let (verdicts, cpu) = worker.judge_jointly(&plan, &property, &program, self.cancel)?;
        refusals.cpu += cpu;
        // It says nothing if the program itself fails otherwise beside others.
        let is_sound = verdicts
            .first()
            .is_some_and(|first| first.as_ref().is_some_and(|first| first.is_interesting()));
        let refused = versions.iter().zip(&verdicts).filter(|(_, verdict)| {
            verdict
                .as_ref()
                .is_some_and(|verdict| !verdict.is_interesting())
        });
        let refused = refused.filter(|_| is_sound).map(|(version, _)| version - 1);
        refusals.candidates.extend(refused);
        Ok(())
    }

    /// Whether a single run decides about a candidate as it is.
    fn runs_once(&self) -> bool {
        self.plan.conduct.repeat <= 1 && !self.plan.is_hang() && !self.oracle.has_marked_code()
    }
}

/// Whether an error is called by a code, and not by its message.
fn has_code(name: &str) -> bool {
    let number = name.strip_prefix('E');
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}
