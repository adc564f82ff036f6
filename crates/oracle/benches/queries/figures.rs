//! The figures of a run, and how runs are compared: in rounds, so that all of them see the same
//! load of the machine, in an order that is turned each time, and by their medians.

use crate::Failure;
use std::time::Duration;

/// The figures of one run, or the medians of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) wall: Duration,
    /// User and system time.
    pub(crate) cpu: Duration,
}

/// One of the runs that are compared. It is given the number of the round.
pub(crate) type Run<'a> = Box<dyn FnMut(usize) -> Result<Sample, Failure> + 'a>;

/// Makes all runs in each round, and returns the medians of each. The first round is not counted:
/// files are read and servers started in it.
///
/// # Errors
/// The first failure of a run.
pub(crate) fn compare(runs: &mut [Run<'_>], rounds: usize) -> Result<Vec<Sample>, Failure> {
    let mut samples = vec![vec![]; runs.len()];
    for round in 0..=rounds {
        let mut order: Vec<usize> = (0..runs.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for run in order {
            let sample = runs[run](round)?;
            if round > 0 {
                samples[run].push(sample);
            }
        }
    }
    Ok(samples.iter().map(|samples| medians(samples)).collect())
}

/// Returns the median of each time.
///
/// # Panics
/// If there is no sample.
pub(crate) fn medians(samples: &[Sample]) -> Sample {
    let of = |part: fn(&Sample) -> Duration| median(samples.iter().map(part).collect());
    Sample {
        wall: of(|sample| sample.wall),
        cpu: of(|sample| sample.cpu),
    }
}

/// Returns the middle value; the upper one of two.
///
/// # Panics
/// If there is none.
pub(crate) fn median<T: PartialOrd + Copy>(mut values: Vec<T>) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("times and rates are numbers"));
    values[values.len() / 2]
}

/// Returns a duration in milliseconds, as a cell.
pub(crate) fn milliseconds(duration: Duration) -> String {
    format!("{:.1}", duration.as_secs_f64() * 1e3)
}

/// Returns the ratio of a duration to `whole`, as a cell.
pub(crate) fn ratio(part: Duration, whole: Duration) -> String {
    format!("{:.2}", part.as_secs_f64() / whole.as_secs_f64())
}
