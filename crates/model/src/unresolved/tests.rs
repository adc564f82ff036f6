//! Names that are certainly unresolved, and each reason for which one may not be.

use super::*;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::{Edit, EditSet};
use std::sync::Arc;

/// What is lost where what stands between `<<` and `>>` is deleted, beside dependencies of these names.
fn lost_beside(outside: &[&str], text: &str) -> Option<String> {
    let (start, rest) = text.split_once("<<").unwrap();
    let (gone, end) = rest.split_once(">>").unwrap();
    let base = single(&format!("{start}{gone}{end}"));
    let mut edits = EditSet::new();
    let range = start.len()..start.len() + gone.len();
    edits.add(Edit::delete(base.root(), &range));
    lost_by(outside, &base, &edits)
}

fn lost_by(outside: &[&str], base: &SourceTree, edits: &EditSet) -> Option<String> {
    let outside = outside.iter().map(|name| (*name).to_owned()).collect();
    let names = ResolvedNames::new(&Model::new(base), &outside);
    let candidate = edits.apply(base);
    assert!(names.are_of_base(&candidate));
    names.lost(&candidate).map(str::to_owned)
}

fn single(text: &str) -> SourceTree {
    SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text))
}

/// `text` without what stands between `<<` and `>>` lacks a name.
#[track_caller]
fn unresolved(text: &str, name: &str) {
    assert_eq!(lost_beside(&[], text).as_deref(), Some(name), "{text}");
}

/// `text` without what stands between `<<` and `>>` may compile.
#[track_caller]
fn plausible(text: &str) {
    assert_eq!(lost_beside(&[], text), None, "{text}");
}

/// A text in which each of some texts is replaced once.
fn replaced(text: &str, changes: &[(&str, &str)]) -> Option<String> {
    let base = single(text);
    let mut edits = EditSet::new();
    for (old, new) in changes {
        let start = text.find(old).unwrap();
        let range = start..start + old.len();
        edits.add(Edit::replace(base.root(), &range, new));
    }
    lost_by(&[], &base, &edits)
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
    let glob = "mod m { pub struct S; pub struct T; } use m::{<<*,>> T}; fn f(_: S, _: T) {}";
    unresolved(glob, "S");
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
    plausible("mod unseen; <<use m::f; mod m { pub fn f() {} }>> use unseen::*; use m::f;");
    unresolved("mod unseen; mod m { <<pub fn f() {}>> } use m::f;", "f");
    plausible("given! { mod unseen; } mod m { <<pub fn f() {}>> } use m::f;");
    plausible("mod m { include!(\"a.rs\"); <<pub fn f() {}>> } use m::f;");
}

fn two_files(root: &str, module: &str) -> SourceTree {
    let files = [("lib.rs", root), ("m.rs", module)];
    let files = files.map(|(path, text)| (Utf8PathBuf::from(path), Arc::from(text)));
    SourceTree::from_files(Utf8Path::new("lib.rs"), files).unwrap()
}

#[test]
fn a_file_counts_as_long_as_it_is_certainly_included() {
    let check = |root: &str, gone: &[&str], expected: Option<&str>| {
        let base = two_files(root, "use crate::S;");
        let mut edits = EditSet::new();
        for gone in gone {
            let start = root.find(gone).unwrap();
            edits.add(Edit::delete(base.root(), &(start..start + gone.len())));
        }
        assert_eq!(
            lost_by(&[], &base, &edits).as_deref(),
            expected,
            "{root} {gone:?}"
        );
    };
    check("mod m; struct S;", &["struct S;"], Some("S"));
    check("mod m; struct S;", &["struct S;", "mod m;"], None);
    check("#[cfg(unix)] mod m; struct S;", &["struct S;"], None);
    check("struct S;", &["struct S;"], None);
}

#[test]
fn a_file_that_goes_takes_its_names_along() {
    let base = two_files(
        "mod m; use m::S; mod n { pub struct T; } use n::T;",
        "pub struct S;",
    );
    let mut edits = EditSet::new();
    edits.add(Edit::delete(base.root(), &(0..6)));
    edits.drop_file(base.find(Utf8Path::new("m.rs")).unwrap());
    assert_eq!(lost_by(&[], &base, &edits).as_deref(), Some("m"));
}

#[test]
fn what_is_put_in_place_of_more_is_looked_at() {
    let change = |old, new| {
        replaced(
            "fn f() -> u8 { g(|a| a + 1) } fn g(a: u8) {}",
            &[(old, new)],
        )
    };
    assert_eq!(change("g(|a| a + 1)", "a + 1").as_deref(), Some("a"));
    assert_eq!(change("|a| a + 1", "|a| a").as_deref(), None);
    assert_eq!(change("|a| a", "|b| {let a = 1; a}"), None);
}

#[test]
fn new_text_may_bring_what_it_spells_or_anything() {
    let change = |new| replaced("struct S; fn f(_: S) {}", &[("struct S;", new)]);
    assert_eq!(change("enum A { B }").as_deref(), Some("S"));
    assert_eq!(change("enum S {}"), None);
    assert_eq!(change("use other::*;"), None);
    assert_eq!(change("#[cfg(any())]"), None);
}

#[test]
fn what_became_another_path_is_not_looked_at() {
    let text = "struct S; mod m { pub struct S; } fn f(_: S) {}";
    assert_eq!(
        replaced(text, &[("struct S;", ""), ("_: ", "_: m::")]),
        None
    );
    let text = "struct S; fn f(_: S) {} impl S {}";
    assert_eq!(
        replaced(
            text,
            &[("struct S;", ""), (": S", ": std::S"), (" S {", " A {")]
        ),
        None
    );
}

#[test]
fn what_was_in_a_scope_that_is_gone_is_visible_around_it() {
    let text = "fn f(a: u8) { { let a = 1; } a }";
    assert_eq!(replaced(text, &[("a: u8", "")]).as_deref(), Some("a"));
    assert_eq!(
        replaced(text, &[("a: u8", ""), ("{ let", "let"), ("; }", ";")]),
        None
    );
    let text = "mod n { pub struct S; mod m { use super::S; } } struct S;";
    let gone = ("pub struct S;", "");
    assert_eq!(replaced(text, &[gone]).as_deref(), Some("S"));
    assert_eq!(
        replaced(text, &[gone, ("mod m {", ""), ("; } }", ";}")]),
        None
    );
}

#[test]
fn a_dependency_may_have_the_name_of_what_was_imported() {
    let text = "<<mod a { pub mod log { pub fn f() {} } } use a::log;>> fn g() { log::f() }";
    unresolved(text, "log");
    assert_eq!(lost_beside(&["log"], text), None);
}

#[test]
fn nothing_is_said_of_what_syn_cannot_read_or_was_not_made_of_the_state() {
    plausible("fn fn f; <<struct S;>> fn f(_: S) {}");
    let mut tree = single("struct S; fn f(_: S) {}");
    let names = ResolvedNames::new(&Model::new(&tree), &BTreeSet::new());
    assert!(names.are_of_base(&tree));
    tree.set_text(tree.root(), Arc::from("fn f(_: S) {}"));
    assert!(!names.are_of_base(&tree) && names.lost(&tree).is_none());
}

#[test]
fn raw_identifiers_are_the_names_without_their_mark() {
    unresolved("<<fn a() {}>> fn f() { r#a() }", "a");
    plausible("<<fn a() {}>> fn r#a() {} fn f() { a() }");
}
