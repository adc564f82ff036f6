//! Extracts one version from a text that has two.

use super::Side;
use crate::configuration::{Configuration, configured};
use crate::rewriting::with_replaced;
use reduce_syntax::{Parsed, byte_range};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Meta, Stmt};

/// The mark that takes the place of a block's attribute until the block around its contents is removed.
const MARK: &str = "unwrapped";

/// Returns one version of a text that has two, with all other `cfg`s as they are. A text that is not understood stays, too.
#[must_use]
pub fn version_of(text: &str, side: Side) -> String {
    match side {
        Side::Before => projected(text, Side::Before.cfg(), Side::After.cfg()),
        Side::After => projected(text, Side::After.cfg(), Side::Before.cfg()),
    }
}

/// Returns a text as it is with the `cfg` name `on` set and the name `off` not set.
pub(super) fn projected(text: &str, on: &str, off: &str) -> String {
    let configuration = Configuration::from_lines([on]).deciding_only([on, off]);
    let marked = edited(text, Step::Mark(on));
    let chosen = configured(&marked, &configuration);
    edited(&chosen, Step::Unwrap)
}

/// A step by which blocks are removed that stand around expressions only to have an attribute.
#[derive(Clone, Copy)]
enum Step<'n> {
    /// Puts a mark in place of the attribute of the blocks of the version with this name.
    Mark(&'n str),
    /// Removes the braces of the blocks with the mark. Only when the other version is gone, what is in them may stand there.
    Unwrap,
}

fn edited(text: &str, step: Step<'_>) -> String {
    let parsed = Parsed::new(text);
    let Some(file) = parsed.file() else {
        return text.to_owned();
    };
    let mut blocks = Blocks {
        step,
        replaced: Vec::new(),
    };
    blocks.visit_file(file);
    with_replaced(text, blocks.replaced)
}

struct Blocks<'n> {
    step: Step<'n>,
    replaced: Vec<(Range<usize>, String)>,
}

impl Blocks<'_> {
    fn delete(&mut self, range: Range<usize>) {
        self.replaced.push((range, String::new()));
    }

    fn block(&mut self, attribute: &Attribute, block: &Block) {
        match self.step {
            Step::Mark(name) if is_of(attribute, name) && is_one_expression(block) => {
                let mark = format!("#[{MARK}]");
                self.replaced.push((byte_range(attribute), mark));
            }
            Step::Unwrap if attribute.path().is_ident(MARK) => {
                self.delete(byte_range(attribute));
                self.braces(block);
            }
            _ => {}
        }
    }

    /// Handles the block that stands around a condition of which there are two versions.
    fn condition(&mut self, condition: &Expr) {
        let Expr::Block(around) = condition else {
            return;
        };
        let is_marked = |(attribute, _): (&Attribute, _)| attribute.path().is_ident(MARK);
        if let ([only], Step::Unwrap) = (around.block.stmts.as_slice(), self.step)
            && attributed(only).is_some_and(is_marked)
        {
            self.braces(&around.block);
        }
    }

    fn braces(&mut self, block: &Block) {
        let span = block.brace_token.span;
        self.delete(span.open().byte_range());
        self.delete(span.close().byte_range());
    }
}

impl<'ast> Visit<'ast> for Blocks<'_> {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Some((attribute, block)) = attributed(statement) {
            self.block(attribute, block);
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_if(&mut self, expression: &'ast syn::ExprIf) {
        self.condition(&expression.cond);
        visit::visit_expr_if(self, expression);
    }

    fn visit_expr_while(&mut self, expression: &'ast syn::ExprWhile) {
        self.condition(&expression.cond);
        visit::visit_expr_while(self, expression);
    }
}

/// Returns the attribute and the block of a statement that is a block with exactly one attribute.
fn attributed(statement: &Stmt) -> Option<(&Attribute, &Block)> {
    let Stmt::Expr(Expr::Block(block), None) = statement else {
        return None;
    };
    match block.attrs.as_slice() {
        [attribute] => Some((attribute, &block.block)),
        _ => None,
    }
}

fn is_of(attribute: &Attribute, name: &str) -> bool {
    let Meta::List(list) = &attribute.meta else {
        return false;
    };
    list.path.is_ident("cfg") && list.tokens.to_string() == name
}

/// Returns whether a block has only one expression, so that its braces can go without any effect.
fn is_one_expression(block: &Block) -> bool {
    matches!(block.stmts.as_slice(), [Stmt::Expr(..) | Stmt::Macro(_)])
}
