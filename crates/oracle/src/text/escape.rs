//! Texts that others wrote (file names, messages, sources, what programs print), made fit for a
//! terminal or a log file: characters that would do something there are shown as Rust writes them in a
//! string, as rustc does with `\u{202e}`. Nothing is left out, so that a reader sees what is there.
//!
//! Whoever prints to a terminal calls this where the text is put together with colours of our own.

use std::borrow::Cow;

/// Returns the text, made fit for a terminal, on one line: line breaks are shown as `\n`.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    let is_shown = |c: char| c == '\t' || !is_active(c);
    escaped(text, is_shown)
}

/// Returns the text, made fit for a terminal, with its line breaks and tabs. A line break of Windows becomes a plain one.
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    let is_shown = |c: char| matches!(c, '\n' | '\t') || !is_active(c);
    match text.contains("\r\n") {
        true => escaped(&text.replace("\r\n", "\n"), is_shown)
            .into_owned()
            .into(),
        false => escaped(text, is_shown),
    }
}

/// Whether a character does something other than to be seen: it controls a terminal, ends a line,
/// changes the direction of the text, or cannot be seen at all. Joiners of emoji and of scripts stay.
#[must_use]
pub fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

fn escaped(text: &str, is_shown: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&is_shown) {
        return text.into();
    }
    let mut result = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if is_shown(c) => result.push(c),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            c => result.extend(c.escape_unicode()),
        }
    }
    result.into()
}

/// Returns the text without colours and what else begins with `ESC [`, without choices of a character
/// set, which some terminals reset with the colours, and without carriage returns. Other escape
/// sequences stay: a program that prints them means something by them.
#[must_use]
pub fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\x1b' if chars.next_if_eq(&'[').is_some() => {
                while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
                let _end = chars.next_if(|c| ('@'..='~').contains(c));
            }
            '\x1b' if chars.next_if(|c| "()".contains(*c)).is_some() => {
                let _set = chars.next_if(char::is_ascii_alphanumeric);
            }
            '\r' => {}
            char => plain.push(char),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_act_on_a_terminal_is_shown_and_all_else_stays() {
        let table = [
            ("src/lib.rs", "src/lib.rs"),
            (
                "grün 日本 👩\u{200d}🔬 naïve",
                "grün 日本 👩\u{200d}🔬 naïve",
            ),
            ("a\tb", "a\tb"),
            // Colours, titles of windows, the clipboard.
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("\u{9d}52;c;aGk=\u{9c}", "\\u{9d}52;c;aGk=\\u{9c}"),
            ("\u{0}\u{8}\u{7f}", "\\u{0}\\u{8}\\u{7f}"),
            // Lines that would be taken for ours.
            ("a\nerror: b", "a\\nerror: b"),
            ("a\rb", "a\\rb"),
            (
                "a\u{85}b\u{2028}c\u{2029}d",
                "a\\u{85}b\\u{2028}c\\u{2029}d",
            ),
            // Characters that change the direction, and those that cannot be seen.
            ("\u{202e}sr.bil\u{202c}", "\\u{202e}sr.bil\\u{202c}"),
            ("\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"),
            ("\u{200e}\u{200f}\u{61c}", "\\u{200e}\\u{200f}\\u{61c}"),
            ("a\u{200b}b\u{feff}", "a\\u{200b}b\\u{feff}"),
            ("\u{e0041}", "\\u{e0041}"),
        ];
        for (text, expected) in table {
            assert_eq!(line(text), expected);
        }
    }

    #[test]
    fn of_several_lines_the_breaks_stay() {
        let table = [
            ("a\n\tb\n", "a\n\tb\n"),
            ("a\r\nb\r\n", "a\nb\n"),
            ("a\rb\n", "a\\rb\n"),
            ("\u{1b}[2J\u{202e}\n", "\\u{1b}[2J\\u{202e}\n"),
        ];
        for (text, expected) in table {
            assert_eq!(lines(text), expected);
        }
    }

    #[test]
    fn of_an_output_colours_go_and_nothing_else() {
        let table = [
            ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            ("\u{1b}[38;5;9mred\u{1b}(B\u{1b}[m", "red"),
            ("\u{1b}[2K\u{1b}[1Aline\r\n", "line\n"),
            ("\u{1b}]0;title\u{7}text", "\u{1b}]0;title\u{7}text"),
            ("\u{1b}[\u{1b}[3", ""),
            ("end\u{1b}", "end\u{1b}"),
        ];
        for (text, expected) in table {
            assert_eq!(without_colours(text), expected);
        }
    }

    #[test]
    fn what_was_escaped_stays_as_it_is() {
        let once = line("\u{1b}[0m\n").into_owned();
        assert_eq!(line(&once), once);
    }
}
