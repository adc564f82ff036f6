//! The live view of a reduction, on the alternate screen of a terminal: the code as it is, with the part under trial, the
//! figures, and keys. It opens once a job takes longer than a few seconds. Until then, and where it cannot be, there is the
//! progress line. What that would print meanwhile is printed when the view ends.

mod code;
mod draw;
mod paint;
mod screen;
mod view;

pub(crate) use paint::Paint;
pub(crate) use view::Wish;

use super::bar::Bar;
use super::printable::Printable;
use reduce_engine::Event;
use reduce_platform::terminal::{is_in_foreground, stop_until_resumed};
use reduce_protocol::{JobId, LiveJob};
use screen::{OnSignal, Screen};
use std::time::{Duration, Instant};
use view::View;

/// The time from the start of a job after which the live view opens, as a short job is not worth it.
const PATIENCE: Duration = Duration::from_secs(3);
/// The time between two drawings of the screen, and between two looks at the job. A connection by ssh keeps up with that.
const INTERVAL: Duration = Duration::from_millis(200);

/// A live view, with the progress line that it stands in for.
#[derive(Debug)]
pub(crate) struct Live {
    bar: Bar,
    view: View,
    paint: Paint,
    on_signal: OnSignal,
    screen: Option<Screen>,
    /// Whether the live view leaves the terminal alone: an editor has it.
    is_lent: bool,
    /// The time at which the live view is to open, or `None` if it cannot.
    opens: Option<Instant>,
    drawn: Option<Instant>,
    /// When the job was last asked for its state, if it has not answered yet.
    asked: Option<Instant>,
    looked: Option<Instant>,
}

impl Live {
    /// Makes a live view that is still closed, and opens if the job takes more than a few seconds.
    pub(super) fn new(bar: Bar, paint: Paint, now: Instant) -> Self {
        Self {
            bar,
            view: View::new(None, now),
            paint,
            on_signal: OnSignal::Nothing,
            screen: None,
            is_lent: false,
            opens: Some(now + PATIENCE),
            drawn: None,
            asked: None,
            looked: None,
        }
    }

    /// Tells the live view the number of the daemon's job that it shows. The job goes on without this process.
    pub(super) fn shows(&mut self, job: JobId) {
        self.view.job = Some(job);
        self.on_signal = OnSignal::End;
    }

    /// Shows an event of the reduction in the live view.
    pub(super) fn event(&mut self, event: &Event, now: Instant) {
        if matches!(event, Event::Finished(_)) {
            self.close();
        }
        self.view.event(event, now);
        self.bar.event(event);
        self.say_what_is_held();
    }

    /// Prints a text, or keeps it until the live view is closed.
    pub(super) fn print(&mut self, text: &Printable) {
        self.bar.print(text);
        self.say_what_is_held();
    }

    fn say_what_is_held(&mut self) {
        let held = self.bar.last_held();
        self.view.note_held(held);
    }

    /// Takes the state of the job into the view.
    pub(super) fn update(&mut self, job: LiveJob, now: Instant) {
        self.asked = None;
        self.view.update(job, now);
    }

    /// Shows that time goes by, and returns what the person at the keyboard wants.
    pub(super) fn tick(&mut self, now: Instant) -> Vec<Wish> {
        if self.screen.is_none() {
            self.bar.tick(now);
            self.open_if_due(now);
        }
        match self.look_at_terminal(now) {
            Ok(wishes) => wishes,
            Err(_) => {
                // Without a terminal there is the line.
                self.close();
                Vec::new()
            }
        }
    }

    /// Returns the number of the program that the view shows, if it is time to ask for the state of the job again.
    pub(crate) fn looks_from(&mut self, now: Instant) -> Option<u64> {
        let is_due = self.looked.is_none_or(|at| now - at >= INTERVAL);
        if self.opens.is_none_or(|at| at > now) || self.asked.is_some() || !is_due {
            return None;
        }
        (self.asked, self.looked) = (Some(now), Some(now));
        Some(self.view.program())
    }

    /// Whether the job is paused, with no query under way.
    pub(crate) fn is_still(&self) -> bool {
        self.view.is_still()
    }

    /// Closes the screen while an editor has the terminal.
    pub(crate) fn lend(&mut self) {
        self.is_lent = true;
        self.screen = None;
    }

    /// Takes the terminal back from an editor, and tells the person something.
    pub(crate) fn take_back(&mut self, message: &str) {
        self.is_lent = false;
        self.view.say(message);
    }

    /// Ends the view for good; what has waited is printed.
    pub(super) fn close(&mut self) {
        self.screen = None;
        self.opens = None;
        self.bar.release();
    }

    /// Takes the view and the progress line away.
    pub(super) fn clear(&mut self) {
        self.close();
        self.bar.clear();
    }

    fn open_if_due(&mut self, now: Instant) {
        let is_due = self.opens.is_some_and(|at| at <= now);
        if !is_due || self.is_lent || !is_in_foreground() {
            return;
        }
        self.bar.hold();
        match Screen::open(self.on_signal) {
            Ok(screen) => self.screen = Some(screen),
            Err(_) => self.close(),
        }
        self.drawn = None;
    }

    fn look_at_terminal(&mut self, now: Instant) -> std::io::Result<Vec<Wish>> {
        let Some(screen) = &mut self.screen else {
            return Ok(Vec::new());
        };
        let keys = screen.keys()?.into_iter();
        let mut wishes: Vec<Wish> = keys.filter_map(|key| self.view.wish(key)).collect();
        if wishes.contains(&Wish::Redraw) {
            screen.clear()?;
        }
        let is_due = self.drawn.is_none_or(|at| now - at >= INTERVAL);
        if is_due || !wishes.is_empty() {
            screen.draw(&self.view, self.paint, now)?;
            self.drawn = Some(now);
        }
        if wishes.contains(&Wish::Suspend) {
            self.screen = None;
            stop_until_resumed()?;
        }
        wishes.retain(|wish| !matches!(wish, Wish::Redraw | Wish::Suspend));
        Ok(wishes)
    }
}
