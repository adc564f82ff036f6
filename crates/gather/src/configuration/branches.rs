//! Macros that choose between branches: `cfg_if!` of the crate of that name, std's `cfg_select!`, and
//! `cfg!`, which chooses between `true` and `false`.

use super::Configuration;
use reduce_syntax::TokenCursor;
use std::ops::Range;
use syn::{Macro, Path};

/// The text that a macro call becomes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The text in a range, relative to the parsed text. It may be empty.
    Branch(Range<usize>),
    /// The macro call is a `cfg!(..)` and becomes `true` or `false`.
    Value(bool),
}

/// Returns the branch that a `cfg_if!`, `cfg_select!` or `cfg!` call selects. `None` if the macro is another one, or a predicate
/// before the branch is not understood. The call stands in `text`.
pub(super) fn choice(call: &Macro, text: &str, configuration: &Configuration) -> Option<Choice> {
    let find = match call.path.segments.last()?.ident.to_string().as_str() {
        "cfg" if is_of_std(&call.path) => of_cfg,
        "cfg_if" => of_ifs,
        "cfg_select" => of_arms,
        _ => return None,
    };
    let span = call.delimiter.span();
    let inside = span.open().byte_range().end..span.close().byte_range().start;
    let cursor = TokenCursor::new(text.get(inside.clone())?);
    Some(match find(&cursor, configuration)? {
        Choice::Branch(branch) => {
            Choice::Branch(inside.start + branch.start..inside.start + branch.end)
        }
        value => value,
    })
}

fn is_of_std(path: &Path) -> bool {
    let first = path.segments.first();
    path.segments.len() == 1
        || first.is_some_and(|first| first.ident == "core" || first.ident == "std")
}

/// Evaluates the arguments of `cfg!(..)`.
fn of_cfg(cursor: &TokenCursor<'_>, configuration: &Configuration) -> Option<Choice> {
    let predicate = only_part(cursor, cursor.indices())?;
    let is_on = configuration.decide_text(cursor.text_of(&predicate))?;
    Some(Choice::Value(is_on))
}

fn only_part(cursor: &TokenCursor<'_>, tokens: Range<usize>) -> Option<Range<usize>> {
    let parts = cursor.split_values_by_commas(tokens);
    parts.first().filter(|_| parts.len() == 1).cloned()
}

/// Selects the branch of `if #[cfg(..)] { .. } else if #[cfg(..)] { .. } else { .. }`.
fn of_ifs(cursor: &TokenCursor<'_>, configuration: &Configuration) -> Option<Choice> {
    let mut at = 0;
    loop {
        let is_last = !cursor.is(at, "if");
        let mut is_on = is_last;
        if !is_last {
            let predicate = predicate_of(cursor, at + 1)?;
            is_on = configuration.decide_text(cursor.text_of(&predicate))?;
            at = cursor.skip_attribute(at + 1);
        }
        let branch = inside_braces(cursor, at)?;
        at = cursor.skip_group(at);
        match cursor.word(at) {
            "else" if !is_last && !is_on => at += 1,
            _ if is_on && (!is_last || at == cursor.len()) => return Some(Choice::Branch(branch)),
            "" => return Some(Choice::Branch(branch.start..branch.start)),
            _ => return None,
        }
    }
}

/// Finds the predicate of the `#[cfg(..)]` that begins at a token.
fn predicate_of(cursor: &TokenCursor<'_>, idx: usize) -> Option<Range<usize>> {
    let closing = cursor.closing(idx + 3)?;
    let is_attribute = cursor.are(idx, &["#", "[", "cfg"]);
    let is_whole = cursor.closing(idx + 1) == Some(closing + 1);
    only_part(cursor, idx + 4..closing).filter(|_| is_attribute && is_whole)
}

/// Returns the range between the braces that open at a token.
fn inside_braces(cursor: &TokenCursor<'_>, idx: usize) -> Option<Range<usize>> {
    let closing = cursor.closing(idx).filter(|_| cursor.is(idx, "{"))?;
    Some(cursor.range(idx).end..cursor.range(closing).start)
}

/// Selects the branch of `unix => { .. } windows => value, _ => { .. }`.
fn of_arms(cursor: &TokenCursor<'_>, configuration: &Configuration) -> Option<Choice> {
    let mut at = 0;
    loop {
        let arrow = cursor.find(at..cursor.len(), "=>")?;
        let is_on = match cursor.text_of(&(at..arrow)) {
            "_" => true,
            predicate => configuration.decide_text(predicate)?,
        };
        let (branch, end) = match inside_braces(cursor, arrow + 1) {
            Some(branch) => (branch, cursor.skip_group(arrow + 1)),
            None => {
                let end = cursor.find(arrow + 1..cursor.len(), ",");
                let value = arrow + 1..end.unwrap_or(cursor.len());
                (cursor.bytes_of(&value), value.end)
            }
        };
        if is_on {
            return (end > arrow + 1).then_some(Choice::Branch(branch));
        }
        at = end + usize::from(cursor.is(end, ","));
    }
}
