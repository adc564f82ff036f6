//! Turns generic inherent impls of one function into impls of a trait: such an impl has the same head, and a
//! bound makes the compiler look at it like a call of the function. `Unpin` is in scope everywhere, has no
//! members, and may be implemented for any type.

use super::super::free_functions::{Members, Mention, members, mentions_by_path, strays};
use super::super::functions::Functions;
use super::MAX_SITES;
use super::callers::Callers;
use reduce_syntax::EditSet;
use syn::PathArguments;

const TRAIT: &str = "Unpin";

pub(super) fn changes(functions: &Functions<'_>, callers: &Callers<'_>) -> Vec<EditSet> {
    let all = members(functions);
    let changes = all.values().filter_map(|of_impl| change(of_impl, callers));
    changes.take(MAX_SITES).collect()
}

fn change(of_impl: &Members<'_, '_>, callers: &Callers<'_>) -> Option<EditSet> {
    let (block, [family]) = (of_impl.0, of_impl.1.as_slice()) else {
        return None;
    };
    let strays = strays(callers.program, &callers.paths, of_impl);
    let mentions = mentions_by_path(family, &strays);
    let is_possible = block.items.len() == 1
        && !block.generics.params.is_empty()
        && !mentions.is_empty()
        && family.calls.iter().all(|call| call.receiver.is_none());
    let mut change = callers.program.change();
    callers.replace(&mut change, &mentions, |mention| {
        Some(vec![bound(mention)?])
    })?;
    let at = family.first().at;
    change.insert(at.place(&block.self_ty).start(), &format!("{TRAIT} for "));
    change.delete(&at.inside(block.brace_token.span));
    change.finish().filter(|_| is_possible)
}

/// Returns the predicate for a mention of an impl's function: `S<u8>: Unpin` of `S::<u8>::f`.
fn bound(mention: Mention<'_>) -> Option<String> {
    let (owner, path) = (mention.owner()?, mention.path);
    if path.qself.is_some() || path.path.segments.len() != 2 {
        return None;
    }
    let arguments = match &owner.arguments {
        PathArguments::AngleBracketed(all) => mention.at.text(all),
        _ => "",
    };
    let arguments = arguments.trim_start_matches("::");
    Some(format!("{}{arguments}: {TRAIT}", owner.ident))
}
