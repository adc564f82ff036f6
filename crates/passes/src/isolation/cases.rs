//! Tables of cases: lists of which a loop around the assertion that fails takes one element after the other, where
//! nothing goes from one round of the loop to the next.

use super::leading::{Leading, LeadingLoop};
use super::variables::Variables;
use super::{Isolating, Isolation};
use crate::passes::binding;
use crate::program::{Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::Position;
use syn::{Expr, Item, Type};

/// The methods that take each element of a list and nothing else.
const ALL_ELEMENTS: [&str; 4] = ["iter", "into_iter", "copied", "cloned"];

/// The tables of the loops that lead to the assertion.
pub(super) fn tables<'p>(
    program: &'p Program,
    leading: &Leading<'p>,
    variables: &Variables,
) -> Vec<Isolation<'p>> {
    let independent = leading
        .loops
        .iter()
        .filter(|one| has_independent_rounds(one, variables));
    let tables = independent.filter_map(|one| table(program, one.file, &one.looping.expr));
    tables.filter(|table| table.len() > 1).collect()
}

/// Whether no round of a loop changes what another one sees, as far as that is written.
fn has_independent_rounds(one: &LeadingLoop<'_>, variables: &Variables) -> bool {
    let place = one.file.place(one.looping);
    let mut outer = variables.of_outside(&place);
    outer.all(|variable| !variables.is_changeable(variable))
}

/// The elements of what a loop goes over.
fn table<'p>(program: &'p Program, file: SyntaxFile<'p>, expr: &'p Expr) -> Option<Isolation<'p>> {
    match expr {
        Expr::Reference(inner) => table(program, file, &inner.expr),
        Expr::Paren(inner) => table(program, file, &inner.expr),
        Expr::MethodCall(call) if call.args.is_empty() => {
            let takes_all = ALL_ELEMENTS.iter().any(|name| call.method == name);
            takes_all.then(|| table(program, file, &call.receiver))?
        }
        Expr::Array(_) | Expr::Macro(_) => {
            Some(isolation(program, file, program.listed(file, expr)?))
        }
        Expr::Path(path) => named(program, file.position(&path.path.segments.last()?.ident)),
        _ => None,
    }
}

/// The elements of a variable, constant or static that is mentioned here and nowhere else.
fn named<'p>(program: &'p Program, mention: Position) -> Option<Isolation<'p>> {
    let defined = program.mentions().definition(mention)?;
    if program.mentions().of(defined).len() > 1 {
        return None;
    }
    let mut values = visit::collect(program, |at, node| {
        let (name, ty, value) = match node {
            Node::Local(local) => {
                let (name, ty) = binding(&local.pat)?;
                (&name.ident, ty, &*local.init.as_ref()?.expr)
            }
            Node::Item(Item::Const(one)) => (&one.ident, Some(&*one.ty), &*one.expr),
            Node::Item(Item::Static(one)) => (&one.ident, Some(&*one.ty), &*one.expr),
            _ => return None,
        };
        let is_meant = at.position(name) == defined && !matches!(value, Expr::Path(_));
        is_meant.then_some((at.file, ty, value))
    });
    let (file, ty, value) = values.pop()?;
    let elements = table(program, file, value)?;
    Some(Isolation {
        written_len: ty.and_then(len).map(|len| file.place(len)),
        ..elements
    })
}

/// The `n` of `[T; n]` or `&[T; n]`, if it is a number.
fn len(ty: &Type) -> Option<&Expr> {
    match ty {
        Type::Array(array) => Some(&array.len).filter(|len| matches!(len, Expr::Lit(_))),
        Type::Reference(inner) => len(&inner.elem),
        _ => None,
    }
}

fn isolation<'p, 'e>(
    program: &'p Program,
    file: SyntaxFile<'p>,
    elements: impl IntoIterator<Item = &'e Expr>,
) -> Isolation<'p> {
    let removals = elements
        .into_iter()
        .map(|one| Isolating::Remove(vec![file.place(one)]));
    Isolation::new(program, removals.collect())
}
