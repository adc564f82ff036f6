//! Turns calls of empty generic functions into where clauses: what the functions ask of their
//! parameters is asked of the arguments where they were called.

use super::super::free_functions::{Mention, mentions_by_path};
use super::super::functions::{Family, Function, Functions};
use super::super::generics::{arguments_after, is_lifetime, position_of};
use super::callers::Callers;
use super::{super::functions::name_place, MAX_SITES};
use crate::program::Place;
use crate::visit::Home;
use reduce_syntax::EditSet;
use syn::{GenericParam, TypeParamBound};

pub(super) fn changes(functions: &Functions<'_>, callers: &Callers<'_>) -> Vec<EditSet> {
    let empty = functions
        .families
        .iter()
        .filter(|one| is_empty(one.first()));
    let changes = empty.filter_map(|family| change(family, callers));
    changes.take(MAX_SITES).collect()
}

/// Whether a function is in no impl or trait and does nothing, whatever its parameters are.
fn is_empty(function: &Function<'_>) -> bool {
    let body = function.body.as_ref();
    let is_free = matches!(function.at.home, Home::Nothing) && function.signature.is_some();
    is_free
        && body.is_some_and(|body| body.n_statements == 0)
        && parameters(function).next().is_some()
}

fn change(family: &Family<'_>, callers: &Callers<'_>) -> Option<EditSet> {
    let function = family.first();
    let mentions = mentions_by_path(family, &[]);
    let mut change = callers.program.change();
    callers.replace(&mut change, &mentions, |mention| {
        Requirements::of(callers, function, mention)?.predicates()
    })?;
    change.remove(&function.whole);
    change.finish().filter(|_| !mentions.is_empty())
}

/// Returns the types and constants among a function's generic parameters.
fn parameters<'p>(function: &Function<'p>) -> impl Iterator<Item = &'p GenericParam> + use<'p> {
    function.generics().filter(|one| !is_lifetime(one))
}

/// A function, and the generic arguments for its parameters at each mention.
struct Requirements<'c, 'p> {
    callers: &'c Callers<'p>,
    function: &'c Function<'p>,
    arguments: Vec<&'p str>,
}

impl<'c, 'p> Requirements<'c, 'p> {
    /// Reads the generic arguments for a function's parameters at a mention; `None` if not all are given.
    fn of(
        callers: &'c Callers<'p>,
        function: &'c Function<'p>,
        mention: Mention<'p>,
    ) -> Option<Self> {
        let given = arguments_after(mention.path.path.segments.last()?);
        let arguments: Vec<&str> = given.into_iter().map(|one| mention.at.text(one)).collect();
        let is_complete = arguments.len() == parameters(function).count();
        is_complete.then_some(Self {
            callers,
            function,
            arguments,
        })
    }

    /// Returns the predicates that a function asks of its generic arguments; `None` if it asks nothing.
    fn predicates(&self) -> Option<Vec<String>> {
        let mut found = Vec::new();
        for (parameter, argument) in parameters(self.function).zip(&self.arguments) {
            let GenericParam::Type(parameter) = parameter else {
                continue;
            };
            let is_wanted =
                |bound: &&TypeParamBound| !self.function.at.text(*bound).starts_with('?');
            let bounds = parameter.bounds.iter().filter(is_wanted);
            let bounds: Vec<String> = bounds
                .map(|bound| self.substituted(&self.function.at.place(bound)))
                .collect();
            found.push(
                format!("{argument}: {}", bounds.join(" + "))
                    .trim_end()
                    .to_owned(),
            );
        }
        let own = self.function.predicates();
        found.extend(own.map(|one| self.substituted(&self.function.at.place(one))));
        (!found.is_empty()).then_some(found)
    }

    /// Returns a text with generic arguments in place of the function's generic parameters.
    fn substituted(&self, place: &Place) -> String {
        let program = self.callers.program;
        let mut change = program.change();
        for (parameter, argument) in parameters(self.function).zip(&self.arguments) {
            let mentions = program
                .mentions()
                .of(position_of(self.function.at.file, parameter));
            for mention in mentions.iter().filter(|at| at.is_in(place)) {
                let name = name_place(program, *mention);
                let rest = &program.sources().text(name.file)[name.range.end..];
                match rest.trim_start().starts_with("::") {
                    true => change.replace(&name, &format!("<{argument}>")),
                    false => change.replace(&name, argument),
                };
            }
        }
        change.text(place)
    }
}
