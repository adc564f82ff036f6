//! Items without a name: what they are, and which names reach them. A macro's call may define something,
//! as far as it tells: `lazy_static! { static ref S: T = v; }`, `define_id!(NodeId);`.

use super::Kind;
use crate::collect::Collected;
use crate::ids::{DefId, NameId, Place};
use crate::model::Model;
use crate::names::{Hint, Word};
use crate::std_names::is_external;
use reduce_syntax::TokenCursor;
use std::collections::BTreeSet;

/// What an item is that is no definition, and the names that reach it.
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

/// A macro's call. What stands like the name of a definition in it is taken for one. Else it is reached
/// by what looks like a type in it, or in the impls that the macro makes.
fn call(model: &Model, place: &Place) -> (Kind, Vec<NameId>) {
    let Collected { words, macros, .. } = model.collected();
    let all = words.within(place.file, &place.range);
    let all: Vec<&Word> = all.map(|word| words.get(word)).collect();
    let is_definition =
        |word: &&&Word| word.hint == Hint::Definition && !is_external(words.text(word.name));
    let defined = all.iter().filter(is_definition).map(|word| word.name);
    let defined: BTreeSet<NameId> = defined.collect();
    if !defined.is_empty() {
        return (Kind::Other, defined.into_iter().collect());
    }
    let is_type = |word: &&&Word| word.hint != Hint::Silent && is_type(words.text(word.name));
    let types = all.iter().filter(is_type).map(|word| word.name);
    let called = all
        .iter()
        .filter_map(|word| macros.get(&word.name))
        .flatten();
    let made = called.flat_map(|&def| implemented_by(model, def));
    let types: BTreeSet<NameId> = types.chain(made).collect();
    (Kind::Call, types.into_iter().collect())
}

/// The types that a macro's definition itself makes impls of: `impl<T> Index<$t> for Slice { .. }`.
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

/// Whether a word looks like the name of a type of the crate.
fn is_type(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.len() > 1 && !is_external(word)
}
