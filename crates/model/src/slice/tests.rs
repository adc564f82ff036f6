//! Slices of small programs.

mod by_compiler;
mod callers;
mod growing;
mod imports;
mod parts;
mod with_bodies;

use super::*;
use camino::Utf8PathBuf;
use reduce_syntax::{EditSet, SourceTree};
use std::sync::Arc;

const NARROW: SliceWidth = SliceWidth {
    body_distance: 0,
    users: 0,
    with_imports: false,
};

#[track_caller]
fn check(text: &str, seed: &str, body_distance: usize, expected: &str) {
    let width = SliceWidth {
        body_distance,
        users: 0,
        with_imports: false,
    };
    check_width(text, seed, width, expected);
}

#[track_caller]
fn check_width(text: &str, seed: &str, width: SliceWidth, expected: &str) {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let seeds = [Seed::Name(seed.to_owned())];
    let edits = Model::new(&sources)
        .slice(&seeds, width)
        .expect("the seed is there");
    check_edited(&sources, Some(&edits), expected);
}

#[track_caller]
fn check_edited(sources: &SourceTree, edits: Option<&EditSet>, expected: &str) {
    let edited = edits.map_or_else(|| sources.clone(), |edits| edits.apply(sources));
    let print = |text: &str| reduce_syntax::pretty(text).expect("parses");
    assert_eq!(print(edited.text(edited.root())), print(expected));
}

#[test]
fn what_no_path_leads_to_goes() {
    check(
        "struct A(B); struct B; struct C; fn f(a: A) { g() } fn g() {} fn h() {}",
        "f",
        0,
        "struct A(B); struct B; fn f(a: A) { g() } fn g() { loop {} }",
    );
}

#[test]
fn bodies_far_from_the_seed_are_emptied_and_do_not_count() {
    let text = "fn f() { g() } fn g() { h() } fn h() { i() } fn i() {}";
    check(text, "f", 0, "fn f() { g() } fn g() { loop {} }");
    check(
        text,
        "f",
        1,
        "fn f() { g() } fn g() { h() } fn h() { loop {} }",
    );
}

#[test]
fn users_of_the_seed_are_seeds_too() {
    let width = SliceWidth {
        body_distance: 0,
        users: 1,
        with_imports: false,
    };
    check_width(
        "fn f<T>() {} fn g() { f::<u8>() } fn h() { g() } fn i() {}",
        "f",
        width,
        "fn f<T>() {} fn g() { f::<u8>() }",
    );
}

#[test]
fn an_impl_stays_with_its_trait_and_type() {
    check(
        "trait T { fn t(); fn u() {} } struct S; struct R; impl T for S { fn t() {} } \
         impl T for R { fn t() {} } fn f(s: S) where S: T {}",
        "f",
        0,
        "trait T { fn t(); } struct S; impl T for S { fn t() { loop {} } } \
         fn f(s: S) where S: T {}",
    );
}

#[test]
fn methods_of_inherent_impls_stay_if_they_are_mentioned() {
    check(
        "struct S; impl S { fn new() -> S { S } fn other() {} } fn f() { S::new(); }",
        "f",
        0,
        "struct S; impl S { fn new() -> S { loop {} } } fn f() { S::new(); }",
    );
}

#[test]
fn a_method_call_reaches_the_trait_that_has_the_method() {
    check(
        "trait T { fn t(&self); } trait U { fn u(&self); } fn f<X>(x: X) { x.t(); }",
        "f",
        0,
        "trait T { fn t(&self); } fn f<X>(x: X) { x.t(); }",
    );
}

#[test]
fn imports_stay_if_their_name_is_mentioned_and_their_module_stays() {
    check(
        "mod a { pub struct A; pub struct B; } mod c { pub struct C; } use a::{A, B}; \
         use c::C; use std::fmt; fn f(a: A) {}",
        "f",
        0,
        "mod a { pub struct A; } use a::{A}; fn f(a: A) {}",
    );
}

#[test]
fn an_extern_crate_stays_for_the_imports() {
    check(
        "extern crate alloc; use alloc::vec::Vec; fn f(a: Vec<u8>) {}",
        "f",
        0,
        "extern crate alloc; use alloc::vec::Vec; fn f(a: Vec<u8>) {}",
    );
}

#[test]
fn a_position_names_the_innermost_definition() {
    let text = "mod m {\n    fn f() { g() }\n    fn g() {}\n}\nfn h() {}\n";
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let seeds = [Seed::Position(sources.root(), 3, 5)];
    let sliced = Model::new(&sources)
        .slice(&seeds, NARROW)
        .expect("found")
        .apply(&sources);
    let print = |text: &str| reduce_syntax::pretty(text).expect("parses");
    assert_eq!(
        print(sliced.text(sliced.root())),
        print("mod m { fn g() {} }")
    );
}

#[test]
fn a_seed_that_names_nothing_gives_no_slice() {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from("fn f() {}"));
    assert!(
        Model::new(&sources)
            .slice(&[Seed::Name("g".to_owned())], NARROW)
            .is_none()
    );
}

#[test]
fn imports_keep_what_their_paths_name() {
    check(
        "fn a(_: S) {} use self::imp::S; use sse as imp; use neon as other; \
         mod sse { pub struct S; } mod neon {}",
        "a",
        0,
        "fn a(_: S) {} use self::imp::S; use sse as imp; mod sse { pub struct S; }",
    );
    check(
        "fn a(_: m::S) {} mod m { pub use crate::n::*; } mod n { pub struct S; }",
        "a",
        0,
        "fn a(_: m::S) {} mod m { pub use crate::n::*; } mod n { pub struct S; }",
    );
    check(
        "fn a(_: m::Write) {} mod m { use crate::lib::*; } mod other { use crate::none::*; } \
         mod lib { pub use self::own::fmt::{Read, Write}; mod own { pub use std::*; } } \
         mod none { pub use std::fmt::Debug as None; }",
        "a",
        0,
        "fn a(_: m::Write) {} mod m { use crate::lib::*; } \
         mod lib { pub use self::own::fmt::{Write}; mod own { pub use std::*; } }",
    );
}

#[test]
fn a_slice_within_a_module_keeps_what_is_outside_and_what_that_reaches() {
    let text = "mod m { pub struct S; pub struct T; pub fn f() { g() } fn g() {} } \
                fn a() { m::f() } fn b(_: m::S) {}";
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let model = Model::new(&sources);
    let module = 0..text.find("fn a").expect("it is there");
    let sliced = |distance: usize| {
        let edits = model.slice_within(
            &Place::new(sources.root(), module.clone()),
            &[],
            distance,
            Unnamed::Members,
        );
        reduce_syntax::pretty(edits.apply(&sources).text(sources.root())).expect("parses")
    };
    let outside = "fn a() { m::f() } fn b(_: m::S) {}";
    let near = format!("mod m {{ pub struct S; pub fn f() {{ loop {{}} }} }} {outside}");
    assert_eq!(Some(sliced(0)), reduce_syntax::pretty(&near));
    let far =
        format!("mod m {{ pub struct S; pub fn f() {{ g() }} fn g() {{ loop {{}} }} }} {outside}");
    assert_eq!(Some(sliced(1)), reduce_syntax::pretty(&far));
}

#[test]
fn a_slice_within_a_module_keeps_the_functions_that_are_seeds() {
    let text =
        "mod m { pub fn f() { loop {} } fn g() { h() } fn h() {} fn i() {} } fn a() { m::f() }";
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let model = Model::new(&sources);
    let place = Place::new(sources.root(), 0..text.find("fn a").expect("it is there"));
    let column = text.find("h()").expect("it is there") + 1;
    let seeds = [Seed::Position(sources.root(), 1, column)];
    let edits = model.slice_within(&place, &seeds, 1, Unnamed::Members);
    let sliced = reduce_syntax::pretty(edits.apply(&sources).text(sources.root())).expect("parses");
    let expected = text.replace("fn i() {} ", "");
    assert_eq!(Some(sliced), reduce_syntax::pretty(&expected));
}

#[test]
fn impls_for_types_of_others_stay_if_the_type_is_named_or_all_do() {
    let text = "mod m { pub trait T {} impl T for Vec<u8> {} impl T for str {} impl<U> T for &U {} \
                impl T for dyn Local {} trait Local {} } fn a(_: impl m::T, _: Vec<u8>) {}";
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let model = Model::new(&sources);
    let module = 0..text.find("fn a").expect("it is there");
    let place = &Place::new(sources.root(), module.clone());
    let n_impls = |unnamed| {
        let edits = model.slice_within(place, &[], 0, unnamed);
        let sliced = edits.apply(&sources);
        sliced.text(sliced.root()).matches("impl T").count()
            + sliced.text(sliced.root()).matches("impl<U> T").count()
    };
    assert_eq!(n_impls(Unnamed::Members), 2);
    assert_eq!(n_impls(Unnamed::All), 3);
}

#[test]
fn members_of_own_traits_stay_if_they_are_named_or_all_do() {
    let text = "mod m { pub trait T { type A; type B; fn f(&self); fn g(&self) -> Self::A; } \
                impl T for S { type A = u8; type B = u8; fn f(&self) {} fn g(&self) -> u8 { 0 } } \
                pub struct S; impl Clone for S { fn clone(&self) -> S { S } } } \
                fn a(x: m::S) { x.g() }";
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let model = Model::new(&sources);
    let module = 0..text.find("fn a").expect("it is there");
    let edits = model.slice_within(
        &Place::new(sources.root(), module.clone()),
        &[],
        0,
        Unnamed::Neither,
    );
    let sliced = reduce_syntax::pretty(edits.apply(&sources).text(sources.root())).expect("parses");
    let expected = "mod m { pub trait T { type A; fn g(&self) -> Self::A; } \
                    impl T for S { type A = u8; fn g(&self) -> u8 { loop {} } } \
                    pub struct S; impl Clone for S { fn clone(&self) -> S { loop {} } } } \
                    fn a(x: m::S) { x.g() }";
    assert_eq!(Some(sliced), reduce_syntax::pretty(expected));
}

#[test]
fn imports_of_others_stay_where_they_are_wanted() {
    let text = "mod m { use other::{Ext as _, Used, Idle}; use super::Own; pub fn a(x: Used) { 0.ext() } } \
                struct Own; use std::fmt;";
    let width = SliceWidth {
        with_imports: true,
        ..NARROW
    };
    let all =
        "mod m { use other::{Ext as _, Used, Idle}; pub fn a(x: Used) { 0.ext() } } use std::fmt;";
    check_width(text, "a", width, all);
    check(
        text,
        "a",
        0,
        "mod m { use other::{Used}; pub fn a(x: Used) { 0.ext() } }",
    );
}

#[test]
fn a_block_of_foreign_items_stays_for_those_that_are_named() {
    check(
        "extern \"C\" { fn f(); fn g(); static S: u8; } unsafe extern \"C\" { fn h(); } \
         fn a() { f(S) }",
        "a",
        0,
        "extern \"C\" { fn f(); static S: u8; } fn a() { f(S) }",
    );
}

#[test]
fn a_macro_call_stays_for_what_it_defines() {
    check(
        "lazy_static! { pub static ref S: T = v(); } make! { pub trait A: B { fn f(&self); } } \
         make! { struct C; } struct T; fn a() { S.f() }",
        "a",
        0,
        "lazy_static! { pub static ref S: T = v(); } make! { pub trait A: B { fn f(&self); } } \
         struct T; fn a() { S.f() }",
    );
}

#[test]
fn a_macro_call_that_defines_nothing_stays_for_the_types_in_it() {
    check(
        "id!(Node, u32); impl_all! { (T, Bell); self.x => Option } Graph! { delegate [[G], &G] } \
         id!(Vec, Idle); fn a(_: Node, _: Option<Bell>, _: Vec<Graph>) {}",
        "a",
        0,
        "id!(Node, u32); impl_all! { (T, Bell); self.x => Option } Graph! { delegate [[G], &G] } \
         fn a(_: Node, _: Option<Bell>, _: Vec<Graph>) {}",
    );
}

#[test]
fn a_macro_call_stays_for_the_types_of_the_impls_that_it_makes() {
    let makers = "macro_rules! m { ($($t:ty),*) => { $( impl Index<$t> for Slice { } )* } } \
                  macro_rules! n { ($t:ty) => { impl Bell {} impl A for $t {} } }";
    let text = format!("{makers} struct Slice; m!(u8); n!(u8); fn a(_: Slice) {{}}");
    let kept = "macro_rules! m { ($($t:ty),*) => { $( impl Index<$t> for Slice { } )* } } \
                struct Slice; m!(u8); fn a(_: Slice) {}";
    check(&text, "a", 0, kept);
}

#[test]
fn an_unnamed_constant_stays_if_something_unnamed_is_mentioned() {
    let text = "const _: () = { use b::C; }; fn a() { let _ = 0; } fn d() {}";
    let kept = "const _: () = { use b::C; }; fn a() { let _ = 0; }";
    check(text, "a", 0, kept);
    check(text, "d", 0, "fn d() {}");
}

#[test]
fn an_impl_is_of_the_first_type_behind_references_and_brackets() {
    let text = "trait T {} struct A; struct B; struct C; fn a(_: A, _: impl T) {} \
                impl<'a> T for &'a [A] {} impl T for *const B {} impl<X> T for X {} \
                impl T for Box<C> {} impl T for dyn D {} trait D {}";
    let kept = "trait T {} struct A; struct C; fn a(_: A, _: impl T) {} impl<'a> T for &'a [A] {} \
                impl<X> T for X {} impl T for Box<C> {}";
    check(text, "a", 0, kept);
}

#[test]
fn a_name_after_a_dot_means_no_item_but_a_member() {
    check(
        "fn seed(a: S) { a.len(); a.width; m!(a.count()); free() } fn len() {} fn width() {} \
         fn count() {} fn free() {} struct S { width: u8 } impl S { fn len(&self) {} fn other(&self) {} }",
        "seed",
        0,
        "fn seed(a: S) { a.len(); a.width; m!(a.count()); free() } fn free() { loop {} } \
         struct S { width: u8 } impl S { fn len(&self) { loop {} } }",
    );
}

/// The program with only what the places marked by `§` need in their bodies.
#[track_caller]
fn check_statements(text: &str, end: BodyEnd, expected: &str) {
    let marks: Vec<usize> = text.match_indices('§').map(|(at, _)| at).collect();
    let plain = text.replace('§', "");
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(plain));
    let seeds = marks.iter().enumerate().map(|(n, at)| {
        let column = at - n * '§'.len_utf8() + 1;
        Seed::Position(sources.root(), 1, column)
    });
    let seeds: Vec<Seed> = seeds.collect();
    let edits = Model::new(&sources).keep_statements(&seeds, end);
    check_edited(&sources, edits.as_ref(), expected);
}

#[test]
fn of_a_body_those_statements_stay_that_the_marked_ones_need() {
    check_statements(
        "fn f(v: S) -> u8 { let a = 1; let b = g(a); let c = 2; take(v); §h(b, c); use_it(a); §v.x }",
        BodyEnd::Loops,
        "fn f(v: S) -> u8 { let a = 1; let b = g(a); let c = 2; h(b, c); v.x }",
    );
}

#[test]
fn the_end_of_a_body_loops_or_stays() {
    let text = "fn f(a: u8) -> u8 { let b = a; let c = 2; §g(b); h(c) }";
    let loops = "fn f(a: u8) -> u8 { let b = a; g(b); loop {} }";
    check_statements(text, BodyEnd::Loops, loops);
    let stays = "fn f(a: u8) -> u8 { let b = a; let c = 2; g(b); h(c) }";
    check_statements(text, BodyEnd::Stays, stays);
    let returned = "fn f(a: u8) -> u8 { §g(a); return 1; }";
    let loops = "fn f(a: u8) -> u8 { g(a); loop {} }";
    check_statements(returned, BodyEnd::Loops, loops);
    let nothing = "fn f(a: u8) { §g(a); h(a) }";
    check_statements(nothing, BodyEnd::Loops, "fn f(a: u8) { g(a); }");
}

#[test]
fn what_is_around_a_statement_stays_without_the_others_in_it() {
    check_statements(
        "fn f(v: V) { let n = 1; for x in v.iter() { g(x); if x > n { h(); §k(x) } else { h(); 2 } } }",
        BodyEnd::Loops,
        "fn f(v: V) { let n = 1; for x in v.iter() { if x > n { k(x) } else { 2 } } }",
    );
}

#[test]
fn bodies_without_a_mark_stay() {
    let text = "fn f() { §g(); h(); } fn k() { a(); b(); }";
    let expected = "fn f() { g(); } fn k() { a(); b(); }";
    check_statements(text, BodyEnd::Loops, expected);
    check_statements(
        "struct §S; fn f() { g(); }",
        BodyEnd::Loops,
        "struct S; fn f() { g(); }",
    );
}

#[track_caller]
fn check_fields(text: &str, expected: &str) {
    check_fields_but(&[], text, expected);
}

#[track_caller]
fn check_fields_but(seeds: &[Seed], text: &str, expected: &str) {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let edits = Model::new(&sources).unnamed_fields(seeds);
    check_edited(&sources, edits.as_ref(), expected);
}

#[test]
fn fields_of_seeds_stay() {
    check_fields_but(
        &[Seed::Path(vec!["S".to_owned()])],
        "#[derive(Reads)] struct S { a: u8 } struct T { a: u8 } fn f(_: S, _: T) {}",
        "#[derive(Reads)] struct S { a: u8 } struct T { } fn f(_: S, _: T) {}",
    );
}

#[test]
fn fields_and_variants_that_nothing_names_go() {
    check_fields(
        "struct S { a: u8, b: A, c: B, d: C } enum E { F, G(u8), H { x: u8 } }
         fn f(s: S, b: u8) { s.a; let S { c, .. } = s; S { d, ..s }; E::F; b; }",
        "struct S { a: u8, c: B, d: C } enum E { F }
         fn f(s: S, b: u8) { s.a; let S { c, .. } = s; S { d, ..s }; E::F; b; }",
    );
}

#[test]
fn a_field_that_uses_a_parameter_stays() {
    let text = "struct S<'a, T> { a: &'a u8, b: Vec<T>, c: u8 }";
    check_fields(text, "struct S<'a, T> { a: &'a u8, b: Vec<T> }");
    check_fields("struct S(u8, B);", "struct S(u8, B);");
}

#[test]
fn the_variant_that_is_the_default_stays() {
    check_fields(
        "#[derive(Default)] enum E { #[default] F, G }",
        "#[derive(Default)] enum E { #[default] F, }",
    );
}

#[test]
fn a_union_and_an_enum_with_a_layout_are_not_left_empty() {
    check_fields(
        "union U { a: u8, b: u16 } #[repr(u8)] enum E { F, G } enum H { I } fn f(u: U, e: E, h: H) {}",
        "union U { a: u8 } #[repr(u8)] enum E { F } enum H {} fn f(u: U, e: E, h: H) {}",
    );
    check_fields(
        "union U { a: u8, b: u16 } fn f(u: U) { u.b; }",
        "union U { b: u16 } fn f(u: U) { u.b; }",
    );
}
