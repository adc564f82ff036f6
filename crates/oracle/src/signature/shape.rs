//! The shape of an error or a warning: the words of its message without names, types and numbers, and the trait or lint that it
//! names. Two errors of the same code with other shapes are two errors: `Rc<usize>` cannot be sent between threads, and a trait
//! bound is not satisfied.
//!
//! A program shrinks, and its errors with it: of three arguments one is left, of four missing fields one, and a struct becomes
//! `()`. So words are taken in the singular, a list is as one element, and words that say of which kind a type is go with the type.
//!
//! See docs/decisions/signatures.md.

use super::message::{Part, parts, print};

/// Words that stand before the name of a trait or a lint in messages.
const NAMING: [&str; 7] = [
    "trait",
    "traits",
    "implement",
    "implements",
    "implementing",
    "lint",
    "lints",
];
/// Traits of what can be called, which an error names like a type.
const CALLABLE: [&str; 6] = [
    "Fn",
    "FnMut",
    "FnOnce",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
];
/// Words that stand before a type in messages and tell its kind, such as `array`.
const OF_TYPES: [&str; 24] = [
    "alias",
    "array",
    "associated",
    "closure",
    "coroutine",
    "enum",
    "float",
    "fn",
    "integer",
    "item",
    "mutable",
    "opaque",
    "parameter",
    "pointer",
    "raw",
    "reference",
    "slice",
    "str",
    "struct",
    "tuple",
    "type",
    "union",
    "unit",
    "variant",
];
/// Prepositions before the name at the end of a message, such as `in`.
const PREPOSITIONS: [&str; 3] = ["for", "in", "of"];
/// Words in the plural that do not end with `s`, or would be another word without it.
const IRREGULAR: [(&str, &str); 6] = [
    ("are", "is"),
    ("were", "was"),
    ("have", "has"),
    ("do", "does"),
    ("don't", "doesn't"),
    ("these", "this"),
];

/// Returns the shape of a message, on one line.
pub(crate) fn shape(message: &str) -> String {
    let parts = parts(message, &|text, before| match named(text, before) {
        Some(name) => Part::Word(name),
        None => Part::Hole,
    });
    let singular = parts.into_iter().map(|part| match part {
        Part::Word(word) => Part::Word(singular(word)),
        part => part,
    });
    let mut shaped = Vec::new();
    singular.for_each(|part| push(&mut shaped, part));
    if let [.., Part::Word(last), Part::Hole] = &shaped[..]
        && PREPOSITIONS.contains(&last.as_str())
    {
        shaped.truncate(shaped.len() - 2);
    }
    print(&shaped)
}

/// Adds a part of a message to its shape, unless it only continues a list of names that the shape ends with.
fn push(shaped: &mut Vec<Part>, part: Part) {
    match &part {
        Part::Hole => {
            while shaped.last().is_some_and(|last| is_any_of(last, &OF_TYPES)) {
                shaped.pop();
            }
            match list_before(shaped) {
                Some(length) => shaped.truncate(length),
                None => shaped.push(part),
            }
        }
        // `multiple fields are never read` says no names.
        Part::Word(_) if shaped.last() == Some(&word("multiple")) => {
            shaped.pop();
            shaped.push(part);
            shaped.push(Part::Hole);
        }
        Part::Word(_) => match counted_before(shaped, &part) {
            Some(length) => shaped.truncate(length),
            None => shaped.push(part),
        },
        _ => shaped.push(part),
    }
}

/// Counts the parts up to the end of a list, behind which the number of its other elements stands, and the word that
/// ends that: `.., .. and 3 more`, `.., .. and 3 other fields`.
fn counted_before(parts: &[Part], next: &Part) -> Option<usize> {
    match parts {
        [list @ .., Part::Number] if is_any_of(next, &["more"]) => list_before(list),
        [list @ .., Part::Number, last] if is_any_of(last, &["other"]) => list_before(list),
        _ => None,
    }
}

/// Counts the parts up to the end of a list of names, if only a comma, `and`, `or` or several of these follow.
fn list_before(parts: &[Part]) -> Option<usize> {
    let is_between = |part: &&Part| **part == Part::Mark(',') || is_any_of(part, &["and", "or"]);
    let n_between = parts.iter().rev().take_while(is_between).count();
    let length = parts.len() - n_between;
    let is_list = n_between > 0 && parts[..length].last() == Some(&Part::Hole);
    is_list.then_some(length)
}

fn is_any_of(part: &Part, words: &[&str]) -> bool {
    matches!(part, Part::Word(word) if words.contains(&word.as_str()))
}

fn word(text: &str) -> Part {
    Part::Word(text.to_owned())
}

/// Returns a word of a message in the singular.
fn singular(word: String) -> String {
    let irregular = IRREGULAR.iter().find(|(plural, _)| *plural == word);
    if let Some((_, singular)) = irregular {
        return (*singular).to_owned();
    }
    let is_plural = word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase());
    let is_other = ["ss", "us", "is", "oes", "ways"].iter();
    match word.strip_suffix('s') {
        Some(stem) if is_plural && !is_other.clone().any(|end| word.ends_with(end)) => {
            stem.to_owned()
        }
        _ => word,
    }
}

/// Returns the trait or lint that a text in backticks names: in a bound, as the trait of a projection, or behind a word that says
/// so.
fn named(text: &str, before: &[Part]) -> Option<String> {
    let inner = text.strip_prefix('`')?.strip_suffix('`')?;
    if let Some(bound) = after_outside(inner, ": ") {
        return Some(format!("`..: {}`", name_of_trait(bound)?));
    }
    if let Some(projected) = inner.strip_prefix('<') {
        let name = name_of_trait(after_outside(projected, " as ")?)?;
        return Some(format!("`<.. as {name}>`"));
    }
    let name = path_of(inner);
    let is_named = match before {
        [.., last] if is_any_of(last, &["lint", "lints"]) => return Some(format!("`{name}`")),
        [.., last] if is_any_of(last, &NAMING) => true,
        [.., last, Part::Mark(':')] if is_any_of(last, &["lint"]) => {
            return Some(format!("`{name}`"));
        }
        [.., implementation, of] if is_any_of(of, &["of"]) => {
            is_any_of(implementation, &["implementation", "implementations"])
        }
        _ => CALLABLE.contains(&name),
    };
    is_named
        .then(|| name_of_trait(inner))
        .flatten()
        .map(|name| format!("`{name}`"))
}

/// Returns the name of a trait without its path and arguments; `None` for a lifetime, and for what is no trait.
fn name_of_trait(text: &str) -> Option<&str> {
    let mut text = text;
    if let Some(quantified) = text.strip_prefix("for<") {
        text = quantified.split_once("> ")?.1;
    }
    for prefix in ["?", "~const ", "[const] ", "const ", "dyn "] {
        text = text.strip_prefix(prefix).unwrap_or(text);
    }
    let name = path_of(text).rsplit("::").next().unwrap_or_default();
    name.starts_with(char::is_uppercase).then_some(name)
}

/// Returns the path at the beginning of a text, without arguments.
fn path_of(text: &str) -> &str {
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let end = text.find(|c| !is_of_path(c)).unwrap_or(text.len());
    text[..end].trim_end_matches(':')
}

/// Returns the text behind the first `separator` that is in no brackets.
fn after_outside<'a>(text: &'a str, separator: &str) -> Option<&'a str> {
    let mut depth = 0_i32;
    let mut last = ' ';
    for (at, char) in text.char_indices() {
        match char {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if matches!(last, '-' | '=') => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        if depth == 0
            && let Some(rest) = text[at..].strip_prefix(separator)
        {
            return Some(rest);
        }
        last = char;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[track_caller]
    fn check(table: &[(&str, &str)]) {
        for (message, expected) in table {
            assert_eq!(shape(message), *expected, "{message}");
        }
    }

    #[test]
    fn the_words_of_a_message_stay_and_names_types_and_numbers_go() {
        check(&[
            (
                "`Rc<usize>` cannot be sent between threads safely",
                ".. cannot be sent between thread safely",
            ),
            ("mismatched types", "mismatched type"),
            (
                "cannot find value `x` in this scope",
                "cannot find value .. in this scope",
            ),
            (
                "this function takes 3 arguments but 1 argument was supplied",
                "this function take N argument but N argument was supplied",
            ),
            (
                "cannot borrow `*self` as mutable more than once at a time",
                "cannot borrow .. as mutable more than once at a time",
            ),
            (
                "`{closure@src/main.rs:3:5: 3:7}` cannot be shared between threads safely",
                ".. cannot be shared between thread safely",
            ),
            ("cannot add `&str` to `{integer}`", "cannot add .. to .."),
            ("function `f` is never used", "function .. is .. used"),
        ]);
    }

    #[test]
    fn a_trait_that_is_named_counts_without_its_path_and_arguments() {
        check(&[
            (
                "the trait bound `{integer}: Stage` is not satisfied",
                "the trait bound `..: Stage` is not satisfied",
            ),
            (
                "the trait bound `for<'a> fn(&'a str) -> T {f::<a: b>}: m::Handler<'_, (A, B)>` is not satisfied",
                "the trait bound `..: Handler` is not satisfied",
            ),
            (
                "the trait bound `X: for<'a> Visit<&'a u8>` is not satisfied",
                "the trait bound `..: Visit` is not satisfied",
            ),
            (
                "`Ledger` doesn't implement `std::fmt::Display`",
                ".. doesn't implement `Display`",
            ),
            (
                "conflicting implementations of trait `From<A>` for type `B`",
                "conflicting implementation of trait `From`",
            ),
            (
                "implementation of `FnOnce` is not general enough",
                "implementation of `FnOnce` is not general enough",
            ),
            (
                "type mismatch resolving `<Map<I, F> as Iterator>::Item == u32`",
                "type mismatch resolving `<.. as Iterator>`",
            ),
            (
                "expected a `FnMut(u8)` closure, found `()`",
                "expected a `FnMut` closure, found ..",
            ),
            (
                "the lifetime bound `T: 'a` is missing",
                "the lifetime bound .. is missing",
            ),
        ]);
    }

    #[test]
    fn a_lint_that_is_named_counts() {
        check(&[
            (
                "unknown lint: `own::old_name`",
                "unknown lint: `own::old_name`",
            ),
            (
                "lint `old_name` has been removed",
                "lint `old_name` has been removed",
            ),
        ]);
    }

    #[test]
    fn a_message_of_one_name_is_like_that_of_several() {
        let alike = [
            [
                "missing field `a` in initializer of `S`",
                "missing fields `a`, `b` and `c` in initializer of `Sale`",
                "missing fields `a`, `b`, `c` and 2 other fields in initializer of `Sale`",
            ],
            [
                "non-exhaustive patterns: `None` not covered",
                "non-exhaustive patterns: `None` and `Some(_)` not covered",
                "non-exhaustive patterns: `A`, `B`, `C` and 3 more not covered",
            ],
            [
                "field `a` is never read",
                "fields `a` and `b` are never read",
                "multiple fields are never read",
            ],
            [
                "no method named `m` found for struct `S` in the current scope",
                "no method named `m` found for mutable reference `&mut S<T>` in the current scope",
                "no method named `run` found for unit type `()` in the current scope",
            ],
            [
                "type annotations needed for `Vec<_>`",
                "type annotations needed",
                "type annotations needed for `(_, _)`",
            ],
        ];
        for messages in alike {
            let shapes = messages.map(shape);
            assert_eq!(shapes[0], shapes[1]);
            assert_eq!(shapes[0], shapes[2]);
        }
    }

    #[test]
    fn other_words_make_another_message() {
        let other = [
            ["use of moved value: `x`", "borrow of moved value: `x`"],
            [
                "cannot find value `x` in this scope",
                "cannot find function `x` in this scope",
            ],
            [
                "`A` cannot be sent between threads safely",
                "`A` cannot be shared between threads safely",
            ],
            [
                "the trait bound `A: B` is not satisfied",
                "the trait bound `A: C` is not satisfied",
            ],
        ];
        for [one, other] in other {
            assert_ne!(shape(one), shape(other));
        }
    }
}
