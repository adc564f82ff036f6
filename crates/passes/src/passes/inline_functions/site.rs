//! Finds the place where a body may stand for a call; a `?` or `.await` after the call is a part of it where the body
//! leaves early or waits.

use super::super::functions::{Call, Function};
use crate::program::{Place, Program};
use crate::visit::{self, Node};
use std::collections::HashMap;
use syn::{Expr, Stmt};

/// The operators and semicolons that stand directly after expressions.
#[derive(Default)]
pub(super) struct Suffixes {
    /// The place of each `e?`, by the place of `e`.
    tried: HashMap<Place, Place>,
    /// The place of each `e.await`, by the place of `e`.
    awaited: HashMap<Place, Place>,
    /// The places of statements with a semicolon, by the places of their expressions.
    statements: HashMap<Place, Place>,
}

/// A call, and the place that the body of the called function may take.
pub(super) struct Site<'c, 'p> {
    pub(super) call: &'c Call<'p>,
    /// The place of the call, with `?` and `.await` if they are replaced with it.
    pub(super) whole: Place,
    /// The place of the statement that is nothing but the call, with its semicolon.
    pub(super) statement: Option<Place>,
    pub(super) leaving: Leaving,
}

/// The function that a `?` in the body leaves once the body stands in place of the call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaving {
    Nothing,
    /// The caller, as another `?` follows the call and is replaced with it.
    Caller,
    /// The called function itself, by one `?`: what follows that becomes a closure that `map` calls.
    Itself,
}

impl Suffixes {
    pub(super) fn of(program: &Program) -> Self {
        let mut suffixes = Self::default();
        visit::each_also_in_macros(program, |at, node| match node {
            Node::Expr(whole @ Expr::Try(one)) => {
                suffixes.tried.insert(at.place(&*one.expr), at.place(whole));
            }
            Node::Expr(whole @ Expr::Await(one)) => {
                suffixes
                    .awaited
                    .insert(at.place(&*one.base), at.place(whole));
            }
            Node::Stmt(statement @ Stmt::Expr(one, Some(_))) => {
                suffixes
                    .statements
                    .insert(at.place(one), at.place(statement));
            }
            _ => {}
        });
        suffixes
    }

    /// Returns the place where the body of a function stands for a call of it; `None` where it would mean something else
    /// there.
    pub(super) fn site<'c, 'p>(
        &self,
        program: &'p Program,
        function: &Function<'p>,
        call: &'c Call<'p>,
    ) -> Option<Site<'c, 'p>> {
        let leaving = function.leaving(program);
        let is_async = function
            .signature
            .is_some_and(|one| one.asyncness.is_some());
        let mut whole = call.whole.clone();
        if is_async {
            whole = self.awaited.get(&whole)?.clone();
        }
        let is_question_mark = |one: &Expr| matches!(one, Expr::Try(_));
        if !leaving.iter().all(|(one, _)| is_question_mark(one)) {
            return None;
        }
        let leaving = match (leaving.len(), self.tried.get(&whole)) {
            (0, _) => Leaving::Nothing,
            (_, Some(tried)) => {
                whole = tried.clone();
                Leaving::Caller
            }
            (1, None) => Leaving::Itself,
            (_, None) => return None,
        };
        let is_call = whole == call.whole;
        let statement = match is_call {
            true => call.statement.clone(),
            false => self.statements.get(&whole).cloned(),
        };
        Some(Site {
            call,
            whole,
            statement,
            leaving,
        })
    }
}
