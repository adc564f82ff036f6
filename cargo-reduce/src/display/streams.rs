//! The two streams that everything is written to: talk goes to standard error, data to standard
//! output. The live view draws on standard error, too (`live/screen`); the rest of the program writes to neither.

use super::printable::Printable;
use reduce_engine::escape;
use std::borrow::Cow;
use std::io::{IsTerminal, Write};

/// Writes to standard error. Nobody listening is no reason to stop.
pub(crate) fn talk(text: &Printable) {
    let _ = anstream::stderr().write_all(text.as_str().as_bytes());
}

/// Writes a help text that the user has asked for, with its colours, to standard output.
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

/// Escapes the characters that would act on a terminal, as rustc does, if standard output is one; otherwise, a program
/// gets each byte.
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
