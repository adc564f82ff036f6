//! The rate of a failure that does not show in each run, in figures and in words: of the input, of the
//! result, and how sure the verdicts in between are.
//!
//! A candidate that fails more seldom than the best so far is still accepted now and then, and then
//! is the best. So the rate falls during a search, and is counted again at its end.

use reduce_oracle::{Flaky, Sample, percent};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The share of the input's rate that makes a candidate fail so much more seldom that it should not
/// be accepted.
const MUCH_LESS: f64 = 0.1;

/// The rates of a failure that does not show in each run, and how sure the verdicts on candidates
/// are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FlakyFigures {
    /// The rate of the input's failure.
    pub input: Rate,
    /// The largest number of runs of a candidate.
    pub repeat: u32,
    /// The number of runs in which a candidate must fail to be accepted.
    pub at_least: u32,
    /// The chance that a candidate which fails as often as the input is not recognized as
    /// interesting.
    pub missed: f64,
    /// The chance that a candidate which fails a tenth as often as the input is accepted.
    pub accepted: f64,
    /// The rate of the result's failure; absent until there is a result.
    pub result: Option<Rate>,
}

/// The rate at which a program failed, with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// The number of runs that showed the failure.
    pub failed: u32,
    /// The number of all runs of the program.
    pub runs: u32,
    /// The share of runs that failed, from 0 to 1.
    pub rate: f64,
    /// The lower bound of the true share, with 95 % confidence from there to `high`.
    pub low: f64,
    /// The upper bound of the true share.
    pub high: f64,
}

impl From<Sample> for Rate {
    fn from(sample: Sample) -> Self {
        let (low, high) = sample.interval();
        Self {
            failed: sample.failed,
            runs: sample.runs,
            rate: sample.rate(),
            low,
            high,
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { failed, runs, .. } = *self;
        Sample { failed, runs }.fmt(out)
    }
}

impl From<Flaky> for FlakyFigures {
    fn from(flaky: Flaky) -> Self {
        Self {
            input: flaky.input.into(),
            repeat: flaky.repeat,
            at_least: flaky.at_least,
            missed: flaky.missed(),
            accepted: flaky.accepted(MUCH_LESS),
            result: None,
        }
    }
}

impl FlakyFigures {
    /// Says in words how often a candidate is run, and how sure its verdict is.
    #[must_use]
    pub fn verdicts(&self) -> String {
        let runs = match (self.repeat, self.at_least) {
            (1, _) => "run once".to_owned(),
            (repeat, 1) => format!("run up to {repeat} times"),
            (repeat, all) if repeat == all => format!("run {repeat} times, and fails in all"),
            (repeat, some) => format!("run up to {repeat} times, and fails in {some}"),
        };
        let (missed, accepted) = (percent(self.missed), percent(self.accepted));
        format!(
            "each candidate is {runs}; one that fails as often is missed in {missed}, one that fails a \
             tenth as often is accepted in {accepted}"
        )
    }
}

/// Formats the figures as in "fails in 14 of 40 runs (..); each candidate is ..".
impl fmt::Display for FlakyFigures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "fails in {}; {}", self.input, self.verdicts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_oracle::Repeat;

    fn flaky(failed: u32, runs: u32, repeat: Repeat, at_least: u32) -> Flaky {
        Flaky::of(Sample { failed, runs }, repeat, at_least)
    }

    #[track_caller]
    fn check(flaky: Flaky, expected: &str) {
        assert_eq!(FlakyFigures::from(flaky).to_string(), expected);
    }

    #[test]
    fn the_rate_the_runs_and_both_errors_are_stated() {
        check(
            flaky(14, 40, Repeat::Auto, 1),
            "fails in 14 of 40 runs (35 %, 95 %: 22 to 50 %); each candidate is run up to 7 times; one \
             that fails as often is missed in 4.9 %, one that fails a tenth as often is accepted in 22 %",
        );
        check(
            flaky(20, 20, Repeat::Auto, 1),
            "fails in 20 of 20 runs (100 %, 95 %: 84 to 100 %); each candidate is run once; one that \
             fails as often is missed in 0 %, one that fails a tenth as often is accepted in 10 %",
        );
        check(
            flaky(20, 40, Repeat::Auto, 2),
            "fails in 20 of 40 runs (50 %, 95 %: 35 to 65 %); each candidate is run up to 8 times, and \
             fails in 2; one that fails as often is missed in 3.5 %, one that fails a tenth as often is \
             accepted in 5.7 %",
        );
    }

    #[test]
    fn figures_survive_their_json_form() {
        let figures = FlakyFigures::from(flaky(14, 40, Repeat::Auto, 1));
        let json = serde_json::to_string(&figures).expect("numbers have a JSON form");
        let read: FlakyFigures = serde_json::from_str(&json).expect("it was written");
        assert_eq!(read.to_string(), figures.to_string());
    }
}
