//! Cuts the rounds of unrolled loops that end early, at a `break` or `continue`.

use super::loops::Looping;
use crate::program::{Change, Place, SyntaxFile};
use syn::visit::Visit;
use syn::{Block, Expr, Stmt};

/// The expression that replaces a `break` or `continue` which the round does not reach. It has any type.
const NOT_MADE: &str = "panic!()";

/// Removes what follows the `break` or `continue` that is reached in a round. `is_made` says `Some(false)` if it is not always,
/// and `None` if it is not at all.
///
/// Returns `None` where the round cannot be written without a jump.
pub(super) fn cut(
    change: &mut Change<'_>,
    looping: &Looping<'_>,
    is_made: impl Fn(&Place) -> Option<bool>,
) -> Option<()> {
    for jump in &looping.jumps {
        let place = looping.file.place(jump);
        match is_made(&place) {
            None => {
                change.replace(&place, NOT_MADE);
            }
            Some(true) => end_with(change, looping, jump)?,
            Some(false) => return None,
        }
    }
    Some(())
}

/// Deletes a `break` or `continue`, and all code after it in the blocks around it. What a variable would be made of goes with it.
fn end_with(change: &mut Change<'_>, looping: &Looping<'_>, jump: &Expr) -> Option<()> {
    let file = looping.file;
    let place = file.place(jump);
    let around = Around::of(file, &place, looping.body)?;
    for block in around {
        let mut statements = block.stmts.iter();
        let statement = statements.find(|one| place.is_within(&file.place(*one)))?;
        let is_jump = matches!(statement, Stmt::Expr(one, _) if std::ptr::eq(one, jump));
        let is_variable = matches!(statement, Stmt::Local(_));
        let whole = file.place(statement).range;
        let start = if is_jump || is_variable {
            whole.start
        } else {
            whole.end
        };
        let rest = Place::new(
            place.file,
            start..file.inside(block.brace_token.span).range.end,
        );
        change.delete(&rest);
        if is_jump || is_variable {
            return Some(());
        }
    }
    change.replace(&place, "()");
    Some(())
}

/// Finds the blocks around a place in a block, that block first.
struct Around<'p, 'b> {
    file: SyntaxFile<'p>,
    place: &'b Place,
    blocks: Vec<&'b Block>,
    is_in_loop: bool,
}

impl<'p, 'b> Around<'p, 'b> {
    /// Returns the blocks around a place, the outermost first; `None` if the place is in a loop, as the code after it may run
    /// before it, in an earlier round of the loop.
    fn of(file: SyntaxFile<'p>, place: &'b Place, body: &'b Block) -> Option<Vec<&'b Block>> {
        let mut around = Self {
            file,
            place,
            blocks: Vec::new(),
            is_in_loop: false,
        };
        around.visit_block(body);
        (!around.is_in_loop).then_some(around.blocks)
    }
}

impl<'b> Visit<'b> for Around<'_, 'b> {
    fn visit_block(&mut self, block: &'b Block) {
        if self.place.is_within(&self.file.place(block)) {
            self.blocks.push(block);
            syn::visit::visit_block(self, block);
        }
    }

    fn visit_expr(&mut self, expression: &'b Expr) {
        if self.place.is_within(&self.file.place(expression)) {
            let is_loop = matches!(
                expression,
                Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_)
            );
            self.is_in_loop |= is_loop;
            syn::visit::visit_expr(self, expression);
        }
    }
}
