//! Makes a readable text of what a program has written to a terminal, for the reports of a build server.

use std::collections::BTreeMap;
use std::fmt::Write;
use vte::{Params, Parser, Perform};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Style {
    bold: bool,
    colour: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Span {
    text: String,
    style: Style,
}

/// What is left of the output: lines of spans, the window's title, and what we could not make sense of.
#[derive(Debug, Default)]
struct Transcript {
    lines: Vec<Vec<Span>>,
    column: usize,
    style: Style,
    title: Option<String>,
    bells: usize,
    /// Sequences that we don't know, and how often there was each.
    unknown: BTreeMap<String, usize>,
    /// The request that is being read, if there is one.
    request: Option<String>,
    requests: Vec<String>,
}

impl Transcript {
    fn of(output: &[u8]) -> Self {
        let mut transcript = Transcript {
            lines: vec![Vec::new()],
            ..Transcript::default()
        };
        let mut parser = Parser::new();
        for &byte in output {
            parser.advance(&mut transcript, byte);
        }
        transcript
    }

    fn line(&mut self) -> &mut Vec<Span> {
        self.lines.last_mut().expect("there is a first line")
    }

    fn start_line(&mut self) {
        self.lines.push(Vec::new());
        self.column = 0;
    }

    fn not_known(&mut self, start: &str, intermediates: &[u8], last: char) {
        let mut name = start.to_owned();
        name.extend(intermediates.iter().map(|&byte| char::from(byte)));
        name.push(last);
        *self.unknown.entry(name).or_insert(0) += 1;
    }

    /// Sets colours and weights. A number that we don't know changes nothing.
    fn restyle(&mut self, params: &Params) {
        for param in params.iter() {
            match *param {
                [0] => self.style = Style::default(),
                [1] => self.style.bold = true,
                [22] => self.style.bold = false,
                [colour @ 30..=37] => self.style.colour = Some(colour - 30),
                [colour @ 90..=97] => self.style.colour = Some(colour - 82),
                [39] => self.style.colour = None,
                _ => {}
            }
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            for span in line {
                match span.style {
                    Style { bold: true, .. } => write!(text, "*{}*", span.text).unwrap(),
                    _ => text.push_str(&span.text),
                }
            }
            text.push('\n');
        }
        text.trim_end().to_owned()
    }

    /// A line for the report, if something was not understood.
    fn complaint(&self) -> Option<String> {
        let parts: Vec<String> = self
            .unknown
            .iter()
            .map(|(name, count)| format!("{} ({})", name.escape_default(), count))
            .collect();
        match parts.is_empty() {
            true => None,
            false => Some(format!("not understood: {}", parts.join(", "))),
        }
    }
}

impl Perform for Transcript {
    fn print(&mut self, character: char) {
        let style = self.style;
        self.column += 1;
        match self.line().last_mut() {
            Some(span) if span.style == style => span.text.push(character),
            _ => self.line().push(Span {
                text: character.to_string(),
                style,
            }),
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' => self.start_line(),
            b'\r' => self.column = 0,
            b'\t' => {
                let spaces = 8 - self.column % 8;
                (0..spaces).for_each(|_| self.print(' '));
            }
            0x07 => self.bells += 1,
            _ => self.not_known("^", &[], char::from(byte + 0x40)),
        }
    }

    fn hook(&mut self, _: &Params, intermediates: &[u8], _: bool, action: char) {
        match (intermediates, action) {
            ([b'$'], 'q') => self.request = Some("setting ".to_owned()),
            ([b'+'], 'q') => self.request = Some("capability ".to_owned()),
            _ => self.not_known("P", intermediates, action),
        }
    }

    fn put(&mut self, byte: u8) {
        if let Some(request) = &mut self.request {
            request.push(char::from(byte));
        }
    }

    fn unhook(&mut self) {
        self.requests.extend(self.request.take());
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _: bool) {
        match *params {
            [b"0", title] | [b"2", title] => {
                self.title = Some(String::from_utf8_lossy(title).into_owned());
            }
            // Links are shown as their texts.
            [b"8", ..] => {}
            _ => self.not_known("]", params.first().copied().unwrap_or_default(), ';'),
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: char) {
        match (intermediates, action) {
            ([], 'm') => self.restyle(params),
            ([], 'K') => self.line().clear(),
            ([b'?'], 'h') | ([b'?'], 'l') => {}
            _ => self.not_known("[", intermediates, action),
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _: bool, byte: u8) {
        match (intermediates, byte) {
            // The end of a title or a request.
            ([], b'\\') => {}
            ([], b'7') | ([], b'8') | ([b'('], b'B') => {}
            ([], b'E') => self.start_line(),
            _ => self.not_known("", intermediates, char::from(byte)),
        }
    }
}

#[test]
fn bold_words_are_marked() {
    let transcript = Transcript::of(b"\x1b[1merror\x1b[0m: no such file\n\tsrc/main.rs");
    assert_eq!(transcript.text(), "*error*: no such file\n        src/main.rs");
    assert_eq!(transcript.complaint(), None);
}

#[test]
fn progress_is_shown_as_it_ended() {
    let transcript = Transcript::of(b"\x1b[?25l 10 %\r\x1b[K 90 %\r\x1b[Kdone\x1b[?25h\x07");
    assert_eq!(transcript.text(), "done");
    assert_eq!(transcript.bells, 1);
}

#[test]
fn what_is_not_known_is_counted() {
    let transcript = Transcript::of(b"a\x1b[2Jb\x1b[3Jc\x1b#8\x1b]52;c;\x07");
    let complaint = "not understood: #8 (1), [J (2), ]52; (1)";
    assert_eq!(transcript.complaint().as_deref(), Some(complaint));
    assert_eq!(transcript.text(), "abc");
}

#[test]
fn requests_and_their_ends_are_not_in_the_text() {
    let mut output = Vec::new();
    output.extend_from_slice(b"\x1b]2;make \xe2\x80\x93 all\x1b\\\x1b(B");
    for target in ["parser", "printer"].iter() {
        output.extend_from_slice(b"\x1b[32mcompiling\x1b[39m ");
        output.extend_from_slice(target.as_bytes());
        output.extend_from_slice(b"\x1bE");
    }
    output.extend_from_slice(b"\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x1b[1mready\x1b[22m\r\n");

    let transcript = Transcript::of(&output);
    assert_eq!(transcript.text(), "compiling parser\ncompiling printer\n*ready*");
    assert_eq!(transcript.title.as_deref(), Some("make – all"));
    assert_eq!(transcript.lines[0][0].style.colour, Some(2));
    assert_eq!(transcript.requests, ["setting m", "capability 544e"]);
    assert_eq!(transcript.complaint(), None);
}
