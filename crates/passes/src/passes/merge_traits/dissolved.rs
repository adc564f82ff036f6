//! Removes a trait that has one impl and that nothing else mentions; what is in the impl stays, as members of the
//! type or as free functions.

use super::super::free_functions::{Paths, freed_of_trait};
use super::super::functions::{Family, Functions, keywords};
use super::super::generics::{last_name, type_name};
use crate::pass::{Rewriter, Work};
use crate::program::{Change, Program, SyntaxFile};
use crate::visit::{self, Home, Node};
use reduce_syntax::EditSet;
use std::cell::LazyCell;
use syn::{Ident, ImplItem, Item, ItemImpl, ItemTrait, Path, TraitItem, TraitItemFn};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let (mut traits, mut impls) = (Vec::new(), Vec::new());
    visit::each(program, |at, node| match node {
        Node::Item(Item::Trait(one)) => traits.push((at.file, one)),
        Node::Item(Item::Impl(block)) if block.unsafety.is_none() && block.attrs.is_empty() => {
            let of_trait = block.trait_.iter();
            impls.extend(of_trait.map(|(path, _)| (at.file, path, block)));
        }
        _ => {}
    });
    let functions = Functions::of(program);
    // Few programs need them, and those that do may have many such traits.
    let paths = LazyCell::new(|| Paths::of(program));
    let mut found = Vec::new();
    for declared in traits {
        // A name that stands twice in the program is that of the definition and the head of the impl.
        let is_alone = program
            .mentions()
            .spelled(&declared.1.ident.to_string())
            .len()
            == 2;
        let mentions = program
            .mentions()
            .of(declared.0.position(&declared.1.ident));
        let is_only = |(file, path, _): &&(SyntaxFile<'_>, &Path, _)| {
            last_name(path).is_some_and(|name| mentions == [file.position(name)])
        };
        if let Some(&(file, path, block)) = impls.iter().find(is_only).filter(|_| is_alone) {
            let dissolving = Dissolving {
                program,
                functions: &functions,
                declared,
                file,
                path,
                block,
            };
            found.extend(dissolving.as_functions());
            found.extend(match dissolving.is_of_own_type() {
                true => dissolving.as_members(),
                false => dissolving.as_functions_of_value(&paths),
            });
        }
    }
    found
}

/// A trait and its only impl, for the change that removes the trait.
struct Dissolving<'f, 'p> {
    program: &'p Program,
    functions: &'f Functions<'p>,
    declared: (SyntaxFile<'p>, &'p ItemTrait),
    file: SyntaxFile<'p>,
    path: &'p Path,
    block: &'p ItemImpl,
}

impl<'p> Dissolving<'_, 'p> {
    fn without_trait(&self) -> Change<'p> {
        let mut change = self.program.change();
        change.remove(&self.declared.0.place(self.declared.1));
        change
    }

    /// Whether the type of the impl is one of the program, which may have members without a trait.
    fn is_of_own_type(&self) -> bool {
        let definition = |name| self.program.mentions().definition(self.file.position(name));
        let defined = type_name(&self.block.self_ty).and_then(definition);
        let block = self.file.place(self.block);
        // A name that is defined in the impl is one of the impl's parameters.
        defined.is_some_and(|at| !at.is_in(&block))
    }

    /// Makes the impl one of the type's own: `impl S` of `impl T for S`, with what the trait gives by
    /// default.
    fn as_members(&self) -> Option<EditSet> {
        let ty = self.file.place(&self.block.self_ty);
        let named = self.file.between(self.path, &self.block.self_ty);
        let given = self.given().map(|item| self.declared.0.text(item));
        let given: Vec<&str> = given.collect();
        let mut change = self.without_trait();
        change.delete(&named.before(&ty));
        if !given.is_empty() {
            let close = self.file.place_of(self.block.brace_token.span.close());
            change.insert(close.start(), &format!(" {} ", given.join(" ")));
        }
        change.finish()
    }

    /// Returns the functions that have a body in the trait, and that the impl does not define.
    fn given(&self) -> impl Iterator<Item = &'p TraitItemFn> {
        let names = self.block.items.iter().filter_map(|item| match item {
            ImplItem::Fn(one) => Some(&one.sig.ident),
            _ => None,
        });
        let own: Vec<&Ident> = names.collect();
        let functions = self.declared.1.items.iter().filter_map(|item| match item {
            TraitItem::Fn(one) => Some(one),
            _ => None,
        });
        functions.filter(move |one| one.default.is_some() && !own.contains(&&one.sig.ident))
    }

    /// Makes functions outside of the impl that take the receiver as a value: `fn f(this: &u8)` of
    /// `fn f(&self)` in `impl T for u8`.
    fn as_functions_of_value(&self, paths: &Paths<'p>) -> Option<EditSet> {
        let (file, declared) = self.declared;
        let is_plain = declared.generics.params.is_empty() && file.id == self.file.id;
        let families = self.functions.families.iter();
        let families = families.filter(|family| self.is_of_trait(family));
        let with_body: Vec<Family<'_>> = families
            .map(|one| self.with_body(one))
            .collect::<Option<_>>()?;
        let is_all = with_body.len() == declared.items.len();
        let families: Vec<&Family<'_>> = with_body.iter().collect();
        let place = file.place(declared);
        (is_plain && is_all).then(|| {
            let known = (self.functions, paths);
            freed_of_trait(self.program, known, &families, self.block, &place)
        })?
    }

    fn is_of_trait(&self, family: &Family<'_>) -> bool {
        let home = family.first().at.home;
        matches!(home, Home::Trait(one) if std::ptr::eq(one, self.declared.1))
    }

    /// Returns a family of functions in reverse order: first the last function, which is called, if that has a body.
    fn with_body(&self, family: &Family<'p>) -> Option<Family<'p>> {
        let called = family.functions.last()?;
        called.body.as_ref()?;
        Some(Family {
            functions: family.functions.iter().rev().cloned().collect(),
            calls: family.calls.clone(),
            mentions: family.mentions.clone(),
        })
    }

    /// Makes free functions (outside of any impl) of the impl's functions, if none has a receiver or mentions `Self`.
    fn as_functions(&self) -> Option<EditSet> {
        let items = &self.block.items;
        let is_free = |item: &ImplItem| {
            let is_function = matches!(item, ImplItem::Fn(one) if one.sig.receiver().is_none());
            is_function && keywords(self.program, &self.file.place(item), "Self").is_empty()
        };
        if !self.block.generics.params.is_empty() || !items.iter().all(is_free) {
            return None;
        }
        let own = self.file.between(items.first()?, items.last()?);
        let whole = self.file.place(self.block);
        let mut change = self.without_trait();
        change
            .delete(&whole.before(&own))
            .delete(&whole.after(&own));
        self.calls(&mut change);
        change.finish()
    }

    /// Shortens the calls of the functions: `f(..)` of `S::f(..)`.
    fn calls(&self, change: &mut Change<'_>) {
        for family in &self.functions.families {
            if self.is_of_trait(family) {
                for call in &family.calls {
                    change.replace(&call.head(), call.at.text(call.name));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn functions_that_know_nothing_of_the_type_stand_alone() {
        check(
            &WORK,
            "struct S; trait T { fn f(a: u8); } impl T for S { fn f(a: u8) { h(a); } } fn g() { S::f(1); }",
            &[
                "struct S; fn f(a: u8) { h(a); } fn g() { f(1); }",
                "struct S; impl S { fn f(a: u8) { h(a); } } fn g() { S::f(1); }",
            ],
        );
    }

    #[test]
    fn methods_become_those_of_the_type() {
        check(
            &WORK,
            "struct S<X>(X); trait T { type A; fn f(&self); } impl<X> T for S<X> { type A = u8; fn f(&self) {} }",
            &["struct S<X>(X); impl<X> S<X> { type A = u8; fn f(&self) {} }"],
        );
    }

    #[test]
    fn what_a_trait_gives_by_default_stays() {
        check(
            &WORK,
            "trait T { fn f(&self) -> u8; fn g(&self) -> u8 { self.f() } fn h(&self) -> u8 { 1 } } \
             struct S; impl T for S { fn f(&self) -> u8 { 2 } fn h(&self) -> u8 { 3 } }",
            &[
                "struct S; impl S { fn f(&self) -> u8 { 2 } fn h(&self) -> u8 { 3 } fn g(&self) -> u8 { self.f() } }",
            ],
        );
    }

    #[test]
    fn methods_of_a_type_of_another_crate_become_functions() {
        check(
            &WORK,
            "trait T { fn f(&self, a: u8) -> u8; fn g(&mut self) -> u8 { self.f(1) } } \
             impl T for Vec<u8> { fn f(&self, a: u8) -> u8 { self[0] + a } } \
             fn h(mut x: Vec<u8>) { x.g(); x.f(2); }",
            &[
                "fn f(this: &Vec<u8>, a: u8) -> u8 { this[0] + a } fn g(this: &mut Vec<u8>) -> u8 { f(this, 1) } \
               fn h(mut x: Vec<u8>) { g(&mut x); f(&x, 2); }",
            ],
        );
    }

    #[test]
    fn methods_of_any_type_become_functions() {
        check(
            &WORK,
            "trait T { fn f(&self); } impl<X: A> T for X { fn f(&self) { self.a(); } } fn h() { 1u8.f(); }",
            &["fn f<X: A>(this: &X) { this.a(); } fn h() { f(&1u8); }"],
        );
    }

    #[test]
    fn traits_that_are_mentioned_or_have_several_impls_stay() {
        check_not_applicable(
            &WORK,
            "trait A { fn f(); } impl A for u8 { fn f() {} } fn g<X: A>() {} \
             trait B {} impl B for u8 {} impl B for u16 {} impl Clone for S {}",
        );
    }

    #[test]
    fn a_trait_with_one_impl_goes() {
        check_has(
            &WORK,
            "trait T { fn f(); } impl T for u8 { fn f() { g(); } }",
            "fn f() { g(); }",
        );
    }
}
