//! Names that are certainly unresolved, and each reason for which one may not be.

use super::*;
use camino::{Utf8Path, Utf8PathBuf};

fn single(text: &str) -> SourceTree {
    SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text))
}

fn inspect(before: &str, after: &str) -> Inspection {
    inspect_beside(&[], before, after)
}

/// Inspects a change of a file beside dependencies of these names.
fn inspect_beside(outside: &[&str], before: &str, after: &str) -> Inspection {
    let mut tree = single(before);
    let outside = Outside {
        names: outside.iter().map(|name| (*name).to_owned()).collect(),
        compiles_tests: false,
    };
    let names = ResolvedNames::new(&tree, &outside);
    tree.set_text(tree.root(), Arc::from(after));
    names.inspect(&tree)
}

/// `text` without what stands between `<<` and `>>` lacks a name.
fn unresolved(text: &str, name: &str) {
    let (before, after) = before_and_after(text);
    let expected = Inspection::Unresolved(name.to_owned());
    assert_eq!(inspect(&before, &after), expected, "{after}");
}

/// Inspects a change of a file of which the functions with `#[test]` are compiled.
fn inspect_test(text: &str) -> Inspection {
    let (before, after) = before_and_after(text);
    let mut tree = single(&before);
    let outside = Outside {
        compiles_tests: true,
        ..Outside::default()
    };
    let names = ResolvedNames::new(&tree, &outside);
    tree.set_text(tree.root(), Arc::from(after));
    names.inspect(&tree)
}

/// `text` without what stands between `<<` and `>>` may compile.
fn plausible(text: &str) {
    let (before, after) = before_and_after(text);
    assert_eq!(inspect(&before, &after), Inspection::Plausible, "{after}");
}

fn before_and_after(text: &str) -> (String, String) {
    let (start, rest) = text.split_once("<<").unwrap();
    let (gone, end) = rest.split_once(">>").unwrap();
    (format!("{start}{gone}{end}"), format!("{start} {end}"))
}

#[test]
fn items_that_are_still_mentioned_cannot_go() {
    unresolved("<<struct S;>> fn f(_: S) {}", "S");
    unresolved("<<trait T {}>> impl T for u8 {}", "T");
    unresolved("<<fn f() {}>> fn g() { f() }", "f");
    unresolved("<<const C: u8 = 1;>> fn g(a: [u8; C]) {}", "C");
    unresolved("<<mod m { pub fn f() {} }>> fn g() { m::f() }", "m");
    unresolved("mod m { <<pub fn f() {}>> } fn g() { m::f() }", "f");
    unresolved("<<macro_rules! m { () => {} }>> fn g() { m!() }", "m");
    unresolved(
        "<<struct S(u8);>> fn g(s: u8) { match s { S(a) => {} } }",
        "S",
    );
    plausible("<<struct S;>> fn f() {}");
}

#[test]
fn variables_parameters_and_lifetimes_cannot_go() {
    unresolved("fn f() { <<let a = 1;>> drop(a); }", "a");
    unresolved("fn f(<<a: u8>>) { a } fn g(a: u8) {}", "a");
    unresolved("fn f< <<T>> >(a: T) {} fn g<T>() {}", "T");
    unresolved("struct S<'a>(&'a u8); impl< <<'a>> > S<'a> {}", "'a");
    unresolved("impl S { fn f(<<&self>>) { self.g() } } struct S;", "self");
    unresolved("fn f() { <<'a:>> loop { break 'a } }", "'a");
    unresolved("fn f() { <<|a|>> a + 1 }", "a");
    unresolved(
        "fn f() { { <<let a = 1;>> S { a }; } { let a = 2; } } struct S { a: u8 }",
        "a",
    );
}

#[test]
fn imports_lead_somewhere() {
    unresolved("mod m { <<pub struct S;>> } use m::S;", "S");
    unresolved("mod m { <<pub struct S;>> } use crate::m::S as A;", "S");
    unresolved("enum E { <<A>> } use E::A;", "A");
    unresolved(
        "mod m { pub struct S; } mod n { <<use crate::m::S;>> fn f(_: S) {} }",
        "S",
    );
    unresolved("<<fn f() {}>> mod m { use super::f; }", "f");
    plausible("mod m { <<pub use std::fmt::Debug as S;>> pub use std::fmt::S; } use m::S;");
}

#[test]
fn any_other_definition_of_the_spelling_is_enough() {
    plausible("<<struct S;>> fn f<S>(_: S) {}");
    plausible("<<fn f() {}>> fn g() { let f = || 1; f() }");
    plausible("<<struct S;>> use a::S; fn f(_: S) {}");
    plausible("<<struct S;>> use a::B as S; fn f(_: S) {}");
    plausible("<<fn f() {}>> extern \"C\" { fn f(); } fn g() { f() }");
    plausible("<<const A: u8 = 1;>> fn f() { match 1 { A => A } }");
    plausible("<<mod m {}>> extern crate other as m; mod n { fn f() { m::g() } }");
    plausible("fn f() { <<use a::S;>> struct S; fn g(_: S) {} }");
}

#[test]
fn macros_may_define_every_word_that_they_have() {
    plausible("<<struct S;>> generate! { S } fn f(_: S) {}");
    plausible("<<struct S;>> macro_rules! m { () => { struct S; } } m!(); fn f(_: S) {}");
    plausible("fn f() { <<let a = 1;>> bind!(a); a; }");
    plausible("<<struct S;>> #[generates(S)] mod m {} fn f(_: S) {}");
}

#[test]
fn arguments_of_macros_mention_nothing_unless_they_are_known() {
    plausible("<<struct S;>> fn f() { m!(S) }");
    unresolved("<<struct S;>> fn f() { println!(\"{:?}\", S) }", "S");
    plausible("macro_rules! vec { ($a:expr) => {} } <<struct S;>> fn f() { vec![S] }");
    plausible("use other::vec; <<struct S;>> fn f() { vec![S] }");
    plausible("fn f() { <<let a = 1;>> println!(\"{a}\", a = 2) }");
}

#[test]
fn what_may_be_configured_out_may_mention_anything() {
    plausible("<<struct S;>> #[cfg(any())] fn f(_: S) {}");
    plausible("<<struct S;>> #[cfg_attr(all(), cfg(any()))] fn f(_: S) {}");
    plausible("<<struct S;>> #[cfg(any())] mod m { fn f(_: super::S) {} }");
    plausible("<<struct S;>> fn f() { #[cfg(any())] let _ = S; }");
    plausible("<<struct S;>> #[rewrites] fn f(_: S) {}");
    plausible("<<struct S;>> #[test] fn f() { S }");
    unresolved("<<struct S;>> #[inline] fn f(_: S) {}", "S");
}

#[test]
fn a_test_mentions_what_is_in_it_where_tests_are_compiled() {
    let unresolved = |name: &str| Inspection::Unresolved(name.to_owned());
    let test = "#[test] #[ignore] fn f() { <<let a = 1;>> drop(a); }";
    assert_eq!(inspect_test(test), unresolved("a"));
    plausible(test);
    let of_crate = "use other::test; #[test] fn f() { <<let a = 1;>> drop(a); }";
    assert_eq!(inspect_test(of_crate), Inspection::Plausible);
    let other = "#[other::test] fn f() { <<let a = 1;>> drop(a); }";
    assert_eq!(inspect_test(other), Inspection::Plausible);
}

#[test]
fn names_of_preludes_and_of_the_language_stay() {
    plausible("<<struct Vec;>> fn f(_: Vec) {}");
    plausible("<<fn drop() {}>> fn f() { drop(1) }");
    plausible("<<mod core {}>> fn f(_: core::fmt::Error) {}");
    plausible("<<macro_rules! assert { () => {} }>> fn f() { assert!() }");
}

#[test]
fn globs_of_other_crates_may_bring_anything() {
    plausible("use other::*; <<struct S;>> fn f(_: S) {}");
    plausible("<<fn g() {}>> fn f() { use other::*; g() }");
    plausible("mod m { pub use other::*; } use m::*; <<struct S;>> fn f(_: S) {}");
    plausible("#[macro_use] extern crate other; <<macro_rules! m { () => {} }>> m!();");
    unresolved("mod m { use other::*; } <<struct S;>> fn f(_: S) {}", "S");
    unresolved("mod m {} use m::*; <<struct S;>> fn f(_: S) {}", "S");
}

#[test]
fn other_crates_are_known_from_what_was_resolved() {
    plausible("mod m { <<fn dep() {}>> } use dep::S;");
    plausible("mod m { <<fn dep() {}>> } fn f() { dep::g() }");
    plausible("<<mod dep { pub use ::dep::g; }>> fn f() { dep::g() }");
    plausible("<<use dep;>> fn f() { dep::g() }");
    // Variables, functions and fields have other names than crates have.
    plausible("fn f(<<dep: u8>>) { dep::g() }");
    plausible("<<fn dep() {}>> fn f() { dep::g() }");
    plausible("struct S { <<dep: u8,>> a: dep::T }");
    plausible("<<m! { dep }>> fn f() { dep::g!() }");
    plausible("<<mod dep { use dep::S; }>> use dep::S;");
    // The `*` of another crate, which goes too, makes nothing certain of what was there.
    plausible("<<use other::*; fn dep() {}>> mod m { use dep::S; }");
}

#[test]
fn members_are_for_the_types_to_decide() {
    plausible("struct S { <<a: u8>> } fn f(s: S) { s.a }");
    plausible("impl S { <<fn f() {}>> } struct S; fn g() { S::f() }");
    plausible("enum E { <<A>> } fn g() { E::A }");
    plausible("trait T { <<type A;>> } fn g<B: T>() -> B::A { loop {} }");
    plausible("trait T { <<fn f();>> } fn g() { <u8 as T>::f() }");
    unresolved("<<trait T { fn f(); }>> fn g() { <u8 as T>::f() }", "T");
}

#[test]
fn files_that_nobody_has_seen_may_define_anything_for_a_path() {
    plausible("mod unseen; mod m { <<pub fn f() {}>> } use m::f;");
    plausible("given! { mod unseen; } mod m { <<pub fn f() {}>> } use m::f;");
    plausible("mod m { include!(\"a.rs\"); <<pub fn f() {}>> } use m::f;");
}

#[test]
fn only_mentions_of_the_root_file_are_certain() {
    let files = |root: &str| {
        let files = [("lib.rs", root), ("m.rs", "use crate::S;")];
        let files = files.map(|(path, text)| (Utf8PathBuf::from(path), Arc::from(text)));
        SourceTree::from_files(Utf8Path::new("lib.rs"), files).unwrap()
    };
    let mut tree = files("mod m; struct S;");
    let names = ResolvedNames::new(&tree, &Outside::default());
    tree.set_text(tree.root(), Arc::from(""));
    assert_eq!(names.inspect(&tree), Inspection::Plausible);
    tree.set_text(tree.root(), Arc::from("mod m; fn f(_: S) {}"));
    assert_eq!(names.inspect(&tree), Inspection::Unresolved("S".to_owned()));
}

#[test]
fn a_dependency_may_have_the_name_of_what_was_imported() {
    let (before, after) = (
        "mod a { pub mod log { pub fn f() {} } } use a::log; fn g() { log::f() }",
        "fn g() { log::f() }",
    );
    let unresolved = Inspection::Unresolved("log".to_owned());
    assert_eq!(inspect(before, after), unresolved);
    assert_eq!(
        inspect_beside(&["log"], before, after),
        Inspection::Plausible
    );
}

#[test]
fn what_syn_cannot_read_is_unparsable_unless_it_was_so_before() {
    assert_eq!(inspect("fn f() {}", "fn f( {}"), Inspection::Unparsable);
    assert_eq!(
        inspect("fn fn f; struct S;", "fn fn f;"),
        Inspection::Plausible
    );
    // The first text has one place for which syn needs two changes, and one that is no place.
    plausible("fn f(c: u8) { let x = c.match { 0 => 1, _ => 2 }; } <<fn g() {}>>");
    plausible("fn f() { let x = 1 let y = 2; } <<fn g() {}>>");
}

#[test]
fn raw_identifiers_are_the_names_without_their_mark() {
    unresolved("<<fn a() {}>> fn f() { r#a() }", "a");
    plausible("<<fn a() {}>> fn r#a() {} fn f() { a() }");
}

/// `text` without what stands between `<<` and `>>` calls `name` with a wrong number of arguments.
fn miscalled(text: &str, name: &str) {
    let (before, after) = before_and_after(text);
    let expected = Inspection::Miscalled(name.to_owned());
    assert_eq!(inspect(&before, &after), expected, "{after}");
}

#[test]
fn arguments_go_together_with_their_parameters() {
    miscalled("fn f(a: u8, b: u8) {} fn g() { f(1 <<, 2>>) }", "f");
    miscalled("fn f(a: u8 <<, b: u8>>) {} fn g() { f(1, 2) }", "f");
    miscalled("mod m { pub fn f(a: u8) {} } fn g() { m::f(<<1>>) }", "f");
    miscalled("struct S(u8, u8); fn g() { S(1 <<, 2>>); }", "S");
    miscalled("enum E { A(u8, u8) } fn g() { E::A(1 <<, 2>>); }", "A");
    miscalled("struct S(u8, u8); fn g(S(a <<, b>>): S) {}", "S");
    miscalled(
        "struct S; impl S { fn f(&self, a: u8) {} } fn g(s: S) { s.f(<<1>>) }",
        "f",
    );
    miscalled(
        "struct S; impl S { fn f(a: u8) {} fn g() { Self::f(<<1>>) } }",
        "f",
    );
    miscalled(
        "trait T { fn f(&self, a: u8); } fn g(t: &dyn T) { T::f(t <<, 1>>) }",
        "f",
    );
    miscalled(
        "fn f(a: u8) {} fn g() { println!(\"{:?}\", f(<<1>>)) }",
        "f",
    );
    plausible("fn f(a: u8) {} fn g() { f(<<1 +>> 2) }");
    plausible("struct S(u8, u8); fn g(S(.. <<, b>>): S) {}");
}

#[test]
fn functions_of_other_crates_are_called_as_before() {
    miscalled("fn g() { drop(<<1>>) }", "drop");
    miscalled(
        "fn g() { Vec::<u8>::with_capacity(<<1>>); }",
        "with_capacity",
    );
    miscalled("fn g(v: Vec<u8>) { v.push(<<1>>) }", "push");
    plausible("fn g(v: Vec<u8>) { v.get(1); } fn f(v: Other) { v.get(<<1>>); v.get(); }");
    let own = "use std::time::Duration; struct S; impl S { fn new(a: u8) {} } fn g() { S::new(1); let a = ";
    for other in ["String::new()", "Duration::new(0, 5)"] {
        let (before, after) = (format!("{own} 1; }}"), format!("{own} {other}; }}"));
        assert_eq!(inspect(&before, &after), Inspection::Plausible, "{other}");
    }
    let own = "mod m { pub struct S; impl S { pub fn new(a: u8) {} } } use m::S; fn g() { ";
    miscalled(&format!("{own} S::new(<<1>>); }}"), "new");
}

#[test]
fn calls_of_what_is_not_known_may_have_any_number_of_arguments() {
    plausible("fn f(a: u8) {} fn g(f: fn(u8, u8)) { f(1 <<, 2>>) }");
    plausible("fn g() { let f = |a| a; f(<<1>>); }");
    plausible("const F: fn(u8) = f; fn g() { F(<<1>>) }");
    plausible("fn f(a: u8) {} use other::x as f; fn g() { f(<<1>>) }");
    plausible("extern \"C\" { fn f(a: u8, ...); } fn g() { f(1 <<, 2>>) }");
    plausible("m! { fn f() {} } fn f(a: u8) {} fn g() { f(<<1>>) }");
    plausible("struct S(u8, u8); impl S { fn g() { Self(1 <<, 2>>); } }");
    plausible("trait T { fn f(a: u8); } fn g<U: T>() { <U as T>::f(<<1>>) }");
}

#[test]
fn a_call_that_was_wrong_before_may_stay_so() {
    plausible("fn f(a: u8) {} fn g() { f(1, 2 <<, 3>>) }");
    miscalled(
        "fn f(a: u8) {} fn h(a: u8) {} fn g() { h(<<1>>); f(1, 2) }",
        "h",
    );
}
