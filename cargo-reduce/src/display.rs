//! The display of a reduction, by consumers of its events: plain lines, a progress line or a live view for
//! a terminal, or JSON. Talk goes to standard error, data to standard output. On a terminal both are
//! escaped; elsewhere data stays as it is, byte for byte.

mod activity;
mod bar;
mod json;
mod live;
mod plain;
pub(crate) mod printable;
mod progress;
mod streams;
mod summary;

pub(crate) use json::{detached as json_detached, line as json_line, triage as json_triage};
pub(crate) use live::Wish;
pub(crate) use printable::Printable;
pub(crate) use progress::{progress_line, time};
pub(crate) use streams::{data, help, talk};
#[cfg(test)]
pub(crate) use summary::tests::summary;

use crate::args::{DisplayArgs, MessageFormat};
use crate::context::Context;
use crate::error::CommandError;
use anstream::{AutoStream, ColorChoice};
use bar::Bar;
use live::{Live, Paint};
use plain::Plain;
use reduce_engine::{Event, Summary};
use reduce_protocol::{JobId, LiveJob};
use std::io::IsTerminal;
use std::time::Instant;
use summary::code_of;

/// Prints a message while no reduction is shown, but not where JSON is asked for.
pub(crate) fn say(format: MessageFormat, verb: &str, message: &str) {
    if format == MessageFormat::Human {
        talk(&Printable::status(verb, message));
    }
}

/// Prints a warning while no reduction is shown, also as JSON.
pub(crate) fn warn(format: MessageFormat, message: String) {
    let event = Event::Warning { message };
    match format {
        MessageFormat::Human => talk(&Plain::new(false).render(&event)),
        MessageFormat::Json => data(&json::event(&event)),
    }
}

/// Shows a reduction.
#[derive(Debug)]
pub(crate) enum Display {
    Live(Box<Live>),
    Bar(Bar),
    Plain(Plain),
    Json,
}

impl Display {
    /// Chooses by the arguments and by whether somebody watches.
    pub(crate) fn new(args: &DisplayArgs, context: &Context) -> Self {
        let plain = Plain::new(args.verbose);
        let stderr = std::io::stderr();
        match args.message_format {
            MessageFormat::Json => Self::Json,
            MessageFormat::Human if !stderr.is_terminal() => Self::Plain(plain),
            MessageFormat::Human if has_live_view(args, context) => {
                let has_colours = AutoStream::choice(&stderr) != ColorChoice::Never;
                let paint = Paint::new(has_colours);
                Self::Live(Box::new(Live::new(Bar::new(plain), paint, Instant::now())))
            }
            MessageFormat::Human => Self::Bar(Bar::new(plain)),
        }
    }

    /// Tells the display the number of the daemon's job that it shows.
    pub(crate) fn shows(&mut self, job: JobId) {
        if let Self::Live(live) = self {
            live.shows(job);
        }
    }

    /// The live view, if there is one.
    pub(crate) fn live(&mut self) -> Option<&mut Live> {
        match self {
            Self::Live(live) => Some(live),
            _ => None,
        }
    }

    /// Shows an event.
    pub(crate) fn event(&mut self, event: &Event) {
        match self {
            Self::Live(live) => live.event(event, Instant::now()),
            Self::Bar(bar) => bar.event(event),
            Self::Plain(plain) => talk(&plain.render(event)),
            Self::Json => data(&json::event(event)),
        }
    }

    /// Shows that time goes by, and returns what the person at the keyboard wants.
    pub(crate) fn tick(&mut self) -> Vec<Wish> {
        match self {
            Self::Live(live) => return live.tick(Instant::now()),
            Self::Bar(bar) => bar.tick(Instant::now()),
            Self::Plain(_) | Self::Json => {}
        }
        Vec::new()
    }

    /// Shows how the job is.
    pub(crate) fn update(&mut self, job: LiveJob) {
        if let Self::Live(live) = self {
            live.update(job, Instant::now());
        }
    }

    /// Ends the live view, and prints what has waited for that.
    pub(crate) fn close(&mut self) {
        if let Self::Live(live) = self {
            live.close();
        }
    }

    /// Shows a message that is not an event, but not where JSON is asked for.
    pub(crate) fn note(&mut self, verb: &str, message: &str) {
        let line = Printable::status(verb, message);
        match self {
            Self::Live(live) => live.print(&line),
            Self::Bar(bar) => bar.print(&line),
            Self::Plain(_) => talk(&line),
            Self::Json => {}
        }
    }

    /// Says that a job goes on for others who watch it.
    pub(crate) fn left(&mut self, job: JobId, others: u64) {
        if matches!(self, Self::Json) {
            data(&json::left(job, others));
        }
        self.close();
        let message = format!(
            "from job {job}, which goes on: {others} other client(s) watch it. `cargo reduce jobs cancel \
             {job}` stops it"
        );
        self.note("Detached", &message);
    }

    /// Says that a job goes on without anybody who watches it.
    pub(crate) fn detached(&mut self, job: JobId) {
        self.close();
        let message = format!(
            "from job {job}, which goes on. `cargo reduce jobs attach {job}` shows it again, and `cargo reduce jobs \
             cancel {job}` stops it"
        );
        self.note("Detached", &message);
    }

    /// Prints the code of a result as data. Machines have it in the last event.
    pub(crate) fn code(&self, summary: &Summary) {
        if !matches!(self, Self::Json) {
            data(&code_of(summary));
        }
    }

    /// Shows why there is no result.
    pub(crate) fn failed(&mut self, error: &CommandError) {
        match self {
            Self::Live(live) => {
                live.clear();
                failure(MessageFormat::Human, error);
            }
            Self::Bar(bar) => {
                bar.clear();
                failure(MessageFormat::Human, error);
            }
            Self::Plain(_) => failure(MessageFormat::Human, error),
            Self::Json => failure(MessageFormat::Json, error),
        }
    }
}

/// Whether somebody can look at a live view, and wants to. With `--verbose` it is lines that are wanted.
fn has_live_view(args: &DisplayArgs, context: &Context) -> bool {
    let can_draw = context.vars.get("TERM").is_some_and(|term| term != "dumb");
    can_draw && std::io::stdin().is_terminal() && !args.no_tui && !args.verbose
}

/// Prints why a command failed, while no reduction is shown.
pub(crate) fn failure(format: MessageFormat, error: &CommandError) {
    if format == MessageFormat::Json {
        data(&json::failure(error));
    }
    talk(&error.render());
}
