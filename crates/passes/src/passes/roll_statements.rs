//! `roll_statements`: puts a loop in place of statements that repeat, with another literal each time or with none.

use super::expressions::blocks;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use crate::rolling::loops;
use reduce_syntax::EditSet;
use syn::{Block, Expr, Stmt};

pub(super) const PASS: Pass = Pass {
    name: "roll_statements",
    about: "Puts a loop in place of statements that repeat with another literal each time",
    example: (
        "fn f() { g(x, 1); g(x, 2); g(x, 3); g(x, 4); g(x, 5); g(x, 6); }",
        "fn f() { for n in 1..=6 { g(x, n); } }",
    ),
    keeps: Keeps::Behaviour,
    work: &[WORK],
};

const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let blocks = blocks(program).into_iter();
    simplest_first(
        program,
        blocks.flat_map(|(file, block)| rolled(program, file, block)),
    )
}

/// The changes of a block, one for each run of statements that repeat.
fn rolled(program: &Program, file: SyntaxFile<'_>, block: &Block) -> Vec<EditSet> {
    let texts: Vec<&str> = block.stmts.iter().map(|one| text(file, one)).collect();
    let changes = loops(&texts).into_iter().filter_map(|(run, text)| {
        let [first, .., last] = &block.stmts[run] else {
            return None;
        };
        let (first, last) = (file.place(first), file.place(last));
        let whole = Place::new(first.file, first.range.start..last.range.end);
        program.change().replace(&whole, &text).finish()
    });
    changes.collect()
}

/// The text of a statement that may repeat: an expression or a macro call, with its semicolon. Of others it is empty.
fn text<'p>(file: SyntaxFile<'p>, statement: &Stmt) -> &'p str {
    let may_repeat = match statement {
        // A jump would leave the loop.
        Stmt::Expr(Expr::Break(_) | Expr::Continue(_), _) => false,
        Stmt::Expr(_, end) => end.is_some(),
        Stmt::Macro(call) => call.semi_token.is_some(),
        _ => false,
    };
    if may_repeat { file.text(statement) } else { "" }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::WORK;

    #[test]
    fn equal_statements_are_a_loop() {
        check(
            &WORK,
            "fn f() { let x = g(); x.h(); x.h(); x.h(); x.h(); x.h(); k(x); }",
            &["fn f() { let x = g(); for _ in 0..5 { x.h(); } k(x); }"],
        );
    }

    #[test]
    fn each_run_is_a_change_by_itself() {
        check(
            &WORK,
            "fn f() { a.g(7); a.g(9); a.g(4); a.g(2); a.g(1); a.g(8); a.g(3); \
             b.h(\"x\"); b.h(\"y\"); b.h(\"z\"); b.h(\"v\"); b.h(\"w\"); }",
            &[
                "fn f() { for n in [7, 9, 4, 2, 1, 8, 3] { a.g(n); } \
                 b.h(\"x\"); b.h(\"y\"); b.h(\"z\"); b.h(\"v\"); b.h(\"w\"); }",
                "fn f() { a.g(7); a.g(9); a.g(4); a.g(2); a.g(1); a.g(8); a.g(3); \
                 for n in [\"x\", \"y\", \"z\", \"v\", \"w\"] { b.h(n); } }",
            ],
        );
    }

    #[test]
    fn declarations_and_jumps_stay() {
        check_not_applicable(
            &WORK,
            "fn f() { let a = g(); let a = g(); let a = g(); let a = g(); let a = g(); let a = g(); }",
        );
        check_not_applicable(
            &WORK,
            "fn f() { loop { break; break; break; break; break; break; } }",
        );
        check_not_applicable(&WORK, "fn f() { g(1); g(2); }");
    }
}
