//! `delete_parameters`: a parameter goes from all functions of one signature, with the argument of
//! all calls. Where the bodies mention it, they mention the argument instead if all calls pass the
//! same. If it must stay, its type and the arguments become `()`. Receivers go too.

mod receivers;

use super::functions::{
    Call, Expression, Family, Function, Functions, Generic, Shape, name_place, substitution,
};
use super::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program};
use reduce_model::Position;
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "delete_parameters",
    about: "Deletes a parameter with the argument of all calls, or makes both `()`",
    example: (
        "fn f(a: u8, b: u8) -> u8 { b } fn g() { f(1, 2); }",
        "fn f(b: u8) -> u8 { b } fn g() { f(2); }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let mut found = Vec::new();
    for family in &functions.families {
        let one = Signature {
            program,
            functions: &functions,
            family,
        };
        if one.functions.first(family).is_closure() {
            continue;
        }
        found.extend(receivers::changes(&one));
        for idx in 0..functions.first(family).parameters.len() {
            found.extend(one.without_mentions(idx));
            found.extend(one.with_the_argument(idx));
            found.extend(one.with_unit(idx));
        }
    }
    found
}

/// All that one signature has.
struct Signature<'f> {
    program: &'f Program,
    functions: &'f Functions,
    family: &'f Family,
}

impl Signature<'_> {
    /// Deletes a parameter that no body mentions. Lists of parameters are shortened by another pass
    /// where that is all.
    fn without_mentions(&self, idx: usize) -> Vec<EditSet> {
        let is_one = self.family.functions.len() == 1 && self.family.calls.is_empty();
        if is_one || self.functions().any(|one| self.n_mentions(one, idx) > 0) {
            return Vec::new();
        }
        self.deletions(idx, |_| {})
    }

    /// Deletes a parameter for which all calls pass the same, which stands for it in the bodies.
    fn with_the_argument(&self, idx: usize) -> Vec<EditSet> {
        let is_mentioned = self.functions().any(|one| self.n_mentions(one, idx) > 0);
        let Some(text) = self.common_argument(idx).filter(|_| is_mentioned) else {
            return Vec::new();
        };
        self.deletions(idx, |change| {
            for function in self.functions() {
                self.substitute(change, function, idx, text);
            }
        })
    }

    /// Makes a parameter and all arguments for it `()`.
    fn with_unit(&self, idx: usize) -> Vec<EditSet> {
        let mut change = self.program.change();
        for function in self.functions() {
            let Some(parameter) = function.parameters.get(idx) else {
                return Vec::new();
            };
            let Some(ty) = &parameter.ty else {
                return Vec::new();
            };
            if !parameter
                .mentions(self.program)
                .into_iter()
                .all(|at| self.may_be_unit(*at))
            {
                return Vec::new();
            }
            change.replace(ty, "()");
            if !parameter.is_name && self.n_mentions(function, idx) == 0 {
                change.replace(&parameter.pattern, "_");
            }
            self.remove_generics(&mut change, function, idx);
        }
        for place in self.passed(idx) {
            change.replace(&place, "()");
        }
        change.finish().into_iter().collect()
    }

    /// Whether a mention is a value by itself, which may be of any type: no operand, nor what
    /// something is called of.
    fn may_be_unit(&self, at: Position) -> bool {
        let place = name_place(self.program, at);
        self.program.setting(&place).is_free()
    }

    /// Deletes a parameter, and whatever `more` says.
    fn deletions(&self, idx: usize, more: impl Fn(&mut Change<'_>)) -> Vec<EditSet> {
        let deletion = |with_generics: bool| {
            let mut change = self.program.change();
            for function in self.functions() {
                change.remove(&function.parameters.get(idx)?.whole);
                if with_generics {
                    self.remove_generics(&mut change, function, idx);
                }
            }
            for place in self.passed(idx) {
                change.remove(&place);
            }
            more(&mut change);
            change.finish()
        };
        let has_generics = self
            .functions()
            .any(|one| self.generics(one, idx).next().is_some());
        let names_them = self.calls().any(|call| !call.turbofish.is_empty());
        let with_generics = deletion(true);
        let without = (has_generics && names_them)
            .then(|| deletion(false))
            .flatten();
        with_generics.into_iter().chain(without).collect()
    }

    /// Removes the generic parameters that nothing but this parameter mentions: nothing would tell
    /// what they are.
    fn remove_generics(&self, change: &mut Change<'_>, function: &Function, idx: usize) {
        for (generic_idx, generic) in self.generics(function, idx) {
            change.remove(&generic.whole);
            for predicate in &function.predicates {
                if self.mentions(generic).any(|at| at.is_in(predicate)) {
                    change.remove(predicate);
                }
            }
            let turbofish = self
                .calls()
                .filter_map(|call| call.turbofish.get(generic_idx));
            for argument in turbofish {
                change.remove(argument);
            }
        }
    }

    /// Those generic parameters, with their index in a turbofish.
    fn generics<'g>(
        &'g self,
        function: &'g Function,
        idx: usize,
    ) -> impl Iterator<Item = (usize, &'g Generic)> {
        let generics = function.generics.iter().filter(|one| !one.is_lifetime);
        generics.enumerate().filter(move |(_, generic)| {
            let Some(parameter) = function.parameters.get(idx) else {
                return false;
            };
            let is_bound = |at: Position| {
                let mut bounds = function.predicates.iter();
                let mut generics = function.generics.iter();
                bounds.any(|one| at.is_in(one)) || generics.any(|one| at.is_in(&one.whole))
            };
            let is_here = |at: Position| at.is_in(&parameter.whole);
            self.mentions(generic).any(is_here)
                && self.mentions(generic).all(|at| is_here(at) || is_bound(at))
        })
    }

    fn mentions(&self, generic: &Generic) -> impl Iterator<Item = Position> {
        self.program.mentions().of(generic.at).iter().copied()
    }

    /// What all calls pass, if it is the same and means the same everywhere.
    fn common_argument(&self, idx: usize) -> Option<&str> {
        let mut all = self.arguments(idx);
        let first = all.next()?;
        let text = self.program.text(&first.place);
        let is_same = |one: &Expression| self.program.text(&one.place) == text;
        let is_common = first.shape == Shape::Simple && is_constant(text) && all.all(is_same);
        is_common.then_some(text)
    }

    fn substitute(&self, change: &mut Change<'_>, function: &Function, idx: usize, text: &str) {
        let Some(parameter) = function.parameters.get(idx) else {
            return;
        };
        if !parameter.is_name && !parameter.names.is_empty() {
            change.give_up();
        }
        for &&mention in &parameter.mentions(self.program) {
            match substitution(self.program, mention, text) {
                Some(edit) => {
                    change.replace(&Place::new(edit.file, edit.start..edit.end), &edit.text)
                }
                None => change.give_up(),
            };
        }
    }

    fn functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.functions_of(self.family)
    }

    fn calls(&self) -> impl Iterator<Item = &Call> {
        self.functions.calls_of(self.family)
    }

    fn arguments(&self, idx: usize) -> impl Iterator<Item = &Expression> {
        let first = self.functions.first(self.family);
        self.calls()
            .filter_map(move |call| call.argument(first, idx))
    }

    /// The arguments, and the types that stand for them in function pointers.
    fn passed(&self, idx: usize) -> Vec<Place> {
        let has_receiver = self.functions.first(self.family).receiver.is_some();
        let input = idx + usize::from(has_receiver);
        let pointers = self
            .functions
            .pointer_inputs(self.program, self.family, input);
        let arguments = self.arguments(idx).map(|one| one.place.clone());
        arguments.chain(pointers).collect()
    }

    fn n_mentions(&self, function: &Function, idx: usize) -> usize {
        let parameter = function.parameters.get(idx);
        parameter.map_or(0, |one| one.mentions(self.program).len())
    }
}

/// Whether a literal, a path or `()` means the same in other functions, as its spelling tells.
fn is_constant(text: &str) -> bool {
    let last = text.rsplit("::").next().unwrap_or(text).trim_start();
    let is_variable = |first: char| first == '_' || first.is_lowercase();
    !last.starts_with(is_variable) || is_literal(text)
}

fn is_literal(text: &str) -> bool {
    let prefixed = ["b'", "b\"", "c\"", "r\"", "r#\"", "br\"", "br#\""];
    matches!(text, "true" | "false") || prefixed.iter().any(|prefix| text.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_parameter_goes_with_the_arguments_of_all_calls() {
        check(
            &PASS,
            "fn f(a: (), b: u8) -> u8 { b } fn g() { f((), x); f(y(), f((), z)); }",
            &[
                "fn f(b: u8) -> u8 { b } fn g() { f(x); f(f(z)); }",
                "fn f(a: (), b: u8) -> u8 { b } fn g() { f((), x); f((), f((), z)); }",
                "fn f(a: (), b: ()) -> u8 { b } fn g() { f((), ()); f(y(), ()); }",
            ],
        );
    }

    #[test]
    fn methods_called_by_paths_count_the_receiver() {
        check_has(
            &PASS,
            "impl S { fn f(&self, a: u8) { self.0 } } fn g(s: S) { s.f(1); S::f(&s, 2); }",
            "impl S { fn f(&self) { self.0 } } fn g(s: S) { s.f(); S::f(&s); }",
        );
    }

    #[test]
    fn a_trait_and_its_impls_change_together() {
        check_has(
            &PASS,
            "trait T { fn f(a: u8); } impl T for S { fn f(_: u8) {} } fn g() { <S as T>::f(1); }",
            "trait T { fn f(); } impl T for S { fn f() {} } fn g() { <S as T>::f(); }",
        );
    }

    #[test]
    fn a_parameter_of_one_impl_that_is_mentioned_stays_in_all() {
        check(
            &PASS,
            "trait T { fn f(a: u8); } impl T for S { fn f(b: u8) { b } } fn g() { S::f(x); }",
            &[],
        );
    }

    #[test]
    fn what_all_calls_pass_stands_for_the_parameter() {
        check_has(
            &PASS,
            "fn f(a: u8) { h(a, S { a }) } fn g() { f(1); f(1); }",
            "fn f() { h(1, S { a: 1 }) } fn g() { f(); f(); }",
        );
    }

    #[test]
    fn a_variable_of_the_caller_does_not_stand_for_a_parameter() {
        check_not_applicable(&PASS, "fn f(a: u8) { h(a) } fn g(x: u8) { f(x); }");
    }

    #[test]
    fn a_generic_parameter_goes_with_the_only_parameter_of_its_type() {
        check(
            &PASS,
            "fn f<T, U>(a: T) -> U where T: A {} fn g() { f(x); f::<B, C>(x); }",
            &[
                "fn f<U>() -> U {} fn g() { f(); f::<C>(); }",
                "fn f<T, U>() -> U where T: A {} fn g() { f(); f::<B, C>(); }",
                "fn f<U>(a: ()) -> U {} fn g() { f(()); f::<C>(()); }",
            ],
        );
    }

    #[test]
    fn a_parameter_that_is_mentioned_becomes_unit() {
        check(
            &PASS,
            "fn f(a: Vec<T>, b: u8) { h(a); b.c() } fn g() { f(vec(), 1); }",
            &[
                "fn f(a: (), b: u8) { h(a); b.c() } fn g() { f((), 1); }",
                "fn f(a: Vec<T>) { h(a); 1.c() } fn g() { f(vec()); }",
            ],
        );
    }

    #[test]
    fn function_pointers_lose_the_input() {
        check_has(
            &PASS,
            "fn f(a: u8, b: u8) {} fn g() { (f as fn(u8, u16))(1, 2); f(1, 2); }",
            "fn f(a: u8) {} fn g() { (f as fn(u8))(1, 2); f(1); }",
        );
    }

    #[test]
    fn calls_in_macros_change_too() {
        check_has(
            &PASS,
            "fn f(a: u8) {} fn g() { assert!(f(1), \"{}\", x); }",
            "fn f() {} fn g() { assert!(f(), \"{}\", x); }",
        );
    }

    #[test]
    fn a_shadowed_function_keeps_its_calls() {
        check_has(
            &PASS,
            "fn f(a: u8) {} fn g() { f(1); } fn h(f: fn(u8)) { f(1); }",
            "fn f() {} fn g() { f(); } fn h(f: fn(u8)) { f(1); }",
        );
    }

    #[test]
    fn functions_without_parameters_and_closures_stay() {
        check_not_applicable(&PASS, "fn f() { let c = |a| (); c(1); f(); }");
    }
}
