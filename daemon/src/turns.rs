//! The turns of all jobs: [`Schedule`] with a clock, a lock, and a way to wait.

use crate::schedule::{Schedule, Share, TurnId};
use reduce_engine::{Cancel, Priority, Turns, Work, WorkerPermit};
use reduce_platform::cancel::wait_for_either;
use reduce_protocol::JobId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The workers of the machine, which all jobs share. Clones share their state.
#[derive(Debug, Clone)]
pub(crate) struct SharedTurns(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    began: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    schedule: Schedule,
    /// The signals that are raised for waiting jobs when it is their turn.
    waiting: BTreeMap<TurnId, Cancel>,
}

/// The turns of one job. When this value is dropped, the job has none and wants none.
#[derive(Debug)]
pub(crate) struct JobTurns {
    turns: SharedTurns,
    job: JobId,
}

impl SharedTurns {
    /// Makes the turns of all jobs at `places` workers.
    pub(crate) fn new(places: usize) -> Self {
        let state = State {
            schedule: Schedule::new(places),
            waiting: BTreeMap::new(),
        };
        Self(Arc::new(Shared {
            began: Instant::now(),
            state: Mutex::new(state),
        }))
    }

    /// Adds a job that begins, and returns its turns.
    pub(crate) fn enter(&self, job: JobId, priority: Priority) -> JobTurns {
        self.state().schedule.enter(job, priority);
        JobTurns {
            turns: self.clone(),
            job,
        }
    }

    /// Keeps a job from further turns, or lets it have them again.
    pub(crate) fn set_paused(&self, job: JobId, is_paused: bool) {
        self.change(|schedule| schedule.set_paused(job, is_paused));
    }

    /// Returns a job's share of the machine; `None` where it does not run.
    pub(crate) fn share(&self, job: JobId) -> Option<Share> {
        self.state().schedule.share(job, self.0.began.elapsed())
    }

    /// Returns the number of queries that are under way.
    pub(crate) fn taken(&self) -> usize {
        self.state().schedule.taken()
    }

    /// Changes the schedule, and tells those jobs that have a turn after that.
    fn change(&self, change: impl FnOnce(&mut Schedule)) {
        let mut state = self.state();
        change(&mut state.schedule);
        state.give(self.0.began, None);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Gives the free places to jobs, and tells those that wait for them. Returns whether `asked`, which does not wait
    /// yet, is one of the turns.
    fn give(&mut self, began: Instant, asked: Option<TurnId>) -> bool {
        let mut is_given = false;
        while let Some((_, turn)) = self.schedule.next(began.elapsed()) {
            is_given |= asked == Some(turn);
            if let Some(waiting) = self.waiting.remove(&turn) {
                waiting.cancel();
            }
        }
        is_given
    }
}

impl JobTurns {
    /// Asks for a turn of the job. Returns its number with a signal that is raised when the job has the turn; without a
    /// signal, it has it already.
    fn ask(&self, work: Work) -> std::io::Result<(TurnId, Option<Cancel>)> {
        let began = self.turns.0.began;
        let mut state = self.turns.state();
        let turn = state.schedule.ask(self.job, work, began.elapsed());
        if state.give(began, Some(turn)) {
            return Ok((turn, None));
        }
        let granted = Cancel::new().inspect_err(|_| {
            state.schedule.end(self.job, turn, began.elapsed());
        })?;
        state.waiting.insert(turn, granted.clone());
        Ok((turn, Some(granted)))
    }

    fn end(turns: &SharedTurns, job: JobId, turn: TurnId) {
        let now = turns.0.began.elapsed();
        turns.state().waiting.remove(&turn);
        turns.change(|schedule| schedule.end(job, turn, now));
    }
}

impl Turns for JobTurns {
    fn wait(&self, work: Work, cancel: &Cancel) -> Option<WorkerPermit> {
        let (turns, job) = (self.turns.clone(), self.job);
        // Without a descriptor nobody can wait; to go on beside the others is better than to fail.
        let Ok((id, granted)) = self.ask(work) else {
            return Some(WorkerPermit::ending_with(|| {}));
        };
        let turn = WorkerPermit::ending_with(move || Self::end(&turns, job, id));
        match granted {
            Some(granted) if !wait_for(&granted, cancel) => None,
            _ => Some(turn),
        }
    }
}

impl Drop for JobTurns {
    fn drop(&mut self) {
        self.turns.change(|schedule| schedule.leave(self.job));
    }
}

/// Waits until a turn is granted or the wait is cancelled, and returns whether it was granted.
pub(crate) fn wait_for(granted: &Cancel, cancel: &Cancel) -> bool {
    wait_for_either(granted, cancel, None);
    granted.is_cancelled()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn job(turns: &SharedTurns, id: u64) -> JobTurns {
        turns.enter(JobId(id), Priority::Normal)
    }

    #[test]
    fn a_turn_is_waited_for_until_another_one_ends() {
        let turns = SharedTurns::new(1);
        let (first, second) = (job(&turns, 1), job(&turns, 2));
        let never = Cancel::new().unwrap();
        let turn = first.wait(Work::Query, &never);
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            let waits = || {
                let turn = second.wait(Work::Query, &never);
                sender.send(turn.is_some()).unwrap();
            };
            scope.spawn(waits);
            while turns.state().waiting.is_empty() {
                std::thread::yield_now();
            }
            assert!(receiver.try_recv().is_err(), "there is one place only");
            drop(turn);
            assert_eq!(receiver.recv(), Ok(true));
        });
    }

    #[test]
    fn who_waits_is_told_when_it_is_cancelled_and_leaves_nothing_behind() {
        let turns = SharedTurns::new(1);
        let (first, second) = (job(&turns, 1), job(&turns, 2));
        let (never, now) = (Cancel::new().unwrap(), Cancel::new().unwrap());
        now.cancel();
        let turn = first.wait(Work::Query, &never);
        assert!(second.wait(Work::Query, &now).is_none());
        drop(turn);
        assert!(turns.state().waiting.is_empty());
        assert_eq!(turns.share(JobId(2)).map(|share| share.running), Some(0));
    }

    #[test]
    fn a_job_that_ends_gives_its_places_back() {
        let turns = SharedTurns::new(1);
        let (first, second) = (job(&turns, 1), job(&turns, 2));
        let never = Cancel::new().unwrap();
        let turn = first.wait(Work::Query, &never);
        drop(first);
        assert!(second.wait(Work::Query, &never).is_some());
        drop(turn);
        assert_eq!(turns.share(JobId(1)), None);
    }

    #[test]
    fn a_paused_job_waits_until_it_is_resumed() {
        for work in [Work::Query, Work::QueryElsewhere] {
            let turns = SharedTurns::new(1);
            let paused = job(&turns, 1);
            turns.set_paused(JobId(1), true);
            let never = Cancel::new().unwrap();
            std::thread::scope(|scope| {
                let waits = scope.spawn(|| paused.wait(work, &never).is_some());
                while turns.state().waiting.is_empty() {
                    std::thread::yield_now();
                }
                assert!(!waits.is_finished());
                turns.set_paused(JobId(1), false);
                assert!(waits.join().unwrap());
            });
        }
    }

    #[test]
    fn a_query_that_a_server_answers_takes_no_place() {
        let turns = SharedTurns::new(1);
        let (first, second) = (job(&turns, 1), job(&turns, 2));
        let never = Cancel::new().unwrap();
        let _here = first.wait(Work::Query, &never);
        let there = [(); 3].map(|()| second.wait(Work::QueryElsewhere, &never));
        assert!(there.iter().all(Option::is_some));
        assert_eq!(turns.taken(), 1);
    }
}
