//! Lays out a text by its tokens alone, for texts that prettyplease cannot print because syn does not understand them.

use crate::lexer::tokens;
use crate::token::Token;

const INDENT: &str = "    ";
/// The width at which rustfmt breaks lines.
const MOST_COLUMNS: usize = 100;
/// The length of a token beyond which it may need a line of its own that is too long.
const LONGEST_TOKEN: usize = 60;

/// Lays a text out by its tokens alone: lines end at braces, at `;` and `,` between braces, and after attributes. Between two
/// tokens of a line there is a space where there was one, or a line's end. Comments stay, each on lines of its own.
#[must_use]
pub fn laid_out_by_tokens(text: &str) -> String {
    let mut layout = Layout {
        text,
        printed: String::with_capacity(text.len()),
        open: Vec::new(),
        ends_line: false,
    };
    let all = tokens(text);
    let mut done = 0;
    for (idx, token) in all.iter().enumerate() {
        let before = idx.checked_sub(1).map(|idx| all[idx]);
        layout.add(&text[done..token.range().start], before, *token);
        let next = all.get(idx + 1).map(|next| &text[next.range()]);
        layout.note(before, *token, next);
        done = token.range().end;
    }
    layout.comment(text[done..].trim());
    layout.printed.push('\n');
    layout.printed
}

/// Counts the lines of more than 100 columns that could be broken: a token of more than 60 fits nowhere else.
#[must_use]
pub fn count_long_lines(text: &str) -> usize {
    let columns = |part: &str| part.chars().count();
    let is_long = |line: &&str| {
        columns(line) > MOST_COLUMNS
            && tokens(line)
                .iter()
                .all(|token| columns(&line[token.range()]) <= LONGEST_TOKEN)
    };
    text.lines().filter(is_long).count()
}

/// Returns whether two texts have the same tokens, apart from commas, of which a layout adds some and leaves others out.
#[must_use]
pub fn has_same_tokens(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let all = tokens(text).into_iter();
        let words = all.map(|token| text[token.range()].to_owned());
        words.filter(|word| word != ",").collect()
    };
    words(one) == words(other)
}

struct Layout<'t> {
    text: &'t str,
    printed: String,
    /// The brackets that are open, and whether each is that of an attribute.
    open: Vec<(&'t str, bool)>,
    /// Whether the next token begins a new line.
    ends_line: bool,
}

impl<'t> Layout<'t> {
    /// Prints the next token, after the comments and the white space that belong before it. `between` is what stands
    /// before it in the text.
    fn add(&mut self, between: &str, before: Option<Token>, token: Token) {
        let word = &self.text[token.range()];
        let before = before.map(|before| &self.text[before.range()]);
        self.comment(between.trim());
        let closes = word == "}";
        if self.printed.is_empty() {
        } else if self.ends_line || closes && before != Some("{") {
            self.begin_line(usize::from(closes));
        } else {
            let was_apart = between.starts_with(char::is_whitespace);
            let is_close = matches!(word, "," | ";" | ")" | "]" | "." | "?" | "}");
            let is_open = matches!(before, Some("(" | "["));
            if was_apart && !is_close && !is_open {
                self.printed.push(' ');
            }
        }
        self.printed.push_str(word);
    }

    fn comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        if !self.printed.is_empty() {
            self.begin_line(0);
        }
        self.printed.push_str(comment);
        self.ends_line = true;
    }

    fn begin_line(&mut self, n_closing: usize) {
        self.printed.push('\n');
        let n_braces = self.open.iter().filter(|(open, _)| *open == "{").count();
        let indent = INDENT.repeat(n_braces.saturating_sub(n_closing));
        self.printed.push_str(&indent);
    }

    /// Notes whether a token opens or closes a bracket, or ends a line.
    fn note(&mut self, before: Option<Token>, token: Token, next: Option<&str>) {
        let word = &self.text[token.range()];
        let mut ends_attribute = false;
        match word {
            "{" | "(" | "[" => {
                let before = before.map(|before| &self.text[before.range()]);
                let is_attribute = word == "[" && matches!(before, Some("#" | "!"));
                self.open.push((word, is_attribute));
            }
            "}" | ")" | "]" => ends_attribute = self.open.pop().is_some_and(|(_, ends)| ends),
            _ => {}
        }
        let is_in_braces = self.open.last().is_none_or(|(open, _)| *open == "{");
        self.ends_line = match word {
            _ if token.is_doc() => true,
            "{" => next != Some("}"),
            "}" => is_in_braces && !next.is_some_and(continues),
            ";" => is_in_braces,
            "," => is_in_braces && !self.open.is_empty(),
            "]" => ends_attribute && is_in_braces,
            _ => false,
        };
    }
}

/// Returns whether syntax that ends in a brace goes on with this token.
fn continues(next: &str) -> bool {
    const ENDS: [&str; 9] = [",", ";", ")", "]", ".", "?", ">", "else", "as"];
    ENDS.contains(&next)
}

#[cfg(test)]
mod tests {
    use super::{count_long_lines, has_same_tokens, laid_out_by_tokens};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(laid_out_by_tokens(text), expected);
        assert_eq!(laid_out_by_tokens(expected), expected);
    }

    #[test]
    fn lines_end_at_braces_and_semicolons() {
        check(
            "\n\n\n#![feature(a)]\n\ntrait Tr<T: use<\n>> {}  fn f( x: [u8; 2] )\n{ let y = S { a: 1, b };\n\n\n if x {} else { g() } }\n\n",
            "#![feature(a)]\ntrait Tr<T: use< >> {}\nfn f(x: [u8; 2]) {\n    let y = S {\n        a: 1,\n        b\n    };\n    if x {} else {\n        g()\n    }\n}\n",
        );
    }

    #[test]
    fn comments_stay_and_empty_lines_go() {
        check(
            "// one\n\n\nfn f() {\n\n  /* two */ g() // three\n\n}\n\n// four",
            "// one\nfn f() {\n    /* two */\n    g()\n    // three\n}\n// four\n",
        );
    }

    #[test]
    fn lines_are_long_if_they_could_be_broken() {
        let call = format!("f({});", "argument, ".repeat(10));
        let literal = format!("f(\"{}\");", "a".repeat(100));
        assert_eq!(count_long_lines(&call), 1);
        assert_eq!(count_long_lines(&format!("{call}\n{literal}\n{call}")), 2);
        assert_eq!(count_long_lines(&literal), 0);
        assert_eq!(count_long_lines(&call[..100]), 0);
    }

    #[test]
    fn only_commas_may_be_others() {
        assert!(has_same_tokens("f(a, b,)", "f( a,\n b )"));
        assert!(!has_same_tokens("S { a, .. } = s", "S { a } = s"));
        assert!(!has_same_tokens("where #[a] T: U", "where T: U"));
    }

    #[test]
    fn brackets_without_a_partner_do_no_harm() {
        check("fn f() { ) } } x", "fn f() {\n    )\n}\n}\nx\n");
        check("", "\n");
    }
}
