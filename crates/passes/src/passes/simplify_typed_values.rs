//! `simplify_typed_values`: a value and the type that is written for it become simpler together: `&&x` of the type `&&T` is `&x`
//! of `&T`, a closure has neither inputs nor an output where the type of functions has none, and `let x: T = y;` is `y as T;`.

mod casts;
mod closures;
mod returned;

use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, simplest_first};
use crate::visit::{self, At, Node};
use reduce_syntax::EditSet;
use syn::{Block, Expr, Item, Pat, PointerMutability, ReturnType, Stmt, Type};

pub(super) const PASS: Pass = Pass {
    name: "simplify_typed_values",
    about: "Makes a value and the type that is written for it simpler together",
    example: ("const C: &[&u8] = &[&0];", "const C: & &u8 = & &0;"),
    keeps: Keeps::Nothing,
    work: &[returned::WORK, WORK],
};

/// The part of the pass that this file does, without those of its submodules.
const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    visit::each(program, |at, node| {
        match node {
            Node::Local(local) => found.extend(casts::cast(program, at, local)),
            Node::Expr(Expr::Closure(closure)) => {
                found.extend(casts::units(program, at, closure));
            }
            _ => {}
        }
        let mut typed = |ty, value| Typed { program, at, ty }.add(value, &mut found);
        match node {
            Node::Item(Item::Const(one)) => typed(&*one.ty, &*one.expr),
            Node::Item(Item::Static(one)) => typed(&*one.ty, &*one.expr),
            Node::Item(Item::Fn(one)) => {
                if let (ReturnType::Type(_, ty), Some(value)) = (&one.sig.output, last(&one.block))
                {
                    typed(&**ty, value);
                }
            }
            Node::Local(local) => {
                if let (Pat::Type(pattern), Some(init)) = (&local.pat, &local.init) {
                    typed(&*pattern.ty, &*init.expr);
                }
            }
            _ => {}
        }
    });
    simplest_first(program, found)
}

/// Returns the expression at the end of a block that is the block's value.
fn last(block: &Block) -> Option<&Expr> {
    match block.stmts.last()? {
        Stmt::Expr(value, None) => Some(value),
        _ => None,
    }
}

/// A type that is written for a value, with where both stand.
#[derive(Clone, Copy)]
struct Typed<'p> {
    program: &'p Program,
    at: At<'p>,
    ty: &'p Type,
}

impl<'p> Typed<'p> {
    /// Adds the changes that simplify a value or a part of it together with its written type.
    fn add(self, value: &'p Expr, found: &mut Vec<EditSet>) {
        if let Some(value) = inner_value(value) {
            return self.add(value, found);
        }
        if let (Type::Ptr(pointer), Expr::Cast(cast)) = (self.ty, value)
            && matches!(pointer.mutability, PointerMutability::Mut(_))
        {
            let text = format!("*const {}", self.at.text(&pointer.elem));
            found.extend(self.change(&text, value, &cast.expr));
        }
        if let Expr::Closure(closure) = value {
            found.extend(closures::changes(self, closure));
        }
        for (ty, part) in parts(self.ty, value) {
            found.extend(self.change(self.at.text(ty), value, part));
            Typed { ty, ..self }.add(part, found);
        }
    }

    /// Returns the change that replaces the type by a text, and the value by a part of itself.
    fn change(self, ty: &str, value: &Expr, part: &Expr) -> Option<EditSet> {
        let mut change = self.program.change();
        change.replace_type(&self.at.place(self.ty), ty);
        change.replace_expr(&self.at.place(value), self.at.text(part));
        change.finish()
    }
}

/// Returns the expression at the end of a block or in parentheses, which has the same type as the whole.
fn inner_value(value: &Expr) -> Option<&Expr> {
    match value {
        Expr::Paren(inner) => Some(&inner.expr),
        Expr::Block(one) => last(&one.block),
        Expr::Unsafe(one) => last(&one.block),
        Expr::Const(one) => last(&one.block),
        _ => None,
    }
}

/// Returns the parts of a value, each with its own part of the written type.
fn parts<'p>(ty: &'p Type, value: &'p Expr) -> Vec<(&'p Type, &'p Expr)> {
    match (ty, value) {
        (Type::Reference(ty), Expr::Reference(value)) => vec![(&ty.elem, &value.expr)],
        (Type::Array(ty), value) => of_array(&ty.elem, value),
        (Type::Slice(ty), value) => of_array(&ty.elem, value),
        (Type::Tuple(ty), Expr::Tuple(value)) => ty.elems.iter().zip(&value.elems).collect(),
        _ => Vec::new(),
    }
}

/// Returns the first element of an array, with the type that is written for the elements.
fn of_array<'p>(ty: &'p Type, value: &'p Expr) -> Vec<(&'p Type, &'p Expr)> {
    let first = match value {
        Expr::Array(array) => array.elems.first(),
        Expr::Repeat(array) => Some(&*array.expr),
        _ => None,
    };
    first.into_iter().map(|first| (ty, first)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn references_arrays_and_tuples_go_on_both_sides() {
        check(
            &WORK,
            "static C: &[&u8] = &[&0];",
            &[
                "static C: [&u8] = [&0];",
                "static C: & &u8 = & &0;",
                "static C: &[u8] = &[0];",
            ],
        );
        check(
            &WORK,
            "fn f() { let x: (u8, [u16; 2]) = (g(), [1; 2]); }",
            &[
                "fn f() { let x: u8 = g(); }",
                "fn f() { let x: [u16; 2] = [1; 2]; }",
                "fn f() { let x: (u8, u16) = (g(), 1); }",
                "fn f() { (g(), [1; 2]) as (u8, [u16; 2]); }",
            ],
        );
    }

    #[test]
    fn a_variable_that_nothing_reads_is_a_cast() {
        check_has(
            &WORK,
            "fn f(x: S) { let y: &dyn A = &x; let _: u8 = a + b; g(); }",
            "fn f(x: S) { &x as &dyn A; let _: u8 = a + b; g(); }",
        );
        check_has(
            &WORK,
            "fn f() { let _: u8 = a + b; }",
            "fn f() { (a + b) as u8; }",
        );
        check_has(
            &WORK,
            "fn f() { let _: u8 = unsafe { g() }; }",
            "fn f() { (unsafe { g() }) as u8; }",
        );
        check_not_applicable(&WORK, "fn f() { let x: u8 = g(); x + 1; }");
    }

    #[test]
    fn a_parameter_of_a_closure_says_that_it_is_a_unit() {
        check(
            &WORK,
            "fn f() { g(|_: (), x: (), y: (), z: u8| y); }",
            &["fn f() { g(|(), (), y: (), z: u8| y); }"],
        );
    }

    #[test]
    fn values_of_blocks_count() {
        check(
            &WORK,
            "const C: *mut u8 = { let x = 0; &raw const x as *mut u8 };",
            &["const C: *const u8 = { let x = 0; &raw const x };"],
        );
        check_has(
            &WORK,
            "fn f() -> &'static [u8] { g(); &[1 + 2] }",
            "fn f() -> &'static u8 { g(); &(1 + 2) }",
        );
    }

    #[test]
    fn closures_lose_inputs_and_output() {
        check(
            &WORK,
            "fn f() -> impl Fn(u8, u8) -> u8 { |x, _| { g(); x } }",
            &[
                "fn f() -> impl Fn() { || { g(); } }",
                "fn f() -> impl Fn() -> u8 { || { g(); x } }",
                "fn f() -> impl Fn(u8, u8) { |x, _| { g(); } }",
            ],
        );
        check_has(
            &WORK,
            "fn f() -> fn(u8) -> u8 { for<'a> |b: u8| -> u8 { let _: &'a u8; b } }",
            "fn f() -> fn() { for<'a> || -> () { let _: &'a u8; } }",
        );
        check_has(
            &WORK,
            "fn f() { let x: &dyn Fn(u8) -> u8 = &|x| x + 1; }",
            "fn f() { let x: &dyn Fn() = &|| {}; }",
        );
    }

    #[test]
    fn values_of_another_form_stay() {
        check_not_applicable(
            &WORK,
            "const C: &u8 = f(); fn f() -> u8 { 1 } fn g() { let x = &1; }",
        );
        check_not_applicable(&WORK, "fn f() -> impl Fn() { || g() }");
    }
}
