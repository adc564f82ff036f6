//! Makes a function return a value that it passes to another function, or puts into a variable, only to have its type
//! checked. Crashes that come of what a value is checked against need nothing else.

use super::super::expressions::types::{Callee, Types, has_word};
use super::super::functions::{FunctionItem, insert_output};
use super::super::turn_variables_into_parameters::{FUNCTIONS, fresh_name};
use crate::pass::{Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::{Expr, ExprCall, FnArg, Local, Pat, ReturnType, Stmt, Type};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let types = Types::of(program);
    let fresh = fresh_name(program, &FUNCTIONS);
    let functions = types.functions();
    let found: Vec<EditSet> = functions
        .filter_map(|function| {
            let returning = Returning {
                program,
                types: &types,
                function,
                fresh,
            };
            returning.change()
        })
        .collect();
    simplest_first(program, found)
}

/// A function with a single statement, which is to return a value instead.
struct Returning<'t, 'p> {
    program: &'p Program,
    types: &'t Types<'p>,
    function: &'t FunctionItem<'p>,
    /// A name that nothing in the program has.
    fresh: Option<&'static str>,
}

/// A value, the type that it is checked against, and the called function if nothing else needs that.
struct Checked<'p> {
    value: &'p Expr,
    ty: &'p Type,
    callee: Option<&'p FunctionItem<'p>>,
}

impl<'t: 'p, 'p> Returning<'t, 'p> {
    fn change(&self) -> Option<EditSet> {
        let signature = self.function.signature;
        let [statement] = self.function.body?.stmts.as_slice() else {
            return None;
        };
        if !matches!(signature.output, ReturnType::Default) || !self.may_change() {
            return None;
        }
        let checked = match statement {
            Stmt::Local(local) => of_variable(local),
            Stmt::Expr(Expr::Call(call), _) => self.of_call(call),
            _ => None,
        }?;
        let file = self.function.at.file;
        if has_word(file.text(checked.ty), "_") {
            return None;
        }
        let mut change = self.program.change();
        let ty = match checked.callee {
            Some(callee) => callee.at.file.text(checked.ty),
            None => file.text(checked.ty),
        };
        insert_output(&mut change, file, signature, ty);
        change.replace(&file.place(statement), file.text(checked.value));
        if signature.ident == "main" {
            let name = checked
                .callee
                .map(|callee| callee.signature.ident.to_string());
            let name = name.or_else(|| self.fresh.map(str::to_owned))?;
            change.replace(&file.place(&signature.ident), &name);
            let Place { file: id, range } = &self.function.whole;
            change.insert(Position::new(*id, range.end), " fn main() {}");
        }
        if let Some(callee) = checked.callee {
            change.remove(&callee.whole);
        }
        change.finish()
    }

    /// Whether nothing depends on the function's signature.
    fn may_change(&self) -> bool {
        let mentions = self.program.mentions();
        self.function.is_free_to_change() && mentions.of(self.function.position()).is_empty()
    }

    /// Returns the only argument of a call, with the type that the function asks for, if nothing else mentions the function.
    fn of_call(&self, call: &'p ExprCall) -> Option<Checked<'p>> {
        let file = self.function.at.file;
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let name = &path.path.segments.last()?.ident;
        let Callee::Function(callee) = self.types.callee(file, &path.path)? else {
            return None;
        };
        let value = call.args.first().filter(|_| call.args.len() == 1)?;
        let mut inputs = callee.signature.inputs.iter();
        let (Some(FnArg::Typed(input)), None) = (inputs.next(), inputs.next()) else {
            return None;
        };
        let generics = &callee.signature.generics;
        let is_plain = generics.params.is_empty() && generics.where_clause.is_none();
        let is_only = self.program.mentions().of(callee.position()) == [file.position(name)];
        (is_plain && is_only && callee.is_free_to_change()).then_some(Checked {
            value,
            ty: &input.ty,
            callee: Some(callee),
        })
    }
}

/// Returns the value of a variable, and the type that is written for the variable.
fn of_variable(local: &Local) -> Option<Checked<'_>> {
    let Pat::Type(typed) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    Some(Checked {
        value: &init.expr,
        ty: &typed.ty,
        callee: None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn an_argument_is_returned_in_place_of_a_call() {
        check(
            &WORK,
            "fn f() { g(1 + 1); } fn g(x: impl A) { h(); }",
            &["fn f() -> impl A { 1 + 1 }"],
        );
    }

    #[test]
    fn the_value_of_a_variable_is_returned() {
        check(
            &WORK,
            "fn f() { let _: fn(u8) -> u8 = |b| b; }",
            &["fn f() -> fn(u8) -> u8 { |b| b }"],
        );
        check_not_applicable(&WORK, "fn f() { let _: Vec<_> = g(); }");
        check_not_applicable(&WORK, "fn f() { let Some(_): A = b else { g() }; }");
    }

    #[test]
    fn the_start_of_the_program_gets_another_name() {
        check(
            &WORK,
            "fn main() { g(|x| { x + 1 + 2 }) } fn g(_: impl A) {}",
            &["fn g() -> impl A { |x| { x + 1 + 2 } } fn main() {}"],
        );
    }

    #[test]
    fn what_others_call_stays() {
        check_not_applicable(&WORK, "fn f() { g(1); } fn g(_: A) {} fn h() { g(2); }");
        check_not_applicable(&WORK, "fn f() { g(1); } fn g(_: A) {} fn h() { f(); }");
        check_not_applicable(&WORK, "fn f() { g(1); } fn g<T>(_: T) {}");
        check_not_applicable(&WORK, "fn f() -> u8 { g(1) } fn g(_: A) -> u8 { 2 }");
    }

    #[test]
    fn the_argument_of_the_only_call_is_returned() {
        check_has(
            &WORK,
            "fn f() { g(|x| x) } fn g(_: impl Fn(u8)) {}",
            "fn f() -> impl Fn(u8) { |x| x }",
        );
    }
}
