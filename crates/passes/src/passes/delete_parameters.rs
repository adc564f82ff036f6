//! `delete_parameters`: a parameter goes from all functions of one signature, with the argument of
//! all calls. Where the bodies mention it, they mention the argument instead if all calls pass the
//! same. Where it tells what a generic parameter is, a turbofish does. If it must stay, its type and the arguments become `()`. Receivers go too.

mod receivers;
mod turbofish;

use super::functions::{Family, Function, Functions, Parameter, Shape, name_place, substitution};
use super::generics::{is_lifetime, last_name, position_of};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program};
use crate::visit::{self, At, Node};
use reduce_model::{DefKind, Position, Resolution};
use reduce_syntax::EditSet;
use std::collections::HashMap;
use syn::{Expr, GenericParam, Type, TypeFnPtr};

pub(super) const PASS: Pass = Pass {
    name: "delete_parameters",
    about: "Deletes a parameter with the argument of all calls, or makes both `()`",
    example: (
        "fn f(a: u8, b: u8) -> u8 { b } fn g() { f(1, 2); }",
        "fn f(b: u8) -> u8 { b } fn g() { f(2); }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

/// Functions that become pointers, as in `f as fn(T)`, by the positions of their names, with the pointers' types.
type Pointers<'p> = HashMap<Position, (At<'p>, &'p TypeFnPtr)>;

fn changes(program: &Program) -> Vec<EditSet> {
    let pointers = pointers(program);
    let mut found = Vec::new();
    for family in &Functions::of(program).families {
        let one = Signature {
            program,
            pointers: &pointers,
            family,
        };
        if family.first().signature.is_none() {
            continue;
        }
        found.extend(receivers::changes(&one));
        for idx in 0..family.first().parameters.len() {
            found.extend(one.without_mentions(idx));
            found.extend(one.with_the_argument(idx));
            found.extend(one.with_unit(idx));
            found.extend(turbofish::change(&one, idx));
        }
    }
    found
}

fn pointers(program: &Program) -> Pointers<'_> {
    let mut found = Pointers::new();
    visit::each_also_in_macros(program, |at, node| {
        if let Node::Expr(Expr::Cast(cast)) = node
            && let (Expr::Path(function), Type::FnPtr(pointer)) = (&*cast.expr, &*cast.ty)
            && let Some(name) = last_name(&function.path)
        {
            found.insert(at.position(name), (at, pointer));
        }
    });
    found
}

/// All functions and calls of one signature.
struct Signature<'f, 'p> {
    program: &'p Program,
    pointers: &'f Pointers<'p>,
    family: &'f Family<'p>,
}

impl<'p> Signature<'_, 'p> {
    /// Whether the inputs are written in one list alone, that of a single function without calls, which another pass shortens.
    fn is_one_list(&self) -> bool {
        self.family.functions.len() == 1 && self.family.calls.is_empty()
    }

    /// Deletes a parameter that no body mentions.
    fn without_mentions(&self, idx: usize) -> Vec<EditSet> {
        if self.is_one_list() || self.is_mentioned(idx) {
            return Vec::new();
        }
        self.deletions(idx, |_| {})
    }

    /// Deletes a parameter for which all calls pass the same argument, which stands for it in the bodies.
    fn with_the_argument(&self, idx: usize) -> Vec<EditSet> {
        let text = self.common_argument(idx);
        let Some(text) = text.filter(|_| self.is_mentioned(idx)) else {
            return Vec::new();
        };
        self.deletions(idx, |change| {
            for mention in self
                .parameters(idx)
                .flat_map(|one| one.mentions(self.program))
            {
                match substitution(self.program, mention, text) {
                    Some((place, text)) => change.replace(&place, &text),
                    None => change.give_up(),
                };
            }
        })
    }

    /// Makes a parameter and all arguments for it `()`.
    fn with_unit(&self, idx: usize) -> Option<EditSet> {
        let mut change = self.program.change();
        for function in &self.family.functions {
            let parameter = function.parameters.get(idx)?;
            let mentions = parameter.mentions(self.program);
            if !mentions.iter().all(|&at| self.may_be_unit(at)) {
                return None;
            }
            change.replace(&function.at.place(parameter.ty?), "()");
            if parameter.name().is_none() && mentions.is_empty() {
                change.replace(&function.at.place(parameter.pattern), "_");
            }
            self.remove_generics(&mut change, function, idx);
        }
        for place in self.passed(idx) {
            change.replace(&place, "()");
        }
        change.finish()
    }

    /// Whether a mention is a value by itself, which may be of any type: no operand, and no receiver of a call.
    fn may_be_unit(&self, at: Position) -> bool {
        let place = name_place(self.program, at);
        self.program.expression_context(&place).is_free()
    }

    /// Deletes a parameter with its arguments, and makes the further changes that `more` adds.
    fn deletions(&self, idx: usize, more: impl Fn(&mut Change<'_>)) -> Vec<EditSet> {
        let deletion = |with_generics: bool| {
            let mut change = self.program.change();
            for function in &self.family.functions {
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
        let mut functions = self.family.functions.iter();
        let has_generics = functions.any(|one| !self.generics(one, idx).is_empty());
        let names_them = self
            .family
            .calls
            .iter()
            .any(|call| call.turbofish().next().is_some());
        let without = (has_generics && names_them).then(|| deletion(false));
        deletion(true)
            .into_iter()
            .chain(without.flatten())
            .collect()
    }

    /// Removes the generic parameters that nothing but this parameter mentions: nothing would tell
    /// what they are.
    fn remove_generics(&self, change: &mut Change<'_>, function: &Function<'p>, idx: usize) {
        for (generic_idx, generic) in self.generics(function, idx) {
            change.remove(&function.at.place(generic));
            for predicate in function.predicates() {
                let predicate = function.at.place(predicate);
                if self
                    .mentions(function, generic)
                    .iter()
                    .any(|at| at.is_in(&predicate))
                {
                    change.remove(&predicate);
                }
            }
            for call in &self.family.calls {
                if let Some(argument) = call.turbofish().nth(generic_idx) {
                    change.remove(&call.at.place(argument));
                }
            }
        }
    }

    /// Returns the generic parameters that only this parameter mentions, with their indices in a turbofish.
    fn generics(&self, function: &Function<'p>, idx: usize) -> Vec<(usize, &'p GenericParam)> {
        let Some(parameter) = function.parameters.get(idx) else {
            return Vec::new();
        };
        let predicates = function.predicates().map(|one| function.at.place(one));
        let generics = function.generics().map(|one| function.at.place(one));
        let bounds: Vec<Place> = predicates.chain(generics).collect();
        let is_ours = |generic: &GenericParam| {
            let mentions = self.mentions(function, generic);
            let (here, others): (Vec<_>, Vec<_>) =
                mentions.iter().partition(|at| at.is_in(&parameter.whole));
            let is_bound = |at: &Position| bounds.iter().any(|one| at.is_in(one));
            !here.is_empty() && others.into_iter().all(is_bound)
        };
        let generics = function.generics().filter(|one| !is_lifetime(one));
        generics
            .enumerate()
            .filter(|(_, one)| is_ours(one))
            .collect()
    }

    fn mentions(&self, function: &Function<'_>, generic: &GenericParam) -> &'p [Position] {
        self.program
            .mentions()
            .of(position_of(function.at.file, generic))
    }

    /// Returns the argument that all calls pass, if it is the same and means the same everywhere.
    fn common_argument(&self, idx: usize) -> Option<&'p str> {
        let mut all = self.arguments(idx);
        let (at, first) = all.next()?;
        let text = at.text(first);
        let is_common = Shape::of(first) == Shape::Simple
            && self.is_constant(at, first)
            && all.all(|(at, one)| at.text(one) == text);
        is_common.then_some(text)
    }

    /// Whether a literal, a path or `()` means the same in other functions.
    fn is_constant(&self, at: At<'_>, argument: &Expr) -> bool {
        let Expr::Path(path) = argument else {
            return true;
        };
        let model = self.program.model();
        let head = path.path.segments.first();
        let meant = head.map(|head| model.resolve_at(at.position(&head.ident)));
        let is_item = |def| {
            let kind = model.definition(def).kind;
            !matches!(
                kind,
                DefKind::Variable | DefKind::TypeParameter | DefKind::ConstParameter
            )
        };
        match meant.unwrap_or(Resolution::Unknown) {
            Resolution::Certain(def) => is_item(def),
            Resolution::Outside => true,
            Resolution::Maybe(_) | Resolution::Unknown => false,
        }
    }

    fn arguments(&self, idx: usize) -> impl Iterator<Item = (At<'p>, &'p Expr)> {
        let first = self.family.first();
        let calls = self.family.calls.iter();
        calls.filter_map(move |call| Some((call.at, call.argument(first, idx)?)))
    }

    /// Returns the places of the arguments for the parameter at an index, and of its type in function pointers.
    fn passed(&self, idx: usize) -> Vec<Place> {
        let input = idx + usize::from(self.family.first().receiver().is_some());
        let pointers = self.family.mentions.iter().filter_map(|name| {
            let (at, pointer) = self.pointers.get(name)?;
            Some(at.place(pointer.inputs.get(input)?))
        });
        let arguments = self.arguments(idx).map(|(at, one)| at.place(one));
        arguments.chain(pointers).collect()
    }

    fn parameters(&self, idx: usize) -> impl Iterator<Item = &Parameter<'p>> {
        let functions = self.family.functions.iter();
        functions.filter_map(move |one| one.parameters.get(idx))
    }

    fn is_mentioned(&self, idx: usize) -> bool {
        let mut parameters = self.parameters(idx);
        parameters.any(|one| !one.mentions(self.program).is_empty())
    }
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
    fn a_turbofish_says_what_a_parameter_told() {
        check_has(
            &PASS,
            "fn f<const N: usize>(a: [u8; N]) -> [u8; N + 0] { g() } fn h() { f([]); }",
            "fn f<const N: usize>() -> [u8; N + 0] { g() } fn h() { f::<0>(); }",
        );
        check_has(
            &PASS,
            "fn f<'a, T, U: A, const N: bool>(a: &'a B<T, N>, b: U) -> [T; N] { g(b) } fn h() { f(&x(), 1); }",
            "fn f<'a, T, U: A, const N: bool>(b: U) -> [T; N] { g(b) } fn h() { f::<u8, _, true>(1); }",
        );
        check_has(
            &PASS,
            "impl S { fn f<T>(&self, a: T) -> Vec<T> { g() } } fn h(s: S) { s.f(1 + 1); }",
            "impl S { fn f<T>(&self) -> Vec<T> { g() } } fn h(s: S) { s.f::<u8>(); }",
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
