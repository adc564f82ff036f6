//! `dissolve_traits`: a trait with one impl, which nothing else mentions, goes, and what is in the impl
//! stays: as members of the type, or as functions of nobody.

use super::functions::{Block, Family, Function, Functions, Head, Owner, keywords};
use super::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program};
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "dissolve_traits",
    about: "Makes functions or members of a type of the only impl of a trait",
    example: (
        "trait T { fn f(); } impl T for u8 { fn f() { g(); } }",
        "fn f() { g(); }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let mut found = Vec::new();
    for (idx, declared) in functions.blocks.iter().enumerate() {
        let Some(name) = declared.trait_name.as_deref() else {
            continue;
        };
        if declared.self_ty.is_some() {
            continue;
        }
        if let Some(implementation) = only_impl(program, &functions, name) {
            let dissolving = Dissolving {
                program,
                functions: &functions,
                name,
                declared: (idx, declared),
                implementation,
            };
            found.extend(dissolving.as_functions());
            found.extend(dissolving.as_members());
        }
    }
    found
}

/// The impl of a trait, if it is the only one and nothing else mentions the trait.
fn only_impl<'f>(
    program: &Program,
    functions: &'f Functions,
    name: &str,
) -> Option<(usize, &'f Block)> {
    let is_of_trait = |block: &Block| block.trait_name.as_deref() == Some(name);
    let blocks = functions.blocks.iter().enumerate();
    let mut impls = blocks.filter(|(_, one)| is_of_trait(one) && one.self_ty.is_some());
    let only = impls.next().filter(|(_, one)| one.is_plain)?;
    // Its definition, and the head of the impl.
    let is_alone = impls.next().is_none() && program.mentions().spelled(name).len() == 2;
    is_alone.then_some(only)
}

struct Dissolving<'f> {
    program: &'f Program,
    functions: &'f Functions,
    name: &'f str,
    declared: (usize, &'f Block),
    implementation: (usize, &'f Block),
}

impl<'f> Dissolving<'f> {
    /// `impl S` of `impl T for S`.
    fn as_members(&self) -> Option<EditSet> {
        let Place { file, range: ty } = self.implementation.1.self_ty.as_ref()?;
        self.program
            .change()
            .remove(&self.declared.1.whole)
            .delete(&Place::new(*file, self.head()?..ty.start))
            .finish()
    }

    /// Where the trait is named in the impl.
    fn head(&self) -> Option<usize> {
        let Place { file, range: whole } = &self.implementation.1.whole;
        let mut words = self.program.mentions().spelled(self.name).iter();
        let word = words.find(|word| word.file == *file && whole.contains(&word.at))?;
        Some(word.at)
    }

    /// The functions by themselves, if they know nothing of the type.
    fn as_functions(&self) -> Option<EditSet> {
        let (idx, block) = self.implementation;
        let is_ours = |one: &&Function| one.owner == Owner::TraitImpl(idx);
        let own: Vec<&Function> = self.functions.all.iter().filter(is_ours).collect();
        let is_free = |one: &&Function| {
            one.receiver.is_none() && keywords(self.program, &one.whole, "Self").is_empty()
        };
        let is_all = own.len() == block.n_members && block.generics.is_empty();
        if own.is_empty() || !is_all || !own.iter().all(is_free) {
            return None;
        }
        let mut change = self.program.change();
        change.remove(&self.declared.1.whole);
        self.bare(&own, &mut change);
        self.calls(&mut change);
        change.finish()
    }

    /// Takes away what is around the functions.
    fn bare(&self, own: &[&Function], change: &mut Change<'_>) {
        let Place { file, range: whole } = &self.implementation.1.whole;
        let (Some(first), Some(last)) = (own.first(), own.last()) else {
            return;
        };
        let before: Place = Place::new(*file, whole.start..first.whole.range.start);
        let after: Place = Place::new(*file, last.whole.range.end..whole.end);
        change.delete(&before).delete(&after);
    }

    /// `f(..)` of `S::f(..)`.
    fn calls(&self, change: &mut Change<'_>) {
        let is_ours =
            |family: &&Family| self.functions.first(family).owner == Owner::Trait(self.declared.0);
        for family in self.functions.families.iter().filter(is_ours) {
            for call in self.functions.calls_of(family) {
                if call.head != Head::Nothing {
                    change.replace(&call.function, &call.name);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn functions_that_know_nothing_of_the_type_stand_alone() {
        check(
            &PASS,
            "trait T { fn f(a: u8); } impl T for S { fn f(a: u8) { h(a); } } fn g() { S::f(1); }",
            &[
                "fn f(a: u8) { h(a); } fn g() { f(1); }",
                "impl S { fn f(a: u8) { h(a); } } fn g() { S::f(1); }",
            ],
        );
    }

    #[test]
    fn methods_become_those_of_the_type() {
        check(
            &PASS,
            "trait T { type A; fn f(&self); } impl<X> T for S<X> { type A = u8; fn f(&self) {} }",
            &["impl<X> S<X> { type A = u8; fn f(&self) {} }"],
        );
    }

    #[test]
    fn traits_that_are_mentioned_or_have_several_impls_stay() {
        check_not_applicable(
            &PASS,
            "trait A { fn f(); } impl A for u8 { fn f() {} } fn g<X: A>() {} \
             trait B {} impl B for u8 {} impl B for u16 {} impl Clone for S {}",
        );
    }
}
