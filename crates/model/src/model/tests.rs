//! Tests of the meanings of names, case by case: `$0` stands before a name that is looked at, `^`
//! before the names that define what it means.

mod globs;

use super::*;
use camino::Utf8PathBuf;
use std::sync::Arc;

/// The certainty that the answer must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Certain,
    Maybe,
}

/// Reads a marked text: the text, where the name stands, and where its definitions do.
fn marked(text: &str) -> (String, usize, Vec<usize>) {
    let (mut plain, mut name, mut definitions) = (String::new(), None, Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find(['$', '^']) {
        plain.push_str(&rest[..at]);
        if let Some(after) = rest[at..].strip_prefix("$0") {
            name = Some(plain.len());
            rest = after;
        } else if let Some(after) = rest[at..].strip_prefix('^') {
            definitions.push(plain.len());
            rest = after;
        } else {
            plain.push('$');
            rest = &rest[at + 1..];
        }
    }
    plain.push_str(rest);
    (plain, name.expect("a name is marked by `$0`"), definitions)
}

fn resolved(files: &[(&str, &str)]) -> (Model, Resolution, Vec<Position>) {
    let mut sources: Option<SourceTree> = None;
    let (mut name, mut expected) = (None, Vec::new());
    for (path, text) in files {
        let has_name = text.contains("$0");
        let with_name = if has_name {
            (*text).to_owned()
        } else {
            format!("{text}$0")
        };
        let (plain, at, definitions) = marked(&with_name);
        let (path, plain) = (Utf8PathBuf::from(*path), Arc::from(plain));
        let file = match &mut sources {
            None => sources.insert(SourceTree::single(path, plain)).root(),
            Some(tree) => tree.add(path, plain),
        };
        if has_name {
            name = Some(Position::new(file, at));
        }
        expected.extend(definitions.into_iter().map(|at| Position::new(file, at)));
    }
    let model = Model::new(&sources.expect("there is a file"));
    let word = model
        .word_at(name.expect("a name is marked"))
        .expect("it is a word");
    let resolution = model.resolve(word);
    (model, resolution, expected)
}

#[track_caller]
fn check_as(how: How, files: &[(&str, &str)]) {
    let (model, resolution, expected) = resolved(files);
    let found: Vec<DefId> = match (&resolution, how) {
        (Resolution::Certain(def), How::Certain) => vec![*def],
        (Resolution::Maybe(defs), How::Maybe) => defs.clone(),
        _ => panic!("{resolution:?} for {files:?}"),
    };
    let found: Vec<Position> = found
        .iter()
        .map(|&def| model.definition(def).name)
        .collect();
    assert_eq!(found, expected, "{files:?}");
}

/// The name means the marked definition, and that is certain.
#[track_caller]
fn check(text: &str) {
    check_as(How::Certain, &[("lib.rs", text)]);
}

/// The name may mean the marked definitions.
#[track_caller]
fn check_maybe(text: &str) {
    check_as(How::Maybe, &[("lib.rs", text)]);
}

#[track_caller]
fn check_is(text: &str, expected: &Resolution) {
    let (_, resolution, _) = resolved(&[("lib.rs", text)]);
    assert_eq!(resolution, *expected, "{text}");
}

#[track_caller]
fn check_outside(text: &str) {
    check_is(text, &Resolution::Outside);
}

#[test]
fn a_definition_means_itself() {
    check("fn $0^f() {}");
    check("struct $0^S;");
}

#[test]
fn items_are_visible_in_their_module_and_not_in_those_in_it() {
    check("fn ^f() {} fn g() { $0f() }");
    check("fn f() {} mod m { fn ^f() {} fn g() { $0f() } }");
    check_is("fn f() {} mod m { fn g() { $0f() } }", &Resolution::Unknown);
    check("fn ^f() {} mod m { fn g() { super::$0f() } }");
    check("mod a { pub mod b { pub fn ^f() {} } } fn g() { a::b::$0f() }");
    check("mod a { pub mod ^b { pub fn f() {} } } fn g() { a::$0b::f() }");
    check("mod a { pub fn ^f() {} } mod c { fn g() { crate::a::$0f() } }");
}

#[test]
fn types_and_values_are_apart() {
    check("struct ^x {} fn x() {} fn g(a: $0x) {}");
    check("struct x {} fn ^x() {} fn g() { $0x() }");
    check("mod ^m { pub fn m() {} } fn m() {} fn g() { $0m::m() }");
    check("struct ^S(u8); fn g() -> S { $0S(1) }");
}

#[test]
fn variables_shadow_each_other_and_items() {
    check("fn x() {} fn g() { let ^x = 1; $0x; }");
    check("fn g() { let ^x = 1; let x = $0x; x; }");
    check("fn g() { let x = 1; let ^x = x; $0x; }");
    check("fn g() { let ^x = 1; { let x = 2; } $0x; }");
    check("fn g(^x: u8) { let y = || $0x; }");
    check("fn g(x: u8) { let y = |^x: u8| $0x; }");
    check("fn ^x() {} fn g(x: u8) { fn h() { $0x; } }");
}

#[test]
fn variables_of_conditions_and_arms_end_with_them() {
    check("fn g(o: Option<u8>) { if let Some(^x) = o { $0x; } }");
    check_is(
        "fn g(o: Option<u8>) { if let Some(x) = o {} else { $0x; } }",
        &Resolution::Unknown,
    );
    check("fn g(x: Option<u8>) { while let Some(^x) = x { $0x; } }");
    check("fn g(^x: Option<u8>) { while let Some(x) = $0x {} }");
    check("fn g(o: Option<u8>) { match o { Some(^x) if $0x > 1 => {} _ => {} } }");
    check("fn g(x: Option<u8>) { match x { Some(^x) => $0x, _ => 0 }; }");
    check("fn g(a: A) { for (^x, y) in a { $0x; } }");
    check("fn g(a: Option<u8>) { let Some(^x) = a else { return }; $0x; }");
    check("fn g(a: Option<u8>) { if let Some(^x) = a && $0x > 1 {} }");
}

#[test]
fn alternatives_of_a_pattern_have_the_same_variables() {
    check("fn g(e: E) { match e { E::A(^x) | E::B(x) => $0x, }; }");
    check("fn g(e: E) { match e { E::A(^x) | E::B($0x) => 1, }; }");
}

#[test]
fn capital_names_in_patterns_are_no_variables() {
    check("const ^K: u8 = 1; fn g(x: u8) { match x { $0K => {} _ => {} } }");
    check("enum E { ^A } use E::*; fn g(x: E) { match x { $0A => {} } }");
}

#[test]
fn imports_lead_to_what_they_bring() {
    check("mod m { pub fn ^f() {} } use m::f; fn g() { $0f() }");
    check("mod m { pub fn ^f() {} } use m::$0f;");
    check("mod m { pub fn ^f() {} } use m::f as h; fn g() { $0h() }");
    check("mod m { pub fn ^f() {} } use m::f as $0h;");
    check("mod m { pub fn ^f() {} } use m::{self as n, f}; fn g() { n::$0f() }");
    check("mod ^m { pub fn f() {} } use m::{$0self as n};");
    check("mod a { pub use self::b::f; mod b { pub fn ^f() {} } } fn g() { a::$0f() }");
    check("mod m { pub fn ^f() {} } fn g() { use m::f; $0f() }");
    check_outside("use std::mem::swap; fn g() { $0swap() }");
    check_outside("use std::mem; fn g() { mem::$0swap() }");
}

#[test]
fn globs_are_weaker_than_what_has_a_name() {
    check("mod m { pub fn ^f() {} } use m::*; fn g() { $0f() }");
    check("mod m { pub fn f() {} } use m::*; fn ^f() {} fn g() { $0f() }");
    check(
        "mod a { pub use crate::b::*; } mod b { pub use crate::a::*; pub fn ^f() {} } use a::*; fn g() { $0f() }",
    );
    check("fn ^f() {} mod m { use super::*; fn g() { $0f() } }");
    check("use std::collections::*; struct ^S; fn g(a: $0S) {}");
    check_outside("use std::collections::*; fn g(a: $0HashMap) {}");
    check("enum E { ^A, B } mod m { use super::E::*; fn g() { $0A; } }");
}

#[test]
fn generic_parameters_are_visible_in_their_item() {
    check("fn f<^T>(a: $0T) {}");
    check("struct T; fn f<^T>(a: $0T) {}");
    check("impl<^T> S<$0T> {}");
    check("impl<^T> S<T> { fn f(a: $0T) {} }");
    check("struct ^T; fn f<T>(a: T) { fn g(a: $0T) {} }");
    check("struct S<^T: Tr>(T) where $0T: Clone;");
    check("fn f<const ^N: usize>() -> [u8; $0N] { todo!() }");
    check("struct A<const N: usize>; fn f<const ^N: usize>(a: A<$0N>) {}");
    check("trait Tr { type X<^U>: Into<$0U>; }");
}

#[test]
fn lifetimes_and_labels_have_names_of_their_own() {
    check("fn f<^'a>(x: &$0'a u8) {}");
    check("fn f(g: impl for<^'a> Fn(&$0'a u8)) {}");
    check("impl<^'a> S<'a> { fn f(&$0'a self) {} }");
    check("fn f() { ^'a: loop { break $0'a; } }");
    check("fn f<'a>(x: &'a u8) { ^'a: loop { continue $0'a; } }");
    check_outside("fn f(x: &$0'static u8) {}");
}

#[test]
fn variants_and_associated_items_are_found_through_their_type() {
    check("enum E { ^A } fn g() { E::$0A; }");
    check("enum E { A } impl E { fn ^new() {} } fn g() { E::$0new(); }");
    check(
        "struct S; impl S { fn ^new() {} } struct T; impl T { fn new() {} } fn g() { S::$0new(); }",
    );
    check("struct S; impl S { fn ^new() {} fn g() { Self::$0new(); } }");
    check("enum E { ^A } impl E { fn g() { Self::$0A; } }");
    check("enum E { ^A } type F = E; fn g() { F::$0A; }");
    check("struct S; impl Default for S { fn ^default() {} } fn g() { S::$0default(); }");
    check("trait Tr { fn ^f(); } fn g<T: Tr>() { T::$0f(); }");
    check("trait Tr { type ^X; } fn g<T: Tr>(a: T::$0X) {}");
    check("trait Tr { type ^X; } fn g<T>(a: <T as Tr>::$0X) {}");
    check("trait Tr { type ^X; } fn g<T>() where T: Tr<$0X = u8> {}");
    check("trait Up { fn ^f(); } trait Tr: Up {} fn g<T: Tr>() { T::$0f(); }");
    check("trait Tr { type ^X; fn f(a: Self::$0X); }");
}

#[test]
fn members_that_may_be_of_other_types_are_not_certain() {
    check_maybe("trait Tr { fn ^f(); } fn g() { u8::$0f(); }");
    check_maybe("struct S; impl S { fn ^f(&self) {} } fn g(a: A) { a.$0f(); }");
    check_maybe(
        "struct S<T>(T); impl S<u8> { fn ^f() {} } impl S<u16> { fn ^f() {} } fn g() { S::$0f(); }",
    );
}

#[test]
fn fields_are_those_of_the_named_struct() {
    check("struct S { ^a: u8 } struct T { a: u8 } fn g() { S { $0a: 1 }; }");
    check("struct S { ^a: u8 } fn g(S { $0a: b }: S) {}");
    check("enum E { V { ^a: u8 } } fn g(e: E) { match e { E::V { $0a: b } => {} } }");
    check("struct S { a: u8 } fn g(S { ^a }: S) { $0a; }");
    check("struct S { a: u8 } fn g(^a: u8) { S { $0a }; }");
    check("struct S { ^a: u8 } impl S { fn g() { Self { $0a: 1 }; } }");
}

#[test]
fn shorthand_fields_have_two_meanings() {
    let text = "struct S { a: u8 } fn g(a: u8) { S { $0a }; }";
    let (plain, at, _) = marked(text);
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(plain));
    let model = Model::new(&sources);
    let word = model.word_at(Position::new(sources.root(), at)).unwrap();
    let Resolution::Certain(field) = model.field(word) else {
        panic!("the field is certain");
    };
    assert_eq!(
        model.definition(field).name,
        Position::new(sources.root(), text.find('a').unwrap())
    );
}

#[test]
fn arguments_of_known_macros_are_expressions() {
    check("fn g() { let ^x = 1; println!(\"{}\", $0x); }");
    check("fn g() { let ^x = 1; println!(\"{$0x}\"); }");
    check("fn g(o: Option<u8>) { matches!(o, Some(^x) if $0x > 1); }");
    check(
        "struct S; fn g() { vec![$0^S]; }"
            .replace("$0^S", "$0S")
            .replace("struct S", "struct ^S")
            .as_str(),
    );
    check_maybe("macro_rules! m { ($a:expr) => {} } fn g() { let ^x = 1; m!($0x); }");
    check_maybe("fn g<^T>() { m!($0T); }");
}

#[test]
fn macros_are_found_by_their_name() {
    check("macro_rules! ^m { () => {} } fn g() { $0m!(); }");
    check("mod a { macro_rules! ^m { () => {} } fn g() { $0m!(); } }");
    check(
        "macro_rules! ^m { () => {} } mod a { fn g() { crate::$0m!(); } }"
            .replace("macro_rules", "#[macro_export] macro_rules")
            .as_str(),
    );
    check_outside("fn g() { $0println!(); }");
}

#[test]
fn what_macros_may_make_is_unknown() {
    check_is("make! {} fn g() { $0f(); }", &Resolution::Unknown);
    check_outside("make! {} fn g(a: $0Option<u8>) {}");
    check_is("make! {} fn g() { Made::$0f(); }", &Resolution::Unknown);
    check_outside("make! {} fn g() { serde::$0f(); }");
    check_is("make! {} $0Made! {}", &Resolution::Unknown);
    check_is(
        "make! {} trait Tr: Made { fn f() -> Self::$0X; }",
        &Resolution::Unknown,
    );
    check("make! {} fn ^f() {} fn g() { $0f(); }");
}

#[test]
fn two_definitions_of_a_name_are_not_certain() {
    check_maybe("#[cfg(a)] fn ^f() {} #[cfg(b)] fn ^f() {} fn g() { $0f(); }");
}

#[test]
fn raw_names_are_the_same_as_plain_ones() {
    check("fn ^r#try() {} fn g() { $0r#try(); }");
}

#[test]
fn modules_in_files_are_followed() {
    check_as(
        How::Certain,
        &[
            ("src/lib.rs", "mod a; fn g() { a::b::$0f(); }"),
            ("src/a.rs", "pub mod b;"),
            ("src/a/b.rs", "pub fn ^f() {}"),
        ],
    );
    check_as(
        How::Certain,
        &[
            ("src/lib.rs", "mod a; pub struct ^S;"),
            ("src/a.rs", "use super::S; fn f(a: $0S) {}"),
        ],
    );
}

#[test]
fn names_of_the_language_and_the_prelude_are_outside() {
    check_outside("fn f(a: $0u8) {}");
    check_outside("fn f(a: $0Vec<u8>) {}");
    check_outside("fn f() { $0Some(1); }");
    check("enum Option { ^Some } use Option::*; fn f() { $0Some(1); }");
    check_outside("fn f() { std::mem::$0swap(); }");
}

#[test]
fn a_capital_name_that_nothing_has_is_a_variable() {
    check("fn g() { let ^S2 = 1; $0S2; }");
    check("fn g(^E: [u8; 2]) { $0E; }");
    check("fn g(x: u8) { match x { $0^K => {} } }");
    check_outside("fn g(x: Option<u8>) { match x { $0None => {} _ => {} } }");
    check("struct ^U; fn g(x: U) { match x { $0U => {} } }");
}

#[test]
fn binders_are_visible_in_what_they_bind() {
    check("fn f(g: impl for<^T> Fn($0T)) {}");
    check("fn f() where for<^T> Array<$0T>: Copy {}");
    check("fn f() { for<^'a> || -> () { let _: &$0'a u8 = &1; }; }");
}

#[test]
fn fields_and_methods_of_known_types_are_certain() {
    check("struct S { ^a: u8 } struct T { a: u8 } impl S { fn f(&self) { self.$0a; } }");
    check("struct S { ^a: u8 } struct T { a: u8 } fn f(s: &S) { s.$0a; }");
    check("struct S { ^a: u8 } struct T { a: u8 } fn f() { let s: S = g(); s.$0a; }");
    check("struct S { ^a: u8 } struct T { a: u8 } fn f() { let s = S { a: 1 }; s.$0a; }");
    check("struct S { t: T } struct T { ^a: u8 } fn f(s: S) { s.t.$0a; }");
    check("struct S { t: Box<T> } struct T { ^a: u8 } fn f(s: S) { s.t.$0a; }");
    check(
        "struct S; impl S { fn ^f(&self) {} } struct T; impl T { fn f(&self) {} } fn g(s: S) { s.$0f(); }",
    );
    check(
        "struct S; impl S { fn new() -> Self { S } fn ^f(&self) {} } struct T; impl T { fn f(&self) {} } fn g() { S::new().$0f(); }",
    );
    check(
        "struct S(u8); impl S { fn ^f(&self) {} } trait T { fn f(&self); } fn g() { let s = S(1); s.$0f(); }",
    );
    check(
        "trait T { fn ^f(&self); } struct S; impl S { fn f(&self) {} } fn g(t: &dyn T) { t.$0f(); }",
    );
    check(
        "trait T { fn ^f(&self); } struct S; impl S { fn f(&self) {} } fn g<U: T>(u: U) { u.$0f(); }",
    );
    check(
        "trait T { fn ^f(&self); fn g(&self) { self.$0f(); } } struct S; impl S { fn f(&self) {} }",
    );
    check_outside("struct S; impl S { fn len(&self) {} } fn g(s: Vec<u8>) { s.$0len(); }");
    check_maybe("trait T { fn ^f(&self); } fn g(s: Vec<u8>) { s.$0f(); }");
    check_maybe("struct S { ^a: u8 } enum E { V { a: u8 } } fn g() { h().$0a; }");
    check("struct S; impl S { fn ^f(&self) {} } impl Tr for &S { fn g(self) { self.$0f(); } }");
    check_maybe("struct S; impl S { fn ^f(&self) {} } fn g(s: Guard<S>) { s.$0f(); }");
    check_outside("struct S(t::Trie<u8>); impl S { fn get(&self) { self.0.$0get() } }");
    check_outside(
        "struct E; struct S(t::Trie<String, E>); impl S { fn get(&self) { self.0.$0get() } }",
    );
    check_maybe(
        "struct E; impl E { fn ^get(&self) {} } struct S(t::Trie<String, Box<E>>); impl S { fn f(&self) { self.0.$0get() } }",
    );
    check_maybe(
        "struct S; impl S { fn ^f(&self) {} } fn g(s: impl DerefMut<Target = S>) { s.$0f(); }",
    );
    check_is(
        "make! {} fn g(s: Vec<u8>) { s.$0f(); }",
        &Resolution::Unknown,
    );
}

#[test]
fn the_file_of_a_module_may_depend_on_the_configuration() {
    check_as(
        How::Maybe,
        &[
            (
                "lib.rs",
                "#[cfg_attr(a, path = \"x.rs\")] #[cfg_attr(b, path = \"y.rs\")] mod m; fn g() { m::$0f(); }",
            ),
            ("x.rs", "pub fn ^f() {}"),
            ("y.rs", "pub fn ^f() {}"),
        ],
    );
}

#[test]
fn a_trait_that_a_configuration_chooses_makes_its_members_uncertain() {
    check_maybe(
        "#[cfg(a)] mod m { pub use std::alloc::Tr; } #[cfg(b)] mod m { pub trait Tr { fn ^f(&self); } } \
         use m::Tr; fn g<T: Tr>(t: T) { t.$0f(); }",
    );
}

/// Two structs, so that a field `a` is certain only where the type is.
const TWO: &str = "struct S { ^a: u8 } struct T { a: u8 }";

#[track_caller]
fn check_first(function: &str) {
    check(&format!("{TWO} {function}"));
}

#[test]
fn what_holds_values_tells_their_type() {
    check_first("fn f(s: Option<S>) { s.unwrap().$0a; }");
    check_first("fn f(s: Result<S, u8>) -> Option<u8> { Some(s.ok()?.$0a) }");
    check_first("fn f(s: &[S]) { s[0].$0a; }");
    check_first("fn f(s: &[S]) { s[1..][0].$0a; }");
    check_first("fn f(s: Vec<S>) { s.iter().rev().next().unwrap().$0a; }");
    check_first("fn f(s: Vec<S>) { for one in &s { one.$0a; } }");
    check_first("fn f(s: Vec<S>) { for (idx, one) in s.iter().enumerate() { one.$0a; } }");
    check_first(
        "fn f(s: Vec<Option<S>>) { for one in s.into_iter().map(|s| s.unwrap()) { one.$0a; } }",
    );
    check_first("fn f(s: Vec<S>) { s.iter().filter(|s| s.$0a > 1); }");
    check_first("fn f(s: impl Iterator<Item = S>) { s.for_each(|s| s.$0a); }");
    check_first("fn f(s: *const S) { (*s).$0a; }");
    check_first("fn f(mut s: Option<S>) { std::mem::take(&mut s).unwrap().$0a; }");
    check_outside("struct S; impl S { fn len(&self) {} } fn g(s: Vec<S>) { s.$0len(); }");
    check_maybe("struct S { ^a: u8 } struct T { ^a: u8 } fn f(s: Cell<S>) { s.get().$0a; }");
}

#[test]
fn patterns_tell_the_types_of_their_variables() {
    check_first("fn f(s: Option<S>) { if let Some(s) = s { s.$0a; } }");
    check_first("fn f(s: Option<S>) { let Some(s) = s else { return }; s.$0a; }");
    check_first("fn f(s: Option<S>) { match s { Some(s) if s.$0a > 1 => {} _ => {} } }");
    check_first("fn f((s, t): (S, T)) { s.$0a; }");
    check_first("struct U(T, S); fn f(U(t, s): U) { s.$0a; }");
    check_first("enum E { V(S) } fn f(e: &E) { match e { E::V(s) => s.$0a }; }");
    check_first("struct U { t: T, s: S } fn f(u: U) { let U { s, t } = u; s.$0a; }");
    check_first("struct U { s: S } fn f(U { s: x @ S { .. } }: U) { x.$0a; }");
}

#[test]
fn branches_and_parts_have_types() {
    check_first("fn f(t: bool, s: S) { (if t { return } else { s }).$0a; }");
    check_first("fn f(t: bool, s: S) { let s = match t { true => s, false => panic!() }; s.$0a; }");
    check_first("fn f(s: (T, S)) { s.1.$0a; }");
    check_first("struct U(S); fn f(u: U) { u.0.$0a; }");
    check_first("fn f(s: *const u8) { unsafe { &*(s as *const S) }.$0a; }");
}

#[test]
fn parameters_of_types_stand_for_their_arguments() {
    check_first("struct U<X> { x: X } fn f(u: U<S>) { u.x.$0a; }");
    check_first(
        "struct U<X> { x: X } impl<Y> U<Y> { fn x(self) -> Y { self.x } } fn f(u: U<S>) { u.x().$0a; }",
    );
    check_first("fn same<X>(x: X) -> X { x } fn f(s: S) { same(s).$0a; }");
    check_first("struct U<X>(X); fn f(s: S) { U(s).0.$0a; }");
    check_first("type V<X> = Option<X>; fn f(s: V<S>) { s.unwrap().$0a; }");
    check(
        "trait Tr { fn ^f(&self); } struct U<X> { x: X } impl<Y: Tr> U<Y> { fn g(&self) { self.x.$0f(); } } \
         struct S; impl S { fn f(&self) {} }",
    );
    check_maybe(
        "struct U<X> { x: X } struct S; impl S { fn ^f(&self) {} } fn g(u: U<A>) { u.x.$0f(); }",
    );
}

#[test]
fn associated_types_are_those_of_their_impl() {
    check_first(
        "struct I; impl Iterator for I { type Item = S; } fn f(i: I) { for s in i { s.$0a; } }",
    );
    check_first("struct U; impl Deref for U { type Target = S; } fn f(u: U) { u.$0a; }");
    check(
        "struct S; impl S { fn ^f(&self) {} } struct U<X>(X); impl<X> Deref for U<X> { type Target = X; } \
         fn g(u: U<S>) { u.$0f(); } struct V; impl V { fn f(&self) {} }",
    );
    check_is(
        "struct U; impl Deref for U { type Target = A; } fn g(u: U) { u.$0f(); }",
        &Resolution::Unknown,
    );
    check(
        "trait Tr { fn ^f(&self); } trait Up { type X: Tr; } fn g<U: Up>(x: U::X) { x.$0f(); } \
         struct V; impl V { fn f(&self) {} }",
    );
}

#[test]
fn an_impl_for_a_reference_may_have_methods_before_those_behind_it() {
    check_maybe(
        "struct S; impl S { fn ^f(&self) {} } trait Tr { fn f(&self); fn g(&self); } \
         impl Tr for &S { fn f(&self) {} fn g(&self) { self.$0f(); } }",
    );
}

#[test]
fn a_definition_alone_is_the_only_one_that_may_be_meant() {
    let (one, other) = (DefId::new(1), DefId::new(2));
    assert_eq!(Resolution::Certain(one).only(), Some(one));
    assert_eq!(Resolution::Maybe(vec![one]).only(), Some(one));
    assert_eq!(Resolution::Maybe(vec![one, other]).only(), None);
    assert_eq!(Resolution::Outside.only(), None);
}

#[test]
fn a_path_that_begins_with_colons_may_begin_in_the_root() {
    check_maybe("mod ^sound { pub fn heard() {} } fn f() { ::$0sound::heard(); }");
    check_maybe("mod sound { pub fn ^heard() {} } fn f() { ::sound::$0heard(); }");
    check_outside("mod sound {} fn f() { ::$0std::process::exit(1); }");
}

#[test]
fn a_member_that_cannot_be_read_is_not_outside() {
    let text = "trait T { fn loud(&self, u32); fn all(&self) { self.$0loud(1); } }";
    check_is(text, &Resolution::Unknown);
}

#[test]
fn a_module_reaches_from_its_first_token_to_its_last_one() {
    for module in [
        "mod m { fn f() {} }",
        "pub mod m {}",
        "pub(crate) mod m { #![allow(unused)] fn f() {} }",
        "/// Words.\n#[cfg(all())] pub mod m { mod n {} }",
        "unsafe mod m {}",
        "#[path = \"n.rs\"] pub mod m;",
    ] {
        let text = format!("fn before() {{}} {module} fn after() {{}}");
        let model = Model::new(&SourceTree::single("lib.rs".into(), Arc::from(text)));
        let mut definitions = model.definitions().map(|(_, one)| one);
        let found = definitions.find(|one| one.kind == DefKind::Module && one.parent.is_some());
        let whole = &found.expect("there is a module").whole;
        assert_eq!(model.text_at(whole), module);
    }
}
