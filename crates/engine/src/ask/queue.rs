//! The questions that wait for a worker. Those who ask here come first: a server takes a question only where all of them are
//! busy.

use super::asker::Question;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time after which a worker looks again whether the server can be reached.
const LOOK: Duration = Duration::from_secs(1);

/// The queue of questions that wait.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    questions: VecDeque<Question>,
    /// The number of workers for queries on this machine that wait for a question.
    idle: usize,
    is_closed: bool,
}

impl Queue {
    /// Puts a question at the end.
    pub(super) fn put(&self, question: Question) {
        self.state().questions.push_back(question);
        self.changed.notify_all();
    }

    /// Closes the queue: nothing more comes, and waiting questions are not asked any more.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Takes the next question for a worker that asks on this machine; `None` once the queue is
    /// closed.
    pub(super) fn take(&self) -> Option<Question> {
        let mut state = self.state();
        state.idle += 1;
        while state.questions.is_empty() && !state.is_closed {
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state.idle -= 1;
        let question = state.next();
        drop(state);
        // A worker that is not idle any more may leave the rest to others.
        self.changed.notify_all();
        question
    }

    /// Takes the next question for a worker that asks a server, if no worker of this machine is free for it; `None`
    /// once the queue is closed.
    pub(super) fn take_if_there(&self, is_there: impl Fn() -> bool) -> Option<Question> {
        let mut state = self.state();
        while !state.is_closed {
            let is_left = state.questions.len() > state.idle;
            if is_left && is_there() {
                return state.next();
            }
            state = match is_left {
                true => {
                    let waited = self.changed.wait_timeout(state, LOOK);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                false => {
                    let waited = self.changed.wait(state);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
        None
    }

    /// Returns the number of workers for queries on this machine that wait for a question.
    #[cfg(test)]
    pub(super) fn idle(&self) -> usize {
        self.state().idle
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next(&mut self) -> Option<Question> {
        match self.is_closed {
            true => None,
            false => self.questions.pop_front(),
        }
    }
}
