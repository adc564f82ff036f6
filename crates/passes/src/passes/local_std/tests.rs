//! Tests of programs whose items of the standard library become local ones.

use super::*;
use crate::passes::testing::{normalized, single};
use camino::{Utf8Path, Utf8PathBuf};
use std::sync::Arc;

/// Checks what each form of an item makes of a program; layout does not matter.
#[track_caller]
fn check(before: &str, path: &str, after: &[&str]) {
    let sources = single(before);
    let items = std_items(&sources);
    let item = items.iter().find(|item| item.path == path);
    let forms = item.map_or(&[][..], |item| &item.forms);
    let found = forms.iter().map(|edits| edits.apply(&sources));
    let found: Vec<String> = found
        .map(|tree| normalized(tree.text(tree.root())))
        .collect();
    let expected: Vec<String> = after.iter().map(|text| normalized(text)).collect();
    assert_eq!(found, expected, "{path} in `{before}`");
}

/// The first form, or the program as it is.
fn first_form(before: &str, path: &str) -> String {
    let sources = single(before);
    let items = std_items(&sources).into_iter();
    let item = items
        .filter(|item| item.path == path)
        .flat_map(|item| item.forms)
        .next();
    let after = item.map_or(sources.clone(), |edits| edits.apply(&sources));
    normalized(after.text(after.root()))
}

#[track_caller]
fn check_first(before: &str, path: &str, after: &str) {
    assert_eq!(
        first_form(before, path),
        normalized(after),
        "{path} in `{before}`"
    );
}

#[track_caller]
fn check_left_alone(before: &str) {
    let items = std_items(&single(before));
    assert!(items.is_empty(), "`{before}`: {items:?}");
}

#[track_caller]
fn check_names(text: &str, expected: &[&str]) {
    let found = std_names(&single(text));
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_struct_has_the_parameters_that_it_is_given() {
    check(
        "use std::cell::Ref; fn f(x: Ref<u8>) {}",
        "cell::Ref",
        &[
            "struct Ref<T>(T); fn f(x: Ref<u8>) {}",
            "struct Ref<T: ?Sized>(*const T); fn f(x: Ref<u8>) {}",
            "struct Ref<'a, T>(&'a T); fn f(x: Ref<u8>) {}",
        ],
    );
    check_first(
        "fn f<'a>(x: std::cell::Ref<'a, u8>) {}",
        "cell::Ref",
        "struct Ref<'a, T>(&'a T); fn f<'a>(x: Ref<'a, u8>) {}",
    );
    check(
        "fn f(x: String) {}",
        "string::String",
        &["struct LocalString; fn f(x: LocalString) {}"],
    );
    check(
        "fn f(x: Box<dyn A>, y: Box<u8>) {}",
        "boxed::Box",
        &["struct LocalBox<T: ?Sized>(*const T); fn f(x: LocalBox<dyn A>, y: LocalBox<u8>) {}"],
    );
    check_first(
        "use std::array::IntoIter; fn f(x: IntoIter<u8, 3>, y: IntoIter<(), { 1 }>) {}",
        "array::IntoIter",
        "struct IntoIter<T, const N: usize>(T);
         fn f(x: IntoIter<u8, 3>, y: IntoIter<(), { 1 }>) {}",
    );
}

#[test]
fn what_is_called_of_a_struct_is_there() {
    check_first(
        "fn f(x: Vec<u8>) { x.push(1); let n = x.len(); x.first(); Vec::<u8>::new(); }",
        "vec::Vec",
        "struct LocalVec<T>(T); impl<T> LocalVec<T> { fn first(&self) {} \
         fn len(&self) -> usize { loop {} } fn new() -> Self { loop {} } \
         fn push<A0>(&self, _: A0) {} } \
         fn f(x: LocalVec<u8>) { x.push(1); let n = x.len(); x.first(); LocalVec::<u8>::new(); }",
    );
    check_first(
        "fn f(x: Box<u8>) -> Box<u8> { let y = x.foo(1); Box::new(2) }",
        "boxed::Box",
        "struct LocalBox<T>(T); impl<T> LocalBox<T> { fn foo<R, A0>(&self, _: A0) -> R { loop {} } \
         fn new(_: T) -> Self { loop {} } } \
         fn f(x: LocalBox<u8>) -> LocalBox<u8> { let y = x.foo(1); LocalBox::new(2) }",
    );
}

#[test]
fn what_the_crate_defines_is_not_taken_for_a_method_of_a_struct() {
    check_first(
        "struct S; impl S { fn walk(&self) {} } fn f(x: Vec<S>, s: S) { s.walk(); }",
        "vec::Vec",
        "struct LocalVec<T>(T); struct S; impl S { fn walk(&self) {} } \
         fn f(x: LocalVec<S>, s: S) { s.walk(); }",
    );
}

#[test]
fn an_enum_has_the_variants_that_are_named() {
    check(
        "fn f(x: Option<u8>) -> Option<u8> { match x { None => None, Some(y) => Some::<u8>(y) } }",
        "option::Option",
        &[
            "enum LocalOption<T> { None, Some(T) } fn f(x: LocalOption<u8>) -> LocalOption<u8> { match x { \
           LocalOption::None => LocalOption::None, LocalOption::Some(y) => LocalOption::Some::<u8>(y) } }",
        ],
    );
    check(
        "fn f() -> Option<u8> { loop {} }",
        "option::Option",
        &["enum LocalOption<T> { Some(T) } fn f() -> LocalOption<u8> { loop {} }"],
    );
    check(
        "use std::cmp::Ordering::*; fn f(x: std::cmp::Ordering) { Less; }",
        "cmp::Ordering",
        &["use crate::Ordering::*; enum Ordering { Less } fn f(x: Ordering) { Less; }"],
    );
    check(
        "fn f() { std::io::ErrorKind::NotFound; }",
        "io::ErrorKind",
        &["enum ErrorKind { NotFound } fn f() { ErrorKind::NotFound; }"],
    );
}

#[test]
fn a_trait_has_the_members_that_are_named() {
    check(
        "struct S; impl Iterator for S { type Item = u8; fn next(&mut self) -> Option<u8> { f() } }",
        "iter::Iterator",
        &[
            "trait LocalIterator { type Item; fn next(&mut self) -> Option<Self::Item>; } struct S; \
           impl LocalIterator for S { type Item = u8; fn next(&mut self) -> Option<u8> { f() } }",
        ],
    );
    check(
        "fn f<I: Iterator<Item = u8>>(x: I) {}",
        "iter::Iterator",
        &["trait LocalIterator { type Item; } fn f<I: LocalIterator<Item = u8>>(x: I) {}"],
    );
    check_first(
        "use std::ops::Deref; fn f<T: Deref>(x: T::Target) {}",
        "ops::Deref",
        "trait Deref { type Target: ?Sized; } fn f<T: Deref>(x: T::Target) {}",
    );
    check_first(
        "fn f<T: PartialEq>(x: T) { x.eq(&x); }",
        "cmp::PartialEq",
        "trait LocalPartialEq { fn eq(&self, _: &Self) -> bool; } fn f<T: LocalPartialEq>(x: T) { x.eq(&x); }",
    );
    check_first(
        "use std::ops::Add; fn f<T: Add + Add<u8>>(x: T) {}",
        "ops::Add",
        "trait Add<T = Self> {} fn f<T: Add + Add<u8>>(x: T) {}",
    );
}

#[test]
fn a_trait_without_impls_may_hold_for_everything() {
    check(
        "fn f<T: Clone>(x: T) -> T { x.clone() }",
        "clone::Clone",
        &[
            "trait LocalClone { fn clone(&self) -> Self; } fn f<T: LocalClone>(x: T) -> T { x.clone() }",
            "trait LocalClone { fn clone(&self) -> Self; } \
             impl<X> LocalClone for X { fn clone(&self) -> Self { loop {} } } \
             fn f<T: LocalClone>(x: T) -> T { x.clone() }",
        ],
    );
    check(
        "fn f<T: AsRef<str>>() {}",
        "convert::AsRef",
        &[
            "trait LocalAsRef<T: ?Sized> {} fn f<T: LocalAsRef<str>>() {}",
            "trait LocalAsRef<T: ?Sized> {} impl<X: ?Sized, T: ?Sized> LocalAsRef<T> for X {} \
             fn f<T: LocalAsRef<str>>() {}",
        ],
    );
}

#[test]
fn members_that_are_not_known_are_declared_as_an_impl_has_them() {
    check_first(
        "use std::hash::Hasher; struct S;
         impl Hasher for S { const N: u8 = 1; fn finish(&self, (a, b): (S, u8)) -> S { f() } }",
        "hash::Hasher",
        "trait Hasher { const N: u8; fn finish(&self, _: (Self, u8)) -> Self; } struct S; \
         impl Hasher for S { const N: u8 = 1; fn finish(&self, (a, b): (S, u8)) -> S { f() } }",
    );
    check_first(
        "impl std::ops::Rem<u8> for S { type Output = S; fn rem(self, mut x: u8) -> S { f() } }",
        "ops::Rem",
        "trait Rem<T> { type Output; fn rem(self, _: T) -> Self; } \
         impl Rem<u8> for S { type Output = S; fn rem(self, mut x: u8) -> S { f() } }",
    );
}

#[test]
fn imports_go_or_become_those_of_the_local_item() {
    check_first(
        "use std::cell::{Ref, RefCell as Cell}; fn f(x: Ref<u8>, y: Cell<u8>) {}",
        "cell::RefCell",
        "use crate::RefCell as Cell; use std::cell::{Ref}; struct RefCell<T>(T); \
         fn f(x: Ref<u8>, y: Cell<u8>) {}",
    );
    check_first(
        "use std::option::Option::{self, Some as Many}; fn f(x: Option<u8>) { Many(1); }",
        "option::Option",
        "use crate::LocalOption as Option; use crate::LocalOption::Some as Many; \
         enum LocalOption<T> { Some(T) } fn f(x: Option<u8>) { Many(1); }",
    );
    check_first(
        "mod m { use std::rc::Rc; fn f(x: Rc<u8>, y: m!(Rc)) {} } fn g(x: std::rc::Rc<()>) {}",
        "rc::Rc",
        "struct Rc<T>(T); mod m { use crate::Rc; fn f(x: Rc<u8>, y: m!(Rc)) {} } fn g(x: Rc<()>) {}",
    );
    check_first(
        "mod m { #[allow(unused)] pub use std::rc::Rc; } fn g(x: m::Rc) {}",
        "rc::Rc",
        "pub struct Rc; mod m { #[allow(unused)] pub use crate::Rc; } fn g(x: m::Rc) {}",
    );
    check_first(
        "use std::fmt::Write as _; fn f() {}",
        "fmt::Write",
        "use crate::Write as _; struct Write; fn f() {}",
    );
}

#[test]
fn a_path_through_an_imported_module_becomes_a_name() {
    check_first(
        "use std::fmt as f; struct S; impl f::Debug for S {}",
        "fmt::Debug",
        "use std::fmt as f; trait Debug {} struct S; impl Debug for S {}",
    );
    check_first(
        "mod m { use core::rc; fn f(x: rc::Rc<u8>, y: ::std::rc::Rc<u8>) {} }",
        "rc::Rc",
        "struct Rc<T>(T); mod m { use core::rc; fn f(x: crate::Rc<u8>, y: crate::Rc<u8>) {} }",
    );
}

#[test]
fn a_name_that_the_crate_has_for_something_else_is_not_taken() {
    check_left_alone("struct Vec<T>(T); fn f(x: Vec<u8>) {}");
    check_left_alone("fn f<String>(x: String) {}");
    check_left_alone("use other::Option; fn f(x: Option<u8>) {}");
    check_left_alone("mod std { pub mod rc { pub struct Rc; } } fn f(x: std::rc::Rc) {}");
    check_first(
        "struct Ref; fn f(x: std::cell::Ref<u8>) {}",
        "cell::Ref",
        "struct CellRef<T>(T); struct Ref; fn f(x: CellRef<u8>) {}",
    );
    check_first(
        "struct Vec; fn f(x: Vec, y: std::vec::Vec<u8>) {}",
        "vec::Vec",
        "struct LocalVec<T>(T); struct Vec; fn f(x: Vec, y: LocalVec<u8>) {}",
    );
    check_first(
        "use std::fmt::Error; fn f(x: Error, y: std::io::Error) {}",
        "fmt::Error",
        "use crate::FmtError as Error; struct FmtError; fn f(x: Error, y: std::io::Error) {}",
    );
}

#[test]
fn an_item_of_the_prelude_is_not_named_again_once_the_local_one_is_deleted() {
    let text = first_form("fn f(x: Vec<u8>) {}", "vec::Vec");
    let without = text.replace("struct LocalVec < T > ( T ) ;", "");
    assert_ne!(without, text);
    check_names(&without, &[]);
}

#[test]
fn what_only_the_language_can_give_a_meaning_stays() {
    check_left_alone("fn f<T: ?Sized, F: Fn(u8) -> u8>(x: &T, y: F) {}");
    check_left_alone("fn f() { panic!(); vec![1]; drop(1); std::mem::swap(&mut 1, &mut 2); }");
    check_left_alone("#[derive(Clone, Debug)] struct S; m! { Vec<u8> } fn f() { m!(Some(1)) }");
    check_left_alone("const N: u8 = std::u8::MAX; fn f(x: u8, None2: T) {}");
}

#[test]
fn derives_and_macros_are_left_as_they_are() {
    check_first(
        "#[derive(Clone)] struct R; struct S; impl Clone for S { fn clone(&self) -> S { m!(None) } }",
        "clone::Clone",
        "trait LocalClone { fn clone(&self) -> Self; } #[derive(Clone)] struct R; struct S; \
         impl LocalClone for S { fn clone(&self) -> S { m!(None) } }",
    );
}

#[test]
fn names_are_counted_once_however_they_are_written() {
    check_names(
        "fn f(x: Vec<u8>, y: std::vec::Vec<u8>, z: core::vec::Vec<u8>) {}",
        &["vec::Vec"],
    );
    check_names(
        "use std::mem::swap; fn f() { std::mem::take(x); Some(1); }",
        &["mem::swap", "mem::take", "option::Option"],
    );
    check_names(
        "use std::fmt; use std::rc::*; fn f<T: ?Sized>(x: T, y: u8) { println!() }",
        &[],
    );
}

#[test]
fn words_of_the_library_are_those_of_its_roots_and_its_prelude() {
    let text = "use core::fmt; /// Vec\nfn f<T: ?Sized>(x: Option<fmt::Error>) { m!(Ok(\"Box\")) }";
    let words = std_words(&single(text));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(words, ["Ok", "Option", "core"]);
}

#[test]
fn nothing_that_is_no_program_is_touched() {
    for text in [
        "",
        "fn",
        "use std::;",
        "}{",
        "fn f(x: Vec<u8>",
        "use std::rc::Rc;",
    ] {
        let sources = single(text);
        for item in std_items(&sources) {
            item.forms
                .iter()
                .for_each(|edits| drop(edits.apply(&sources)));
        }
    }
    check("use std::rc::Rc;", "rc::Rc", &["struct Rc;"]);
}

#[test]
fn the_definition_stands_in_the_root_of_several_files() {
    let files = [
        ("lib.rs", "mod m; fn f(x: Vec<u8>) {}"),
        (
            "m.rs",
            "use std::rc::Rc; pub fn g(x: Vec<u8>, y: Rc<u8>) {}",
        ),
    ];
    let files = files.map(|(path, text)| (Utf8PathBuf::from(path), Arc::from(text)));
    let sources = SourceTree::from_files(Utf8Path::new("lib.rs"), files).unwrap();
    let after = |path: &str| {
        let items = std_items(&sources);
        let item = items.into_iter().find(|item| item.path == path).unwrap();
        let tree = item.forms[0].apply(&sources);
        let texts = tree.files().map(|(_, _, text)| normalized(text));
        texts.collect::<Vec<_>>()
    };
    let expected = [
        "struct LocalVec<T>(T); mod m; fn f(x: LocalVec<u8>) {}",
        "use std::rc::Rc; pub fn g(x: crate::LocalVec<u8>, y: Rc<u8>) {}",
    ];
    assert_eq!(after("vec::Vec"), expected.map(normalized));
    let expected = [
        "struct Rc<T>(T); mod m; fn f(x: Vec<u8>) {}",
        "use crate::Rc; pub fn g(x: Vec<u8>, y: Rc<u8>) {}",
    ];
    assert_eq!(after("rc::Rc"), expected.map(normalized));
}

#[test]
fn every_form_of_a_large_program_parses_and_names_less() {
    let function = "fn f(x: Vec<Option<u8>>) -> std::rc::Rc<u8> { x.push(Some(1)); Rc::new(1) }\n";
    let text = format!("use std::rc::Rc;\n{}", function.repeat(300));
    let sources = single(&text);
    let n_names = std_names(&sources).len();
    let items = std_items(&sources);
    assert_eq!(items.len(), n_names);
    for edits in items.iter().flat_map(|item| &item.forms) {
        let tree = edits.apply(&sources);
        assert!(reduce_syntax::is_parsable(tree.text(tree.root())));
        assert!(std_names(&tree).len() < n_names);
    }
}
