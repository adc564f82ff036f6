//! What the user sees of a reduction, as consumers of its events: plain lines, a progress line for
//! a terminal, or JSON. Talk goes to standard error, data to standard output. On a terminal both are
//! escaped; elsewhere data stays as it is, byte for byte.

mod activity;
mod bar;
mod json;
mod plain;
mod printable;
mod progress;
mod summary;

pub(crate) use json::line as json_line;
pub(crate) use printable::Printable;
pub(crate) use progress::{progress_line, time};

use crate::args::{DisplayArgs, MessageFormat};
use crate::error::CommandError;
use bar::Bar;
use plain::Plain;
use reduce_engine::{Event, Summary, escape};
use std::borrow::Cow;
use std::io::{IsTerminal, Write};
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

/// Writes to standard error. Nobody listening is no reason to stop.
pub(crate) fn talk(text: &Printable) {
    let _ = anstream::stderr().write_all(text.as_str().as_bytes());
}

/// Writes what was asked for, with its colours, to standard output.
pub(crate) fn help(text: &Printable) {
    let _ = anstream::stdout().write_all(text.as_str().as_bytes());
}

/// Writes to standard output. Nobody listening is no reason to stop.
pub(crate) fn data(text: &str) {
    let mut stdout = std::io::stdout();
    let shown = shown_data(text, stdout.is_terminal());
    let _ = stdout
        .write_all(shown.as_bytes())
        .and_then(|()| stdout.flush());
}

/// On a terminal what would act there is shown as rustc shows it; a program gets each byte.
fn shown_data(text: &str, is_terminal: bool) -> Cow<'_, str> {
    match is_terminal {
        true => escape::lines(text),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_escaped_for_a_terminal_and_exact_elsewhere() {
        let code = "fn main() {\r\n\tlet s = \"\u{1b}[2J\u{202e}\";\n}\n";
        assert_eq!(shown_data(code, false), code);
        assert_eq!(
            shown_data(code, true),
            "fn main() {\n\tlet s = \"\\u{1b}[2J\\u{202e}\";\n}\n"
        );
    }
}
