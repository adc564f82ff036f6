//! The reasons why a search ends before it is done, such as a spent budget, a user's wish or an edit of the result. After an
//! edit of the result all begins anew from there, and after a skipped pass the next one follows; the failure may also turn
//! out not to show each time, or the compiler may be replaced. Either way everything comes to its end soon, and nothing is
//! lost.

use crate::clock::Clock;
use crate::control::Control;
use crate::figures::Ended;
use crate::request::Budget;
use crate::skip::Skip;
use reduce_oracle::Cancel;
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Stop {
    user: Cancel,
    /// A flag that is raised by a user who wants no more of the search.
    finish: Cancel,
    /// A user's wish to end the pass under way.
    pub(super) skip: Skip,
    /// The time that the search may take, without pauses.
    time: Option<Duration>,
    clock: Clock,
    /// The number of queries that the search may use.
    most_queries: Option<u64>,
    /// Whether the search ends because it has used all its queries.
    for_queries: bool,
    /// Whether the search ends because a person's edit waits to be taken up.
    pub(super) for_edit: bool,
    /// Whether the search ends because the best so far did not fail when it was run again.
    pub(super) for_loss: bool,
    /// Whether the search ends because the compiler or linked crates were changed, so that verdicts
    /// do not hold.
    pub(super) for_change: bool,
    /// A flag that is raised when the input does not fail each time.
    pub(super) refuted: Option<Cancel>,
}

impl Stop {
    /// Makes the record of a search that has no reason to end yet. Time counts by this clock.
    pub(super) fn new(control: &Control, budget: Budget, clock: Clock) -> Self {
        Self {
            user: control.cancel.clone(),
            finish: control.finish.clone(),
            skip: control.skip.clone(),
            time: budget.seconds.map(Duration::from_secs),
            clock,
            most_queries: budget.queries,
            for_queries: false,
            for_edit: false,
            for_loss: false,
            for_change: false,
            refuted: None,
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        let is_refuted = self.refuted.as_ref().is_some_and(Cancel::is_cancelled);
        let is_wanted = self.for_edit || self.for_loss || is_refuted || self.user.is_cancelled();
        is_wanted || self.skip.is_asked() || self.for_change || self.early_end().is_some()
    }

    /// Returns a function that says whether the search has no use any more for the work under way, for work that knows
    /// nothing of the search.
    pub(super) fn asks(&self) -> impl Fn() -> bool + 'static {
        let raised = [Some(&self.user), Some(&self.finish), self.refuted.as_ref()];
        let raised: Vec<Cancel> = raised.into_iter().flatten().cloned().collect();
        let (time, clock) = (self.time, self.clock.clone());
        move || {
            let is_late = time.is_some_and(|time| clock.elapsed() >= time);
            is_late || raised.iter().any(Cancel::is_cancelled)
        }
    }

    /// Returns the reason why the search ends before it is done, though with a valid result, if it
    /// does. A user who cannot wait comes first.
    pub(super) fn early_end(&self) -> Option<Ended> {
        let is_over = || self.time.is_some_and(|time| self.clock.elapsed() >= time);
        if self.for_queries {
            Some(Ended::MaxQueries)
        } else if self.finish.is_cancelled() {
            Some(Ended::FinishedSoon)
        } else if is_over() {
            Some(Ended::MaxTime)
        } else {
            None
        }
    }

    /// Returns the number of queries that the search may still use when it has used so many; `None` where
    /// there is no bound.
    pub(super) fn queries_left(&self, used: u64) -> Option<u64> {
        Some(self.most_queries?.saturating_sub(used))
    }

    /// Notes that the search has used so many queries.
    pub(super) fn note_queries(&mut self, used: u64) {
        self.for_queries |= self.queries_left(used) == Some(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(seconds: Option<u64>, queries: Option<u64>) -> (Control, Stop) {
        let control = Control::alone().unwrap();
        let stop = Stop::new(
            &control,
            Budget { seconds, queries },
            Clock::start(&control.pauses),
        );
        (control, stop)
    }

    #[test]
    fn the_last_query_of_the_budget_ends_the_search() {
        let (_, mut stop) = stop(None, Some(3));
        stop.note_queries(2);
        assert_eq!((stop.early_end(), stop.queries_left(2)), (None, Some(1)));
        stop.note_queries(3);
        assert_eq!(stop.early_end(), Some(Ended::MaxQueries));
        assert!(stop.is_cancelled());
    }

    #[test]
    fn time_that_is_over_ends_the_search() {
        let (_, spent) = stop(Some(0), None);
        assert_eq!(spent.early_end(), Some(Ended::MaxTime));
        let (_, fresh) = stop(Some(3600), None);
        assert_eq!(fresh.early_end(), None);
    }

    #[test]
    fn work_that_knows_nothing_of_the_search_is_told_that_it_is_over() {
        let raised: [fn(&Control) -> &Cancel; 2] =
            [|control| &control.cancel, |control| &control.finish];
        for raise in raised {
            let (control, stop) = stop(None, None);
            let is_over = stop.asks();
            assert!(!is_over());
            raise(&control).cancel();
            assert!(is_over());
        }
        let (_, spent) = stop(Some(0), None);
        assert!(spent.asks()());
    }

    #[test]
    fn a_user_may_want_no_more_of_the_search() {
        let (control, stop) = stop(None, None);
        assert!(!stop.is_cancelled());
        control.finish.cancel();
        assert_eq!(stop.early_end(), Some(Ended::FinishedSoon));
        assert!(stop.is_cancelled());
    }
}
