//! Places of a program's text: where words stand, and what may stand there instead.

use crate::program::{Place, Program};
use reduce_model::{Position, is_in_prelude};
use reduce_syntax::{Edit, TokenCursor, is_name_part, tokens};

/// The place of a name at a position.
pub(in super::super) fn name_place(program: &Program, Position { file, at }: Position) -> Place {
    let rest = &program.sources().text(file)[at..];
    let raw = if rest.starts_with("r#") { 2 } else { 0 };
    let len = rest[raw..]
        .find(|c| !is_name_part(c))
        .unwrap_or(rest.len() - raw);
    Place::new(file, at..at + raw + len)
}

/// Where a keyword such as `self` stands, with the token that follows.
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

/// Where `Self` stands, and the type that takes its place: without its arguments where these would need
/// a turbofish.
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

/// What puts an expression in place of a variable that is mentioned here, if anything can.
pub(in super::super) fn substitution(
    program: &Program,
    mention: Position,
    text: &str,
) -> Option<Edit> {
    let place = name_place(program, mention);
    let is_possible = !is_captured(program, &place);
    is_possible.then(|| Edit::replace(place.file, &place.range, &program.fitted(&place, text)))
}

/// Whether a name may stand in a format string.
pub(in super::super) fn is_captured(program: &Program, Place { file, range }: &Place) -> bool {
    let text = program.sources().text(*file);
    let is_in_braces =
        text[..range.start].ends_with('{') && text[range.end..].starts_with(['}', ':']);
    is_in_braces && !tokens(text).iter().any(|token| token.range() == *range)
}

/// Whether a word is the end of a path that begins with a type of the standard library, such as
/// `Box::new`.
pub(super) fn is_of_std(program: &Program, Position { file, at }: Position) -> bool {
    let before = program.sources().text(file).get(..at).unwrap_or_default();
    let path = before.strip_suffix("::").unwrap_or_default();
    let head = path.rsplit(|c| !is_name_part(c));
    let head = head.into_iter().next().unwrap_or_default();
    let is_ours = || {
        let position = Position::new(file, path.len() - head.len());
        program.mentions().definition(position).is_some()
    };
    is_in_prelude(head) && !is_ours()
}
