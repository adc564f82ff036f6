//! Code in a page: a block with a button that copies it. The tokens of Rust code are coloured, as the compiler's
//! own lexer tells them apart.

use maud::{Escaper, Markup, PreEscaped, html};
use reduce_oracle::escape;
use reduce_syntax::{Token, TokenKind, tokens};
use std::borrow::Cow;
use std::fmt::Write;

/// The number of bytes above which code is not coloured.
const LONGEST_COLOURED: usize = 100_000;

/// The Rust keywords that are coloured, those of all editions.
const KEYWORDS: [&str; 44] = [
    "as",
    "async",
    "auto",
    "await",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "macro_rules",
    "match",
    "mod",
    "move",
    "mut",
    "pub",
    "ref",
    "return",
    "self",
    "Self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "type",
    "union",
    "unsafe",
    "use",
    "where",
    "while",
];

/// Makes a block of code in a language, as Markdown names it.
pub(super) fn block(language: &str, text: &str) -> Markup {
    let text = escape::lines(text);
    html! {
        div.code {
            button type="button" class="copy" aria-label="Copy this block" hidden { "Copy" }
            pre { code { (coloured(language, text)) } }
        }
    }
}

fn coloured(language: &str, text: Cow<'_, str>) -> Markup {
    match language {
        "rust" if text.len() <= LONGEST_COLOURED => rust(&text),
        "diff" => diff(&text),
        _ => html! { (text) },
    }
}

/// Colours Rust code by the kinds of its tokens.
pub(super) fn rust(text: &str) -> Markup {
    let mut out = String::with_capacity(text.len() * 3);
    let mut at = 0;
    let tokens = tokens(text);
    for (index, token) in tokens.iter().enumerate() {
        let range = token.range();
        // Only white space and comments are no tokens.
        push(&mut out, &text[at..range.start], Some("c"));
        let next = tokens.get(index + 1).map(|next| &text[next.range()]);
        push(&mut out, &text[range.clone()], class(*token, text, next));
        at = range.end;
    }
    push(&mut out, &text[at..], Some("c"));
    PreEscaped(out)
}

/// Returns the class of a token, which gives it its colour, as a letter.
fn class(token: Token, text: &str, next: Option<&str>) -> Option<&'static str> {
    let word = &text[token.range()];
    match token.kind {
        TokenKind::Ident if KEYWORDS.contains(&word) => Some("k"),
        TokenKind::Ident | TokenKind::RawIdent if next == Some("!") => Some("m"),
        TokenKind::Ident if word.starts_with(char::is_uppercase) => Some("t"),
        TokenKind::Lifetime => Some("l"),
        TokenKind::Integer | TokenKind::Float => Some("n"),
        TokenKind::OuterDoc | TokenKind::InnerDoc => Some("c"),
        kind if kind.is_literal() => Some("s"),
        _ => None,
    }
}

/// Adds a text to the HTML, in a `span` of its class unless it is white space.
fn push(out: &mut String, text: &str, class: Option<&str>) {
    let class = class.filter(|_| !text.trim().is_empty());
    if let Some(class) = class {
        write!(out, "<span class={class}>").expect("writing to a string does not fail");
    }
    Escaper::new(out)
        .write_str(text)
        .expect("writing to a string does not fail");
    if class.is_some() {
        out.push_str("</span>");
    }
}

/// Colours a unified difference, line by line.
fn diff(text: &str) -> Markup {
    html! {
        @for line in text.split_inclusive('\n') {
            @let is_header = line.starts_with("--- ") || line.starts_with("+++ ");
            @match line.as_bytes().first() {
                _ if is_header => (line),
                Some(b'+') => ins { (line) },
                Some(b'-') => del { (line) },
                _ => (line),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, expected: &str) {
        assert_eq!(rust(code).into_string(), expected);
    }

    #[test]
    fn tokens_have_the_colours_of_their_kinds() {
        check(
            "fn f<'a>(x: Vec<u8>) { panic!(\"a\", 1.5) } // end",
            "<span class=k>fn</span> f&lt;<span class=l>'a</span>&gt;(x: <span class=t>Vec</span>&lt;u8&gt;) \
             { <span class=m>panic</span>!(<span class=s>&quot;a&quot;</span>, <span class=n>1.5</span>) }\
             <span class=c> // end</span>",
        );
    }

    #[test]
    fn code_that_does_not_parse_has_all_of_its_text() {
        for code in ["fn f( { \"", "'", "/* a", "r#\"</script>", "é\u{2028}<b>"] {
            let text = rust(code).into_string();
            let plain = text.replace("</span>", "");
            let plain = KINDS.iter().fold(plain, |text, kind| {
                text.replace(&format!("<span class={kind}>"), "")
            });
            assert_eq!(plain, html! { (code) }.into_string());
        }
    }

    const KINDS: [&str; 7] = ["k", "m", "t", "l", "n", "c", "s"];

    #[test]
    fn lines_of_a_difference_have_a_colour() {
        let text = block("diff", " a\n-<b>\n+c\n").into_string();
        assert!(
            text.contains("<code> a\n<del>-&lt;b&gt;\n</del><ins>+c\n</ins></code>"),
            "{text}"
        );
    }
}
