//! Compiles and judges one candidate after the other, in a private tree.
//!
//! - `place`: the worker's directories, and the known state of their contents.
//! - `query`: the runs for one answer about the candidate that lies there, by one plan.
//! - `bench`: the ways in which a check can use a candidate: compile it, run it, run a command on it.
//! - `auxiliary`: crates whose text is edited too, which are compiled before.
//! - `companions`: other calls that a candidate must pass.
//! - `executor`: the places where processes run; `remote`: a server as such a place. `attempts`: repeats where a process has
//!   come to no outcome. `confined`: the rights of processes. `time`: their time limits.
//! - `tools`: questions about the original rather than about a candidate: the cost of a run, unused code, the layout by
//!   rustfmt. `printed`: the meaning of names, and the expansion of macros. `tree_paths`: the compiler's names for files.
//! - `judge`: runs of a candidate, read and judged. `original`: runs of the original in variants. `all_tests`: runs of all
//!   tests that stand beside the failing one. `joint`: runs of several candidates in one program. `reported`: a program's errors.
//! - `answer`, `shown`, `trace`, `elsewhere`: the results of a query. `raw_message`: the message of a failure as it was printed.
//! - `forks`: a program that is started once, and forked for runs that differ in a variable.
//! - `warm`: a compiler that is loaded once and forked for queries, and the check that it answers as it should.
//!
//! See docs/decisions/queries.md.

mod all_tests;
pub(crate) mod answer;
mod attempts;
mod auxiliary;
mod bench;
mod companions;
mod confined;
mod elsewhere;
mod executor;
mod forks;
mod joint;
mod judge;
mod original;
mod place;
mod printed;
mod query;
mod raw_message;
mod remote;
mod reported;
mod shown;
mod time;
mod tools;
mod trace;
mod tree_paths;
pub(crate) mod warm;

pub use all_tests::TestsRun;
pub use answer::Answer;
pub(crate) use bench::{set_own_places, without_own_places};
pub(crate) use confined::{ProcessSort, Rights, places, program as confine_program};
pub(crate) use elsewhere::Elsewhere;
pub use executor::Executor;
pub(crate) use executor::{Execute, Order};
pub use joint::{JointBuild, JointTests, JointVerdicts};
pub(crate) use original::RECORD;
pub use original::{Came, OriginalRun};
pub use printed::Printout;
pub use remote::{ClientError, RemoteServer, RemoteToolchain};
pub use reported::{Extent, ReportedError, WholeError};
pub use shown::Shown;
pub use tools::Linted;
pub(crate) use trace::Trace;
pub use tree_paths::TreePaths;

use crate::check::again::Again;
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::evidence::property::Property;
use crate::evidence::verdict::Verdict;
use crate::flaky::{Sample, confirming_runs};
use crate::plan::{ErrorFormat, Plan, Sources};
use crate::system::budget::{Expectation, TimeSpent};
use crate::system::process::Ending;
use crate::worker::warm::{Warm, WarmCompiler};
use camino::{Utf8Path, Utf8PathBuf};
use elsewhere::Turn;
use place::Place;
use query::{Forks, Query};
use reduce_platform::Cancel;
use remote::RemoteExecutor;
use std::collections::{BTreeMap, BTreeSet};

/// A worker, which compiles one candidate after the other in a tree of its own. One per thread.
#[derive(Debug)]
pub struct Worker {
    place: Place,
    warm: Option<Warm>,
    /// The warm compiler for the first call of a plan that consists of two calls.
    warm_first: Option<Warm>,
    /// The warm compilers of the companions, by their places in the plan: a server is frozen with one call.
    warm_companions: BTreeMap<usize, Warm>,
    /// The way to fork programs, where compilers are forked too.
    forks: Option<Forks>,
    /// The expectation that bounds the time of a query.
    expectation: Expectation,
    /// The time that the last candidate of this worker has used.
    spent: TimeSpent,
    /// The executor of all processes that do not run on a server.
    executor: Executor,
    /// The executor that runs processes on a server, if [`Self::ask_server`] was called.
    remote: Option<RemoteExecutor>,
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
        Ok(Self {
            place: Place::new(&dir, plan, edited)?,
            warm: None,
            warm_first: None,
            warm_companions: BTreeMap::new(),
            forks: None,
            expectation: Expectation::default(),
            spent: TimeSpent::default(),
            executor: Executor::local(),
            remote: None,
        })
    }

    /// Makes the worker ask a warm compiler from now on, where there is one for the call. Its server belongs to the
    /// thread that asks first, and ends with it.
    pub fn warm_up(&mut self, compiler: &WarmCompiler) {
        self.warm = Some(Warm::new(compiler.clone()));
        self.warm_first = Some(Warm::new(compiler.clone()));
        self.forks = Some(Forks::new(compiler.for_programs()));
    }

    /// Makes the worker start its processes by this executor from now on. No warm compiler is asked any more.
    pub fn run_by(&mut self, executor: &Executor) {
        self.executor = executor.clone();
        self.place.executor = executor.clone();
        if !executor.is_local() {
            self.warm_up_no_more();
        }
    }

    /// Makes [`Self::asking_remotely`] run processes on this server from now on. Calls are like those of the plan.
    pub fn ask_server(&mut self, server: &RemoteServer, plan: &Plan) {
        self.remote = Some(server.executor(plan));
    }

    /// Calls `ask` with all processes of the worker on the server, and returns what it returns. `None` where the
    /// question was given back: it has to be asked here, from the beginning.
    ///
    /// # Errors
    /// As whatever is asked.
    pub fn asking_remotely<T, E: From<OracleError>>(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let Some(remote) = self.remote.clone() else {
            return Ok(None);
        };
        remote.begin();
        self.switch_to(remote.executor())?;
        let answer = ask(self);
        match remote.has_declined() {
            true => Ok(None),
            false => answer.map(Some),
        }
    }

    /// Calls `ask` with no process of the worker on the server, and returns what it returns.
    ///
    /// # Errors
    /// As whatever is asked.
    pub fn asking_here<T, E: From<OracleError>>(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let own = self.executor.clone();
        self.switch_to(&own)?;
        ask(self)
    }

    /// Changes where processes run, and forgets what was compiled: a crate that was compiled on a server is not here, and
    /// the other way round it would have to be uploaded.
    fn switch_to(&mut self, executor: &Executor) -> Result<(), OracleError> {
        if !self.place.executor.is(executor) {
            self.place.compiled.clear();
            self.place.clean_up()?;
            self.place.executor = executor.clone();
            if !executor.is_local() {
                self.warm_up_no_more();
            }
        }
        Ok(())
    }

    /// Drops the warm compilers: processes that are started elsewhere are asked of none.
    fn warm_up_no_more(&mut self) {
        (self.warm, self.warm_first, self.forks) = (None, None, None);
        self.warm_companions.clear();
    }

    /// Whether the last query was answered by a warm compiler that is still there.
    pub(crate) fn is_warm(&self) -> bool {
        self.warm.as_ref().is_some_and(Warm::is_serving)
    }

    /// Sets the time that the next candidates are expected to use. This bounds their time, so that it must not depend
    /// on which worker is asked.
    pub fn expect(&mut self, expectation: Expectation) {
        self.expectation = expectation;
    }

    /// Returns the time that the last candidate has used.
    pub(crate) fn spent(&self) -> TimeSpent {
        self.spent
    }

    /// Returns the directory in which the candidate lies.
    #[must_use]
    pub fn tree(&self) -> &Utf8Path {
        &self.place.tree
    }

    /// Makes a query about the candidate that lies in the tree, of the warm compiler where there is one.
    fn query<'a>(&'a mut self, plan: &'a Plan, cancel: &'a Cancel) -> Query<'a> {
        let query = Query::new(&mut self.place, plan, self.expectation, cancel);
        query
            .warm(self.warm.as_mut())
            .warm_first(self.warm_first.as_mut())
            .forks(self.forks.as_mut())
    }

    /// Compiles a candidate and judges it. Where the plan has a cheaper call, that one is made first, and the plan's own
    /// only if it shows the crash. Where [`crate::RunPolicy::repeat`] is more than 1, this is done up to so many times: until
    /// [`crate::RunPolicy::at_least`] of them have shown the failure, or so many cannot any more. A program is run again
    /// without being compiled again; where the failure is stable, one that fails is run a few times more, each of which must
    /// show it (see `check::again`). A compiler run is stopped at the first error that the property forbids; that decides,
    /// as does a run that does not end in time. A candidate that fails must pass [`crate::RunPolicy::companions`] too; those
    /// that are cheaper are asked first.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started. A cancelled query is
    /// [`Verdict::Cancelled`].
    pub fn judge(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        property: &Property,
        cancel: &Cancel,
    ) -> Result<Answer, OracleError> {
        self.place.write(sources)?;
        self.in_attempts(plan, |worker| worker.judge_once(plan, property, cancel))
    }

    /// Judges the candidate that lies in the tree once.
    fn judge_once(
        &mut self,
        plan: &Plan,
        property: &Property,
        cancel: &Cancel,
    ) -> Result<Answer, OracleError> {
        let mut elsewhere = Answer::default();
        let refused = self.refusal(plan, Turn::Before, cancel, &mut elsewhere)?;
        if let Some(verdict) = refused {
            return Ok(Answer {
                verdict,
                ..elsewhere
            });
        }
        let again = Again::of(plan);
        let is_enough = |sample: Sample, answer: &Answer| {
            let passed = sample.runs - sample.failed;
            (sample.failed >= plan.run_policy.at_least && !again.goes_on(answer.into()))
                || passed + plan.run_policy.at_least > plan.run_policy.repeat
                || !may_differ_next_time(&answer.verdict)
        };
        let (mut answer, _) = self.judge_until(plan, property, &is_enough, cancel)?;
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
        self.place.write(sources)?;
        // It cannot begin anew, as it is told of each run.
        let executor = std::mem::take(&mut self.place.executor);
        let sampled = self.judge_until(plan, property, &is_enough, cancel);
        self.place.executor = executor;
        let (answer, sample) = sampled?;
        match answer.verdict {
            Verdict::Cancelled => Err(OracleError::Cancelled),
            _ => Ok(sample),
        }
    }

    /// Judges one run after the other of the candidate that is in the tree, until `is_enough` returns true.
    fn judge_until(
        &mut self,
        plan: &Plan,
        property: &Property,
        is_enough: &dyn Fn(Sample, &Answer) -> bool,
        cancel: &Cancel,
    ) -> Result<(Answer, Sample), OracleError> {
        let is_json = plan.call.error_format == ErrorFormat::Json;
        let decides = |line: &str| is_json && property.is_decided_by(line);
        let mut query = self.query(plan, cancel).until(decides);
        let (mut answer, sample) = query.judge_until(property, is_enough)?;
        answer.spent = query.spent;
        drop(query);
        self.spent = answer.spent;
        Ok((answer, sample))
    }

    /// Runs the compiler once and reads the run without judging it; the diagnostics are for people where the plan has human
    /// diagnostics.
    pub(crate) fn observe(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<(Observation, Shown), OracleError> {
        self.place.write(sources)?;
        let mut query = self.query(plan, cancel);
        let (outcome, observation) = query.run_once()?;
        let spent = query.spent;
        drop(query);
        self.spent = spent;
        Ok((observation.clone(), Shown::new(outcome, observation, 1)))
    }

    /// Compiles a candidate as a person would, with the full query stack and a backtrace; where
    /// [`crate::RunPolicy::repeat`] is more than 1, again and again until it fails as `is_wanted` says, but not
    /// endlessly. Otherwise what is returned is the last run.
    ///
    /// # Errors
    /// When the tree cannot be written, the compiler cannot be started, or on cancellation.
    pub fn show(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        is_wanted: &dyn Fn(&Shown) -> bool,
        cancel: &Cancel,
    ) -> Result<Shown, OracleError> {
        let for_people = plan.for_people();
        let most = match plan.run_policy.repeat {
            0 | 1 => 1,
            repeat => confirming_runs(repeat),
        };
        let mut runs = 0;
        loop {
            let (_, shown) = self.observe(&for_people, sources, cancel)?;
            runs += 1;
            if shown.ending == Ending::Cancelled {
                return Err(OracleError::Cancelled);
            }
            let shown = Shown { runs, ..shown };
            if is_wanted(&shown) {
                return Ok(shown);
            }
            if runs >= most {
                return self.read_as_asked(plan, sources, shown, cancel);
            }
        }
    }

    /// Runs a compiler that crashed once more with the diagnostics of queries, if these differ from those for people:
    /// in a text for people, a message with a line break, such as one of a file's name, may be read as two.
    fn read_as_asked(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        shown: Shown,
        cancel: &Cancel,
    ) -> Result<Shown, OracleError> {
        if !shown.ending.is_of_crash()
            || plan.for_people().call.error_format == plan.call.error_format
        {
            return Ok(shown);
        }
        let (_, read) = self.observe(plan, sources, cancel)?;
        Ok(Shown {
            signature: read.signature,
            errors: read.errors,
            runs: shown.runs + 1,
            ..shown
        })
    }
}

/// Whether the same candidate may have another verdict the next time it is asked.
fn may_differ_next_time(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Interesting | Verdict::Compiles | Verdict::Rejected | Verdict::OtherCrash(_)
    )
}

#[cfg(test)]
mod tests;
