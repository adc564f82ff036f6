//! Removes receivers that no body mentions: `x.f(a)` becomes `S::f(a)`.

use super::super::functions::{Call, Function, keywords};
use super::super::generics::type_name;
use super::Signature;
use reduce_syntax::EditSet;

pub(super) fn changes(one: &Signature<'_, '_>) -> Option<EditSet> {
    let mut functions = one.family.functions.iter();
    if one.is_one_list() || functions.any(|function| mentions_self(one, function)) {
        return None;
    }
    let mut change = one.program.change();
    for function in &one.family.functions {
        change.remove(&function.at.place(function.receiver()?));
    }
    for call in &one.family.calls {
        if call.receiver.is_none() {
            change.remove(&call.at.place(call.arguments.first()?));
            continue;
        }
        let path = format!("{}::{}", own_type(one, call)?, call.at.text(call.name));
        change.replace(&call.head(), &path);
    }
    change.finish()
}

fn mentions_self(one: &Signature<'_, '_>, function: &Function<'_>) -> bool {
    let body = function.body.as_ref();
    let found = body.map(|body| keywords(one.program, &body.whole, "self"));
    found.is_some_and(|all| all.iter().any(|(_, next)| *next != "::"))
}

/// Returns the text that stands for the type whose method is called, such as `Self` for a call on `self`.
fn own_type<'p>(one: &Signature<'_, 'p>, call: &Call<'p>) -> Option<&'p str> {
    if call.at.text(call.receiver?) == "self" {
        return Some("Self");
    }
    let functions = one.family.functions.iter();
    let mut impls = functions.filter_map(|function| Some((function.at, function.at.block()?)));
    let (Some((at, block)), None) = (impls.next(), impls.next()) else {
        return None;
    };
    type_name(&block.self_ty)?;
    let name = at.text(&block.self_ty).split('<').next()?.trim_end();
    (!name.is_empty()).then_some(name)
}
