//! A machine in simulated time: jobs ask, have their turns for as long as their queries take, and ask
//! again.

use super::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const MILLISECOND: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

/// The habits of a job of the simulation.
#[derive(Clone, Copy)]
struct Habits {
    priority: Priority,
    /// The time before its first query.
    begins: Duration,
    /// Queries that it has under way at once, if it may.
    workers: usize,
    query: Duration,
    /// Between the end of a query and the next question of that worker.
    thinks: Duration,
}

const QUICK: Habits = Habits {
    priority: Priority::Normal,
    begins: Duration::ZERO,
    workers: 2,
    query: Duration::from_millis(40),
    thinks: Duration::ZERO,
};

/// An event of the simulation.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happens {
    /// The beginning of a job, or one of its queries.
    Ends(TurnId),
    Asks,
    AsksToBegin,
}

struct Machine {
    schedule: Schedule,
    habits: Vec<Habits>,
    now: Duration,
    agenda: BinaryHeap<Reverse<(Duration, u64, Happens)>>,
    /// When each job had a turn for a query, from when to when.
    turns: Vec<(u64, Duration, Duration)>,
    /// The turns of the jobs' beginnings, in the same form.
    beginnings: Vec<(u64, Duration, Duration)>,
}

impl Machine {
    fn new(places: usize, habits: &[Habits]) -> Self {
        let mut machine = Self {
            schedule: Schedule::new(places),
            habits: vec![],
            now: Duration::ZERO,
            agenda: BinaryHeap::new(),
            turns: vec![],
            beginnings: vec![],
        };
        for habits in habits {
            machine.enter(*habits, Duration::ZERO);
        }
        machine
    }

    /// A job comes; the numbers of jobs begin with 0.
    fn enter(&mut self, habits: Habits, now: Duration) {
        let job = self.habits.len() as u64;
        self.schedule.enter(JobId(job), habits.priority);
        self.habits.push(habits);
        match habits.begins.is_zero() {
            true => self.start_search(job, now),
            false => self.agenda.push(Reverse((now, job, Happens::AsksToBegin))),
        }
    }

    fn start_search(&mut self, job: u64, now: Duration) {
        for _ in 0..self.habits[usize::try_from(job).unwrap()].workers {
            self.agenda.push(Reverse((now, job, Happens::Asks)));
        }
    }

    fn run_until(&mut self, end: Duration) {
        while let Some(Reverse((now, job, what))) = self.agenda.pop() {
            if now > end {
                self.agenda.push(Reverse((now, job, what)));
                break;
            }
            self.now = now;
            let habits = self.habits[usize::try_from(job).unwrap()];
            match what {
                Happens::Asks => {
                    self.schedule.ask(JobId(job), Work::Query, now);
                }
                Happens::AsksToBegin => {
                    self.schedule.ask(JobId(job), Work::Beginning, now);
                }
                Happens::Ends(turn) if self.is_beginning(job, turn) => {
                    self.schedule.end(JobId(job), turn, now);
                    self.start_search(job, now);
                }
                Happens::Ends(turn) => {
                    self.schedule.end(JobId(job), turn, now);
                    let asks = now + habits.thinks;
                    self.agenda.push(Reverse((asks, job, Happens::Asks)));
                }
            }
            self.give();
        }
        self.now = end;
    }

    fn give(&mut self) {
        while let Some((JobId(job), turn)) = self.schedule.next(self.now) {
            let habits = self.habits[usize::try_from(job).unwrap()];
            let is_beginning = self.is_beginning(job, turn);
            let (takes, turns) = match is_beginning {
                true => (habits.begins, &mut self.beginnings),
                false => (habits.query, &mut self.turns),
            };
            let end = self.now + takes;
            turns.push((job, self.now, end));
            self.agenda.push(Reverse((end, job, Happens::Ends(turn))));
        }
    }

    fn is_beginning(&self, job: u64, turn: TurnId) -> bool {
        let running = &self.schedule.jobs[&JobId(job)].running;
        running
            .get(&turn)
            .is_some_and(|turn| turn.0 == Work::Beginning)
    }

    /// Returns the number of turns of a kind at a time.
    fn count_at(turns: &[(u64, Duration, Duration)], at: Duration) -> usize {
        let at_once = turns
            .iter()
            .filter(|(_, begin, end)| *begin <= at && at < *end);
        at_once.count()
    }

    /// Returns the time for which a job had places in a span of time.
    fn time_of(&self, job: u64, from: Duration, to: Duration) -> Duration {
        let own = self.turns.iter().filter(|turn| turn.0 == job);
        own.map(|(_, begin, end)| (*end).min(to).saturating_sub((*begin).max(from)))
            .sum()
    }
}

#[track_caller]
fn check_shares(machine: &Machine, jobs: u64, least: Duration) {
    let ends = (0..).map(|number| number * SECOND);
    for from in ends.take_while(|from| *from + 30 * SECOND <= machine.now) {
        for job in 0..jobs {
            let time = machine.time_of(job, from, from + 30 * SECOND);
            assert!(time >= least, "job {job} from {from:?}: {time:?}");
        }
    }
}

#[test]
fn each_of_twenty_jobs_on_two_workers_gets_half_of_its_share_in_any_thirty_seconds() {
    let habits = |number: u64| Habits {
        query: Duration::from_millis(20 + 50 * number),
        thinks: Duration::from_millis(3 * (number % 5)),
        ..QUICK
    };
    let jobs: Vec<Habits> = (0..20).map(habits).collect();
    let mut machine = Machine::new(2, &jobs);
    machine.run_until(300 * SECOND);
    // Two workers for 30 s are 60 s, of which a twentieth is 3 s.
    check_shares(&machine, 20, 1500 * MILLISECOND);
}

#[test]
fn jobs_alike_get_the_same() {
    let mut machine = Machine::new(2, &[QUICK; 4]);
    machine.run_until(40 * SECOND);
    for job in 0..4 {
        let time = machine.time_of(job, Duration::ZERO, 40 * SECOND);
        assert!(time.abs_diff(20 * SECOND) <= QUICK.query, "{time:?}");
    }
}

#[test]
fn a_priority_is_a_multiple_of_the_share_and_nobody_starves() {
    let of = |priority| Habits { priority, ..QUICK };
    let jobs = [Priority::Low, Priority::Normal, Priority::High].map(of);
    let mut machine = Machine::new(1, &jobs);
    machine.run_until(210 * SECOND);
    for (job, expected) in [(0, 10), (1, 40), (2, 160)] {
        let time = machine.time_of(job, Duration::ZERO, 210 * SECOND);
        assert!(
            time.abs_diff(expected * SECOND) <= 2 * SECOND,
            "{job}: {time:?}"
        );
    }
}

#[test]
fn a_job_that_comes_late_gets_its_share_and_no_more() {
    let mut machine = Machine::new(2, &[QUICK]);
    machine.run_until(100 * SECOND);
    machine.enter(QUICK, machine.now);
    machine.run_until(120 * SECOND);
    let late = machine.time_of(1, 100 * SECOND, 120 * SECOND);
    let first = machine.time_of(0, 100 * SECOND, 120 * SECOND);
    assert!(
        late.abs_diff(20 * SECOND) <= SECOND,
        "{late:?} and {first:?}"
    );
}

#[test]
fn a_job_alone_has_all_workers_that_it_was_given() {
    let many = Habits {
        workers: 5,
        ..QUICK
    };
    let mut machine = Machine::new(2, &[many]);
    machine.run_until(10 * SECOND);
    assert_eq!(machine.time_of(0, Duration::ZERO, 10 * SECOND), 50 * SECOND);
    machine.enter(QUICK, machine.now);
    machine.run_until(11 * SECOND);
    assert_eq!(machine.schedule.taken(), 2);
}

#[test]
fn a_paused_job_gets_nothing_and_goes_on_when_it_is_resumed() {
    let mut machine = Machine::new(1, &[QUICK; 2]);
    machine.run_until(SECOND);
    machine.schedule.set_paused(JobId(0), true);
    machine.run_until(20 * SECOND);
    let paused = machine.time_of(0, SECOND + QUICK.query, 20 * SECOND);
    assert_eq!(paused, Duration::ZERO);
    machine.schedule.set_paused(JobId(0), false);
    machine.give();
    machine.run_until(40 * SECOND);
    let resumed = machine.time_of(0, 20 * SECOND, 40 * SECOND);
    assert!(resumed >= 9 * SECOND, "{resumed:?}");
}

#[test]
fn what_is_not_wanted_any_more_is_not_given() {
    let mut schedule = Schedule::new(1);
    let job = JobId(1);
    schedule.enter(job, Priority::Normal);
    let first = schedule.ask(job, Work::Query, Duration::ZERO);
    let second = schedule.ask(job, Work::Query, Duration::ZERO);
    let third = schedule.ask(job, Work::Query, Duration::ZERO);
    schedule.end(job, first, Duration::ZERO);
    schedule.end(job, third, Duration::ZERO);
    assert_eq!(schedule.next(Duration::ZERO), Some((job, second)));
    assert_eq!(schedule.next(Duration::ZERO), None);
}

#[test]
fn jobs_begin_the_urgent_first_and_not_all_at_once() {
    let mut schedule = Schedule::new(2);
    let jobs = [
        (1, Priority::Low),
        (2, Priority::Normal),
        (3, Priority::High),
    ];
    let mut beginnings = BTreeMap::new();
    for (job, priority) in jobs {
        schedule.enter(JobId(job), priority);
        let turn = schedule.ask(JobId(job), Work::Beginning, Duration::ZERO);
        beginnings.insert(job, turn);
    }
    let given = |schedule: &mut Schedule| {
        let all = std::iter::from_fn(|| schedule.next(Duration::ZERO));
        all.map(|(job, _)| job.0).collect::<Vec<u64>>()
    };
    assert_eq!(given(&mut schedule), [3, 2]);
    // One query is made, of whichever job, even where beginnings have all places.
    schedule.ask(JobId(3), Work::Query, Duration::ZERO);
    schedule.enter(JobId(4), Priority::Normal);
    schedule.ask(JobId(4), Work::Query, Duration::ZERO);
    assert_eq!(given(&mut schedule), [3]);
    // Somebody has queries now, so that beginnings have half of the places.
    schedule.end(JobId(3), beginnings[&3], Duration::ZERO);
    assert!(given(&mut schedule).is_empty());
    schedule.end(JobId(2), beginnings[&2], Duration::ZERO);
    assert_eq!(given(&mut schedule), [1]);
    schedule.end(JobId(1), beginnings[&1], Duration::ZERO);
    assert_eq!(given(&mut schedule), [4]);
}

#[test]
fn beginnings_and_queries_share_the_places_and_neither_waits_for_the_end_of_the_other() {
    for places in [1, 2, 4] {
        let searches = Habits {
            workers: 5,
            ..QUICK
        };
        let mut machine = Machine::new(places, &[searches]);
        machine.run_until(10 * SECOND);
        let begins = Habits {
            begins: 20 * SECOND,
            ..QUICK
        };
        for _ in 0..6 {
            machine.enter(begins, machine.now);
        }
        machine.run_until(200 * SECOND);
        assert_eq!(machine.beginnings.len(), 6, "all have begun");
        let half = (places / 2).max(1);
        for at in (10_100..130_000).step_by(10).map(|at| at * MILLISECOND) {
            let queries = Machine::count_at(&machine.turns, at);
            let beginnings = Machine::count_at(&machine.beginnings, at);
            assert!(beginnings <= half, "{beginnings} at {at:?} of {places}");
            let most = places.saturating_sub(beginnings).max(1);
            let is_alone = beginnings == 0;
            assert!(
                queries >= 1 && (is_alone || queries <= most),
                "{queries} at {at:?} of {places}"
            );
        }
    }
}

#[test]
fn twenty_jobs_that_begin_and_search_get_half_of_their_shares() {
    let habits = |number: u64| Habits {
        begins: SECOND * u32::try_from(number % 7 + 1).unwrap(),
        query: Duration::from_millis(20 + 50 * number),
        ..QUICK
    };
    let jobs: Vec<Habits> = (0..20).map(habits).collect();
    let mut machine = Machine::new(2, &jobs);
    machine.run_until(300 * SECOND);
    // The jobs get half of their shares, to within a query: while others begin, one place is left for
    // those that search.
    let ends = (0..).map(|number| number * SECOND);
    for from in ends.take_while(|from| *from + 30 * SECOND <= machine.now) {
        for (job, _, begun) in &machine.beginnings {
            let time = machine.time_of(*job, from, from + 30 * SECOND);
            let query = jobs[usize::try_from(*job).unwrap()].query;
            let is_enough = time + query >= 1500 * MILLISECOND;
            assert!(*begun > from || is_enough, "{job} from {from:?}: {time:?}");
        }
    }
}

#[test]
fn queries_that_another_machine_answers_need_no_place_and_wait_only_where_the_job_is_paused() {
    let mut schedule = Schedule::new(1);
    let (here, elsewhere) = (JobId(0), JobId(1));
    for job in [here, elsewhere] {
        schedule.enter(job, Priority::Normal);
    }
    for _ in 0..2 {
        schedule.ask(here, Work::Query, Duration::ZERO);
    }
    schedule.set_paused(elsewhere, true);
    let mut asked: Vec<_> = (0..3)
        .map(|_| schedule.ask(elsewhere, Work::QueryElsewhere, Duration::ZERO))
        .collect();
    let given = |schedule: &mut Schedule| {
        let turns = std::iter::from_fn(|| schedule.next(Duration::ZERO));
        turns.collect::<Vec<_>>()
    };
    let first: Vec<_> = given(&mut schedule)
        .into_iter()
        .map(|turn| turn.0)
        .collect();
    assert_eq!(first, [here, here], "nobody else wants the place");
    schedule.set_paused(elsewhere, false);
    let second = given(&mut schedule).into_iter();
    let mut second: Vec<_> = second.map(|(_, turn)| turn).collect();
    second.sort();
    asked.sort();
    assert_eq!(second, asked);
}
