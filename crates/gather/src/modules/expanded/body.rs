//! Reads macros whose expansion is easily known: those that can be called without arguments, and those that take items and put
//! attributes before each.

use crate::configuration::is_conditional;
use crate::macro_definitions::is_in_definition;
use crate::rewriting::with_replaced;
use reduce_syntax::{TokenCursor, byte_range};
use std::ops::Range;
use syn::ItemMacro;

/// The body that a macro call becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    /// The text of the body, for a call without arguments.
    Text(String),
    /// The text that stands before each of the call's items: `($($item:item)*) => { $(#[cold] $item)* }`.
    BeforeEach(String),
}

impl Body {
    /// Reads a `macro_rules!` whose only rule takes items, or which has a rule whose pattern is empty. `text` is
    /// that of the definition's file. `None` if there is no such rule, or one before it that begins with a
    /// variable, which may match nothing too.
    pub(super) fn of_definition(item: &ItemMacro, text: &str) -> Option<Self> {
        if !item.mac.path.is_ident("macro_rules") {
            return None;
        }
        let span = item.mac.delimiter.span();
        let inside = span.open().byte_range().end..span.close().byte_range().start;
        let cursor = TokenCursor::new(text.get(inside)?);
        let rules = rules(&cursor)?;
        if let [rule] = rules[..]
            && let Some(prefix) = before_each_item(&cursor, rule)
        {
            return Some(Self::BeforeEach(prefix.to_owned()));
        }
        let is_fit = |(pattern, _): &&(usize, usize)| {
            matches!(cursor.word(pattern + 1), ")" | "]" | "}" | "$")
        };
        let &(pattern, body) = rules.iter().find(is_fit)?;
        let is_empty = !cursor.is(pattern + 1, "$");
        is_empty.then(|| Self::Text(with_crate_named(&cursor, body)))
    }

    /// Returns the text that a call with these items as arguments becomes.
    pub(super) fn called_with(&self, items: &[String]) -> Option<String> {
        match self {
            Self::Text(text) => items.is_empty().then(|| text.clone()),
            Self::BeforeEach(prefix) => {
                let each = items.iter().map(|item| format!("{prefix}{item}\n"));
                Some(each.collect())
            }
        }
    }
}

/// Returns the name of the crate's macro that is called with items as arguments, and the ranges of these items. `None` if these
/// are something else, or the call has a condition.
pub(super) fn called_with_items(item: &ItemMacro) -> Option<(String, Vec<Range<usize>>)> {
    let segments = &item.mac.path.segments;
    let mut modules = segments.iter().rev().skip(1);
    if item.attrs.iter().any(is_conditional) || !modules.all(|one| one.ident == "crate") {
        return None;
    }
    let arguments: syn::File = syn::parse2(item.mac.tokens.clone()).ok()?;
    let ranges = arguments.items.iter().map(byte_range);
    let name = segments.last()?.ident.to_string();
    arguments.attrs.is_empty().then(|| (name, ranges.collect()))
}

/// Finds the opening brackets of the pattern and of the body of each rule.
fn rules(cursor: &TokenCursor<'_>) -> Option<Vec<(usize, usize)>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < cursor.len() {
        let arrow = cursor.closing(at)? + 1;
        let end = cursor
            .closing(arrow + 1)
            .filter(|_| cursor.is(arrow, "=>"))?
            + 1;
        found.push((at, arrow + 1));
        at = end + 1;
        (end == cursor.len() || cursor.is(end, ";")).then_some(())?;
    }
    Some(found)
}

/// Returns the tokens before each item in a rule that hands items on: `($($item:item)*) => { $(#[cold] $item)* }`.
fn before_each_item<'t>(
    cursor: &TokenCursor<'t>,
    (pattern, body): (usize, usize),
) -> Option<&'t str> {
    let name = cursor.word(pattern + 4);
    let takes_items = cursor.are(pattern + 1, &["$", "(", "$", name, ":", "item", ")", "*"])
        && cursor.closing(pattern) == Some(pattern + 9);
    let close = cursor.closing(body + 2)?;
    let hands_on = cursor.are(body + 1, &["$", "("])
        && cursor.is(close + 1, "*")
        && cursor.closing(body) == Some(close + 2);
    let mut prefix = body + 3..close.checked_sub(2)?;
    let is_last = cursor.are(prefix.end, &["$", name]);
    let start = cursor.range(body + 2).end;
    let text = cursor.text().get(start..cursor.range(prefix.end).start)?;
    let is_fixed = !prefix.any(|idx| matches!(cursor.word(idx), "$" | "!"));
    (takes_items && hands_on && is_last && is_fixed).then_some(text)
}

/// Returns the text of a macro's body with `crate` in place of `$crate`, except in definitions of macros in
/// it. Other variables can only be those of such definitions.
fn with_crate_named(cursor: &TokenCursor<'_>, body: usize) -> String {
    let end = cursor.skip_group(body) - 1;
    let inside = cursor.range(body).end..cursor.range(end).start;
    let is_named =
        |idx: &usize| cursor.are(*idx, &["$", "crate"]) && !is_in_definition(cursor, *idx);
    let named = (body..end).filter(is_named);
    let ranges = named.map(|idx| {
        let range = cursor.bytes(idx, idx + 1);
        (
            range.start - inside.start..range.end - inside.start,
            "crate",
        )
    });
    with_replaced(&cursor.text()[inside.clone()], ranges)
}
