//! `merge_traits`: moves the items of a trait into a subtrait of it, and the items of the trait's impls into the
//! subtrait's impls for the same types. A trait without items of its own gives way to one of another crate that it
//! requires.

mod dissolved;

use super::functions::name_place;
use super::generics::{Implementation, Implementations, last_name};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program, SyntaxFile, simplest_first};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::HashMap;
use syn::token::Brace;
use syn::{ItemTrait, TypeParamBound};

pub(super) const PASS: Pass = Pass {
    name: "merge_traits",
    about: "Moves the items of a supertrait to its only subtrait, and those of the only impl of a trait to its type or out of it",
    example: (
        "trait A { fn f(); } trait B: A {} impl A for u8 { fn f() {} } impl B for u8 {}",
        "trait B { fn f(); } impl B for u8 { fn f() {} }",
    ),
    keeps: Keeps::Behaviour,
    work: &[dissolved::WORK, WORK],
};

/// The part of the pass that this file does, without those of its submodules.
const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let implementations = Implementations::new(program);
    let by_name: HashMap<_, _> = implementations
        .traits
        .iter()
        .map(|one| {
            let (file, definition) = one;
            (file.position(&definition.ident), one)
        })
        .collect();
    let mut found = Vec::new();
    for (file, sub) in &implementations.traits {
        for bound in &sub.supertraits {
            let TypeParamBound::Trait(one) = bound else {
                continue;
            };
            let name = last_name(&one.path).map(|name| file.position(name));
            let definition = name.and_then(|name| program.mentions().definition(name));
            let Some(definition) = definition else {
                let instead = file.text(&one.path);
                found.extend(replaced(program, &implementations, (*file, sub), instead));
                continue;
            };
            if let Some((of, supertrait)) = by_name.get(&definition) {
                let merging = Merging {
                    program,
                    sub: (*file, sub),
                    supertrait: (*of, supertrait),
                    bound: file.place(bound),
                };
                found.extend(merging.change(&implementations));
            }
        }
    }
    simplest_first(program, found)
}

/// Replaces a trait without items by another one, and removes its impls. Who names it names another
/// one from then on.
fn replaced(
    program: &Program,
    implementations: &Implementations<'_>,
    (file, definition): (SyntaxFile<'_>, &ItemTrait),
    instead: &str,
) -> Option<EditSet> {
    let is_plain = definition.items.is_empty() && definition.generics.params.is_empty();
    if !is_plain {
        return None;
    }
    let mut change = program.change();
    let own = file.place(definition);
    change.remove(&own);
    let mut gone = vec![own];
    for one in implementations.of(file.position(&definition.ident)) {
        let place = one.file.place(one.block);
        change.remove(&place);
        gone.push(place);
    }
    rename(program, (file, definition), instead, &gone, &mut change);
    change.finish()
}

/// Renames a trait in all its mentions but those in places that are gone.
fn rename(
    program: &Program,
    (file, definition): (SyntaxFile<'_>, &ItemTrait),
    instead: &str,
    gone: &[Place],
    change: &mut Change<'_>,
) {
    for &at in program.mentions().of(file.position(&definition.ident)) {
        if !gone.iter().any(|place| at.is_in(place)) {
            change.replace(&name_place(program, at), instead);
        }
    }
}

struct Merging<'m, 'p> {
    program: &'p Program,
    sub: (SyntaxFile<'p>, &'m ItemTrait),
    supertrait: (SyntaxFile<'p>, &'m ItemTrait),
    /// The place where the subtrait names the supertrait.
    bound: Place,
}

impl Merging<'_, '_> {
    fn change(&self, implementations: &Implementations<'_>) -> Option<EditSet> {
        let (file, definition) = self.supertrait;
        let has_parameters = !definition.generics.params.is_empty();
        if has_parameters || std::ptr::eq(definition, self.sub.1) {
            return None;
        }
        let mut change = self.program.change();
        let own = file.place(definition);
        change.remove(&own).remove(&self.bound);
        self.give(
            (file, &definition.brace_token),
            (self.sub.0, &self.sub.1.brace_token),
            &mut change,
        );
        let mut gone = vec![own, self.bound.clone()];
        gone.extend(self.give_impls(implementations, &mut change));
        let name = self.sub.1.ident.to_string();
        rename(self.program, self.supertrait, &name, &gone, &mut change);
        change.finish()
    }

    /// Adds all items of a trait or impl to the end of another one.
    fn give(
        &self,
        (from_file, from): (SyntaxFile<'_>, &Brace),
        (to_file, to): (SyntaxFile<'_>, &Brace),
        change: &mut Change<'_>,
    ) {
        let items = self.program.text(&from_file.inside(from.span)).trim();
        if !items.is_empty() {
            let Place { file, range: close } = to_file.place_of(to.span.close());
            change.insert(Position::new(file, close.start), &format!("{items} "));
        }
    }

    /// Moves the items of the supertrait's impls into those of the subtrait for the same type, if
    /// there are any.
    fn give_impls(
        &self,
        implementations: &Implementations<'_>,
        change: &mut Change<'_>,
    ) -> Vec<Place> {
        let subs = implementations.of(self.sub.0.position(&self.sub.1.ident));
        let subs: HashMap<&str, Implementation<'_>> =
            subs.map(|one| (one.self_ty(), one)).collect();
        let mut gone = Vec::new();
        let (file, supertrait) = self.supertrait;
        for one in implementations.of(file.position(&supertrait.ident)) {
            if let Some(sub) = subs.get(one.self_ty()) {
                let from = (one.file, &one.block.brace_token);
                self.give(from, (sub.file, &sub.block.brace_token), change);
            }
            let place = one.file.place(one.block);
            change.remove(&place);
            gone.push(place);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::WORK;

    #[test]
    fn items_and_impls_move_to_the_subtrait() {
        check(
            &WORK,
            "trait A { fn f(); } trait B: A + C { fn g(); } impl A for u8 { fn f() {} } \
             impl B for u8 { fn g() {} } impl A for u16 {}",
            &["trait B: C { fn g(); fn f(); } impl B for u8 { fn g() {} fn f() {} }"],
        );
    }

    #[test]
    fn other_mentions_mean_the_subtrait() {
        check(
            &WORK,
            "trait A {} trait B: A {} fn f<T: A>(x: &dyn A) {}",
            &["trait B {} fn f<T: B>(x: &dyn B) {}"],
        );
    }

    #[test]
    fn a_trait_without_items_gives_way_to_one_of_another_crate() {
        check(
            &WORK,
            "trait A: Iterator {} impl A for S {} fn f(x: impl A<Item = u8>) {}",
            &["fn f(x: impl Iterator<Item = u8>) {}"],
        );
    }

    #[test]
    fn traits_with_parameters_or_items_stay() {
        check_not_applicable(
            &WORK,
            "trait A<T> {} trait B: A<u8> + Clone { fn f(); } trait C: C {} trait D<T>: Clone {}",
        );
    }
}
