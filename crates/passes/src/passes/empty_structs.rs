//! `empty_structs`: structs without fields lose their braces or parentheses, with those of the
//! expressions and patterns that are made of them.

use super::{Pass, Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::visit::{self, Visit};
use syn::{Expr, Fields, Ident, ItemStruct, Pat, Path};

pub(super) const PASS: Pass = Pass {
    name: "empty_structs",
    about: "Makes `struct S;` of `struct S {}` and `struct S();`, with their uses",
    example: ("struct S {} fn f() { S {}; }", "struct S; fn f() { S; }"),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let (mut empty, mut brackets) = (Vec::new(), Vec::new());
    for file in program.files() {
        let mut structs = Structs {
            file,
            empty: &mut empty,
            brackets: &mut brackets,
        };
        structs.visit_file(file.syntax);
    }
    let all = empty.iter();
    all.filter_map(|one| change(program, one, &brackets))
        .collect()
}

/// A struct without fields, and what stands after its name and generics.
struct Empty {
    name: Position,
    brackets: Place,
    /// A unit struct needs one.
    needs_semicolon: bool,
}

/// Empty brackets after a path whose last name stands at a position.
type Brackets = (Position, Place);

fn change(program: &Program<'_>, one: &Empty, brackets: &[Brackets]) -> Option<EditSet> {
    let mut change = program.change();
    let semicolon = if one.needs_semicolon { ";" } else { "" };
    change.replace(&one.brackets, semicolon);
    for (name, place) in brackets {
        if program.mentions().definition(*name) == Some(one.name) {
            change.delete(place);
        }
    }
    change.finish()
}

struct Structs<'p, 'f> {
    file: SyntaxFile<'p>,
    empty: &'f mut Vec<Empty>,
    brackets: &'f mut Vec<Brackets>,
}

impl Structs<'_, '_> {
    fn after(&mut self, path: &Path, brackets: proc_macro2::Span) {
        if let Some(last) = path.segments.last() {
            let place = self.file.place_of(brackets);
            self.brackets.push((self.file.position(&last.ident), place));
        }
    }

    fn definition(&mut self, name: &Ident, brackets: proc_macro2::Span, needs_semicolon: bool) {
        self.empty.push(Empty {
            name: self.file.position(name),
            brackets: self.file.place_of(brackets),
            needs_semicolon,
        });
    }
}

impl<'p> Visit<'p> for Structs<'p, '_> {
    fn visit_item_struct(&mut self, item: &'p ItemStruct) {
        match &item.fields {
            Fields::Named(fields) if fields.named.is_empty() => {
                self.definition(&item.ident, fields.brace_token.span.join(), true);
            }
            Fields::Unnamed(fields) if fields.unnamed.is_empty() => {
                self.definition(&item.ident, fields.paren_token.span.join(), false);
            }
            _ => {}
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_expr(&mut self, expression: &'p Expr) {
        match expression {
            Expr::Struct(literal) if literal.fields.is_empty() && literal.rest.is_none() => {
                self.after(&literal.path, literal.brace_token.span.join());
            }
            Expr::Call(call) if call.args.is_empty() => {
                if let Expr::Path(callee) = &*call.func {
                    self.after(&callee.path, call.paren_token.span.join());
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_pat(&mut self, pattern: &'p Pat) {
        match pattern {
            Pat::Struct(fields) if fields.fields.is_empty() => {
                self.after(&fields.path, fields.brace_token.span.join());
            }
            Pat::TupleStruct(tuple) if tuple.elems.is_empty() => {
                self.after(&tuple.path, tuple.paren_token.span.join());
            }
            _ => {}
        }
        visit::visit_pat(self, pattern);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_struct_loses_its_brackets_with_its_expressions_and_patterns() {
        check(
            &PASS,
            "struct S(); fn f(S(): S) -> S { S() }",
            &["struct S; fn f(S: S) -> S { S }"],
        );
    }

    #[test]
    fn each_struct_is_a_change_of_its_own() {
        check(
            &PASS,
            "struct A {} struct B {}",
            &["struct A; struct B {}", "struct A {} struct B;"],
        );
    }

    #[test]
    fn structs_with_fields_and_unit_structs_stay() {
        check_not_applicable(&PASS, "struct A; struct B(u8); struct C { a: u8 }");
    }
}
