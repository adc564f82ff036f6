//! `merge_definitions`: replaces one of two definitions that are alike by the other. The mentions of the one that
//! goes take the name of the one that stays. Parameters of one item are definitions too.

mod alike;
mod callers;
mod inputs;
mod parameters;

use super::data::Data;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program};
use alike::Candidate;
use reduce_model::Position;
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "merge_definitions",
    about: "Lets one of two definitions that are alike stand for both, and a function for an empty one that it calls",
    example: (
        "struct A; struct B; fn f(a: A, b: B) {}",
        "struct A; fn f(a: A, b: A) {}",
    ),
    keeps: Keeps::Nothing,
    work: &[WORK, callers::WORK],
};

/// The part of the pass that this file does, without those of its submodules.
const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most pairs of definitions that are tried, the nearest neighbours first.
const MOST_PAIRS: usize = 40;

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let groups = alike::groups(program, &data);
    let mut pairs: Vec<(usize, &Candidate, &Candidate)> = Vec::new();
    for group in &groups {
        pairs.extend(neighbours(group));
    }
    pairs.sort_by_key(|(distance, ..)| *distance);
    pairs.truncate(MOST_PAIRS);
    let merged = pairs
        .iter()
        .flat_map(|(_, from, into)| merge(program, from, into));
    let inputs = inputs::changes(program);
    merged
        .chain(parameters::changes(program))
        .chain(inputs)
        .collect()
}

/// Returns ordered pairs of the definitions in a group, with their distance. The later one is merged first.
fn neighbours(group: &[Candidate]) -> Vec<(usize, &Candidate, &Candidate)> {
    let mut pairs = Vec::new();
    for distance in 1..group.len().min(MOST_PAIRS) {
        for (a, b) in group
            .iter()
            .zip(group.iter().skip(distance))
            .take(MOST_PAIRS)
        {
            pairs.push((distance, b, a));
            pairs.push((distance, a, b));
        }
    }
    pairs
}

/// Merges two definitions in two ways: without the impls of the one that goes, and with these impls left for the one
/// that stays.
fn merge(program: &Program, from: &Candidate, into: &Candidate) -> Vec<EditSet> {
    let without = merged(program, from, into, &from.impls);
    let has_impls = !from.impls.is_empty();
    let with = has_impls
        .then(|| merged(program, from, into, &[]))
        .flatten();
    without.into_iter().chain(with).collect()
}

fn merged(
    program: &Program,
    from: &Candidate,
    into: &Candidate,
    also_removed: &[Place],
) -> Option<EditSet> {
    let mut change = program.change();
    change.remove(&from.whole);
    for place in also_removed {
        change.remove(place);
    }
    for place in mentions(program, from)? {
        change.replace(&place, &into.name);
    }
    change.finish()
}

/// Returns the places of the definition's name; `None` if a mention is also the name of a field.
fn mentions(program: &Program, of: &Candidate) -> Option<Vec<Place>> {
    let place = |&at: &Position| {
        let is_alone = of.is_item || program.mentions().definition(at) == Some(of.at);
        is_alone.then(|| Place::new(at.file, at.at..at.at + of.name.len()))
    };
    program.mentions().of(of.at).iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn one_struct_stands_for_two() {
        check(
            &WORK,
            "struct A(u8); struct B(u8); impl T for B {} fn f(x: B) -> A { B(1); A(2) }",
            &[
                "struct A(u8); fn f(x: A) -> A { A(1); A(2) }",
                "struct A(u8); impl T for A {} fn f(x: A) -> A { A(1); A(2) }",
                "struct B(u8); impl T for B {} fn f(x: B) -> B { B(1); B(2) }",
            ],
        );
    }

    #[test]
    fn enums_need_the_same_variants() {
        check_has(
            &WORK,
            "enum A { V } enum B { V } fn f() -> B { B::V }",
            "enum A { V } fn f() -> A { A::V }",
        );
        check_not_applicable(&WORK, "enum A { V } enum B { W } struct C; struct D(u8);");
    }

    #[test]
    fn traits_functions_and_constants_merge() {
        check_has(
            &WORK,
            "trait A {} trait B {} impl B for u8 {} fn f<T: A + B>() {}",
            "trait A {} fn f<T: A + A>() {}",
        );
        check_has(
            &WORK,
            "fn f(x: u8) {} fn g(x: u8) { f(x) } fn h(x: u8) { g(x) }",
            "fn f(x: u8) {} fn h(x: u8) { f(x) }",
        );
        check_has(
            &WORK,
            "const A: u8 = 1; const B: u8 = 2; fn f() -> u8 { A + B }",
            "const A: u8 = 1; fn f() -> u8 { A + A }",
        );
    }

    #[test]
    fn variables_of_one_block_merge() {
        check(
            &WORK,
            "fn f() { let a = 1; let b = 2; a + b; { let c = 3; c } }",
            &[
                "fn f() { let a = 1; a + a; { let c = 3; c } }",
                "fn f() { let b = 2; b + b; { let c = 3; c } }",
            ],
        );
    }

    #[test]
    fn a_variable_in_a_shorthand_field_stays() {
        check_has(
            &WORK,
            "struct S { b: u8 } fn f() { let a = 1; let b = 2; S { b }; g(a); }",
            "struct S { b: u8 } fn f() { let b = 2; S { b }; g(b); }",
        );
    }

    #[test]
    fn parameters_of_one_item_merge() {
        check(
            &WORK,
            "fn f<A, B: T>(x: A, y: B) { f::<u8, B>(x, y) }",
            &[
                "fn f<A>(x: A, y: A) { f::<u8>(x, y) }",
                "fn f<B: T>(x: B, y: B) { f::<B>(x, y) }",
            ],
        );
        check_has(
            &WORK,
            "struct S<const M: usize, const N: usize>([u8; M], [u8; N]); fn f(x: S<1, 2>) {}",
            "struct S<const M: usize>([u8; M], [u8; M]); fn f(x: S<1>) {}",
        );
    }

    #[test]
    fn inputs_of_one_type_merge() {
        check(
            &WORK,
            "fn f<T: Copy>(a: T, b: T) { g(a, S { b }) }",
            &["fn f<T: Copy>(a: T) { g(a, S { b: a }) }"],
        );
        check(
            &WORK,
            "impl S { fn f(&self, a: u8, b: u8) { g(a, b) } } fn h(x: S) { x.f(1, 2); S::f(&x, 3, 4); }",
            &[
                "impl S { fn f(&self, a: u8) { g(a, a) } } fn h(x: S) { x.f(1); S::f(&x, 3); }",
                "impl S { fn f(&self, b: u8) { g(b, b) } } fn h(x: S) { x.f(2); S::f(&x, 4); }",
            ],
        );
    }

    #[test]
    fn inputs_of_other_types_and_of_pointers_stay() {
        check_not_applicable(&WORK, "fn f(a: u8, b: u16) { g(a, b) }");
        check_not_applicable(&WORK, "fn f(a: u8, b: u8) { a }");
        check_not_applicable(&WORK, "fn f(_: u8, b: u8) { b }");
        check_not_applicable(&WORK, "fn f(a: u8, b: u8) { g(a, b, f) }");
    }

    #[test]
    fn lifetimes_of_one_item_merge() {
        check(
            &WORK,
            "impl<'a, 'b> T<'a> for S<'a, 'b> { fn f(x: &'b u8) {} }",
            &[
                "impl<'a> T<'a> for S<'a, 'a> { fn f(x: &'a u8) {} }",
                "impl<'b> T<'b> for S<'b, 'b> { fn f(x: &'b u8) {} }",
            ],
        );
    }

    #[test]
    fn definitions_of_different_sorts_stay() {
        check_not_applicable(
            &WORK,
            "struct A; trait B {} fn f<T, const N: usize, 'a>() {} fn g(x: u8) {}",
        );
    }
}
