//! Simplifies types that are written beside a pattern which says nothing but the type: `let x: T = y;` is `y as T;` where nothing
//! reads `x`, and the parameter `_: ()` of a closure is `()`.

use crate::precedence::{as_prefixed, is_like_a_block};
use crate::program::Program;
use crate::visit::At;
use reduce_syntax::EditSet;
use syn::{ExprClosure, Local, Pat, Type};

/// Replaces `let x: T = y;` by the statement `y as T;`, if nothing reads `x`.
pub(super) fn cast(program: &Program, at: At<'_>, local: &Local) -> Option<EditSet> {
    let (Pat::Type(typed), Some(init)) = (&local.pat, &local.init) else {
        return None;
    };
    if init.diverge.is_some() || !local.attrs.is_empty() || !is_unread(program, at, &typed.pat) {
        return None;
    }
    let value = at.text(&init.expr);
    let value = match is_like_a_block(&init.expr) {
        true => format!("({value})"),
        false => as_prefixed(value),
    };
    let text = format!("{value} as {};", at.text(&typed.ty));
    let mut change = program.change();
    change.replace(&at.place(local), &text).finish()
}

/// Whether a pattern binds nothing, or one name that nothing mentions.
fn is_unread(program: &Program, at: At<'_>, pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(one) if one.subpat.is_none() => {
            let name = at.position(&one.ident);
            program.mentions().of(name).is_empty()
        }
        _ => false,
    }
}

/// Writes each parameter `_: ()` of a closure as the pattern `()`.
pub(super) fn units(program: &Program, at: At<'_>, closure: &ExprClosure) -> Option<EditSet> {
    let mut change = program.change();
    for one in &closure.inputs {
        if let Pat::Type(typed) = one
            && let Type::Tuple(ty) = &*typed.ty
            && ty.elems.is_empty()
            && is_unread(program, at, &typed.pat)
        {
            change.replace(&at.place(one), "()");
        }
    }
    change.finish()
}
