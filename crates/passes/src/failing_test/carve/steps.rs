//! Iterator chains: what they begin with, and the methods that make them longer.

use super::values::{Slot, Value};
use std::collections::{HashMap, VecDeque};
use syn::{Expr, ExprPath};

/// An iterator chain in a variable that is named once: it calls nothing until then.
#[derive(Clone)]
pub(super) struct Waiting<'p> {
    pub(super) chain: Chain<'p>,
    pub(super) written: &'p Expr,
    /// The variables that are visible where the chain is written.
    pub(super) scopes: Vec<HashMap<String, Slot>>,
}

/// An iterator chain that is walked through.
#[derive(Clone)]
pub(super) struct Chain<'p> {
    /// The elements that the chain begins with; nothing where they are clean and only what closures bind tells of them.
    pub(super) base: Option<VecDeque<Value>>,
    pub(super) steps: Vec<Step<'p>>,
    /// The expression in which the functions of the chain are called.
    pub(super) whole: &'p Expr,
    /// The closure that is called first for each element.
    pub(super) first: Option<usize>,
}

impl Chain<'_> {
    /// Whether a chain has functions to call, with elements that are known or of which its closures tell.
    pub(super) fn calls(&self) -> bool {
        let first = self.steps.iter().find_map(|step| match step {
            Step::Calls(_, function) | Step::Flat(Some(function), _) => Some(function),
            _ => None,
        });
        let is_told = self.base.is_some() || matches!(first, Some(Function::Closure(_)));
        is_told && !self.steps.is_empty()
    }
}

/// A method that makes a chain longer.
#[derive(Clone)]
pub(super) enum Step<'p> {
    Calls(&'static str, Function<'p>),
    /// Gives what is in the elements; the ones of the last that are left.
    Flat(Option<Function<'p>>, VecDeque<Value>),
    /// Numbers the elements; the next number.
    Enumerate(usize),
    Take(usize),
    Skip(usize),
    Copied,
}

/// A function that a chain calls with its elements.
#[derive(Clone, Copy)]
pub(super) enum Function<'p> {
    Closure(usize),
    Path(&'p ExprPath),
    /// The function that a variable has.
    Variable(Slot),
}

/// An element of a chain.
#[derive(Clone)]
pub(super) enum Element {
    One(Value),
    /// A clean value, of which only what closures bind tells.
    Untold,
    /// All that is in a value whose elements are not known.
    Many(Value),
}
