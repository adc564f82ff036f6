//! Replaces an expression that takes a value out of a variable by the value that was put into it, as compilers
//! forward a store to a load. A map, a builder or a cell that is only on the way can go then.
//!
//! Whether it is the same value, and of the same type, is not looked at.

use super::super::expressions::{binding, blocks, first_name};
use crate::pass::{Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use reduce_syntax::MacroArguments;
use std::collections::{HashMap, HashSet};
use syn::{Block, Expr, Local, Macro, Stmt};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most values that are put into a variable or taken out of it; with more, the variable is left alone.
const MOST_PAIRS: usize = 24;

fn changes(program: &Program) -> Vec<EditSet> {
    let uses = Uses::of(program);
    let mut found = Vec::new();
    for (file, block) in blocks(program) {
        let forwarding = Forwarding {
            program,
            file,
            block,
            uses: &uses,
        };
        for statement in &block.stmts {
            if let Stmt::Local(local) = statement {
                found.extend(forwarding.of_variable(local));
            }
        }
    }
    simplest_first(program, found)
}

/// The expressions by which a program puts values into variables and takes them out, by the positions of the
/// variables' mentions.
#[derive(Default)]
struct Uses {
    /// The expressions that begin with the mention, such as `x.get(1)` and `x.get(1).unwrap()`, the outer ones first.
    taken: HashMap<Position, Vec<Place>>,
    /// The values that are put in, such as `a` in `x.insert(1, a)` and `x[0] = a`.
    put: HashMap<Position, Vec<Place>>,
}

impl Uses {
    fn of(program: &Program) -> Self {
        let mut uses = Self::default();
        let mut dropped: HashSet<*const Expr> = HashSet::new();
        visit::each_also_in_macros(program, |at, node| match node {
            Node::Stmt(Stmt::Expr(expression, Some(_))) => {
                dropped.insert(expression);
            }
            Node::Expr(expression) => {
                let Some(first) = first_name(expression) else {
                    return;
                };
                let mention = at.position(first);
                for value in values_put(expression) {
                    uses.put.entry(mention).or_default().push(at.place(value));
                }
                let is_dropped = dropped.contains(&std::ptr::from_ref(expression));
                if !is_dropped && is_part(expression) {
                    uses.taken
                        .entry(mention)
                        .or_default()
                        .push(at.place(expression));
                }
            }
            _ => {}
        });
        uses
    }
}

/// Whether an expression is more than the name that it begins with, such as `x.f`, `x[0]` or `x.get(1)`.
fn is_part(expression: &Expr) -> bool {
    match expression {
        Expr::MethodCall(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Try(one) => is_part(&one.expr),
        Expr::Await(one) => is_part(&one.base),
        Expr::Paren(one) => is_part(&one.expr),
        Expr::Reference(one) => is_part(&one.expr),
        Expr::Unary(one) => is_part(&one.expr),
        _ => false,
    }
}

/// Returns the values that an expression puts in: the arguments of a method, or what is assigned.
fn values_put(expression: &Expr) -> Vec<&Expr> {
    match expression {
        Expr::MethodCall(one) => one.args.iter().collect(),
        Expr::Assign(one) => vec![&*one.right],
        _ => Vec::new(),
    }
}

struct Forwarding<'p, 'u> {
    program: &'p Program,
    file: SyntaxFile<'p>,
    block: &'p Block,
    uses: &'u Uses,
}

impl<'p> Forwarding<'p, '_> {
    fn of_variable(&self, local: &'p Local) -> Vec<EditSet> {
        let Some((name, _)) = binding(&local.pat) else {
            return Vec::new();
        };
        let mentions = self.program.mentions().of(self.file.position(&name.ident));
        let all = |uses: &HashMap<Position, Vec<Place>>| -> Vec<(Position, Place)> {
            let known = mentions.iter().filter_map(|at| Some((*at, uses.get(at)?)));
            let each =
                known.flat_map(|(at, places)| places.iter().map(move |one| (at, one.clone())));
            each.collect()
        };
        let (taken, mut put) = (all(&self.uses.taken), all(&self.uses.put));
        let start = self.file.position(&name.ident);
        put.extend(self.made_of(local).into_iter().map(|place| (start, place)));
        if taken.len() * put.len() > MOST_PAIRS {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (mention, taken) in &taken {
            let earlier = put.iter().filter(|(at, value)| {
                (at.file, at.at) < (mention.file, mention.at) && !value.is_within(taken)
            });
            for (_, value) in earlier {
                found.extend(self.forward(taken, value, &[]));
                found.extend(self.forward_alone(local, mentions, *mention, (taken, value)));
            }
        }
        found
    }

    /// Returns the values that a variable is made of: the arguments of a call, or the elements of a list.
    fn made_of(&self, local: &'p Local) -> Vec<Place> {
        let Some(init) = &local.init else {
            return Vec::new();
        };
        match &*init.expr {
            Expr::Call(one) => one.args.iter().map(|one| self.file.place(one)).collect(),
            Expr::MethodCall(one) => one.args.iter().map(|one| self.file.place(one)).collect(),
            Expr::Array(one) => one.elems.iter().map(|one| self.file.place(one)).collect(),
            Expr::Macro(one) => self.arguments(&one.mac),
            _ => Vec::new(),
        }
    }

    fn arguments(&self, call: &Macro) -> Vec<Place> {
        match self.program.arguments(self.file, call) {
            Some(MacroArguments::Expressions(all)) => {
                all.iter().map(|one| self.file.place(one)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Replaces the read of a place by the text of a value, and removes the statements `without`.
    fn forward(&self, taken: &Place, value: &Place, without: &[Place]) -> Option<EditSet> {
        let mut change = self.program.change();
        for statement in without {
            change.remove(statement);
        }
        change
            .replace_read(taken, self.program.text(value))?
            .finish()
    }

    /// Replaces an expression that takes a value out of a variable by that value, and removes the variable, if the
    /// other statements that mention it are in the same block.
    fn forward_alone(
        &self,
        local: &Local,
        mentions: &[Position],
        kept: Position,
        (taken, value): (&Place, &Place),
    ) -> Option<EditSet> {
        let statements = self.block.stmts.iter().map(|one| self.file.place(one));
        let statements: Vec<Place> = statements.collect();
        let statement_of = |at: &Position| statements.iter().find(|place| at.is_in(place));
        let last = statement_of(&kept)?;
        let mut without = vec![statement_of(&self.file.place(local).start())?.clone()];
        for mention in mentions.iter().filter(|at| !at.is_in(taken)) {
            let statement = statement_of(mention).filter(|one| *one != last)?;
            if !without.contains(statement) {
                without.push(statement.clone());
            }
        }
        self.forward(taken, value, &without)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn what_was_put_in_stands_where_it_is_taken_out() {
        check(
            &WORK,
            "fn f() { let mut x = g(); x.insert(1, ab.c); h(x[&1].d()); }",
            &[
                "fn f() { let mut x = g(); x.insert(1, ab.c); h(1.d()); }",
                "fn f() { let mut x = g(); x.insert(1, ab.c); h(1); }",
                "fn f() { let mut x = g(); x.insert(1, ab.c); h(ab.c.d()); }",
                "fn f() { let mut x = g(); x.insert(1, ab.c); h(ab.c); }",
                "fn f() { h(1.d()); }",
                "fn f() { h(1); }",
                "fn f() { h(ab.c.d()); }",
                "fn f() { h(ab.c); }",
            ],
        );
    }

    #[test]
    fn what_a_variable_is_made_of_is_put_in_too() {
        check_has(
            &WORK,
            "fn f() { let x = vec![a]; h(x[0]); }",
            "fn f() { h(a); }",
        );
        check_has(
            &WORK,
            "fn f() { let x = C::new(a); assert!(x.get().is_b()); }",
            "fn f() { assert!(a.is_b()); }",
        );
        check_has(
            &WORK,
            "fn f() { let mut x = [0; 9]; x[1] = a; h(x[1]); }",
            "fn f() { h(a); }",
        );
    }

    #[test]
    fn a_variable_stays_where_the_same_statement_mentions_it_again() {
        check(
            &WORK,
            "fn f() { let x = g(a); if b { c(&x); } h(x.d()); }",
            &[
                "fn f() { let x = g(a); if b { c(&x); } h(a); }",
                "fn f() { h(a); }",
            ],
        );
        check(
            &WORK,
            "fn f() { let x = g(a); h(x.d(), x); }",
            &["fn f() { let x = g(a); h(a, x); }"],
        );
    }

    #[test]
    fn what_comes_later_or_is_dropped_is_left_alone() {
        check_not_applicable(&WORK, "fn f() { let x = g(); h(x.a()); x.b(c); }");
        check_not_applicable(&WORK, "fn f() { let x = g(a); x.b(); }");
        check_not_applicable(&WORK, "fn f() { let x = g(a); h(x); }");
    }

    #[test]
    fn what_went_into_a_map_stands_for_what_is_taken_out() {
        check_has(
            &WORK,
            "fn f() { let mut x = g(); x.insert(1, a); h(x.get(1)); }",
            "fn f() { h(a); }",
        );
    }
}
