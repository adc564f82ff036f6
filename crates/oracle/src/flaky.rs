//! Failures that do not show in each run: how often they do, how often a candidate must be run, and
//! how likely its verdict is to be wrong.
//!
//! Runs are taken for independent, with the same chance of a failure each. So the number of failures
//! is binomial, and all chances below are exact sums; only the interval is an approximation.
//!
//! See docs/decisions/flaky-failures.md.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The greatest chance that a candidate which fails as often as the input is not seen to fail.
const MOST_MISSED: f64 = 0.05;
/// The largest number of runs of one candidate: nobody waits for more.
const MOST_RUNS: u32 = 10_000;
/// The number of failures after which a rate is known well enough.
const CONCLUSIVE_FAILURES: u32 = 20;
/// The number of runs after which a rate is known well enough.
const CONCLUSIVE_RUNS: u32 = 60;
/// The quantile of the normal distribution for an interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// The number of runs of a candidate, as the user says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repeat {
    /// At most so many times, at least 1; once means that the failure must be stable.
    Times(u32),
    /// As many times as the rate of the input needs.
    Auto,
}

/// A sample of runs: the number of those that failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The number of runs that showed the failure.
    pub failed: u32,
    /// The number of all runs.
    pub runs: u32,
}

/// The facts about a failure that does not show in each run, and what follows from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaky {
    /// The runs of the input.
    pub input: Sample,
    /// The number of times that a candidate is run at most.
    pub repeat: u32,
    /// The number of these runs that must fail.
    pub at_least: u32,
}

/// The error that a text is no number of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it must be `auto`, or a number from 1 to {MOST_RUNS}")]
pub struct NotARepeat;

impl Repeat {
    /// One run: a failure that does not show each time is refused.
    pub const ONCE: Self = Self::Times(1);

    /// Whether some runs of a candidate that fails may pass.
    #[must_use]
    pub fn expects_passes(self) -> bool {
        !matches!(self, Self::Times(0 | 1))
    }

    /// Returns the largest number of runs in which a first failure is waited for.
    #[must_use]
    pub fn attempts(self) -> u32 {
        match self {
            Self::Times(times) => times.max(1),
            Self::Auto => CONCLUSIVE_RUNS,
        }
    }

    /// Returns the number of runs of a candidate before it is known how often the input fails.
    pub(crate) fn at_first(self, at_least: u32) -> u32 {
        match self {
            Self::Times(times) => times.max(at_least),
            Self::Auto => at_least,
        }
        .max(1)
    }
}

impl FromStr for Repeat {
    type Err = NotARepeat;

    fn from_str(text: &str) -> Result<Self, NotARepeat> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        match text.parse() {
            Ok(times) if (1..=MOST_RUNS).contains(&times) => Ok(Self::Times(times)),
            _ => Err(NotARepeat),
        }
    }
}

impl fmt::Display for Repeat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Times(times) => write!(out, "{times}"),
            Self::Auto => out.write_str("auto"),
        }
    }
}

impl Sample {
    /// Returns the share of the runs that failed; 0 where there was none.
    #[must_use]
    pub fn rate(self) -> f64 {
        f64::from(self.failed) / f64::from(self.runs.max(1))
    }

    /// Returns the rates between which the true one is, with 95 % confidence: the score interval of E.
    /// B. Wilson (*Probable Inference, the Law of Succession, and Statistical Inference*, Journal of
    /// the American Statistical Association 22, 1927). The interval is good for few runs and for rates
    /// near 0 and 1, see Brown, Cai, DasGupta (*Interval Estimation for a Binomial Proportion*,
    /// Statistical Science 16, 2001).
    #[must_use]
    pub fn interval(self) -> (f64, f64) {
        if self.runs == 0 {
            return (0.0, 1.0);
        }
        let (rate, runs) = (self.rate(), f64::from(self.runs));
        let square = Z * Z / runs;
        let middle = rate + square / 2.0;
        let half = Z * (rate * (1.0 - rate) / runs + square / (4.0 * runs)).sqrt();
        let bound = |sum: f64| (sum / (1.0 + square)).clamp(0.0, 1.0);
        // Rounded, an end may come out a little within.
        (
            bound(middle - half).min(rate),
            bound(middle + half).max(rate),
        )
    }

    /// Whether the sample is large enough that more runs would hardly change the rate.
    pub(crate) fn is_conclusive(self) -> bool {
        self.failed >= CONCLUSIVE_FAILURES || self.runs >= CONCLUSIVE_RUNS
    }

    pub(crate) fn add(&mut self, has_failed: bool) {
        self.runs += 1;
        self.failed += u32::from(has_failed);
    }
}

/// Prints a text such as "14 of 40 runs (35 %, 95 %: 22 to 50 %)".
impl fmt::Display for Sample {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval();
        let rate = percent(self.rate());
        let (low, high) = (100.0 * low, 100.0 * high);
        let Self { failed, runs } = self;
        write!(
            out,
            "{failed} of {runs} runs ({rate}, 95 %: {low:.0} to {high:.0} %)"
        )
    }
}

impl Flaky {
    /// Computes the runs of a candidate from the runs of the input. Where the user leaves it open, a
    /// candidate is run as often as it takes to miss at most 5 % of those that fail as often as the
    /// input.
    #[must_use]
    pub fn of(input: Sample, repeat: Repeat, at_least: u32) -> Self {
        let at_least = at_least.max(1);
        let repeat = match repeat {
            Repeat::Times(times) => times.max(at_least),
            Repeat::Auto => runs_for(input.rate(), at_least),
        };
        Self {
            input,
            repeat,
            at_least,
        }
    }

    /// Returns the chance that a candidate which fails as often as the input is not seen to fail.
    #[must_use]
    pub fn missed(&self) -> f64 {
        missed(self.input.rate(), self.repeat, self.at_least)
    }

    /// Returns the chance that a candidate is accepted by luck, which fails only `part` times as often as the input.
    #[must_use]
    pub fn accepted(&self, part: f64) -> f64 {
        1.0 - missed(part * self.input.rate(), self.repeat, self.at_least)
    }

    /// Returns the number of runs of the result by which it is found how often it fails.
    #[must_use]
    pub fn confirming_runs(&self) -> u32 {
        confirming_runs(self.repeat)
    }

    /// Whether a result fails much less often than the input: each candidate that was accepted by
    /// good luck has made it rarer.
    #[must_use]
    pub fn has_fallen_to(&self, result: Sample) -> bool {
        3.0 * result.rate() < self.input.rate()
    }
}

/// Returns the number of runs of the result by which it is found how often it fails.
pub(crate) fn confirming_runs(repeat: u32) -> u32 {
    repeat.saturating_mul(3).max(CONCLUSIVE_FAILURES)
}

/// Prints a share as a percentage, for people.
#[must_use]
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        none if none <= 0.0 => "0 %".to_owned(),
        little if little < 0.1 => "less than 0.1 %".to_owned(),
        some if some < 9.95 => format!("{some:.1} %"),
        most if (99.5..100.0).contains(&most) => "more than 99 %".to_owned(),
        many => format!("{many:.0} %"),
    }
}

/// Returns the fewest runs with which a failure of this rate is missed seldom enough.
fn runs_for(rate: f64, at_least: u32) -> u32 {
    let (mut low, mut high) = (at_least, MOST_RUNS.max(at_least));
    // More runs never miss more.
    while low < high {
        let middle = low + (high - low) / 2;
        match missed(rate, middle, at_least) <= MOST_MISSED {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    low
}

/// Returns the chance of fewer than `at_least` failures in `runs` runs: the lower tail of the binomial
/// distribution. The terms are summed as logarithms, as the first may be too small for a number.
fn missed(rate: f64, runs: u32, at_least: u32) -> f64 {
    if rate <= 0.0 || runs < at_least {
        return 1.0;
    }
    if rate >= 1.0 {
        return 0.0;
    }
    let odds = rate.ln() - (-rate).ln_1p();
    let mut term = f64::from(runs) * (-rate).ln_1p();
    let mut sum = 0.0;
    for failed in 0..at_least {
        sum += term.exp();
        term += (f64::from(runs - failed) / f64::from(failed + 1)).ln() + odds;
    }
    sum.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn sample(failed: u32, runs: u32) -> Sample {
        Sample { failed, runs }
    }

    #[track_caller]
    fn check_near(seen: f64, expected: f64) {
        assert!((seen - expected).abs() < 5e-5, "{seen} is not {expected}");
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        for (failed, runs, low, high) in [
            (14, 40, 0.2213, 0.5049),
            (0, 10, 0.0, 0.2775),
            (10, 10, 0.7225, 1.0),
            (1, 2, 0.0945, 0.9055),
            (20, 20, 0.8389, 1.0),
        ] {
            let (seen_low, seen_high) = sample(failed, runs).interval();
            check_near(seen_low, low);
            check_near(seen_high, high);
        }
        assert_eq!(sample(0, 0).interval(), (0.0, 1.0));
    }

    #[test]
    fn an_interval_has_the_rate_in_it_and_shrinks_with_more_runs() {
        for runs in 1..60 {
            for failed in 0..=runs {
                let few = sample(failed, runs);
                let (low, high) = few.interval();
                assert!(low <= few.rate() && few.rate() <= high, "{few}");
                let (more_low, more_high) = sample(3 * failed, 3 * runs).interval();
                assert!(more_high - more_low < high - low, "{few}");
            }
        }
    }

    #[test]
    fn what_is_missed_is_the_tail_of_the_binomial_distribution() {
        for (rate, runs, at_least, expected) in [
            (0.35, 7, 1, 0.0490),
            (0.5, 4, 1, 0.0625),
            (0.5, 4, 2, 0.3125),
            (0.5, 4, 4, 0.9375),
            (0.9, 1, 1, 0.1),
            (0.1, 10, 3, 0.9298),
            (1.0, 1, 1, 0.0),
            (0.0, 9, 1, 1.0),
            (0.9, 2, 3, 1.0),
        ] {
            check_near(missed(rate, runs, at_least), expected);
        }
    }

    #[test]
    fn many_runs_do_not_lose_the_tail_to_small_numbers() {
        check_near(missed(0.5, 4000, 2001), 0.5063);
        check_near(missed(0.999, 10_000, 10_000), 1.0);
    }

    #[test]
    fn as_many_runs_are_made_as_a_rate_needs_and_no_more() {
        for (failed, runs, at_least, expected) in [
            (14, 40, 1, 7),
            (20, 40, 1, 5),
            (20, 40, 2, 8),
            (9, 10, 1, 2),
            (20, 20, 1, 1),
            (20, 20, 3, 3),
            (1, 60, 1, 179),
            (0, 60, 1, MOST_RUNS),
        ] {
            let flaky = Flaky::of(sample(failed, runs), Repeat::Auto, at_least);
            assert_eq!(flaky.repeat, expected, "{}", flaky.input);
            assert!(failed == 0 || flaky.missed() <= MOST_MISSED);
            let fewer = missed(flaky.input.rate(), flaky.repeat - 1, at_least);
            assert!(fewer > MOST_MISSED, "{}", flaky.input);
        }
    }

    #[test]
    fn a_number_of_the_users_is_taken_as_it_is() {
        let flaky = Flaky::of(sample(5, 10), Repeat::Times(3), 2);
        assert_eq!((flaky.repeat, flaky.at_least), (3, 2));
        check_near(flaky.missed(), 0.5);
    }

    #[test]
    fn more_failures_that_must_show_lower_the_chance_of_a_wrong_acceptance() {
        let accepted = [1, 2, 3].map(|at_least| {
            let flaky = Flaky::of(sample(14, 40), Repeat::Auto, at_least);
            flaky.accepted(0.1)
        });
        check_near(accepted[0], 0.2207);
        assert!(accepted[0] > accepted[1] && accepted[1] > accepted[2]);
    }

    #[test]
    fn a_result_has_fallen_where_it_fails_less_than_a_third_as_often() {
        let flaky = Flaky::of(sample(30, 60), Repeat::Auto, 1);
        for (failed, expected) in [(0, true), (3, true), (4, false), (20, false)] {
            assert_eq!(flaky.has_fallen_to(sample(failed, 20)), expected);
        }
    }

    #[test]
    fn a_result_is_run_more_often_than_a_candidate() {
        for (repeat, expected) in [(1, 20), (5, 20), (8, 24), (u32::MAX, u32::MAX)] {
            assert_eq!(confirming_runs(repeat), expected);
        }
    }

    #[test]
    fn samples_are_written_for_people() {
        for (failed, runs, expected) in [
            (14, 40, "14 of 40 runs (35 %, 95 %: 22 to 50 %)"),
            (1, 60, "1 of 60 runs (1.7 %, 95 %: 0 to 9 %)"),
            (20, 20, "20 of 20 runs (100 %, 95 %: 84 to 100 %)"),
            (0, 0, "0 of 0 runs (0 %, 95 %: 0 to 100 %)"),
        ] {
            assert_eq!(sample(failed, runs).to_string(), expected);
        }
    }

    #[test]
    fn shares_are_neither_all_nor_nothing_unless_they_are() {
        for (share, expected) in [
            (0.0, "0 %"),
            (0.0002, "less than 0.1 %"),
            (0.049, "4.9 %"),
            (0.0996, "10 %"),
            (0.35, "35 %"),
            (0.999, "more than 99 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(share), expected);
        }
    }

    #[test]
    fn a_number_of_times_is_a_number_or_auto() {
        for (text, expected) in [
            ("1", Some(Repeat::ONCE)),
            ("12", Some(Repeat::Times(12))),
            ("auto", Some(Repeat::Auto)),
            ("0", None),
            ("-1", None),
            ("10001", None),
            ("often", None),
            ("", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
            assert!(expected.is_none_or(|repeat: Repeat| repeat.to_string() == text));
        }
    }
}
