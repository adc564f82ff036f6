//! `delete_traits`: a trait goes with all its impls, with the bounds and imports that name it, and
//! with the calls of its functions.

use super::generics::last_name;
use super::paths::{Import, imports};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program, SyntaxFile, simplest_first};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use reduce_syntax::{EditSet, ItemParts};
use std::collections::HashMap;
use syn::{Expr, Item, ItemTrait, Path, Type, TypeParamBound};
use syn::{PredicateType, WherePredicate};

pub(super) const PASS: Pass = Pass {
    name: "delete_traits",
    about: "Deletes a trait with its impls, the bounds that name it, and its calls",
    example: (
        "trait A { fn f(); } impl A for u8 { fn f() {} } fn g<T: A + B>() { T::f(); }",
        "fn g<T: B>() { loop {}; }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let mut places = Places::default();
    visit::each(program, |at, node| places.read(at, node));
    for import in imports(program) {
        places.import(program, &import);
    }
    let all = places.traits.iter();
    simplest_first(
        program,
        all.filter_map(|(file, one)| places.deletion(program, *file, one)),
    )
}

/// The code that is deleted or replaced together with a mention of a trait or of its member.
#[derive(Clone)]
enum Loss {
    /// An item, a bound or a leaf of an import, which is deleted from its list.
    Element(Place),
    /// An impl that is deleted, and that may contain other mentions.
    Impl(Place),
    /// A type that mentions the deleted trait, and the text that replaces it.
    Type(Place, &'static str),
    Expression(Place),
}

#[derive(Default)]
struct Places<'p> {
    traits: Vec<(SyntaxFile<'p>, &'p ItemTrait)>,
    losses: HashMap<Position, Loss>,
    /// The index of a predicate in `bounds_of_predicates`, by the positions where its bounds name their traits.
    predicates: HashMap<Position, usize>,
    bounds_of_predicates: Vec<(Place, Vec<Option<Position>>)>,
}

impl<'p> Places<'p> {
    fn deletion(
        &self,
        program: &Program,
        file: SyntaxFile<'p>,
        definition: &ItemTrait,
    ) -> Option<EditSet> {
        let name = file.position(&definition.ident);
        let own = file.place(definition);
        let members = definition
            .items
            .iter()
            .filter_map(|one| ItemParts::of_trait_item(one)?.name);
        let members = members.map(|name| program.mentions().of(file.position(name)));
        let of_trait = program.mentions().of(name);
        let all: Vec<Position> = members.flatten().chain(of_trait).copied().collect();
        let impls = all.iter().filter_map(|at| match self.losses.get(at) {
            Some(Loss::Impl(place)) => Some(place),
            _ => None,
        });
        let impls: Vec<&Place> = impls.collect();
        let mut change = program.change();
        change.remove(&own);
        for &at in &all {
            if !impls.iter().any(|place| at.is_in(place)) || of_trait.contains(&at) {
                self.lose(at, of_trait, &own, &mut change);
            }
        }
        change.finish()
    }

    fn lose(&self, at: Position, of_trait: &[Position], own: &Place, change: &mut Change<'_>) {
        if let Some(predicate) = self.whole_predicate(at, of_trait) {
            change.remove(predicate);
            return;
        }
        match self.losses.get(&at) {
            Some(Loss::Element(place) | Loss::Impl(place)) => change.remove(place),
            Some(Loss::Type(place, text)) => change.replace(place, text),
            Some(Loss::Expression(place)) => change.replace_expr(place, "loop {}"),
            None if at.is_in(own) => change,
            None => change.give_up(),
        };
    }

    /// Returns the predicate around a bound, if all of its bounds go.
    fn whole_predicate(&self, at: Position, of_trait: &[Position]) -> Option<&Place> {
        let (place, bounds) = self.bounds_of_predicates.get(*self.predicates.get(&at)?)?;
        let goes = |bound: &Option<Position>| bound.is_some_and(|at| of_trait.contains(&at));
        bounds.iter().all(goes).then_some(place)
    }

    fn read(&mut self, at: At<'p>, node: Node<'p>) {
        match node {
            Node::Item(Item::Trait(one)) => self.traits.push((at.file, one)),
            Node::Item(Item::Impl(block)) => {
                if let Some((path, _)) = &block.trait_ {
                    self.lost(at, path, Loss::Impl(at.place(block)));
                }
            }
            Node::Bound(bound @ TypeParamBound::Trait(one)) => {
                let loss = Loss::Element(at.place(bound));
                if let Some(name) = last_name(&one.path) {
                    self.losses.entry(at.position(name)).or_insert(loss);
                }
            }
            Node::Predicate(WherePredicate::Type(one)) => self.predicate(at, one),
            Node::Type(ty) => self.ty(at, ty),
            Node::Expr(expression) => self.expression(at, expression),
            _ => {}
        }
    }

    fn lost(&mut self, at: At<'_>, path: &Path, loss: Loss) {
        if let Some(name) = last_name(path) {
            self.losses.insert(at.position(name), loss);
        }
    }

    /// Notes the names of an import, before and after `as`.
    fn import(&mut self, program: &Program, import: &Import) {
        let loss = Loss::Element(import.whole().clone());
        if let Some(name) = import.renamed(program) {
            self.losses.insert(name.start(), loss.clone());
        }
        self.losses.insert(import.name, loss);
    }

    fn predicate(&mut self, at: At<'_>, predicate: &PredicateType) {
        let name = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(one) => last_name(&one.path).map(|name| at.position(name)),
            _ => None,
        };
        let bounds: Vec<Option<Position>> = predicate.bounds.iter().map(name).collect();
        let idx = self.bounds_of_predicates.len();
        let named = bounds.iter().flatten().map(|at| (*at, idx));
        self.predicates.extend(named);
        self.bounds_of_predicates
            .push((at.place(predicate), bounds));
    }

    /// Notes an opaque type or object of a single bound, which goes as a whole.
    fn ty(&mut self, at: At<'_>, ty: &Type) {
        let (bounds, instead) = match ty {
            Type::ImplTrait(one) => (&one.bounds, "impl Sized"),
            Type::TraitObject(one) => (&one.bounds, "()"),
            Type::Path(path) if path.qself.is_some() || path.path.segments.len() == 2 => {
                for segment in &path.path.segments {
                    let loss = Loss::Type(at.place(ty), "()");
                    self.losses.insert(at.position(&segment.ident), loss);
                }
                return;
            }
            _ => return,
        };
        if let (1, Some(TypeParamBound::Trait(bound))) = (bounds.len(), bounds.first()) {
            self.lost(at, &bound.path, Loss::Type(at.place(ty), instead));
        }
    }

    /// Notes that an expression goes with each name in its path, or with the method that it calls.
    fn expression(&mut self, at: At<'_>, expression: &Expr) {
        let loss = Loss::Expression(at.place(expression));
        let path = match expression {
            Expr::MethodCall(call) => {
                self.losses.insert(at.position(&call.method), loss);
                return;
            }
            Expr::Path(path) => &path.path,
            Expr::Call(call) => match &*call.func {
                Expr::Path(function) => &function.path,
                _ => return,
            },
            _ => return,
        };
        for segment in &path.segments {
            let at = at.position(&segment.ident);
            self.losses.entry(at).or_insert_with(|| loss.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_trait_goes_with_its_impls_bounds_and_predicates() {
        check(
            &PASS,
            "trait A {} impl A for u8 {} impl<T: A> A for S<T> where T: A {} \
             trait B: A {} fn f<T>() where T: A + C, u8: A {}",
            &[
                "trait B {} fn f<T>() where T: C {}",
                "trait A {} impl A for u8 {} impl<T: A> A for S<T> where T: A {} \
                 fn f<T>() where T: A + C, u8: A {}",
            ],
        );
    }

    #[test]
    fn its_calls_never_return() {
        check(
            &PASS,
            "trait A { fn frob(&self) {} } impl A for u8 { fn frob(&self) {} } \
             fn f<T: A>(x: T) { x.frob(1).y; A::frob(x); <T as A>::frob(x); let a = T::frob; }",
            &["fn f<T>(x: T) { loop {}.y; loop {}; loop {}; let a = loop {}; }"],
        );
    }

    #[test]
    fn its_types_become_what_needs_no_trait() {
        check(
            &PASS,
            "use m::{A, b}; use m::A as C; mod m { pub trait A { type B; } } \
             fn f<T: A>(x: &dyn A, y: impl A, z: T::B, a: <u8 as A>::B) {}",
            &["use m::{b}; mod m { } fn f<T>(x: &(), y: impl Sized, z: (), a: ()) {}"],
        );
    }

    #[test]
    fn a_trait_with_other_mentions_stays() {
        check_not_applicable(&PASS, "trait A {} macro_rules! m { () => { A } } m!(A);");
    }

    #[test]
    fn a_trait_of_another_crate_stays() {
        check_not_applicable(&PASS, "impl Iterator for S {} fn f<T: Iterator>() {}");
    }
}
