//! Removes all fields of a type at once; and the generic parameters that only they needed.

use crate::passes::data::{Data, Definition, Kind, Shape};
use crate::program::{Change, Place, Program};
use reduce_syntax::EditSet;
use syn::GenericParam;

/// Removes the fields and generic parameters of a type: `S(T, U)` becomes `S`.
pub(super) fn without_fields(
    program: &Program,
    data: &Data<'_>,
    of: &Definition<'_>,
) -> Vec<EditSet> {
    if of.fields.is_empty() || matches!(of.kind, Kind::Union) {
        return Vec::new();
    }
    let is_const = |one: &GenericParam| matches!(one, GenericParam::Const(_));
    let needs_fields = of.parameters().any(|one| !is_const(one));
    // A single field is for `delete_fields`.
    let keeps_generics = !needs_fields && of.fields.len() > 1;
    let with = keeps_generics.then(|| unit(program, of, None)).flatten();
    let drops_generics = needs_fields && !of.has_where();
    let without = drops_generics
        .then(|| unit(program, of, Some(data)))
        .flatten();
    without.into_iter().chain(with).collect()
}

/// Removes the fields of a type; `ungeneric` has all types of the program if the generic parameters
/// go too.
fn unit(program: &Program, of: &Definition<'_>, ungeneric: Option<&Data<'_>>) -> Option<EditSet> {
    let mut change = program.change();
    match &of.shape {
        Shape::Named(braces) if !of.is_variant() => change.replace(braces, ";"),
        Shape::Named(brackets) | Shape::Tuple(brackets) => change.delete(brackets),
        Shape::Unit => return None,
    };
    for one in &of.uses {
        if let Shape::Named(brackets) | Shape::Tuple(brackets) = &one.shape {
            change.delete(brackets);
        }
    }
    for read in of.fields.iter().flat_map(|field| &field.reads) {
        read.become_text("loop {}", &mut change);
    }
    if let Some(data) = ungeneric {
        drop_generics(data, of, &mut change);
    }
    change.finish()
}

/// Removes all generic parameters of a type, with the arguments for them, and with the parameters of impls and
/// functions that were only mentioned in these arguments.
fn drop_generics(data: &Data<'_>, of: &Definition<'_>, change: &mut Change<'_>) {
    for one in of.parameters() {
        change.remove(&of.file.place(one));
    }
    let brackets = of.segments.iter().filter_map(|one| one.brackets.clone());
    let brackets: Vec<Place> = brackets.collect();
    for place in &brackets {
        change.delete(place);
    }
    data.remove_unneeded(&brackets, change);
}
