//! Assignments that forget or keep what was there before: those of variables that have a value already are left out, the
//! variable is an argument of the call whose result it gets, and a number is added to a field.
//!
//! A loop that accumulates is often wrong in that it begins anew in each round. Then nothing of the rounds before the last one
//! can be seen in the outcome, unless a mutant goes on from the value that was there.

use super::ChangeCollector;
use crate::instrument::Reach;
use crate::mutant::Operator;
use reduce_syntax::byte_range;
use syn::{Expr, ExprAssign, FnArg, Local, Pat, PatIdent, Signature};

/// The types of numbers that can be added to.
pub(super) const NUMBERS: [&str; 14] = [
    "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "u128", "u16", "u32", "u64", "u8",
    "usize",
];

impl ChangeCollector<'_> {
    /// Notes what else an assignment may be, apart from being left out.
    pub(super) fn assignment(&mut self, assigned: &ExprAssign) {
        if self.reach == Reach::Plain || !is_place(&assigned.left) {
            return;
        }
        match &*assigned.right {
            Expr::Call(call) => self.accumulated(&assigned.left, call.args.first()),
            Expr::MethodCall(call) => self.accumulated(&assigned.left, call.args.first()),
            _ => {}
        }
        self.added(assigned);
    }

    /// Notes that the first argument of a call may be what its result is assigned to.
    fn accumulated(&mut self, place: &Expr, argument: Option<&Expr>) {
        let Some(argument) = argument else { return };
        let text = self.text_of(place);
        let may_have_type = matches!(
            argument,
            Expr::Call(_) | Expr::Field(_) | Expr::MethodCall(_) | Expr::Path(_)
        );
        if may_have_type && self.text_of(argument) != text {
            self.note_instead(byte_range(argument), text.to_owned(), Operator::Variable);
        }
    }

    /// Notes that a value may be added to a field which is a number.
    fn added(&mut self, assigned: &ExprAssign) {
        let Expr::Field(field) = &*assigned.left else {
            return;
        };
        let syn::Member::Named(name) = &field.member else {
            return;
        };
        let is_literal = matches!(*assigned.right, Expr::Lit(_));
        let [place, value] = [&assigned.left, &assigned.right].map(|one| self.text_of(one));
        if self.signatures.is_number(&name.to_string()) && !is_literal && !value.contains(place) {
            let mutated = format!("{place} += {value}");
            self.note_instead(byte_range(assigned), mutated, Operator::Assignment);
        }
    }

    /// Whether a statement assigns to a variable that has a value already, and no endless loop may wait for the new one.
    pub(super) fn assigns_again(&self, expr: &Expr) -> bool {
        let Expr::Assign(assigned) = expr else {
            return false;
        };
        let Expr::Path(place) = &*assigned.left else {
            return false;
        };
        let is_set = |name: &syn::Ident| self.scope.set_variables.contains(&name.to_string());
        let knows = self.reach > Reach::Plain && !self.scope.in_endless_loop;
        knows && place.path.get_ident().is_some_and(is_set)
    }

    /// Notes which variable a declaration gives a value, or not yet.
    pub(super) fn declared(&mut self, local: &Local) {
        if let Some(name) = changeable(&local.pat) {
            match local.init {
                Some(_) => self.scope.set_variables.insert(name.ident.to_string()),
                None => self.scope.set_variables.remove(&name.ident.to_string()),
            };
        }
    }
}

/// The parameters of a function that may be assigned to.
pub(super) fn set_parameters(signature: &Signature) -> impl Iterator<Item = String> {
    let patterns = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => changeable(&typed.pat),
        FnArg::Receiver(_) => None,
    });
    patterns.map(|name| name.ident.to_string())
}

/// The name that a pattern is, if that may be assigned to again.
fn changeable(pattern: &Pat) -> Option<&PatIdent> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() => name.mutability.is_some().then_some(name),
        Pat::Type(typed) => changeable(&typed.pat),
        _ => None,
    }
}

/// Whether an expression is a variable, or a field of a place.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::instrument::Reach;
    use crate::testing::{check, check_reaching};

    #[track_caller]
    fn check_all(text: &str, expected: &[&str]) {
        check_reaching(Reach::Constant, text, expected);
    }

    #[test]
    fn a_result_is_made_of_what_was_there() {
        check_all("fn f() -> S { a = g(b(), c); S }", &["a"]);
        check_all("fn f() -> S { a = b.g(c); S }", &["a"]);
        check_all("fn f() -> S { a = g(a, b); a = g(&x); a = g(); S }", &[]);
        check("fn f() -> S { a = g(b(), c); S }", &[]);
    }

    #[test]
    fn values_are_added_to_fields_that_are_numbers() {
        let with = "struct T { n: usize, s: String }";
        check_all(
            &format!("fn f(t: &mut T) {{ t.n = u; t.s = v; t.n = 1; t.n = t.n; g(); }} {with}"),
            &["return;", "", "t.n += u", "", "", "2", "0", "", ""],
        );
    }

    #[test]
    fn variables_that_have_a_value_may_keep_it() {
        check_all("fn f() -> S { let mut a = b; a = c; S }", &[""]);
        check_all("fn f(mut a: T) -> S { a = c; S }", &[""]);
        check_all("fn f(mut a: T) -> S { let mut a; a = c; S }", &[]);
        check_all("fn f(a: T) -> S { let b; b = c; S }", &[]);
        check_all("fn f(mut a: T) -> S { loop { a = c; } }", &[]);
        check_all(
            "fn f(mut a: T) -> S { while a.b { a = c; } S }",
            &["!(a.b)"],
        );
    }
}
