//! `resolve_opaque_types`: `impl Trait` and `dyn Trait` give way to a type that implements the trait,
//! and long types of functions to `impl Sized`, which takes any type: also what a returned expression
//! was made of.

use super::drop_calls::operands;
use super::functions::types_of;
use super::generics::{Implementations, types_among};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use crate::visit::{self, At, Node};
use reduce_syntax::{EditSet, count_tokens};
use std::collections::BTreeMap;
use syn::{Item, ItemFn, ReturnType, Signature, Stmt, Type, TypeParamBound};

pub(super) const PASS: Pass = Pass {
    name: "resolve_opaque_types",
    about: "Puts a type in place of `impl Trait` and `dyn Trait`, and `impl Sized` for long types",
    example: (
        "impl A for S {} fn f(x: &dyn A<u8>) {}",
        "impl A for S {} fn f(x: &S) {}",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

const ANY: &str = "impl Sized";

/// The number of tokens from which on a type counts as long.
const LONG: u64 = 4;

fn changes(program: &Program) -> Vec<EditSet> {
    let types = Types::of(program);
    let opaque = types.opaque.iter();
    let opaque = opaque.flat_map(|one| {
        let texts = one.ty.into_iter().chain([ANY]);
        texts.filter_map(|text| program.replaced([&one.place], text))
    });
    let objects = types.objects.values();
    let objects = objects.flat_map(|group| resolved_together(program, group));
    let long = types.long.iter();
    let long = long.filter_map(|place| program.replaced([place], ANY));
    simplest_first(
        program,
        opaque.chain(objects).chain(long).chain(types.returned),
    )
}

/// A type `impl Trait` or `dyn Trait`.
struct Opaque<'p> {
    place: Place,
    /// The place of the `Box<dyn Trait>` around the type.
    boxed: Option<Place>,
    /// A type that implements the trait of `dyn Trait` or `impl Trait`.
    ty: Option<&'p str>,
}

/// Replaces all mentions of one `dyn Trait` by a type that implements the trait, with the boxes around them and
/// without, and each mention alone.
fn resolved_together(program: &Program, group: &[Opaque<'_>]) -> Vec<EditSet> {
    let Some(ty) = group.first().and_then(|one| one.ty) else {
        return Vec::new();
    };
    let whole = |one: &Opaque<'_>| one.boxed.clone().unwrap_or_else(|| one.place.clone());
    let unboxed: Vec<Place> = group.iter().map(whole).collect();
    let inside = || group.iter().map(|one| &one.place);
    let together = [
        program.replaced(&unboxed, ty),
        program.replaced(inside(), ty),
    ];
    let alone = inside().filter(|_| group.len() > 1);
    let alone = alone.map(|place| program.replaced([place], ty));
    together.into_iter().chain(alone).flatten().collect()
}

struct Types<'p> {
    implementations: Implementations<'p>,
    opaque: Vec<Opaque<'p>>,
    /// The mentions of trait objects' types (`dyn Trait`), by the text of the type.
    objects: BTreeMap<&'p str, Vec<Opaque<'p>>>,
    /// The places of long types in the inputs and outputs of functions.
    long: Vec<Place>,
    returned: Vec<EditSet>,
}

impl<'p> Types<'p> {
    fn of(program: &'p Program) -> Self {
        let mut types = Self {
            implementations: Implementations::new(program),
            opaque: Vec::new(),
            objects: BTreeMap::new(),
            long: Vec::new(),
            returned: Vec::new(),
        };
        // A box, and the type directly in it.
        let mut boxed: Option<(Place, &Type)> = None;
        visit::each(program, |at, node| {
            match node {
                // The header of an impl is no place for another type.
                _ if at.in_header => {}
                Node::Item(Item::Fn(function)) => {
                    let returned = parts_returned(program, at, function);
                    types.returned.extend(returned);
                }
                Node::Signature(signature) if !at.is_in_trait() => {
                    types.long.extend(long_types(at, signature));
                }
                Node::Type(ty) => {
                    let inner = boxed.take_if(|(_, inner)| std::ptr::eq(*inner, ty));
                    let outer = inner.map(|(outer, _)| outer);
                    types.add(at, ty, outer);
                    boxed = content_of_box(ty).map(|inner| (at.place(ty), inner));
                }
                _ => {}
            }
        });
        types
    }

    fn add(&mut self, at: At<'p>, ty: &'p Type, boxed: Option<Place>) {
        let bounds = match ty {
            Type::ImplTrait(one) => &one.bounds,
            Type::TraitObject(one) => &one.bounds,
            _ => return,
        };
        let mut traits = bounds.iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) if bound.maybe.is_none() => Some(&bound.path),
            _ => None,
        });
        let opaque = traits.next().map(|of_trait| Opaque {
            place: at.place(ty),
            boxed,
            ty: self.implementations.short_type(at.file, of_trait),
        });
        match ty {
            Type::ImplTrait(_) => self.opaque.extend(opaque),
            _ => {
                let objects = self.objects.entry(at.text(ty));
                objects.or_default().extend(opaque);
            }
        }
    }
}

fn long_types(at: At<'_>, signature: &Signature) -> impl Iterator<Item = Place> {
    let is_long = move |ty: &&Type| {
        let is_opaque = matches!(ty, Type::ImplTrait(_));
        !is_opaque && count_tokens(at.text(ty)) >= LONG
    };
    let long = types_of(signature).into_iter().filter(is_long);
    long.map(move |ty| at.place(ty))
}

/// Returns changes by which a function that returns `impl Trait` returns an operand of its last expression instead. A
/// part need not implement the trait: it goes together with that.
fn parts_returned(program: &Program, at: At<'_>, function: &ItemFn) -> Vec<EditSet> {
    let (ReturnType::Type(_, ty), Some(Stmt::Expr(value, None))) =
        (&function.sig.output, function.block.stmts.last())
    else {
        return Vec::new();
    };
    let with = |part: &syn::Expr| {
        let mut change = program.change();
        change.replace(&at.place(value), at.text(part));
        change.replace(&at.place(ty), ANY).finish()
    };
    let parts = operands(value).into_iter();
    let parts = parts.filter(|_| matches!(**ty, Type::ImplTrait(_)));
    parts.filter_map(with).collect()
}

/// Returns the `T` of `Box<T>`.
fn content_of_box(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == "Box")?;
    types_among(last).next()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn an_opaque_type_becomes_one_that_implements_its_trait() {
        check_has(
            &PASS,
            "impl A for S {} fn f(x: impl A + 'static) -> impl A {}",
            "impl A for S {} fn f(x: S) -> impl A {}",
        );
        check_has(
            &PASS,
            "impl A for S {} fn f(x: impl A) -> Option<impl A> {}",
            "impl A for S {} fn f(x: impl A) -> Option<S> {}",
        );
    }

    #[test]
    fn all_objects_of_a_trait_become_one_type() {
        check(
            &PASS,
            "impl A for S {} struct U(Box<dyn A>); fn f(x: &dyn A) {}",
            &[
                "impl A for S {} struct U(Box<S>); fn f(x: &S) {}",
                "impl A for S {} struct U(S); fn f(x: &S) {}",
                "impl A for S {} struct U(Box<S>); fn f(x: &dyn A) {}",
                "impl A for S {} struct U(Box<dyn A>); fn f(x: &S) {}",
            ],
        );
    }

    #[test]
    fn an_operand_may_be_returned_instead() {
        check_has(
            &PASS,
            "fn f() -> impl Iterator { g().map(|x| x) }",
            "fn f() -> impl Sized { |x| x }",
        );
    }

    #[test]
    fn what_only_generic_types_implement_may_be_anything() {
        check(
            &PASS,
            "impl<T> A for T {} fn f(x: impl A<u8>, y: dyn A) {}",
            &["impl<T> A for T {} fn f(x: impl Sized, y: dyn A) {}"],
        );
    }

    #[test]
    fn long_types_of_functions_may_be_anything() {
        check(
            &PASS,
            "fn f(x: Vec<u8>) -> [u8; 3] {}",
            &[
                "fn f(x: impl Sized) -> [u8; 3] {}",
                "fn f(x: Vec<u8>) -> impl Sized {}",
            ],
        );
    }

    #[test]
    fn methods_of_traits_and_headers_of_impls_stay() {
        check_not_applicable(
            &PASS,
            "trait A { fn f(x: Vec<u8>); } impl A for S {} impl B for Box<dyn A> { fn f(x: Vec<u8>) {} } \
             fn f(x: &u8, y: S) {}",
        );
    }
}
