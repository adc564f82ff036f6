//! Places of a program's text: where words stand, and what may stand there instead.

use super::Functions;
use crate::program::{Place, Program};
use reduce_model::Position;
use reduce_syntax::{Edit, TokenCursor, is_name_part, tokens};

/// The place of a name at a position.
pub(in super::super) fn name_place(program: &Program<'_>, (file, at): Position) -> Place {
    let rest = &program.sources().text(file)[at..];
    let raw = if rest.starts_with("r#") { 2 } else { 0 };
    let len = rest[raw..]
        .find(|c| !is_name_part(c))
        .unwrap_or(rest.len() - raw);
    (file, at..at + raw + len)
}

/// Where a keyword such as `self` stands, with the token that follows.
pub(in super::super) fn keywords<'p>(
    program: &'p Program<'_>,
    place: &Place,
    word: &str,
) -> Vec<(Place, &'p str)> {
    let text = program.text(place);
    let cursor = TokenCursor::new(text);
    let is_wanted = |idx: &usize| cursor.is(*idx, word);
    let found = cursor.indices().filter(is_wanted).map(|idx| {
        let (range, start) = (cursor.range(idx), place.1.start);
        let range = start + range.start..start + range.end;
        ((place.0, range), cursor.word(idx + 1))
    });
    found.collect()
}

/// What puts an expression in place of a variable that is mentioned here, if anything can.
pub(in super::super) fn substitution(
    program: &Program<'_>,
    functions: &Functions,
    mention: Position,
    text: &str,
) -> Option<Edit> {
    let place = name_place(program, mention);
    if is_captured(program, &place) {
        return None;
    }
    let text = match functions.shorthands.contains(&mention) {
        true => format!("{}: {text}", program.text(&place)),
        false => text.to_owned(),
    };
    Some(Edit::replace(place.0, &place.1, &text))
}

/// Whether a name may stand in a format string.
pub(in super::super) fn is_captured(program: &Program<'_>, (file, range): &Place) -> bool {
    let text = program.sources().text(*file);
    let is_in_braces =
        text[..range.start].ends_with('{') && text[range.end..].starts_with(['}', ':']);
    is_in_braces && !tokens(text).iter().any(|token| token.range() == *range)
}
