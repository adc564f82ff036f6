//! Replaces types of one form by a part of them in all places at once: `Vec<T>` by `T` in an impl, and `Vec<u8>` by
//! `u8` in the bound that needs it.

use super::texts::inner;
use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use std::collections::{BTreeMap, BTreeSet};
use syn::{PathArguments, Type};

/// The most changes that are tried: those of the types that stand in the most places.
const MOST_CHANGES: usize = 30;

pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let all = by_head(program);
    let mut several: Vec<&Vec<Made<'_>>> = all.values().filter(|all| differ(all)).collect();
    several.sort_by_key(|all| std::cmp::Reverse(all.len()));
    let changes = several.into_iter().flat_map(|all| {
        let n_parts = all.iter().map(|one| one.parts.len()).min();
        (0..n_parts.unwrap_or_default()).filter_map(|idx| replaced(program, all, idx))
    });
    changes.take(MOST_CHANGES).collect()
}

/// A type that is made of other types, such as `Vec<u8>` or `&T`.
struct Made<'p> {
    text: &'p str,
    place: Place,
    /// The types of which the type is made, such as `u8` of `Vec<u8>`.
    parts: Vec<&'p str>,
}

/// Returns all types that are made of others, by the way they are made: `Vec<u8>` by `Vec`.
fn by_head<'p>(program: &'p Program) -> BTreeMap<String, Vec<Made<'p>>> {
    let mut found: BTreeMap<String, Vec<Made<'p>>> = BTreeMap::new();
    visit::each(program, |at, node| {
        if let Node::Type(ty) = node
            && let Some(head) = head(ty, |part| at.text(part))
        {
            let parts = inner(ty).into_iter().map(|part| at.text(part)).collect();
            let (text, place) = (at.text(ty), at.place(ty));
            found
                .entry(head)
                .or_default()
                .push(Made { text, place, parts });
        }
    });
    found
}

/// Returns the way in which a type is made of others, such as `Vec` or `&`; `None` if it is not made of others.
fn head<'p>(ty: &'p Type, text: impl Fn(&'p syn::Ident) -> &'p str) -> Option<String> {
    let head = match ty {
        Type::Array(_) => "[;]".to_owned(),
        Type::Slice(_) => "[]".to_owned(),
        Type::Ptr(_) => "*".to_owned(),
        Type::Reference(one) if one.mutability.is_some() => "&mut".to_owned(),
        Type::Reference(_) => "&".to_owned(),
        Type::Tuple(tuple) => ",".repeat(tuple.elems.len()),
        Type::Path(one) if one.qself.is_none() => {
            let PathArguments::AngleBracketed(_) = one.path.segments.last()?.arguments else {
                return None;
            };
            let names = one.path.segments.iter().map(|segment| text(&segment.ident));
            names.collect::<Vec<_>>().join("::")
        }
        _ => return None,
    };
    (!inner(ty).is_empty()).then_some(head)
}

/// Whether some of the types differ: those that are all the same are replaced by their text.
fn differ(all: &[Made<'_>]) -> bool {
    let texts: BTreeSet<&str> = all.iter().map(|one| one.text).collect();
    texts.len() > 1
}

fn replaced(program: &Program, all: &[Made<'_>], idx: usize) -> Option<EditSet> {
    let mut change = program.change();
    for one in all {
        change.replace(&one.place, one.parts[idx]);
    }
    change.finish()
}
