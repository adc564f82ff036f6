//! Types without their fields or variants, as a slice has them at first. The fields of a type lead to the types of these,
//! and so to most of a crate, although a program that only names the type needs none of them.
//!
//! Before: `struct Set<'a, T> { list: List<'a, T>, len: usize }`, `enum Order { Up(Up), Down }`. After:
//! `struct Set<'a, T> { opaque: (PhantomData<&'a ()>, PhantomData<T>) }`, `enum Order { Opaque }`.

use crate::definitions::DefKind;
use crate::ids::{Place, Position};
use crate::model::Model;
use reduce_syntax::TokenCursor;
use std::collections::HashMap;
use std::ops::Range;

/// The forms of the types in a part of a crate without their fields or variants, by their entries of the
/// outline.
#[derive(Debug, Default)]
pub(super) struct Opaque(HashMap<usize, Form>);

/// A type without its fields or variants.
#[derive(Debug)]
pub(super) struct Form {
    /// The bytes of the fields or variants, with the brackets.
    pub(super) inside: Range<usize>,
    /// The text that takes the place of the fields or variants.
    pub(super) text: String,
}

impl Opaque {
    /// Finds the structs and enums in a place, and makes their forms. Unions and what macros make
    /// are as they are.
    pub(super) fn within(model: &Model, place: &Place) -> Self {
        Self::of_those(model, |_, at| at.is_in(place))
    }

    /// Finds the structs and enums of a program like [`Self::within`], but for those that are seeds.
    pub(super) fn of_all(model: &Model, seeds: &[usize]) -> Self {
        Self::of_those(model, |idx, _| !seeds.contains(&idx))
    }

    fn of_those(model: &Model, is_meant: impl Fn(usize, Position) -> bool) -> Self {
        let entries = model.outline().by_place();
        let types = model.definitions().filter(|(_, one)| {
            let is_type = matches!(
                one.kind,
                DefKind::Struct | DefKind::TupleStruct | DefKind::Enum
            );
            is_type
        });
        let forms = types.filter_map(|(_, one)| {
            let idx = *entries.get(&one.whole)?;
            if !is_meant(idx, one.whole.start()) {
                return None;
            }
            let form = form(model.text_at(&one.whole), one.kind)?;
            let start = one.whole.range.start;
            let inside = start + form.inside.start..start + form.inside.end;
            Some((idx, Form { inside, ..form }))
        });
        Self(forms.collect())
    }

    pub(super) fn of(&self, idx: usize) -> Option<&Form> {
        self.0.get(&idx)
    }
}

/// Makes the form of a type of which this is the text.
fn form(text: &str, kind: DefKind) -> Option<Form> {
    let cursor = TokenCursor::without_docs(text);
    let keyword = match kind {
        DefKind::Enum => "enum",
        _ => "struct",
    };
    let start = cursor.skip_attributes(0);
    let name = cursor.find(start..cursor.len(), keyword)? + 1;
    let generics = name + 1;
    let behind = match cursor.is(generics, "<") {
        true => cursor.skip_angles(generics),
        false => generics,
    };
    let opener = match cursor.is(behind, "(") {
        true => behind,
        false => cursor.find(behind..cursor.len(), "{")?,
    };
    let closer = cursor.skip_group(opener).checked_sub(1)?;
    let inside = cursor.range(opener).start..cursor.range(closer).end;
    let parameters = match behind > generics {
        true => cursor.split_by_commas(generics + 1..behind - 1),
        false => Vec::new(),
    };
    let parameters = parameters.into_iter();
    let phantoms = parameters.filter_map(|one| phantom(&cursor, one.start));
    let content = match phantoms.collect::<String>() {
        none if none.is_empty() => none,
        all => format!("({all})"),
    };
    let mut within = cursor.indices();
    let has_default = within.any(|idx| cursor.are(idx, &["#", "[", "default", "]"]));
    let text = match (kind, content.as_str()) {
        (DefKind::Enum, "") if has_default => "{ #[default] Opaque }".to_owned(),
        // The default is a variant without fields.
        (DefKind::Enum, _) if has_default => return None,
        (DefKind::Enum, "") => "{ Opaque }".to_owned(),
        (DefKind::Enum, some) => format!("{{ Opaque({some}) }}"),
        (_, some) if cursor.is(opener, "(") => format!("({some})"),
        (_, "") => "{}".to_owned(),
        (_, some) => format!("{{ opaque: {some} }}"),
    };
    Some(Form { inside, text })
}

/// Returns a field that uses the type's parameter at a token, unless that is a constant.
fn phantom(cursor: &TokenCursor<'_>, start: usize) -> Option<String> {
    let at = cursor.skip_attributes(start);
    let used = match cursor.word(at) {
        "" | "const" => return None,
        lifetime if cursor.is_lifetime(at) => format!("&{lifetime} ()"),
        name => name.to_owned(),
    };
    Some(format!("::core::marker::PhantomData<{used}>,"))
}
