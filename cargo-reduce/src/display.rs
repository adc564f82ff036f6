//! What the user sees of a reduction, as consumers of its events: plain lines, a progress line for
//! a terminal, or JSON. Talk goes to standard error, data to standard output. On a terminal both are
//! escaped; elsewhere data stays as it is, byte for byte.

mod activity;
mod bar;
mod json;
mod plain;
mod printable;
mod progress;
mod streams;
mod summary;

pub(crate) use json::{detached as json_detached, line as json_line};
pub(crate) use printable::Printable;
pub(crate) use progress::{progress_line, time};
pub(crate) use streams::{data, help, talk};
#[cfg(test)]
pub(crate) use summary::tests::summary;

use crate::args::{DisplayArgs, MessageFormat};
use crate::error::CommandError;
use bar::Bar;
use plain::Plain;
use reduce_engine::{Event, Summary};
use reduce_protocol::JobId;
use std::io::IsTerminal;
use std::time::Instant;
use summary::code_of;

/// Says something between reductions; not to machines.
pub(crate) fn say(format: MessageFormat, verb: &str, message: &str) {
    if format == MessageFormat::Human {
        talk(&Printable::status(verb, message));
    }
}

/// Warns before there is a reduction.
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
    Bar(Bar),
    Plain(Plain),
    Json,
}

impl Display {
    /// Chooses by the arguments and by whether somebody watches.
    pub(crate) fn new(args: &DisplayArgs) -> Self {
        let plain = Plain::new(args.verbose);
        match args.message_format {
            MessageFormat::Json => Self::Json,
            MessageFormat::Human if std::io::stderr().is_terminal() => Self::Bar(Bar::new(plain)),
            MessageFormat::Human => Self::Plain(plain),
        }
    }

    /// Shows an event.
    pub(crate) fn event(&mut self, event: &Event) {
        match self {
            Self::Bar(bar) => bar.event(event),
            Self::Plain(plain) => talk(&plain.render(event)),
            Self::Json => data(&json::event(event)),
        }
    }

    /// Shows that time goes by.
    pub(crate) fn tick(&self) {
        if let Self::Bar(bar) = self {
            bar.tick(Instant::now());
        }
    }

    /// Says something that is not an event; not to machines.
    pub(crate) fn note(&mut self, verb: &str, message: &str) {
        let line = Printable::status(verb, message);
        match self {
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
        let message = format!(
            "from job {job}, which goes on: {others} other client(s) watch it. `cargo reduce jobs cancel \
             {job}` stops it"
        );
        self.note("Detached", &message);
    }

    /// Shows the end: the figures as talk, the code as data.
    pub(crate) fn finished(&mut self, summary: &Summary) {
        self.event(&Event::Finished(Box::new(summary.clone())));
        if !matches!(self, Self::Json) {
            data(&code_of(summary));
        }
    }

    /// Shows why there is no result.
    pub(crate) fn failed(&mut self, error: &CommandError) {
        match self {
            Self::Bar(bar) => {
                bar.clear();
                failure(MessageFormat::Human, error);
            }
            Self::Plain(_) => failure(MessageFormat::Human, error),
            Self::Json => failure(MessageFormat::Json, error),
        }
    }
}

/// Shows why there is no result, where there is no display yet.
pub(crate) fn failure(format: MessageFormat, error: &CommandError) {
    if format == MessageFormat::Json {
        data(&json::failure(error));
    }
    talk(&error.render());
}
