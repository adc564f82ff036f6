//! Removes a parameter of a function that nobody calls, and puts a short value of its type in place of its mentions.

use super::super::expressions::binding;
use super::super::expressions::types::{Types, Wanted};
use super::super::functions::{FunctionItem, name_place};
use crate::pass::{Rewriter, Work};
use crate::program::{Program, simplest_first};
use reduce_syntax::EditSet;
use syn::{FnArg, PatType};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let types = Types::of(program);
    let fixing = Fixing {
        program,
        types: &types,
    };
    let functions = types.functions().filter(|one| fixing.may_change(one));
    let found = functions.flat_map(|function| {
        let inputs = function.signature.inputs.iter();
        inputs.filter_map(|input| match input {
            FnArg::Typed(input) => fixing.change(function, input),
            FnArg::Receiver(_) => None,
        })
    });
    simplest_first(program, found)
}

struct Fixing<'t, 'p> {
    program: &'p Program,
    types: &'t Types<'p>,
}

impl<'p> Fixing<'_, 'p> {
    fn may_change(&self, function: &FunctionItem<'_>) -> bool {
        let mentions = self.program.mentions().of(function.position());
        function.is_free_to_change() && mentions.is_empty()
    }

    fn change(&self, function: &FunctionItem<'p>, input: &'p PatType) -> Option<EditSet> {
        let file = function.at.file;
        let (name, _) = binding(&input.pat)?;
        let wanted = Wanted {
            file,
            ty: &input.ty,
            is_of_callee: false,
        };
        let value = self.types.value(wanted)?;
        let mentions = self.program.mentions().of(file.position(&name.ident));
        // Another pass deletes what is not mentioned.
        mentions.first()?;
        let mut change = self.program.change();
        change.remove(&file.place(input));
        for &mention in mentions {
            change.replace_read(&name_place(self.program, mention), &value)?;
        }
        change.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn each_parameter_of_a_known_type_becomes_a_value() {
        check(
            &WORK,
            "struct S; fn f(a: S, b: &str, c: U) { g(a, b, c); }",
            &[
                "struct S; fn f(b: &str, c: U) { g(S, b, c); }",
                "struct S; fn f(a: S, c: U) { g(a, \"\", c); }",
            ],
        );
    }

    #[test]
    fn a_field_keeps_its_name() {
        check(
            &WORK,
            "fn f(a: u8) { S { a }; a.g(); }",
            &["fn f() { S { a: 0 }; 0.g(); }"],
        );
    }

    #[test]
    fn what_is_called_or_assigned_to_keeps_its_parameters() {
        check_not_applicable(&WORK, "fn f(a: u8) { g(a); } fn h() { f(1); }");
        check_not_applicable(&WORK, "fn f(mut a: u8) { a = 1; }");
        check_not_applicable(&WORK, "fn f(a: u8) {}");
        check_not_applicable(&WORK, "impl T for S { fn f(a: u8) { g(a); } }");
    }

    #[test]
    fn a_parameter_that_nobody_passes_is_a_short_value() {
        check_has(
            &WORK,
            "fn f(a: u8, b: u8) { b = a; }",
            "fn f(b: u8) { b = 0; }",
        );
    }
}
