//! Finds the statements that are nothing but a path or a call of one, and the functions in which they stand.

use super::super::free_functions::{Mention, Paths};
use super::super::functions::{FunctionItem, insert_predicates};
use crate::program::{Change, Place, Program};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use std::collections::{BTreeMap, HashMap};
use syn::{Expr, ExprPath, Stmt};

/// The functions of a program, and the statements that are a path or a call of one.
pub(super) struct Callers<'p> {
    pub(super) program: &'p Program,
    pub(super) paths: Paths<'p>,
    functions: Vec<FunctionItem<'p>>,
    /// The statements that are a path or a call of one, by the positions of the last names of their paths.
    statements: HashMap<Position, Place>,
}

impl<'p> Callers<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut callers = Self {
            program,
            paths: Paths::of(program),
            functions: Vec::new(),
            statements: HashMap::new(),
        };
        visit::each(program, |at, node| {
            if let Node::Stmt(statement) = node {
                callers.add(at, statement);
            }
            callers.functions.extend(FunctionItem::of(at, node));
        });
        callers
    }

    fn add(&mut self, at: At<'p>, statement: &'p Stmt) {
        let expression = match statement {
            Stmt::Expr(one, _) => Some(one),
            Stmt::Local(local) => local.init.as_ref().map(|init| &*init.expr),
            _ => None,
        };
        let last = expression
            .and_then(mentioned)
            .map(|path| &path.path.segments);
        if let Some(last) = last.and_then(|segments| segments.last()) {
            let place = at.place(statement);
            self.statements.insert(at.position(&last.ident), place);
        }
    }

    /// Removes the statements with these names, and puts what `predicates` makes of each mention into the
    /// where clauses of the functions in which they stand.
    pub(super) fn replace(
        &self,
        change: &mut Change<'_>,
        names: &[Position],
        predicates: impl Fn(Mention<'p>) -> Option<Vec<String>>,
    ) -> Option<()> {
        let mut added: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for name in names {
            let caller = added.entry(self.caller(*name)?).or_default();
            for one in predicates(self.paths.get(*name)?)? {
                if !caller.contains(&one) {
                    caller.push(one);
                }
            }
            change.remove(self.statements.get(name)?);
        }
        for (caller, predicates) in added {
            let FunctionItem { at, signature, .. } = &self.functions[caller];
            insert_predicates(change, at.file, signature, &predicates.join(", "));
        }
        Some(())
    }

    /// Returns the innermost function around a place.
    fn caller(&self, position: Position) -> Option<usize> {
        let functions = self.functions.iter().enumerate();
        let around = functions.filter(|(_, one)| position.is_in(&one.whole));
        let innermost = around.min_by_key(|(_, one)| one.whole.range.len());
        innermost.map(|(idx, _)| idx)
    }
}

/// Returns the path that an expression is, or that it calls.
fn mentioned(expression: &Expr) -> Option<&ExprPath> {
    match expression {
        Expr::Path(path) => Some(path),
        Expr::Call(call) => mentioned(&call.func),
        _ => None,
    }
}
