//! The code in the live view: the lines that fit, with the parts under trial marked. A line with such a part has a mark in
//! the margin too, so that it is seen without colours.

use super::paint::Paint;
use ratatui::text::{Line, Span};
use reduce_engine::escape;
use std::ops::Range;

/// The mark of a line with a part under trial.
const MARK: &str = ">";
/// The largest number of lines that are shown above the part of the code under trial.
const LINES_ABOVE: usize = 3;
/// The spaces in place of a tab.
const TAB: &str = "    ";

/// Returns as many lines of a text as fit around one of them, by its number from 0. Of several empty lines, which deleted
/// parts leave, one is shown.
pub(super) fn lines(
    text: &str,
    parts: &[Range<usize>],
    line: usize,
    height: usize,
    paint: Paint,
) -> Vec<Line<'static>> {
    let all = ranges(text);
    let digits = all.last().map_or(1, |last| (last.0 + 1).to_string().len());
    let here = all.partition_point(|(number, _)| *number < line);
    let first = here
        .saturating_sub(LINES_ABOVE.min(height.saturating_sub(1) / 2))
        .min(all.len().saturating_sub(height));
    let shown = all.into_iter().skip(first).take(height);
    let shown = shown.map(|(number, range)| {
        let marked = marked(parts, &range);
        let mark = if marked.is_empty() { " " } else { MARK };
        let margin = format!("{:>digits$}{mark}", number + 1);
        let mut spans = vec![Span::styled(margin, paint.margin())];
        spans.extend(spans_of(&text[range], &marked, paint));
        Line::from(spans)
    });
    shown.collect()
}

/// Returns the ranges of the lines of a text with their numbers, of several empty lines in a row only the first.
fn ranges(text: &str) -> Vec<(usize, Range<usize>)> {
    let mut start = 0;
    let mut was_empty = false;
    let mut ranges = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_empty = line.trim().is_empty();
        if !(is_empty && was_empty) {
            let length = line.trim_end_matches(['\n', '\r']).len();
            ranges.push((number, start..start + length));
        }
        was_empty = is_empty;
        start += line.len();
    }
    ranges
}

/// Returns which bytes of a line are in the parts of the text that the current candidates would change. Where something
/// is inserted, it is the byte that follows.
fn marked(parts: &[Range<usize>], line: &Range<usize>) -> Vec<Range<usize>> {
    let Range { start, end } = *line;
    let touches = |part: &&Range<usize>| match part.is_empty() {
        true => (start..=end).contains(&part.start),
        false => part.start < end && part.end > start,
    };
    let within = |part: &Range<usize>| {
        let last = part.end.max(part.start + 1);
        part.start.max(start) - start..last.min(end).max(start) - start
    };
    parts.iter().filter(touches).map(within).collect()
}

/// A line in pieces, which are marked or not.
fn spans_of(line: &str, marked: &[Range<usize>], paint: Paint) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let mut piece = String::new();
    let mut was_marked = false;
    for (at, c) in line.char_indices() {
        let is_marked = marked.iter().any(|range| range.contains(&at));
        if is_marked != was_marked && !piece.is_empty() {
            spans.push(span(&std::mem::take(&mut piece), was_marked, paint));
        }
        was_marked = is_marked;
        piece.push(c);
    }
    if !piece.is_empty() {
        spans.push(span(&piece, was_marked, paint));
    }
    spans
}

fn span(piece: &str, is_marked: bool, paint: Paint) -> Span<'static> {
    let text = escape::line(&piece.replace('\t', TAB)).into_owned();
    match is_marked {
        true => Span::styled(text, paint.trial()),
        false => Span::raw(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, parts: &[Range<usize>], line: usize, height: usize) -> Vec<String> {
        let lines = lines(text, parts, line, height, Paint::PLAIN);
        lines.iter().map(ToString::to_string).collect()
    }

    fn one(part: Range<usize>) -> Vec<Range<usize>> {
        vec![part]
    }

    #[test]
    fn lines_around_the_part_under_trial_are_shown() {
        let text: String = (1..=100).map(|number| format!("f{number}();\n")).collect();
        let at = text.find("f50").unwrap();
        let shown = shown(&text, &one(at..at + 3), 49, 5);
        let expected = [
            " 48 f48();",
            " 49 f49();",
            " 50>f50();",
            " 51 f51();",
            " 52 f52();",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_short_text_is_shown_from_its_beginning() {
        assert_eq!(shown("a\nb\n", &[], 1, 5), ["1 a", "2 b"]);
        assert_eq!(shown("", &[], 7, 5), [""; 0]);
    }

    #[test]
    fn of_several_empty_lines_one_is_shown() {
        let text = "a\n\n  \n\nb\n";
        assert_eq!(shown(text, &[], 0, 9), ["1 a", "2 ", "5 b"]);
        let at = text.find('b').unwrap();
        assert_eq!(
            shown(text, &one(at..at + 1), 4, 1),
            ["5>b"],
            "it is the part under trial"
        );
    }

    #[test]
    fn a_part_of_several_lines_is_marked_in_each() {
        let text = "fn a() {\n    b();\n}\nfn c() {}\n";
        let end = text.find("fn c").unwrap();
        let marked: Vec<bool> = shown(text, &one(0..end), 0, 9)
            .iter()
            .map(|line| line.contains('>'))
            .collect();
        assert_eq!(marked, [true, true, true, false]);
    }

    #[test]
    fn what_acts_on_a_terminal_is_escaped_and_pieces_are_marked() {
        let line = "\ta\u{1b}[2J b";
        let spans = spans_of(line, &one(1..2), Paint::PLAIN);
        let texts: Vec<&str> = spans.iter().map(|span| span.content.as_ref()).collect();
        assert_eq!(texts, ["    ", "a", "\\u{1b}[2J b"]);
    }

    #[test]
    fn a_place_where_something_is_inserted_is_one_character() {
        assert_eq!(marked(&one(4..4), &(0..9)), one(4..5));
        assert_eq!(marked(&one(4..4), &(5..14)), [0..0; 0]);
    }
}
