//! `unwrap_blocks`: removes the braces of a block that needs none. What it does and gives stays what it was; its
//! variables may live longer.
//!
//! Where names would meet, and where a block stands in an expression, `unwrap_control_flow` and `hoist_parts` have
//! their guesses.

use super::expressions::{blocks, contents, is_place, plain_block};
use super::unroll_loops::needs_no_block;
use super::unwrap_control_flow::{Standing, Unwrapping};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::precedence::Role;
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use std::collections::HashSet;
use syn::{Block, Expr, Local, Stmt};

pub(super) const PASS: Pass = Pass {
    name: "unwrap_blocks",
    about: "Leaves out the braces of blocks that need none",
    example: (
        "fn f() { let a = { let b = g(); h(b) }; i(a); }",
        "fn f() { let b = g(); let a = h(b); i(a); }",
    ),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    let mut braced = HashSet::new();
    for (file, block) in blocks(program) {
        for (idx, statement) in block.stmts.iter().enumerate() {
            braced.insert(file.place(statement));
            if let Stmt::Local(local) = statement
                && let Some((_, other)) = local.init.as_ref().and_then(|init| init.diverge.as_ref())
            {
                braced.insert(file.place(other));
            }
            let unwrapped = Outer {
                program,
                file,
                block,
                statement,
                is_last: idx + 1 == block.stmts.len(),
            };
            found.extend(unwrapped.change());
        }
    }
    visit::each(program, |at, node| {
        if let Node::Expr(whole) = node {
            braced.extend(needing_braces(whole).map(|one| at.place(one)));
        }
    });
    found.extend(visit::collect(program, |at, node| match node {
        Node::Expr(whole) if !braced.contains(&at.place(whole)) => {
            only_value(program, at.file, whole)
        }
        _ => None,
    }));
    simplest_first(program, found)
}

/// Returns the parts of an expression that are blocks by its grammar: what comes after `else`, and the bodies of arms
/// without a comma.
fn needing_braces(whole: &Expr) -> impl Iterator<Item = &Expr> {
    let other = match whole {
        Expr::If(branches) => branches.else_branch.as_ref().map(|(_, other)| &**other),
        _ => None,
    };
    let arms = match whole {
        Expr::Match(chosen) => chosen.arms.as_slice(),
        _ => &[],
    };
    let bodies = arms.iter().filter(|arm| arm.comma.is_none());
    other.into_iter().chain(bodies.map(|arm| &*arm.body))
}

/// Puts `e` in place of `{ e }`.
fn only_value(program: &Program, file: SyntaxFile<'_>, whole: &Expr) -> Option<EditSet> {
    let block = plain_block(whole)?;
    let [Stmt::Expr(value, None)] = block.stmts.as_slice() else {
        return None;
    };
    let place = file.place(whole);
    let context = program.expression_context(&place);
    // A place in braces is a value of its own.
    let is_value = !is_place(value)
        || matches!(
            context.role,
            Role::Free | Role::Typed | Role::Left(_) | Role::Right(_)
        );
    let text = program.text(&contents(file, block)).trim();
    let is_known = context.role != Role::Unknown && is_value;
    let text = is_known.then(|| program.fitted(&place, text))?;
    program.replaced([&place], &text)
}

/// A statement, and the block in which it stands.
struct Outer<'p> {
    program: &'p Program,
    file: SyntaxFile<'p>,
    block: &'p Block,
    statement: &'p Stmt,
    is_last: bool,
}

impl Outer<'_> {
    fn change(&self) -> Option<EditSet> {
        match self.statement {
            Stmt::Expr(expression, semicolon) => {
                let is_value = self.is_last && semicolon.is_none();
                self.contents(plain_block(expression)?, is_value)
            }
            Stmt::Local(local) => self.statements_first(local),
            Stmt::Item(_) | Stmt::Macro(_) => None,
        }
    }

    /// Whether the names that a block declares may be declared in the block around this statement.
    fn may_declare(&self, inner: &Block) -> bool {
        let after = self.file.place(self.block);
        let after = after.after(&self.file.place(self.statement));
        !inner.stmts.is_empty() && needs_no_block(self.program, inner, &after)
    }

    /// Puts the contents of a block in place of it, which is a statement or the value of the block around it.
    fn contents(&self, inner: &Block, is_value: bool) -> Option<EditSet> {
        if !self.may_declare(inner) {
            return None;
        }
        let Self { program, file, .. } = *self;
        let unwrapping = Unwrapping { program, file };
        let standing = Standing {
            whole: file.place(self.statement),
            end: if is_value { "" } else { ";" },
        };
        let mut change = program.change();
        unwrapping.put_around(&mut change, &standing, &unwrapping.contents(inner), "");
        change.finish()
    }

    /// Puts the statements of a block before the `let`: `let p = { s; e };` becomes `s; let p = e;`.
    fn statements_first(&self, local: &Local) -> Option<EditSet> {
        let Self { program, file, .. } = *self;
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let inner = plain_block(&init.expr).filter(|inner| self.may_declare(inner))?;
        let [.., before, Stmt::Expr(_, None)] = inner.stmts.as_slice() else {
            return None;
        };
        // Comments go with what they stand before.
        let all = contents(file, inner);
        let middle = file.place(before).range.end;
        let part = |range| program.text(&Place::new(all.file, range)).trim();
        let (first, value) = (part(all.range.start..middle), part(middle..all.range.end));
        let mut change = program.change();
        change.insert(file.place(self.statement).start(), &format!("{first} "));
        change.replace(&file.place(&*init.expr), value);
        change.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_block_that_is_one_value_goes() {
        check(&PASS, "fn f() { g({ a + 1 }); }", &["fn f() { g(a + 1); }"]);
        check_has(
            &PASS,
            "fn f() -> u8 { 2 * { a + 1 } }",
            "fn f() -> u8 { 2 * (a + 1) }",
        );
        check_has(
            &PASS,
            "fn f() { unsafe { { g() } } }",
            "fn f() { unsafe { g() } }",
        );
        check(
            &PASS,
            "fn f() { g(/*@1*/ { /*@2*/ a() }); }",
            &["fn f() { g(/*@1*/ /*@2*/ a()); }"],
        );
    }

    #[test]
    fn a_place_in_braces_stays_a_value() {
        check(&PASS, "fn f() { g({ a }); }", &["fn f() { g(a); }"]);
        check_not_applicable(&PASS, "fn f() { g(&mut { a }); }");
        check_not_applicable(&PASS, "fn f() { g({ a.b }.c()); }");
        check_not_applicable(&PASS, "fn f() { i('a: { g() }); i({ h(); g() }); }");
    }

    #[test]
    fn braces_stay_that_the_grammar_asks_for() {
        check_not_applicable(&PASS, "fn f() { let a = if b { g() } else { h() }; }");
        check_not_applicable(&PASS, "fn f() { let A(b) = g() else { return };  h(b); }");
        check_not_applicable(&PASS, "fn f() -> u8 { match a { 0 => { g() } _ => h() } }");
        check(
            &PASS,
            "fn f() -> u8 { match a { 0 => { g() }, _ => h() } }",
            &["fn f() -> u8 { match a { 0 => g(), _ => h() } }"],
        );
    }

    #[test]
    fn statements_stand_before_a_variable() {
        check(
            &PASS,
            "fn f() { let a = { /*@1*/ let b = g(); /*@2*/ h(b) }; i(a); }",
            &["fn f() { /*@1*/ let b = g(); let a = /*@2*/ h(b); i(a); }"],
        );
        check_not_applicable(
            &PASS,
            "fn f(b: u8) { let a = { let b = g(); h(b) }; i(a, b); }",
        );
        check_not_applicable(&PASS, "fn f() { let a = { struct S; h(S) }; i(a); }");
    }

    #[test]
    fn what_a_statement_does_stands_by_itself() {
        check(
            &PASS,
            "fn f() { { let a = g(); h(a); } i(); }",
            &["fn f() { let a = g(); h(a); i(); }"],
        );
        check(
            &PASS,
            "fn f() -> u8 { g(); { let a = g(); a + 1 } }",
            &["fn f() -> u8 { g(); let a = g(); a + 1 }"],
        );
        check_not_applicable(&PASS, "fn f(a: u8) { { let a = g(); h(a); } i(a); }");
    }
}
