//! `resolve_associated_types`: replaces an associated type by the type that it stands for, in the whole crate, or
//! where one impl says what it is.

mod uses;

use super::generics::{Implementation, Implementations, last_name, most_frequent};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Program, SyntaxFile, simplest_first};
use crate::visit::Home;
use reduce_syntax::EditSet;
use syn::{ItemTrait, TraitItem, TraitItemType};
use uses::{Associated, Use, Uses};

pub(super) const PASS: Pass = Pass {
    name: "resolve_associated_types",
    about: "Puts what an associated type stands for in its place, and deletes it",
    example: (
        "trait A { type B; fn f() -> Self::B; } impl A for u8 { type B = u16; fn f() -> u16 { 0 } }",
        "trait A { fn f() -> u16; } impl A for u8 { fn f() -> u16 { 0 } }",
    ),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

const NOTHING: &str = "()";

fn changes(program: &Program) -> Vec<EditSet> {
    let implementations = Implementations::new(program);
    let uses = Uses::in_program(program);
    let mut found = Vec::new();
    for (file, definition) in &implementations.traits {
        for item in &definition.items {
            if let TraitItem::Type(ty) = item {
                let declared = Declared {
                    file: *file,
                    definition,
                    ty,
                };
                found.extend(declared.changes(program, &implementations, &uses));
            }
        }
    }
    for one in &implementations.all {
        found.extend(of_impl(program, *one, &uses));
    }
    simplest_first(program, found)
}

/// Returns changes that each replace an associated type of an impl by its value, where a mention means that of this impl.
fn of_impl(program: &Program, one: Implementation<'_>, uses: &Uses<'_>) -> Vec<EditSet> {
    let of_trait = one.block.trait_.as_ref();
    let Some(of_trait) = of_trait.and_then(|(path, _)| last_name(path)) else {
        return Vec::new();
    };
    let ty = one.self_ty();
    let resolve = |item: &syn::ImplItem| {
        let syn::ImplItem::Type(value) = item else {
            return None;
        };
        let text = one.file.text(&value.ty);
        let is_fixed = one.block.generics.params.is_empty() && !text.contains("Self");
        let own = one.file.place(value);
        let mut change = program.change();
        for mention in uses.of(Associated::new(program, one.file, &value.ident, of_trait)) {
            let is_here = mention.is_within_impl(one.block) && mention.subject == "Self";
            let is_meant = is_here || is_fixed && mention.subject == ty;
            let is_in_value = mention.place.start().is_in(&own);
            if is_meant && !is_in_value {
                mention.put(&mut change, text);
            }
        }
        let has_parameters = !value.generics.params.is_empty();
        (!has_parameters).then(|| change.finish()).flatten()
    };
    one.block.items.iter().filter_map(resolve).collect()
}

/// The declaration of an associated type in a trait of the program.
struct Declared<'d, 'p> {
    file: SyntaxFile<'p>,
    definition: &'d ItemTrait,
    ty: &'d TraitItemType,
}

impl<'p> Declared<'_, 'p> {
    /// Returns changes that replace the associated type by the value that most impls give, and by `()`.
    fn changes(
        &self,
        program: &Program,
        implementations: &Implementations<'p>,
        uses: &Uses<'_>,
    ) -> Vec<EditSet> {
        let of_trait = implementations.of(self.file.position(&self.definition.ident));
        let all: Vec<Implementation<'p>> = of_trait.collect();
        let common = self.common_value(&all).filter(|one| *one != NOTHING);
        let change = |value: &str| {
            let mut change = program.change();
            self.remove(&all, &mut change);
            self.replace(program, &all, (uses, value), &mut change);
            change.finish()
        };
        let values = common.into_iter().chain([NOTHING]);
        values.filter_map(change).collect()
    }

    fn remove(&self, all: &[Implementation<'_>], change: &mut Change<'_>) {
        change.remove(&self.file.place(self.ty));
        let name = self.ty.ident.to_string();
        for one in all {
            if let Some(value) = one.value(&name) {
                change.remove(&one.file.place(value));
            }
        }
        if !self.ty.generics.params.is_empty() {
            change.give_up();
        }
    }

    fn replace(
        &self,
        program: &Program,
        all: &[Implementation<'_>],
        (uses, common): (&Uses<'_>, &str),
        change: &mut Change<'_>,
    ) {
        let name = self.ty.ident.to_string();
        let (item, of_trait) = (&self.ty.ident, &self.definition.ident);
        let wanted = Associated::new(program, self.file, item, of_trait);
        for mention in uses.of(wanted) {
            let value = value_at(all, mention, &name).unwrap_or(common);
            match &mention.predicate {
                Some(predicate) => {
                    change.remove(predicate);
                }
                None => mention.put(change, value),
            }
        }
        for place in uses.constraints(wanted) {
            change.remove(place);
        }
    }

    /// Returns the value that most impls give to the associated type, if it means the same everywhere; without any,
    /// the default.
    fn common_value(&self, all: &[Implementation<'p>]) -> Option<&'p str> {
        let name = self.ty.ident.to_string();
        let plain = all
            .iter()
            .filter(|one| one.block.generics.params.is_empty());
        let values = plain.filter_map(|one| Some(one.file.text(&one.value(&name)?.ty)));
        let default = self.ty.default.as_ref();
        let default = default.map(|(_, ty)| self.file.text(ty));
        most_frequent(values.chain(default).filter(|text| !text.contains("Self")))
    }
}

/// Returns the value of an associated type for one mention of it, if an impl for the mention's type defines it.
fn value_at<'p>(all: &[Implementation<'p>], mention: &Use<'_>, name: &str) -> Option<&'p str> {
    let is_meant = |one: &&Implementation<'_>| match mention.home {
        Home::Impl(block) if mention.subject == "Self" => std::ptr::eq(block, one.block),
        _ => mention.subject == one.self_ty() && one.block.generics.params.is_empty(),
    };
    let one = all.iter().find(is_meant)?;
    let value = one.value(name)?;
    Some(one.file.text(&value.ty))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_type_goes_with_its_values_bounds_and_constraints() {
        check_has(
            &PASS,
            "trait A { type B: Copy; } impl A for u8 { type B = u16; } \
             fn f<T: A<B = u8>>(x: T::B, y: <T as A>::B) where T::B: Copy {}",
            "trait A { } impl A for u8 { } fn f<T: A>(x: u16, y: u16) {}",
        );
    }

    #[test]
    fn without_a_value_it_is_nothing() {
        check(
            &PASS,
            "trait A { type B; fn f(x: Self::B) {} }",
            &["trait A { fn f(x: ()) {} }"],
        );
    }

    #[test]
    fn each_impl_has_its_own_value() {
        check_has(
            &PASS,
            "trait A { type B; } struct S<T>(T); impl A for u8 { type B = u16; fn f() -> Self::B {} } \
             impl<T> A for S<T> { type B = T; fn f() -> Self::B {} } fn f() -> <u8 as A>::B {}",
            "trait A { } struct S<T>(T); impl A for u8 { fn f() -> u16 {} } \
             impl<T> A for S<T> { fn f() -> T {} } fn f() -> u16 {}",
        );
    }

    #[test]
    fn an_impl_of_another_crates_trait_resolves_what_it_says() {
        check(
            &PASS,
            "impl Iterator for S { type Item = u8; fn next() -> Option<Self::Item> {} } \
             fn f(x: <S as Iterator>::Item, y: <T as Iterator>::Item) { Self::Item::new() }",
            &[
                "impl Iterator for S { type Item = u8; fn next() -> Option<u8> {} } \
                 fn f(x: u8, y: <T as Iterator>::Item) { Self::Item::new() }",
            ],
        );
    }

    #[test]
    fn a_type_of_the_same_name_of_another_trait_stays() {
        check_has(
            &PASS,
            "trait A { type Item; } impl A for u8 { type Item = u16; } \
             impl Iterator for S { type Item = u8; fn next() -> Option<Self::Item> {} } \
             fn f<T: A + Into<u8>>(x: T::Item) {}",
            "trait A { } impl A for u8 { } \
             impl Iterator for S { type Item = u8; fn next() -> Option<Self::Item> {} } \
             fn f<T: A + Into<u8>>(x: u16) {}",
        );
    }

    #[test]
    fn paths_through_a_type_go_on() {
        check_has(
            &PASS,
            "trait A { type B; } impl A for S { type B = U; fn f() { Self::B::f(); } }",
            "trait A { } impl A for S { fn f() { U::f(); } }",
        );
        check_has(
            &PASS,
            "trait A { type B; } impl A for S { type B = (); fn f() { <Self as A>::B::f(); } }",
            "trait A { } impl A for S { fn f() { <()>::f(); } }",
        );
    }

    #[test]
    fn types_of_other_traits_and_with_parameters_stay() {
        check_not_applicable(
            &PASS,
            "trait A { type B<'a>; } impl A for u8 { type B<'a> = &'a u8; } fn f(x: <u8 as C>::D) {}",
        );
    }
}
