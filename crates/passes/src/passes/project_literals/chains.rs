//! Finds chains of fields and indexes, such as `x.2.0` or `x[1].a`: the value that each begins with, and the
//! part of a literal that it leads to.

use crate::passes::expressions::literals::integer;
use crate::passes::expressions::member_name;
use crate::program::{Place, Program};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use std::collections::{HashMap, HashSet};
use syn::Expr;

/// A step from a value to a part of it: a field or an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Member(String),
    Element(usize),
}

/// An expression that reads a part of a value by fields and indexes, such as `x.2.0`.
pub(super) struct Chain<'p> {
    pub(super) at: At<'p>,
    /// The expression before the first step, without parentheses: `x` of `x.2.0`.
    pub(super) base: &'p Expr,
    pub(super) steps: Vec<Step>,
    /// For each step, the place of the expression that ends with it: of `x.2` and of `x.2.0`.
    places: Vec<Place>,
}

/// All chains of a program, those in the arguments of macros included. Of a chain its longest form counts.
#[derive(Default)]
pub(super) struct Chains<'p> {
    /// The chains that begin with a path, by the position of the path's last name.
    pub(super) of_names: HashMap<Position, Chain<'p>>,
    /// The chains that begin with a literal.
    pub(super) of_literals: Vec<Chain<'p>>,
}

impl<'p> Chains<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut found = Self::default();
        // A chain is visited before the shorter chains in it.
        let mut inner: HashSet<*const Expr> = HashSet::new();
        visit::each_also_in_macros(program, |at, node| {
            if let Node::Expr(expression) = node
                && !inner.contains(&std::ptr::from_ref(expression))
                && let Some(chain) = Chain::of(at, expression, |shorter| {
                    inner.extend([std::ptr::from_ref(shorter)])
                })
            {
                found.add(chain);
            }
        });
        found
    }

    fn add(&mut self, chain: Chain<'p>) {
        match chain.base {
            Expr::Path(path) if path.qself.is_none() => {
                if let Some(last) = path.path.segments.last() {
                    let name = chain.at.position(&last.ident);
                    self.of_names.insert(name, chain);
                }
            }
            base if is_aggregate(base) => self.of_literals.push(chain),
            _ => {}
        }
    }
}

impl<'p> Chain<'p> {
    /// Returns the chain of fields and indexes that ends with an expression. `inner` is told of the shorter ones.
    fn of(at: At<'p>, whole: &'p Expr, mut inner: impl FnMut(&'p Expr)) -> Option<Self> {
        let (mut base, mut steps, mut places) = (whole, Vec::new(), Vec::new());
        loop {
            if let Expr::Paren(parenthesized) = base {
                base = &parenthesized.expr;
            } else if let Some((before, step)) = last_step(base) {
                places.push(at.place(base));
                steps.push(step);
                inner(base);
                base = before;
            } else {
                break;
            }
        }
        steps.reverse();
        places.reverse();
        (!steps.is_empty()).then_some(Self {
            at,
            base,
            steps,
            places,
        })
    }

    /// Returns the place of the expression with this number of the chain's steps: of `x.2` for one step of `x.2.0`.
    pub(super) fn place(&self, n_steps: usize) -> Option<&Place> {
        self.places.get(n_steps.checked_sub(1)?)
    }
}

fn last_step(expression: &Expr) -> Option<(&Expr, Step)> {
    match expression {
        Expr::Field(read) => Some((&read.base, Step::Member(member_name(&read.member)))),
        Expr::Index(read) => {
            let index = integer(&read.index)?.base10_parse().ok()?;
            Some((&read.expr, Step::Element(index)))
        }
        _ => None,
    }
}

/// Whether an expression is the literal of a tuple, an array or a struct, maybe a borrowed one.
pub(super) fn is_aggregate(value: &Expr) -> bool {
    let is_literal = |value: &Expr| match value {
        Expr::Struct(literal) => literal.rest.is_none() && literal.qself.is_none(),
        other => matches!(other, Expr::Tuple(_) | Expr::Array(_)),
    };
    is_literal(bare(value))
}

/// Returns a value without the parentheses and `&` around it, which fields and indexes look through.
pub(super) fn bare(value: &Expr) -> &Expr {
    match value {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        Expr::Reference(borrow) if borrow.mutability.is_none() => bare(&borrow.expr),
        other => other,
    }
}

/// Returns the parts of a literal, each with the step that leads to it.
pub(super) fn parts(value: &Expr) -> Vec<(Step, &Expr)> {
    match bare(value) {
        Expr::Tuple(tuple) => {
            let numbered = tuple.elems.iter().enumerate();
            let part = |(idx, part): (usize, _)| (Step::Member(idx.to_string()), part);
            numbered.map(part).collect()
        }
        Expr::Array(array) => {
            let numbered = array.elems.iter().enumerate();
            numbered
                .map(|(idx, part)| (Step::Element(idx), part))
                .collect()
        }
        Expr::Struct(literal) if is_aggregate(value) => {
            let fields = literal.fields.iter();
            let part = |field: &'_ syn::FieldValue| Step::Member(member_name(&field.member));
            fields.map(|field| (part(field), &field.expr)).collect()
        }
        _ => Vec::new(),
    }
}
