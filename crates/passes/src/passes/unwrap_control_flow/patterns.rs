//! Replaces `match` and `if let` by `let`, where a pattern takes a value apart without a branch.

use super::super::expressions::is_same_path;
use super::{Kept, Standing, Unwrapping};
use crate::precedence::as_receiver;
use crate::program::Change;
use reduce_syntax::EditSet;
use syn::{Block, Expr, ExprMatch, Local, Pat};

const MOST_ARMS: usize = 3;

impl Unwrapping<'_> {
    /// Makes a `let` of a `match` with one arm; one of several becomes an `if let` with one of
    /// them.
    pub(super) fn arms(self, matching: &ExprMatch, standing: &Standing) -> Vec<EditSet> {
        if let [only] = matching.arms.as_slice() {
            let (matched, body) = ((&only.pat, &*matching.expr), self.kept(&only.body));
            let bound = self.bind(self.program.change(), matched, &body, standing);
            return bound.into_iter().collect();
        }
        let value = self.file.text(&*matching.expr);
        let binding = matching.arms.iter().filter(|arm| binds(&arm.pat));
        let unwrapped = binding.take(MOST_ARMS).filter_map(|arm| {
            let pattern = self.file.text(&arm.pat);
            let body = self.kept(&arm.body).in_place_of(standing);
            let body = self.program.text(&body.place);
            let text = format!("if let {pattern} = {value} {{ {body} }}");
            self.program.replaced([&standing.whole], &text)
        });
        unwrapped.collect()
    }

    /// Makes a `let` of an `if let` or `while let`; `change` has what else that takes.
    pub(super) fn condition(
        self,
        change: Change<'_>,
        (condition, body): (&Expr, &Block),
        standing: &Standing,
    ) -> Option<EditSet> {
        let Expr::Let(matching) = condition else {
            return None;
        };
        let matched = (&*matching.pat, &*matching.expr);
        self.bind(change, matched, &self.contents(body), standing)
    }

    /// Removes the `else`: `let p = e else { .. };` becomes `let p = e;`.
    pub(super) fn without_else(self, local: &Local) -> Option<EditSet> {
        let Self { program, file } = self;
        let init = local.init.as_ref()?;
        let (keyword, otherwise) = init.diverge.as_ref()?;
        let mut change = program.change();
        change.delete(&file.between(keyword, &**otherwise));
        if let Some((inner, value)) = self.certain(&local.pat, &init.expr) {
            change.replace(&file.place(&local.pat), inner);
            change.replace(&file.place(&*init.expr), &value);
        }
        change.finish()
    }

    /// Puts `let p = e;` and the body in place of a branch.
    fn bind(
        self,
        change: Change<'_>,
        (pattern, value): (&Pat, &Expr),
        body: &Kept,
        standing: &Standing,
    ) -> Option<EditSet> {
        if !binds(pattern) {
            return None;
        }
        let file = self.file;
        let as_they_are = || (file.text(pattern), file.text(value).to_owned());
        let (pattern, value) = self.certain(pattern, value).unwrap_or_else(as_they_are);
        self.around(change, standing, body, &format!("let {pattern} = {value};"))
    }
}

impl<'p> Unwrapping<'p> {
    /// Returns a pattern that always matches, with a value for it, in place of one that may not: `x` and `e.unwrap()`
    /// for `Some(x)` and `e`.
    fn certain(self, pattern: &Pat, value: &Expr) -> Option<(&'p str, String)> {
        let Pat::TupleStruct(tuple) = pattern else {
            return None;
        };
        let inner = tuple.elems.first().filter(|_| tuple.elems.len() == 1)?;
        let name = tuple.path.segments.last()?.ident.to_string();
        let value = match value {
            Expr::Call(call) if is_path(&call.func, &tuple.path) && call.args.len() == 1 => {
                self.file.text(call.args.first()?).to_owned()
            }
            _ if name == "Some" || name == "Ok" => {
                format!("{}.unwrap()", as_receiver(self.file.text(value)))
            }
            _ => return None,
        };
        Some((self.file.text(inner), value))
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
