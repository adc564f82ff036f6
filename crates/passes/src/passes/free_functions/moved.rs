//! Writes a member as a function outside of its impl: `self` is `this`, and generic parameters of
//! the impl are its own.

use super::super::functions::{Function, borrow_of, insert_predicates, keywords, own_types};
use super::super::generics::{is_lifetime, position_of, predicates};
use super::{Freeing, Tie};
use crate::program::Place;
use reduce_model::Position;
use syn::{GenericParam, Receiver};

/// The name of the parameter that `self` becomes.
const THIS: &str = "this";

impl<'p> Freeing<'_, 'p> {
    /// Adds the edits inside of all functions that leave the impl, but for calls.
    pub(super) fn members(&mut self) -> Option<()> {
        for function in self.all() {
            self.own_type(function);
            self.receiver(function)?;
            self.generics(function)?;
            self.own_parameter(function)?;
        }
        Some(())
    }

    /// Puts the type of the impl in place of `Self` in a function.
    fn own_type(&mut self, function: &Function<'p>) {
        let body = function.body.as_ref().map(|body| &body.whole);
        let ty = function.at.text(&self.block.self_ty);
        for (place, ty) in own_types(self.program, &function.whole, body, ty) {
            self.change.replace(&place, ty);
        }
    }

    fn receiver(&mut self, function: &Function<'p>) -> Option<()> {
        let Some(receiver) = function.receiver() else {
            return Some(());
        };
        let body = &function.body.as_ref()?.whole;
        let mut mentions = keywords(self.program, body, "self");
        mentions.retain(|(_, next)| *next != "::");
        for (place, _) in &mentions {
            self.change.replace(place, THIS);
        }
        let name = if mentions.is_empty() { "_" } else { THIS };
        let text = self.parameter(function, receiver, name)?;
        self.change.replace(&function.at.place(receiver), &text);
        Some(())
    }

    fn parameter(
        &self,
        function: &Function<'p>,
        receiver: &Receiver,
        name: &str,
    ) -> Option<String> {
        let ty = function.at.text(&self.block.self_ty);
        let text = function.at.text(receiver);
        Some(match (borrow_of(receiver), text.split_once(':')) {
            (_, Some((_, written))) => format!("{name}: {}", written.trim().replace("Self", ty)),
            (Some(""), None) => text.strip_suffix("self")?.to_owned() + &format!("{name}: {ty}"),
            (_, None) => format!("{name}: {}{ty}", text.strip_suffix("self")?),
        })
    }

    /// Adds the parameter `_: S<T>` in front of a freed function's other parameters.
    fn own_parameter(&mut self, function: &Function<'p>) -> Option<()> {
        if self.tie != Tie::Parameter {
            return Some(());
        }
        let signature = function.signature.filter(|one| one.receiver().is_none())?;
        let text = format!("_: {}", function.at.text(&self.block.self_ty));
        match signature.inputs.first() {
            Some(first) => {
                let start = function.at.place(first).start();
                self.change.insert(start, &format!("{text}, "))
            }
            None => {
                let open = function.at.place_of(signature.paren_token.span.open());
                self.change.insert(open.end(), &text)
            }
        };
        Some(())
    }

    /// Adds generic parameters of the impl to a freed function: those that the function mentions, or that its type
    /// does, unless all are wanted.
    fn generics(&mut self, function: &Function<'p>) -> Option<()> {
        let mentions_type = function.receiver().is_some()
            || !keywords(self.program, &function.whole, "Self").is_empty();
        let ty = mentions_type.then(|| function.at.place(&self.block.self_ty));
        let is_here = |at: &Position| {
            ty.iter()
                .chain([&function.whole])
                .any(|place| at.is_in(place))
        };
        let is_needed = |one: &&GenericParam| {
            self.tie != Tie::Needed || self.mentions_of(function, one).iter().any(is_here)
        };
        let needed: Vec<&GenericParam> = self
            .block
            .generics
            .params
            .iter()
            .filter(is_needed)
            .collect();
        if !needed.is_empty() {
            self.add_predicates(function, &needed)?;
            self.add_generics(function, needed);
        }
        Some(())
    }

    /// Writes generic parameters of the impl before those of a function, and all lifetimes before the others.
    fn add_generics(&mut self, function: &Function<'p>, needed: Vec<&'p GenericParam>) {
        let mut all: Vec<&GenericParam> = needed.into_iter().chain(function.generics()).collect();
        all.sort_by_key(|one| !is_lifetime(one));
        let texts: Vec<&str> = all.into_iter().map(|one| function.at.text(one)).collect();
        let text = texts.join(", ");
        match function.generics().next().zip(function.generics().last()) {
            Some((first, last)) => {
                let all = function.at.between(first, last);
                self.change.replace(&all, &text)
            }
            None => {
                let end = function.at.place(function.name).end();
                self.change.insert(end, &format!("<{text}>"))
            }
        };
    }

    /// Gives a function predicates of the impl: those that mention the generic parameters which it needs, or all.
    fn add_predicates(&mut self, function: &Function<'p>, needed: &[&GenericParam]) -> Option<()> {
        let mentions: Vec<&Position> = needed
            .iter()
            .flat_map(|one| self.mentions_of(function, one))
            .collect();
        let all = predicates(&self.block.generics).map(|one| function.at.place(one));
        let is_wanted =
            |place: &Place| self.tie != Tie::Needed || mentions.iter().any(|at| at.is_in(place));
        let all = all.filter(is_wanted);
        let mut all: Vec<String> = all
            .map(|place| self.program.text(&place).to_owned())
            .collect();
        if self.tie == Tie::Predicate {
            all.push(format!("{}:", function.at.text(&self.block.self_ty)));
        }
        if !all.is_empty() {
            let (at, text) = (function.at, all.join(", "));
            insert_predicates(&mut self.change, at.file, function.signature?, &text);
        }
        Some(())
    }

    fn mentions_of(&self, function: &Function<'p>, generic: &GenericParam) -> &'p [Position] {
        self.program
            .mentions()
            .of(position_of(function.at.file, generic))
    }
}
