//! The test whether a failure shows in each run: a sequential probability ratio test, A. Wald, *Sequential
//! Tests of Statistical Hypotheses*, The Annals of Mathematical Statistics 16 (1945), section 3.
//!
//! The test is between a failure that shows in each run and one that shows in 90 % of them. After `n`
//! runs that all fail, the second is `0.9^n` times as likely as the first; it is given up below one in
//! a thousand, which takes 66 runs. A single run that does not fail refutes the first at once. One that
//! shows in less than 90 % of the runs passes even more rarely.

use crate::flaky::{Sample, percent};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The share of failing runs below which a failure counts as unstable.
const UNSTABLE_RATE: f64 = 0.9;
/// The greatest chance of taking an unstable failure for a stable one, where there is time for so many runs.
const MOST_MISTAKEN: f64 = 0.001;

/// The evidence of a program's runs for its failure being stable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// The number of runs that showed the failure.
    pub failed: u32,
    /// The number of all runs that came to an end.
    pub runs: u32,
    /// The chance that a failure which shows in 90 % of the runs would have shown in all of these, from
    /// 0 to 1.
    pub mistaken: f64,
}

impl Stability {
    /// Computes from a sample of runs how sure it is that the failure is stable. Without runs, the chance of a mistake is
    /// 1.
    #[must_use]
    pub fn of(sample: Sample) -> Self {
        let Sample { failed, runs } = sample;
        Self {
            failed,
            runs,
            mistaken: mistaken_after(runs),
        }
    }

    /// Returns the smallest number of runs that, if all fail, show a stable failure with the demanded certainty.
    #[must_use]
    pub fn enough_runs() -> u32 {
        (1..)
            .find(|runs| mistaken_after(*runs) <= MOST_MISTAKEN)
            .expect("a power of less than 1 falls below any bound")
    }

    /// Whether each run so far showed the failure.
    #[must_use]
    pub fn is_stable(&self) -> bool {
        self.failed == self.runs
    }

    /// Whether the runs are enough for the demanded certainty.
    #[must_use]
    pub fn is_conclusive(&self) -> bool {
        self.mistaken <= MOST_MISTAKEN
    }

    /// Returns the runs as a sample.
    #[must_use]
    pub fn sample(&self) -> Sample {
        let Self { failed, runs, .. } = *self;
        Sample { failed, runs }
    }
}

/// Prints a sentence such as "12 of 12 runs failed; if only 90 % of all runs failed, that would happen with a
/// probability of 28 %".
impl fmt::Display for Stability {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            failed,
            runs,
            mistaken,
        } = self;
        write!(out, "{failed} of {runs} runs failed")?;
        match self.is_stable() {
            true => write!(
                out,
                "; if only {} of all runs failed, that would happen with a probability of {}",
                percent(UNSTABLE_RATE),
                percent(*mistaken)
            ),
            false => Ok(()),
        }
    }
}

fn mistaken_after(runs: u32) -> f64 {
    UNSTABLE_RATE.powi(i32::try_from(runs).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stability(failed: u32, runs: u32) -> Stability {
        Stability::of(Sample { failed, runs })
    }

    #[test]
    fn sixty_six_runs_keep_the_stated_error_and_one_less_does_not() {
        let enough = Stability::enough_runs();
        assert_eq!(enough, 66);
        assert!(stability(enough, enough).mistaken <= 0.001);
        assert!(stability(enough - 1, enough - 1).mistaken > 0.001);
    }

    #[test]
    fn one_run_that_passes_refutes_that_the_failure_is_stable() {
        assert!(stability(66, 66).is_stable());
        assert!(!stability(65, 66).is_stable());
        assert!(stability(0, 0).is_stable());
    }

    #[test]
    fn the_error_that_was_reached_is_stated() {
        for (failed, runs, expected) in [
            (
                12,
                12,
                "12 of 12 runs failed; if only 90 % of all runs failed, that would happen with a probability of 28 %",
            ),
            (
                66,
                66,
                "66 of 66 runs failed; if only 90 % of all runs failed, that would happen with a probability of less than 0.1 %",
            ),
            (
                0,
                0,
                "0 of 0 runs failed; if only 90 % of all runs failed, that would happen with a probability of 100 %",
            ),
            (11, 12, "11 of 12 runs failed"),
        ] {
            assert_eq!(stability(failed, runs).to_string(), expected);
        }
    }
}
