//! The text of a member outside of its impl: `self` is `this`, and generic parameters of the impl
//! are its own.

use super::super::functions::{Function, Generic, keywords, name_place, own_types};
use super::Freeing;
use crate::program::Place;

/// What `self` becomes.
const THIS: &str = "this";

impl Freeing<'_> {
    /// The edits inside of all members, but for calls.
    pub(super) fn members(&mut self) -> Option<()> {
        for function in self.all() {
            self.own_type(function);
            self.receiver(function)?;
            self.generics(function);
        }
        Some(())
    }

    /// `Self` becomes the type.
    fn own_type(&mut self, function: &Function) {
        let body = function.body.as_ref().map(|body| &body.whole);
        for (place, ty) in own_types(self.program, &function.whole, body, self.ty) {
            self.replace(&place, ty);
        }
    }

    fn receiver(&mut self, function: &Function) -> Option<()> {
        let Some(receiver) = &function.receiver else {
            return Some(());
        };
        let body = &function.body.as_ref()?.whole;
        let mut mentions = keywords(self.program, body, "self");
        mentions.retain(|(_, next)| *next != "::");
        for (place, _) in &mentions {
            self.replace(place, THIS);
        }
        let name = if mentions.is_empty() { "_" } else { THIS };
        let text = self.parameter(receiver_text(self.program.text(&receiver.whole))?, name);
        self.replace(&receiver.whole, &text);
        Some(())
    }

    fn parameter(&self, (before, ty): (&str, Option<&str>), name: &str) -> String {
        match ty {
            Some(ty) => format!("{name}: {}", ty.replace("Self", self.ty)),
            None if before == "mut " => format!("mut {name}: {}", self.ty),
            None => format!("{name}: {before}{}", self.ty),
        }
    }

    /// Generic parameters of the impl that the function mentions, or that its type does.
    fn generics(&mut self, function: &Function) {
        let mentions_type = function.receiver.is_some()
            || !keywords(self.program, &function.whole, "Self").is_empty();
        let is_needed = |generic: &&Generic| {
            let ty = self.block.self_ty.as_ref().filter(|_| mentions_type);
            let places = || ty.into_iter().chain([&function.whole]);
            if generic.is_lifetime {
                let name = self.program.text(&generic.whole);
                let name = name.split(':').next().unwrap_or(name).trim();
                return places().any(|place| self.has_lifetime(place, name));
            }
            let mut mentions = self.program.mentions().of(generic.at).iter();
            mentions.any(|at| places().any(|place| at.is_in(place)))
        };
        let needed: Vec<&Generic> = self.block.generics.iter().filter(is_needed).collect();
        if needed.is_empty() {
            return;
        }
        let predicates = self.predicates(&needed);
        self.add_generics(function, &needed);
        self.add_predicates(function, &predicates);
    }

    fn has_lifetime(&self, place: &Place, name: &str) -> bool {
        !keywords(self.program, place, name).is_empty()
    }

    /// Those of the impl that mention some of its generic parameters.
    fn predicates(&self, needed: &[&Generic]) -> Vec<String> {
        let is_needed = |place: &&Place| {
            let mut mentions = needed
                .iter()
                .flat_map(|one| self.program.mentions().of(one.at));
            mentions.any(|at| at.is_in(place))
        };
        let needed = self.block.predicates.iter().filter(is_needed);
        needed
            .map(|place| self.program.text(place).to_owned())
            .collect()
    }

    /// Lifetimes first, and those of the impl before the function's own.
    fn add_generics(&mut self, function: &Function, needed: &[&Generic]) {
        let all = || needed.iter().copied().chain(&function.generics);
        let lifetimes = all().filter(|one| one.is_lifetime);
        let others = all().filter(|one| !one.is_lifetime);
        let texts: Vec<&str> = lifetimes
            .chain(others)
            .map(|one| self.program.text(&one.whole))
            .collect();
        let text = texts.join(", ");
        match (function.generics.first(), function.generics.last()) {
            (Some(first), Some(last)) => {
                let (file, start) = (first.whole.file, first.whole.range.start);
                self.replace(&Place::new(file, start..last.whole.range.end), &text);
            }
            _ => {
                let Place { file, range: name } = name_place(self.program, function.at);
                self.replace(&Place::new(file, name.end..name.end), &format!("<{text}>"));
            }
        }
    }

    fn add_predicates(&mut self, function: &Function, predicates: &[String]) {
        if predicates.is_empty() {
            return;
        }
        let all = predicates.join(", ");
        let Place {
            file,
            range: signature,
        } = &function.signature;
        match function.predicates.first() {
            Some(Place { file, range: first }) => {
                self.replace(
                    &Place::new(*file, first.start..first.start),
                    &format!("{all}, "),
                );
            }
            None => self.replace(
                &Place::new(*file, signature.end..signature.end),
                &format!(" where {all}"),
            ),
        }
    }
}

/// What stands before `self`, or the type after it.
fn receiver_text(text: &str) -> Option<(&str, Option<&str>)> {
    match text.split_once(':') {
        Some((_, ty)) => Some(("", Some(ty.trim()))),
        None => Some((text.strip_suffix("self")?, None)),
    }
}
