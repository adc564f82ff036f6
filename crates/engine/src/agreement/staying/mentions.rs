//! Which functions a text mentions, by their names and by what stands before these.

use reduce_syntax::{is_number_type, tokens};
use std::collections::BTreeSet;

/// A name that a function may have, where it is mentioned.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FunctionName {
    pub(super) of: Of,
    pub(super) name: String,
}

/// What stands before the name of a function.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Of {
    /// Nothing: `f()`.
    Nothing,
    /// A value: `x.f()`.
    Value,
    /// `self.f()`, or `Self::f()`.
    Own { is_value: bool },
    /// A type, a trait or a module, such as `Unit` of `Unit::f()`.
    Path(String),
}

/// Whether a name is that of a type or a trait, or of a parameter that stands for one, by how it is written.
pub(super) fn is_type_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) || is_primitive(name)
}

pub(super) fn is_primitive(name: &str) -> bool {
    is_number_type(name) || matches!(name, "bool" | "char" | "str")
}

/// Whether the first parameter of a function is `self`.
pub(super) fn takes_self(text: &str) -> bool {
    let tokens = tokens(text).into_iter();
    let mut words = tokens.map(|token| &text[token.range()]);
    words.find(|word| *word == "fn");
    // Generics may have parentheses.
    let mut depth = 0;
    let is_list = |word: &&str| {
        let only = |bracket: char| word.chars().all(|one| one == bracket);
        match () {
            () if only('<') => depth += word.len(),
            () if only('>') => depth = depth.saturating_sub(word.len()),
            () => {}
        }
        depth == 0 && *word == "("
    };
    words.find(is_list);
    let is_before = |word: &&str| matches!(*word, "&" | "mut") || word.starts_with('\'');
    words.find(|word| !is_before(word)) == Some("self")
}

/// The names in a text that functions may have: no module or type is meant, of which a path goes on, and no function is
/// defined, which says nothing of others of its name. What stands behind a `.` and is not called is a field, and so is
/// what has a value or a type behind a `:`. What a pattern binds is a variable, unless it is called.
pub(super) fn names_of_functions(text: &str) -> BTreeSet<FunctionName> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(|token| &text[token.range()]).collect();
    let word = |idx: usize| words.get(idx).copied();
    let before = |idx: usize, n: usize| idx.checked_sub(n).and_then(word);
    let variables = variables(&words);
    let named = (0..tokens.len()).filter(|&idx| {
        let (next, is_generic) = (word(idx + 1), word(idx + 2) == Some("<"));
        let is_function = match before(idx, 1) {
            Some("fn") => false,
            Some(".") => matches!(next, Some("(" | "::")),
            Some("::") => next != Some(":") && (next != Some("::") || is_generic),
            _ => match next {
                Some("(") => true,
                Some("::") => is_generic,
                _ => !variables.contains(words[idx]),
            },
        };
        tokens[idx].kind.is_name() && is_function
    });
    let names = named.map(|idx| {
        let of = match (before(idx, 1), before(idx, 2)) {
            (Some("."), Some("self")) => Of::Own { is_value: true },
            (Some("."), _) => Of::Value,
            (Some("::"), Some("Self")) => Of::Own { is_value: false },
            (Some("::"), Some(of)) => Of::Path(of.to_owned()),
            _ => Of::Nothing,
        };
        let name = words[idx].to_owned();
        FunctionName { of, name }
    });
    names.collect()
}

/// The names that patterns bind in a function, and those that have a type or a value behind a `:`.
fn variables<'w>(words: &[&'w str]) -> BTreeSet<&'w str> {
    let mut bound = Vec::new();
    for (idx, &word) in words.iter().enumerate() {
        let rest = &words[idx + 1..];
        let until = |ends: &[&str]| rest.iter().take_while(|word| !ends.contains(word)).count();
        let begins_closure = || {
            let before = idx.checked_sub(1).map_or("(", |before| words[before]);
            matches!(
                before,
                "(" | "," | "=" | "move" | "{" | ";" | "=>" | "return"
            )
        };
        let pattern = match word {
            "let" => &rest[..until(&["=", ";", "else"])],
            "for" => &rest[..until(&["in", "{", ";"])],
            "|" if begins_closure() => &rest[..until(&["|"])],
            "=>" => &words[start_of_arm(words, idx)..idx],
            ":" => &words[idx.saturating_sub(1)..idx],
            _ => continue,
        };
        bound.extend_from_slice(pattern);
    }
    bound.into_iter().collect()
}

/// Where the pattern of an arm begins.
fn start_of_arm(words: &[&str], arrow: usize) -> usize {
    let mut depth = 0_usize;
    for idx in (0..arrow).rev() {
        match words[idx] {
            ")" | "]" | "}" if depth > 0 || words[idx] != "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" | "[" | "{" | "}" => return idx + 1,
            "," if depth == 0 => return idx + 1,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_functions_may_have_are_found() {
        let names = names_of_functions("self.a + S { b: 1 }.c(d) + e::<u8>()");
        let names: BTreeSet<&str> = names.iter().map(|one| &*one.name).collect();
        let names: Vec<&str> = names.into_iter().collect();
        assert_eq!(names, ["S", "c", "d", "e", "self", "u8"]);
        let found = |text: &str| {
            let names = names_of_functions(text).into_iter();
            let names = names.map(|one| one.name).filter(|name| name.len() == 1);
            names.collect::<String>()
        };
        assert_eq!(
            found("fn f(a: T) { let (mut b, c) = a; d(b, e, c); e(e) }"),
            "Tde"
        );
        assert_eq!(found("for a in b { x.map(|c| c + a) }"), "bx");
        assert_eq!(
            found("match a { S { b, .. } | (b, _) if b => c, d => d }"),
            "Sac"
        );
        assert_eq!(found("match a { b => { c } d => e }"), "ace");
        let names = names_of_functions("fn read(a: u8) -> bool { Unit::read(a) }");
        let mut read = names.iter().filter(|one| one.name == "read");
        assert_eq!(read.next().unwrap().of, Of::Path("Unit".to_owned()));
        assert_eq!(read.next(), None);
    }
}
