//! The events of a job, kept so that a client that comes later sees it all. Bounded: of progress
//! only the latest is kept, and of steps and of what cargo says the latest few thousand.

use reduce_engine::{Event, Progress};
use std::collections::VecDeque;

/// The largest number of events that are kept: beyond it, the oldest steps are dropped.
const MAX_EVENTS: usize = 4096;

/// The events of a job with rising numbers, so that a reader can ask for those after the last one that it saw.
#[derive(Debug, Default)]
pub(crate) struct History {
    events: VecDeque<(u64, Event)>,
    last_number: u64,
}

impl History {
    /// Appends an event.
    pub(crate) fn push(&mut self, event: Event) {
        if matches!(event, Event::Progress(_)) {
            self.events
                .retain(|(_, event)| !matches!(event, Event::Progress(_)));
        } else if self.events.len() >= MAX_EVENTS {
            self.forget_one();
        }
        self.last_number += 1;
        self.events.push_back((self.last_number, event));
    }

    /// Returns the events after the one with this number, the oldest first, and the number of the last event.
    pub(crate) fn after(&self, number: u64) -> (Vec<Event>, u64) {
        let begin = self
            .events
            .partition_point(|&(event_number, _)| event_number <= number);
        let events = self.events.range(begin..).map(|(_, event)| event.clone());
        (events.collect(), self.last_number)
    }

    /// Returns the last progress among the events.
    pub(crate) fn progress(&self) -> Option<&Progress> {
        self.events.iter().rev().find_map(|(_, event)| match event {
            Event::Progress(progress) => Some(progress),
            _ => None,
        })
    }

    /// Drops the oldest step, or the oldest event where there is none.
    fn forget_one(&mut self) {
        let is_step = |event: &Event| {
            matches!(
                event,
                Event::StepAccepted { .. } | Event::PassStarted { .. } | Event::Cargo { .. }
            )
        };
        let oldest = self
            .events
            .iter()
            .position(|(_, event)| is_step(event))
            .unwrap_or(0);
        self.events.remove(oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preparing(what: &str) -> Event {
        Event::Preparing {
            what: what.to_owned(),
        }
    }

    fn progress(queries: u64) -> Event {
        Event::Progress(Progress {
            pass: "delete_items".to_owned(),
            round: 1,
            tokens_now: 1,
            tokens_at_start: 1,
            queries,
            cache_hits: 0,
            elapsed_seconds: 0.0,
        })
    }

    fn step(step: u64) -> Event {
        let pass = "delete_items".to_owned();
        Event::StepAccepted {
            step,
            pass,
            tokens_before: 2,
            tokens_after: 1,
        }
    }

    #[test]
    fn a_reader_sees_each_event_once() {
        let mut history = History::default();
        history.push(preparing("a"));
        let (events, seen) = history.after(0);
        assert_eq!(events, [preparing("a")]);
        history.push(step(1));
        let (events, seen) = history.after(seen);
        assert_eq!(events, [step(1)]);
        assert_eq!(history.after(seen), (vec![], seen));
    }

    #[test]
    fn only_the_latest_progress_is_kept() {
        let mut history = History::default();
        history.push(progress(1));
        let (_, seen) = history.after(0);
        history.push(step(1));
        history.push(progress(2));
        assert_eq!(history.after(seen).0, [step(1), progress(2)]);
        assert_eq!(history.after(0).0, [step(1), progress(2)]);
        assert_eq!(history.progress().unwrap().queries, 2);
    }

    #[test]
    fn what_cargo_says_pushes_nothing_else_out() {
        let mut history = History::default();
        history.push(preparing("a"));
        for _ in 0..2 * MAX_EVENTS {
            let line = "Compiling a v1".to_owned();
            history.push(Event::Cargo { line });
        }
        assert_eq!(history.after(0).0.first(), Some(&preparing("a")));
    }

    #[test]
    fn the_oldest_steps_go_first() {
        let mut history = History::default();
        history.push(preparing("a"));
        for number in 0..2 * MAX_EVENTS as u64 {
            history.push(step(number));
        }
        let (events, _) = history.after(0);
        assert_eq!(events.len(), MAX_EVENTS);
        assert_eq!(events.first(), Some(&preparing("a")));
        assert_eq!(events.last(), Some(&step(2 * MAX_EVENTS as u64 - 1)));
    }
}
