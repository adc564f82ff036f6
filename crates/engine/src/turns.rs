//! Turns: the times at which a reduction may call the compiler, while others share the machine. Whoever
//! runs several reductions at once hands each of them a [`Turns`], so that they share the machine; the
//! engine does not know that there are others. Turns decide when a query is made, never which one and
//! never its answer.
//!
//! See docs/decisions/jobs-and-turns.md.

use reduce_oracle::Cancel;
use std::fmt;

/// The work for which a reduction wants a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// All work before the search: the failure is looked for, dependencies are compiled, the guard is
    /// prepared. It may take minutes, and cargo starts several compilers at once.
    Beginning,
    /// A query, or another call of the compiler or of a program.
    Query,
    /// A query that another machine answers. It takes nothing of this one; a job that is paused makes none.
    QueryElsewhere,
}

/// Decides when a reduction may begin some work.
pub trait Turns: fmt::Debug + Send + Sync {
    /// Waits for a turn to do some work; `None` if `cancel` is cancelled before. The turn ends when
    /// it is dropped. A thread that has a turn asks for no other.
    fn wait(&self, work: Work, cancel: &Cancel) -> Option<WorkerPermit>;
}

/// The permit to use a worker, for as long as it is held: dropping it ends the turn.
pub struct WorkerPermit(Option<Box<dyn FnOnce() + Send>>);

impl WorkerPermit {
    /// Makes a permit that calls `end` when it ends.
    #[must_use]
    pub fn ending_with(end: impl FnOnce() + Send + 'static) -> Self {
        Self(Some(Box::new(end)))
    }
}

impl fmt::Debug for WorkerPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkerPermit")
    }
}

impl Drop for WorkerPermit {
    fn drop(&mut self) {
        if let Some(end) = self.0.take() {
            end();
        }
    }
}

/// The turns of a reduction that shares the machine with no other: it is always its turn.
#[derive(Debug, Clone, Copy, Default)]
pub struct AlwaysItsTurn;

impl Turns for AlwaysItsTurn {
    fn wait(&self, _: Work, _: &Cancel) -> Option<WorkerPermit> {
        Some(WorkerPermit(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn what_ends_a_turn_is_done_once_and_when_it_is_dropped() {
        let ended = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&ended);
        let turn = WorkerPermit::ending_with(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(ended.load(Ordering::SeqCst), 0);
        drop(turn);
        assert_eq!(ended.load(Ordering::SeqCst), 1);
    }
}
