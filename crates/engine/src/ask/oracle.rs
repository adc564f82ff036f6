//! The search's interface to an oracle, so that the search can be tested with a closure: somebody
//! for each worker thread who answers questions about candidates.

use super::compiler_tools::CompilerTools;
use super::job_facts::JobFacts;
use crate::answer::Answer;
use crate::candidate::{Candidate, CompileOptions};
use crate::failure::Failure;
use crate::store::Digest;
use crate::turns::Work;
use reduce_model::Outside;
use reduce_oracle::{Cancel, Comparison, Expectation, RemoteServer, TimeSpent, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// An oracle, which decides candidates: it makes a questioner for each worker thread.
pub(crate) trait Oracle: JobFacts + CompilerTools {
    /// Answers questions in a thread of its own.
    ///
    /// # Errors
    /// Where its scratch directory cannot be made.
    fn questioner(&self, worker: usize) -> Result<Box<dyn Questioner>, Failure>;

    /// Returns a digest of all that decides a verdict besides the candidate: command, compiler,
    /// property.
    fn digest(&self, compile_options: &CompileOptions) -> Digest;

    /// Returns the time that the program as it was found has used, which bounds the time of
    /// candidates; `None` where their time is bounded otherwise, so that it does not help to ask
    /// again.
    fn usual(&self) -> Option<TimeSpent> {
        None
    }

    /// Returns, once, a notice for the user of how questions are answered.
    fn take_notice(&self) -> Option<String> {
        None
    }

    /// Whether something that verdicts stand on was changed since the job began.
    fn has_changed(&self) -> bool {
        false
    }

    /// Returns the names that are known beside the program, where a candidate with a name that comes neither
    /// from there nor from a definition is certainly not interesting: errors that the baseline did not have are
    /// not allowed, it had none in the resolution of names, and it crashed after that.
    fn outside(&self, _compile_options: &CompileOptions) -> Option<Arc<Outside>> {
        None
    }

    /// Whether a joint compilation may tell something of candidates with these compile options.
    fn compiles_jointly(&self, _compile_options: &CompileOptions) -> bool {
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

    /// Returns the comparison by which a candidate fails with the good version; `None` where it does
    /// not, or otherwise.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn compared_with_good_version(
        &self,
        _candidate: &Candidate,
        _cancel: &Cancel,
    ) -> Result<Option<Comparison>, Failure> {
        Ok(None)
    }
}

/// The place of a joint compilation among those that are made side by side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Side {
    /// The number of the joint compilation, from 0.
    pub(crate) number: usize,
    /// Whether candidates that the compiler did not come to are not compiled together again.
    pub(crate) is_brief: bool,
}

/// The candidates that joint compilations refuse.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusals {
    /// The candidates that are not interesting, by index, and what they are. Others may not be interesting, either.
    pub(crate) candidates: BTreeMap<usize, Verdict>,
    /// Whether the program compiles beside others as it does alone. Where it does not, nothing is told of
    /// candidates. Where it is not, nothing is told of candidates.
    pub(crate) is_sound: bool,
    /// Whether the program cannot be beside others, which may be otherwise once it is smaller.
    pub(crate) is_left_out: bool,
    /// Whether errors alone decide here: nothing is told of candidates that compile.
    pub(crate) tells_errors_alone: bool,
    /// The number of compiler calls.
    pub(crate) compiler_runs: u64,
    /// The CPU time of these calls, and of tests that were run.
    pub(crate) cpu: Duration,
}

/// Answers questions in a thread of its own.
pub(crate) trait Questioner: Send {
    /// Decides one candidate, which is expected to use so much time.
    ///
    /// # Errors
    /// Where our own surroundings fail; what is wrong with the candidate is in the answer.
    fn ask(
        &mut self,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Answer, Failure>;

    /// Returns the work for which the questioner needs a turn.
    fn work(&self) -> Work {
        Work::Query
    }

    /// Lets the questioner ask a server from now on.
    fn use_server(&mut self, _server: &RemoteServer) {}

    /// Decides one candidate by the server. `None` where there is none, or it has no certain answer: then the candidate
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
