//! Makes a loop of statements that do the same with another literal each time.

use reduce_syntax::{TokenCursor, tokens};
use std::ops::Range;

/// The fewest rounds of a loop.
const FEWEST: usize = 4;

/// The largest number of statements in a loop.
const MOST_IN_BODY: usize = 3;

/// The statements with a loop in place of those that repeat, where that is shorter.
pub(crate) fn rolled(statements: Vec<String>) -> Vec<String> {
    let texts: Vec<&str> = statements.iter().map(String::as_str).collect();
    let mut result = Vec::new();
    let mut done = 0;
    for (run, text) in loops(&texts) {
        result.extend_from_slice(&statements[done..run.start]);
        result.push(text);
        done = run.end;
    }
    result.extend_from_slice(&statements[done..]);
    result
}

/// The runs of statements that repeat, each with the loop that is shorter.
pub(crate) fn loops(statements: &[&str]) -> Vec<(Range<usize>, String)> {
    let words = statements.iter();
    let words = words.map(|one| TokenCursor::new(one).words().collect());
    let words: Vec<Vec<&str>> = words.collect();
    let mut found = Vec::new();
    let mut idx = 0;
    while idx < statements.len() {
        let longest = (1..=MOST_IN_BODY).filter_map(|n| repeated(&words[idx..], n));
        let longest = longest.max_by_key(|one| (one.len(), usize::MAX - one.n_statements));
        idx += match longest {
            Some(one) => {
                let body = &statements[idx..idx + one.n_statements];
                found.push((idx..idx + one.len(), one.text(body, &words[idx..])));
                one.len()
            }
            None => 1,
        };
    }
    found
}

/// Statements that are there several times.
struct Repeated<'t> {
    n_statements: usize,
    /// The places of the literal that differs: the number of the statement, and of the word in it.
    places: Vec<(usize, usize)>,
    /// What stands there in each round.
    values: Vec<&'t str>,
}

fn is_literal(word: &str) -> bool {
    word.starts_with(|one: char| one.is_ascii_digit() || matches!(one, '"' | '\''))
}

/// The longest repetition of the first `n` statements.
fn repeated<'t>(words: &[Vec<&'t str>], n: usize) -> Option<Repeated<'t>> {
    let first = words.get(..n)?;
    let declares =
        |one: &Vec<&str>| matches!(one.first(), Some(&("let" | "{" | "}" | "for")) | None);
    if first.iter().any(declares) {
        return None;
    }
    let mut places: Option<Vec<(usize, usize)>> = None;
    let mut values: Vec<&'t str> = Vec::new();
    for round in words[n..].chunks_exact(n) {
        let Some(differing) = differing(first, round) else {
            break;
        };
        let value = |at: &(usize, usize), of: &[Vec<&'t str>]| of[at.0][at.1];
        let is_one = |of: &[Vec<&'t str>]| {
            let mut found = differing.iter().map(|at| value(at, of));
            let one = found.next();
            found.all(|other| Some(other) == one)
        };
        let is_same = places.as_ref().is_none_or(|places| *places == differing);
        if !is_same || !is_one(first) || !is_one(round) {
            break;
        }
        if places.is_none() {
            values.push(differing.first().map_or("", |at| value(at, first)));
        }
        values.push(differing.first().map_or("", |at| value(at, round)));
        places = Some(differing);
    }
    let places = places?;
    let found = Repeated {
        n_statements: n,
        places,
        values,
    };
    // A list of what differs is as long as the statements are.
    let n_words: usize = first.iter().map(Vec::len).sum();
    let is_shorter = n_words * (found.values.len() - 1) > found.values.len() * 2 + 8;
    (found.values.len() >= FEWEST && is_shorter).then_some(found)
}

/// The places where two runs of statements have other literals; nothing if they differ in something else.
fn differing(one: &[Vec<&str>], other: &[Vec<&str>]) -> Option<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    for (nth, (one, other)) in one.iter().zip(other).enumerate() {
        if one.len() != other.len() {
            return None;
        }
        for (at, (word, with)) in one.iter().zip(other).enumerate() {
            match word == with {
                true => {}
                false if is_literal(word) && is_literal(with) => found.push((nth, at)),
                false => return None,
            }
        }
    }
    Some(found)
}

impl Repeated<'_> {
    /// The number of statements, those of all rounds together.
    fn len(&self) -> usize {
        self.values.len() * self.n_statements
    }

    fn text(&self, body: &[&str], words: &[Vec<&str>]) -> String {
        let mut all = words.iter().flatten();
        // A text may be that of a format, with the variable in it.
        let is_named = |word: &&&str| **word == "n" || word.contains("{n");
        let name = match (self.places.is_empty(), all.any(|word| is_named(&word))) {
            (true, _) => "_",
            (false, false) => "n",
            (false, true) => "nth_value",
        };
        let mut texts = Vec::new();
        for (nth, statement) in body.iter().enumerate() {
            let mut text = (*statement).to_owned();
            let places = tokens(statement).into_iter().enumerate();
            let places = places.filter(|(at, _)| self.places.contains(&(nth, *at)));
            for (_, token) in places.collect::<Vec<_>>().into_iter().rev() {
                text.replace_range(token.range(), name);
            }
            texts.push(text);
        }
        format!("for {name} in {} {{ {} }}", self.range(), texts.join(" "))
    }

    /// What the loop goes through: a range, where the values are one.
    fn range(&self) -> String {
        if self.places.is_empty() {
            return format!("0..{}", self.values.len());
        }
        let numbers = self.values.iter().map(|text| number(text));
        let numbers: Option<Vec<(i128, &str)>> = numbers.collect();
        if let Some(numbers) = numbers
            && let [(first, suffix), (second, _), .., (last, _)] = numbers.as_slice()
        {
            let step = second - first;
            let is_even = numbers.windows(2).all(|pair| pair[1].0 - pair[0].0 == step);
            match step {
                1 if is_even => return format!("{first}{suffix}..={last}"),
                2.. if is_even => return format!("({first}{suffix}..={last}).step_by({step})"),
                _ => {}
            }
        }
        format!("[{}]", self.values.join(", "))
    }
}

/// A number, and the suffix of its type with the `_` before it, as in `4_u8`. In `1_000` there is none.
fn number(text: &str) -> Option<(i128, &str)> {
    let (digits, suffix) = text.split_at(text.find('_').unwrap_or(text.len()));
    let is_type = suffix.is_empty() || suffix[1..].starts_with(char::is_alphabetic);
    Some((digits.parse().ok().filter(|_| is_type)?, suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(statements: &[&str], expected: &[&str]) {
        let statements = statements.iter().map(|one| (*one).to_owned()).collect();
        assert_eq!(rolled(statements), expected);
    }

    #[test]
    fn statements_that_repeat_with_another_literal_are_a_loop() {
        check(
            &[
                "let mut set = lib::Set::new();",
                "set.add(2);",
                "set.add(4);",
                "set.add(6);",
                "set.add(8);",
                "set.end();",
            ],
            &[
                "let mut set = lib::Set::new();",
                "for n in (2..=8).step_by(2) { set.add(n); }",
                "set.end();",
            ],
        );
        check(
            &[
                "a.b(\"x\");",
                "a.c(1);",
                "a.b(\"y\");",
                "a.c(1);",
                "a.b(\"y\");",
                "a.c(1);",
                "a.b(\"z\");",
                "a.c(1);",
            ],
            &["for n in [\"x\", \"y\", \"y\", \"z\"] { a.b(n); a.c(1); }"],
        );
        check(&["a.next();"; 5], &["for _ in 0..5 { a.next(); }"]);
    }

    #[test]
    fn a_range_is_made_of_numbers_whose_digits_are_known() {
        let typed = ["a.b(1_u8);", "a.b(2_u8);", "a.b(3_u8);", "a.b(4_u8);"];
        check(&typed, &["for n in 1_u8..=4 { a.b(n); }"]);
        let grouped = ["a.b(1_000);", "a.b(2_000);", "a.b(3_000);", "a.b(4_000);"];
        check(
            &grouped,
            &["for n in [1_000, 2_000, 3_000, 4_000] { a.b(n); }"],
        );
    }

    #[test]
    fn a_variable_that_a_text_names_keeps_its_name() {
        let shown = |value: &str| format!("a.b(format!(\"{{n}}\"), {value});");
        let shown = ["1", "2", "3", "4"].map(shown);
        let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
        let expected = "for nth_value in 1..=4 { a.b(format!(\"{n}\"), nth_value); }";
        check(&shown, &[expected]);
    }

    #[test]
    fn what_differs_in_more_or_is_short_stays() {
        let few = ["a.b(1);", "a.b(2);", "a.b(3);"];
        check(&few, &few);
        let two = ["a.b(1, 2);", "a.b(2, 3);", "a.b(3, 4);", "a.b(4, 6);"];
        check(&two, &two);
        let lets = [
            "let a = b(1);",
            "let a = b(2);",
            "let a = b(3);",
            "let a = b(4);",
        ];
        check(&lets, &lets);
    }
}
