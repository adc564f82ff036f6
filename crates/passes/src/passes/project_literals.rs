//! `project_literals`: replaces the read of a field or an index of a literal, such as `(a, b).0` or `[a, b][1]`, by
//! that part of the literal; also where a variable or constant is the literal.
//!
//! All parts must do nothing when they are evaluated, and mean the same where they are put: what names mean
//! is asked of the model. A number without a suffix keeps its type (`numbers`).

mod chains;
mod inert;
mod named;
mod numbers;
mod selection;

use super::expressions::blocks;
use super::expressions::types::Types;
use super::paths::{Import, imports};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, SyntaxFile, simplest_first};
use crate::visit::{self, Node};
use chains::{Chain, Chains};
use inert::Inertness;
use named::Constant;
use numbers::Numbers;
use reduce_syntax::EditSet;
use selection::{Declared, Selection};
use std::slice::from_ref;
use syn::{Expr, UnOp};

pub(super) const PASS: Pass = Pass {
    name: "project_literals",
    about: "Puts a part of a tuple, array or struct in place of a field or an index of it",
    example: (
        "fn f() { let x = (1, (2, 3)); g(x.1.0, x.1.1); }",
        "fn f() { g(2, 3); }",
    ),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let chains = Chains::of(program);
    if chains.of_names.is_empty() && chains.of_literals.is_empty() {
        return Vec::new();
    }
    let projecting = Projecting::new(program, chains);
    let literals = projecting.chains.of_literals.iter();
    let literals = literals.filter_map(|chain| projecting.of_literal(chain));
    let blocks = blocks(program).into_iter();
    let variables = blocks.flat_map(|(file, block)| projecting.of_variables(file, block));
    let found = literals.chain(variables).chain(projecting.of_constants());
    simplest_first(program, found)
}

struct Projecting<'p> {
    program: &'p Program,
    chains: Chains<'p>,
    known: Inertness<'p>,
    types: Types<'p>,
    constants: Vec<Constant<'p>>,
    imports: Vec<Import>,
}

impl<'p> Projecting<'p> {
    fn new(program: &'p Program, chains: Chains<'p>) -> Self {
        let constants = visit::collect(program, |at, node| match node {
            Node::Item(item) => Constant::of(at.file, item),
            _ => None,
        });
        let types = constants.iter();
        let types = types.map(|one| (one.file.position(one.name), one.ty));
        Self {
            program,
            chains,
            known: Inertness {
                program,
                constants: types.collect(),
            },
            types: Types::of(program),
            constants,
            imports: imports(program),
        }
    }

    /// Puts the part of a literal in place of a chain: `a` for `(a, b).0`.
    fn of_literal(&self, chain: &Chain<'p>) -> Option<EditSet> {
        let (file, known) = (chain.at.file, &self.known);
        let selection = self.selection((file, chain.base), Declared::Inferred, chain);
        let may_vary = selection.is_of_tuples;
        let is_left_out = |part: &&Expr| known.is_inert(file, part, may_vary);
        selection.left_out.iter().all(is_left_out).then_some(())?;
        let text = match self.is_apart(file, &selection) {
            true => file.text(selection.part).to_owned(),
            false => {
                known.is_inert(file, selection.part, false).then_some(())?;
                let numbers = Numbers::of(known, file, chain.base);
                let class = selection.class(&chain.steps);
                selection.text(known, file, (&class, &numbers), from_ref(&class))?
            }
        };
        let mut change = self.program.change();
        change.replace_read(chain.place(selection.n_steps)?, &text)?;
        change.finish()
    }

    fn selection(
        &self,
        literal: (SyntaxFile<'p>, &'p Expr),
        declared: Declared<'p>,
        chain: &Chain<'p>,
    ) -> Selection<'p> {
        Selection::of(&self.known, &self.types, literal, declared, &chain.steps)
    }

    /// Whether a part of a literal means the same outside of it: the literal does not say which type the part has,
    /// and the part is no place of which the literal has a copy.
    fn is_apart(&self, file: SyntaxFile<'p>, selection: &Selection<'p>) -> bool {
        selection.is_of_tuples && !self.is_changeable(file, selection.part)
    }

    /// Whether an expression may be a place whose value changes, such as `x`, `x.f` or `*p`.
    fn is_changeable(&self, file: SyntaxFile<'p>, value: &Expr) -> bool {
        match value {
            Expr::Path(path) => self.known.named(file, path).is_none(),
            Expr::Paren(inner) => self.is_changeable(file, &inner.expr),
            Expr::Group(inner) => self.is_changeable(file, &inner.expr),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
            other => matches!(other, Expr::Field(_) | Expr::Index(_)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_part_stands_in_place_of_the_literal_of_which_it_was_read() {
        for (before, after) in [
            ("(a(), 1).0", "a()"),
            ("[1, 2][1]", "2"),
            ("S { x: E::A, y: -1 }.x", "E::A"),
            ("(&(1, (b + c, \"d\"))).1.0.e()", "(b + c).e()"),
            ("((1, 2), 3).0.1", "2"),
            ("[(1, u8::MAX)][0].0", "1"),
            ("assert_eq!((b(), [4; 2]).0, 1)", "assert_eq!(b(), 1)"),
        ] {
            let function = |body| format!("enum E {{ A }} fn f() {{ {body}; }}");
            check_has(&PASS, &function(before), &function(after));
        }
    }

    #[test]
    fn a_literal_of_which_another_part_does_something_stays() {
        for body in [
            "(1, a()).0",
            "[1, a][i]",
            "[1, 2][2]",
            "S { x: 1, ..a }.x",
            "(1, C).0",
            "(&mut (1, 2)).0",
            "(1, 2).0 = 3",
        ] {
            check_not_applicable(&PASS, &format!("fn f() {{ {body}; }}"));
        }
    }

    #[test]
    fn a_place_that_may_change_is_read_from_its_copy() {
        check(
            &PASS,
            "fn f(mut a: T, b: T) { (a, 1).0.g(); (b, 1).0.g(); (b.c, 1).0.g(); (*b, 1).0.g(); }",
            &["fn f(mut a: T, b: T) { (a, 1).0.g(); b.g(); (b.c, 1).0.g(); (*b, 1).0.g(); }"],
        );
    }

    #[test]
    fn a_variable_goes_of_which_only_parts_are_read() {
        check(
            &PASS,
            "use std::cmp::Ordering;
             fn f() {
                 let x = ((), (6, 5), (5, 3), Ordering::Less);
                 assert_eq!(g(x.2.0, x.2.1).cmp(&g(x.1.0, x.1.1)), x.3.reverse());
             }",
            &["use std::cmp::Ordering;
             fn f() { assert_eq!(g(5, 3).cmp(&g(6, 5)), Ordering::Less.reverse()); }"],
        );
        check(
            &PASS,
            "fn f() { let x = &[(1, \"a\"), (2, \"b\")]; g(x[1].1, x[1].1, x[0].0); }",
            &["fn f() { g(\"b\", \"b\", 1); }"],
        );
        check(
            &PASS,
            "struct S { a: u8, b: &'static str } fn f() { let x = S { a: 1, b: \"c\" }; g(x.a, x.a, x.b); }",
            &["struct S { a: u8, b: &'static str } fn f() { g(1u8, 1u8, \"c\"); }"],
        );
    }

    #[test]
    fn a_variable_that_is_mentioned_otherwise_stays() {
        check(
            &PASS,
            "fn f() { let x = (true, [1, 2]); g(x.0, &x); }",
            &["fn f() { let x = (true, [1, 2]); g(true, &x); }"],
        );
        check(
            &PASS,
            "fn f() { let x = ('a', 1); m!(\"{x:?}\"); g(x.0, x.1, x); }",
            &["fn f() { let x = ('a', 1); m!(\"{x:?}\"); g('a', x.1, x); }"],
        );
    }

    #[test]
    fn a_part_is_put_where_it_is_as_far_as_the_literal_goes() {
        check(
            &PASS,
            "fn f(a: T) { let x = ((a, 1), 2); g(x.0.0.0, x.0.0.1.b); }",
            &["fn f(a: T) { g(a.0, a.1.b); }"],
        );
    }

    #[test]
    fn what_may_change_or_does_something_stays() {
        for body in [
            "let mut x = (1, 2); x.0 = 3; g(x.1);",
            "let x = (1, a()); g(x.0);",
            "let mut a = 1; let x = (a, true); a = 2; g(x.0);",
            "let x = (C, true); g(x.0);",
            "let x = (1, 2) else { return }; g(x.0);",
            "#[cfg(a)] let x = (1, 2); g(x.0);",
        ] {
            check_not_applicable(&PASS, &format!("fn f() {{ {body} }}"));
        }
    }

    #[test]
    fn a_name_that_means_something_else_where_it_would_stand_stays() {
        for body in [
            "let x = (a, 'c'); let a = 2; g(x.0);",
            "let x = (a, 'c'); h(|a| g(x.0));",
            "let x = (Less, 'c'); { use b::Less; g(x.0); }",
            "let x = (Less, 'c'); { enum E { Less } g(x.0); }",
        ] {
            check_not_applicable(&PASS, &format!("fn f(a: u8) {{ {body} }}"));
        }
        check(
            &PASS,
            "fn f(a: u8) { let x = (a, 'c'); { let x = 2; g(x.0) } g(x.0); }",
            &["fn f(a: u8) { { let x = 2; g(x.0) } g(a); }"],
        );
    }

    #[test]
    fn a_number_without_a_suffix_is_put_in_one_place() {
        check_not_applicable(&PASS, "fn f() { let x = (1, 2); g(x.0, x.0); }");
        check_not_applicable(&PASS, "fn f() { let x = [1, 2u8]; g(x[0]); }");
        check_not_applicable(&PASS, "fn f() { let x = [1, 2]; g(x[0], x[1]); }");
        check_not_applicable(&PASS, "fn f() { let x = (1, 2); g(x.0, x); }");
        check_not_applicable(&PASS, "fn f() { [1, u8::MAX][0]; }");
        check(
            &PASS,
            "fn f() { let x = (1u8, 2); g(x.0, x.0); }",
            &["fn f() { g(1u8, 1u8); }"],
        );
    }

    #[test]
    fn a_number_has_the_type_that_is_written_for_it() {
        check(
            &PASS,
            "fn f() { let x: (u64, (f32, i32)) = (1, (2.5, -3)); g(x.0, x.0, x.1.0, x.1.1); }",
            &["fn f() { g(1u64, 1u64, 2.5f32, -3); }"],
        );
        for text in [
            "struct S<T> { a: T } fn f() { let x = S { a: 1 }; g(x.a); }",
            "fn f() { let x: T = (1, 2); g(x.0); }",
            "fn f() { let x: (&[u8], &dyn T) = (&[], &1); g(x.0, x.1); }",
        ] {
            check_not_applicable(&PASS, text);
        }
    }

    #[test]
    fn parts_of_constants_stand_where_they_are_read() {
        check(
            &PASS,
            "mod m { pub const C: &[(u8, char)] = &[(1, 'a'), (u8::MAX, 'b')]; }
             use m::C; fn f() { g(C[1].0, m::C[0].1, C[0].0); }",
            &["mod m { } fn f() { g(u8::MAX, 'a', 1u8); }"],
        );
        check(
            &PASS,
            "static S: (bool, char) = (true, 'b'); fn f() { g(S.0); h(S); }",
            &["static S: (bool, char) = (true, 'b'); fn f() { g(true); h(S); }"],
        );
        for text in [
            "mod m { enum E { A } pub const C: (E, u8) = (E::A, 1); } fn f() { m::C.0; }",
            "static mut S: (u8, u8) = (1, 2); fn f() { unsafe { S.0 } }",
            "#[cfg(a)] const C: (u8, u8) = (1, 2); fn f() { C.0; }",
        ] {
            check_not_applicable(&PASS, text);
        }
    }
}
