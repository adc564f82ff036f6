//! The straight line: statements one after the other, of which those go in the end that only serve what is known.

use super::literal::is_name;
use reduce_syntax::tokens;
use std::collections::HashMap;

/// A statement of the straight line.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    pub(super) text: String,
    /// The name that the statement declares.
    pub(super) declares: Option<String>,
    /// Whether nothing of the code under test takes part in it.
    pub(super) is_clean: bool,
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
            // The number of a field is no name.
            number if number.starts_with(|one: char| one.is_ascii_digit()) => "value",
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

    /// Whether a variable was declared so that it can be changed.
    pub(super) fn is_mutable(&self, name: &str) -> bool {
        let root = name.split('.').next().unwrap_or(name);
        let mut all = self.statements.iter();
        all.any(|one| one.declares.as_deref() == Some(root) && one.text.starts_with("let mut "))
    }

    /// The statements that are needed: those in which the code under test takes part, and what these name.
    pub(super) fn needed(&self) -> Vec<&str> {
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
            .filter(|(_, needed)| *needed)
            .map(|(one, _)| one.text.as_str())
            .collect()
    }
}

/// The names in a text, those in strings that print them too.
pub(super) fn names_in(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for token in tokens(text) {
        let word = &text[token.range()];
        match word.contains('"') {
            true => found.extend(word.split('{').skip(1).filter_map(|part| {
                let end = part.find(|one: char| !one.is_alphanumeric() && one != '_')?;
                Some(&part[..end]).filter(|name| !name.is_empty())
            })),
            false if is_name(word) => found.push(word),
            false => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(statements: &[(&str, Option<&str>, bool)]) -> Line {
        let statements = statements
            .iter()
            .map(|(text, declares, is_clean)| Statement {
                text: (*text).to_owned(),
                declares: declares.map(str::to_owned),
                is_clean: *is_clean,
            });
        Line {
            statements: statements.collect(),
            names: HashMap::new(),
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
        assert_eq!(
            line.needed(),
            ["let mut b = vec![];", "b.push(1);", "lib::f(&b);"]
        );
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
