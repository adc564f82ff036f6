//! Finds the macros that a crate exports. They stay at the root of the program, where `#[macro_export]` puts them, and the module
//! imports them from there: `pub use crate::m;`. Where the root has a macro of that name, the module has its own, imported below
//! its definition: `pub(crate) use m;`.

use crate::macro_definitions::is_in_definition;
use reduce_syntax::TokenCursor;

/// A `macro_rules!` with `#[macro_export]`.
pub(super) struct Export<'t> {
    pub(super) name: &'t str,
    /// The tokens `#` and `]` of `#[macro_export]`.
    pub(super) attribute: (usize, usize),
    /// The last token of the definition.
    pub(super) end: usize,
    /// The token `macro_rules`.
    pub(super) keyword: usize,
    /// Whether the definition stands in the arguments of another macro. The compiler finds no such
    /// macro at the root.
    pub(super) is_argument: bool,
}

/// Returns the exported macros of a text, without those that stand in the definition of another macro.
pub(super) fn exports<'t>(cursor: &TokenCursor<'t>) -> Vec<Export<'t>> {
    let attributes = cursor
        .indices()
        .filter(|&idx| cursor.are(idx, &["#", "[", "macro_export"]));
    attributes.filter_map(|idx| export(cursor, idx)).collect()
}

fn export<'t>(cursor: &TokenCursor<'t>, idx: usize) -> Option<Export<'t>> {
    let close = cursor.partner(idx + 1)?;
    let keyword = cursor.skip_attributes(close + 1);
    if !cursor.are(keyword, &["macro_rules", "!"]) || !cursor.is_name(keyword + 2) {
        return None;
    }
    let close_body = cursor.partner(keyword + 3)?;
    let semicolon = Some(close_body + 1).filter(|&at| cursor.is(at, ";"));
    if is_in_definition(cursor, idx) {
        return None;
    }
    let is_macro = |opener: usize| cursor.before(opener, 1) == "!";
    Some(Export {
        name: cursor.word(keyword + 2),
        attribute: (idx, close),
        end: semicolon.unwrap_or(close_body),
        keyword,
        is_argument: cursor.groups_around(idx).any(is_macro),
    })
}
