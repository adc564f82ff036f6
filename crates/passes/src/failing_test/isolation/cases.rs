//! Finds tables of cases: lists whose elements a loop around the failing assertion takes one after the other, with rounds that do
//! not depend on each other.

use super::leading::{Leading, LeadingLoop, functions};
use super::variables::Variables;
use super::{Isolating, Isolation};
use crate::passes::{binding, imported_names};
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::{Expr, Item, Stmt, Type};

/// The methods, such as `iter`, that go through all elements of a list and do nothing else.
const ALL_ELEMENTS: [&str; 4] = ["iter", "into_iter", "copied", "cloned"];
/// The most times that a list may be passed from function to function.
const MOST_PASSED: usize = 3;

/// The most imports through which a name is followed to a list.
const MOST_IMPORTS: usize = 4;

/// Finds the tables of cases that the loops around the failing assertion go through.
pub(super) fn tables<'p>(
    program: &'p Program,
    leading: &Leading<'p>,
    variables: &Variables,
) -> Vec<Isolation<'p>> {
    let independent = leading
        .loops
        .iter()
        .filter(|one| has_independent_rounds(one, variables));
    let tables = Tables::new(program);
    let found = independent.filter_map(|one| tables.of(one.file, &one.looping.expr, MOST_PASSED));
    let isolations = found.map(|table| table.isolation(program));
    isolations.filter(|one| one.len() > 1).collect()
}

/// Returns the change that writes lists in place of their names in loops, where these names are used elsewhere too. Then each
/// loop goes over elements of its own.
pub(super) fn written_lists(
    program: &Program,
    leading: &Leading<'_>,
    variables: &Variables,
) -> Option<EditSet> {
    let tables = Tables::new(program);
    let mut change = program.change();
    for one in &leading.loops {
        if has_independent_rounds(one, variables)
            && let Some((name, list)) = tables.shared_list(one.file, &one.looping.expr)
        {
            change.replace(&name, list);
        }
    }
    change.finish()
}

/// Returns, for each loop over a table whose rounds may change a variable, the change that puts a borrow of the variable (`let x
/// = &x;`) into the loop, with which it compiles only if its rounds do not change the variable.
pub(super) fn borrowing_loops<'p>(
    program: &'p Program,
    leading: &Leading<'p>,
    variables: &Variables,
) -> Vec<Isolation<'p>> {
    let tables = Tables::new(program);
    let dependent = leading.loops.iter().filter(|one| {
        let table = tables.of(one.file, &one.looping.expr, MOST_PASSED);
        table.is_some_and(|table| table.elements.len() > 1)
    });
    let found = dependent.filter_map(|one| {
        let mentions = changed_in(one, variables).into_values();
        let model = program.model();
        let names = mentions.map(|mention| model.word_at(mention).map(|word| model.text(word)));
        let names: BTreeSet<&str> = names.collect::<Option<_>>()?;
        if names.is_empty() || names.contains("self") {
            return None;
        }
        let borrows = names.iter().map(|name| format!("let {name} = &{name}; "));
        let borrows: String = borrows.collect();
        let body = one.file.text(&one.looping.body);
        let inner = body.strip_prefix('{')?;
        let place = one.file.place(&one.looping.body);
        let part = Isolating::Replace(place, format!("{{ {borrows}{inner}"));
        Some(Isolation::new(program, vec![part]))
    });
    found.collect()
}

/// Returns the change that removes the borrows that [`borrowing_loops`] has added.
pub(super) fn without_borrows(program: &Program, leading: &Leading<'_>) -> Option<EditSet> {
    let mut change = program.change();
    for one in &leading.loops {
        for place in borrows(one) {
            change.remove(&place);
        }
    }
    change.finish()
}

/// Whether no round of a loop changes what another one sees, as far as the source tells.
fn has_independent_rounds(one: &LeadingLoop<'_>, variables: &Variables) -> bool {
    changed_in(one, variables).is_empty()
}

/// Finds the variables from outside of a loop that the loop may change, each with one place where it is mentioned. A variable
/// that is only borrowed, and to which its own name means the borrow, is none.
fn changed_in(one: &LeadingLoop<'_>, variables: &Variables) -> BTreeMap<Position, Position> {
    let place = one.file.place(one.looping);
    let borrows = borrows(one);
    let outer = variables.mentions_of_outside(&place);
    let changed = outer.filter(|(mention, defined)| {
        let is_borrowed = borrows.iter().any(|borrow| mention.is_in(borrow));
        variables.is_changeable(*defined) && !is_borrowed
    });
    changed
        .map(|(mention, defined)| (defined, mention))
        .collect()
}

/// Finds the statements `let x = &x;` in the body of a loop.
fn borrows(one: &LeadingLoop<'_>) -> Vec<Place> {
    let statements = one.looping.body.stmts.iter();
    let borrows = statements.filter(|statement| is_borrow_of_its_name(statement));
    borrows.map(|statement| one.file.place(statement)).collect()
}

fn is_borrow_of_its_name(statement: &Stmt) -> bool {
    let Stmt::Local(local) = statement else {
        return false;
    };
    let (Some((name, None)), Some(init)) = (binding(&local.pat), &local.init) else {
        return false;
    };
    let Expr::Reference(borrow) = &*init.expr else {
        return false;
    };
    let is_shared = borrow.mutability.is_none() && name.mutability.is_none();
    let of = &*borrow.expr;
    is_shared && matches!(of, Expr::Path(path) if path.path.is_ident(&name.ident))
}

/// A table of cases: elements of lists, each of which is a case.
#[derive(Default)]
struct Table {
    elements: Vec<Place>,
    /// The places of numbers that count elements (`3` in `[u8; 3]`), each with the elements that it counts.
    written_lens: Vec<(Place, Range<usize>)>,
}

impl Table {
    /// Joins this table and another one.
    fn and(mut self, other: Self) -> Self {
        let n_before = self.elements.len();
        self.elements.extend(other.elements);
        let lens = other.written_lens.into_iter();
        let lens = lens.map(|(place, all)| (place, all.start + n_before..all.end + n_before));
        self.written_lens.extend(lens);
        self
    }

    fn isolation(self, program: &Program) -> Isolation<'_> {
        let elements = self.elements.into_iter();
        let removals = elements.map(|place| Isolating::Remove(vec![place]));
        Isolation {
            written_lens: self.written_lens,
            ..Isolation::new(program, removals.collect())
        }
    }
}

/// Finds the tables that expressions go over.
struct Tables<'p> {
    program: &'p Program,
    /// The positions of names in imports that bring something into scope.
    imported: Vec<Position>,
}

impl<'p> Tables<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            imported: imported_names(program),
        }
    }

    /// Returns the elements that a loop over this expression goes through.
    fn of(&self, file: SyntaxFile<'p>, expr: &'p Expr, n_passed: usize) -> Option<Table> {
        match expr {
            Expr::Reference(inner) => self.of(file, &inner.expr, n_passed),
            Expr::Paren(inner) => self.of(file, &inner.expr, n_passed),
            Expr::MethodCall(call) if call.method == "chain" => {
                let both = std::iter::once(&*call.receiver).chain(call.args.first());
                joined(both.filter_map(|one| self.of(file, one, n_passed)))
            }
            Expr::MethodCall(call) if call.args.is_empty() => {
                let takes_all = ALL_ELEMENTS.iter().any(|name| call.method == name);
                takes_all.then(|| self.of(file, &call.receiver, n_passed))?
            }
            Expr::Array(_) | Expr::Macro(_) => {
                let elements = self.program.listed(file, expr)?.into_iter();
                Some(Table {
                    elements: elements.map(|one| file.place(one)).collect(),
                    ..Table::default()
                })
            }
            Expr::Path(path) => {
                let name = file.position(&path.path.segments.last()?.ident);
                let defined = self.definition(name)?;
                let is_only = self.n_mentions(defined) == 1;
                let table = || {
                    self.named(defined, n_passed)
                        .or_else(|| self.passed(defined, n_passed))
                };
                is_only.then(table)?
            }
            _ => None,
        }
    }

    /// Returns the definition of a name, also if the name is imported.
    fn definition(&self, name: Position) -> Option<Position> {
        let mentions = self.program.mentions();
        let next = |at: &Position| mentions.definition(*at).filter(|next| next != at);
        let defined = std::iter::successors(next(&name), next);
        defined.take(MOST_IMPORTS).last()
    }

    /// Counts the mentions of a definition outside of imports.
    fn n_mentions(&self, defined: Position) -> usize {
        let all = self.program.mentions().of(defined).iter();
        all.filter(|at| !self.imported.contains(at)).count()
    }

    /// Returns the place and the text of a list whose name is mentioned elsewhere too, if it has no effect to evaluate its
    /// elements once more.
    fn shared_list(&self, file: SyntaxFile<'p>, expr: &'p Expr) -> Option<(Place, &'p str)> {
        match expr {
            Expr::Reference(inner) => self.shared_list(file, &inner.expr),
            Expr::Paren(inner) => self.shared_list(file, &inner.expr),
            Expr::MethodCall(call) if ALL_ELEMENTS.iter().any(|name| call.method == name) => {
                self.shared_list(file, &call.receiver)
            }
            Expr::Path(path) => {
                let defined = self.definition(file.position(path.path.get_ident()?))?;
                let (at, _, value) = self.value(defined)?;
                let elements = self.program.listed(at, value)?;
                let is_shared = self.n_mentions(defined) > 1 && at.id == file.id;
                let is_simple = elements.into_iter().all(is_read);
                (is_shared && is_simple).then(|| (file.place(path), at.text(value)))
            }
            _ => None,
        }
    }

    /// Returns the elements of the list that is the value of a variable, constant or static.
    fn named(&self, defined: Position, n_passed: usize) -> Option<Table> {
        let (file, ty, value) = self.value(defined)?;
        let mut table = self.of(file, value, n_passed)?;
        if let Some(len) = ty.and_then(len) {
            let all = 0..table.elements.len();
            table.written_lens.push((file.place(len), all));
        }
        Some(table)
    }

    /// Returns the type and the value of a variable, constant or static, and their file.
    fn value(&self, defined: Position) -> Option<(SyntaxFile<'p>, Option<&'p Type>, &'p Expr)> {
        let mut values = visit::collect(self.program, |at, node| {
            let (name, ty, value) = match node {
                Node::Local(local) => {
                    let (name, ty) = binding(&local.pat)?;
                    (&name.ident, ty, &*local.init.as_ref()?.expr)
                }
                Node::Item(Item::Const(one)) => (&one.ident, Some(&*one.ty), &*one.expr),
                Node::Item(Item::Static(one)) => (&one.ident, Some(&*one.ty), &*one.expr),
                _ => return None,
            };
            let is_meant = at.position(name) == defined && !matches!(value, Expr::Path(_));
            is_meant.then_some((at.file, ty, value))
        });
        values.pop()
    }

    /// Returns the elements of the lists that all calls pass for a parameter.
    fn passed(&self, defined: Position, n_passed: usize) -> Option<Table> {
        let n_passed = n_passed.checked_sub(1)?;
        let (function, idx) = self.parameter(defined)?;
        let calls = self.program.mentions().of(function);
        let arguments = visit::collect(self.program, |at, node| {
            let Node::Expr(Expr::Call(call)) = node else {
                return None;
            };
            let Expr::Path(path) = &*call.func else {
                return None;
            };
            let name = at.position(&path.path.segments.last()?.ident);
            let argument = call.args.get(idx).filter(|_| calls.contains(&name))?;
            Some((at.file, argument))
        });
        let tables = arguments.into_iter();
        joined(tables.filter_map(|(file, argument)| self.of(file, argument, n_passed)))
    }

    /// Returns the function's name and the parameter's index, for a definition that is a parameter.
    fn parameter(&self, defined: Position) -> Option<(Position, usize)> {
        functions(self.program).into_iter().find_map(|function| {
            let idx = function.parameter(defined)?;
            Some((function.name(), idx))
        })
    }
}

/// Whether an element is a literal or a variable, or a reference to one.
fn is_read(element: &Expr) -> bool {
    match element {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Reference(one) => is_read(&one.expr),
        _ => false,
    }
}

/// Joins several tables; `None` if there are none.
fn joined(tables: impl Iterator<Item = Table>) -> Option<Table> {
    tables.reduce(Table::and)
}

/// Returns the `n` of `[T; n]` or `&[T; n]`, if it is a number.
fn len(ty: &Type) -> Option<&Expr> {
    match ty {
        Type::Array(array) => Some(&array.len).filter(|len| matches!(len, Expr::Lit(_))),
        Type::Reference(inner) => len(&inner.elem),
        _ => None,
    }
}
