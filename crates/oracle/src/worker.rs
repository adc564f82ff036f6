//! A worker: a private tree in which one candidate after the other is compiled.

mod auxiliary;

use crate::cancel::Cancel;
use crate::crash::Observation;
use crate::diagnostics::query_stack;
use crate::error::OracleError;
use crate::files;
use crate::plan::{ErrorFormat, Plan, Sources, deadline_for, relocate};
use crate::process::{Bounds, Decides, Ending, Invocation, Outcome, most_processes, run_until};
use crate::property::Property;
use crate::signature::Signature;
use crate::verdict::Verdict;
use crate::warm::{Warm, WarmCompiler};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// No file that a query writes may be larger.
const FILE_BYTES: u64 = 1 << 30;
/// Times the deadline: the CPU time of one process, whose threads run side by side.
const CPU_FACTOR: u32 = 4;
/// A query may use so many times the CPU time of a run that crashed, and at least this. Other than
/// wall time it does not depend on what else the machine does, so that it can be short.
const CPU_TIMES: u32 = 20;
const SHORTEST_CPU: Duration = Duration::from_secs(1);

/// Compiles one candidate after the other in a tree of its own. One per thread.
#[derive(Debug)]
pub struct Worker {
    tree: Utf8PathBuf,
    out: Utf8PathBuf,
    temporary: Utf8PathBuf,
    /// The edited files as they are in the tree now.
    written: Sources,
    /// What the auxiliary crates in the tree were compiled from.
    compiled: BTreeMap<Utf8PathBuf, [u8; 32]>,
    warm: Option<Warm>,
    /// What the last interesting candidates have shown to be enough; at most the plan's.
    deadline: Option<Duration>,
    /// The same of CPU time.
    cpu: Option<Duration>,
    most_processes: Option<u64>,
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
    /// How its last compiler run ended.
    pub ending: Ending,
    /// Wall time of all its compiler runs.
    pub duration: Duration,
    /// Compiler runs: more than one where [`Plan::repeat`] is, and where a cheaper call than the
    /// plan's shows the crash, so that the plan's is made too.
    pub runs: u32,
    /// User and system time of all its compiler runs.
    pub cpu: Duration,
    /// The largest resident set of any of them.
    pub peak_memory_bytes: u64,
}

/// An answer that no run has filled in yet.
impl Default for Answer {
    fn default() -> Self {
        Self {
            verdict: Verdict::Cancelled,
            crash: None,
            errors: BTreeSet::new(),
            ending: Ending::Cancelled,
            duration: Duration::ZERO,
            runs: 0,
            cpu: Duration::ZERO,
            peak_memory_bytes: 0,
        }
    }
}

impl Answer {
    /// Adds what a compiler run has cost.
    fn add(&mut self, outcome: &Outcome) {
        self.ending = outcome.ending;
        self.duration += outcome.wall;
        self.cpu += outcome.cpu;
        self.peak_memory_bytes = outcome.peak_memory_bytes.max(self.peak_memory_bytes);
        self.runs += 1;
    }
}

/// All that a compiler run leaves behind, in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) ending: Ending,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) written: Vec<(Utf8PathBuf, Vec<u8>)>,
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
            compiled: BTreeMap::new(),
            warm: None,
            deadline: None,
            cpu: None,
            most_processes: most_processes(),
        })
    }

    /// Asks a warm compiler from now on, where it serves. Its server belongs to the thread that asks
    /// first, and ends with it.
    pub fn warm_up(&mut self, compiler: &WarmCompiler) {
        self.warm = Some(Warm::new(compiler.clone()));
    }

    /// Whether the last query was answered by a warm compiler that is still there.
    pub(crate) fn is_warm(&self) -> bool {
        self.warm.as_ref().is_some_and(Warm::is_serving)
    }

    /// Compiles a candidate and judges it. Where the plan has a cheaper call, that one is made first,
    /// and the plan's own only if it shows the crash. Where [`Plan::repeat`] is more than 1, a
    /// candidate that does not show the crash is compiled again, up to so many times. A compiler
    /// run is stopped at the first error that the property forbids.
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
        self.write(sources)?;
        let mut answer = Answer::default();
        if let Some(failed) = self.compile_auxiliaries(plan, cancel)? {
            answer.add(&failed);
            answer.verdict = auxiliary::verdict(&failed, property);
            return Ok(answer);
        }
        let mut attempts = 0;
        loop {
            self.run_and_judge(plan, &plan.query_args(), property, cancel, &mut answer)?;
            if answer.verdict.is_interesting() && plan.rung.is_some() {
                self.run_and_judge(plan, &plan.args, property, cancel, &mut answer)?;
            }
            attempts += 1;
            let may_change = matches!(
                answer.verdict,
                Verdict::Compiles | Verdict::Rejected | Verdict::OtherCrash(_)
            );
            if !may_change || attempts >= plan.repeat {
                self.shorten_deadline(plan, &answer);
                return Ok(answer);
            }
        }
    }

    fn run_and_judge(
        &mut self,
        plan: &Plan,
        args: &[String],
        property: &Property,
        cancel: &Cancel,
        answer: &mut Answer,
    ) -> Result<(), OracleError> {
        let is_json = plan.error_format == ErrorFormat::Json;
        let mut decides = |line: &str| is_json && property.is_decided_by(line);
        let (outcome, observation) = self.run_and_read(plan, args, cancel, &mut decides)?;
        answer.verdict = property.judge(&observation);
        answer.crash = observation.crashes.into_iter().next();
        answer.errors = observation.errors.into_iter().collect();
        answer.add(&outcome);
        Ok(())
    }

    /// A smaller program needs less time: what hangs should not cost more than the first deadline
    /// of a program of this size.
    fn shorten_deadline(&mut self, plan: &Plan, answer: &Answer) {
        if answer.verdict.is_interesting() && plan.limits.may_shrink {
            let enough = deadline_for(answer.duration / answer.runs.max(1));
            self.deadline = Some(self.deadline.map_or(enough, |known| known.min(enough)));
            let enough = cpu_for(answer.cpu / answer.runs.max(1));
            self.cpu = Some(self.cpu.map_or(enough, |known| known.min(enough)));
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
        self.write(sources)?;
        let (outcome, observation) = match self.compile_auxiliaries(plan, cancel)? {
            Some(failed) => {
                let observation = Observation::of(&failed);
                (failed, observation)
            }
            None => self.run_and_read(plan, &plan.args, cancel, &mut |_| false)?,
        };
        Ok((observation.clone(), shown(outcome, observation, 1)))
    }

    fn run_and_read(
        &mut self,
        plan: &Plan,
        args: &[String],
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<(Outcome, Observation), OracleError> {
        let outcome = self.run(plan, args, cancel, decides)?;
        self.clean_up()?;
        let observation = Observation::of(&outcome);
        Ok((outcome, observation))
    }

    /// A compiler run with what it wrote: everything in which two compilers may differ.
    pub(crate) fn trace(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Trace, OracleError> {
        self.write(sources)?;
        let outcome = self.run(plan, &plan.args, cancel, &mut |_| false)?;
        let written = files::contents(&self.out)?;
        self.clean_up()?;
        Ok(Trace {
            ending: outcome.ending,
            stdout: outcome.stdout,
            stderr: outcome.stderr,
            written,
        })
    }

    /// The program with its macro calls expanded, as the compiler prints it. The option for that is
    /// an unstable one, and let pass for this run alone. `None` where it does not come to an end, or
    /// the output is cut off.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn expand(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Option<String>, OracleError> {
        self.write(sources)?;
        let mut plan = plan.for_people();
        plan.env
            .insert("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned());
        if self.compile_auxiliaries(&plan, cancel)?.is_some() {
            return Ok(None);
        }
        plan.args.push("-Zunpretty=expanded".to_owned());
        let outcome = self.run(&plan, &plan.args, cancel, &mut |_| false)?;
        self.clean_up()?;
        let is_whole = outcome.ending == Ending::Exited(0) && !outcome.truncated;
        Ok(is_whole.then_some(outcome.stdout))
    }

    /// A text as the formatter beside the compiler lays it out; `None` where there is none, or it
    /// does not understand the text.
    ///
    /// # Errors
    /// When the text cannot be written or the formatter cannot be started.
    pub fn format(
        &mut self,
        plan: &Plan,
        text: &str,
        cancel: &Cancel,
    ) -> Result<Option<String>, OracleError> {
        let Some(program) = plan.compiler.formatter() else {
            return Ok(None);
        };
        let file = self.out.join("text.rs");
        files::write(&file, text)?;
        // Otherwise configuration is looked for in all directories above.
        let config = self.temporary.join("rustfmt.toml");
        files::write(&config, "")?;
        let args = ["--edition", &plan.edition, "--quiet", "--config-path"];
        let mut args: Vec<String> = args.map(str::to_owned).to_vec();
        args.extend([config.into_string(), file.to_string()]);
        let invocation = Invocation {
            program: &program,
            args: &args,
            env: &self.env(plan),
            dir: &self.out,
            bounds: self.bounds(plan),
        };
        let outcome = run_until(&invocation, cancel, &mut |_| false)?;
        let formatted = std::fs::read_to_string(&file).ok();
        self.clean_up()?;
        Ok(formatted.filter(|_| outcome.ending == Ending::Exited(0)))
    }

    /// Like [`Worker::trace`], by a compiler that is started anew.
    pub(crate) fn trace_anew(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Trace, OracleError> {
        let warm = self.warm.take();
        let trace = self.trace(plan, sources, cancel);
        self.warm = warm;
        trace
    }

    /// Compiles what is in the tree: warm, where there is a warm compiler for this call.
    fn run(
        &mut self,
        plan: &Plan,
        args: &[String],
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, OracleError> {
        let (args, env) = (self.args(plan, args), self.env(plan));
        let invocation = Invocation {
            program: &plan.compiler.path,
            args: &args,
            env: &env,
            dir: &self.tree.join(&plan.cwd),
            bounds: self.bounds(plan),
        };
        let warm = match &mut self.warm {
            Some(warm) => warm.run(&invocation, cancel, decides)?,
            None => None,
        };
        match warm {
            Some(outcome) => Ok(outcome),
            None => run_until(&invocation, cancel, decides),
        }
    }

    fn clean_up(&self) -> Result<(), OracleError> {
        files::empty(&self.out)?;
        files::empty(&self.temporary)
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

    fn args(&self, plan: &Plan, args: &[String]) -> Vec<String> {
        let mut args: Vec<_> = args.iter().map(|arg| self.here(arg, plan)).collect();
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

    fn bounds(&self, plan: &Plan) -> Bounds {
        let deadline = plan.limits.deadline;
        let deadline = self
            .deadline
            .map_or(deadline, |shorter| Some(deadline?.min(shorter)));
        Bounds {
            deadline,
            cpu: self.cpu.or(deadline.map(|deadline| deadline * CPU_FACTOR)),
            processes: self.most_processes,
            memory_bytes: Some(plan.limits.memory_bytes),
            file_bytes: Some(FILE_BYTES),
            output_bytes: plan.limits.output_bytes,
        }
    }

    /// Where the candidate lies.
    #[must_use]
    pub fn tree(&self) -> &Utf8Path {
        &self.tree
    }
}

fn cpu_for(used: Duration) -> Duration {
    SHORTEST_CPU.max(used * CPU_TIMES)
}

fn shown(outcome: Outcome, observation: Observation, runs: u32) -> Shown {
    Shown {
        query_stack: query_stack(&outcome.stderr),
        ending: outcome.ending,
        stderr: outcome.stderr,
        truncated: outcome.truncated,
        duration: outcome.wall,
        signature: observation.crashes.into_iter().next(),
        errors: observation.errors.into_iter().collect(),
        runs,
    }
}

#[cfg(test)]
mod tests;
