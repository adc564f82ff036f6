//! Items without a name: their kinds, and the names that reach them. A macro's call may define
//! something, as far as it tells: `lazy_static! { static ref S: T = v; }`, `define_id!(NodeId);`.

use super::Kind;
use crate::collect::Collected;
use crate::ids::{DefId, NameId, Place};
use crate::model::Model;
use crate::names::Hint;
use crate::std_names::is_external;
use reduce_syntax::TokenCursor;
use std::collections::BTreeSet;

/// Returns the kind of an item that is no definition, and the names that reach it.
pub(super) fn read(model: &Model, place: &Place) -> (Kind, Vec<NameId>) {
    let cursor = TokenCursor::new(model.text_at(place));
    let start = cursor.skip_attributes(0);
    let start = match cursor.are(start, &["pub", "("]) {
        true => cursor.skip_group(start + 1),
        false => start + usize::from(cursor.is(start, "pub")),
    };
    match [cursor.word(start), cursor.word(start + 1)] {
        ["use", _] => (Kind::Import { glob: false }, Vec::new()),
        ["extern", "crate"] => (Kind::ExternCrate, Vec::new()),
        ["extern", _] | ["unsafe", "extern"] => (Kind::Module, Vec::new()),
        ["const", name @ "_"] => (Kind::Other, model.name_of(name).into_iter().collect()),
        _ => call(model, place),
    }
}

/// Returns the kind of a macro's call, and the names that reach it. What stands like the name of a
/// definition in it is taken for one. Else it is reached by what looks like a type in it, or in the
/// impls that the macro makes.
fn call(model: &Model, place: &Place) -> (Kind, Vec<NameId>) {
    let Collected { words, macros, .. } = model.collected();
    let all = words.within(place.file, &place.range);
    let all: Vec<(NameId, Hint, &str)> = all
        .map(|word| words.get(word))
        .map(|word| (word.name, word.hint, words.text(word.name)))
        .collect();
    let defined = all.iter().filter(|(_, hint, _)| *hint == Hint::Definition);
    let defined = defined.filter(|(.., text)| !is_external(text));
    let defined: BTreeSet<NameId> = defined.map(|(name, ..)| *name).collect();
    if !defined.is_empty() {
        return (Kind::Expanded, defined.into_iter().collect());
    }
    let types = all
        .iter()
        .filter(|(_, hint, text)| *hint != Hint::Silent && is_type(text));
    let called = all.iter().filter_map(|(name, ..)| macros.get(name));
    let made = called.flatten().flat_map(|&def| implemented_by(model, def));
    let types: BTreeSet<NameId> = types.map(|(name, ..)| *name).chain(made).collect();
    (Kind::Call, types.into_iter().collect())
}

/// Returns the types that a macro's definition itself makes impls of: `impl<T> Index<$t> for Slice
/// { .. }`.
fn implemented_by(model: &Model, def: DefId) -> Vec<NameId> {
    let cursor = TokenCursor::without_docs(model.text_at(&model.definition(def).whole));
    let impls = cursor.indices().filter(|&idx| cursor.is(idx, "impl"));
    let subject = |idx: usize| {
        let mut head = (idx..cursor.len()).take_while(|&at| !cursor.is(at, "{"));
        let of_type = head.find(|&at| cursor.is(at, "for")).unwrap_or(idx) + 1;
        Some(cursor.word(of_type)).filter(|word| is_type(word))
    };
    let types = impls.filter_map(subject);
    types.filter_map(|name| model.name_of(name)).collect()
}

/// Returns whether a word looks like the name of a type of the crate.
fn is_type(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.len() > 1 && !is_external(word)
}
