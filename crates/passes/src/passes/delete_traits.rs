//! `delete_traits`: a trait goes with all its impls, with the bounds and imports that name it, and
//! with the calls of its functions.

use super::generics::last_name;
use super::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program, SyntaxFile, is_in, simplest_first};
use reduce_model::Position;
use reduce_syntax::{EditSet, ItemParts, UseLeaf, use_leaves};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, ItemTrait, ItemUse, Path, Type, TypeParamBound};

pub(super) const PASS: Pass = Pass {
    name: "delete_traits",
    about: "Deletes a trait with its impls, the bounds that name it, and its calls",
    example: (
        "trait A { fn f(); } impl A for u8 { fn f() {} } fn g<T: A + B>() { T::f(); }",
        "fn g<T: B>() { loop {}; }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut places = Places::default();
    for file in program.files() {
        places.file = Some(file);
        places.visit_file(file.syntax);
    }
    let all = places.traits.iter();
    simplest_first(
        program,
        all.filter_map(|(file, one)| places.deletion(program, *file, one)),
    )
}

/// What becomes of what mentions a trait or a member of one.
#[derive(Clone)]
enum Loss {
    /// An item, a bound, a leaf of an import.
    Element(Place),
    /// An impl, which may contain other mentions.
    Impl(Place),
    /// A type or an expression, and what stands there then.
    Replaced(Place, &'static str),
}

#[derive(Default)]
struct Places<'p> {
    file: Option<SyntaxFile<'p>>,
    traits: Vec<(SyntaxFile<'p>, &'p ItemTrait)>,
    losses: HashMap<Position, Loss>,
    /// Predicates, with where each of their bounds names its trait.
    predicates: HashMap<Position, usize>,
    bounds_of_predicates: Vec<(Place, Vec<Option<Position>>)>,
    /// Expressions that something follows: a statement must not end after them.
    operands: HashSet<Place>,
}

const NEVER: &str = "loop {}";

impl<'p> Places<'p> {
    fn deletion(
        &self,
        program: &Program<'_>,
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
        let mut gone: Vec<&Place> = vec![&own];
        gone.extend(all.iter().filter_map(|at| match self.losses.get(at) {
            Some(Loss::Impl(place)) => Some(place),
            _ => None,
        }));
        let mut change = program.change();
        change.remove(&own);
        for &at in &all {
            if !gone.iter().skip(1).any(|place| is_in(at, place)) || of_trait.contains(&at) {
                self.lose(at, of_trait, &own, &mut change);
            }
        }
        change.finish()
    }

    fn lose(&self, at: Position, of_trait: &[Position], own: &Place, change: &mut Change<'_, '_>) {
        if let Some(predicate) = self.whole_predicate(at, of_trait) {
            change.remove(predicate);
            return;
        }
        match self.losses.get(&at) {
            Some(Loss::Element(place) | Loss::Impl(place)) => change.remove(place),
            Some(Loss::Replaced(place, text)) => change.replace(place, text),
            None if is_in(at, own) => change,
            None => change.give_up(),
        };
    }

    /// The predicate around a bound, if all of its bounds go.
    fn whole_predicate(&self, at: Position, of_trait: &[Position]) -> Option<&Place> {
        let (place, bounds) = self.bounds_of_predicates.get(*self.predicates.get(&at)?)?;
        let goes = |bound: &Option<Position>| bound.is_some_and(|at| of_trait.contains(&at));
        bounds.iter().all(goes).then_some(place)
    }

    fn file(&self) -> SyntaxFile<'p> {
        self.file.expect("it is set before its syntax is visited")
    }

    fn lost(&mut self, path: &Path, loss: Loss) {
        if let Some(name) = last_name(path) {
            self.losses.insert(self.file().position(name), loss);
        }
    }

    fn never(&self, place: &Place) -> &'static str {
        match self.operands.contains(place) {
            true => "(loop {})",
            false => NEVER,
        }
    }

    /// Each name of an expression's path leads to the same loss.
    fn lost_with(&mut self, path: &Path, place: &Place) {
        for segment in &path.segments {
            let at = self.file().position(&segment.ident);
            let loss = Loss::Replaced(place.clone(), self.never(place));
            self.losses.entry(at).or_insert(loss);
        }
    }

    /// The type of a single bound goes as a whole.
    fn bounded(&mut self, ty: &Type, bounds: Vec<&TypeParamBound>, instead: &'static str) {
        if let [TypeParamBound::Trait(bound)] = bounds.as_slice() {
            let place = self.file().place(ty);
            self.lost(&bound.path, Loss::Replaced(place, instead));
        }
    }

    fn import(&mut self, leaf: &UseLeaf<'p>, whole: &Place) {
        let file = self.file();
        let place = leaf.element.map(|element| file.place(element));
        let loss = Loss::Element(place.unwrap_or_else(|| whole.clone()));
        for name in leaf.original().into_iter().chain(leaf.name()) {
            self.losses.insert(file.position(name), loss.clone());
        }
    }
}

/// The expression that another begins with.
fn operand(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::MethodCall(one) => Some(&one.receiver),
        Expr::Field(one) => Some(&one.base),
        Expr::Try(one) => Some(&one.expr),
        Expr::Await(one) => Some(&one.base),
        Expr::Index(one) => Some(&one.expr),
        Expr::Binary(one) => Some(&one.left),
        Expr::Assign(one) => Some(&one.left),
        Expr::Cast(one) => Some(&one.expr),
        _ => None,
    }
}

impl<'p> Visit<'p> for Places<'p> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_item_trait(&mut self, definition: &'p ItemTrait) {
        self.traits.push((self.file(), definition));
        visit::visit_item_trait(self, definition);
    }

    fn visit_item_impl(&mut self, block: &'p syn::ItemImpl) {
        if let Some((path, _)) = &block.trait_ {
            let place = self.file().place(block);
            self.lost(path, Loss::Impl(place));
        }
        visit::visit_item_impl(self, block);
    }

    fn visit_item_use(&mut self, import: &'p ItemUse) {
        let place = self.file().place(import);
        for leaf in use_leaves(&import.tree) {
            self.import(&leaf, &place);
        }
    }

    fn visit_type_param_bound(&mut self, bound: &'p TypeParamBound) {
        if let TypeParamBound::Trait(one) = bound {
            let at = last_name(&one.path).map(|name| self.file().position(name));
            let place = self.file().place(bound);
            if !at.is_some_and(|at| self.losses.contains_key(&at)) {
                self.lost(&one.path, Loss::Element(place));
            }
        }
        visit::visit_type_param_bound(self, bound);
    }

    fn visit_predicate_type(&mut self, predicate: &'p syn::PredicateType) {
        let file = self.file();
        let name = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(one) => last_name(&one.path).map(|name| file.position(name)),
            _ => None,
        };
        let bounds: Vec<Option<Position>> = predicate.bounds.iter().map(name).collect();
        let idx = self.bounds_of_predicates.len();
        let named = bounds.iter().flatten().map(|at| (*at, idx));
        self.predicates.extend(named);
        self.bounds_of_predicates
            .push((file.place(predicate), bounds));
        visit::visit_predicate_type(self, predicate);
    }

    fn visit_type(&mut self, ty: &'p Type) {
        match ty {
            Type::ImplTrait(one) => self.bounded(ty, one.bounds.iter().collect(), "impl Sized"),
            Type::TraitObject(one) => self.bounded(ty, one.bounds.iter().collect(), "()"),
            Type::Path(path) if path.qself.is_some() || path.path.segments.len() == 2 => {
                let place = self.file().place(ty);
                for segment in &path.path.segments {
                    let at = self.file().position(&segment.ident);
                    self.losses.insert(at, Loss::Replaced(place.clone(), "()"));
                }
            }
            _ => {}
        }
        visit::visit_type(self, ty);
    }

    fn visit_expr(&mut self, expression: &'p Expr) {
        let place = self.file().place(expression);
        let operand = operand(expression).map(|one| self.file().place(one));
        self.operands.extend(operand);
        match expression {
            Expr::MethodCall(call) => {
                let at = self.file().position(&call.method);
                let never = self.never(&place);
                self.losses.insert(at, Loss::Replaced(place, never));
            }
            Expr::Call(call) => {
                if let Expr::Path(function) = &*call.func {
                    self.lost_with(&function.path, &place);
                }
            }
            Expr::Path(path) => self.lost_with(&path.path, &place),
            _ => {}
        }
        visit::visit_expr(self, expression);
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
            &["fn f<T>(x: T) { (loop {}).y; loop {}; loop {}; let a = loop {}; }"],
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
