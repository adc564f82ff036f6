//! `inline_bounds`: moves bounds to where they take the fewest tokens: from a where clause to the parameter or the
//! trait that they are about, from a parameter to its only mention. Lifetimes of a `for<'a>` are left out.

mod binders;
mod opaque;

use super::generics::{Index, Owner, plain_name, predicates};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, SyntaxFile, simplest_first};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::{GenericParam, Generics, ItemTrait, PredicateType, TypeParam, TypeParamBound};
use syn::{Token, WherePredicate, punctuated::Punctuated};

pub(super) const PASS: Pass = Pass {
    name: "inline_bounds",
    about: "Moves bounds from where clauses to parameters, and from those to their only mention",
    example: ("struct S<T>(T) where T: Copy;", "struct S<T: Copy>(T);"),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let index = Index::new(program);
    let mut found = Vec::new();
    for owner in &index.owners {
        let parameters = owner.generics.type_params();
        found.extend(parameters.filter_map(|one| to_parameter(program, owner, one)));
    }
    let traits = index.implementations.traits.iter();
    found.extend(traits.filter_map(|(file, one)| to_trait(program, *file, one)));
    found.extend(opaque::changes(program, &index));
    found.extend(binders::changes(program));
    simplest_first(program, found)
}

type Bounds = Punctuated<TypeParamBound, Token![+]>;

/// Moves bounds from a where clause to the parameter: `<T> where T: A` becomes `<T: A>`.
fn to_parameter(program: &Program, owner: &Owner<'_>, parameter: &TypeParam) -> Option<EditSet> {
    let about = about(owner.generics, &parameter.ident);
    let range = owner.file.place_of(parameter.ident.span()).range;
    let colon = parameter
        .colon_token
        .map(|colon| owner.file.place(&colon).range.end);
    let end = owner.file.place(&parameter.bounds).range.end;
    let at = match colon {
        Some(colon) => end.max(colon),
        None => range.end,
    };
    let is_first = parameter.bounds.is_empty();
    let is_after_plus = parameter.bounds.trailing_punct();
    let before = match (colon, is_first, is_after_plus) {
        (None, _, _) => ": ",
        (Some(_), true, _) | (_, _, true) => " ",
        _ => " + ",
    };
    moved(program, owner.file, &about, at, before)
}

/// Moves bounds from a where clause to the trait: `trait A where Self: B` becomes `trait A: B`.
fn to_trait(program: &Program, file: SyntaxFile<'_>, definition: &ItemTrait) -> Option<EditSet> {
    let name = syn::Ident::new("Self", definition.ident.span());
    let about = about(&definition.generics, &name);
    let after_name = match &definition.generics.gt_token {
        Some(close) => file.place(close).range.end,
        None => file.place_of(definition.ident.span()).range.end,
    };
    let (at, before) = match &definition.colon_token {
        None => (after_name, ": "),
        Some(colon) if definition.supertraits.is_empty() => (file.place(colon).range.end, " "),
        Some(_) => (file.place(&definition.supertraits).range.end, " + "),
    };
    moved(program, file, &about, at, before)
}

/// Returns the predicates about the type of this name whose bounds may stand with its other bounds.
fn about<'p>(generics: &'p Generics, name: &syn::Ident) -> Vec<&'p PredicateType> {
    let wanted = predicates(generics).filter_map(|predicate| match predicate {
        WherePredicate::Type(one) if plain_name(&one.bounded_ty) == Some(name) => Some(one),
        _ => None,
    });
    let can_move = |one: &&PredicateType| {
        let is_bound_once = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Trait(bound) if bound.lifetimes.is_none());
        one.lifetimes.is_none() || one.bounds.iter().all(is_bound_once)
    };
    wanted.filter(can_move).collect()
}

/// Removes predicates of a where clause, and writes their bounds at another place.
fn moved(
    program: &Program,
    file: SyntaxFile<'_>,
    predicates: &[&PredicateType],
    at: usize,
    before: &str,
) -> Option<EditSet> {
    let mut change = program.change();
    let mut bounds = Vec::new();
    for predicate in predicates {
        change.remove(&file.place(*predicate));
        let binder = predicate.lifetimes.as_ref();
        let binder = binder.map_or("", |lifetimes| file.text(lifetimes));
        let own = predicate.bounds.iter();
        bounds.extend(own.map(|bound| with_binder(binder, file.text(bound))));
    }
    if !bounds.is_empty() {
        change.insert(
            Position::new(file.id, at),
            &format!("{before}{}", bounds.join(" + ")),
        );
    }
    change.finish()
}

fn with_binder(binder: &str, bound: &str) -> String {
    match (binder, bound.strip_prefix('(')) {
        ("", _) => bound.to_owned(),
        (_, Some(inside)) => format!("({binder} {inside}"),
        (_, None) => format!("{binder} {bound}"),
    }
}

/// Returns all bounds of a parameter: those beside its name, and those of the predicates about it alone.
fn bounds_of<'p>(generics: &'p Generics, parameter: &'p TypeParam) -> Vec<&'p TypeParamBound> {
    let of_predicates = about(generics, &parameter.ident);
    let all = of_predicates.into_iter().map(|predicate| &predicate.bounds);
    let own: std::iter::Once<&Bounds> = std::iter::once(&parameter.bounds);
    own.chain(all).flatten().collect()
}

fn type_parameter(parameter: &GenericParam) -> Option<&TypeParam> {
    match parameter {
        GenericParam::Type(one) => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn bounds_move_from_the_where_clause_to_the_parameter() {
        check(
            &PASS,
            "impl<T: A, U> S<T, U> where T: B + C, U: D {}",
            &[
                "impl<T: A + B + C, U> S<T, U> where U: D {}",
                "impl<T: A, U: D> S<T, U> where T: B + C {}",
            ],
        );
    }

    #[test]
    fn two_predicates_about_one_parameter_move_together() {
        check(
            &PASS,
            "struct S<T = u8>(T) where T: A, T: B;",
            &["struct S<T: A + B = u8>(T);"],
        );
        check(
            &PASS,
            "struct S<T:>(T) where T: A;",
            &["struct S<T: A>(T);"],
        );
    }

    #[test]
    fn a_binder_moves_along() {
        check_has(
            &PASS,
            "struct S<T>(T) where for<'a> T: A<'a>;",
            "struct S<T: for<'a> A<'a> >(T);",
        );
    }

    #[test]
    fn bounds_on_self_become_supertraits() {
        check(&PASS, "trait A where Self: B {}", &["trait A: B {}"]);
        check(
            &PASS,
            "trait A<T>: B where Self: C, u8: D {}",
            &["trait A<T>: B + C where u8: D {}"],
        );
    }

    #[test]
    fn predicates_about_anything_else_stay() {
        check_not_applicable(
            &PASS,
            "struct S<T>(T) where Vec<T>: A; impl<T> S<T> { fn f() where T: A {} }",
        );
    }

    #[test]
    fn a_parameter_with_one_mention_moves_to_it() {
        check(
            &PASS,
            "fn f<T: A<u8>, U>(x: &T, y: (U, U)) {} fn g() { f::<u8, u16>() }",
            &["fn f<U>(x: &impl A<u8>, y: (U, U)) {} fn g() { f::<u16>() }"],
        );
        check_has(
            &PASS,
            "fn f<T>(x: &T) where T: A + B {}",
            "fn f(x: &(impl A + B)) {}",
        );
        check(&PASS, "fn f<T>(x: T) {}", &["fn f(x: impl Sized) {}"]);
    }

    #[test]
    fn methods_of_a_trait_change_together() {
        check(
            &PASS,
            "trait A { fn f<T: B>(x: T); } impl A for u8 { fn f<U: B>(y: U) {} }",
            &["trait A { fn f(x: impl B); } impl A for u8 { fn f(y: impl B) {} }"],
        );
        check_not_applicable(
            &PASS,
            "trait A { fn f<T: B>(x: T); } impl A for u8 { fn f<U: B>(y: U) { U::g() } }",
        );
    }

    #[test]
    fn parameters_that_are_needed_by_name_stay() {
        check_not_applicable(
            &PASS,
            "fn f<T: A>(x: T, y: T) {} fn g<T: A>(x: T) -> T {} fn h<T: A>() { T::f() } \
             fn i<T: ?Sized>(x: &T) {} fn j<T: A>(x: fn(T), y: impl B<T>) {} struct S<T>(T);",
        );
    }

    #[test]
    fn bound_lifetimes_are_left_out() {
        check(
            &PASS,
            "fn f(x: for<'a> fn(&'a u8) -> &'a u8, y: &dyn for<'a> Fn(&'a u8)) {}",
            &[
                "fn f(x: fn(&u8) -> &u8, y: &dyn for<'a> Fn(&'a u8)) {}",
                "fn f(x: for<'a> fn(&'a u8) -> &'a u8, y: &dyn Fn(&u8)) {}",
            ],
        );
    }

    #[test]
    fn bound_lifetimes_last_forever_where_they_cannot_be_left_out() {
        check(
            &PASS,
            "struct S<T: for<'a> A<'a, B = &'a u8>>(T);",
            &["struct S<T: A<'static, B = &'static u8>>(T);"],
        );
        check_has(
            &PASS,
            "fn f<T>() where for<'a> &'a T: A<'a> {}",
            "fn f<T>() where &'static T: A<'static> {}",
        );
    }
}
