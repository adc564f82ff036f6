//! The words of a crate: identifiers and lifetimes by their places, and spellings by numbers. They are
//! read from tokens, not from syntax, so that the arguments and bodies of macros have them too.

use crate::ids::{NameId, Position, WordId};
use reduce_syntax::{FileId, TokenCursor, is_name_part};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// An identifier or lifetime at one place of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    pub(crate) file: FileId,
    pub(crate) at: usize,
    pub(crate) name: NameId,
    pub(crate) hint: Hint,
}

/// The syntax around a word, as far as the tokens beside it tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hint {
    /// The word stands alone, or begins a path.
    Plain,
    /// The word stands after a dot, as in `x.name`.
    Field,
    /// The word is that of a method that is called, as in `x.name(..)`.
    Method,
    /// The word stands after `::`, as in `a::name`, after this word; `None` for `<T>::name` and
    /// `::name`.
    After(Option<WordId>),
    /// The word is that of a macro that is called, as in `name!`.
    MacroCall,
    /// The word is defined, as in `fn name`, `struct name` and the like.
    Definition,
    /// The word is bound, as in `let name`, `mut name`, `ref name`.
    Binding,
    /// The word stands in a format string, as in `{name}`.
    Captured,
    /// The word mentions nothing: it is `$name`, or the kind of a fragment.
    Silent,
}

/// All words of a crate in the order of its files and places.
#[derive(Debug, Default)]
pub(crate) struct Words {
    all: Vec<Word>,
    /// The index in `all` at which the words of each file begin, and the index at which they end.
    files: BTreeMap<FileId, (usize, usize)>,
    texts: Vec<Arc<str>>,
    names: HashMap<Arc<str>, NameId>,
}

impl Words {
    /// Reads the words of a file. Files are read in their order.
    pub(crate) fn read(&mut self, file: FileId, text: &str) {
        let start = self.all.len();
        let mut reading = FileWords {
            cursor: TokenCursor::without_docs(text),
            file,
            words: self,
            last_word: None,
        };
        let mut idx = 0;
        while idx < reading.cursor.len() {
            idx = reading.token(idx);
        }
        let end = self.all.len();
        self.files.insert(file, (start, end));
    }

    pub(crate) fn get(&self, word: WordId) -> &Word {
        &self.all[word.idx()]
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = WordId> + use<> {
        (0..self.all.len()).map(WordId::new)
    }

    /// Returns the words of a file that begin in a range of it.
    pub(crate) fn within(
        &self,
        file: FileId,
        range: &std::ops::Range<usize>,
    ) -> impl Iterator<Item = WordId> + use<> {
        let (start, end) = self.files.get(&file).copied().unwrap_or_default();
        let words = &self.all[start..end];
        let below = |at: usize| start + words.partition_point(|word| word.at < at);
        (below(range.start)..below(range.end)).map(WordId::new)
    }

    /// Returns the word at a place. There is none where the lexers do not agree.
    pub(crate) fn at(&self, Position { file, at }: Position) -> Option<WordId> {
        let &(start, end) = self.files.get(&file)?;
        let found = self.all[start..end].binary_search_by_key(&at, |word| word.at);
        found.ok().map(|idx| WordId::new(start + idx))
    }

    pub(crate) fn text(&self, name: NameId) -> &str {
        &self.texts[name.idx()]
    }

    pub(crate) fn name(&self, text: &str) -> Option<NameId> {
        self.names.get(without_raw(text)).copied()
    }

    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        let text = without_raw(text);
        if let Some(&known) = self.names.get(text) {
            return known;
        }
        let name = NameId::new(self.texts.len());
        let text: Arc<str> = Arc::from(text);
        self.texts.push(text.clone());
        self.names.insert(text, name);
        name
    }
}

fn without_raw(text: &str) -> &str {
    text.strip_prefix("r#").unwrap_or(text)
}

/// Reads the words of one file.
struct FileWords<'f> {
    cursor: TokenCursor<'f>,
    file: FileId,
    words: &'f mut Words,
    /// The index of the token of the last word that was read.
    last_word: Option<usize>,
}

impl FileWords<'_> {
    /// Reads a token; returns the index of the next.
    fn token(&mut self, idx: usize) -> usize {
        let end_of_attribute = self.cursor.skip_attribute(idx);
        if end_of_attribute > idx {
            return end_of_attribute;
        }
        let (at, text) = (self.cursor.range(idx).start, self.cursor.word(idx));
        if self.cursor.is_string(idx) {
            self.captures(at, text);
        } else if self.cursor.is_lifetime(idx) || self.cursor.is_name(idx) && !is_keyword(text) {
            let hint = self.hint(idx);
            self.push(at, text, hint);
            self.last_word = Some(idx);
        }
        idx + 1
    }

    fn push(&mut self, at: usize, text: &str, hint: Hint) {
        let name = self.words.intern(text);
        self.words.all.push(Word {
            file: self.file,
            at,
            name,
            hint,
        });
    }

    fn hint(&self, idx: usize) -> Hint {
        let is_fragment = self.cursor.before(idx, 1) == ":" && self.cursor.before(idx, 3) == "$";
        if self.cursor.before(idx, 1) == "$" || is_fragment {
            return Hint::Silent;
        }
        match (self.cursor.before(idx, 1), self.cursor.word(idx + 1)) {
            (".", "(" | "::") => Hint::Method,
            (".", _) => Hint::Field,
            ("::", _) => Hint::After(self.word_before(idx)),
            (_, "!") if self.cursor.word(idx + 2) != "=" => Hint::MacroCall,
            ("const", _) if self.cursor.before(idx, 2) == "*" => Hint::Plain,
            (
                "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" | "mod",
                _,
            ) => Hint::Definition,
            // `static mut`, and `static ref` of `lazy_static!`.
            ("mut" | "ref", _) if self.cursor.before(idx, 2) == "static" => Hint::Definition,
            ("let" | "mut" | "ref", _) => Hint::Binding,
            _ => Hint::Plain,
        }
    }

    /// Returns the word before the `::` that stands before a word.
    fn word_before(&self, idx: usize) -> Option<WordId> {
        let before = idx.checked_sub(2)?;
        let is_last = self.last_word == Some(before);
        is_last.then(|| WordId::new(self.words.all.len() - 1))
    }

    /// Reads the variables in a format string: `{x}` and `{x:?}`.
    fn captures(&mut self, at: usize, text: &str) {
        for (start, name) in captured_names(text) {
            self.push(at + start, name, Hint::Captured);
            self.last_word = None;
        }
    }
}

/// Returns the variables in a format string, as in `"{x} {y:?}"`, each with the byte at which it stands.
#[must_use]
pub fn captured_names(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find('{').map(|found| from + found) {
        let start = open + 1;
        let len = text[start..].find(|c| !is_name_part(c)).unwrap_or(0);
        let (name, rest) = text[start..].split_at(len);
        let is_escape = text[..open].ends_with("\\u");
        let is_name = name.starts_with(|first: char| !first.is_numeric()) && !is_keyword(name);
        if is_name && rest.starts_with(['}', ':']) && !is_escape {
            found.push((start, name));
        }
        // `{{` is a brace.
        from = start + usize::from(rest.starts_with('{') && len == 0);
    }
    found
}

/// Returns whether a word is never a name, nor begins a path.
#[must_use]
pub fn is_keyword(text: &str) -> bool {
    text == "_" || KEYWORDS.binary_search(&text).is_ok()
}

/// The keywords that are never a name without `r#`, but for those that begin paths.
const KEYWORDS: [&str; 34] = [
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
    "return", "static", "struct", "trait", "true", "type", "unsafe", "use", "where", "while",
];

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let mut words = Words::default();
        words.read(sources.root(), text);
        let shown: Vec<String> = words
            .ids()
            .map(|id| {
                let word = words.get(id);
                let name = words.text(word.name);
                match word.hint {
                    Hint::Plain => name.to_owned(),
                    Hint::Field => format!(".{name}"),
                    Hint::Method => format!(".{name}()"),
                    Hint::After(None) => format!("::{name}"),
                    Hint::After(Some(head)) => {
                        format!("{}::{name}", words.text(words.get(head).name))
                    }
                    Hint::MacroCall => format!("{name}!"),
                    Hint::Definition => format!("def {name}"),
                    Hint::Binding => format!("let {name}"),
                    Hint::Captured => format!("{{{name}}}"),
                    Hint::Silent => format!("({name})"),
                }
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
        check("a::b::c::<T>()", "a a::b b::c T");
        check("<T as U>::v", "T U ::v");
        check("0..x", "x");
        check("m!(a != b)", "m! a b");
    }

    #[test]
    fn keywords_before_a_word_tell_definitions() {
        check("fn f() { let mut x = y; }", "def f let x y");
        check("*const T", "T");
    }

    #[test]
    fn keywords_literals_and_attributes_have_no_words() {
        check(
            "#![a] #[b([c])] fn d() { b'e' b\"f\" r\"g\" _ 1u8 }",
            "def d",
        );
        check("# not_an_attribute", "not_an_attribute");
    }

    #[test]
    fn raw_identifiers_and_lifetimes_are_words() {
        check("r#type + r#a + &'x T + 'c'", "type a 'x T");
    }

    #[test]
    fn variables_of_macros_mention_nothing() {
        check("$x:expr; $crate::y", "(x) (expr) (crate) crate::y");
    }

    #[test]
    fn format_strings_mention_variables() {
        check(r#""{a} {b:?} {{c}} {} {0} \u{d}""#, "{a} {b}");
    }
}
