//! `pass_by_value`: a parameter that is a reference becomes a value, with the arguments of all
//! calls; so does a receiver.

use super::functions::{Body, Family, Functions, borrow_of};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Program};
use crate::visit::{self, At, Node, Walk};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::{Expr, Type, UnOp};

pub(super) const PASS: Pass = Pass {
    name: "pass_by_value",
    about: "Makes a reference that is passed a value, with the arguments of all calls",
    example: (
        "fn f(a: &S) {} fn g(b: S) { f(&b); }",
        "fn f(a: S) {} fn g(b: S) { f(b); }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let of_family = |family: &Family<'_>| {
        let n_parameters = family.first().parameters.len();
        let parameters = (0..n_parameters).map(|idx| parameter_by_value(program, family, idx));
        let receiver = receiver_by_value(program, family);
        std::iter::once(receiver)
            .chain(parameters)
            .flatten()
            .collect::<Vec<_>>()
    };
    let functions = Functions::of(program);
    functions.families.iter().flat_map(of_family).collect()
}

/// Removes the `&` of all arguments that are passed at an index; an argument without one is left to
/// the compiler.
fn parameter_by_value<'p>(
    program: &'p Program,
    family: &Family<'p>,
    idx: usize,
) -> Option<EditSet> {
    let mut change = program.change();
    for function in &family.functions {
        let parameter = function.parameters.get(idx)?;
        let Type::Reference(ty) = parameter.ty? else {
            return None;
        };
        let elem = function.at.place(&ty.elem);
        change.delete(&function.at.place(ty).before(&elem));
        let Some(body) = &function.body else { continue };
        let name = parameter.name().filter(|name| name.mutability.is_none());
        if let (Some(_), Some(name)) = (&ty.mutability, name) {
            change.insert(function.at.place(name).start(), "mut ");
        }
        let mentions = parameter.mentions(program);
        delete_dereferences(program, function.at, body, &mentions, &mut change);
    }
    for call in &family.calls {
        if let Some(Expr::Reference(one)) = call.argument(family.first(), idx) {
            let borrowed = call.at.place(&one.expr);
            change.delete(&call.at.place(one).before(&borrowed));
        }
    }
    change.finish()
}

/// Deletes each `*` before the names of a parameter that is no reference any more.
fn delete_dereferences<'p>(
    program: &'p Program,
    at: At<'p>,
    body: &Body<'p>,
    names: &[Position],
    change: &mut Change<'_>,
) {
    visit::each_in(program, at, body.node, |at, node| {
        if let Node::Expr(Expr::Unary(one)) = node
            && let (UnOp::Deref(star), Expr::Path(_)) = (&one.op, &*one.expr)
            && names.contains(&at.place(&one.expr).start())
        {
            change.delete(&at.place(star));
        }
        Walk::Inside
    });
}

fn receiver_by_value(program: &Program, family: &Family<'_>) -> Option<EditSet> {
    let mut change = program.change();
    for function in &family.functions {
        let receiver = function.receiver()?;
        let text = match borrow_of(receiver)? {
            "" => return None,
            "&mut " if function.body.is_some() => "mut self",
            _ => "self",
        };
        change.replace(&function.at.place(receiver), text);
    }
    change.finish()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn each_argument_loses_its_borrow() {
        check(
            &PASS,
            "fn f<'a>(a: &'a mut S, b: u8) {} fn g() { f(&mut x, 1); f(y, 2); f(&(z + 1), 3); }",
            &["fn f<'a>(mut a: S, b: u8) {} fn g() { f(x, 1); f(y, 2); f((z + 1), 3); }"],
        );
    }

    #[test]
    fn a_method_of_a_trait_changes_with_its_impls() {
        check(
            &PASS,
            "trait T { fn f(&self, a: &u8); } impl T for S { fn f(&self, b: &u8) {} }",
            &[
                "trait T { fn f(self, a: &u8); } impl T for S { fn f(self, b: &u8) {} }",
                "trait T { fn f(&self, a: u8); } impl T for S { fn f(&self, b: u8) {} }",
            ],
        );
    }

    #[test]
    fn what_a_mutable_reference_led_to_is_mutable() {
        check(
            &PASS,
            "struct S; impl S { fn f(&mut self, a: &mut u8) { *a = 1 * *a; } }",
            &[
                "struct S; impl S { fn f(mut self, a: &mut u8) { *a = 1 * *a; } }",
                "struct S; impl S { fn f(&mut self, mut a: u8) { a = 1 * a; } }",
            ],
        );
    }

    #[test]
    fn a_name_that_begins_with_mut_is_a_type() {
        check(&PASS, "fn f(a: &mutual::S) {}", &["fn f(a: mutual::S) {}"]);
    }

    #[test]
    fn values_and_methods_of_foreign_traits_stay() {
        check_not_applicable(
            &PASS,
            "fn f(a: S) {} impl Clone for S { fn clone(&self) -> S { loop {} } }",
        );
    }
}
