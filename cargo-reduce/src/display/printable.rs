//! Text that may be written to a terminal. What comes from elsewhere (file names, messages, what programs
//! print) is escaped when it becomes part of such a text, so that no colour but ours, no line but ours
//! and nothing else that a terminal acts on gets there. Nothing else can be handed to [`super::talk`].

use clap::builder::styling::Style;
use clap_cargo::style::HEADER;
use reduce_engine::escape;
use std::ops::AddAssign;

/// Text that is safe to print: everything from outside is escaped. It is whole lines, or a question without a line end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Printable(String);

impl Printable {
    /// A line as cargo writes it: a verb in colour, aligned to the right, and the rest.
    pub(crate) fn status(verb: &str, message: &str) -> Self {
        let (verb, message) = (escape::line(verb), escape::line(message));
        Self(format!("{HEADER}{verb:>12}{HEADER:#} {message}\n"))
    }

    /// Makes a line `LABEL: MESSAGE`, with the label in colour.
    pub(crate) fn labelled(style: Style, label: &str, message: &str) -> Self {
        let message = escape::line(message);
        Self(format!("{style}{label}{style:#}: {message}\n"))
    }

    /// A line without colours.
    pub(crate) fn line(text: &str) -> Self {
        Self(format!("{}\n", escape::line(text)))
    }

    /// Makes a question, with no end of line, so that the answer is typed behind it.
    pub(crate) fn question(text: &str) -> Self {
        Self(format!("{} ", escape::line(text)))
    }

    /// Makes a quotation of the output of a program, without its colours, with `mark` before each line.
    pub(crate) fn quoted(mark: &str, text: &str) -> Self {
        let plain = escape::without_colours(text);
        let lines = plain.lines();
        let lines = lines.map(|line| format!("{mark}{}\n", escape::line(line)));
        Self(lines.collect())
    }

    /// Makes printable text of an error message of clap, which loses its colours if it may quote something that acts on a
    /// terminal.
    pub(crate) fn of_clap<'a>(
        error: &clap::Error,
        may_quote: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let said = error.render();
        let mut texts = may_quote.into_iter();
        match texts.all(|text| escape::lines(text) == text) {
            true => Self(said.ansi().to_string()),
            false => Self(escape::lines(&said.to_string()).into_owned()),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the text with escape sequences for our colours.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl AddAssign for Printable {
    fn add_assign(&mut self, other: Self) {
        self.0.push_str(&other.0);
    }
}

impl std::ops::Add for Printable {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap_cargo::style::ERROR;

    /// Sets a title, clears the screen, starts a line, turns the text around.
    const HOSTILE: &str = "a\u{1b}]0;x\u{7}\u{9b}2J\nerror: b\r\u{202e}c";
    const SHOWN: &str = "a\\u{1b}]0;x\\u{7}\\u{9b}2J\\nerror: b\\r\\u{202e}c";

    #[track_caller]
    fn check(printable: &Printable, expected: &str) {
        let plain = anstream::adapter::strip_str(printable.as_str()).to_string();
        assert_eq!(plain, expected);
        let colours = [
            "\u{1b}[0m",
            "\u{1b}[1m",
            "\u{1b}[32m",
            "\u{1b}[92m",
            "\u{1b}[31m",
            "\u{1b}[91m",
        ];
        let rest = colours
            .iter()
            .fold(printable.as_str().to_owned(), |text, colour| {
                text.replace(colour, "")
            });
        assert!(
            rest.chars().all(|c| c == '\n' || !escape::is_active(c)),
            "{rest:?}"
        );
    }

    #[test]
    fn whatever_the_form_only_our_colours_reach_the_terminal() {
        check(
            &Printable::status("Result", HOSTILE),
            &format!("      Result {SHOWN}\n"),
        );
        check(&Printable::status("\u{1b}[31mX", "y"), " \\u{1b}[31mX y\n");
        check(
            &Printable::labelled(ERROR, "error", HOSTILE),
            &format!("error: {SHOWN}\n"),
        );
        check(&Printable::line(HOSTILE), &format!("{SHOWN}\n"));
    }

    #[test]
    fn an_output_is_quoted_line_by_line_without_its_colours() {
        let text = "\u{1b}[31mred\u{1b}[0m\nplain\u{7}\n";
        check(
            &Printable::quoted("  | ", text),
            "  | red\n  | plain\\u{7}\n",
        );
    }
}
