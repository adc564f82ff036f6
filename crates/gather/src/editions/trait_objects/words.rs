//! Writes `dyn` before trait objects in tokens that syn does not parse: in arguments and definitions of macros.
//!
//! Only pointers count, such as `&Trait` and `Box<Trait>`: elsewhere a name may be a bound.

use super::names::TraitNames;
use crate::rewriting::Rewriting;
use reduce_syntax::TokenCursor;
use std::ops::Range;

/// Types of the standard library, such as `Box`, whose argument is a trait object if it is the name of a trait.
const POINTERS: [&str; 10] = [
    "Arc", "Box", "Cell", "Cow", "Mutex", "NonNull", "Rc", "RefCell", "RwLock", "Weak",
];

/// Puts `dyn` before the trait objects in a range of tokens of a module.
pub(crate) fn add_dyn(rewriting: &mut Rewriting<'_>, range: Range<usize>, names: &TraitNames<'_>) {
    let mut idx = range.start;
    while idx < range.end {
        let path = path_at(&rewriting.cursor, idx);
        if !path.is_empty()
            && is_pointer_before(&rewriting.cursor, idx)
            && is_object(&rewriting.cursor, &path, names)
        {
            rewriting.insert(idx, "dyn ");
        }
        idx = path.end.max(idx + 1);
    }
}

/// Puts `dyn` before `Fn(..)` at a token where only a type can stand.
pub(crate) fn add_dyn_to_closure(rewriting: &mut Rewriting<'_>, idx: usize) {
    let cursor = &rewriting.cursor;
    let path = path_at(cursor, idx);
    let is_closure = !path.is_empty()
        && cursor.is(path.end, "(")
        && matches!(cursor.before(path.end, 1), "Fn" | "FnMut" | "FnOnce");
    if is_closure && is_type_before(cursor, idx) {
        rewriting.insert(idx, "dyn ");
    }
}

/// Returns whether the syntax that begins at a token is a type and no bound: `Box<Fn(u8)>`,
/// `&(Fn(u8) + Send)`, `type A = Fn(u8);`.
fn is_type_before(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let Some(before) = idx.checked_sub(1) else {
        return false;
    };
    match cursor.word(before) {
        "(" => is_pointer_before(cursor, before) || cursor.before(before, 1) == "<",
        "<" | "=" => true,
        _ => is_pointer_before(cursor, idx),
    }
}

/// Returns the tokens of the path, without generic arguments, that begins at a token.
fn path_at(cursor: &TokenCursor<'_>, idx: usize) -> Range<usize> {
    let first = if cursor.is(idx, "::") { idx + 1 } else { idx };
    if !cursor.is_name(first) || cursor.before(idx, 1) == "::" {
        return idx..idx;
    }
    let mut end = first + 1;
    while cursor.is(end, "::") && cursor.is_name(end + 1) {
        end += 2;
    }
    idx..end
}

/// Returns whether a pointer, such as `&`, `*const` or `Box<`, stands before the type that begins at a token.
fn is_pointer_before(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    let before = |back| cursor.before(idx, back);
    let is_lifetime = |back| idx >= back && cursor.is_lifetime(idx - back);
    match before(1) {
        "&" | "&&" => true,
        "mut" => matches!(before(2), "&" | "&&" | "*") || is_lifetime(2),
        "const" => before(2) == "*",
        "<" => POINTERS.contains(&before(2)),
        _ => is_lifetime(1) && matches!(before(2), "&" | "&&"),
    }
}

fn is_object(cursor: &TokenCursor<'_>, path: &Range<usize>, names: &TraitNames<'_>) -> bool {
    let has_bounds = cursor.is(path.end, "+") && cursor.before(path.start, 1) == "<";
    if has_bounds || matches!(cursor.word(path.end), "::" | "!" | "." | "{") {
        return has_bounds;
    }
    let is_keyword = matches!(cursor.word(path.start), "mut" | "const" | "dyn");
    !is_keyword && names.is_trait(cursor.range(path.end - 1).start)
}
