//! `replace_types`: replaces all mentions of a type by something simpler at once, so that the program no longer
//! depends on it; if the program defines the type, the definition goes.

mod definitions;
mod parameters;
mod strings;
mod texts;
mod values;
mod wrappers;

use super::data::Data;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::Program;
use reduce_syntax::EditSet;

pub(super) const PASS: Pass = Pass {
    name: "replace_types",
    about: "Replaces types by `()`, by what is in them or by `u8`, everywhere or with their values",
    example: (
        "struct S(u8); fn f(s: S) -> u8 { S(1); s.0 }",
        "fn f(s: u8) -> u8 { 1; s }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let definitions = definitions::changes(program, &data);
    let parameters = parameters::changes(program);
    let texts = texts::changes(program);
    let values = values::changes(program, &data);
    let strings = strings::changes(program);
    let wrappers = wrappers::changes(program);
    [definitions, parameters, texts, wrappers, values, strings].concat()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{apply, check, check_has, check_not_applicable, single};
    use super::PASS;

    #[test]
    fn a_struct_becomes_an_empty_tuple_with_its_impls_gone() {
        check_has(
            &PASS,
            "struct S { a: u8 } impl S { fn f() -> Self { loop {} } } impl T for S {} fn g(S { .. }: S, b: &S) { S { a: 1 }; }",
            "fn g(_: (), b: &()) { (); }",
        );
        check_has(
            &PASS,
            "struct S; impl S { fn f() {} } impl T for S { fn g() -> Self { S } } fn g(s: S) { S::g() }",
            "impl T for () { fn g() -> Self { () } } fn g(s: ()) { <()>::g() }",
        );
    }

    #[test]
    fn a_newtype_becomes_what_is_in_it() {
        check_has(
            &PASS,
            "struct S<T> { a: Vec<T> } fn f(S { a: x }: S<u8>, s: S<bool>) { s.a.len(); S { a: x + 1 }.f(); }",
            "fn f(x: Vec<u8>, s: Vec<bool>) { s.len(); (x + 1).f(); }",
        );
    }

    #[test]
    fn a_newtype_becomes_what_is_in_it_without_its_impls() {
        check_has(
            &PASS,
            "struct S<'a>(Iter<'a, u8>); impl Iterator for S<'_> { type Item = u8; fn next(&mut self) -> Option<u8> { None } } \
             fn f(_: &()) -> S { loop {} } fn g(x: S<'static>) {}",
            "fn f(_: &()) -> Iter<'_, u8> { loop {} } fn g(x: Iter<'static, u8>) {}",
        );
    }

    #[test]
    fn a_generic_struct_of_several_fields_becomes_a_tuple() {
        check_has(
            &PASS,
            "struct S<F, I>(F, I); impl<F, I> Tr for S<F, I> {}",
            "impl<F, I> Tr for (F, I) {}",
        );
        check_has(
            &PASS,
            "struct S<'a, T> where T: B { a: &'a T, b: Vec<T> } \
             impl<T> Tr for S<'_, T> { fn f(self) -> Self { let Self { a, b: c } = self; Self { a, b: c } } } \
             fn g(s: &S<'_, u8>) { s.b.len(); S::<u8>::f(S { a: s.a, b: vec![] }); }",
            "impl<T> Tr for (&'_ T, Vec<T>) { fn f(self) -> Self { let (a, c) = self; (a, c) } } \
             fn g(s: &(&'_ u8, Vec<u8>)) { s.1.len(); <(&'_ u8, Vec<u8>)>::f((s.0, vec![])); }",
        );
    }

    #[test]
    fn a_struct_that_no_tuple_can_stand_for_stays_one() {
        for before in [
            "struct S<F>(F, u8); impl<F> S<F> { fn f() {} } impl<F> Tr for S<F> {}",
            "struct S<F>(F, u8); impl<F> Tr for S<F> {} fn f() { g(S) }",
            "struct S<F> { a: F, b: u8 } impl<F> Tr for S<F> {} fn f(x: S<u8>) { let S { a, .. } = x; }",
            "struct S(u8, u8); impl Tr for S {}",
        ] {
            let after = apply(&PASS, &single(before));
            assert!(
                after.iter().all(|text| !text.contains("for ( F , u8 )")),
                "{after:#?}"
            );
            assert!(
                after.iter().all(|text| !text.contains("for ( u8 , u8 )")),
                "{after:#?}"
            );
        }
    }

    #[test]
    fn an_associated_type_becomes_an_empty_tuple_with_the_signatures_that_say_it() {
        check_has(
            &PASS,
            "impl<I> Tr for I { type A<'a> = I; async fn f(_: Self::A<'_>) -> I { loop {} } }",
            "impl<I> Tr for I { type A<'a> = (); async fn f(_: Self::A<'_>) {} }",
        );
        check_has(
            &PASS,
            "impl<I> Tr for I { type A = Vec<I>; fn f(x: Vec<I>, y: u8) { h(x) } fn g() -> Vec<I> { loop {} } }",
            "impl<I> Tr for I { type A = (); fn f(x: (), y: u8) { h(x) } fn g() {} }",
        );
    }

    #[test]
    fn an_associated_type_stays_where_its_values_are_made() {
        for before in [
            "impl<I> Tr for I { type A = I; fn f(x: u8) -> I { g(x) } }",
            "impl<I> Tr for I { type A = I; fn f(_: ()) {} }",
            "impl<I> I { type A = I; fn f(_: u8) -> I { loop {} } }",
        ] {
            let after = apply(&PASS, &single(before));
            assert!(
                after
                    .iter()
                    .all(|text| !text.contains("for I { type A = ( )")),
                "{after:#?}"
            );
        }
    }

    #[test]
    fn an_iterator_becomes_an_empty_one() {
        check_has(
            &PASS,
            "struct S<'a, T>(&'a T, u8); impl<'h> Iterator for S<'h, u8> { type Item = &'h (); fn next(&mut self) -> Option<&'h ()> { None } } \
             fn f(x: &str) -> S<u8> { S(&1, 2) } fn g(S(x, ..): S<'static, u8>) {}",
            "fn f(x: &str) -> std::iter::Empty<&'_ ()> { std::iter::empty() } fn g(_: std::iter::Empty<&'static ()>) {}",
        );
        check_has(
            &PASS,
            "enum E { A } impl Iterator for E { type Item = u8; fn next(&mut self) -> Option<u8> { None } } fn f(_: E) {}",
            "fn f(_: std::iter::Empty<u8>) {}",
        );
    }

    #[test]
    fn owned_strings_become_literals() {
        let before = "struct S(String, Vec<String>); fn f(m: M<String, u8>, a: &str) -> String { m.put(\"a\".to_string(), 1); \
            m.put(\"b\".to_owned(), g(\"c\".into())); m.put(a.to_string(), 2); S(String::from(\"d\"), vec![String::new()]); }";
        check_has(
            &PASS,
            before,
            "struct S(&'static str, Vec<&'static str>); fn f(m: M<&'static str, u8>, a: &'static str) -> &'static str { m.put(\"a\", 1); \
             m.put(\"b\", g(\"c\")); m.put(a, 2); S(\"d\", vec![\"\"]); }",
        );
        check_has(
            &PASS,
            before,
            "struct S(&'static str, Vec<&'static str>); fn f(m: M<&'static str, u8>, a: &str) -> &'static str { m.put(\"a\", 1); \
             m.put(\"b\", g(\"c\")); m.put(a.to_string(), 2); S(\"d\", vec![\"\"]); }",
        );
        check_has(
            &PASS,
            before,
            "struct S(String, Vec<String>); fn f(m: M<String, u8>, a: &str) -> String { m.put(\"a\", 1); \
             m.put(\"b\", g(\"c\".into())); m.put(a.to_string(), 2); S(String::from(\"d\"), vec![String::new()]); }",
        );
    }

    #[test]
    fn an_enum_becomes_an_empty_tuple() {
        check_has(
            &PASS,
            "use E::A; enum E<T> { A, B(T) } impl<T> F for E<T> {} fn f(e: E<u8>) { E::B(1); A; E::<u8>::A; }",
            "impl F for () {} fn f(e: ()) { (); (); (); }",
        );
    }

    #[test]
    fn a_parameter_of_a_function_becomes_an_empty_tuple() {
        check(
            &PASS,
            "fn f<T: A, U>(x: T) -> U where T: B { f::<T, U>(x); T::g() }",
            &[
                "fn f<U>(x: ()) -> U where (): B { f::<U>(x); <()>::g() }",
                "fn f<T: A>(x: T) -> () where T: B { f::<T>(x); T::g() }",
            ],
        );
    }

    #[test]
    fn a_parameter_of_a_struct_or_trait_goes_with_its_arguments() {
        check_has(
            &PASS,
            "struct S<'a, T>(&'a T); fn f(s: S<'static, u8>, t: S<u8>) {}",
            "struct S<'a>(&'a ()); fn f(s: S<'static>, t: S) {}",
        );
        check_has(
            &PASS,
            "trait A<T> { fn f(t: T); } impl A<u8> for u8 { fn f(t: u8) {} }",
            "trait A { fn f(t: ()); } impl A for u8 { fn f(t: u8) {} }",
        );
    }

    #[test]
    fn a_type_that_stands_twice_is_replaced_everywhere() {
        check(
            &PASS,
            "fn f(x: Vec<u32>, y: Vec<u32>) {}",
            &[
                "fn f(x: (), y: ()) {}",
                "fn f(x: u8, y: u8) {}",
                "fn f(x: u32, y: u32) {}",
                "fn f(x: Vec<u8>, y: Vec<u8>) {}",
            ],
        );
        check_has(
            &PASS,
            "fn f<'a>(x: &'a [u8; 3], y: &'a [u8; 3]) {}",
            "fn f<'a>(x: [u8; 3], y: [u8; 3]) {}",
        );
    }

    #[test]
    fn types_that_are_made_alike_become_what_they_are_made_of() {
        let before = "impl<T> A for (u8, Vec<T>) {} fn f() where (u8, Vec<()>): A {}";
        check_has(
            &PASS,
            before,
            "impl<T> A for Vec<T> {} fn f() where Vec<()>: A {}",
        );
        check_has(
            &PASS,
            before,
            "impl<T> A for (u8, T) {} fn f() where (u8, ()): A {}",
        );
        check_has(&PASS, before, "impl<T> A for u8 {} fn f() where u8: A {}");
        check_has(
            &PASS,
            "impl<'a, T> A for &'a T {} fn f(_: std::rc::Rc<&()>) where &'static u16: A {}",
            "impl<'a, T> A for T {} fn f(_: std::rc::Rc<()>) where u16: A {}",
        );
    }

    #[test]
    fn a_name_is_replaced_even_if_it_stands_once() {
        check(&PASS, "fn f(x: usize) {}", &["fn f(x: u8) {}"]);
    }

    #[test]
    fn a_variable_changes_with_its_value() {
        check(
            &PASS,
            "fn f() { let x: Vec<u8> = Vec::new(); let y = 1; let z: u8 = 2; }",
            &["fn f() { let x = (); let y = 1; let z: u8 = 2; }"],
        );
    }

    #[test]
    fn a_constant_changes_with_its_value() {
        check(
            &PASS,
            "const C: Vec<u8> = Vec::new(); static S: () = f(); const D: u8 = 1;",
            &["const C: () = (); static S: () = f(); const D: u8 = 1;"],
        );
    }

    #[test]
    fn a_field_changes_with_its_values() {
        check_has(
            &PASS,
            "struct S { a: Vec<u8>, b: u8 } fn f() { S { a: vec![], b: 1 }; }",
            "struct S { a: (), b: u8 } fn f() { S { a: (), b: 1 }; }",
        );
        check_has(
            &PASS,
            "enum E { V(Vec<u8>), W } fn f(x: u8) { E::V(g(x)); }",
            "enum E { V(()), W } fn f(x: u8) { E::V(()); }",
        );
    }

    #[test]
    fn a_return_type_goes_with_what_is_returned() {
        check(
            &PASS,
            "fn f(x: A) -> u8 { if x { return 1; } || { return 2 }; 3 }",
            &["fn f(x: A) { if x { return; } || { return 2 }; }"],
        );
    }

    #[test]
    fn small_types_stay() {
        check_not_applicable(&PASS, "fn f(x: u8, y: ()) -> u8 { let x: u8 = 1; x }");
    }
}
