//! Replaces types that are written in several places by something simpler in all of these places; and names wherever
//! they stand.

use crate::passes::generics::{plain_name, types_among};
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_syntax::{EditSet, count_tokens, is_one_name};
use std::collections::BTreeMap;
use syn::Type;

/// The most types that are replaced, as texts: those whose replacement saves most.
const MOST_CHANGES: usize = 60;

pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let mut plans: Vec<(i64, EditSet)> = Vec::new();
    for (text, same) in by_text(program)
        .iter()
        // A name has nothing in it, so that no other pass makes it smaller.
        .filter(|(text, same)| same.places.len() > 1 || is_one_name(text))
    {
        for by in same.alternatives(text) {
            let edits = program.replaced(&same.places, by);
            plans.extend(edits.map(|edits| (same.gain(text, by), edits)));
        }
    }
    plans.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
    plans.truncate(MOST_CHANGES);
    plans.into_iter().map(|(_, edits)| edits).collect()
}

fn by_text<'p>(program: &'p Program) -> BTreeMap<&'p str, SameType<'p>> {
    let mut found: BTreeMap<&str, SameType<'_>> = BTreeMap::new();
    visit::each(program, |at, node| {
        if let Node::Type(ty) = node
            && may_be_replaced(program, at.file, ty)
        {
            let same = found.entry(at.text(ty)).or_default();
            if same.places.is_empty() {
                let inner = inner(ty).into_iter().map(|one| at.text(one));
                same.inner = inner.take(2).collect();
            }
            same.places.push(at.place(ty));
        }
    });
    found
}

/// The places where a type is written with the same text, and the types that are parts of it.
#[derive(Default)]
struct SameType<'p> {
    places: Vec<Place>,
    inner: Vec<&'p str>,
}

impl<'p> SameType<'p> {
    fn alternatives(&self, text: &str) -> Vec<&'p str> {
        let n = count_tokens(text);
        let constant = [("()", 2), ("u8", 1)];
        let shorter = constant
            .into_iter()
            .filter(|(by, weight)| *weight < n || (*weight == n && by.len() < text.len()));
        let mut all: Vec<&str> = shorter.map(|(by, _)| by).collect();
        for one in &self.inner {
            if !all.contains(one) {
                all.push(one);
            }
        }
        all
    }

    /// Returns how much smaller a replacement makes the program: a thousand for a token, one for a byte.
    fn gain(&self, text: &str, by: &str) -> i64 {
        let size = |text: &str| {
            let n_bytes = i64::try_from(text.len()).unwrap_or(i64::MAX / 2);
            let n_tokens = i64::try_from(count_tokens(text)).unwrap_or(i64::MAX / 4000);
            n_tokens.saturating_mul(1000).saturating_add(n_bytes)
        };
        let n = i64::try_from(self.places.len()).unwrap_or(i64::MAX);
        (size(text) - size(by)).saturating_mul(n)
    }
}

/// Whether a type may be replaced here: a single name must be one of another crate.
fn may_be_replaced(program: &Program, file: SyntaxFile<'_>, ty: &Type) -> bool {
    match ty {
        Type::Path(_) => plain_name(ty).is_none_or(|name| {
            name != "Self" && program.mentions().definition(file.position(name)).is_none()
        }),
        Type::Infer(_) | Type::Never(_) | Type::Verbatim(_) | Type::ImplTrait(_) => false,
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        _ => true,
    }
}

/// Returns the types directly in a type, such as `u8` in `Vec<u8>`.
pub(super) fn inner(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Array(one) => vec![&one.elem],
        Type::Slice(one) => vec![&one.elem],
        Type::Reference(one) => vec![&one.elem],
        Type::Ptr(one) => vec![&one.elem],
        Type::Paren(one) => vec![&one.elem],
        Type::Tuple(one) => one.elems.iter().collect(),
        Type::Path(one) => {
            let last = one.path.segments.last();
            last.into_iter().flat_map(types_among).collect()
        }
        _ => Vec::new(),
    }
}
