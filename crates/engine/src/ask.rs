//! What the search needs of an oracle, so that it can be tested with a closure: somebody for each
//! worker thread who answers questions about candidates.

use crate::Failure;
use crate::crates::Crates;
use crate::store::Digest;
use crate::summary::Stage;
use reduce_gather::Edition;
use reduce_oracle::{Cancel, Expectation, Late, Linkage, TimeSpent, Verdict};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Makes questioners, one for each worker thread.
pub(crate) trait Oracle: Sync {
    /// Answers questions in a thread of its own.
    ///
    /// # Errors
    /// Where its scratch directory cannot be made.
    fn questioner(&self, worker: usize) -> Result<Box<dyn Questioner>, Failure>;

    /// What decides a verdict besides the candidate: command, compiler, property.
    fn digest(&self, terms: &Terms) -> Digest;

    /// What the program as it was found has used, which bounds the time of candidates; `None` where
    /// their time is bounded otherwise, so that it does not help to ask again.
    fn usual(&self) -> Option<TimeSpent> {
        None
    }

    /// Names that come from outside of the program, where a candidate with a name that is neither
    /// of these nor defined is certainly not interesting: errors that the baseline did not have are
    /// not allowed, it had none in the resolution of names, and it crashed after that.
    fn outside_names(&self, _terms: &Terms) -> Option<Arc<BTreeSet<String>>> {
        None
    }

    /// Errors that the baseline has, and candidates may have.
    fn allowed_errors(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }

    /// Whether candidates are run: then the bodies of what is called matter.
    fn runs_programs(&self) -> bool {
        false
    }

    /// The path of the test that fails, where it may become the `main` of a program.
    fn test(&self) -> Option<String> {
        None
    }

    /// The crates that the program may be linked with, as text.
    fn crates(&self) -> Option<&Crates> {
        None
    }

    /// The edition in which a program on these terms is written, if it is one that we know.
    fn edition(&self, _terms: &Terms) -> Option<Edition> {
        None
    }

    /// The program with all its macro calls expanded, as the compiler prints it; `None` where it
    /// cannot.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn expand(&self, _candidate: &Candidate, _cancel: &Cancel) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    /// A text as the toolchain's formatter lays it out; `None` where there is none, or it cannot.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn format(&self, _text: &str, _cancel: &Cancel) -> Result<Option<String>, Failure> {
        Ok(None)
    }
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
}

/// A program and the terms on which it is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) tree: SourceTree,
    pub(crate) terms: Terms,
}

/// How a program is asked about, where that differs from the plan and the property.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Terms {
    /// Which of the removable groups of flags are left out, by index, ascending.
    pub(crate) left_out: Arc<Vec<usize>>,
    /// Errors of the baseline that are not allowed any more.
    pub(crate) forbidden: Arc<BTreeSet<String>>,
    /// The crates that it is linked with.
    pub(crate) linkage: Arc<Linkage>,
    /// The test is its `main`, and there is no harness.
    pub(crate) is_main: bool,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    /// What it took to know.
    pub(crate) stage: Stage,
    pub(crate) effort: Effort,
    pub(crate) timing: Timing,
}

/// How long a candidate was allowed to take, and how long it took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Timing {
    /// Which time had passed, where it was stopped for that.
    pub(crate) late: Option<Late>,
    /// What it has used.
    pub(crate) spent: TimeSpent,
    /// What it was expected to use.
    pub(crate) expectation: Expectation,
    /// Whether it was asked about with nothing of ours beside it, as it had run out of time before.
    pub(crate) is_asked_again: bool,
}

/// What a question has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Of the compiler, from its start to its end.
    pub(crate) wall: Duration,
    /// Of the compiler.
    pub(crate) cpu: Duration,
    /// Of the compiler: the largest resident set.
    pub(crate) peak_memory_bytes: u64,
    /// Our own time around it: writing the candidate, reading what was said.
    pub(crate) overhead: Duration,
}

impl Effort {
    /// Adds what another question has cost.
    pub(crate) fn add(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu += other.cpu;
        self.peak_memory_bytes = self.peak_memory_bytes.max(other.peak_memory_bytes);
        self.overhead += other.overhead;
    }
}

impl Answer {
    /// An answer that cost nothing worth counting.
    pub(crate) fn free(verdict: Verdict, stage: Stage) -> Self {
        Self {
            verdict,
            stage,
            effort: Effort::default(),
            timing: Timing::default(),
        }
    }
}
