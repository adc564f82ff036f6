//! Changes of assignments: one to a variable that has a value already is left out, `a = f(b)` becomes `a = f(a)`, and `a = b`
//! becomes `a = a + b`.
//!
//! A loop that accumulates is often wrong in that it begins anew in each round. Then nothing of the rounds before the last one
//! can be seen in the outcome, unless a mutant goes on from the value that was there.

use super::ChangeCollector;
use crate::mutant::Operator;
use crate::reach::Reach;
use reduce_syntax::byte_range;
use syn::{BinOp, Expr, ExprAssign, ExprCall, FnArg, Local, Member, Pat, PatIdent, Signature};

impl ChangeCollector<'_> {
    /// Notes the changes of an assignment, except leaving it out.
    pub(super) fn assignment(&mut self, assigned: &ExprAssign) {
        if self.reach == Reach::Plain || !is_place(&assigned.left) {
            return;
        }
        match &*assigned.right {
            Expr::Call(call) if !is_constructor(call) => {
                self.accumulated(&assigned.left, call.args.first());
            }
            Expr::MethodCall(call) => self.accumulated(&assigned.left, call.args.first()),
            _ => {}
        }
        self.added(assigned);
    }

    /// Notes that the first argument of a call may be the place to which its result is assigned: `a = f(b)` becomes `a = f(a)`.
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

    /// Notes that an assigned value may be added to the old one: in a field that is a number, or a variable that has a value. The
    /// value of a variable need not be a number: then the mutant does not compile, and is dropped.
    fn added(&mut self, assigned: &ExprAssign) {
        let [place, value] = [&assigned.left, &assigned.right].map(|one| self.text_of(one));
        let is_number = match &*assigned.left {
            Expr::Field(field) => match &field.member {
                Member::Named(name) => self.signatures.is_number(&name.to_string()),
                Member::Unnamed(_) => false,
            },
            Expr::Path(_) => self.has_value(&assigned.left) && may_be_number(&assigned.right),
            _ => false,
        };
        let is_literal = matches!(*assigned.right, Expr::Lit(_));
        if is_number && !is_literal && !value.contains(place) {
            let mutated = format!("{place} = {place} + ({value})");
            self.note_instead(byte_range(assigned), mutated, Operator::Assignment);
        }
    }

    /// Whether a place is a variable that already has a value, and no endless loop around may wait for another one.
    fn has_value(&self, place: &Expr) -> bool {
        let Expr::Path(place) = place else {
            return false;
        };
        let variables = &self.scope.set_variables;
        let is_set = |name: &syn::Ident| variables.contains(&name.to_string());
        !self.scope.in_endless_loop && place.path.get_ident().is_some_and(is_set)
    }

    /// Whether a statement assigns to a variable that already has a value, so that the statement may be left out.
    pub(super) fn assigns_again(&self, expr: &Expr) -> bool {
        let is_again = matches!(expr, Expr::Assign(assigned) if self.has_value(&assigned.left));
        is_again && self.reach > Reach::Plain
    }

    /// Notes whether a `let` gives its variable a value.
    pub(super) fn declared(&mut self, local: &Local) {
        if let Some(name) = changeable(&local.pat) {
            match local.init {
                Some(_) => self.scope.set_variables.insert(name.ident.to_string()),
                None => self.scope.set_variables.remove(&name.ident.to_string()),
            };
        }
    }
}

/// Returns the names of a function's mutable parameters.
pub(super) fn set_parameters(signature: &Signature) -> impl Iterator<Item = String> {
    let patterns = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => changeable(&typed.pat),
        FnArg::Receiver(_) => None,
    });
    patterns.map(|name| name.ident.to_string())
}

/// Returns the name that a pattern is, if it is declared with `mut`.
fn changeable(pattern: &Pat) -> Option<&PatIdent> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() => name.mutability.is_some().then_some(name),
        Pat::Type(typed) => changeable(&typed.pat),
        _ => None,
    }
}

/// Whether an expression may be a number, by its form.
fn may_be_number(expr: &Expr) -> bool {
    match expr {
        Expr::Call(call) => !is_constructor(call),
        Expr::Path(path) => !path.path.is_ident("None"),
        Expr::Binary(operation) => matches!(
            operation.op,
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
        ),
        Expr::Cast(_) | Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) | Expr::Paren(_) => {
            true
        }
        _ => false,
    }
}

/// Whether a call only makes a variant or a tuple struct, as its name has a capital.
fn is_constructor(call: &ExprCall) -> bool {
    let Expr::Path(function) = &*call.func else {
        return false;
    };
    let last = function.path.segments.last();
    last.is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

/// Whether an expression is a variable, or a field of one.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::reach::Reach;
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
            &["return;", "", "t.n = t.n + (u)", "", "", "2", "0", "", ""],
        );
    }

    #[test]
    fn variables_that_have_a_value_may_keep_it_or_grow() {
        check_all(
            "fn f() -> S { let mut a = b; a = c; S }",
            &["", "a = a + (c)"],
        );
        check_all(
            "fn f(mut a: T) -> S { a = c.d() ; S }",
            &["", "a = a + (c.d())"],
        );
        check_all(
            "fn f(mut a: T) -> S { a = Some(c); a = &c; S }",
            &["", "None", ""],
        );
        check_all("fn f(mut a: T) -> S { a = c(a); S }", &[""]);
        check_all("fn f(mut a: T) -> S { let mut a; a = c; S }", &[]);
        check_all("fn f(a: T) -> S { let b; b = c; S }", &[]);
        check_all("fn f(mut a: T) -> S { loop { a = c; } }", &[]);
        check_all(
            "fn f(mut a: T) -> S { while a.b { a = c; } S }",
            &["!(a.b)"],
        );
    }
}
