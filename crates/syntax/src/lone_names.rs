//! Replaces the names that a program has only once by `_`, so that programs that differ in such names alone become equal.

use crate::lexer::tokens;
use crate::source::SourceTree;
use crate::token::{Token, TokenKind};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// The keywords of items whose names are replaced. Names that a format string may mention are left out.
const ITEMS: [&str; 6] = ["fn", "struct", "enum", "union", "trait", "type"];

/// Puts `_` in place of each name of an item, a field or a variant that occurs nowhere else in a tree, in whatever
/// meaning. `main` stays. White space and comments may be others.
///
/// Returns `None` where there is no such name.
#[must_use]
pub fn without_lone_names(tree: &SourceTree) -> Option<SourceTree> {
    let files: Vec<_> = tree
        .files()
        .map(|(file, _, text)| (file, &**text))
        .collect();
    let read = files.iter().map(|(_, text)| tokens(text));
    let read: Vec<Vec<Token>> = read.collect();
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for ((_, text), tokens) in files.iter().zip(&read) {
        for token in tokens.iter().filter(|token| token.kind.is_name()) {
            *counts.entry(&text[token.range()]).or_default() += 1;
        }
    }
    let mut without = tree.clone();
    let mut is_changed = false;
    for ((file, text), tokens) in files.iter().zip(&read) {
        let is_lone = |range: &Range<usize>| {
            let name = &text[range.clone()];
            name != "main" && counts.get(name) == Some(&1)
        };
        let lone: HashSet<usize> = names_of_definitions(text, tokens)
            .into_iter()
            .filter(is_lone)
            .map(|range| range.start)
            .collect();
        let words = tokens
            .iter()
            .map(|token| match lone.contains(&token.range().start) {
                true => "_",
                false => &text[token.range()],
            });
        let words: Vec<&str> = words.collect();
        is_changed |= !lone.is_empty();
        without.set_text(*file, Arc::from(words.join("\n")));
    }
    is_changed.then_some(without)
}

/// Finds the names in the definitions of items, fields and variants, as far as tokens tell.
fn names_of_definitions(text: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    let word = |idx: usize| tokens.get(idx).map(|token| &text[token.range()]);
    let is_plain = |idx: usize| {
        tokens
            .get(idx)
            .is_some_and(|token| token.kind == TokenKind::Ident)
    };
    let mut names = Vec::new();
    for idx in 0..tokens.len() {
        let Some(keyword) = word(idx).filter(|word| ITEMS.contains(word)) else {
            continue;
        };
        if !is_plain(idx + 1) {
            continue;
        }
        names.push(tokens[idx + 1].range());
        let is_data = matches!(keyword, "struct" | "enum" | "union");
        let opens =
            (idx + 2..tokens.len()).find(|&at| matches!(word(at), Some("{" | ";" | "(" | "=")));
        if let (true, Some(open)) = (is_data, opens.filter(|&open| word(open) == Some("{"))) {
            names.extend(names_of_parts(text, tokens, open, keyword == "enum"));
        }
    }
    names
}

/// Returns the places of the names of variants or fields in the braces that begin at token `open`.
fn names_of_parts(text: &str, tokens: &[Token], open: usize, is_enum: bool) -> Vec<Range<usize>> {
    let word = |idx: usize| tokens.get(idx).map(|token| &text[token.range()]);
    let mut names = Vec::new();
    let (mut depth, mut is_before) = (0_usize, false);
    for (idx, token) in tokens.iter().enumerate().skip(open) {
        match word(idx) {
            Some("(" | "[" | "{") => {
                depth += 1;
                is_before |= depth == 1;
            }
            Some(")" | "]" | "}") => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            Some(",") if depth == 1 => is_before = true,
            Some("pub" | "#") => {}
            Some(_) if depth == 1 && is_before && token.kind == TokenKind::Ident => {
                if is_enum || word(idx + 1) == Some(":") {
                    names.push(token.range());
                }
                is_before = false;
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn without(text: &str) -> Option<String> {
        let tree = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let without = without_lone_names(&tree)?;
        Some(without.text(without.root()).replace('\n', " "))
    }

    #[test]
    fn names_that_stand_once_are_left_out() {
        let text = "pub enum E<T> { A, #[x] B(T, u8), C { d: u8 } } fn f(e: E<u8>) { E::A; g() } fn main() {}";
        let expected = "pub enum E < T > { A , # [ x ] _ ( T , u8 ) , _ { d : u8 } } \
                        fn _ ( e : E < u8 > ) { E :: A ; g ( ) } fn main ( ) { }";
        assert_eq!(without(text).as_deref(), Some(expected));
        let text = "struct S { pub(crate) a: u8, b: T, r#in: u8 } union U { b: u8 } struct P(S);";
        let expected = "struct S { pub ( crate ) _ : u8 , b : T , r#in : u8 } union _ { b : u8 } \
                        struct _ ( S ) ;";
        assert_eq!(without(text).as_deref(), Some(expected));
    }

    #[test]
    fn where_no_name_stands_once_there_is_none() {
        assert_eq!(without("fn f() { f() }"), None);
        assert_eq!(without("fn main() { let a = b; }"), None);
        assert_eq!(without("enum E {"), Some("enum _ {".to_owned()));
        assert_eq!(without("struct"), None);
    }

    #[test]
    fn programs_that_differ_in_such_names_become_equal() {
        let text = "enum E { A, B, C } fn f(e: E) {}";
        let without_a = without(&text.replace("A, ", ""));
        assert_eq!(without_a, without(&text.replace("B, ", "")));
        assert_ne!(without_a, without(text));
    }
}
