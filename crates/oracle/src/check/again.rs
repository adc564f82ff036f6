//! Programs that are run again, as one run may show by luck what they must: the order of a `HashMap` is another one
//! in each run. Nothing is compiled again for that, and a candidate that is refused is not run again.
//!
//! See docs/decisions/flaky-failures.md.

use crate::plan::Plan;
use crate::system::process::Outcome;
use crate::worker::answer::Answer;
use std::cell::Cell;
use std::time::Duration;

/// The largest number of further runs: a program that fails in half of its runs is taken for one that fails each
/// time once in 64 times.
const RUNS: u32 = 5;
/// The CPU time after which a program is run no more: slow programs are run less often, but once more at least.
const CPU: Duration = Duration::from_secs(1);
/// The wall time up to which a program is run again; for programs that sleep.
const WALL: Duration = Duration::from_secs(5);

/// Counts how often a program is run again after a run that had the demanded result.
pub(crate) struct Again {
    /// The largest number of repeated runs.
    runs: u32,
    /// The number of repeated runs so far, and the costs before the first of them.
    so_far: Cell<Option<(u32, Costs)>>,
}

/// The costs of all runs for a candidate so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Costs {
    cpu: Duration,
    wall: Duration,
}

impl From<&Answer> for Costs {
    fn from(answer: &Answer) -> Self {
        Self {
            cpu: answer.cpu,
            wall: answer.duration,
        }
    }
}

impl From<&Outcome> for Costs {
    fn from(outcome: &Outcome) -> Self {
        Self {
            cpu: outcome.cpu,
            wall: outcome.wall,
        }
    }
}

impl Again {
    /// Makes the counter that a plan needs. A failure that need not show in each run is counted instead.
    pub(crate) fn of(plan: &Plan) -> Self {
        let is_stable = plan.run_policy.repeat <= 1;
        match is_stable && plan.run_policy.check.depends_on_luck() {
            true => Self::of_program(),
            false => Self::at_most(0),
        }
    }

    /// Makes the counter of a program that may show something by luck in one run.
    pub(crate) fn of_program() -> Self {
        Self::at_most(RUNS)
    }

    fn at_most(runs: u32) -> Self {
        Self {
            runs,
            so_far: Cell::new(None),
        }
    }

    /// Whether the program is to be run once more, after a run that had the demanded result.
    pub(crate) fn goes_on(&self, now: Costs) -> bool {
        let (n_again, before) = self.so_far.get().unwrap_or((0, now));
        let is_cheap =
            now.cpu.saturating_sub(before.cpu) < CPU && now.wall.saturating_sub(before.wall) < WALL;
        self.so_far.set(Some((n_again + 1, before)));
        n_again < self.runs && is_cheap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks how often a program is run again where each run costs so many milliseconds, after a compilation of a
    /// minute.
    #[track_caller]
    fn check(runs: u32, (cpu, wall): (u64, u64), expected: u64) {
        let again = Again::at_most(runs);
        let spent = |n: u64| Costs {
            cpu: Duration::from_millis(60_000 + cpu * n),
            wall: Duration::from_millis(60_000 + wall * n),
        };
        let n_again = (0..).find(|n| !again.goes_on(spent(*n)));
        assert_eq!(n_again, Some(expected), "{cpu} ms, {wall} ms");
    }

    #[test]
    fn fast_programs_are_run_five_times_more_and_slow_ones_once() {
        check(RUNS, (5, 5), 5);
        check(RUNS, (400, 400), 3);
        check(RUNS, (20_000, 20_000), 1);
        check(RUNS, (1, 3_000), 2);
        check(0, (5, 5), 0);
    }
}
