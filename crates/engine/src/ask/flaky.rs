//! The check of a result whose failure does not show in each run: how often it fails, and what the user should know of
//! that.

use super::compiler_oracle::CompilerOracle;
use crate::candidate::Candidate;
use crate::failure::Failure;
use reduce_oracle::{Cancel, Flaky, Sample};

/// Runs the result more often than a candidate, to see how often it fails.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn confirm(
    flaky: Flaky,
    oracle: &CompilerOracle,
    best: &Candidate,
    cancel: &Cancel,
) -> Result<Sample, Failure> {
    let runs = flaky.confirming_runs();
    oracle.sample("sample", best, &|sample, _| sample.runs >= runs, cancel)
}

/// Returns a warning to the user about a result that fails much more seldom than the input.
pub(crate) fn warning(flaky: Flaky, result: Sample) -> Option<String> {
    if !flaky.has_fallen_to(result) {
        return None;
    }
    let more = flaky.at_least + 1;
    Some(format!(
        "the result fails in {result}, the input in {}: candidates were accepted that fail seldom; \
         `--repeat auto --at-least {more}` accepts fewer of them",
        flaky.input
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_oracle::Repeat;

    fn flaky(failed: u32, runs: u32, repeat: Repeat, at_least: u32) -> Flaky {
        Flaky::of(Sample { failed, runs }, repeat, at_least)
    }

    #[test]
    fn only_a_result_that_fails_much_more_seldom_is_warned_of() {
        let flaky = flaky(30, 60, Repeat::Auto, 1);
        let seldom = Sample {
            failed: 2,
            runs: 20,
        };
        let often = Sample {
            failed: 9,
            runs: 20,
        };
        let said = warning(flaky, seldom).expect("a tenth is less than a third of a half");
        assert!(
            said.contains("2 of 20 runs") && said.contains("--at-least 2"),
            "{said}"
        );
        assert_eq!(warning(flaky, often), None);
    }
}
