//! `replace_members`: where a member of a unit struct is named or called, a value of the struct stands
//! instead. That is mostly all that the member was there for: its type and what must be inferred.

use super::data::{Data, Kind, Shape};
use super::{Pass, Rewriter, Work};
use crate::program::{Program, SyntaxFile, simplest_first};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Expr, ExprPath};

pub(super) const PASS: Pass = Pass {
    name: "replace_members",
    about: "Replaces a member of a unit struct by the struct",
    example: (
        "struct S<T>; fn f() { S::<u8>::g(1); }",
        "struct S<T>; fn f() { S::<u8>; }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let all = Data::of(program).definitions.into_iter();
    let units = all.filter(|one| one.kind == Kind::Struct && one.shape == Shape::Unit);
    let mut members = Members {
        program,
        file: None,
        units: units.map(|one| one.at).collect(),
        found: Vec::new(),
    };
    for file in program.files() {
        members.file = Some(file);
        members.visit_file(file.syntax);
    }
    simplest_first(program, members.found)
}

struct Members<'p, 's> {
    program: &'p Program<'s>,
    file: Option<SyntaxFile<'p>>,
    /// Where the names of unit structs stand.
    units: HashSet<Position>,
    found: Vec<EditSet>,
}

impl<'p> Members<'p, '_> {
    fn member(&mut self, whole: &Expr, path: &'p ExprPath) -> Option<()> {
        let file = self.file?;
        let first = path.path.segments.first()?;
        let definition = self.program.mentions();
        let definition = definition.definition(file.position(&first.ident))?;
        if path.path.segments.len() > 1 && self.units.contains(&definition) {
            let text = self.program.text(&file.place(first));
            let mut change = self.program.change();
            change.replace(&file.place(whole), text);
            self.found.extend(change.finish());
        }
        Some(())
    }
}

impl<'p> Visit<'p> for Members<'p, '_> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_expr(&mut self, expression: &'p Expr) {
        match expression {
            Expr::Path(path) => self.member(expression, path),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => self.member(expression, path),
                _ => None,
            },
            _ => None,
        };
        visit::visit_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_member_or_its_call_becomes_the_struct() {
        check(
            &PASS,
            "struct S; fn f() { S::g(S::h) }",
            &[
                "struct S; fn f() { S }",
                "struct S; fn f() { S(S::h) }",
                "struct S; fn f() { S::g(S) }",
            ],
        );
    }

    #[test]
    fn members_of_other_types_stay() {
        check_not_applicable(
            &PASS,
            "struct S(u8); struct T; fn f() { S::g(T); Vec::new() }",
        );
    }
}
