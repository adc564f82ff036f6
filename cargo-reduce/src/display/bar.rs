//! The progress line of a terminal, with everything else above it.

use super::plain::Plain;
use super::progress::progress_line;
use indicatif::{ProgressBar, ProgressStyle};
use reduce_engine::Event;
use std::time::Duration;

const TICK: Duration = Duration::from_millis(120);
const TEMPLATE: &str = "{spinner:.cyan} {wide_msg}";

/// A progress line on standard error.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    plain: Plain,
}

impl Bar {
    /// A line that is drawn at once.
    pub(crate) fn new(plain: Plain) -> Self {
        let style = ProgressStyle::with_template(TEMPLATE).expect("the template is well formed");
        let bar = ProgressBar::new_spinner().with_style(style);
        bar.enable_steady_tick(TICK);
        Self { bar, plain }
    }

    /// Moves the line, or prints above it.
    pub(crate) fn event(&mut self, event: &Event) {
        match event {
            Event::Progress(progress) => self.bar.set_message(progress_line(progress)),
            Event::Preparing { what } => self.bar.set_message(what.clone()),
            Event::PassStarted { pass, round } if !self.plain.is_verbose() => {
                if self.bar.message().is_empty() {
                    self.bar.set_message(format!("{pass} (round {round})"));
                }
            }
            Event::Finished(_) => {
                self.bar.finish_and_clear();
                super::talk(&self.plain.render(event));
            }
            event => {
                let text = self.plain.render(event);
                self.print(&text);
            }
        }
    }

    /// Prints above the line.
    pub(crate) fn print(&self, text: &str) {
        if !text.is_empty() {
            self.bar.suspend(|| super::talk(text));
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
