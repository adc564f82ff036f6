//! Puts the rounds that a loop has made one after the other in its place, each with the values that its expressions had
//! then, and of its branches only those that were taken.

use super::branches::{Arm, Branching, BranchingKind};
use super::cuts::cut;
use super::record::Values;
use super::sites::{RunLoop, Sites};
use crate::passes::elements_gone_through;
use crate::program::{Change, Place, Program};
use reduce_syntax::{Edit, EditSet, tokens};
use std::collections::HashMap;
use syn::{Expr, ExprIf, PatIdent, Stmt};

/// A loop, and what may stand in its place for each of its rounds.
#[derive(Debug, Clone)]
pub struct Unrolling {
    whole: Place,
    rounds: Vec<String>,
}

impl Unrolling {
    /// The number of rounds that do something.
    #[must_use]
    pub fn n_rounds(&self) -> usize {
        self.rounds.len()
    }

    /// The change that puts some of the rounds in place of the loop, by their numbers.
    #[must_use]
    pub fn with(&self, kept: &[usize]) -> EditSet {
        let kept: Vec<&str> = kept.iter().map(|idx| self.rounds[*idx].as_str()).collect();
        let mut edits = EditSet::new();
        let Place { file, range } = &self.whole;
        edits.add(Edit::replace(*file, range, &kept.join("\n")));
        edits
    }
}

/// A loop with what is known of its program.
pub(super) struct Unroller<'p, 's> {
    pub(super) program: &'p Program,
    pub(super) sites: &'s Sites<'p>,
    pub(super) one: &'s RunLoop<'p>,
}

impl<'p> Unroller<'p, '_> {
    /// The rounds that do something. One in which a name is bound that then has no literal is left out, as those are that
    /// were not made under each mutant: such a round seldom matters.
    pub(super) fn unrolled(&self, rounds: &[Values]) -> Unrolling {
        let numbered = rounds.iter().enumerate();
        let rounds = numbered.filter_map(|(number, values)| self.round(number, values));
        Unrolling {
            whole: self.one.looping.whole(),
            rounds: rounds.collect(),
        }
    }

    fn round(&self, number: usize, values: &Values) -> Option<String> {
        let looping = &self.one.looping;
        let text = Body::of(self, values).text()?;
        if text.trim().is_empty() {
            return None;
        }
        let named = looping.bound_names().into_iter().zip(&self.one.bound);
        let named = named.filter(|(name, _)| names(&text, name));
        let bindings: Option<Vec<String>> = named
            .map(|(name, idx)| binding(name, values.get(idx)?.as_ref()?))
            .collect();
        match (bindings, looping.condition()) {
            (Some(bindings), _) if bindings.is_empty() && !self.declares() => {
                Some(format!("{text}{}", self.end()))
            }
            (Some(bindings), _) => Some(format!("{{ {} {text} }}", bindings.join(" "))),
            (None, Some(condition)) => {
                let condition = looping.file.text(condition);
                Some(format!("if {condition} {{ {text} }}"))
            }
            (None, None) => {
                let binding = self.element(number)?;
                Some(format!("{{ {binding} {text} }}"))
            }
        }
    }

    /// Binds what the loop is given in a round, where that is written.
    fn element(&self, number: usize) -> Option<String> {
        let looping = &self.one.looping;
        let (pattern, all) = looping.going_through()?;
        let elements = elements_gone_through(self.program, looping.file, all)?;
        let pattern = looping.file.text(pattern);
        Some(format!("let {pattern} = {};", elements.get(number)?))
    }

    /// Whether the loop's body declares names that one round must not see of another.
    fn declares(&self) -> bool {
        let mut statements = self.one.looping.body.stmts.iter();
        !statements.all(|one| matches!(one, Stmt::Expr(..)))
    }

    /// The text that ends the last statement of the loop's body.
    fn end(&self) -> &'static str {
        match self.one.looping.body.stmts.last() {
            Some(Stmt::Expr(last, None)) if !crate::precedence::is_like_a_block(last) => ";",
            _ => "",
        }
    }
}

/// The body of a loop in a round.
struct Body<'p, 'u> {
    unroller: &'u Unroller<'p, 'u>,
    values: &'u Values,
    /// The literals of expressions.
    known: HashMap<&'u Place, &'u str>,
    change: Change<'p>,
}

impl<'p, 'u> Body<'p, 'u> {
    fn of(unroller: &'u Unroller<'p, 'u>, values: &'u Values) -> Self {
        let contents = unroller.one.looping.contents();
        let known = values.iter().filter_map(|(idx, value)| {
            let site = unroller.sites.all.get(*idx)?;
            let is_meant = site.kind.is_expression() && site.place.is_within(&contents);
            Some((&site.place, value.as_deref().filter(|_| is_meant)?))
        });
        Self {
            unroller,
            values,
            known: known.collect(),
            change: unroller.program.change(),
        }
    }

    /// The text of the body with literals, without branches that are not taken, and without what follows a jump.
    fn text(mut self) -> Option<String> {
        for (place, literal) in &self.known {
            self.change.replace_expr(place, literal);
        }
        let is_made = |place: &Place| taken(self.unroller, self.values, place);
        cut(&mut self.change, &self.unroller.one.looping, is_made)?;
        for branching in self.unroller.one.branchings.iter().rev() {
            let taken = match branching.kind {
                BranchingKind::If(one) => self.branch(one),
                _ => self.arm(branching),
            };
            if let Some(text) = taken.filter(|_| !self.known.contains_key(&branching.whole)) {
                self.change.replace(&branching.whole, &text);
            }
        }
        Some(self.change.text(&self.unroller.one.looping.contents()))
    }

    /// The part of an `if` that is left where its condition has a value.
    fn branch(&self, one: &ExprIf) -> Option<String> {
        let file = self.unroller.one.looping.file;
        match *self.known.get(&file.place(&*one.cond))? {
            "true" => Some(self.change.text(&file.place(&one.then_branch))),
            "false" => self.otherwise(one),
            _ => None,
        }
    }

    fn otherwise(&self, one: &ExprIf) -> Option<String> {
        let file = self.unroller.one.looping.file;
        match one.else_branch.as_ref().map(|(_, other)| &**other) {
            None => Some(String::new()),
            Some(Expr::If(inner)) if !matches!(*inner.cond, Expr::Let(_)) => self.branch(inner),
            Some(other) => Some(self.change.text(&file.place(other))),
        }
    }

    /// The only arm that was taken: without what it looks at, if it needs nothing of that.
    fn arm(&self, branching: &Branching<'p>) -> Option<String> {
        let file = self.unroller.one.looping.file;
        let value = branching.kind.value()?;
        let arms = branching.kind.arms(file);
        let mut seen = arms
            .iter()
            .filter_map(|arm| Some((arm, taken(self.unroller, self.values, &arm.body)?)));
        let end = if branching.has_semicolon { ";" } else { "" };
        let value = self.change.text(&file.place(value));
        match (seen.next(), seen.next(), branching.kind) {
            (Some((arm, true)), None, _) => Some(format!("{}{end}", self.done(arm, &value))),
            (None, None, BranchingKind::IfLet(one, _)) => {
                let otherwise = self.otherwise(one)?;
                Some(format!("{}{otherwise}{end}", evaluated(&value)))
            }
            _ => None,
        }
    }

    fn done(&self, arm: &Arm<'_>, value: &str) -> String {
        let mut body = self.change.text(&arm.body);
        if !arm.is_block {
            body = format!("{{ {body} }}");
        }
        let pattern = self.unroller.one.looping.file.text(arm.pattern);
        match arm.names().iter().any(|name| names(&body, name)) {
            true => format!("if let {pattern} = {value} {body}"),
            false => format!("{}{body}", evaluated(value)),
        }
    }
}

/// Whether a branch was taken in a round, by what is done there; `Some(false)` if not always.
fn taken(unroller: &Unroller<'_, '_>, values: &Values, done: &Place) -> Option<bool> {
    let idx = unroller.sites.branches.get(done)?;
    values.get(idx).map(Option::is_some)
}

/// A value that nobody looks at: what only names something does nothing.
fn evaluated(value: &str) -> String {
    match value.contains('(') {
        true => format!("{value}; "),
        false => String::new(),
    }
}

/// Whether a name stands in a text, perhaps in one that is printed.
fn names(text: &str, name: &PatIdent) -> bool {
    let name = name.ident.to_string();
    let mut all = tokens(text).into_iter().map(|token| &text[token.range()]);
    all.any(|token| token == name || (token.contains('"') && token.contains(&name)))
}

/// The `let` that binds a name to a literal; `None` where what is bound is no variable of its own.
fn binding(name: &PatIdent, literal: &str) -> Option<String> {
    let mutability = name.mutability.map_or("", |_| "mut ");
    let is_plain = name.by_ref.is_none();
    is_plain.then(|| format!("let {mutability}{} = {literal};", name.ident))
}

#[cfg(test)]
mod tests;
