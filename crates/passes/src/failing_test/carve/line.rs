//! The straight line: statements one after the other, of which those go in the end that only serve what is known.

use super::literal::is_name;
use super::results::written_type;
use reduce_syntax::TokenCursor;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A bound of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Begins,
    Ends,
}

/// A statement of the straight line.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    pub(super) text: String,
    /// The name that the statement declares.
    pub(super) declares: Option<String>,
    /// Whether nothing of the code under test takes part in it.
    pub(super) is_clean: bool,
    /// The bound of a scope that the test had, which has no text.
    pub(super) scope: Option<Scope>,
    /// The condition under which the test ends well here.
    pub(super) ends_well_if: Option<String>,
}

impl Statement {
    /// A statement that declares no variable.
    pub(super) fn new(text: String, is_clean: bool) -> Self {
        Self {
            text,
            declares: None,
            is_clean,
            scope: None,
            ends_well_if: None,
        }
    }

    /// The names that the statement declares, also if they are several.
    fn names(&self) -> Vec<&str> {
        let is_variable = |name: &&str| !name.starts_with(char::is_uppercase);
        match &self.declares {
            Some(name) => vec![name],
            None => declared_by(&self.text)
                .into_iter()
                .filter(is_variable)
                .collect(),
        }
    }
}

/// Statements, and the names that stand in them.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    pub(super) statements: Vec<Statement>,
    names: HashMap<String, usize>,
}

impl Line {
    /// A line in which these names mean something else already.
    pub(super) fn with_names(names: impl IntoIterator<Item = String>) -> Self {
        Self {
            statements: Vec::new(),
            names: names.into_iter().map(|name| (name, 1)).collect(),
        }
    }

    /// A name that the line does not have yet, which reads like this one.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        let name = match name {
            "self" => "this",
            "_" => "value",
            // The number of a field is no name, and neither is a key.
            other if !is_name(other.trim_start_matches("r#")) => "value",
            other => other.trim_start_matches("r#"),
        };
        loop {
            let n = self.names.entry(name.to_owned()).or_default();
            *n += 1;
            let found = match *n {
                1 => return name.to_owned(),
                n => format!("{name}_{n}"),
            };
            if !self.names.contains_key(&found) {
                return found;
            }
        }
    }

    /// Whether there are statements from the one with this number on.
    pub(super) fn has_written(&self, start: usize) -> bool {
        let mut since = self.statements.iter().skip(start);
        since.any(|one| one.scope.is_none())
    }

    /// Notes that a scope of the test begins or ends.
    pub(super) fn bound(&mut self, scope: Scope) {
        self.statements.push(Statement {
            scope: Some(scope),
            ..Statement::new(String::new(), true)
        });
    }

    /// Says of which type a variable is, by the name of that in a run, where it is made by a function of the type without its
    /// arguments: `Ring::new()` becomes `Ring::<u8>::new()`.
    pub(super) fn say_type(&mut self, variable: &str, ty: &str) {
        let mut statements = self.statements.iter_mut();
        let declaration = statements.find(|one| one.declares.as_deref() == Some(variable));
        let of_type = arguments_of(ty).zip(declaration);
        if let Some(((name, arguments), declaration)) = of_type
            && let Some(at) = end_of_bare_type(&declaration.text, &name)
        {
            declaration.text.insert_str(at, &format!("::{arguments}"));
        }
    }

    /// The text of the last statement.
    pub(super) fn last(&self) -> Option<&str> {
        let mut statements = self.statements.iter().rev();
        let last = statements.find(|one| one.scope.is_none());
        last.map(|last| &*last.text)
    }

    /// The numbers of the statements that may flow into the last one: those that name a variable which the last one, or a later one of
    /// them, names.
    pub(super) fn slice(&self) -> BTreeSet<usize> {
        let statements = self.statements.iter();
        let declared: HashSet<&str> = statements.flat_map(Statement::names).collect();
        let mut needed = HashSet::new();
        let mut slice = BTreeSet::new();
        for (idx, statement) in self.statements.iter().enumerate().rev() {
            let named = names_in(&statement.text).into_iter();
            let named: HashSet<&str> = named.filter(|name| declared.contains(name)).collect();
            let is_last = slice.is_empty() && statement.scope.is_none();
            if is_last || !needed.is_disjoint(&named) {
                slice.insert(idx);
                needed.extend(named);
            }
        }
        slice
    }

    /// The line without the statements that cannot flow into the last one.
    pub(super) fn sliced(&self) -> Self {
        let slice = self.slice();
        let statements = self.statements.iter().enumerate();
        let kept = statements.filter(|(idx, one)| slice.contains(idx) || one.scope.is_some());
        Self {
            statements: kept.map(|(_, one)| one.clone()).collect(),
            names: self.names.clone(),
        }
    }

    /// Whether a variable was declared so that it can be changed.
    pub(super) fn is_mutable(&self, name: &str) -> bool {
        let root = name.split(['.', '[']).next().unwrap_or(name);
        let mut all = self.statements.iter();
        all.any(|one| one.declares.as_deref() == Some(root) && one.text.starts_with("let mut "))
    }

    /// Whether nothing of the code under test takes part in the last statement.
    pub(super) fn is_end_clean(&self) -> bool {
        let mut statements = self.statements.iter().rev();
        let last = statements.find(|one| one.scope.is_none());
        last.is_none_or(|last| last.is_clean)
    }

    /// Ends the line with an assertion that the test ends well where it may do so last. Returns whether it may anywhere.
    pub(super) fn end_with_decision(&mut self) -> bool {
        let mut last = self.statements.iter().rev();
        let Some(condition) = last.find_map(|one| one.ends_well_if.clone()) else {
            return false;
        };
        let n_left = last.len();
        self.statements.truncate(n_left);
        let assertion = format!("assert!({condition});");
        self.statements.push(Statement::new(assertion, false));
        true
    }

    /// The statements that are needed: those in which the code under test takes part, and what these name.
    pub(super) fn needed(&self) -> Vec<&Statement> {
        let mut is_needed: Vec<bool> = self.statements.iter().map(|one| !one.is_clean).collect();
        loop {
            let mut has_grown = false;
            let mentioned: Vec<&str> = self
                .statements
                .iter()
                .zip(&is_needed)
                .filter(|(_, needed)| **needed)
                .flat_map(|(one, _)| names_in(&one.text))
                .collect();
            let declared: Vec<&str> = self
                .statements
                .iter()
                .filter_map(|one| one.declares.as_deref())
                .filter(|name| mentioned.contains(name))
                .collect();
            for (idx, one) in self.statements.iter().enumerate() {
                let is_wanted = match &one.declares {
                    Some(name) => declared.contains(&name.as_str()),
                    None => names_in(&one.text)
                        .iter()
                        .any(|name| declared.contains(name)),
                };
                if is_wanted && !is_needed[idx] {
                    is_needed[idx] = true;
                    has_grown = true;
                }
            }
            if !has_grown {
                break;
            }
        }
        let needed = self.statements.iter().zip(is_needed);
        needed
            .filter(|(one, needed)| *needed || one.scope.is_some())
            .map(|(one, _)| one)
            .collect()
    }
}

/// The names that a statement declares.
pub(super) fn declared_by(statement: &str) -> Vec<&str> {
    let pattern = statement
        .strip_prefix("let ")
        .and_then(|rest| rest.split_once(" = "));
    let names = pattern.map_or_else(Vec::new, |(pattern, _)| names_in(pattern));
    names.into_iter().filter(|name| *name != "mut").collect()
}

/// The last name of a generic type in a run, with its arguments as they can be written.
fn arguments_of(ty: &str) -> Option<(String, String)> {
    let (path, arguments) = ty.split_once('<')?;
    let arguments = written_type(&format!("<{arguments}"))?;
    let name = path.rsplit("::").next()?.trim().to_owned();
    let is_whole = !arguments.contains(['_', '\'']);
    (is_whole && is_name(&name)).then_some((name, arguments))
}

/// The end of a type's name in the path of a function of it, if it has no arguments there.
fn end_of_bare_type(text: &str, name: &str) -> Option<usize> {
    let cursor = TokenCursor::new(text);
    let words: Vec<&str> = cursor.words().collect();
    let mut all = words.windows(3).enumerate();
    let (at, _) =
        all.find(|(_, three)| three[0] == name && three[1] == "::" && is_name(three[2]))?;
    Some(cursor.range(at).end)
}

/// The names in a text that may mean variables, those in strings that print them too.
pub(super) fn names_in(text: &str) -> Vec<&str> {
    let cursor = TokenCursor::new(text);
    let words: Vec<&str> = cursor.words().collect();
    let mut found = Vec::new();
    for (idx, word) in words.iter().enumerate() {
        match word.contains('"') {
            true => found.extend(word.split('{').skip(1).filter_map(|part| {
                let end = part.find(|one: char| !one.is_alphanumeric() && one != '_')?;
                Some(&part[..end]).filter(|name| !name.is_empty())
            })),
            false if is_variable(&words, idx) => found.push(*word),
            false => {}
        }
    }
    found
}

/// Whether a word may mean a variable: it is no method, field, macro or part of a path.
pub(super) fn is_variable(words: &[&str], idx: usize) -> bool {
    let before = idx.checked_sub(1).map(|before| words[before]);
    let after = words.get(idx + 1).copied();
    is_name(words[idx]) && !matches!(before, Some("." | "::")) && !matches!(after, Some("::" | "!"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(statements: &[(&str, Option<&str>, bool)]) -> Line {
        let statements = statements
            .iter()
            .map(|(text, declares, is_clean)| Statement {
                declares: declares.map(str::to_owned),
                ..Statement::new((*text).to_owned(), *is_clean)
            });
        Line {
            statements: statements.collect(),
            ..Line::default()
        }
    }

    #[test]
    fn only_what_serves_the_code_under_test_is_needed() {
        let line = line(&[
            ("let mut a = vec![];", Some("a"), true),
            ("a.push(1);", None, true),
            ("let mut b = vec![];", Some("b"), true),
            ("b.push(1);", None, true),
            ("lib::f(&b);", None, false),
        ]);
        let needed: Vec<&str> = line.needed().iter().map(|one| &*one.text).collect();
        assert_eq!(needed, ["let mut b = vec![];", "b.push(1);", "lib::f(&b);"]);
    }

    #[test]
    fn a_slice_has_what_declares_several_names() {
        let line = line(&[
            ("let all = lib::all();", Some("all"), false),
            ("let (first, rest) = all.split_at(2);", None, false),
            (
                "let Some(other) = lib::other() else { panic!() };",
                Some("other"),
                false,
            ),
            ("let (one, two) = lib::both();", None, false),
            ("assert_eq!(lib::f(rest), Some(3));", None, false),
        ]);
        assert_eq!(Vec::from_iter(line.slice()), [0, 1, 4]);
    }

    #[test]
    fn the_type_of_a_variable_is_said_where_it_is_made() {
        let said = |text, ty| {
            let mut line = line(&[(text, Some("a"), false)]);
            line.say_type("a", ty);
            line.statements.remove(0).text
        };
        assert_eq!(
            said(
                "let mut a = Ring::new(3).unwrap();",
                "lib::ring::Ring<u8, 4>"
            ),
            "let mut a = Ring::<u8, 4>::new(3).unwrap();"
        );
        for (text, ty) in [
            ("let mut a = Ring::<u8>::new(3);", "lib::Ring<u8>"),
            ("let mut a = Ring::new(3);", "lib::Ring<other::Part>"),
            ("let mut a = Ring::new(3);", "lib::Other<u8>"),
            ("let mut a = Ring::new(3);", "lib::Ring"),
            ("let mut a = lib::ring(3);", "lib::Ring<u8>"),
        ] {
            assert_eq!(said(text, ty), text, "{ty}");
        }
    }

    #[test]
    fn names_are_given_once() {
        let mut line = Line::with_names(["words".to_owned()]);
        let names = ["self", "words", "words", "this"].map(|name| line.fresh(name));
        assert_eq!(names, ["this", "words_2", "words_3", "this_2"]);
        assert_eq!(
            ["0", "_"].map(|name| line.fresh(name)),
            ["value", "value_2"]
        );
        assert_eq!(names_in("f(a, \"{b:?} {}\")"), ["f", "a", "b"]);
    }
}
