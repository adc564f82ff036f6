//! Replaces the mentions of a variable by the value that it is initialised with.
//!
//! Where only the type of the variable says what it is made of, that stands in its value or in the call that it is passed to
//! (`turbofish`).
//!
//! This may change the order of evaluation and the inferred types: the compiler decides.

mod parts;
mod reads;
mod turbofish;

use super::super::expressions::{binding, blocks, is_place};
use super::super::functions::name_place;
use crate::pass::{Rewriter, Work};
use crate::precedence::{Role, as_prefixed, as_receiver};
use crate::program::{Program, SyntaxFile, simplest_first};
use parts::parts;
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::{Block, Expr, Local, Pat, PatIdent, Stmt, Type};
use turbofish::Calls;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    let calls = Calls::of(program);
    for (file, block) in blocks(program) {
        let inlining = Inlining { program, file };
        inlining.block(block, &calls, &mut found);
    }
    found.extend(calls.moved(program));
    simplest_first(program, found)
}

/// The way in which a variable's value is written in place of the variable.
#[derive(Clone, Copy)]
enum Taken {
    AsItIs,
    /// The value with `*` before it, where the type of the variable is a reference: a reference to such a value is taken for
    /// it where the type is written.
    Dereferenced,
}

struct Inlining<'p> {
    program: &'p Program,
    file: SyntaxFile<'p>,
}

impl<'p> Inlining<'p> {
    fn block(&self, block: &'p Block, calls: &Calls<'_>, found: &mut Vec<EditSet>) {
        for (idx, statement) in block.stmts.iter().enumerate() {
            let Stmt::Local(local) = statement else {
                continue;
            };
            let later = block.stmts.get(idx + 1..).unwrap_or_default();
            found.extend(self.value(statement, local, Taken::AsItIs));
            found.extend(self.value(statement, local, Taken::Dereferenced));
            found.extend(self.part(statement, local));
            found.extend(self.with_arguments(statement, local, calls));
            found.extend(self.split(local));
            found.extend(self.reads(block, statement, local));
            found.extend(self.first_assignment(statement, local, later));
        }
    }

    /// Puts the value in place of all mentions of a variable.
    fn value(&self, statement: &Stmt, local: &Local, taken: Taken) -> Option<EditSet> {
        let (name, ty) = binding(&local.pat)?;
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let written = self.file.text(&*init.expr);
        let dereferenced = format!("*{}", as_prefixed(written));
        let value = match taken {
            Taken::AsItIs => written,
            Taken::Dereferenced => {
                let is_reference = matches!(ty, Some(Type::Reference(_)));
                is_reference.then_some(dereferenced.as_str())?
            }
        };
        self.replaced(statement, name, (value, is_place(&init.expr)))
    }

    /// Takes the one part of a tuple that is mentioned: `let (a, b) = f(); g(b);` becomes `g(f().1);`.
    fn part(&self, statement: &Stmt, local: &Local) -> Option<EditSet> {
        let Pat::Tuple(pattern) = &local.pat else {
            return None;
        };
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let mut mentioned = Vec::new();
        for (idx, part) in pattern.elems.iter().enumerate() {
            let (name, ty) = match part {
                Pat::Wild(_) => continue,
                part => binding(part)?,
            };
            if ty.is_none() && !self.mentions(name).is_empty() {
                mentioned.push((idx, name));
            }
        }
        let [(idx, name)] = mentioned[..] else {
            return None;
        };
        let value = format!("{}.{idx}", as_receiver(self.file.text(&*init.expr)));
        self.replaced(statement, name, (&value, is_place(&init.expr)))
    }

    /// Removes a declaration and puts a value in place of all mentions of its variable. `may_be_assigned` says whether the value can
    /// be assigned to.
    fn replaced(
        &self,
        statement: &Stmt,
        name: &PatIdent,
        (value, may_be_assigned): (&str, bool),
    ) -> Option<EditSet> {
        let mentions = self.mentions(name);
        let mut change = self.program.change();
        change.remove(&self.file.place(statement));
        for &mention in mentions {
            let place = name_place(self.program, mention);
            let is_possible = match self.program.expression_context(&place).role {
                Role::Unknown => false,
                Role::Assigned => may_be_assigned,
                _ => true,
            };
            is_possible.then(|| change.replace_expr(&place, value))?;
        }
        // A variable without a mention has nothing to inline: other passes delete such a variable.
        mentions.first()?;
        change.finish()
    }

    fn mentions(&self, name: &PatIdent) -> &'p [Position] {
        let position = self.file.position(&name.ident);
        self.program.mentions().of(position)
    }

    /// Splits a declaration: `let (a, b) = (c, d);` becomes `let a = c; let b = d;`.
    fn split(&self, local: &Local) -> Option<EditSet> {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let each = parts(self.file, &local.pat, &init.expr)?.into_iter();
        let each = each.map(|(part, value)| format!("let {} = {value};", self.file.text(part)));
        let mut change = self.program.change();
        let each: Vec<String> = each.collect();
        change.replace(&self.file.place(local), &each.join(" "));
        change.finish()
    }

    /// Joins a declaration and the first assignment: `let x; x = e;` becomes `let x = e;`.
    fn first_assignment(&self, statement: &Stmt, local: &Local, later: &[Stmt]) -> Option<EditSet> {
        let (name, ty) = binding(&local.pat)?;
        let first = *self.mentions(name).first()?;
        if local.init.is_some() {
            return None;
        }
        let mut assigned = later.iter().filter_map(assigned_name);
        let assigned = assigned.find(|name| self.file.position(name) == first)?;
        let mutable = if name.mutability.is_some() {
            "mut "
        } else {
            ""
        };
        let ascription = match ty {
            Some(ty) => format!(": {}", self.file.text(ty)),
            None => String::new(),
        };
        let text = format!("let {mutable}{}{ascription}", name.ident);
        self.program
            .change()
            .remove(&self.file.place(statement))
            .replace(&self.file.place(assigned), &text)
            .finish()
    }
}

/// Returns the name `x` of the statement `x = e;`.
fn assigned_name(statement: &Stmt) -> Option<&syn::Ident> {
    let Stmt::Expr(Expr::Assign(assignment), Some(_)) = statement else {
        return None;
    };
    match &*assignment.left {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn what_the_type_of_a_variable_says_stands_in_its_value_or_in_the_call() {
        let f = "fn f<const N: usize, U>(_: S<N, impl A>, x: U) {}";
        let before = format!("{f} fn g() {{ let x: S<0, u8> = S(h()); f(x, 1); }}");
        check_has(
            &WORK,
            &before,
            &format!("{f} fn g() {{ f(S::<0, u8>(h()), 1); }}"),
        );
        check_has(
            &WORK,
            &before,
            &format!("{f} fn g() {{ f::<0, _>(S(h()), 1); }}"),
        );
        check_has(
            &WORK,
            "fn f() { let x: Vec<u8> = Vec::new(); x.g(); }",
            "fn f() { Vec::<u8>::new().g(); }",
        );
        check(
            &WORK,
            &format!("{f} fn g() {{ f(S::<0, u8>(h()), 1); }}"),
            &[&format!("{f} fn g() {{ f::<0, _>(S(h()), 1); }}")],
        );
    }

    #[test]
    fn a_reference_to_a_reference_is_taken_for_one() {
        check(
            &WORK,
            "fn f() { g(|a| { let b: &str = a.value(); b }); }",
            &[
                "fn f() { g(|a| { a.value() }); }",
                "fn f() { g(|a| { *a.value() }); }",
            ],
        );
    }

    #[test]
    fn a_value_stands_where_the_variable_was_mentioned() {
        check(
            &WORK,
            "fn f() { let x: u8 = g(1); h(x); }",
            &["fn f() { h(g(1)); }"],
        );
    }

    #[test]
    fn the_last_value_of_a_block_needs_no_name() {
        check(
            &WORK,
            "fn f() -> u8 { let mut x = 1 + 2; x }",
            &["fn f() -> u8 { 1 + 2 }"],
        );
    }

    #[test]
    fn a_short_value_stands_for_all_mentions() {
        check(
            &WORK,
            "fn f() { let x = a; g(x, x); let y = g(a, b, c); g(y, y, y, y); }",
            &["fn f() { g(a, a); let y = g(a, b, c); g(y, y, y, y); }"],
        );
    }

    #[test]
    fn an_operand_gets_parentheses_where_needed() {
        check(
            &WORK,
            "fn f() { let x = a + b; x.g(); }",
            &["fn f() { (a + b).g(); }"],
        );
        check(
            &WORK,
            "fn f() { let x = S { a }; if x { } }",
            &["fn f() { if (S { a }) { } }"],
        );
        check(
            &WORK,
            "fn f() { let x = if a { b } else { c }; let Some(_) = x else { return }; }",
            &["fn f() { let Some(_) = (if a { b } else { c }) else { return }; }"],
        );
        check(
            &WORK,
            "fn f() { let x = a.b(c); x + 1; }",
            &["fn f() { a.b(c) + 1; }"],
        );
    }

    #[test]
    fn a_shorthand_field_keeps_its_name() {
        check(
            &WORK,
            "fn f() { let x = g(); S { x }; }",
            &["fn f() { S { x: g() }; }"],
        );
    }

    #[test]
    fn arguments_of_macros_are_mentions() {
        check(
            &WORK,
            "fn f() { let x = g(); m!(x, 1); }",
            &["fn f() { m!(g(), 1); }"],
        );
    }

    #[test]
    fn a_variable_of_the_same_name_is_another() {
        check_has(
            &WORK,
            "fn f() { let x = a(); let x = x.b(); c(x); }",
            "fn f() { let x = a().b(); c(x); }",
        );
        check_has(
            &WORK,
            "fn f() { let x = a(); let x = x.b(); c(x); }",
            "fn f() { let x = a(); c(x.b()); }",
        );
    }

    #[test]
    fn a_tuple_of_variables_is_split() {
        check(
            &WORK,
            "fn f() { let (a, _) = (g(), h()); }",
            &["fn f() { let a = g(); let _ = h(); }"],
        );
        check(
            &WORK,
            "fn f() { let Some(a) = Some(g()); }",
            &["fn f() { let a = g(); }"],
        );
    }

    #[test]
    fn the_one_part_of_a_tuple_that_is_mentioned_is_taken_of_it() {
        check_has(
            &WORK,
            "fn f() { let (a, b, _) = g(h()); assert_eq!(b, 1); }",
            "fn f() { assert_eq!(g(h()).1, 1); }",
        );
        check_has(
            &WORK,
            "fn f() { let (a, b) = *c; b.d(); }",
            "fn f() { (*c).1.d(); }",
        );
        for other in [
            "(a, b) = c; d(a, b)",
            "(a, ..) = c; d(a)",
            "(a, S { b }) = c; d(a)",
        ] {
            check_not_applicable(&WORK, &format!("fn f() {{ let {other}; }}"));
        }
    }

    #[test]
    fn what_is_read_of_a_struct_stands_where_it_is_read() {
        check_has(
            &WORK,
            "fn f() { let x = S { a: 1, b: g() }; assert_eq!(x.b, h(x.a, x.a)); }",
            "fn f() { assert_eq!(g(), h(1, 1)); }",
        );
        check_has(
            &WORK,
            "fn f() { let x = &(a + b, c); x.0.d(); }",
            "fn f() { (a + b).d(); }",
        );
    }

    #[test]
    fn a_struct_that_is_mentioned_as_a_whole_or_computed_from_twice_stays() {
        for body in [
            "let x = S { a: 1, b: 2 }; g(x.a, x);",
            "let x = S { a: h(i, j, k, l) }; g(x.a, x.a);",
            "let mut x = (1, 2, 3, 4); g(x.0); x.1 = 2;",
            "let x = S { a: 1, b: 2 }; g(x.a()); m!(\"{x}\");",
        ] {
            check_not_applicable(&WORK, &format!("fn f() {{ {body} }}"));
        }
    }

    #[test]
    fn structs_and_what_is_borrowed_are_split() {
        check_has(
            &WORK,
            "fn f() { let S { a, b: c } = S { b: g(), a: h }; }",
            "fn f() { let c = g(); let a = h; }",
        );
        check_has(
            &WORK,
            "fn f() { let (a, _) = &(1, g); }",
            "fn f() { let a = &1; let _ = g; }",
        );
        check_has(
            &WORK,
            "fn f() { let &(a, b) = &(1, g); }",
            "fn f() { let (a, b) = (1, g); }",
        );
        for other in [
            "S { a, .. } = S { a: 1, b: 2 }",
            "(a, ..) = (1, 2)",
            "(a, b) = &c",
        ] {
            check_not_applicable(&WORK, &format!("fn f() {{ let {other}; }}"));
        }
    }

    #[test]
    fn the_first_assignment_becomes_the_declaration() {
        check(
            &WORK,
            "fn f() { let mut x: u8; g(); x = 1; h(x); }",
            &["fn f() { g(); let mut x: u8 = 1; h(x); }"],
        );
    }

    #[test]
    fn what_is_assigned_to_or_not_mentioned_stays() {
        check_not_applicable(&WORK, "fn f() { let mut x = 1; x = 2; }");
        check_not_applicable(&WORK, "fn f() { let x = g(); }");
        check_not_applicable(&WORK, "fn f() { let x = g(); m!(\"{x}\"); }");
        check_not_applicable(&WORK, "fn f() { let Some(x) = a else { return }; g(x); }");
    }

    #[test]
    fn a_variable_is_what_it_is_initialised_with() {
        check_has(&WORK, "fn f() { let x = g(); h(x); }", "fn f() { h(g()); }");
    }
}
