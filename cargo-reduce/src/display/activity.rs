//! The activity on the progress line of a terminal, with a clock that goes on while nothing happens: a large
//! workspace compiles for minutes, and one query may take as long.

use super::progress::{progress_line, time};
use reduce_engine::{Event, Progress};
use std::time::Instant;

/// The last event that was told, and its time.
#[derive(Debug, Clone)]
pub(super) struct Activity {
    told: Told,
    at: Instant,
}

#[derive(Debug, Clone)]
enum Told {
    /// Something was begun.
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
            _ => return None,
        };
        Some(Self { told, at: now })
    }

    /// The line at a later time.
    pub(super) fn line(&self, now: Instant) -> String {
        let since = now.saturating_duration_since(self.at).as_secs_f64();
        match &self.told {
            Told::Begun(what) => format!("{what}, {}", time(since)),
            Told::Progress(progress) => progress_line(&Progress {
                elapsed_seconds: progress.elapsed_seconds + since,
                ..progress.clone()
            }),
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
