//! A worker: a private tree in which one candidate after the other is compiled.

use crate::cancel::Cancel;
use crate::crash::Observation;
use crate::diagnostics::query_stack;
use crate::error::OracleError;
use crate::files;
use crate::plan::{ErrorFormat, Plan, Sources, relocate};
use crate::process::{Bounds, Ending, Invocation, Outcome, run};
use crate::property::Property;
use crate::signature::Signature;
use crate::verdict::Verdict;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// No file that a query writes may be larger.
const FILE_BYTES: u64 = 1 << 30;

/// Compiles one candidate after the other in a tree of its own. One per thread.
#[derive(Debug)]
pub struct Worker {
    tree: Utf8PathBuf,
    out: Utf8PathBuf,
    temporary: Utf8PathBuf,
    /// The edited files as they are in the tree now.
    written: Sources,
}

/// What a query answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What it means for the candidate.
    pub verdict: Verdict,
    /// The crash, whether or not it is the baseline's.
    pub crash: Option<Signature>,
    /// The ordinary errors: codes, or normalised messages.
    pub errors: BTreeSet<String>,
    /// Wall time of all its compiler runs.
    pub duration: Duration,
    /// Compiler runs: more than one only where [`Plan::repeat`] is.
    pub runs: u32,
    /// User and system time of all its compiler runs.
    pub cpu: Duration,
    /// The largest resident set of any of them.
    pub peak_memory_bytes: u64,
}

/// A compiler run as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// All that the compiler printed, backtrace included.
    pub stderr: String,
    /// Whether the middle of it was left out, because it is longer than the limit.
    pub truncated: bool,
    /// Wall time of the last run.
    pub duration: Duration,
    /// How it ended.
    pub ending: Ending,
    /// The crash.
    pub signature: Option<Signature>,
    /// The ordinary errors: codes, or normalised messages.
    pub errors: BTreeSet<String>,
    /// The lines of the query stack, `#0 [..` first.
    pub query_stack: Vec<String>,
    /// Compiler runs.
    pub runs: u32,
}

impl Worker {
    /// Sets up a tree below `dir` with all files that the compiler reads, but for those in
    /// `edited`, which come with each candidate. `dir` is emptied.
    ///
    /// # Errors
    /// [`OracleError::Io`].
    pub fn new(
        dir: Utf8PathBuf,
        plan: &Plan,
        edited: &BTreeSet<Utf8PathBuf>,
    ) -> Result<Self, OracleError> {
        files::make_empty(&dir)?;
        let (tree, out, temporary) = (dir.join("tree"), dir.join("out"), dir.join("tmp"));
        for dir in [&tree.join(&plan.cwd), &out, &temporary] {
            files::make_dir(dir)?;
        }
        for path in plan.files.difference(edited) {
            files::copy(&plan.tree.join(path), &tree.join(path))?;
        }
        Ok(Self {
            tree,
            out,
            temporary,
            written: Sources::new(),
        })
    }

    /// Compiles a candidate and judges it. Where [`Plan::repeat`] is more than 1, a candidate that
    /// does not show the crash is compiled again, up to so many times.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started. A cancelled query is
    /// [`Verdict::Cancelled`].
    pub fn ask(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        property: &Property,
        cancel: &Cancel,
    ) -> Result<Answer, OracleError> {
        let (mut duration, mut cpu) = (Duration::ZERO, Duration::ZERO);
        let mut peak_memory_bytes = 0;
        let mut runs = 0;
        loop {
            let outcome = self.compile(plan, sources, cancel)?;
            let observation = Observation::of(&outcome);
            duration += outcome.wall;
            cpu += outcome.cpu;
            peak_memory_bytes = outcome.peak_memory_bytes.max(peak_memory_bytes);
            runs += 1;
            let verdict = property.judge(&observation);
            let may_change = matches!(
                verdict,
                Verdict::Compiles | Verdict::Rejected | Verdict::OtherCrash(_)
            );
            if !may_change || runs >= plan.repeat {
                let Observation {
                    crashes, errors, ..
                } = observation;
                let crash = crashes.into_iter().next();
                let answer = Answer {
                    verdict,
                    crash,
                    errors,
                    duration,
                    runs,
                    cpu,
                    peak_memory_bytes,
                };
                return Ok(answer);
            }
        }
    }

    /// Compiles a candidate as a person would, with the full query stack and a backtrace, again
    /// and again up to [`Plan::repeat`] times until it crashes.
    ///
    /// # Errors
    /// When the tree cannot be written, the compiler cannot be started, or on cancellation.
    pub fn show(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Shown, OracleError> {
        let plan = plan.for_people();
        let mut runs = 0;
        loop {
            let (_, shown) = self.observe(&plan, sources, cancel)?;
            runs += 1;
            if shown.ending == Ending::Cancelled {
                return Err(OracleError::Cancelled);
            }
            if shown.signature.is_some() || runs >= plan.repeat {
                return Ok(Shown { runs, ..shown });
            }
        }
    }

    /// One compiler run, read but not judged; for people where the plan has human diagnostics.
    pub(crate) fn observe(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<(Observation, Shown), OracleError> {
        let outcome = self.compile(plan, sources, cancel)?;
        let observation = Observation::of(&outcome);
        Ok((observation.clone(), shown(outcome, observation, 1)))
    }

    fn compile(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Outcome, OracleError> {
        self.write(sources)?;
        let (args, env) = (self.args(plan), self.env(plan));
        let invocation = Invocation {
            program: &plan.compiler.path,
            args: &args,
            env: &env,
            dir: &self.tree.join(&plan.cwd),
            bounds: bounds(plan),
        };
        let outcome = run(&invocation, cancel);
        files::empty(&self.out)?;
        files::empty(&self.temporary)?;
        outcome
    }

    /// Makes the edited files those of the candidate; touches only what differs.
    fn write(&mut self, sources: &Sources) -> Result<(), OracleError> {
        let dropped: Vec<_> = self
            .written
            .keys()
            .filter(|path| !sources.contains_key(*path))
            .cloned()
            .collect();
        for path in dropped {
            files::remove(&self.tree.join(&path))?;
            self.written.remove(&path);
        }
        for (path, text) in sources {
            let is_there = self
                .written
                .get(path)
                .is_some_and(|there| std::sync::Arc::ptr_eq(there, text) || there == text);
            if !is_there {
                // Forgotten first: after a failed write nobody knows what is in the file.
                self.written.remove(path);
                files::write(&self.tree.join(path), text)?;
                self.written.insert(path.clone(), text.clone());
            }
        }
        Ok(())
    }

    fn args(&self, plan: &Plan) -> Vec<String> {
        let mut args: Vec<_> = plan.args.iter().map(|arg| self.here(arg, plan)).collect();
        args.extend(["--out-dir".to_owned(), self.out.clone().into_string()]);
        if plan.error_format == ErrorFormat::Json {
            args.push("--error-format=json".to_owned());
        }
        args
    }

    fn env(&self, plan: &Plan) -> BTreeMap<String, String> {
        let env = plan
            .env
            .iter()
            .map(|(name, value)| (name.clone(), self.here(value, plan)));
        let mut env: BTreeMap<_, _> = env.collect();
        env.insert("TMPDIR".to_owned(), self.temporary.clone().into_string());
        env
    }

    fn here(&self, text: &str, plan: &Plan) -> String {
        relocate(text, &plan.tree, self.tree.as_str())
    }

    /// Where the candidate lies.
    #[must_use]
    pub fn tree(&self) -> &Utf8Path {
        &self.tree
    }
}

fn bounds(plan: &Plan) -> Bounds {
    Bounds {
        deadline: plan.limits.deadline,
        memory_bytes: Some(plan.limits.memory_bytes),
        file_bytes: Some(FILE_BYTES),
        output_bytes: plan.limits.output_bytes,
    }
}

fn shown(outcome: Outcome, observation: Observation, runs: u32) -> Shown {
    Shown {
        query_stack: query_stack(&outcome.stderr),
        ending: outcome.ending,
        stderr: outcome.stderr,
        truncated: outcome.truncated,
        duration: outcome.wall,
        signature: observation.crashes.into_iter().next(),
        errors: observation.errors,
        runs,
    }
}

#[cfg(test)]
mod tests;
