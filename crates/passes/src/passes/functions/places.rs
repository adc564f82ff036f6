//! Finds the places of words in a program's text, and the texts that may stand there instead.

use crate::program::{Place, Program};
use reduce_model::Position;
use reduce_syntax::{TokenCursor, is_name_part};

/// Returns the place of a name at a position.
pub(in super::super) fn name_place(program: &Program, Position { file, at }: Position) -> Place {
    let rest = &program.sources().text(file)[at..];
    let raw = if rest.starts_with("r#") { 2 } else { 0 };
    let len = rest[raw..]
        .find(|c| !is_name_part(c))
        .unwrap_or(rest.len() - raw);
    Place::new(file, at..at + raw + len)
}

/// Returns the places of a keyword such as `self`, each with the token that follows.
pub(in super::super) fn keywords<'p>(
    program: &'p Program,
    place: &Place,
    word: &str,
) -> Vec<(Place, &'p str)> {
    let text = program.text(place);
    let cursor = TokenCursor::new(text);
    let is_wanted = |idx: &usize| cursor.is(*idx, word);
    let found = cursor.indices().filter(is_wanted).map(|idx| {
        let (range, start) = (cursor.range(idx), place.range.start);
        let range = start + range.start..start + range.end;
        (Place::new(place.file, range), cursor.word(idx + 1))
    });
    found.collect()
}

/// Returns the places of `Self`, and the type that takes its place: without its arguments where these would need a turbofish.
pub(in super::super) fn own_types<'p>(
    program: &'p Program,
    place: &Place,
    body: Option<&Place>,
    ty: &'p str,
) -> Vec<(Place, &'p str)> {
    let plain = ty.split('<').next().unwrap_or(ty).trim_end();
    let all = keywords(program, place, "Self").into_iter();
    let with_type = all.map(|(place, next)| {
        let is_in_body = body.is_some_and(|body| place.is_within(body));
        match next {
            "::" | "{" | "(" if is_in_body => (place, plain),
            _ => (place, ty),
        }
    });
    with_type.collect()
}

/// Returns the place of a variable's mention, and the text that puts an expression there; `None` in a format string.
pub(in super::super) fn substitution(
    program: &Program,
    mention: Position,
    text: &str,
) -> Option<(Place, String)> {
    let place = name_place(program, mention);
    let text = program.fitted(&place, text);
    (!is_captured(program, &place)).then_some((place, text))
}

/// Whether a name stands in a format string.
pub(in super::super) fn is_captured(program: &Program, place: &Place) -> bool {
    let model = program.model();
    let word = model.word_at(place.start());
    word.is_some_and(|word| model.is_captured(word))
}
