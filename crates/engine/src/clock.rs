//! The clock of a reduction, which stands still while the reduction is paused.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The pauses of a reduction. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Pauses(Arc<Mutex<Paused>>);

#[derive(Debug, Default)]
struct Paused {
    /// The moment since which the reduction is paused; `None` while it is not.
    since: Option<Instant>,
    /// The time for which the reduction was paused before the current pause.
    before: Duration,
}

impl Pauses {
    /// Notes whether the reduction is paused from now on.
    pub fn set(&self, is_paused: bool) {
        self.set_at(is_paused, Instant::now());
    }

    fn set_at(&self, is_paused: bool, now: Instant) {
        let mut paused = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (paused.since, is_paused) {
            (None, true) => paused.since = Some(now),
            (Some(since), false) => {
                paused.before += now.saturating_duration_since(since);
                paused.since = None;
            }
            (Some(_), true) | (None, false) => {}
        }
    }

    fn until(&self, now: Instant) -> Duration {
        let paused = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let since = paused.since.unwrap_or(now);
        paused.before + now.saturating_duration_since(since)
    }
}

/// A clock that counts the time since a moment, without pauses.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    began: Instant,
    pauses: Pauses,
    /// The time of all pauses before this clock began.
    before: Duration,
}

impl Clock {
    /// Starts a clock now.
    pub(crate) fn start(pauses: &Pauses) -> Self {
        Self::start_at(pauses, Instant::now())
    }

    fn start_at(pauses: &Pauses, began: Instant) -> Self {
        Self {
            began,
            pauses: pauses.clone(),
            before: pauses.until(began),
        }
    }

    /// Returns the time for which the clock has run, without the pauses.
    pub(crate) fn elapsed(&self) -> Duration {
        self.elapsed_at(Instant::now())
    }

    fn elapsed_at(&self, now: Instant) -> Duration {
        let paused = self.pauses.until(now).saturating_sub(self.before);
        now.saturating_duration_since(self.began)
            .saturating_sub(paused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_stands_still_in_pauses() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let pauses = Pauses::default();
        // The reduction waits for its turn, and is paused meanwhile.
        pauses.set_at(true, at(1));
        pauses.set_at(false, at(3));
        let clock = Clock::start_at(&pauses, at(5));
        let elapsed = |seconds| clock.elapsed_at(at(seconds)).as_secs();
        assert_eq!(elapsed(9), 4);
        pauses.set_at(true, at(10));
        pauses.set_at(true, at(11));
        assert_eq!([elapsed(10), elapsed(15), elapsed(100)], [5; 3]);
        pauses.set_at(false, at(110));
        assert_eq!(elapsed(112), 7);
    }

    #[test]
    fn a_reduction_that_is_paused_when_it_begins_has_not_begun() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let pauses = Pauses::default();
        pauses.set_at(true, at(0));
        let clock = Clock::start_at(&pauses, at(2));
        pauses.set_at(false, at(8));
        assert_eq!(clock.elapsed_at(at(9)), Duration::from_secs(1));
    }
}
