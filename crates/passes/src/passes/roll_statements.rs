//! `roll_statements`: puts a loop in place of statements that repeat, with another literal each time or with none.

use super::expressions::blocks;
use super::unroll_loops::Jumps;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use crate::rolling::loops;
use reduce_syntax::EditSet;
use syn::{Block, Expr, ExprLit, Lit, Pat, RangeLimits, Stmt};

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

/// The most rounds of a loop that are looked at one by one.
const MOST_ROUNDS: usize = 64;

const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let jumps = Jumps::of(program);
    let blocks = blocks(program).into_iter();
    let changes = blocks.flat_map(|(file, block)| rolled(program, &jumps, file, block));
    simplest_first(program, changes)
}

/// The changes of a block, one for each run of statements that repeat. A loop that only counts its rounds is its statements so many times.
fn rolled(program: &Program, jumps: &Jumps, file: SyntaxFile<'_>, block: &Block) -> Vec<EditSet> {
    let mut texts = Vec::new();
    let mut of_statements = Vec::new();
    for (idx, statement) in block.stmts.iter().enumerate() {
        let all = match counted(statement) {
            Some((rounds, body)) => {
                let body: Vec<&str> = body.iter().map(|one| text(file, one, jumps)).collect();
                body.repeat(rounds)
            }
            None => vec![text(file, statement, jumps)],
        };
        of_statements.extend(vec![idx; all.len()]);
        texts.extend(all);
    }
    let changes = loops(&texts).into_iter().filter_map(|(run, text)| {
        let (first, last) = (of_statements[run.start], of_statements[run.end - 1]);
        let is_cut = run.start > 0 && of_statements[run.start - 1] == first
            || of_statements.get(run.end) == Some(&last);
        if first == last || is_cut {
            return None;
        }
        let (first, last) = (
            file.place(&block.stmts[first]),
            file.place(&block.stmts[last]),
        );
        let whole = Place::new(first.file, first.range.start..last.range.end);
        program.change().replace(&whole, &text).finish()
    });
    changes.collect()
}

/// The number of rounds and the statements of a loop `for _ in 0..n`, if the rounds are not too many to look at one by one.
fn counted(statement: &Stmt) -> Option<(usize, &[Stmt])> {
    let Stmt::Expr(Expr::ForLoop(one), _) = statement else {
        return None;
    };
    let (Pat::Wild(_), Expr::Range(range)) = (&*one.pat, &*one.expr) else {
        return None;
    };
    let number = |bound: &Option<Box<Expr>>| match bound.as_deref() {
        Some(Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        })) => number.base10_parse::<usize>().ok(),
        _ => None,
    };
    let is_counted = number(&range.start) == Some(0)
        && matches!(range.limits, RangeLimits::HalfOpen(_))
        && one.label.is_none();
    let rounds = number(&range.end).filter(|rounds| is_counted && *rounds <= MOST_ROUNDS)?;
    Some((rounds, &one.body.stmts))
}

/// The text of a statement that may repeat: an expression or a macro call, with its semicolon. Of others it is empty.
fn text<'p>(file: SyntaxFile<'p>, statement: &Stmt, jumps: &Jumps) -> &'p str {
    let may_repeat = match statement {
        // It would leave the new loop.
        _ if jumps.are_in(statement) => false,
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
    fn loops_that_count_are_joined_with_what_is_beside_them() {
        check(
            &WORK,
            "fn f() { for _ in 0..4 { x.g(); } x.g(); for _ in 0..2 { x.g(); } h(); }",
            &["fn f() { for _ in 0..7 { x.g(); } h(); }"],
        );
        check_not_applicable(
            &WORK,
            "fn f() { for _ in 0..7 { x.g(); } for _ in 0..7 { h(); } }",
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
        check_not_applicable(
            &WORK,
            "fn f() { loop { unsafe { break }; unsafe { break }; unsafe { break }; unsafe { break }; unsafe { break }; } }",
        );
        check_not_applicable(&WORK, "fn f() { g(1); g(2); }");
    }
}
