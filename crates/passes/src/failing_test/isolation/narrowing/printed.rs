//! Finds the parts in which two values differ, from the text that `{:?}` has printed of them.

use reduce_syntax::{TokenCursor, TokenKind};
use std::ops::Range;
use syn::LitStr;

/// A step from a value to one of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// The step to the element with this index.
    Element(usize),
    /// The step to the field with this name or number.
    Field(String),
    /// The step to the content of `Some(..)`, `Ok(..)` or `Err(..)`.
    Content(&'static str),
    /// The step to the value of a map under this key, as the key is written within the brackets of an index.
    Key(String),
    /// The step to the line of a text with this number.
    Line(usize),
}

/// A part in which two values differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// The steps to the part, from the whole value.
    pub(super) way: Vec<Part>,
    /// The printed text of the part of the first value.
    pub(super) left: String,
    /// The printed text of the part of the second value.
    pub(super) right: String,
}

/// Returns the parts that two printed values both have, and in which they differ. What is in a `Some(..)` is none by itself, as
/// it takes as many words to read it.
pub(super) fn differences(left: &str, right: &str) -> Vec<Difference> {
    let (Some(left), Some(right)) = (parts(left), parts(right)) else {
        return vec![];
    };
    let all = left.into_iter().flat_map(|(part, left)| {
        let same = right.iter().find(|(other, _)| *other == part);
        let other = same.filter(|(_, right)| left != *right);
        other.map_or_else(Vec::new, |(_, right)| within(part, left, right))
    });
    all.collect()
}

/// Returns the difference at a part of two values, or, if that is the content of `Some(..)` or the like, the differences within
/// it.
fn within(part: Part, left: String, right: &str) -> Vec<Difference> {
    if !matches!(part, Part::Content(_)) {
        return vec![Difference {
            way: vec![part],
            left,
            right: right.to_owned(),
        }];
    }
    let mut inner = differences(&left, right);
    for difference in &mut inner {
        difference.way.insert(0, part.clone());
    }
    inner
}

/// Returns the parts of a printed value; `None` where it has none that an expression can reach.
fn parts(printed: &str) -> Option<Vec<(Part, String)>> {
    let cursor = TokenCursor::new(printed);
    let last = cursor.len().checked_sub(1)?;
    if last == 0 {
        return lines(printed);
    }
    // Only one name may stand before the brackets.
    let open = (0..2).find(|idx| cursor.closing(*idx) == Some(last))?;
    let elements = cursor.split_values_by_commas(open + 1..last);
    let name = (open == 1).then(|| cursor.word(0));
    match (name, cursor.word(open)) {
        (None, "[") => Some(numbered(&cursor, elements, Part::Element)),
        (None, "(") => Some(numbered(&cursor, elements, |idx| {
            Part::Field(idx.to_string())
        })),
        (None, _) => elements
            .into_iter()
            .map(|element| entry(&cursor, element))
            .collect(),
        (Some(_), "{") => elements
            .into_iter()
            .map(|element| field(&cursor, element))
            .collect(),
        (Some(name), "(") => {
            let known = ["Some", "Ok", "Err"].into_iter().find(|one| *one == name);
            Some(numbered(&cursor, elements, |idx| match known {
                Some(known) => Part::Content(known),
                None => Part::Field(idx.to_string()),
            }))
        }
        _ => None,
    }
}

fn numbered(
    cursor: &TokenCursor<'_>,
    elements: Vec<Range<usize>>,
    part: impl Fn(usize) -> Part,
) -> Vec<(Part, String)> {
    let elements = elements.into_iter().enumerate();
    elements
        .map(|(idx, element)| (part(idx), cursor.text_of(&element).to_owned()))
        .collect()
}

/// Reads the printed field `name: value`.
fn field(cursor: &TokenCursor<'_>, element: Range<usize>) -> Option<(Part, String)> {
    let (name, value) = around_colon(cursor, element)?;
    let name = cursor.is_name(name).then(|| cursor.word(name).to_owned());
    Some((Part::Field(name?), value))
}

/// Returns the single token before a colon, and the text after the colon.
fn around_colon(cursor: &TokenCursor<'_>, element: Range<usize>) -> Option<(usize, String)> {
    let value = element.start + 2..element.end;
    let is_pair = cursor.is(element.start + 1, ":") && !value.is_empty();
    is_pair.then(|| (element.start, cursor.text_of(&value).to_owned()))
}

/// Reads the printed entry `key: value` of a map whose keys are texts or numbers.
fn entry(cursor: &TokenCursor<'_>, element: Range<usize>) -> Option<(Part, String)> {
    let (key, value) = around_colon(cursor, element)?;
    let is_text = cursor.is_string(key);
    let is_literal = cursor.kind(key).is_some_and(TokenKind::is_literal);
    let key = cursor.word(key);
    let key = match is_text {
        true => key.to_owned(),
        false => format!("&{key}"),
    };
    is_literal.then_some((Part::Key(key), value))
}

/// Returns the lines of a printed text that has several, each as `Some(..)`.
fn lines(printed: &str) -> Option<Vec<(Part, String)>> {
    let literal: LitStr = syn::parse_str(printed).ok()?;
    let text = literal.value();
    let lines = text.lines().enumerate();
    let lines: Vec<_> = lines
        .map(|(idx, line)| (Part::Line(idx), format!("Some({line:?})")))
        .collect();
    (lines.len() > 1).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(left: &str, right: &str, expected: &[(Part, &str, &str)]) {
        let expected: Vec<Difference> = expected
            .iter()
            .map(|(part, left, right)| Difference {
                way: vec![part.clone()],
                left: (*left).to_owned(),
                right: (*right).to_owned(),
            })
            .collect();
        assert_eq!(differences(left, right), expected, "{left} {right}");
    }

    fn field(name: &str) -> Part {
        Part::Field(name.to_owned())
    }

    fn key(text: &str) -> Part {
        Part::Key(text.to_owned())
    }

    #[test]
    fn elements_that_both_lists_have_differ() {
        check(
            "[(\"a,b\", 1), (\"c\", -2), (\"d\", 3)]",
            "[(\"a,b\", 1), (\"c\", 2)]",
            &[(Part::Element(1), "(\"c\", -2)", "(\"c\", 2)")],
        );
        check(
            "[1, 2]",
            "[2, 1]",
            &[(Part::Element(0), "1", "2"), (Part::Element(1), "2", "1")],
        );
        check("[1]", "[]", &[]);
    }

    #[test]
    fn fields_differ() {
        check("(\"c\", -2)", "(\"c\", 2)", &[(field("1"), "-2", "2")]);
        check(
            "Price { of: [A, B], cents: 7 }",
            "Price { of: [A, C], cents: 8 }",
            &[
                (field("of"), "[A, B]", "[A, C]"),
                (field("cents"), "7", "8"),
            ],
        );
        check("Metres(1.5)", "Metres(NaN)", &[(field("0"), "1.5", "NaN")]);
        check("Unit", "Other", &[]);
    }

    #[test]
    fn parts_of_contents_differ_where_both_are_of_one_kind() {
        let content = |name: &'static str, part: Part| vec![Part::Content(name), part];
        let differences = |left: &str, right: &str| {
            let found = differences(left, right).into_iter();
            found.map(|one| one.way).collect::<Vec<_>>()
        };
        let first = content("Some", Part::Element(0));
        assert_eq!(differences("Some([1])", "Some([2])"), [first]);
        let n = content("Err", field("n"));
        assert_eq!(differences("Err(E { n: 1 })", "Err(E { n: 2 })"), [n]);
        for (left, right) in [
            ("Some(1)", "Some(2)"),
            ("Ok([1])", "Err([2])"),
            ("Some([1])", "None"),
        ] {
            assert!(differences(left, right).is_empty(), "{left} {right}");
        }
    }

    #[test]
    fn values_of_a_map_differ_under_keys_that_can_be_written() {
        check(
            "{\"a\": 1, \"b\": 2}",
            "{\"b\": 3, \"a\": 1}",
            &[(key("\"b\""), "2", "3")],
        );
        check("{7: [1]}", "{7: [2]}", &[(key("&7"), "[1]", "[2]")]);
        check("{A: 1}", "{A: 2}", &[]);
        check("{1, 2}", "{1, 3}", &[]);
    }

    #[test]
    fn lines_of_a_text_differ() {
        check(
            "\"a\\nb \\\"\\nc\"",
            "\"a\\nb\\nc\"",
            &[(Part::Line(1), "Some(\"b \\\"\")", "Some(\"b\")")],
        );
        check("\"a\"", "\"b\"", &[]);
        check("1", "2", &[]);
    }

    #[test]
    fn what_is_no_value_has_no_parts() {
        check("1..2", "1..3", &[]);
        check("Price { of: A, .. }", "Price { of: B, .. }", &[]);
        check("[1", "[2", &[]);
        check("", "", &[]);
    }
}
