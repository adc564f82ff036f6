//! Pairs the parts of a pattern with the parts of its value where both have the same form: `a` with `1` for `(a, b)`
//! and `(1, 2)`.

use crate::passes::expressions::is_same_path;
use crate::precedence::as_prefixed;
use crate::program::SyntaxFile;
use syn::{Expr, ExprStruct, Pat, PatStruct};

/// A pattern, and the text of the value that it matches.
pub(super) type Part<'a> = (&'a Pat, String);

/// Returns the parts of a pattern with the values that they match; `None` where something stands for several parts,
/// or where the value has another form.
pub(super) fn parts<'a>(
    file: SyntaxFile<'_>,
    pattern: &'a Pat,
    value: &'a Expr,
) -> Option<Vec<Part<'a>>> {
    let pairs: Vec<(&Pat, &Expr)> = match (pattern, value) {
        (Pat::Tuple(pattern), Expr::Tuple(value)) => zip(&pattern.elems, &value.elems)?,
        (Pat::TupleStruct(pattern), Expr::Call(call)) => match &*call.func {
            Expr::Path(function) if is_same_path(&function.path, &pattern.path) => {
                zip(&pattern.elems, &call.args)?
            }
            _ => return None,
        },
        (Pat::Struct(pattern), Expr::Struct(value)) => fields(pattern, value)?,
        (Pat::Reference(pattern), Expr::Reference(value)) => {
            vec![(&*pattern.pat, &*value.expr)]
        }
        // The parts of a reference are matched by reference.
        (_, Expr::Reference(borrow)) => {
            let operator = borrow.mutability.map_or("&", |_| "&mut ");
            let inner = parts(file, pattern, &borrow.expr)?.into_iter();
            let borrowed = inner.map(|(one, text)| (one, borrowed(operator, one, &text)));
            return Some(borrowed.collect());
        }
        _ => return None,
    };
    let has_rest = pairs.iter().any(|(part, _)| matches!(part, Pat::Rest(_)));
    let texts = pairs
        .into_iter()
        .map(|(part, value)| (part, file.text(value).to_owned()));
    (!has_rest).then(|| texts.collect())
}

/// Returns the value for a part of a pattern where the whole value is borrowed: `&1` for `a` of `(a, b)` and `&(1, 2)`.
fn borrowed(operator: &str, part: &Pat, text: &str) -> String {
    match part {
        Pat::Wild(_) => text.to_owned(),
        _ => format!("{operator}{}", as_prefixed(text)),
    }
}

fn zip<'a, S>(
    patterns: &'a syn::punctuated::Punctuated<Pat, S>,
    values: &'a syn::punctuated::Punctuated<Expr, S>,
) -> Option<Vec<(&'a Pat, &'a Expr)>> {
    let is_alike = patterns.len() == values.len();
    is_alike.then(|| patterns.iter().zip(values).collect())
}

/// Returns the patterns and values of a struct's fields, in the order in which they are evaluated.
fn fields<'a>(pattern: &'a PatStruct, value: &'a ExprStruct) -> Option<Vec<(&'a Pat, &'a Expr)>> {
    let is_alike = is_same_path(&pattern.path, &value.path)
        && pattern.rest.is_none()
        && value.rest.is_none()
        && pattern.fields.len() == value.fields.len();
    let of_field = |field: &'a syn::FieldValue| {
        let mut all = pattern.fields.iter();
        let part = all.find(|one| one.member == field.member)?;
        Some((&*part.pat, &field.expr))
    };
    is_alike.then(|| value.fields.iter().map(of_field).collect())?
}
