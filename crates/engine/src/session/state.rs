//! The session: the best candidate so far, the knowledge about others, and the work under way. Its
//! methods for each of its tasks stand in files of their own; what concerns one of the three is a
//! method of that.

use super::joint_state::JointCompilations;
use super::ledger::Ledger;
use super::mode::Mode;
use super::stop::Stop;
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
use reduce_oracle::Cancel;
use reduce_passes::Program;
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
    /// Size of the input in tokens.
    pub(super) tokens_at_start: u64,
}

impl Session<'_> {
    /// Whether the user asks for waves, for many workers (`--width`).
    pub(crate) fn is_wide(&self) -> bool {
        self.tools.width > 1
    }
}

impl Tools<'_> {
    /// Waits for a turn to call the compiler outside of the workers, which have turns of their own.
    pub(crate) fn turn(&self) -> Option<WorkerPermit> {
        self.control.turns.wait(Work::Query, self.cancel)
    }

    /// Asks the oracle outside of the workers, in a turn.
    pub(crate) fn in_turn<T>(&self, ask: impl FnOnce(&dyn Oracle, &Cancel) -> T) -> T {
        let _turn = self.turn();
        ask(self.oracle, self.cancel)
    }
}

impl<'r> Session<'r> {
    /// Begins a session with a candidate that is known to be interesting.
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

    /// Whether the work under way should end.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.mode.stop.is_cancelled()
    }

    /// Returns the reason why the search ends before it is done, though with a valid result, if it
    /// does.
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
