//! What a pattern takes apart without a branch: `let` in place of `match` and `if let`.

use super::super::expressions::is_same_path;
use super::{Kept, Standing, Unwrapping};
use crate::precedence::as_receiver;
use crate::program::Change;
use reduce_syntax::EditSet;
use syn::{Block, Expr, ExprMatch, Local, Pat};

/// A `match` with one arm becomes a `let`; one of several becomes an `if let` with one of them.
pub(super) fn arms(
    unwrapping: Unwrapping<'_>,
    matching: &ExprMatch,
    standing: &Standing,
    found: &mut Vec<EditSet>,
) {
    let Unwrapping { program, file } = unwrapping;
    let value = &*matching.expr;
    if let [only] = matching.arms.as_slice() {
        let matched = (&only.pat, value);
        let body = unwrapping.kept(&only.body);
        return found.extend(bind(unwrapping, program.change(), matched, &body, standing));
    }
    let value = file.text(value);
    let binding = matching.arms.iter().filter(|arm| binds(&arm.pat));
    for arm in binding.take(MOST_ARMS) {
        let pattern = file.text(&arm.pat);
        let body = program.text(&unwrapping.kept(&arm.body).place);
        let mut change = program.change();
        let text = format!("if let {pattern} = {value} {{ {body} }}");
        change.replace(&standing.whole, &text);
        found.extend(change.finish());
    }
}

const MOST_ARMS: usize = 3;

/// An `if let` or `while let` becomes a `let`; `change` has what else that takes.
pub(super) fn condition(
    unwrapping: Unwrapping<'_>,
    change: Change<'_>,
    (condition, body): (&Expr, &Block),
    standing: &Standing,
) -> Option<EditSet> {
    let Expr::Let(matching) = condition else {
        return None;
    };
    let matched = (&*matching.pat, &*matching.expr);
    let body = unwrapping.contents(body);
    bind(unwrapping, change, matched, &body, standing)
}

/// `let p = e;` of `let p = e else { .. };`
pub(super) fn without_else(unwrapping: Unwrapping<'_>, local: &Local) -> Option<EditSet> {
    let Unwrapping { program, file } = unwrapping;
    let init = local.init.as_ref()?;
    let (keyword, otherwise) = init.diverge.as_ref()?;
    let mut change = program.change();
    change.delete(&file.between(keyword, &**otherwise));
    if let Some((inner, value)) = certain(unwrapping, &local.pat, &init.expr) {
        change.replace(&file.place(&local.pat), &inner);
        change.replace(&file.place(&*init.expr), &value);
    }
    change.finish()
}

/// `let p = e;` and the body.
fn bind(
    unwrapping: Unwrapping<'_>,
    change: Change<'_>,
    (pattern, value): (&Pat, &Expr),
    body: &Kept,
    standing: &Standing,
) -> Option<EditSet> {
    if !binds(pattern) {
        return None;
    }
    let text = |place| unwrapping.text(&place).to_owned();
    let file = unwrapping.file;
    let as_they_are = || (text(file.place(pattern)), text(file.place(value)));
    let (pattern, value) = certain(unwrapping, pattern, value).unwrap_or_else(as_they_are);
    let before = format!("let {pattern} = {value};");
    unwrapping.around(change, standing, body, &before)
}

/// A pattern that always matches and a value for it, of one that may not: `x = e.unwrap()` of
/// `Some(x) = e`.
fn certain(unwrapping: Unwrapping<'_>, pattern: &Pat, value: &Expr) -> Option<(String, String)> {
    let text = |place| unwrapping.text(&place).to_owned();
    let file = unwrapping.file;
    let Pat::TupleStruct(tuple) = pattern else {
        return None;
    };
    let inner = tuple.elems.first().filter(|_| tuple.elems.len() == 1)?;
    let name = tuple.path.segments.last()?.ident.to_string();
    let inner = text(file.place(inner));
    match value {
        Expr::Call(call) if is_path(&call.func, &tuple.path) && call.args.len() == 1 => {
            Some((inner, text(file.place(call.args.first()?))))
        }
        _ if name == "Some" || name == "Ok" => {
            let value = as_receiver(file.text(value));
            Some((inner, format!("{value}.unwrap()")))
        }
        _ => None,
    }
}

fn is_path(function: &Expr, path: &syn::Path) -> bool {
    matches!(function, Expr::Path(called) if is_same_path(&called.path, path))
}

/// Whether a pattern binds a name, or may: without one, the body alone does.
pub(super) fn binds(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => !name.ident.to_string().starts_with(char::is_uppercase),
        Pat::Tuple(tuple) => tuple.elems.iter().any(binds),
        Pat::TupleStruct(tuple) => tuple.elems.iter().any(binds),
        Pat::Struct(fields) => fields.fields.iter().any(|field| binds(&field.pat)),
        Pat::Slice(slice) => slice.elems.iter().any(binds),
        Pat::Reference(reference) => binds(&reference.pat),
        Pat::Paren(inner) => binds(&inner.pat),
        Pat::Type(typed) => binds(&typed.pat),
        Pat::Macro(_) => true,
        _ => false,
    }
}
