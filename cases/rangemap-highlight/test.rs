use rangemap::RangeMap;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Comment,
    Keyword,
    Number,
    Error,
    Selected,
}

impl Style {
    fn letter(self) -> char {
        match self {
            Style::Plain => '.',
            Style::Comment => 'c',
            Style::Keyword => 'k',
            Style::Number => 'n',
            Style::Error => 'E',
            Style::Selected => 's',
        }
    }
}

/// A diagnostic of a compiler, by line and column from 1.
#[derive(Debug)]
struct Diagnostic {
    line: usize,
    column: usize,
    length: usize,
}

impl Diagnostic {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, ':');
        let mut number = || parts.next()?.trim().parse().ok();
        Some(Diagnostic {
            line: number()?,
            column: number()?,
            length: number()?,
        })
    }
}

struct Buffer {
    text: String,
    styles: RangeMap<usize, Style>,
}

const KEYWORDS: [&str; 4] = ["fn", "let", "return", "while"];

impl Buffer {
    fn new(text: &str) -> Self {
        let mut buffer = Buffer {
            text: text.to_owned(),
            styles: RangeMap::new(),
        };
        if !text.is_empty() {
            buffer.styles.insert(0..text.len(), Style::Plain);
        }
        buffer.lex();
        buffer
    }

    fn lex(&mut self) {
        let text = self.text.clone();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let code = match line.find("//") {
                Some(comment) => {
                    let end = at + line.trim_end().len();
                    self.styles.insert(at + comment..end, Style::Comment);
                    &line[..comment]
                }
                None => line,
            };
            for word in words(code) {
                let content = &code[word.clone()];
                let range = at + word.start..at + word.end;
                if KEYWORDS.contains(&content) {
                    self.styles.insert(range, Style::Keyword);
                } else if content.chars().all(|c| c.is_ascii_digit()) {
                    self.styles.insert(range, Style::Number);
                }
            }
            at += line.len();
        }
    }

    fn offset(&self, line: usize, column: usize) -> Option<usize> {
        let mut start = 0;
        for (number, content) in self.text.split_inclusive('\n').enumerate() {
            if number + 1 == line {
                return (column <= content.len()).then(|| start + column - 1);
            }
            start += content.len();
        }
        None
    }

    fn report(&mut self, diagnostic: &Diagnostic) -> bool {
        match self.offset(diagnostic.line, diagnostic.column) {
            Some(start) => {
                let end = (start + diagnostic.length).min(self.text.len());
                self.styles.insert(start..end, Style::Error);
                true
            }
            None => false,
        }
    }

    fn select(&mut self, range: Range<usize>) {
        self.styles.insert(range, Style::Selected);
    }

    /// A letter for each byte, and a line for each line.
    fn picture(&self) -> String {
        self.text
            .bytes()
            .enumerate()
            .map(|(at, byte)| match (byte, self.styles.get(&at)) {
                (b'\n', _) => '\n',
                (_, Some(style)) => style.letter(),
                (_, None) => '?',
            })
            .collect()
    }
}

fn words(code: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in code.char_indices().chain([(code.len(), ' ')]) {
        match (c.is_alphanumeric() || c == '_', start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[test]
fn words_are_found() {
    assert_eq!(words("let a1 = 20;"), [0..3, 4..6, 9..11]);
    assert!(words(" = ;").is_empty());
}

#[test]
fn keywords_numbers_and_comments_have_their_styles() {
    let buffer = Buffer::new("x = 12; // let\n\tlet y = x\n");
    assert_eq!(buffer.picture(), "....nn..cccccc\n.kkk......\n");
}

#[test]
fn a_diagnostic_beyond_the_text_is_not_shown() {
    let mut buffer = Buffer::new(" a\n b\n");
    for text in ["3:1:1", "1:9:2"] {
        let diagnostic = Diagnostic::parse(text).unwrap();
        assert!(!buffer.report(&diagnostic), "{text}");
    }
    assert!(Diagnostic::parse("1:x:2").is_none());
    assert_eq!(buffer.picture(), "..\n..\n");
}

#[test]
fn a_selection_covers_what_is_below() {
    let mut buffer = Buffer::new("a = 1 + 2 // sum\n");
    buffer.select(2..12);
    assert_eq!(buffer.picture(), "..sssssssssscccc\n");
    assert_eq!(buffer.styles.len(), 4);
}

#[test]
fn an_error_at_the_end_of_a_token_is_shown() {
    let source = "\tfn f() {\n\t\treturn 1024 // too much\n\t}\n";
    let check = |diagnostics: &[&str], expected: [&str; 3]| {
        let mut buffer = Buffer::new(source);
        for text in diagnostics {
            let diagnostic = Diagnostic::parse(text).expect("a diagnostic");
            assert!(buffer.report(&diagnostic), "{text} is in the text");
        }
        let picture = buffer.picture();
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(lines, expected, "after {diagnostics:?}");
    };
    check(&[], [".kk......", "..kkkkkk.nnnn.ccccccccccc", ".."]);
    check(&["1:5:2"], [".kk.EE...", "..kkkkkk.nnnn.ccccccccccc", ".."]);
    check(
        &["1:5:1", "2:10:2"],
        [".kk.E....", "..kkkkkk.EEnn.ccccccccccc", ".."],
    );
    check(&["2:12:2"], [".kk......", "..kkkkkk.nnEE.ccccccccccc", ".."]);
    check(&["3:2:1"], [".kk......", "..kkkkkk.nnnn.ccccccccccc", ".E"]);
}
