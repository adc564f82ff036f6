//! Finds the functions that a text mentions, by their names and by the text before these.

use reduce_syntax::{TokenCursor, is_primitive_type};
use std::collections::BTreeSet;

/// A name in a text that may be that of a function.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FunctionName {
    pub(crate) of: Of,
    pub(crate) name: String,
}

/// The text that stands before the name of a function.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Of {
    /// Nothing stands before the name, as in `f()`.
    Nothing,
    /// A value stands before the name, as in `x.f()`.
    Value,
    /// The own value or type stands before the name, as in `self.f()` or `Self::f()`.
    Own { is_value: bool },
    /// A type, a trait or a module stands before the name, such as `Unit` in `Unit::f()`.
    Path(String),
}

/// Whether a name is written as that of a type, a trait or a type parameter.
pub(crate) fn is_type_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) || is_primitive_type(name)
}

/// Whether the first parameter of a function is `self`.
pub(crate) fn takes_self(text: &str) -> bool {
    let cursor = TokenCursor::new(text);
    let Some(start) = cursor.indices().find(|&at| cursor.is(at, "fn")) else {
        return false;
    };
    // Generics may have parentheses.
    let next = |&at: &usize| match cursor.is(at, "<") {
        true => Some(cursor.skip_angles(at)),
        false => Some(at + 1),
    };
    let mut head = std::iter::successors(Some(start), next).take_while(|&at| at < cursor.len());
    let Some(list) = head.find(|&at| cursor.is(at, "(")) else {
        return false;
    };
    let is_before = |at: usize| matches!(cursor.word(at), "&" | "mut") || cursor.is_lifetime(at);
    let first = (list + 1..cursor.len()).find(|&at| !is_before(at));
    first.is_some_and(|at| cursor.is(at, "self"))
}

/// Finds the names in a text that may be names of functions: no modules or types on which a path goes on, and no
/// functions that are defined there, which say nothing of others of their name. What stands behind a `.` and is not
/// called is a field, and so is what has a value or a type behind a `:`. What a pattern binds is a variable, unless
/// it is called.
pub(crate) fn names_of_functions(text: &str) -> BTreeSet<FunctionName> {
    let cursor = TokenCursor::new(text);
    let variables = variables(&cursor);
    let is_function = |idx: usize| {
        let (next, is_generic) = (cursor.word(idx + 1), cursor.is(idx + 2, "<"));
        match cursor.before(idx, 1) {
            "fn" => false,
            "." => matches!(next, "(" | "::"),
            "::" => next != ":" && (next != "::" || is_generic),
            _ => match next {
                "(" => true,
                "::" => is_generic,
                _ => !variables.contains(cursor.word(idx)),
            },
        }
    };
    let names = cursor.indices().filter(|&idx| cursor.is_name(idx));
    let names = names.filter(|&idx| is_function(idx)).map(|idx| {
        let of = match (cursor.before(idx, 1), cursor.before(idx, 2)) {
            (".", "self") => Of::Own { is_value: true },
            (".", _) => Of::Value,
            ("::", "Self") => Of::Own { is_value: false },
            ("::", of) => Of::Path(of.to_owned()),
            _ => Of::Nothing,
        };
        let name = cursor.word(idx).to_owned();
        FunctionName { of, name }
    });
    names.collect()
}

/// Finds the names that patterns bind in a function, and those that are followed by `:` and a type
/// or a value.
fn variables<'t>(cursor: &TokenCursor<'t>) -> BTreeSet<&'t str> {
    let mut bound = BTreeSet::new();
    for idx in cursor.indices() {
        let until = |ends: &[&str]| {
            let mut rest = idx + 1..cursor.len();
            let end = rest.find(|&at| ends.contains(&cursor.word(at)));
            idx + 1..end.unwrap_or(cursor.len())
        };
        let pattern = match cursor.word(idx) {
            "let" => until(&["=", ";", "else"]),
            "for" => until(&["in", "{", ";"]),
            "|" if begins_closure(cursor.before(idx, 1)) => until(&["|"]),
            "=>" => start_of_arm(cursor, idx)..idx,
            ":" => idx.saturating_sub(1)..idx,
            _ => continue,
        };
        bound.extend(pattern.map(|at| cursor.word(at)));
    }
    bound
}

/// Whether a `|` after this word begins the parameters of a closure.
fn begins_closure(before: &str) -> bool {
    matches!(
        before,
        "" | "(" | "," | "=" | "move" | "{" | ";" | "=>" | "return"
    )
}

/// Returns the index at which the pattern of an arm begins.
fn start_of_arm(cursor: &TokenCursor<'_>, arrow: usize) -> usize {
    let mut start = arrow;
    while let Some(before) = start.checked_sub(1) {
        start = match cursor.word(before) {
            ")" | "]" => cursor.partner(before).unwrap_or(before),
            "(" | "[" | "{" | "}" | "," => return start,
            _ => before,
        };
    }
    start
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
