//! The progress line of a terminal, with everything else above it.

use super::activity::Activity;
use super::plain::Plain;
use super::printable::Printable;
use super::streams::talk;
use indicatif::{ProgressBar, ProgressStyle};
use reduce_engine::{Event, escape};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(120);
const TEMPLATE: &str = "{spinner:.cyan} {wide_msg}";

/// A progress line on standard error.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    plain: Plain,
    /// The activity on the line.
    activity: Option<Activity>,
    /// The text that is printed once the terminal is free again.
    held: Option<Printable>,
}

impl Bar {
    /// Makes a progress line, which is drawn at once.
    pub(crate) fn new(plain: Plain) -> Self {
        Self {
            bar: line(),
            plain,
            activity: None,
            held: None,
        }
    }

    /// Shows an event in the progress line, or as lines above it.
    pub(crate) fn event(&mut self, event: &Event) {
        let now = Instant::now();
        let before = self.activity.as_ref();
        let activity = Activity::of(event, before, now);
        let is_shown_in_line = activity.is_some() && !self.is_printed_too(event);
        if activity.is_some() {
            self.activity = activity;
            self.tick(now);
        }
        match event {
            Event::Finished(_) => {
                self.bar.finish_and_clear();
                talk(&self.plain.render(event));
            }
            event if !is_shown_in_line => {
                let text = self.plain.render(event);
                self.print(&text);
            }
            _ => {}
        }
    }

    /// Returns whether an event is printed as a line too: of passes a user may want to see all.
    fn is_printed_too(&self, event: &Event) -> bool {
        matches!(event, Event::PassStarted { .. }) && self.plain.is_verbose()
    }

    /// Moves the clock of the progress line to this time.
    pub(crate) fn tick(&self, now: Instant) {
        if let Some(activity) = &self.activity {
            let line = activity.line(now);
            self.bar.set_message(escape::line(&line).into_owned());
        }
    }

    /// Prints a text above the progress line.
    pub(crate) fn print(&mut self, text: &Printable) {
        match &mut self.held {
            Some(held) => *held += text.clone(),
            None if !text.is_empty() => self.bar.suspend(|| talk(text)),
            None => {}
        }
    }

    /// Removes the progress line while something else, such as the live view, has the terminal. Text to print waits until then.
    pub(super) fn hold(&mut self) {
        self.bar.finish_and_clear();
        self.held.get_or_insert_default();
    }

    /// The last line that waits to be printed, without colours.
    pub(super) fn last_held(&self) -> Option<String> {
        let held = anstream::adapter::strip_str(self.held.as_ref()?.as_str()).to_string();
        held.lines().last().map(|line| line.trim().to_owned())
    }

    /// Shows the progress line again, and prints the text that has waited for the terminal.
    pub(super) fn release(&mut self) {
        if let Some(held) = self.held.take() {
            self.bar = line();
            self.print(&held);
        }
    }

    /// Removes the progress line from the terminal.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Makes the progress line of `indicatif`, which is drawn at once.
fn line() -> ProgressBar {
    let style = ProgressStyle::with_template(TEMPLATE).expect("the template is well formed");
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.enable_steady_tick(TICK);
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_while_the_terminal_is_taken_waits() {
        let mut bar = Bar::new(Plain::new(false));
        bar.hold();
        assert_eq!(bar.last_held(), None);
        for message in ["one", "two"] {
            bar.event(&Event::Warning {
                message: message.to_owned(),
            });
        }
        assert_eq!(bar.last_held().as_deref(), Some("warning: two"));
        let held = bar.held.clone().unwrap();
        assert_eq!(
            anstream::adapter::strip_str(held.as_str()).to_string(),
            "warning: one\nwarning: two\n"
        );
    }

    #[test]
    fn the_line_goes_on_without_events_and_is_escaped() {
        let mut bar = Bar::new(Plain::new(false));
        bar.bar
            .set_draw_target(indicatif::ProgressDrawTarget::hidden());
        bar.event(&Event::Preparing {
            what: "running `\u{1b}[2J`".to_owned(),
        });
        let begin = Instant::now();
        bar.tick(begin + Duration::from_secs(60));
        let message = bar.bar.message();
        assert!(
            message.starts_with("running `\\u{1b}[2J`, 1 min 0"),
            "{message}"
        );
        bar.tick(begin + Duration::from_secs(3600));
        assert!(bar.bar.message().contains("1 h 00 min"));
    }
}
