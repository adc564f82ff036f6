//! Reads `use` and `extern crate` items from the tokens of a text.

use reduce_syntax::TokenCursor;
use std::ops::Range;

/// A `use ..;` item, by the indices of its tokens. What does not look like one, as in some macros, is none.
pub(crate) struct Import {
    /// The index of the token `use`.
    pub(crate) keyword: usize,
    pub(crate) semicolon: usize,
    /// The index of the `::` before the whole import, as in `use ::a::b;`.
    pub(crate) global: Option<usize>,
    pub(crate) leaves: Vec<Leaf>,
}

/// A leaf of an import: `b` or `c` of `use a::{b, c};`, or the `*` of `use a::*;`.
pub(crate) struct Leaf {
    /// The tokens of the imported path, from its first name on, also of names outside of the braces.
    pub(crate) path: Vec<usize>,
    /// The token of the new name in `use path as name`.
    pub(crate) alias: Option<usize>,
    pub(crate) is_glob: bool,
    /// The first and the last token of the import in the innermost group.
    pub(crate) tokens: (usize, usize),
}

impl Leaf {
    pub(crate) fn words<'t>(&self, cursor: &TokenCursor<'t>) -> Vec<&'t str> {
        self.path.iter().map(|&idx| cursor.word(idx)).collect()
    }

    /// Returns the token of the name that this import brings into scope; `None` of a `*`.
    pub(crate) fn name_at(&self, cursor: &TokenCursor<'_>) -> Option<usize> {
        let mut path = self.path.iter().rev().copied();
        let last = || path.find(|&idx| !cursor.is(idx, "self"));
        self.alias.or_else(last).filter(|_| !self.is_glob)
    }

    /// Returns the name that this import brings into scope; `None` of a `*`.
    pub(crate) fn name<'t>(&self, cursor: &TokenCursor<'t>) -> Option<&'t str> {
        self.name_at(cursor).map(|idx| cursor.word(idx))
    }
}

/// An `extern crate ..;` item, by the indices of its tokens.
pub(crate) struct ExternCrate {
    /// The index of the token `extern`.
    pub(crate) keyword: usize,
    /// The token of the new name in `extern crate name as other;`.
    pub(crate) alias: Option<usize>,
    pub(crate) semicolon: usize,
}

impl ExternCrate {
    /// Returns the token with the crate's own name.
    pub(crate) fn name(&self) -> usize {
        self.keyword + 2
    }

    /// Returns the token with the name that the crate gets in this text.
    pub(crate) fn here(&self) -> usize {
        self.alias.unwrap_or(self.name())
    }
}

/// Returns all imports of a text, in their order.
pub(crate) fn imports(cursor: &TokenCursor<'_>) -> Vec<Import> {
    let keywords = cursor.indices().filter(|&idx| cursor.is(idx, "use"));
    keywords.filter_map(|idx| import(cursor, idx)).collect()
}

/// Returns all `extern crate` items of a text, in their order.
pub(crate) fn extern_crates(cursor: &TokenCursor<'_>) -> Vec<ExternCrate> {
    let keywords = cursor
        .indices()
        .filter(|&idx| cursor.are(idx, &["extern", "crate"]));
    keywords
        .filter_map(|idx| extern_crate(cursor, idx))
        .collect()
}

fn extern_crate(cursor: &TokenCursor<'_>, keyword: usize) -> Option<ExternCrate> {
    if !cursor.is_name(keyword + 2) {
        return None;
    }
    let has_alias = cursor.is(keyword + 3, "as") && cursor.is_name(keyword + 4);
    let semicolon = keyword + if has_alias { 5 } else { 3 };
    cursor.is(semicolon, ";").then_some(ExternCrate {
        keyword,
        alias: has_alias.then_some(keyword + 4),
        semicolon,
    })
}

fn import(cursor: &TokenCursor<'_>, keyword: usize) -> Option<Import> {
    let global = Some(keyword + 1).filter(|&idx| cursor.is(idx, "::"));
    let start = global.unwrap_or(keyword) + 1;
    let semicolon = cursor.find(start..cursor.len(), ";")?;
    let mut leaves = Vec::new();
    add_leaves(cursor, start..semicolon, &[], &mut leaves)?;
    Some(Import {
        keyword,
        semicolon,
        global,
        leaves,
    })
}

/// Adds the leaves of an import's tree to `leaves`; the names of `before` come first in their paths.
fn add_leaves(
    cursor: &TokenCursor<'_>,
    tree: Range<usize>,
    before: &[usize],
    leaves: &mut Vec<Leaf>,
) -> Option<()> {
    let mut path = before.to_vec();
    let mut end = tree.start;
    while end < tree.end && !matches!(cursor.word(end), "{" | "*" | "as") {
        let is_sign = matches!(cursor.word(end), "::" | "$");
        path.extend((!is_sign).then_some(end));
        (is_sign || cursor.is_name(end)).then_some(())?;
        end += 1;
    }
    if cursor.is(end, "{") {
        let mut parts = cursor
            .split_by_commas(end + 1..cursor.closing(end)?)
            .into_iter();
        return parts.try_for_each(|part| add_leaves(cursor, part, &path, leaves));
    }
    let alias = cursor.is(end, "as").then_some(end + 1);
    let is_whole = !tree.is_empty() && alias.is_none_or(|alias| cursor.is_name(alias));
    is_whole.then_some(())?;
    leaves.push(Leaf {
        path,
        alias,
        is_glob: cursor.is(end, "*"),
        tokens: (tree.start, tree.end - 1),
    });
    Some(())
}
