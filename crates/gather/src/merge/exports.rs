//! Macros that a crate exports. They stay at the root of the program, where `#[macro_export]` puts
//! them, and the module imports them from there: `pub use crate::m;`. Where the root has a macro of
//! that name, the module has its own, imported below its definition: `pub(crate) use m;`.

use super::scan::Scan;
use super::scopes::Scopes;

/// An exported `macro_rules!`.
pub(super) struct Export<'t> {
    pub(super) name: &'t str,
    /// The `#` and the `]` of `#[macro_export]`.
    pub(super) attribute: (usize, usize),
    /// The last token of the definition.
    pub(super) end: usize,
    /// The token `macro_rules`.
    pub(super) keyword: usize,
    /// Whether it stands in the arguments of another macro. The compiler finds no such macro at the
    /// root.
    pub(super) is_argument: bool,
}

/// All exported macros of a text. Those that other macros make are none.
pub(super) fn exports<'t>(scan: &Scan<'t>, scopes: &Scopes<'_>) -> Vec<Export<'t>> {
    let attributes = (0..scan.len()).filter(|&idx| scan.are(idx, &["#", "[", "macro_export"]));
    attributes
        .filter_map(|idx| export(scan, scopes, idx))
        .collect()
}

fn export<'t>(scan: &Scan<'t>, scopes: &Scopes<'_>, idx: usize) -> Option<Export<'t>> {
    let close = scan.partner(idx + 1)?;
    let keyword = after_attributes(scan, close + 1);
    if !scan.are(keyword, &["macro_rules", "!"]) || !scan.is_name(keyword + 2) {
        return None;
    }
    let close_body = scan.partner(keyword + 3)?;
    let semicolon = Some(close_body + 1).filter(|&at| scan.is(at, ";"));
    let place = place(scan, scopes, idx)?;
    Some(Export {
        name: scan.word(keyword + 2),
        attribute: (idx, close),
        end: semicolon.unwrap_or(close_body),
        keyword,
        is_argument: place == Place::Argument,
    })
}

fn after_attributes(scan: &Scan<'_>, mut idx: usize) -> usize {
    loop {
        if scan.is_doc(idx) {
            idx += 1;
        } else if scan.are(idx, &["#", "["])
            && let Some(close) = scan.partner(idx + 1)
        {
            idx = close + 1;
        } else {
            return idx;
        }
    }
}

#[derive(PartialEq, Eq)]
enum Place {
    Item,
    Argument,
}

/// Where a token stands; `None` in the definition of a macro.
fn place(scan: &Scan<'_>, scopes: &Scopes<'_>, idx: usize) -> Option<Place> {
    let mut place = Place::Item;
    let mut group = scan.group(idx);
    while let Some(opener) = group {
        if opener >= 3 && scan.are(opener - 3, &["macro_rules", "!"]) {
            return None;
        }
        if !scopes.opens_module(opener) && scan.before(opener) == "!" {
            place = Place::Argument;
        }
        group = scan.group(opener);
    }
    Some(place)
}
