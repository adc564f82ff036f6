//! Removes arguments that only tell what a generic parameter is; a turbofish, such as `f::<u8>()`, says so with less.

use super::super::generics::is_lifetime;
use super::Signature;
use reduce_syntax::EditSet;
use syn::{GenericParam, Type};

/// Removes from a signature an input that no body mentions; each call says what its generic parameters are: `f::<0>()` for `f([])` of
/// `fn f<const N: usize>(_: [u8; N])`.
pub(super) fn change(one: &Signature<'_, '_>, idx: usize) -> Option<EditSet> {
    let family = one.family;
    let [function] = family.functions.as_slice() else {
        return None;
    };
    let is_possible = !family.calls.is_empty()
        && family.mentions.is_empty()
        && family
            .calls
            .iter()
            .all(|call| call.turbofish().next().is_none());
    if !is_possible || one.is_mentioned(idx) {
        return None;
    }
    let parameter = &function.parameters.get(idx)?.whole;
    let is_told = |generic| {
        one.mentions(function, generic)
            .iter()
            .any(|at| at.is_in(parameter))
    };
    let generics: Vec<&GenericParam> = function
        .generics()
        .filter(|one| !is_lifetime(one))
        .collect();
    if !generics.iter().any(|generic| is_told(*generic)) {
        return None;
    }
    let arguments = generics.iter().map(|generic| match is_told(*generic) {
        true => argument(generic),
        false => "_",
    });
    let turbofish = format!("::<{}>", arguments.collect::<Vec<_>>().join(", "));
    let mut change = one.program.change();
    change.remove(parameter);
    for place in one.passed(idx) {
        change.remove(&place);
    }
    for call in &family.calls {
        change.insert(call.at.place(call.name).end(), &turbofish);
    }
    change.finish()
}

/// Returns a short argument for a generic parameter: `u8`, `0` or `true`.
fn argument(generic: &GenericParam) -> &'static str {
    match generic {
        GenericParam::Const(one) => match &one.ty {
            Type::Path(ty) if ty.path.is_ident("bool") => "true",
            _ => "0",
        },
        _ => "u8",
    }
}
