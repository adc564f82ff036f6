//! What a block does before its value is done before the statement that the block is in.

use super::Unwrapping;
use reduce_syntax::EditSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

/// `s; f(e);` of `f({ s; e });`, for each block.
pub(super) fn lift(unwrapping: Unwrapping<'_>, statement: &Stmt, found: &mut Vec<EditSet>) {
    let mut blocks = Blocks::default();
    match statement {
        // A statement that is a block itself is hoisted.
        Stmt::Expr(Expr::Block(_) | Expr::Unsafe(_), _) | Stmt::Item(_) => {}
        _ => blocks.visit_stmt(statement),
    }
    for (whole, block) in blocks.found {
        found.extend(lift_one(unwrapping, statement, whole, block));
    }
}

fn lift_one(
    unwrapping: Unwrapping<'_>,
    statement: &Stmt,
    whole: &Expr,
    block: &Block,
) -> Option<EditSet> {
    let Unwrapping { program, file } = unwrapping;
    let (last, first) = block.stmts.split_last()?;
    let Stmt::Expr(value, None) = last else {
        return None;
    };
    let (first, before) = (first.first()?, first.last()?);
    let lifted = program.text(&file.between(first, before));
    let mut change = program.change();
    change.insert(file.place(statement).start(), &format!("{lifted} "));
    change.replace(&file.place(whole), file.text(value));
    // Without bytes of its own, what is lifted would stand inside of what is replaced.
    (whole.span().byte_range().start != statement.span().byte_range().start).then_some(())?;
    change.finish()
}

/// The blocks of a statement that are evaluated once, with the expressions that they are.
#[derive(Default)]
struct Blocks<'s> {
    found: Vec<(&'s Expr, &'s Block)>,
}

impl<'s> Visit<'s> for Blocks<'s> {
    fn visit_expr(&mut self, expression: &'s Expr) {
        match expression {
            Expr::Block(one) if one.label.is_none() => self.found.push((expression, &one.block)),
            Expr::Unsafe(one) => self.found.push((expression, &one.block)),
            Expr::Closure(_) | Expr::While(_) | Expr::Async(_) | Expr::Const(_) => {}
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_arm(&mut self, _: &'s syn::Arm) {}

    /// Of a branch or loop, which may not be run.
    fn visit_block(&mut self, _: &'s Block) {}

    fn visit_expr_if(&mut self, branches: &'s syn::ExprIf) {
        self.visit_expr(&branches.cond);
    }

    fn visit_type(&mut self, _: &'s syn::Type) {}
}
