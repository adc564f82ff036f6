//! The activity on the progress line of a terminal, with a clock that goes on while nothing happens: a large
//! workspace compiles for minutes, and one query may take as long.

use super::progress::{progress_line, time};
use reduce_engine::{Event, Progress};
use std::time::Instant;

/// The activity that the progress line shows: the last event about it, and its time.
#[derive(Debug, Clone)]
pub(super) struct Activity {
    told: Told,
    at: Instant,
    /// The time at which the job was paused, if it is: the clock stands still.
    paused_at: Option<Instant>,
}

#[derive(Debug, Clone)]
enum Told {
    /// Something was begun that this text names, before the search.
    Begun(String),
    Progress(Progress),
}

impl Activity {
    /// Returns the activity that an event means for the progress line; `None` where it means nothing. `before` is what it
    /// says so far.
    pub(super) fn of(event: &Event, before: Option<&Self>, now: Instant) -> Option<Self> {
        let told = match event {
            Event::Progress(progress) => Told::Progress(progress.clone()),
            Event::Preparing { what } => Told::Begun(what.clone()),
            Event::PassStarted { pass, round } if before.is_none() => {
                Told::Begun(format!("{pass} (round {round})"))
            }
            Event::Paused { is_paused } => return Some(before?.paused(*is_paused, now)),
            _ => return None,
        };
        let is_paused = before.is_some_and(|before| before.paused_at.is_some());
        Some(Self {
            told,
            at: now,
            paused_at: is_paused.then_some(now),
        })
    }

    /// Stops the clock, or lets it go on where it was.
    fn paused(&self, is_paused: bool, now: Instant) -> Self {
        let since = self.paused_at.filter(|_| !is_paused);
        Self {
            told: self.told.clone(),
            at: since.map_or(self.at, |since| {
                self.at + now.saturating_duration_since(since)
            }),
            paused_at: is_paused.then_some(self.paused_at.unwrap_or(now)),
        }
    }

    /// Returns the progress line for a later time, with its clock moved on.
    pub(super) fn line(&self, now: Instant) -> String {
        let until = self.paused_at.unwrap_or(now);
        let since = until.saturating_duration_since(self.at).as_secs_f64();
        let line = match &self.told {
            Told::Begun(what) => format!("{what}, {}", time(since)),
            Told::Progress(progress) => progress_line(&Progress {
                elapsed_seconds: progress.elapsed_seconds + since,
                ..progress.clone()
            }),
        };
        match self.paused_at {
            Some(_) => format!("paused: {line}"),
            None => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_clock_goes_on_while_nothing_happens() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let event = Event::Preparing {
            what: "running `cargo check`".to_owned(),
        };
        let preparing = Activity::of(&event, None, begin).unwrap();
        assert_eq!(preparing.line(at(0)), "running `cargo check`, 0.0 s");
        assert_eq!(preparing.line(at(75)), "running `cargo check`, 1 min 15 s");
        let event = Event::Progress(Progress {
            pass: "delete_items".to_owned(),
            round: 1,
            tokens_now: 10,
            tokens_at_start: 100,
            queries: 20,
            cache_hits: 2,
            elapsed_seconds: 4.0,
        });
        let searching = Activity::of(&event, Some(&preparing), begin).unwrap();
        let expected =
            "10/100 tokens, 10.0 s, 20 queries (2.0/s), 2 cache hits, delete_items (round 1)";
        assert_eq!(searching.line(at(6)), expected);
    }

    #[test]
    fn the_clock_stands_still_while_the_job_is_paused() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let event = Event::Preparing {
            what: "compiling".to_owned(),
        };
        let activity = Activity::of(&event, None, begin).unwrap();
        let pause = |is_paused| Event::Paused { is_paused };
        let paused = Activity::of(&pause(true), Some(&activity), at(5)).unwrap();
        assert_eq!(paused.line(at(65)), "paused: compiling, 5.0 s");
        let again = Activity::of(&pause(true), Some(&paused), at(30)).unwrap();
        assert_eq!(again.line(at(65)), "paused: compiling, 5.0 s");
        let next = Activity::of(&event, Some(&again), at(65)).unwrap();
        assert_eq!(next.line(at(70)), "paused: compiling, 0.0 s");
        let resumed = Activity::of(&pause(false), Some(&again), at(65)).unwrap();
        assert_eq!(resumed.line(at(67)), "compiling, 7.0 s");
        assert!(Activity::of(&pause(true), None, begin).is_none());
    }

    #[test]
    fn a_pass_is_only_named_while_nothing_else_is_known() {
        let now = Instant::now();
        let event = Event::PassStarted {
            pass: "delete_items".to_owned(),
            round: 2,
        };
        let first = Activity::of(&event, None, now).unwrap();
        assert_eq!(first.line(now), "delete_items (round 2), 0.0 s");
        assert!(Activity::of(&event, Some(&first), now).is_none());
    }
}
