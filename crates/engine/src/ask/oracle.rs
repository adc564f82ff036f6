//! The search's interface to an oracle: it makes a questioner for each worker thread, and a closure
//! can stand in for it in tests.

use super::compiler_tools::CompilerTools;
use super::job_facts::JobFacts;
use crate::answer::Answer;
use crate::candidate::{Candidate, CompileOptions};
use crate::failure::Failure;
use crate::store::Digest;
use crate::turns::Work;
use reduce_model::Outside;
use reduce_oracle::{Cancel, Expectation, RemoteServer, TimeSpent, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// An oracle, which decides candidates: it makes a questioner for each worker thread.
pub(crate) trait Oracle: JobFacts + CompilerTools {
    /// Makes the questioner of a worker thread, which answers questions in it.
    ///
    /// # Errors
    /// Where its scratch directory cannot be made.
    fn questioner(&self, worker: usize) -> Result<Box<dyn Questioner>, Failure>;

    /// Returns a digest of all that decides a verdict besides the candidate: command, compiler,
    /// property.
    fn digest(&self, compile_options: &CompileOptions) -> Digest;

    /// Returns the time that the input has used, which bounds the time of candidates; `None` where
    /// their time is bounded otherwise, so that it does not help to ask again.
    fn usual(&self) -> Option<TimeSpent> {
        None
    }

    /// Returns, once, a notice for the user of how questions are answered.
    fn take_notice(&self) -> Option<String> {
        None
    }

    /// Whether a file that verdicts depend on, such as the compiler, was changed since the job
    /// began.
    fn has_changed(&self) -> bool {
        false
    }

    /// Returns the names that are known outside of the program, where a candidate with an undefined name is certainly
    /// not interesting: errors that the baseline did not have are not allowed, it had none in the resolution of names,
    /// and it crashed after that.
    fn outside(&self, _compile_options: &CompileOptions) -> Option<Arc<Outside>> {
        None
    }

    /// Whether a joint compilation may tell something of candidates with these compile options.
    fn compiles_jointly(&self, _compile_options: &CompileOptions) -> bool {
        false
    }

    /// Whether joint compilations of candidates with these compile options also tell which of them is interesting.
    fn accepts_jointly(&self, _compile_options: &CompileOptions) -> bool {
        false
    }

    /// Compiles some candidates together, with the program that they were made of, and returns which are refused.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn refused_jointly(
        &self,
        _base: &Candidate,
        _candidates: &[&Candidate],
        _side: Side,
        _cancel: &Cancel,
    ) -> Result<Refusals, Failure> {
        Ok(Refusals::default())
    }
}

/// One of several joint compilations that are made at the same time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Side {
    /// The number of the joint compilation, from 0.
    pub(crate) number: usize,
    /// Whether candidates that the compiler did not come to, because of errors in others, are not
    /// compiled together again.
    pub(crate) is_brief: bool,
}

/// The candidates that joint compilations refuse.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusals {
    /// The refused candidates by their index, with the verdict about each. Others may not be interesting, either.
    pub(crate) candidates: BTreeMap<usize, Verdict>,
    /// The candidates that are interesting beside the others, by their indices, where a question about one alone would tell no
    /// more.
    #[serde(default)]
    pub(crate) accepted: Vec<usize>,
    /// Whether the program that the candidates were made of compiles in the joint crate as it does alone. Where it does
    /// not, nothing is told of candidates.
    pub(crate) is_sound: bool,
    /// Whether the program that the candidates were made of cannot be in a joint crate, which may
    /// change once it is smaller.
    pub(crate) is_left_out: bool,
    /// Whether only errors were looked for, so that nothing is told of candidates that compile.
    pub(crate) tells_errors_alone: bool,
    /// The number of compiler calls that the joint compilations took.
    pub(crate) compiler_runs: u64,
    /// The CPU time of the compiler calls, and of the tests that were run.
    pub(crate) cpu: Duration,
}

/// A questioner, which answers questions about candidates in a thread of its own.
pub(crate) trait Questioner: Send {
    /// Decides one candidate, whose time is bounded by the `expectation`.
    ///
    /// # Errors
    /// Where our own surroundings fail; what is wrong with the candidate is in the answer.
    fn ask(
        &mut self,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Answer, Failure>;

    /// Returns the kind of work for which the questioner waits for a turn.
    fn work(&self) -> Work {
        Work::Query
    }

    /// Lets the questioner ask a server from now on.
    fn use_server(&mut self, _server: &RemoteServer) {}

    /// Has the server decide one candidate. `None` where there is none, or it has no certain answer: then the candidate
    /// has to be asked about here.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn ask_remotely(
        &mut self,
        _candidate: &Candidate,
        _expectation: Expectation,
        _cancel: &Cancel,
    ) -> Result<Option<Answer>, Failure> {
        Ok(None)
    }
}
