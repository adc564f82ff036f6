//! Limits the time that a query may use: CPU time first, as it does not depend on what else the machine does.
//!
//! A query is stopped when it has used many times the CPU time of the program that is known to fail, or
//! when it was asleep for much longer than that program: neither changes with the load. Wall time is a
//! generous bound for what does neither, such as a process that the machine does not get to. Bounds are
//! rounded up to powers of two, so that small differences between two runs of the same program seldom
//! change them.
//!
//! See docs/decisions/time.md.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The factor by which a query may use more CPU time than a run that failed.
const CPU_TIMES: u32 = 20;
/// The least CPU time that a compiler gets.
const SHORTEST_COMPILING: Duration = Duration::from_secs(1);
/// The least CPU time that a compiled program gets, of which many fail at once and many others loop.
const SHORTEST_RUNNING: Duration = Duration::from_millis(60);
/// The factor by which a query may be asleep for longer than a run that failed.
const SLEEP_TIMES: u32 = 10;
/// The least time that a compiled program may be asleep. Of a test with threads or futures, many a candidate and a variant waits for
/// something that does not come, and each takes all of this time.
const SHORTEST_SLEEP: Duration = Duration::from_millis(250);
/// The least time that a compiler may be asleep: it may wait for others that generate code.
const SHORTEST_SLEEP_OF_COMPILER: Duration = Duration::from_secs(1);
/// The factor by which a busy machine may be slower than an idle one.
const WALL_TIMES: u32 = 10;
/// The least wall time that every query may take.
const SHORTEST_WALL: Duration = Duration::from_secs(30);
/// The factor by which a candidate gets more time when it is asked again without other queries beside it.
const AGAIN_TIMES: u32 = 4;

/// The time that a query has used: the most of any of its processes of a sort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeSpent {
    /// CPU time of the compiler, or of a command that is run in its place.
    pub compiling: Duration,
    /// CPU time of the compiled program.
    pub running: Duration,
    /// Time during which the program, or the compiler, and all that it started were asleep.
    pub asleep: Duration,
}

/// The time that a candidate is expected to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expectation {
    /// The time that a program like the candidate has used; `None` if only the time of the plan's own program is
    /// known.
    pub usual: Option<TimeSpent>,
    /// The factor by which the candidate may use more, because it is larger, or is asked again.
    pub times: u32,
}

/// The limits of the time that a query may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBudget {
    /// CPU time of the compiler: of each process and of all together; whole seconds.
    pub compiling: Duration,
    /// CPU time of the compiled program, of each process and of all together.
    pub running: Duration,
    /// Time during which all processes of a run are asleep.
    pub asleep: Duration,
}

/// The reason why a query was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Late {
    /// The query used all its CPU time.
    Cpu,
    /// The query was asleep for too long.
    Asleep,
    /// The query neither used its CPU time nor slept, but the bound of wall time passed.
    Wall,
}

impl Default for Expectation {
    fn default() -> Self {
        Self {
            usual: None,
            times: 1,
        }
    }
}

impl Expectation {
    /// Returns the expectation for a candidate that is asked again while no other query runs.
    #[must_use]
    pub fn again(self) -> Self {
        let times = self.times.saturating_mul(AGAIN_TIMES);
        Self { times, ..self }
    }

    /// Returns the time budget of this expectation, where `usual` is the time that the plan's own program has used.
    #[must_use]
    pub fn budget(&self, usual: TimeSpent) -> TimeBudget {
        TimeBudget::of(self.usual.unwrap_or(usual)).times(self.times)
    }
}

impl TimeBudget {
    /// Returns the time budget for programs like one that has used the time `spent`.
    fn of(spent: TimeSpent) -> Self {
        Self {
            compiling: rounded(SHORTEST_COMPILING, spent.compiling * CPU_TIMES),
            running: rounded(SHORTEST_RUNNING, spent.running * CPU_TIMES),
            asleep: rounded(SHORTEST_SLEEP, spent.asleep * SLEEP_TIMES),
        }
    }

    fn times(self, times: u32) -> Self {
        Self {
            compiling: self.compiling.saturating_mul(times),
            running: self.running.saturating_mul(times),
            asleep: self.asleep.saturating_mul(times),
        }
    }

    /// Returns the limits of a compiler run.
    pub(crate) fn of_compiler(&self) -> ProcessBudget {
        let asleep = self.asleep.max(SHORTEST_SLEEP_OF_COMPILER);
        ProcessBudget::new(self.compiling, asleep)
    }

    /// Returns the limits of a run of the compiled program.
    pub(crate) fn of_program(&self) -> ProcessBudget {
        ProcessBudget::new(self.running, self.asleep)
    }

    /// Whether another budget is at least as large in all that it bounds.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.compiling <= other.compiling
            && self.running <= other.running
            && self.asleep <= other.asleep
    }
}

/// The limits of the time that one run of a query may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProcessBudget {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
    pub(crate) asleep: Duration,
}

impl ProcessBudget {
    fn new(cpu: Duration, asleep: Duration) -> Self {
        let computing = SHORTEST_WALL.max(cpu.saturating_mul(WALL_TIMES));
        Self {
            wall: computing.saturating_add(asleep),
            cpu,
            asleep,
        }
    }
}

impl TimeSpent {
    /// Returns the budget that has the larger of the two limits for each kind of time.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            compiling: self.compiling.max(other.compiling),
            running: self.running.max(other.running),
            asleep: self.asleep.max(other.asleep),
        }
    }

    /// Returns the budget that has the smaller of the two limits for each kind of time.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self {
            compiling: self.compiling.min(other.compiling),
            running: self.running.min(other.running),
            asleep: self.asleep.min(other.asleep),
        }
    }
}

/// Returns the least of `shortest`, twice `shortest`, four times `shortest` and so on that is not below `time`.
fn rounded(shortest: Duration, time: Duration) -> Duration {
    let doubled = std::iter::successors(Some(shortest), |last| last.checked_mul(2));
    let enough = doubled.into_iter().find(|bound| *bound >= time);
    enough.unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn spent(compiling: u64, running: u64, asleep: u64) -> TimeSpent {
        TimeSpent {
            compiling: ms(compiling),
            running: ms(running),
            asleep: ms(asleep),
        }
    }

    #[track_caller]
    fn check(used: TimeSpent, compiling: u64, running: u64, asleep: u64) {
        let budget = Expectation::default().budget(used);
        let expected = TimeBudget {
            compiling: ms(compiling),
            running: ms(running),
            asleep: ms(asleep),
        };
        assert_eq!(budget, expected);
    }

    #[test]
    fn a_budget_is_many_times_what_was_used_and_never_less_than_a_least_one() {
        check(spent(0, 0, 0), 1000, 60, 250);
        check(spent(420, 30, 900), 16_000, 960, 16_000);
    }

    #[test]
    fn runs_that_differ_a_little_have_the_same_budget() {
        check(spent(110, 7, 500), 4000, 240, 8000);
        check(spent(190, 11, 700), 4000, 240, 8000);
    }

    #[test]
    fn what_is_larger_or_asked_again_gets_more() {
        let first = Expectation {
            usual: Some(spent(100, 1, 0)),
            times: 3,
        };
        let usual = spent(9000, 9000, 9000);
        let (budget, again) = (first.budget(usual), first.again().budget(usual));
        assert_eq!(budget.compiling, ms(6000));
        assert_eq!(again.compiling, ms(24_000));
        assert!(budget.is_within(&again) && !again.is_within(&budget));
    }

    #[test]
    fn wall_time_is_generous() {
        let budget = Expectation::default().budget(spent(420, 1, 0));
        assert_eq!(budget.of_compiler().wall, ms(161_000));
        assert_eq!(budget.of_program().wall, ms(30_250));
    }

    #[test]
    fn a_compiler_may_sleep_for_longer_than_a_program() {
        let budget = Expectation::default().budget(spent(420, 1, 0));
        assert_eq!(budget.of_compiler().asleep, ms(1000));
        assert_eq!(budget.of_program().asleep, ms(250));
    }
}
