//! Extracts the bodies of functions from the right sides of `macro_rules!` rules, as text that syn can parse.
//!
//! A variable of the macro becomes a name, and of a repetition its content stays, so that a byte of that text is what
//! the same byte of the definition is.

use reduce_syntax::{TokenCursor, TokenKind};
use std::collections::BTreeMap;
use std::ops::Range;

/// The body of a function that a rule of a macro defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TranscribedBody {
    /// The function's name, or the macro variable in its place.
    pub(super) name: String,
    /// The bytes of the definition from `fn` to the end of the body.
    pub(super) function: Range<usize>,
    /// The body with its braces.
    pub(super) body: Range<usize>,
    /// The text of the body as plain Rust, without `$` and repetitions.
    pub(super) plain: String,
}

/// Returns the bodies of the functions in a macro's rules, from the text between the braces of its definition.
pub(super) fn transcribed_bodies(definition: &str) -> Vec<TranscribedBody> {
    let Some(cursor) = TokenCursor::balanced(definition) else {
        return Vec::new();
    };
    let rules = rules(&cursor).into_iter();
    let bodies = rules.flat_map(|rule| bodies_of_rule(&cursor, &rule));
    bodies.collect()
}

/// A rule of a macro: the tokens of its pattern, and the tokens that a call becomes.
struct Rule {
    pattern: Range<usize>,
    transcriber: Range<usize>,
}

/// Reads the rules of a macro, up to the first tokens that are no rule.
fn rules(cursor: &TokenCursor<'_>) -> Vec<Rule> {
    let mut at = 0;
    let next = || {
        let arrow = cursor.closing(at)? + 1;
        let end = cursor.closing(arrow + 1)?;
        let rule = Rule {
            pattern: at + 1..arrow - 1,
            transcriber: arrow + 2..end,
        };
        at = end + 1 + usize::from(cursor.is(end + 1, ";"));
        cursor.is(arrow, "=>").then_some(rule)
    };
    std::iter::from_fn(next).collect()
}

fn bodies_of_rule(cursor: &TokenCursor<'_>, rule: &Rule) -> Vec<TranscribedBody> {
    let fragments = fragments(cursor, &rule.pattern);
    let mut bodies = Vec::new();
    let mut at = rule.transcriber.start;
    // A function counts in whatever brackets it stands.
    while let Some(keyword) = (at..rule.transcriber.end).find(|&idx| cursor.is(idx, "fn")) {
        at = keyword + 1;
        let Some((name, open)) = head(cursor, keyword) else {
            continue;
        };
        let Some(close) = cursor.closing(open) else {
            continue;
        };
        at = close + 1;
        bodies.push(TranscribedBody {
            name,
            function: cursor.bytes(keyword, close),
            body: cursor.bytes(open, close),
            plain: plain(cursor, open..close + 1, &fragments),
        });
    }
    bodies
}

/// Returns the name of the function whose `fn` is at a token, and the brace that opens its body.
fn head(cursor: &TokenCursor<'_>, keyword: usize) -> Option<(String, usize)> {
    let name = keyword + 1 + usize::from(cursor.is(keyword + 1, "$"));
    let mut at = name + 1;
    if cursor.is(at, "<") {
        at = cursor.skip_angles(at);
    }
    if !cursor.is_name(name) || !cursor.is(at, "(") {
        return None;
    }
    loop {
        at = cursor.skip_group(at);
        match cursor.word(at) {
            "{" => return Some((cursor.word(name).to_owned(), at)),
            "" | ";" | "," | "}" | ")" | "]" | "fn" => return None,
            _ => {}
        }
    }
}

/// Returns the kind of syntax, such as `expr`, of each variable in a rule's pattern.
fn fragments<'t>(cursor: &TokenCursor<'t>, pattern: &Range<usize>) -> BTreeMap<&'t str, &'t str> {
    let variables = pattern
        .clone()
        .filter(|&idx| cursor.is(idx, "$") && cursor.is_name(idx + 1) && cursor.is(idx + 2, ":"));
    let named = variables.map(|idx| (cursor.word(idx + 1), cursor.word(idx + 3)));
    named.collect()
}

/// Returns the text of some tokens as plain Rust, without `$` and repetitions.
fn plain(
    cursor: &TokenCursor<'_>,
    tokens: Range<usize>,
    fragments: &BTreeMap<&str, &str>,
) -> String {
    let bytes = cursor.bytes_of(&tokens);
    let mut text = PlainText {
        start: bytes.start,
        bytes: cursor.text()[bytes].as_bytes().to_vec(),
    };
    for idx in tokens.filter(|&idx| cursor.is(idx, "$")) {
        if let Some(close) = cursor.closing(idx + 1).filter(|_| cursor.is(idx + 1, "(")) {
            text.blank(cursor.bytes(idx, idx + 1));
            text.blank(cursor.bytes(close, end_of_repetition(cursor, close)));
            continue;
        }
        let variable = cursor.bytes(idx, idx + 1);
        match fragments.get(cursor.word(idx + 1)).copied() {
            Some("vis" | "item") => text.blank(variable),
            Some("lifetime") => text.put(variable.start, b'\''),
            Some("block" | "stmt") => {
                text.blank(variable.clone());
                text.put(variable.start, b'{');
                text.put(variable.end - 1, b'}');
            }
            _ => text.put(variable.start, b'_'),
        }
    }
    String::from_utf8(text.bytes).expect("whole characters became spaces")
}

/// Returns the last token of a repetition, which is its `*`, `+` or `?`; `close` is the bracket before it.
fn end_of_repetition(cursor: &TokenCursor<'_>, close: usize) -> usize {
    let is_operator = |idx: usize| matches!(cursor.word(idx), "*" | "+" | "?");
    let has_separator = cursor
        .kind(close + 1)
        .is_some_and(|kind| kind != TokenKind::CloseParenthesis);
    match is_operator(close + 1) && !(cursor.is(close + 1, "+") && cursor.are(close + 2, &["*"])) {
        true => close + 1,
        false if has_separator && is_operator(close + 2) => close + 2,
        false => close,
    }
}

/// A text in the making, in which some bytes of a macro's definition are replaced.
struct PlainText {
    /// The byte of the definition where the text begins.
    start: usize,
    bytes: Vec<u8>,
}

impl PlainText {
    fn blank(&mut self, range: Range<usize>) {
        self.bytes[range.start - self.start..range.end - self.start].fill(b' ');
    }

    fn put(&mut self, at: usize, byte: u8) {
        self.bytes[at - self.start] = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares names and texts of the bodies, without spaces that follow each other.
    #[track_caller]
    fn check(definition: &str, expected: &[(&str, &str)]) {
        let bodies = transcribed_bodies(definition);
        let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let found: Vec<_> = bodies
            .iter()
            .map(|one| (one.name.clone(), spaced(&one.plain)))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
        assert_eq!(found, expected);
        for body in bodies {
            assert_eq!(body.body.len(), body.plain.len());
            assert!(definition[body.function].starts_with("fn "));
        }
    }

    #[test]
    fn variables_become_names() {
        check(
            "($a:expr, $t:ty) => { impl $t { fn f(&self) -> bool { self.0 < $a && $crate::g::<$t>() } } };",
            &[("f", "{ self.0 < _a && _crate::g::<_t>() }")],
        );
        check(
            "($n:ident, $l:lifetime, $b:block) => { fn $n<$l>(a: &$l u8) { loop $b break $l; } }",
            &[("n", "{ loop {} break 'l; }")],
        );
    }

    #[test]
    fn of_a_repetition_its_content_stays() {
        check(
            "($($a:expr),*) => { fn f() { g($($a),*); $(h($a);)+ $($a)||* } }",
            &[("f", "{ g( _a ); h(_a); _a }")],
        );
    }

    #[test]
    fn each_rule_and_each_call_of_another_macro_is_looked_at() {
        check(
            "() => { m! { fn f(a) { a } fn g(b) { b } } }; (a) => [fn h() {}]",
            &[("f", "{ a }"), ("g", "{ b }"), ("h", "{}")],
        );
    }

    #[test]
    fn what_is_no_function_with_a_body_is_passed_over() {
        check(
            "($a:ty) => { type A = fn($a) -> u8; fn f(); const B: u8 = { 1 + 2 }; }",
            &[],
        );
        check("(fn f() { 1 + 2 }) => {}", &[]);
        check("no rule", &[]);
    }
}
