//! Removes inputs and outputs of closures together with those of the function types that are written for them.

use super::{Typed, last};
use crate::program::{Change, Place};
use crate::visit::At;
use reduce_syntax::EditSet;
use syn::{Expr, ExprClosure, PathArguments, ReturnType, Type, TypeParamBound};

/// Returns changes that remove the inputs of a closure, its output, and both.
pub(super) fn changes(typed: Typed<'_>, closure: &ExprClosure) -> Vec<EditSet> {
    let Some(function) = FunctionType::of(typed.at, typed.ty) else {
        return Vec::new();
    };
    let changes = [(true, true), (true, false), (false, true)].map(|(inputs, output)| {
        let mut change = typed.program.change();
        if inputs {
            change.delete(function.inputs.as_ref()?);
            let bars = typed.at.between(&closure.inputs_begin, &closure.inputs_end);
            change.replace(&bars, "||");
        }
        if output {
            change.delete(function.output.as_ref()?);
            drop_output(&mut change, typed.at, closure)?;
        }
        change.finish()
    });
    changes.into_iter().flatten().collect()
}

/// A type `Fn(A) -> B` or `fn(A) -> B`: what is between its parentheses, and `-> B`.
struct FunctionType {
    inputs: Option<Place>,
    output: Option<Place>,
}

impl FunctionType {
    fn of(at: At<'_>, ty: &Type) -> Option<Self> {
        let bounds = match ty {
            Type::FnPtr(one) => {
                let inside = at.inside(one.paren_token.span);
                return Some(Self::with(at, inside, one.inputs.is_empty(), &one.output));
            }
            Type::ImplTrait(one) => &one.bounds,
            Type::TraitObject(one) => &one.bounds,
            _ => return None,
        };
        bounds.iter().find_map(|bound| {
            let TypeParamBound::Trait(bound) = bound else {
                return None;
            };
            match &bound.path.segments.last()?.arguments {
                PathArguments::Parenthesized(one) => {
                    let inside = at.inside(one.paren_token.span);
                    Some(Self::with(at, inside, one.inputs.is_empty(), &one.output))
                }
                _ => None,
            }
        })
    }

    fn with(at: At<'_>, inside: Place, is_empty: bool, output: &ReturnType) -> Self {
        Self {
            inputs: (!is_empty).then_some(inside),
            output: match output {
                ReturnType::Default => None,
                ReturnType::Type(..) => Some(at.place(output)),
            },
        }
    }
}

/// Removes the value at the end of a closure, and makes `()` of the output that is written for it. One whose output
/// is written has to say so.
fn drop_output(change: &mut Change<'_>, at: At<'_>, closure: &ExprClosure) -> Option<()> {
    if let ReturnType::Type(_, ty) = &closure.output {
        change.replace(&at.place(ty), "()");
    }
    match &*closure.body {
        Expr::Block(body) => change.delete(&at.place(last(&body.block)?)),
        body => change.replace(&at.place(body), "{}"),
    };
    Some(())
}
