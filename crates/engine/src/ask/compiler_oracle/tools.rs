//! The tools of the compiler, asked about programs: what names mean, what is unused, how a text is laid out.

use super::super::compiler_tools::{CompilerTools, JudgedAnew, Told};
use super::super::job_facts::JobFacts;
use super::super::right_values::by_good_version;
use super::CompilerOracle;
use crate::candidate::{Candidate, CompileOptions};
use crate::failure::Failure;
use camino::Utf8PathBuf;
use reduce_guard::{Judgement, MakeWorker};
use reduce_model::{CompilerNames, HirLines, Position, ThirLines};
use reduce_oracle::{Cancel, Linted, OwnResults, Plan, Printout, TreePaths, Worker};
use reduce_passes::{Carving, ChangesByValues};
use reduce_syntax::{Edit, EditSet, SourceTree};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// An answer of the compiler about the last program that it was asked about. Several stages ask about the same program, one after
/// the other.
#[derive(Debug)]
pub(super) struct LastAnswer<T>(Mutex<Option<(Candidate, T)>>);

impl<T> Default for LastAnswer<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> LastAnswer<T> {
    /// Returns the answer about a program, for which `ask` is called where it is another program than the last. What is not an
    /// answer is not remembered.
    fn about(
        &self,
        candidate: &Candidate,
        ask: impl FnOnce() -> Result<Option<T>, Failure>,
    ) -> Result<Option<T>, Failure> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, answer)) = last.as_ref().filter(|(known, _)| known == candidate) {
            return Ok(Some(answer.clone()));
        }
        let answer = ask()?;
        if let Some(answer) = &answer {
            *last = Some((candidate.clone(), answer.clone()));
        }
        Ok(answer)
    }
}

/// The bytes of a printout that are read for each token of the program.
const PRINTED_OF_TOKEN: u64 = 8 << 10;
/// The bytes of a printout that are always read.
const LEAST_PRINTED: u64 = 32 << 20;
/// The bytes of a printout that are read at most.
const MOST_PRINTED: u64 = 400 << 20;

impl CompilerTools for CompilerOracle {
    fn expand(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Option<String>, Failure> {
        let (plan, mut worker) = self.aside("expand", candidate)?;
        Ok(worker.expand(&plan, &candidate.tree.to_files(), cancel)?)
    }

    fn names(&self, candidate: &Candidate, cancel: &Cancel) -> Result<CompilerNames, Failure> {
        let names = self.printed.about(candidate, || {
            let mut lines = HirLines::default();
            let mut read = |line: &str| lines.read(line);
            let paths = self.print(candidate, Printout::Definitions, &mut read, cancel)?;
            let names =
                |paths: TreePaths| lines.names(|path| candidate.tree.find(&paths.file(path)?));
            // That the compiler says nothing is an answer too, which may have taken it long.
            let names = paths.map(names).unwrap_or_default();
            Ok((!cancel.is_cancelled()).then_some(names))
        })?;
        Ok(names.unwrap_or_default())
    }

    fn calls(&self, candidate: &Candidate, cancel: &Cancel) -> Result<CompilerNames, Failure> {
        let calls = self.printed_with_calls.about(candidate, || {
            let mut lines = ThirLines::default();
            let mut read = |line: &str| lines.read(line);
            let paths = self.print(candidate, Printout::Bodies, &mut read, cancel)?;
            let calls = match paths {
                Some(_) => self.names(candidate, cancel)?.with_bodies(lines),
                None => CompilerNames::default(),
            };
            Ok((!cancel.is_cancelled()).then_some(calls))
        })?;
        Ok(calls.unwrap_or_default())
    }

    fn unused(&self, candidate: &Candidate, cancel: &Cancel) -> Result<EditSet, Failure> {
        let tree = &candidate.tree;
        let mut edits = EditSet::new();
        for (path, bytes) in self.linted(candidate, cancel)?.unused {
            if let Some(file) = tree.find(&path) {
                edits.add(Edit::replace(file, &bytes, ""));
            }
        }
        Ok(edits)
    }

    fn dead_names(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Vec<Position>, Failure> {
        let tree = &candidate.tree;
        let names = self.linted(candidate, cancel)?.dead_names.into_iter();
        Ok(names.filter_map(|name| position(tree, name)).collect())
    }

    fn unentered(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Vec<EditSet>, Failure> {
        let compile_options = &candidate.compile_options;
        let Some(guard) = self.criteria.guard(compile_options) else {
            return Ok(Vec::new());
        };
        let make_worker = |plan: &Plan| self.workshop.worker("blocks", plan);
        let plan = self.plan(compile_options);
        let by = (&plan, &*compile_options.linkage);
        Ok(guard.unentered_blocks(&candidate.tree, by, &make_worker, cancel)?)
    }

    fn changes_by_values(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<ChangesByValues, Failure> {
        self.found_changes_by_values(candidate, cancel)
    }

    fn carved(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Carving, Failure> {
        self.carved_forms(candidate, cancel)
    }

    fn judged_anew(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<JudgedAnew>, Failure> {
        let compile_options = &candidate.compile_options;
        let Some(guard) = self.criteria.guard(compile_options) else {
            return Ok(Some(JudgedAnew::as_it_is(candidate)));
        };
        let make_worker = |plan: &Plan| self.workshop.warm_worker("anew", plan);
        let plan = self.plan(compile_options);
        let by = (&plan, &*compile_options.linkage);
        let written = (&candidate.tree, &self.criteria.property.signature);
        let judgement = guard.judge_anew(written, by, &make_worker, cancel)?;
        Ok(self.judged(candidate, judgement))
    }

    fn expecting_anew(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<JudgedAnew>, Failure> {
        // The results that a program has to keep say nothing of what is right.
        let compile_options = CompileOptions {
            own_results: None,
            ..candidate.compile_options.clone()
        };
        let with_options = self.with_options(&compile_options);
        let (plan, digest) = (&with_options.plan, with_options.digest);
        let make_worker = |plan: &Plan| self.workshop.warm_worker("right-values", plan);
        let right = self.right_values.about((candidate, digest), |worker| {
            let guard = self.criteria.guard(&compile_options);
            match guard.filter(|_| !self.has_good_version()) {
                Some(guard) => {
                    let by = (&self.plan(&compile_options), &*compile_options.linkage);
                    let own = candidate.compile_options.own_results.as_deref();
                    let test = (&candidate.tree, &self.criteria.property.signature, own);
                    let workers = (worker, &make_worker as &MakeWorker<'_>);
                    Ok(guard.judge_expecting_anew(test, by, workers, cancel)?)
                }
                None => {
                    let worker = match worker {
                        Some(worker) => worker,
                        none => none.insert(make_worker(plan)?),
                    };
                    by_good_version(candidate, plan, worker, cancel)
                }
            }
        })?;
        Ok(right.and_then(|(tree, judgement)| self.judged(&candidate.with_tree(tree), judgement)))
    }

    fn judged_again(
        &self,
        smaller: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<Candidate>, Failure> {
        let compile_options = &smaller.compile_options;
        let Some(guard) = self.criteria.guard(compile_options) else {
            return Ok(None);
        };
        let make_worker = |plan: &Plan| self.workshop.warm_worker("anew", plan);
        let by = (&self.plan(compile_options), &*compile_options.linkage);
        let own = compile_options.own_results.as_deref();
        let results = guard.judge_again((&smaller.tree, own), by, &make_worker, cancel)?;
        Ok(results.map(|results| with_own_results(smaller, results)))
    }

    fn error_places(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<Vec<Position>>, Failure> {
        let tree = &candidate.tree;
        let errors = self.linted(candidate, cancel)?.errors;
        let positions = |errors: Vec<_>| {
            let errors = errors.into_iter();
            errors.map(|error| position(tree, error)).collect()
        };
        Ok(errors.and_then(positions))
    }

    fn errors(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Option<Told>, Failure> {
        self.told_errors(candidate, cancel)
    }

    fn format(&self, text: &str, cancel: &Cancel) -> Result<Option<String>, Failure> {
        // The formatter reads no file of the plan's.
        let plan = &self.criteria.plan;
        let directory = self.workshop.scratch.join("format");
        let mut worker = Worker::new(directory, plan, &plan.inputs.files)?;
        Ok(worker.format(plan, text, cancel)?)
    }
}

/// Makes a candidate whose own candidates keep these results, in place of those of the original.
fn with_own_results(candidate: &Candidate, mut results: OwnResults) -> Candidate {
    let mut own = candidate.clone();
    let before = own.compile_options.own_results.take();
    results.entered = results.entered.or_else(|| before?.entered.clone());
    own.compile_options.own_results = Some(Arc::new(results));
    own
}

impl CompilerOracle {
    /// Returns a candidate with the results that it has to keep by this judgement; `None` where it shows another bug.
    fn judged(&self, candidate: &Candidate, judgement: Judgement) -> Option<JudgedAnew> {
        match judgement {
            Judgement::AsOriginal => Some(JudgedAnew::as_it_is(candidate)),
            Judgement::OfItsOwn(results) => {
                let candidate = with_own_results(candidate, results);
                let is_decided = self.is_decided_by_runs(&candidate);
                Some(JudgedAnew {
                    candidate,
                    is_decided,
                })
            }
            Judgement::Refused => None,
        }
    }

    /// Returns what the compiler says of a program by its lints; nothing where it cannot say.
    fn linted(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Linted, Failure> {
        let linted = self.linted.about(candidate, || {
            let (plan, mut worker) = self.aside("lint", candidate)?;
            let linted = worker.lint(&plan, &candidate.tree.to_files(), cancel)?;
            Ok(linted.filter(|_| !cancel.is_cancelled()))
        })?;
        Ok(linted.unwrap_or_default())
    }

    fn print(
        &self,
        candidate: &Candidate,
        printout: Printout,
        read: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<Option<TreePaths>, Failure> {
        let (plan, mut worker) = self.aside("names", candidate)?;
        let files = candidate.tree.to_files();
        let most = most_printed(candidate.tree.count_tokens());
        Ok(worker.print_names(&plan, &files, cancel, (printout, most), read)?)
    }
}

/// Returns the size of the largest printout of a program that is read, in bytes. The compiler prints what macros make, too:
/// two to four kilobytes for each token of an ordinary program, and a hundred of a table of a database.
fn most_printed(n_tokens: u64) -> u64 {
    (n_tokens * PRINTED_OF_TOKEN).clamp(LEAST_PRINTED, MOST_PRINTED)
}

/// Returns the position at which a part of a file begins.
fn position(tree: &SourceTree, (path, bytes): (Utf8PathBuf, Range<usize>)) -> Option<Position> {
    Some(Position::new(tree.find(&path)?, bytes.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::CompileOptions;

    fn program(text: &str) -> Candidate {
        Candidate {
            tree: SourceTree::single("a.rs".into(), text.into()),
            compile_options: CompileOptions::default(),
        }
    }

    #[test]
    fn the_compiler_is_asked_once_about_the_same_program() {
        let last = LastAnswer::default();
        let mut asked = Vec::new();
        let mut ask = |text: &'static str, answer: Option<usize>| {
            let about = last.about(&program(text), || {
                asked.push(text);
                Ok(answer)
            });
            about.expect("nothing fails")
        };
        assert_eq!(ask("fn f() {}", None), None);
        assert_eq!(ask("fn f() {}", Some(1)), Some(1));
        assert_eq!(ask("fn f() {}", Some(2)), Some(1));
        assert_eq!(ask("fn g() {}", Some(3)), Some(3));
        assert_eq!(ask("fn f() {}", Some(4)), Some(4));
        assert_eq!(asked, ["fn f() {}", "fn f() {}", "fn g() {}", "fn f() {}"]);
    }
}
