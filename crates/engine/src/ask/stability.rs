//! Runs of the input that show whether it fails each time: they are made while the search begins,
//! beside it and by the same warm compiler, so that they hold nobody up. The search stops as soon as a
//! run does not show the failure; a result is delivered only when the runs have ended. How many runs
//! are made, and how little they say, is in [`Stability`].
//!
//! The number of runs decides nothing but how sure the answer is, so that results do not depend on it.
//! A run that is stopped at its deadline says nothing, as it may only have been slow.
//!
//! See docs/decisions/flaky-failures.md.

use super::compiler_oracle::CompilerOracle;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::control::Control;
use crate::failure::Failure;
use crate::turns::{Turns, Work};
use reduce_oracle::{Answer, Cancel, Sample, Stability, Verdict};
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// The largest number of threads for runs of the input; more would keep the search from its own
/// questions.
const MOST_THREADS: usize = 4;
/// The largest number of runs of a result in the end: one that fails in half of the runs is taken
/// for stable once in 4,000 times.
const RUNS_OF_RESULT: u32 = 12;

/// The budget for the runs of one program. The first bound that is reached ends them.
#[derive(Debug, Clone, Copy)]
struct Budget {
    runs: u32,
    /// CPU time of all runs. What else the machine does hardly changes it.
    cpu: Duration,
    /// Sum of the wall times of all runs, for programs that sleep.
    wall: Duration,
}

/// The budget for runs of the input: enough of them for the statistical error that is stated, or as
/// many as cost nobody much time.
const OF_INPUT: fn() -> Budget = || Budget {
    runs: Stability::enough_runs(),
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(30),
};

/// The budget for the result, which is small, and each step to it was seen to fail.
const OF_RESULT: Budget = Budget {
    runs: RUNS_OF_RESULT,
    cpu: Duration::from_secs(2),
    wall: Duration::from_secs(10),
};

impl Budget {
    /// Lowers the number of runs to `runs`, if that is given and smaller.
    fn at_most(self, runs: Option<u32>) -> Self {
        let runs = runs.map_or(self.runs, |most| self.runs.min(most));
        Self { runs, ..self }
    }
}

/// The runs of one program that are under way or done. When this is dropped, they end.
pub(crate) struct Trial<'scope> {
    shared: Arc<Shared>,
    threads: Vec<ScopedJoinHandle<'scope, Result<(), Failure>>>,
}

struct Shared {
    tally: Mutex<Tally>,
    /// A flag that is raised when nobody waits for more runs.
    stop: Cancel,
    /// A flag that is raised by the first run that does not show the failure.
    refuted: Cancel,
    /// A flag that is raised by a user who does not want to wait.
    user: Cancel,
    turns: Arc<dyn Turns>,
}

/// The tally of the runs so far.
#[derive(Debug, Clone, Copy)]
struct Tally {
    budget: Budget,
    /// The number of runs that were begun.
    begun: u32,
    sample: Sample,
    cpu: Duration,
    wall: Duration,
}

impl<'scope> Trial<'scope> {
    /// Starts runs of the input in threads of their own.
    ///
    /// # Errors
    /// Where a thread cannot be made.
    pub(crate) fn of_input(
        scope: &'scope Scope<'scope, '_>,
        oracle: &'scope CompilerOracle,
        input: &Candidate,
        context: &Context<'_>,
    ) -> Result<Self, Failure> {
        Self::start(scope, oracle, input, OF_INPUT(), context)
    }

    fn start(
        scope: &'scope Scope<'scope, '_>,
        oracle: &'scope CompilerOracle,
        candidate: &Candidate,
        budget: Budget,
        context: &Context<'_>,
    ) -> Result<Self, Failure> {
        let budget = budget.at_most(context.request.property.stability_runs);
        let mut trial = Self {
            shared: Arc::new(Shared::new(budget, context.control)?),
            threads: Vec::new(),
        };
        for number in 1..=(context.request.jobs / 2).clamp(1, MOST_THREADS) {
            let (shared, candidate) = (trial.shared.clone(), candidate.clone());
            let work = move || shared.work(oracle, &candidate, number);
            let thread = crate::thread::thread("stability").spawn_scoped(scope, work);
            let thread = thread.map_err(|error| Failure::io("start a thread", &error))?;
            trial.threads.push(thread);
        }
        Ok(trial)
    }

    /// Returns the flag that is raised by the first run that does not show the failure.
    pub(crate) fn refuted(&self) -> Cancel {
        self.shared.refuted.clone()
    }

    /// Whether all runs have ended.
    pub(crate) fn is_over(&self) -> bool {
        self.threads.iter().all(ScopedJoinHandle::is_finished)
    }

    /// Waits for the runs, unless the user has no time for that.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn wait(mut self) -> Result<Stability, Failure> {
        if self.shared.user.is_cancelled() {
            self.shared.stop.cancel();
        }
        for thread in std::mem::take(&mut self.threads) {
            let ended = thread.join();
            ended.map_err(|_| Failure::environment("failed to run the input again"))??;
        }
        let tally = self.shared.tally.lock();
        let tally = tally.unwrap_or_else(PoisonError::into_inner);
        Ok(Stability::of(tally.sample))
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        self.shared.stop.cancel();
    }
}

/// Runs a program that may be the result a few times, and waits for that.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn of_result(
    oracle: &CompilerOracle,
    result: &Candidate,
    context: &Context<'_>,
) -> Result<Stability, Failure> {
    std::thread::scope(|scope| Trial::start(scope, oracle, result, OF_RESULT, context)?.wait())
}

impl Shared {
    fn new(budget: Budget, control: &Control) -> Result<Self, Failure> {
        let cancel = || Cancel::new().map_err(|error| Failure::io("make a pipe", &error));
        Ok(Self {
            tally: Mutex::new(Tally::new(budget)),
            stop: cancel()?,
            refuted: cancel()?,
            user: control.cancel.clone(),
            turns: Arc::clone(&control.turns),
        })
    }

    /// Makes the runs of one thread, one after the other, until the budget of all threads is spent.
    fn work(
        &self,
        oracle: &CompilerOracle,
        candidate: &Candidate,
        number: usize,
    ) -> Result<(), Failure> {
        if !self.with_tally(Tally::begin) {
            return Ok(());
        }
        let wait = || self.turns.wait(Work::Query, &self.stop);
        let turn = RefCell::new(wait());
        let spent = Cell::new((Duration::ZERO, Duration::ZERO));
        let is_enough = |_: Sample, answer: &Answer| {
            let (cpu, wall) = spent.replace((answer.cpu, answer.duration));
            let (cpu, wall) = (answer.cpu - cpu, answer.duration - wall);
            self.with_tally(|tally| tally.add(&answer.verdict, cpu, wall));
            if !self.with_tally(|tally| tally.is_unrefuted()) {
                self.refuted.cancel();
            }
            // Each run has a turn of its own.
            drop(turn.take());
            let is_enough = self.user.is_cancelled() || !self.with_tally(Tally::begin);
            if !is_enough {
                turn.replace(wait());
            }
            is_enough
        };
        let directory = format!("stability-{number}");
        match oracle.sample(&directory, candidate, &is_enough, &self.stop) {
            Err(_) if self.stop.is_cancelled() => Ok(()),
            ended => ended.map(drop),
        }
    }

    fn with_tally<T>(&self, work: impl FnOnce(&mut Tally) -> T) -> T {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut tally)
    }
}

impl Tally {
    fn new(budget: Budget) -> Self {
        Self {
            budget,
            begun: 0,
            sample: Sample::default(),
            cpu: Duration::ZERO,
            wall: Duration::ZERO,
        }
    }

    /// Whether another run is to be made; it is counted as begun.
    fn begin(&mut self) -> bool {
        let Budget { runs, cpu, wall } = self.budget;
        let is_wanted = self.begun < runs && self.cpu < cpu && self.wall < wall;
        let goes_on = is_wanted && self.is_unrefuted();
        self.begun += u32::from(goes_on);
        goes_on
    }

    fn add(&mut self, verdict: &Verdict, cpu: Duration, wall: Duration) {
        (self.cpu, self.wall) = (self.cpu + cpu, self.wall + wall);
        let has_ended = !matches!(verdict, Verdict::TimedOut | Verdict::Cancelled);
        self.sample.runs += u32::from(has_ended);
        self.sample.failed += u32::from(verdict.is_interesting());
    }

    fn is_unrefuted(&self) -> bool {
        self.sample.failed == self.sample.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAST: Duration = Duration::from_millis(1);
    const SLOW: Duration = Duration::from_secs(4);

    /// Tallies the runs of a program with these verdicts in turn, each of which costs so much.
    fn tally(verdicts: &[Verdict], cpu: Duration, wall: Duration) -> Tally {
        let mut tally = Tally::new(OF_INPUT());
        for verdict in verdicts.iter().cycle() {
            if !tally.begin() {
                break;
            }
            tally.add(verdict, cpu, wall);
        }
        tally
    }

    #[track_caller]
    fn check(tally: Tally, failed: u32, runs: u32) {
        assert_eq!(tally.sample, Sample { failed, runs });
    }

    #[test]
    fn a_fast_failure_is_run_until_the_stated_error_is_reached() {
        check(tally(&[Verdict::Interesting], FAST, FAST), 66, 66);
    }

    #[test]
    fn a_slow_failure_is_run_for_ten_seconds_of_cpu_time_or_thirty_of_sleep() {
        check(tally(&[Verdict::Interesting], SLOW, SLOW), 3, 3);
        check(tally(&[Verdict::Interesting], FAST, SLOW), 8, 8);
    }

    #[test]
    fn a_user_may_ask_for_fewer_runs_and_not_for_more() {
        let runs = |most| OF_INPUT().at_most(most).runs;
        assert_eq!([runs(None), runs(Some(3)), runs(Some(100))], [66, 3, 66]);
        assert_eq!(OF_RESULT.at_most(Some(20)).runs, RUNS_OF_RESULT);
    }

    #[test]
    fn the_first_run_that_does_not_show_the_failure_is_the_last() {
        let verdicts = [
            Verdict::Interesting,
            Verdict::Interesting,
            Verdict::Compiles,
        ];
        check(tally(&verdicts, FAST, FAST), 2, 3);
    }

    #[test]
    fn a_run_that_was_stopped_says_nothing() {
        let verdicts = [Verdict::Interesting, Verdict::TimedOut];
        check(tally(&verdicts, FAST, FAST), 33, 33);
    }
}
