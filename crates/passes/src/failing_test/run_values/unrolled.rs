//! Unrolls a loop: in its place come the rounds that it has made, each with the values that its expressions had, and only with
//! the branches that were taken.

use super::branches::{Arm, Branching, BranchingKind};
use super::cuts::cut;
use super::record::Values;
use super::sites::{RunLoop, Sites};
use crate::passes::elements_gone_through;
use crate::program::{Change, Place, Program};
use reduce_syntax::{Edit, EditSet, tokens};
use std::collections::HashMap;
use syn::{Expr, ExprIf, PatIdent, Stmt};

/// A loop, and the text for each of its rounds that may take its place.
#[derive(Debug, Clone)]
pub struct Unrolling {
    whole: Place,
    rounds: Vec<String>,
}

impl Unrolling {
    /// Returns the number of rounds that do something.
    #[must_use]
    pub fn n_rounds(&self) -> usize {
        self.rounds.len()
    }

    /// Returns the change that replaces the loop by the rounds with these numbers.
    #[must_use]
    pub fn with(&self, kept: &[usize]) -> EditSet {
        let kept: Vec<&str> = kept.iter().map(|idx| self.rounds[*idx].as_str()).collect();
        let mut edits = EditSet::new();
        let Place { file, range } = &self.whole;
        edits.add(Edit::replace(*file, range, &kept.join("\n")));
        edits
    }
}

/// A loop that is to be unrolled, with its program and all sites.
pub(super) struct Unroller<'p, 's> {
    pub(super) program: &'p Program,
    pub(super) sites: &'s Sites<'p>,
    pub(super) one: &'s RunLoop<'p>,
}

impl<'p> Unroller<'p, '_> {
    /// Returns the loop with the texts of all rounds that do something. A round in which a name is bound that then has no literal
    /// is left out, as those are that were not made under each mutant: such a round seldom matters.
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

    /// Returns the `let` that binds the element of a round (`let x = 3;` for `for x in [3, 5]`), if the elements are written out.
    fn element(&self, number: usize) -> Option<String> {
        let looping = &self.one.looping;
        let (pattern, all) = looping.going_through()?;
        let elements = elements_gone_through(self.program, looping.file, all)?;
        let pattern = looping.file.text(pattern);
        Some(format!("let {pattern} = {};", elements.get(number)?))
    }

    /// Whether the loop's body declares names, so that each round needs a block of its own.
    fn declares(&self) -> bool {
        let mut statements = self.one.looping.body.stmts.iter();
        !statements.all(|one| matches!(one, Stmt::Expr(..)))
    }

    /// Returns the text that ends the last statement of the loop's body.
    fn end(&self) -> &'static str {
        match self.one.looping.body.stmts.last() {
            Some(Stmt::Expr(last, None)) if !crate::precedence::is_like_a_block(last) => ";",
            _ => "",
        }
    }
}

/// The body of a loop, as it is written for one round.
struct Body<'p, 'u> {
    unroller: &'u Unroller<'p, 'u>,
    values: &'u Values,
    /// The values of expressions in this round, as literals.
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

    /// Returns the text of the body in this round: with literals, without branches that are not taken, and without what follows a
    /// jump.
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

    /// Returns the part of an `if` that is left if the value of its condition is known.
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

    /// Returns the code of the only arm that was taken, without the value that it matched if it does not need that.
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

/// Whether the branch with this code was taken in a round; `Some(false)` if only sometimes.
fn taken(unroller: &Unroller<'_, '_>, values: &Values, done: &Place) -> Option<bool> {
    let idx = unroller.sites.branches.get(done)?;
    values.get(idx).map(Option::is_some)
}

/// Returns the statement that evaluates a value which nothing uses; it is empty if the value calls nothing.
fn evaluated(value: &str) -> String {
    match value.contains('(') {
        true => format!("{value}; "),
        false => String::new(),
    }
}

/// Whether a text mentions a name, also in a format string.
fn names(text: &str, name: &PatIdent) -> bool {
    let name = name.ident.to_string();
    let mut all = tokens(text).into_iter().map(|token| &text[token.range()]);
    all.any(|token| token == name || (token.contains('"') && token.contains(&name)))
}

/// Returns the `let` that binds a name to a literal; `None` where the name is no variable of its own, such as a reference.
fn binding(name: &PatIdent, literal: &str) -> Option<String> {
    let mutability = name.mutability.map_or("", |_| "mut ");
    let is_plain = name.by_ref.is_none();
    is_plain.then(|| format!("let {mutability}{} = {literal};", name.ident))
}

#[cfg(test)]
mod tests;
