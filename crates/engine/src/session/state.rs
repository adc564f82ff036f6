//! The session: the best candidate so far, what is known of others, and what is being done. Its methods
//! for each of its tasks stand in files of their own; what concerns one of the three is a method of
//! that.

use super::joint_state::JointCompilations;
use super::ledger::Ledger;
use super::mode::Mode;
use super::stop::Stop;
use crate::Failure;
use crate::accept::Best;
use crate::accept::Pace;
use crate::accept::StepLog;
use crate::ask::{Oracle, Pool};
use crate::candidate::Candidate;
use crate::clock::Clock;
use crate::control::Control;
use crate::event::Event;
use crate::figures::Ended;
use crate::output::OutputDirectory;
use crate::request::Budget;
use crate::store::Kept;
use crate::turns::{Work, WorkerPermit};
use crate::watch::Watch;
use reduce_model::{CompilerNames, Position};
use reduce_oracle::{Cancel, Comparison};
use reduce_passes::{ChangesByValues, Program};
use reduce_syntax::EditSet;
use std::rc::Rc;

/// The tools with which a session works, such as the oracle and the output directory.
pub(crate) struct Tools<'r> {
    pub(crate) oracle: &'r dyn Oracle,
    pub(crate) kept: Kept<'r>,
    pub(crate) emit: &'r (dyn Fn(Event) + Sync),
    pub(crate) control: &'r Control,
    pub(crate) cancel: &'r Cancel,
    pub(crate) budget: Budget,
    pub(crate) output: &'r OutputDirectory,
    pub(crate) watch: &'r dyn Watch,
    pub(crate) jobs: usize,
    /// The number of candidates that are made of the same program before one is accepted.
    pub(crate) width: usize,
    pub(crate) started: Clock,
}

/// The state of a search.
pub(crate) struct Session<'r> {
    pub(crate) tools: Tools<'r>,
    /// The workers that answer questions.
    pub(crate) pool: Pool,
    pub(crate) best: Best,
    pub(crate) ledger: Ledger,
    pub(crate) mode: Mode,
    /// The log of all programs that were the best so far, from the input on.
    pub(crate) log: StepLog,
    pub(super) joint: JointCompilations,
    /// Size of the input.
    pub(super) tokens_at_start: u64,
}

impl Session<'_> {
    /// Returns the number of candidates that are made of the same program before one is accepted.
    pub(crate) fn width(&self) -> usize {
        self.tools.width
    }
}

impl Tools<'_> {
    /// Waits for a turn to call the compiler beside the workers; they have turns of their own.
    pub(crate) fn turn(&self) -> Option<WorkerPermit> {
        self.control.turns.wait(Work::Query, self.cancel)
    }

    /// Asks the compiler to expand the macro calls of a program; `None` where it cannot.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn expand(&self, candidate: &Candidate) -> Result<Option<String>, Failure> {
        let _turn = self.turn();
        self.oracle.expand(candidate, self.cancel)
    }

    /// Asks the compiler what the names of a program mean.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn names(&self, candidate: &Candidate) -> Result<CompilerNames, Failure> {
        let _turn = self.turn();
        self.oracle.names(candidate, self.cancel)
    }

    /// Asks the compiler what the names of a program mean, and which functions bodies call.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn calls(&self, candidate: &Candidate) -> Result<CompilerNames, Failure> {
        let _turn = self.turn();
        self.oracle.calls(candidate, self.cancel)
    }

    /// Returns the edits that delete what the compiler calls unused in a program.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn unused(&self, candidate: &Candidate) -> Result<EditSet, Failure> {
        let _turn = self.turn();
        self.oracle.unused(candidate, self.cancel)
    }

    /// Asks the compiler which definitions of a program are dead, and returns the positions of
    /// their names.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn dead_names(&self, candidate: &Candidate) -> Result<Vec<Position>, Failure> {
        let _turn = self.turn();
        self.oracle.dead_names(candidate, self.cancel)
    }

    /// Returns the edits that empty the blocks of a program that no run enters.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn unentered(&self, candidate: &Candidate) -> Result<Vec<EditSet>, Failure> {
        let _turn = self.turn();
        self.oracle.unentered(candidate, self.cancel)
    }

    /// Returns the edits that put values that runs have shown in place of expressions and loops of a program.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn changes_by_values(
        &self,
        candidate: &Candidate,
    ) -> Result<ChangesByValues, Failure> {
        let _turn = self.turn();
        self.oracle.changes_by_values(candidate, self.cancel)
    }

    /// Returns the positions of a program's errors; `None` where they are not known.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn error_places(
        &self,
        candidate: &Candidate,
    ) -> Result<Option<Vec<Position>>, Failure> {
        let _turn = self.turn();
        self.oracle.error_places(candidate, self.cancel)
    }

    /// Returns the comparison by which a candidate fails with the good version, if it does.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn compared_with_good_version(
        &self,
        candidate: &Candidate,
    ) -> Result<Option<Comparison>, Failure> {
        let _turn = self.turn();
        self.oracle
            .compared_with_good_version(candidate, self.cancel)
    }

    /// Lays a text out in the usual way, if there is a program for that.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn format(&self, text: &str) -> Result<Option<String>, Failure> {
        let _turn = self.turn();
        self.oracle.format(text, self.cancel)
    }
}

impl<'r> Session<'r> {
    /// Begins with a candidate that is known to be interesting.
    pub(crate) fn new(tools: Tools<'r>, pool: Pool, best: Candidate, tokens_at_start: u64) -> Self {
        let pace = Pace::new(tools.oracle.usual(), tokens_at_start);
        Self {
            pool,
            log: StepLog::new(&best.tree, &best.compile_options),
            best: Best::new(best, pace),
            ledger: Ledger::default(),
            mode: Mode::new(Stop::new(
                tools.control,
                tools.budget,
                tools.started.clone(),
            )),
            joint: JointCompilations::default(),
            tokens_at_start,
            tools,
        }
    }

    /// Returns the program of the best so far, parsed once for all who ask.
    pub(crate) fn program(&self) -> Rc<Program> {
        self.best.program()
    }

    /// Returns the best program so far.
    pub(crate) fn best(&self) -> &Candidate {
        self.best.candidate()
    }

    /// Whether the work under way should come to its end.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.mode.stop.is_cancelled()
    }

    /// Returns the reason why the search ends early with a valid result, if it does.
    pub(crate) fn early_end(&self) -> Option<Ended> {
        self.mode.stop.early_end()
    }

    /// Whether the search has used all queries of its budget.
    pub(crate) fn has_used_all_queries(&self) -> bool {
        self.queries_left() == Some(0)
    }

    /// Returns the number of queries that the search may still use; `None` where there is no bound.
    pub(crate) fn queries_left(&self) -> Option<u64> {
        self.mode.stop.queries_left(self.ledger.figures().queries)
    }

    /// Sends an event to all who listen.
    pub(crate) fn emit(&self, event: Event) {
        (self.tools.emit)(event);
    }
}
