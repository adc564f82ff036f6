//! Moves the statements of a block that is a part of a statement in front of that statement: `f({ s; e });` becomes `s; f(e);`.

use super::Unwrapping;
use reduce_syntax::EditSet;
use reduce_syntax::MacroArguments;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Macro, Stmt};

impl<'p> Unwrapping<'p> {
    /// Lifts the statements of each block in a statement: `f({ s; e });` becomes `s; f(e);`.
    pub(super) fn lift(self, statement: &'p Stmt) -> Vec<EditSet> {
        let mut blocks = Blocks {
            unwrapping: self,
            found: Vec::new(),
        };
        match statement {
            // A statement that is a block itself is hoisted.
            Stmt::Expr(Expr::Block(_) | Expr::Unsafe(_), _) | Stmt::Item(_) => {}
            _ => blocks.visit_stmt(statement),
        }
        let found = blocks.found.into_iter();
        let lifted = found.filter_map(|(whole, block)| self.lift_one(statement, whole, block));
        lifted.collect()
    }

    fn lift_one(self, statement: &Stmt, whole: &Expr, block: &Block) -> Option<EditSet> {
        let Self { program, file } = self;
        let (last, first) = block.stmts.split_last()?;
        let Stmt::Expr(value, None) = last else {
            return None;
        };
        let (first, before) = (first.first()?, first.last()?);
        let lifted = program.text(&file.between(first, before));
        let (at, whole) = (file.place(statement).start(), file.place(whole));
        let mut change = program.change();
        change.insert(at, &format!("{lifted} "));
        change.replace(&whole, file.text(value));
        // A lifted text without bytes of its own would stand inside of what is replaced.
        change.finish().filter(|_| whole.start() != at)
    }
}

/// The blocks in a statement that are evaluated exactly once, each with the expression that it is.
struct Blocks<'s> {
    unwrapping: Unwrapping<'s>,
    found: Vec<(&'s Expr, &'s Block)>,
}

/// Macros that evaluate each of their arguments once, and first of all.
const EVALUATING: [&str; 7] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "format",
    "println",
    "vec",
];

impl<'s> Visit<'s> for Blocks<'s> {
    fn visit_macro(&mut self, call: &'s Macro) {
        let name = call.path.get_ident().map(ToString::to_string);
        let Unwrapping { program, file } = self.unwrapping;
        if name.is_some_and(|name| EVALUATING.contains(&&*name))
            && let Some(MacroArguments::Expressions(all)) = program.arguments(file, call)
        {
            // The arguments after the first two are printed at a failure, and not evaluated without
            // one.
            all.iter().take(2).for_each(|one| self.visit_expr(one));
        }
    }

    fn visit_expr(&mut self, expression: &'s Expr) {
        match expression {
            Expr::Block(one) if one.label.is_none() => self.found.push((expression, &one.block)),
            Expr::Unsafe(one) => self.found.push((expression, &one.block)),
            Expr::Closure(_) | Expr::While(_) | Expr::Async(_) | Expr::Const(_) => {}
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_arm(&mut self, _: &'s syn::Arm) {}

    /// Skips the block of a branch or loop, which may not be run.
    fn visit_block(&mut self, _: &'s Block) {}

    fn visit_expr_if(&mut self, branches: &'s syn::ExprIf) {
        self.visit_expr(&branches.cond);
    }

    fn visit_type(&mut self, _: &'s syn::Type) {}
}
