//! A worker: a private tree in which one candidate after the other is compiled.

mod auxiliary;
mod commands;
mod companions;
mod confined;
mod programs;
mod shown;
mod time;

pub(crate) use companions::Seen;

use crate::budget::{Expectation, Late, TimeSpent};
use crate::cancel::Cancel;
use crate::check::Check;
use crate::crash::Observation;
use crate::diagnostics::rendered;
use crate::error::OracleError;
use crate::files;
use crate::flaky::Sample;
use crate::linkage::COMPILED;
use crate::plan::{ErrorFormat, Plan, Sources, relocate};
use crate::process::{Decides, Ending, Invocation, Outcome, most_processes, run_until};
use crate::property::Property;
use crate::signature::Signature;
use crate::verdict::Verdict;
use crate::warm::{Warm, WarmCompiler};
use camino::{Utf8Path, Utf8PathBuf};
use companions::Turn;
use confined::Confined;
pub(crate) use confined::{places, program as confine_program};
pub(crate) use programs::set_own_places;
pub use shown::Shown;
use shown::shown;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Links the standard library as it is, which takes less time.
const PREFER_DYNAMIC: &str = "-Cprefer-dynamic";
/// Where a worker's own cargo compiles to, beside the tree.
const TARGET: &str = "target";
/// Descriptors that a process of a query may have.
const OPEN_FILES: u64 = 4096;
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
    /// What the auxiliary crates in the tree were compiled from.
    compiled: BTreeMap<Utf8PathBuf, Compiled>,
    warm: Option<Warm>,
    /// Those of the companions, by their places in the plan: a server is frozen with one call.
    warm_companions: BTreeMap<usize, Warm>,
    /// What bounds the time of a query.
    expectation: Expectation,
    /// The time that the last candidate has used.
    spent: Cell<TimeSpent>,
    most_processes: Option<u64>,
    confined: Confined,
    /// Whether the program of the candidate is kept, to be run again.
    keeps_program: bool,
}

/// An auxiliary crate that is compiled.
#[derive(Debug)]
struct Compiled {
    /// A digest of what it was compiled from.
    made_from: [u8; 32],
    /// The time that it took.
    spent: TimeSpent,
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
    /// Which time had passed, where it was stopped for that.
    pub late: Option<Late>,
    /// The time that it has used, by which others like it are bounded.
    pub spent: TimeSpent,
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
            late: None,
            spent: TimeSpent::default(),
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
        self.late = outcome.late;
        self.duration += outcome.wall;
        self.cpu += outcome.cpu;
        self.peak_memory_bytes = outcome.peak_memory_bytes.max(self.peak_memory_bytes);
        self.runs += 1;
    }

    /// This answer, with what another one about nearly the same candidate has cost before.
    #[must_use]
    pub fn after(mut self, other: &Self) -> Self {
        self.add_costs(other);
        self
    }

    /// Adds what other runs for the same candidate have cost.
    fn add_costs(&mut self, other: &Self) {
        self.duration += other.duration;
        self.cpu += other.cpu;
        self.peak_memory_bytes = other.peak_memory_bytes.max(self.peak_memory_bytes);
        self.runs += other.runs;
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
        // Of the plan, and of each companion.
        let own = std::iter::once(tree.join(COMPILED));
        let of_companions =
            (0..plan.companions.len()).map(|idx| companions::compiled_in(&tree, idx));
        let auxiliaries: Vec<Utf8PathBuf> = own.chain(of_companions).collect();
        let made = [tree.join(&plan.cwd), out.clone(), temporary.clone()];
        for dir in made.iter().chain(&auxiliaries) {
            files::make_dir(dir)?;
        }
        let target = dir.join(TARGET);
        let mut writes = vec![out.as_path()];
        writes.extend(auxiliaries.iter().map(|dir| dir.as_path()));
        if plan.check.command().is_some() {
            files::make_dir(&target)?;
            // A command runs in the tree, and may write there.
            writes.extend([tree.as_path(), target.as_path()]);
        }
        let confined = Confined::new(plan, &writes, &temporary)?;
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
            warm_companions: BTreeMap::new(),
            expectation: Expectation::default(),
            spent: Cell::default(),
            most_processes: most_processes(),
            confined,
            keeps_program: false,
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
    /// and the plan's own only if it shows the crash. Where [`Plan::repeat`] is more than 1, this is
    /// done up to so many times: until [`Plan::at_least`] of them have shown the failure, or so many
    /// cannot any more. A program is run again without being compiled again. A compiler run is
    /// stopped at the first error that the property forbids; that decides, as does a run that does
    /// not end in time. What fails must pass [`Plan::companions`] too; those that are cheaper are
    /// asked first.
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
        let mut elsewhere = Answer::default();
        let refused = self.refusal(plan, Turn::Before, cancel, &mut elsewhere)?;
        if let Some(verdict) = refused {
            return Ok(Answer {
                verdict,
                ..elsewhere
            });
        }
        let is_enough = |sample: Sample, answer: &Answer| {
            let passed = sample.runs - sample.failed;
            sample.failed >= plan.at_least
                || passed + plan.at_least > plan.repeat
                || !may_differ_next_time(&answer.verdict)
        };
        let (mut answer, _) = self.ask_until(plan, property, &is_enough, cancel)?;
        answer.spent = self.spent();
        if answer.verdict.is_interesting()
            && let Some(verdict) = self.refusal(plan, Turn::After, cancel, &mut elsewhere)?
        {
            answer.ending = elsewhere.ending;
            answer.late = elsewhere.late;
            answer.verdict = verdict;
        }
        answer.add_costs(&elsewhere);
        Ok(answer)
    }

    /// Runs a candidate until it is clear how often it has the property. Nothing about the crates
    /// beside it is judged: they are compiled once. `is_enough` is told of the runs so far, with the
    /// verdict of the last one and the costs of all.
    ///
    /// # Errors
    /// When the tree cannot be written, the compiler cannot be started, or on cancellation.
    pub fn sample(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        property: &Property,
        is_enough: &dyn Fn(Sample, &Answer) -> bool,
        cancel: &Cancel,
    ) -> Result<Sample, OracleError> {
        let is_enough = |sample: Sample, answer: &Answer| {
            answer.verdict == Verdict::Cancelled || is_enough(sample, answer)
        };
        self.write(sources)?;
        let (answer, sample) = self.ask_until(plan, property, &is_enough, cancel)?;
        match answer.verdict {
            Verdict::Cancelled => Err(OracleError::Cancelled),
            _ => Ok(sample),
        }
    }

    /// Judges one run after the other of the candidate that is in the tree.
    fn ask_until(
        &mut self,
        plan: &Plan,
        property: &Property,
        is_enough: &dyn Fn(Sample, &Answer) -> bool,
        cancel: &Cancel,
    ) -> Result<(Answer, Sample), OracleError> {
        let (mut answer, mut sample) = (Answer::default(), Sample::default());
        self.spent.take();
        if let Some(failed) = self.compile_auxiliaries(plan, cancel)? {
            answer.add(&failed);
            answer.verdict = auxiliary::verdict(&failed, property);
            return Ok((answer, Sample { failed: 0, runs: 1 }));
        }
        self.keeps_program = matches!(plan.check, Check::Run(_));
        loop {
            self.run_and_judge(plan, &plan.query_args(), property, cancel, &mut answer)?;
            if answer.verdict.is_interesting() && plan.rung.is_some() {
                self.run_and_judge(plan, &plan.args, property, cancel, &mut answer)?;
            }
            sample.add(answer.verdict.is_interesting());
            // What does not compile will not the next time either.
            let is_built = !self.keeps_program || self.program().is_file();
            if !is_built || is_enough(sample, &answer) {
                self.forget_program()?;
                return Ok((answer, sample));
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
        answer.verdict = match property.judge(&observation) {
            Verdict::Interesting if !property.patterns.accept(|| printed(&outcome)) => {
                Verdict::Rejected
            }
            verdict => verdict,
        };
        answer.crash = observation.crashes.into_iter().next();
        answer.errors = observation.errors.into_iter().collect();
        answer.add(&outcome);
        Ok(())
    }

    /// One compiler run, read but not judged; for people where the plan has human diagnostics.
    pub(crate) fn observe(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<(Observation, Shown), OracleError> {
        self.write(sources)?;
        self.spent.take();
        let (outcome, observation) = match self.compile_auxiliaries(plan, cancel)? {
            Some(failed) => {
                let observation = Observation::of(&failed);
                (failed, observation)
            }
            None => self.run_and_read(plan, &plan.args, cancel, &mut |_| false)?,
        };
        Ok((observation.clone(), shown(outcome, observation, 1)))
    }

    /// Does once what the plan's check says.
    fn run_and_read(
        &mut self,
        plan: &Plan,
        args: &[String],
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<(Outcome, Observation), OracleError> {
        match &plan.check {
            Check::Run(execution) => self.build_and_run(plan, args, execution, cancel, decides),
            Check::Miscompile { execution, flags } => {
                self.compare_runs(plan, args, (execution, flags), cancel, decides)
            }
            Check::Command(call) => self.run_command(plan, call, cancel),
            Check::Crash | Check::Diagnostic(_) | Check::Cost(_) => {
                let outcome = self.run(plan, args, cancel, decides)?;
                self.clean_up()?;
                let observation = Observation::of_check(&outcome, &plan.check);
                Ok((outcome, observation))
            }
        }
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

    /// What a compiler run costs, by a compiler that is started anew.
    pub(crate) fn cost(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Outcome, OracleError> {
        self.write(sources)?;
        let outcome = self.run(plan, &plan.args, cancel, &mut |_| false)?;
        self.clean_up()?;
        Ok(outcome)
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
        plan.compiler.path = plan.compiler.frontend();
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
            confinement: self.confined.compiler.as_ref(),
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
            confinement: self.confined.compiler.as_ref(),
        };
        let warm = match &mut self.warm {
            Some(warm) => warm.run(&invocation, cancel, decides)?,
            None => None,
        };
        let outcome = match warm {
            Some(outcome) => outcome,
            None => run_until(&invocation, cancel, decides)?,
        };
        self.note_compiled(&outcome);
        Ok(outcome)
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
                files::write_below(&self.tree, path, text)?;
                self.written.insert(path.clone(), text.clone());
            }
        }
        Ok(())
    }

    fn args(&self, plan: &Plan, args: &[String]) -> Vec<String> {
        let mut args: Vec<_> = args.iter().map(|arg| self.here(arg, plan)).collect();
        match plan.check.execution() {
            Some(execution) => {
                args.extend(["-o".to_owned(), self.program().into_string()]);
                args.extend(
                    execution
                        .links_dynamically
                        .then(|| PREFER_DYNAMIC.to_owned()),
                );
            }
            None => args.extend(["--out-dir".to_owned(), self.out.clone().into_string()]),
        }
        args.extend(plan.adds_flag().map(str::to_owned));
        if plan.error_format == ErrorFormat::Json {
            args.push("--error-format=json".to_owned());
        }
        args
    }

    /// An environment with what it names below the plan's tree in the worker's own.
    fn env_here(&self, env: &BTreeMap<String, String>, plan: &Plan) -> BTreeMap<String, String> {
        let env = env.iter();
        env.map(|(name, value)| (name.clone(), self.here(value, plan)))
            .collect()
    }

    fn env(&self, plan: &Plan) -> BTreeMap<String, String> {
        let mut env = self.env_here(&plan.env, plan);
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

/// Whether the same candidate may have another verdict the next time it is asked.
fn may_differ_next_time(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Interesting | Verdict::Compiles | Verdict::Rejected | Verdict::OtherCrash(_)
    )
}

/// All that was printed, as people see it.
fn printed(outcome: &Outcome) -> String {
    format!("{}\n{}", outcome.stdout, rendered(&outcome.stderr))
}

#[cfg(test)]
mod tests;
