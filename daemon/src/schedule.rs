//! Decides which job has the next turn at a worker. The workers of the machine are *places*; a job that has a turn has
//! one of them.
//!
//! A place that becomes free goes to the job that has used the least so far: the sum of the times of its
//! turns, divided by the weight of its priority. A job that comes is treated as if it had used as much
//! as the one that has used least, so that it does not get all places until it has caught up. The same holds of
//! a job that wanted nothing for a while, but that is as far behind as it was when it had its last turn, or a little more,
//! as a search thinks between two queries.
//!
//! The *beginning* of a job, which comes before its search, has a place too. It may run for minutes, and keeps its place as
//! long. So beginnings have at most half of the places where somebody searches, and one query may be made even where
//! beginnings that came earlier have all places. Neither waits for the other without an end, also within one job. A beginning
//! is no part of what its job has used: the job would have to make up for it by minutes without a query.
//!
//! There is no clock and no thread here: times are handed in, so that tests need not wait.
//!
//! See docs/decisions/jobs-and-turns.md.

use reduce_engine::{Priority, Work};
use reduce_protocol::JobId;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The time by which a job that wanted no turn for a while may have used less than the others.
const MOST_BEHIND: Duration = Duration::from_millis(500);

/// The number of a turn that a job has asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TurnId(u64);

/// The jobs that run, with the turns that they have and those that they wait for.
#[derive(Debug)]
pub(crate) struct Schedule {
    places: usize,
    jobs: BTreeMap<JobId, JobShare>,
    last_turn: u64,
}

/// The share of one job in the places, and the turns that it waits for.
#[derive(Debug)]
struct JobShare {
    priority: Priority,
    /// The time for which the job has used places, divided by its weight, in nanoseconds.
    used: u64,
    /// The sum of the times of the job's turns that have ended.
    spent: Duration,
    /// The time that the job's last query took. Those under way are expected to take as long, so that a job with several
    /// workers does not get all places at once.
    usual: Duration,
    /// The time by which the job had used less than the others when it had its last turn.
    behind: u64,
    is_paused: bool,
    /// Whether the job's beginning is over, as it has asked for a query.
    has_begun: bool,
    waiting: VecDeque<(TurnId, Work)>,
    running: BTreeMap<TurnId, (Work, Duration)>,
}

/// A job's share of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share {
    /// The number of turns that the job has.
    pub(crate) running: usize,
    /// The sum of the times of all turns for queries of the job.
    pub(crate) spent: Duration,
    pub(crate) is_paused: bool,
}

impl JobShare {
    /// Returns the time that the job has used, with the turns that it has.
    fn used_at(&self, now: Duration) -> u64 {
        let queries = self.running.values().filter(|turn| turn.0 == Work::Query);
        let running = queries.map(|(_, since)| {
            let so_far = now.saturating_sub(*since);
            self.weighed(so_far.max(self.usual))
        });
        self.used + running.sum::<u64>()
    }

    fn weighed(&self, time: Duration) -> u64 {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        nanoseconds / self.priority.weight()
    }

    fn has(&self, work: Work) -> usize {
        self.running.values().filter(|turn| turn.0 == work).count()
    }

    fn wants(&self, work: Work) -> bool {
        self.waiting.iter().any(|turn| turn.1 == work)
    }

    /// Returns whether the job competes with others for places.
    fn is_busy(&self) -> bool {
        !self.is_paused && (self.has(Work::Query) > 0 || self.wants(Work::Query))
    }
}

impl Schedule {
    /// Makes a schedule without jobs. There are `places` places if several jobs want them.
    pub(crate) fn new(places: usize) -> Self {
        Self {
            places: places.max(1),
            jobs: BTreeMap::new(),
            last_turn: 0,
        }
    }

    /// Adds a job that begins.
    pub(crate) fn enter(&mut self, job: JobId, priority: Priority) {
        let share = JobShare {
            priority,
            used: 0,
            spent: Duration::ZERO,
            usual: Duration::ZERO,
            behind: 0,
            is_paused: false,
            has_begun: false,
            waiting: VecDeque::new(),
            running: BTreeMap::new(),
        };
        self.jobs.insert(job, share);
    }

    /// Removes a job that has ended.
    pub(crate) fn leave(&mut self, job: JobId) {
        self.jobs.remove(&job);
    }

    /// Notes that a job asks for a turn, and returns the turn's number. [`Self::next`] says when the job has it.
    pub(crate) fn ask(&mut self, job: JobId, work: Work, now: Duration) -> TurnId {
        let least = self.least_used(job, now);
        self.last_turn += 1;
        let turn = TurnId(self.last_turn);
        if let Some(share) = self.jobs.get_mut(&job) {
            let was_busy = share.is_busy();
            if let (Work::Query, false, Some(least)) = (work, was_busy, least) {
                let behind = match share.has_begun {
                    true => share.behind.max(share.weighed(MOST_BEHIND)),
                    false => 0,
                };
                share.used = share.used.max(least.saturating_sub(behind));
            }
            share.has_begun |= work != Work::Beginning;
            share.waiting.push_back((turn, work));
        }
        turn
    }

    /// Removes a turn that a job has had, or does not want any more.
    pub(crate) fn end(&mut self, job: JobId, turn: TurnId, now: Duration) {
        let least = self.least_used(job, now);
        let Some(share) = self.jobs.get_mut(&job) else {
            return;
        };
        share.waiting.retain(|waiting| waiting.0 != turn);
        if let Some((Work::Query, since)) = share.running.remove(&turn) {
            share.usual = now.saturating_sub(since);
            share.used += share.weighed(share.usual);
            share.spent += share.usual;
            let least = least.unwrap_or_default();
            share.behind = least.saturating_sub(share.used);
        }
    }

    /// Gives the next free place to the job that it is due to, and returns its turn. To be called until there is none.
    pub(crate) fn next(&mut self, now: Duration) -> Option<(JobId, TurnId)> {
        self.next_for(Work::Beginning, now)
            .or_else(|| self.next_for(Work::Query, now))
            .or_else(|| self.next_for(Work::QueryElsewhere, now))
    }

    /// Keeps a job from further turns; those that it has go on.
    pub(crate) fn set_paused(&mut self, job: JobId, is_paused: bool) {
        if let Some(share) = self.jobs.get_mut(&job) {
            share.is_paused = is_paused;
        }
    }

    /// Returns a job's share of the machine; `None` where it does not run.
    pub(crate) fn share(&self, job: JobId, now: Duration) -> Option<Share> {
        let share = self.jobs.get(&job)?;
        let queries = share.running.values().filter(|turn| turn.0 == Work::Query);
        let running = queries.map(|(_, since)| now.saturating_sub(*since));
        Some(Share {
            running: share.running.len(),
            spent: share.spent + running.sum::<Duration>(),
            is_paused: share.is_paused,
        })
    }

    /// Returns the number of turns for queries that are taken at the moment.
    pub(crate) fn taken(&self) -> usize {
        self.taken_by(Work::Query)
    }

    /// Returns the number of places for a kind of work at the moment, including those that it already has. A job that
    /// competes with no other knows by itself how many queries it is to have under way.
    fn places_for(&self, work: Work) -> usize {
        let busy = self.jobs.values().filter(|share| share.is_busy()).count();
        let beginnings = self.taken_by(Work::Beginning);
        match work {
            Work::Query if busy == 1 && beginnings == 0 => usize::MAX,
            Work::Query => self.places.saturating_sub(beginnings).max(1),
            Work::Beginning if !self.is_searched() => self.places,
            // Queries elsewhere need no place of this machine.
            Work::QueryElsewhere => usize::MAX,
            // The queries that are under way end soon, and leave their places to these.
            Work::Beginning => (self.places / 2).max(1),
        }
    }

    /// Returns whether some job is in its search, and not paused. Between two queries of a search there may be a moment
    /// without any.
    fn is_searched(&self) -> bool {
        let mut jobs = self.jobs.values();
        jobs.any(|share| share.has_begun && !share.is_paused)
    }

    fn taken_by(&self, work: Work) -> usize {
        self.jobs.values().map(|share| share.has(work)).sum()
    }

    fn next_for(&mut self, work: Work, now: Duration) -> Option<(JobId, TurnId)> {
        if self.taken_by(work) >= self.places_for(work) {
            return None;
        }
        let waiting = self.jobs.iter_mut();
        let waiting = waiting.filter(|(_, share)| !share.is_paused && share.wants(work));
        let (job, share) = waiting.min_by_key(|(job, share)| match work {
            Work::Query | Work::QueryElsewhere => (0, share.used_at(now), **job),
            Work::Beginning => (u64::MAX - share.priority.weight(), 0, **job),
        })?;
        let place = share.waiting.iter().position(|turn| turn.1 == work)?;
        let (turn, _) = share.waiting.remove(place)?;
        share.running.insert(turn, (work, now));
        Some((*job, turn))
    }

    /// Returns the least time that a busy job has used, where one job does not count.
    fn least_used(&self, except: JobId, now: Duration) -> Option<u64> {
        let others = self.jobs.iter().filter(|(job, _)| **job != except);
        let busy = others.filter(|(_, share)| share.is_busy());
        busy.map(|(_, share)| share.used_at(now)).min()
    }
}

#[cfg(test)]
mod tests;
