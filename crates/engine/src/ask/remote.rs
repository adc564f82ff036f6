//! Workers that ask a server of the Remote Execution API, beside those that ask the compiler of
//! this machine.
//!
//! Whatever they ask, the answer is the one that would be given here. A question to which the server has no certain answer is
//! asked here, by the same worker, when it has a turn. Before the server is asked about candidates it must see the failure
//! of the program that the search begins with: what is missing there would look like a failure of another kind.

use super::oracle::Questioner;
use crate::answer::Answer;
use crate::candidate::Candidate;
use crate::event::Event;
use crate::failure::Failure;
use crate::figures::RemoteFigures;
use reduce_oracle::{Cancel, Expectation, RemoteServer, Verdict};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The workers that ask a server, and what they know of it.
pub(crate) struct RemoteWorkers<'r> {
    /// The number of workers that ask the server.
    pub(crate) jobs: usize,
    /// The server; `None` in tests, where the questioner is all that there is.
    server: Option<RemoteServer>,
    /// The program with which the search begins.
    begin: Candidate,
    emit: &'r (dyn Fn(Event) + Sync),
    state: Mutex<State>,
    answered: AtomicU64,
    asked_here: AtomicU64,
}

/// The state of the server, as far as it is known.
#[derive(Default)]
struct State {
    trust: Trust,
    /// Whether the user was told that the server cannot be reached.
    is_said: bool,
}

/// The trust in a server: it is proved once the server has shown the failure of the program that
/// the search begins with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Trust {
    #[default]
    Unknown,
    Proved,
    Lost,
}

impl<'r> RemoteWorkers<'r> {
    pub(crate) fn new(
        jobs: usize,
        server: Option<RemoteServer>,
        begin: Candidate,
        emit: &'r (dyn Fn(Event) + Sync),
    ) -> Self {
        Self {
            jobs,
            server,
            begin,
            emit,
            state: Mutex::default(),
            answered: AtomicU64::new(0),
            asked_here: AtomicU64::new(0),
        }
    }

    /// Notes that the user knows already that the server cannot be reached.
    pub(crate) fn known_to_be_away(self) -> Self {
        self.state().is_said = true;
        self
    }

    /// Lets a questioner ask the server.
    pub(super) fn equip(&self, questioner: &mut dyn Questioner) {
        if let Some(server) = &self.server {
            questioner.use_server(server);
        }
    }

    /// Whether the server can be reached and is trusted at the moment.
    pub(super) fn is_there(&self) -> bool {
        let is_reachable = self.server.as_ref().is_none_or(RemoteServer::is_there);
        is_reachable && self.state().trust != Trust::Lost
    }

    /// Asks the server about a candidate, once it has seen the failure of the program that the search begins with.
    /// `None` where the candidate has to be asked about here.
    pub(super) fn ask_if_proved(
        &self,
        questioner: &mut dyn Questioner,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Option<Answer>, Failure> {
        let answer = match self.is_proved(questioner, cancel)? {
            true => questioner.ask_remotely(candidate, expectation, cancel)?,
            false => None,
        };
        match &answer {
            Some(answer) if answer.verdict == Verdict::Cancelled => {}
            Some(_) => {
                self.answered.fetch_add(1, Ordering::Relaxed);
            }
            None if cancel.is_cancelled() => {}
            None => {
                self.asked_here.fetch_add(1, Ordering::Relaxed);
                self.say_what_is_wrong();
            }
        }
        Ok(answer)
    }

    /// Returns the figures of the server's work.
    pub(crate) fn figures(&self) -> RemoteFigures {
        let counts = self.server.as_ref().map(RemoteServer::counts);
        let counts = counts.unwrap_or_default();
        RemoteFigures {
            answered: self.answered.load(Ordering::Relaxed),
            asked_here: self.asked_here.load(Ordering::Relaxed),
            hits: counts.hits,
            misses: counts.misses,
            retries: counts.retries,
            uploaded_bytes: counts.uploaded_bytes,
        }
    }

    /// Whether the server has seen the failure of the program that the search begins with. The first worker asks, the
    /// others wait.
    fn is_proved(&self, questioner: &mut dyn Questioner, cancel: &Cancel) -> Result<bool, Failure> {
        let mut state = self.state();
        if state.trust != Trust::Unknown {
            return Ok(state.trust == Trust::Proved);
        }
        let usual = Expectation::default();
        let seen = questioner.ask_remotely(&self.begin, usual, cancel)?;
        let lost = match seen.map(|answer| answer.verdict) {
            Some(Verdict::Interesting) => {
                state.trust = Trust::Proved;
                return Ok(true);
            }
            Some(Verdict::Cancelled) => None,
            Some(verdict) => Some(crate::answer::in_words(&verdict)),
            // The server is away, which is said elsewhere, or cannot judge this program.
            None if !self.server.as_ref().is_none_or(RemoteServer::is_there) => None,
            None if cancel.is_cancelled() => None,
            None => Some(self.why_uncertain()),
        };
        if let Some(reason) = lost {
            state.trust = Trust::Lost;
            let message = format!(
                "the server of `--remote` does not see the failure of the input, so that it is not asked: {reason}"
            );
            (self.emit)(Event::Warning { message });
        }
        Ok(false)
    }

    fn why_uncertain(&self) -> String {
        let reason = self.server.as_ref().and_then(RemoteServer::last_reason);
        reason.unwrap_or_else(|| "it has no certain answer".to_owned())
    }

    /// Says once that the server is of no use at the moment.
    fn say_what_is_wrong(&self) {
        let trouble = self.server.as_ref().and_then(RemoteServer::take_trouble);
        let mut state = self.state();
        if let (Some(trouble), false) = (trouble, state.is_said) {
            state.is_said = true;
            let message = format!("the job goes on without the server of `--remote`: {trouble}");
            (self.emit)(Event::Warning { message });
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
