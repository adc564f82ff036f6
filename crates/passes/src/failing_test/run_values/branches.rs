//! Finds the statements that branch: `if`, `if let` and `match`. Of an `if` the value of its condition says what is done; of a
//! `match` and an `if let` a probe in each branch.

use super::loops::BoundNames;
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, At, Node, Walk};
use syn::visit::Visit;
use syn::{Block, Expr, ExprIf, ExprLet, ExprMatch, Pat, PatIdent, Stmt};

/// A statement that is an `if`, an `if let` or a `match`.
pub(super) struct Branching<'p> {
    pub(super) whole: Place,
    pub(super) kind: BranchingKind<'p>,
    pub(super) has_semicolon: bool,
}

#[derive(Clone, Copy)]
pub(super) enum BranchingKind<'p> {
    If(&'p ExprIf),
    IfLet(&'p ExprIf, &'p ExprLet),
    Match(&'p ExprMatch),
}

/// A branch of a `match` or an `if let`: a pattern, and the code for a value of that form.
pub(super) struct Arm<'p> {
    pub(super) pattern: &'p Pat,
    pub(super) body: Place,
    /// Whether the body has braces.
    pub(super) is_block: bool,
}

/// Returns all branching statements in a block, each before those in it.
pub(super) fn branchings<'p>(
    program: &'p Program,
    file: SyntaxFile<'p>,
    block: &'p Block,
) -> Vec<Branching<'p>> {
    let mut found = Vec::new();
    visit::each_in(
        program,
        At::of_file(file),
        Node::Block(block),
        |at, node| {
            if let Node::Stmt(statement @ Stmt::Expr(expression, semicolon)) = node
                && let Some(kind) = BranchingKind::of(expression)
            {
                found.push(Branching {
                    whole: at.place(statement),
                    kind,
                    has_semicolon: semicolon.is_some(),
                });
            }
            Walk::Inside
        },
    );
    found
}

impl<'p> BranchingKind<'p> {
    fn of(expression: &'p Expr) -> Option<Self> {
        match expression {
            Expr::If(one) => match &*one.cond {
                Expr::Let(condition) => Some(Self::IfLet(one, condition)),
                _ => Some(Self::If(one)),
            },
            Expr::Match(one) => Some(Self::Match(one)),
            _ => None,
        }
    }

    /// Returns the value on which a `match` or an `if let` decides.
    pub(super) fn value(self) -> Option<&'p Expr> {
        match self {
            Self::If(_) => None,
            Self::IfLet(_, condition) => Some(&condition.expr),
            Self::Match(one) => Some(&one.expr),
        }
    }

    /// Returns the branches of a `match` or an `if let`, each with its pattern.
    pub(super) fn arms(self, file: SyntaxFile<'p>) -> Vec<Arm<'p>> {
        match self {
            Self::If(_) => Vec::new(),
            Self::IfLet(one, condition) => vec![Arm {
                pattern: &condition.pat,
                body: file.place(&one.then_branch),
                is_block: true,
            }],
            Self::Match(one) => {
                let arms = one.arms.iter().map(|arm| Arm {
                    pattern: &arm.pat,
                    body: file.place(&*arm.body),
                    is_block: matches!(*arm.body, Expr::Block(_)),
                });
                arms.collect()
            }
        }
    }
}

impl<'p> Arm<'p> {
    /// Returns the names that the arm's pattern binds.
    pub(super) fn names(&self) -> Vec<&'p PatIdent> {
        let mut names = BoundNames::default();
        names.visit_pat(self.pattern);
        names.found
    }
}
