//! `free_functions`: makes free functions (outside of any impl) of the members of an inherent impl: of one alone, or
//! of all, and then the impl goes. `S::f(a)` becomes `f(a)`, and `x.f(a)` becomes `f(&x, a)`.

mod calls;
mod mentions;
mod moved;
mod tied;

use super::functions::{Family, Function, Functions};
use super::generics::type_name;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program};
pub(super) use mentions::{Mention, Paths, mentions_by_path};
use reduce_model::{Position, Role};
use reduce_syntax::EditSet;
use std::collections::BTreeMap;
use syn::ItemImpl;
pub(super) use tied::{strays, tied_changes};

pub(super) const PASS: Pass = Pass {
    name: "free_functions",
    about: "Makes a function of nobody of a type's associated function or method",
    example: (
        "impl S { fn f(&self) -> S { self.g } } fn h(x: S) { x.f(); }",
        "fn f(this: &S) -> S { this.g } fn h(x: S) { f(&x); }",
    ),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let paths = Paths::of(program);
    let mut found = Vec::new();
    for (block, members) in members(&functions).values() {
        let freeing = |families: &[&Family<'_>]| {
            let freeing = Freeing {
                program,
                functions: &functions,
                paths: &paths,
                families,
                strays: &[],
                block,
                tie: Tie::Needed,
                change: program.change(),
            };
            freeing.edits()
        };
        found.extend(freeing(members));
        if members.len() > 1 {
            found.extend(members.iter().filter_map(|one| freeing(&[one])));
        }
    }
    found
}

/// An inherent impl, and the functions in it, each with its calls.
pub(super) type Members<'f, 'p> = (&'p ItemImpl, Vec<&'f Family<'p>>);

/// Returns the inherent impls whose functions may become free functions, by the positions where the impls begin.
pub(super) fn members<'f, 'p>(functions: &'f Functions<'p>) -> BTreeMap<Position, Members<'f, 'p>> {
    let mut found = BTreeMap::new();
    for family in &functions.families {
        let first = family.first();
        let is_plain = |block: &&ItemImpl| {
            block.trait_.is_none() && block.unsafety.is_none() && block.attrs.is_empty()
        };
        if let Some(block) = first
            .at
            .block()
            .filter(is_plain)
            .filter(|one| type_name(&one.self_ty).is_some())
        {
            let start = first.at.place(block).start();
            let (_, members) = found.entry(start).or_insert((block, Vec::new()));
            members.push(family);
        }
    }
    found
}

/// Makes free functions (outside of any impl) of the functions in the only impl of a trait, and removes the trait.
/// The first function of each family has a body.
pub(super) fn freed_of_trait(
    program: &Program,
    (functions, paths): (&Functions<'_>, &Paths<'_>),
    families: &[&Family<'_>],
    block: &ItemImpl,
    declared: &Place,
) -> Option<EditSet> {
    let mut freeing = Freeing {
        program,
        functions,
        paths,
        families,
        strays: &[],
        block,
        tie: Tie::Needed,
        change: program.change(),
    };
    let texts = freeing.texts()?;
    let whole = freeing.all().next()?.at.place(block);
    freeing.change.replace(&whole, &texts).remove(declared);
    freeing.change.finish()
}

/// The part of an impl's head that a function keeps when it leaves the impl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// Keeps the generic parameters of the impl that the function needs, with their predicates.
    Needed,
    /// Keeps all generic parameters and predicates of the impl.
    Generics,
    /// Keeps all generic parameters and predicates of the impl, and adds a predicate that only names the impl's type: `S<T>:`.
    Predicate,
    /// Keeps all generic parameters and predicates of the impl, and adds a parameter of the impl's type: `_: S<T>`.
    Parameter,
}

/// A change that makes free functions (outside of any impl) of the members of an impl.
struct Freeing<'f, 'p> {
    program: &'p Program,
    functions: &'f Functions<'p>,
    paths: &'f Paths<'p>,
    families: &'f [&'f Family<'p>],
    /// Positions that name a member which the type does not have: they count as mentions of the first freed function.
    strays: &'f [Position],
    block: &'p ItemImpl,
    tie: Tie,
    change: Change<'p>,
}

impl<'f, 'p> Freeing<'f, 'p> {
    fn edits(mut self) -> Option<EditSet> {
        let texts = self.texts()?;
        self.moved(&texts)
    }

    /// Changes the functions and all that mentions them, and returns the functions' texts.
    fn texts(&mut self) -> Option<String> {
        if self.families.iter().any(|one| self.is_name_taken(one)) {
            return None;
        }
        self.members()?;
        self.mentions()?;
        self.calls()?;
        let texts: Vec<String> = self.all().map(|one| self.change.text(&one.whole)).collect();
        Some(texts.join(" "))
    }

    fn all(&self) -> impl Iterator<Item = &'f Function<'p>> + use<'f, 'p> {
        self.families.iter().map(|family| family.first())
    }

    /// Whether a function outside of impls already has the name of a family's function.
    fn is_name_taken(&self, family: &Family<'p>) -> bool {
        let function = family.first();
        let spelled = self.program.mentions().spelled(&function.name.to_string());
        let is_ours = |at| {
            let mut calls = family.calls.iter();
            let mut functions = family.functions.iter();
            functions.any(|one| at == one.position())
                || family.mentions.contains(&at)
                || calls.any(|call| call.at.position(call.name) == at)
        };
        let mut spelled = spelled.iter();
        spelled.any(|word| word.role == Role::Plain && !is_ours(word.position()))
    }

    /// Puts the text of the freed functions after the impl, or in its place if nothing else is in the impl.
    fn moved(mut self, text: &str) -> Option<EditSet> {
        let whole = self.all().next()?.at.place(self.block);
        if self.families.len() == self.block.items.len() {
            self.change.replace(&whole, text);
        } else {
            self.change.insert(whole.end(), &format!(" {text}"));
            for function in self.all() {
                self.change.remove(&function.whole);
            }
        }
        self.change.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn an_associated_function_leaves_its_impl() {
        check(
            &PASS,
            "impl S { fn f(a: u8) -> Self { Self::g(); S::f(1) } fn g() {} } fn h() { S::f(2); }",
            &[
                "fn f(a: u8) -> S { g(); f(1) } fn g() {} fn h() { f(2); }",
                "impl S { fn g() {} } fn f(a: u8) -> S { S::g(); f(1) } fn h() { f(2); }",
                "impl S { fn f(a: u8) -> Self { g(); S::f(1) } } fn g() {} fn h() { S::f(2); }",
            ],
        );
    }

    #[test]
    fn generic_parameters_of_the_impl_that_are_mentioned_go_along() {
        check_has(
            &PASS,
            "impl<'a, T, U: A> S<'a, T> where T: B { fn f<'b, V>(a: &'b V) -> Self { Self { a } } } fn g() { S::f(h); }",
            "fn f<'a, 'b, T, V>(a: &'b V) -> S<'a, T> where T: B { S { a } } fn g() { f(h); }",
        );
        check_has(
            &PASS,
            "impl<T> S<T> { fn f() -> T where T: A { loop {} } } fn g() { S::<u8>::f(); }",
            "fn f<T>() -> T where T: A { loop {} } fn g() { f(); }",
        );
    }

    #[test]
    fn members_of_std_have_other_names_in_common() {
        check(
            &PASS,
            "impl S { fn new() { Self(Box::new(1)); } }",
            &["fn new() { S(Box::new(1)); }"],
        );
    }

    #[test]
    fn methods_take_what_they_are_called_of() {
        check(
            &PASS,
            "impl S { fn f(&mut self, a: u8) { self.f(1); self.b } } fn g(x: S, y: &mut S) { x.c.f(2); y.f(3); S::f(y, 4); }",
            &[
                "fn f(this: &mut S, a: u8) { f(this, 1); this.b } fn g(x: S, y: &mut S) { f(&mut x.c, 2); f(y, 3); f(y, 4); }",
            ],
        );
    }

    #[test]
    fn calls_of_the_result_of_calls_are_nested() {
        check(
            &PASS,
            "impl S { fn f(self) -> S { loop {} } } fn g(x: S) { x.f().f(); }",
            &["fn f(_: S) -> S { loop {} } fn g(x: S) { f(f(x)); }"],
        );
    }

    #[test]
    fn a_mention_without_a_call_names_the_function() {
        check(
            &PASS,
            "impl<T> S<T> { fn f(self, a: T) {} } fn g() { h(S::<u8>::f); <S<u8>>::f; }",
            &["fn f<T>(_: S<T>, a: T) {} fn g() { h(f); f; }"],
        );
    }

    #[test]
    fn taken_names_and_impls_of_traits_stay() {
        check_not_applicable(
            &PASS,
            "impl S { fn f() {} } fn f() {} impl T for S { fn k() {} }",
        );
    }
}
