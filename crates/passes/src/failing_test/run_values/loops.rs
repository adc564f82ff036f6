//! Reads loops that are statements, whose only effect is that of their body, as often as it runs. In a round in which something
//! leaves or continues the loop, nothing is done after that.

use crate::passes::Jumps;
use crate::program::{Place, SyntaxFile};
use syn::visit::Visit;
use syn::{Block, Expr, ExprForLoop, ExprLoop, ExprWhile, Label, Pat, PatIdent, Stmt};

/// A loop that is a statement, with the jumps that leave or continue it.
pub(super) struct Looping<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) statement: &'p Stmt,
    pub(super) body: &'p Block,
    /// The `break`s and `continue`s of the loop.
    pub(super) jumps: Vec<&'p Expr>,
    header: Header<'p>,
}

/// The part of a loop before its body.
#[derive(Clone, Copy)]
enum Header<'p> {
    For(&'p Pat, &'p Expr),
    While(&'p Expr),
    Loop,
}

impl<'p> Looping<'p> {
    /// Reads a statement that is a loop; `None` where it is none, has a value, or where a macro may leave it.
    pub(super) fn of(file: SyntaxFile<'p>, statement: &'p Stmt, jumps: &Jumps) -> Option<Self> {
        let Stmt::Expr(expression, _) = statement else {
            return None;
        };
        let (header, label, body) = parts(expression)?;
        let jumps = jumps.of_loop(label, body)?;
        let has_value = |jump: &&Expr| matches!(jump, Expr::Break(one) if one.expr.is_some());
        (!jumps.iter().any(has_value)).then_some(Self {
            file,
            statement,
            body,
            jumps,
            header,
        })
    }
}

impl<'p> Looping<'p> {
    /// Returns the place of the whole loop.
    pub(super) fn whole(&self) -> Place {
        self.file.place(self.statement)
    }

    /// Returns the place from the loop's first byte to where the statements of its body begin.
    pub(super) fn header_place(&self) -> Place {
        let Place { file, range } = self.whole();
        Place::new(file, range.start..self.contents().range.start)
    }

    /// Returns the place between the braces of the loop's body.
    pub(super) fn contents(&self) -> Place {
        self.file.inside(self.body.brace_token.span)
    }

    /// Returns the names that the loop's header binds anew in each round.
    pub(super) fn bound_names(&self) -> Vec<&'p PatIdent> {
        let mut names = BoundNames::default();
        match self.header {
            Header::For(pattern, _) => names.visit_pat(pattern),
            Header::While(condition) => names.visit_expr(condition),
            Header::Loop => {}
        }
        names.found
    }

    /// Returns the pattern of a `for` loop, and the expression that the loop goes through.
    pub(super) fn going_through(&self) -> Option<(&'p Pat, &'p Expr)> {
        match self.header {
            Header::For(pattern, all) => Some((pattern, all)),
            Header::While(_) | Header::Loop => None,
        }
    }

    /// Returns the condition of a `while` loop.
    pub(super) fn condition(&self) -> Option<&'p Expr> {
        match self.header {
            Header::For(..) | Header::Loop => None,
            Header::While(condition) => Some(condition),
        }
    }
}

/// Returns the header, label and body of a loop without attributes.
fn parts(expression: &Expr) -> Option<(Header<'_>, Option<&Label>, &Block)> {
    match expression {
        Expr::ForLoop(ExprForLoop {
            attrs,
            label,
            pat,
            expr,
            body,
            ..
        }) if attrs.is_empty() => Some((Header::For(pat, expr), label.as_ref(), body)),
        Expr::While(ExprWhile {
            attrs,
            label,
            cond,
            body,
            ..
        }) if attrs.is_empty() => Some((Header::While(cond), label.as_ref(), body)),
        Expr::Loop(ExprLoop {
            attrs, label, body, ..
        }) if attrs.is_empty() => Some((Header::Loop, label.as_ref(), body)),
        _ => None,
    }
}

/// The names that patterns bind.
#[derive(Default)]
pub(crate) struct BoundNames<'p> {
    pub(crate) found: Vec<&'p PatIdent>,
}

impl BoundNames<'_> {
    /// Returns the names that a pattern binds.
    pub(crate) fn in_pattern(pattern: &Pat) -> Vec<String> {
        let mut names = BoundNames::default();
        names.visit_pat(pattern);
        let names = names.found.into_iter();
        names.map(|name| name.ident.to_string()).collect()
    }
}

impl<'p> Visit<'p> for BoundNames<'p> {
    fn visit_pat_ident(&mut self, name: &'p PatIdent) {
        let is_name = name
            .ident
            .to_string()
            .starts_with(|first: char| !first.is_uppercase());
        self.found.extend(is_name.then_some(name));
        syn::visit::visit_pat_ident(self, name);
    }

    fn visit_expr(&mut self, expression: &'p Expr) {
        // Names that are bound elsewhere in a condition are not seen in the body.
        match expression {
            Expr::Let(one) => self.visit_pat(&one.pat),
            Expr::Binary(one) => {
                self.visit_expr(&one.left);
                self.visit_expr(&one.right);
            }
            _ => {}
        }
    }
}
