//! The identifiers of a file, each with what its neighbours say about it. They are read from tokens,
//! not from syntax, so that the arguments of macros have them too.

use reduce_syntax::{is_name_part, tokens};
use std::collections::HashMap;

/// An identifier, interned.
pub(super) type Name = usize;

/// An identifier at a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) at: usize,
    pub(super) name: Name,
    pub(super) context: Context,
    pub(super) follows: Follows,
}

/// What the tokens around an identifier say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// Stands alone, or begins a path.
    Plain,
    /// `x.name`
    Field,
    /// `x.name(..)`
    Method,
    /// Goes on a path that this word begins, as an index; `None` for `<T>::name` and `::name`.
    Path(Option<usize>),
    /// Mentions nothing by itself: `self`, `$name`.
    Silent,
}

/// The keyword before an identifier, for text that has no syntax tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// `fn`, `struct` and the like.
    Definition,
    /// `let`, `mut` or `ref`.
    Binding,
    /// Anything else.
    Other,
}

/// Gives identifiers their numbers.
#[derive(Debug, Default)]
pub(super) struct Names<'s> {
    numbers: HashMap<&'s str, Name>,
    texts: Vec<&'s str>,
}

impl<'s> Names<'s> {
    fn intern(&mut self, text: &'s str) -> Name {
        let text = text.strip_prefix("r#").unwrap_or(text);
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() - 1
        })
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn text(&self, name: Name) -> &'s str {
        self.texts[name]
    }
}

/// The identifiers of a file in their order. Those in attributes are left out: most are the
/// compiler's own.
pub(super) fn words<'s>(text: &'s str, names: &mut Names<'s>) -> Vec<Word> {
    let code = tokens(text).into_iter().filter(|token| !token.is_doc);
    let code = code.map(|token| (token.range().start, &text[token.range()]));
    let mut scan = Scan {
        tokens: code.collect(),
        names,
        words: Vec::new(),
        last_word: None,
    };
    let mut idx = 0;
    while idx < scan.tokens.len() {
        idx = scan.token(idx);
    }
    scan.words
}

struct Scan<'n, 's> {
    tokens: Vec<(usize, &'s str)>,
    names: &'n mut Names<'s>,
    words: Vec<Word>,
    /// The token of the last word.
    last_word: Option<usize>,
}

impl<'s> Scan<'_, 's> {
    /// Reads a token; returns the index of the next.
    fn token(&mut self, idx: usize) -> usize {
        let (at, text) = self.tokens[idx];
        if text == "#" && (self.after(idx, 1) == "[" || self.after(idx, 1) == "!") {
            return self.end_of_attribute(idx);
        }
        if is_string(text) {
            self.captures(at, text);
        } else if is_word(text) {
            self.word(idx);
        }
        idx + 1
    }

    fn before(&self, idx: usize, steps: usize) -> &'s str {
        idx.checked_sub(steps)
            .map_or("", |before| self.tokens[before].1)
    }

    fn after(&self, idx: usize, steps: usize) -> &'s str {
        self.tokens.get(idx + steps).map_or("", |(_, text)| text)
    }

    fn end_of_attribute(&self, start: usize) -> usize {
        let mut depth = 0_usize;
        for idx in start + 1..self.tokens.len() {
            match self.tokens[idx].1 {
                "[" => depth += 1,
                "]" if depth <= 1 => return idx + 1,
                "]" => depth -= 1,
                "!" if depth == 0 => {}
                _ if depth == 0 => return idx,
                _ => {}
            }
        }
        self.tokens.len()
    }

    fn word(&mut self, idx: usize) {
        let (at, text) = self.tokens[idx];
        let context = self.context(idx);
        let follows = match self.before(idx, 1) {
            "const" if self.before(idx, 2) == "*" => Follows::Other,
            "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" | "mod" => {
                Follows::Definition
            }
            "let" | "mut" | "ref" => Follows::Binding,
            _ => Follows::Other,
        };
        let name = self.names.intern(text);
        self.words.push(Word {
            at,
            name,
            context,
            follows,
        });
        self.last_word = Some(idx);
    }

    fn context(&self, idx: usize) -> Context {
        let is_fragment = self.before(idx, 1) == ":" && self.before(idx, 3) == "$";
        if self.before(idx, 1) == "$" || is_fragment || is_own_path(self.tokens[idx].1) {
            return Context::Silent;
        }
        match (self.before(idx, 1), self.after(idx, 1)) {
            (".", "(" | "::") => Context::Method,
            (".", _) => Context::Field,
            ("::", _) => Context::Path(self.head(idx)),
            _ => Context::Plain,
        }
    }

    /// The word that begins the path that the word at `idx` goes on.
    fn head(&self, idx: usize) -> Option<usize> {
        let before = idx.checked_sub(2)?;
        if self.last_word != Some(before) {
            return None;
        }
        let last = self.words.len().checked_sub(1)?;
        match self.words[last].context {
            Context::Path(head) => head,
            Context::Plain | Context::Silent => Some(last),
            Context::Field | Context::Method => None,
        }
    }

    /// Variables in a format string: `{x}` and `{x:?}`.
    fn captures(&mut self, at: usize, text: &'s str) {
        let mut from = 0;
        while let Some(open) = text[from..].find('{').map(|found| from + found) {
            let start = open + 1;
            let len = text[start..].find(|c| !is_name_part(c)).unwrap_or(0);
            let (name, rest) = text[start..].split_at(len);
            let is_escape = text[..open].ends_with("\\u");
            if is_word(name) && rest.starts_with(['}', ':']) && !is_escape {
                self.capture(at + start, name);
            }
            // `{{` is a brace.
            from = start + usize::from(rest.starts_with('{') && len == 0);
        }
    }

    fn capture(&mut self, at: usize, text: &'s str) {
        let name = self.names.intern(text);
        self.words.push(Word {
            at,
            name,
            context: Context::Plain,
            follows: Follows::Other,
        });
        self.last_word = None;
    }
}

fn is_string(text: &str) -> bool {
    text.starts_with('"')
        || text.starts_with("r\"")
        || text.starts_with("r#") && text.ends_with('#')
}

fn is_word(text: &str) -> bool {
    let begins = |first: char| first == '_' || first.is_alphabetic();
    text.starts_with(begins)
        && !text.contains(['"', '\''])
        && text != "_"
        && KEYWORDS.binary_search(&text).is_err()
}

/// Whether a word begins a path into this crate, and means nothing else.
pub(super) fn is_own_path(text: &str) -> bool {
    matches!(text, "Self" | "self" | "super" | "crate")
}

/// Keywords that are never a name without `r#`, but for those that begin paths.
const KEYWORDS: [&str; 34] = [
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
    "return", "static", "struct", "trait", "true", "type", "unsafe", "use", "where", "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut names = Names::default();
        let found = words(text, &mut names);
        let shown: Vec<String> = found
            .iter()
            .map(|word| match word.context {
                Context::Plain => names.text(word.name).to_owned(),
                Context::Field => format!(".{}", names.text(word.name)),
                Context::Method => format!(".{}()", names.text(word.name)),
                Context::Path(None) => format!("::{}", names.text(word.name)),
                Context::Path(Some(head)) => {
                    let head = names.text(found[head].name);
                    format!("{head}::{}", names.text(word.name))
                }
                Context::Silent => format!("({})", names.text(word.name)),
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn neighbours_tell_fields_methods_and_paths() {
        check("a.b.c(d)", "a .b .c() d");
        check("a::b::c::<T>()", "a a::b a::c T");
        check("<T as U>::v", "T U ::v");
        check("0..x", "x");
    }

    #[test]
    fn keywords_literals_and_attributes_have_no_words() {
        check(
            "#![a] #[b([c])] fn d() { b'e' b\"f\" r\"g\" _ 1u8 'h }",
            "d",
        );
        check("# not_an_attribute", "not_an_attribute");
    }

    #[test]
    fn raw_identifiers_are_words() {
        check("r#type + r#a", "type a");
    }

    #[test]
    fn variables_of_macros_mention_nothing() {
        check("$x:expr; $crate::y", "(x) (expr) (crate) crate::y");
    }

    #[test]
    fn format_strings_mention_variables() {
        check(r#""{a} {b:?} {{c}} {} {0} \u{d}""#, "a b");
    }
}
