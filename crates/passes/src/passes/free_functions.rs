//! `free_functions`: members of an inherent impl become functions of nobody: one of them, or all
//! with the impl. `S::f(a)` becomes `f(a)`, and `x.f(a)` becomes `f(&x, a)`.

mod calls;
mod moved;

use super::functions::{Block, Family, Function, Functions, Owner};
use super::{Pass, Rewriter, Work};
use crate::program::{Place, Program};
use reduce_model::Position;
use reduce_syntax::{Edit, EditSet};
use std::collections::BTreeMap;

pub(super) const PASS: Pass = Pass {
    name: "free_functions",
    about: "Makes a function of nobody of a type's associated function or method",
    example: (
        "impl S { fn f(&self) -> S { self.g } } fn h(x: S) { x.f(); }",
        "fn f(this: &S) -> S { this.g } fn h(x: S) { f(&x); }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let mut found = Vec::new();
    for members in members(&functions).values() {
        let freeing = |families: &[&Family]| Freeing::new(program, &functions, families)?.edits();
        found.extend(freeing(members));
        if members.len() > 1 {
            found.extend(members.iter().filter_map(|one| freeing(&[one])));
        }
    }
    found
}

/// The families of each inherent impl that may go.
fn members(functions: &Functions) -> BTreeMap<usize, Vec<&Family>> {
    let mut found: BTreeMap<usize, Vec<&Family>> = BTreeMap::new();
    for family in &functions.families {
        if let Owner::Inherent(block) = functions.first(family).owner {
            found.entry(block).or_default().push(family);
        }
    }
    found.retain(|block, _| functions.blocks.get(*block).is_some_and(|one| one.is_plain));
    found
}

/// Members of one impl on their way out of it.
struct Freeing<'f> {
    program: &'f Program,
    functions: &'f Functions,
    families: &'f [&'f Family],
    block: &'f Block,
    /// The text of the type.
    ty: &'f str,
    edits: EditSet,
}

impl<'f> Freeing<'f> {
    fn new(
        program: &'f Program,
        functions: &'f Functions,
        families: &'f [&'f Family],
    ) -> Option<Self> {
        let block = functions.block_of(functions.first(families.first()?))?;
        block.type_name.as_ref()?;
        Some(Self {
            program,
            functions,
            families,
            block,
            ty: program.text(block.self_ty.as_ref()?),
            edits: EditSet::new(),
        })
    }

    fn edits(mut self) -> Option<EditSet> {
        let is_possible = |family: &&Family| {
            !self.is_name_taken(family) && !self.functions.has_other_mentions(self.program, family)
        };
        if !self.families.iter().all(is_possible) {
            return None;
        }
        self.members()?;
        self.calls()?;
        let texts: Vec<String> = self.all().map(|one| self.text(one)).collect();
        self.moved(&texts.join(" "))
    }

    fn all(&self) -> impl Iterator<Item = &'f Function> + use<'f> {
        let functions = self.functions;
        self.families.iter().map(|family| functions.first(family))
    }

    fn text(&self, function: &Function) -> String {
        let Place { file, range } = &function.whole;
        self.edits.text_within(self.program.sources(), *file, range)
    }

    /// Whether a function of nobody has the name.
    fn is_name_taken(&self, family: &Family) -> bool {
        let name = &self.functions.first(family).name;
        let spelled = self.program.mentions().spelled(name);
        let is_ours = |at: Position| {
            let own = self.functions.functions_of(family);
            let mut own = own.map(|function| function.at);
            let mut calls = self.functions.calls_of(family).map(|call| call.callee);
            own.any(|one| one == at) || calls.any(|one| one == at)
        };
        let is_plain = |role| role == reduce_model::Role::Plain;
        spelled
            .iter()
            .any(|word| is_plain(word.role) && !is_ours(word.position()))
    }

    /// Puts the functions after the impl, or in place of it if nothing else is in it.
    fn moved(self, text: &str) -> Option<EditSet> {
        let whole = &self.block.whole;
        let is_all = self.families.len() == self.block.n_members;
        let mut change = self.program.change();
        if is_all {
            change.replace(whole, text);
        } else {
            change.insert(whole.end(), &format!(" {text}"));
            for function in self.all() {
                change.remove(&function.whole);
            }
        }
        let mut edits = change.finish()?;
        edits.extend(&self.edits);
        Some(edits)
    }

    fn replace(&mut self, place: &crate::program::Place, text: &str) {
        self.edits
            .add(Edit::replace(place.file, &place.range, text));
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
    fn a_taken_name_a_mention_without_a_call_and_impls_of_traits_stay() {
        check_not_applicable(
            &PASS,
            "impl S { fn f() {} } fn f() {} impl S { fn g() { h(S::g) } } impl T for S { fn k() {} }",
        );
    }
}
