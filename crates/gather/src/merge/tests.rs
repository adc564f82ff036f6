//! Programs and crates before and after, compared by their tokens.

use super::*;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::spaced;
use std::sync::Arc;

const DEP: &str = "pub struct S;";

fn single(text: &str) -> SourceTree {
    SourceTree::single(Utf8PathBuf::from("main.rs"), Arc::from(text))
}

fn merge(program: &SourceTree, name: &str, text: &str, externs: &[(&str, &str)]) -> Merged {
    let own = |(old, new): &(&str, &str)| ((*old).to_owned(), (*new).to_owned());
    let externs: Vec<(String, String)> = externs.iter().map(own).collect();
    let krate = CrateText {
        name,
        text,
        externs: &externs,
    };
    merge_crate(program, &[name.to_owned()], &krate).expect("merged")
}

/// A crate `dep` in an empty program.
#[track_caller]
fn check_module(text: &str, externs: &[(&str, &str)], expected: &str) {
    let merged = merge(&single(""), "dep", text, externs);
    let (file, range) = merged.module;
    let module = &merged.tree.text(file)[range];
    let expected = format!("mod dep {{ {expected} }}");
    assert_eq!(spaced(module), spaced(&expected), "of `{text}`");
}

/// A program that uses `dep`, without the module afterwards.
#[track_caller]
fn check_program(program: &str, expected: &str) {
    check_program_with(DEP, program, expected);
}

#[track_caller]
fn check_program_with(dependency: &str, program: &str, expected: &str) {
    let merged = merge(&single(program), "dep", dependency, &[]);
    let (file, range) = merged.module;
    let mut text = merged.tree.text(file).to_owned();
    assert!(text.get(range.clone()).expect("a range").ends_with('}'));
    text.replace_range(range, "");
    assert_eq!(spaced(&text), spaced(expected), "of `{program}`");
}

#[track_caller]
fn check_whole(dependency: &str, program: &str, expected: &str) {
    let merged = merge(&single(program), "dep", dependency, &[]);
    let text = merged.tree.text(merged.tree.root());
    assert_eq!(spaced(text), spaced(expected), "of `{program}`");
}

#[test]
fn paths_from_the_crate_lead_into_the_module() {
    for (before, after) in [
        ("fn f() { crate::g() }", "fn f() { crate::dep::g() }"),
        ("use crate::a::B;", "use crate::dep::a::B;"),
        ("use crate::{a, b::*};", "use crate::dep::{a, b::*};"),
        ("use {crate::a, std::b};", "use {crate::dep::a, std::b};"),
        ("use crate as y;", "use crate::dep as y;"),
        ("use crate::{self as y};", "use crate::dep::{self as y};"),
        ("use crate::*;", "use crate::dep::*;"),
        (
            "pub(in crate::a) fn f() {}",
            "pub(in crate::dep::a) fn f() {}",
        ),
        ("fn f() { m!(crate::a) }", "fn f() { m!(crate::dep::a) }"),
        (
            "type T = <crate::A as crate::B>::C;",
            "type T = <crate::dep::A as crate::dep::B>::C;",
        ),
        (
            "extern crate self as y; use y::a;",
            "use crate::dep as y; use crate::dep::a;",
        ),
    ] {
        check_module(before, &[], after);
    }
}

#[test]
fn what_is_no_path_from_the_crate_stays() {
    for text in [
        "pub(crate) fn f() {} pub(in crate) fn g() {}",
        "fn f<'crate_>(x: &'crate_ str) -> &str { \"crate::x\" }",
        "/// crate::x\nfn f() { r#\"crate::x\"#; }",
        "fn r#crate_() {}",
        "macro_rules! m { (crate) => { pub(crate) fn f() {} }; ($v:vis pub($crate)) => {} }",
        "use std::a; use self::b; use super_::c;",
    ] {
        check_module(text, &[], text);
    }
}

#[test]
fn macros_name_their_crate_by_its_module() {
    check_module(
        "macro_rules! m { ($x:expr) => { $crate::f($x); n!($crate, $crate::T) } }",
        &[],
        "macro_rules! m { ($x:expr) => { $crate::dep::f($x); n!($crate::dep, $crate::dep::T) } }",
    );
    check_module(
        "macro_rules! m { (crate::$x:ident) => { use $crate::{a, b}; } }",
        &[],
        "macro_rules! m { (crate::dep::$x:ident) => { use $crate::dep::{a, b}; } }",
    );
}

#[test]
fn exported_macros_are_imported_into_the_module() {
    check_module(
        "#[macro_export] macro_rules! m { () => {} } mod a { /// Doc\n#[macro_export(local_inner_macros)] \
         #[doc(hidden)] macro_rules! k [ () => {} ]; }",
        &[],
        "#[macro_export] macro_rules! m { () => {} } mod a { /// Doc\n#[macro_export(local_inner_macros)] \
         #[doc(hidden)] macro_rules! k [ () => {} ]; } pub use crate::{k, m};",
    );
    check_module(
        "macro_rules! make { ($n:ident) => { #[macro_export] macro_rules! $n { () => {} } \
         #[macro_export] macro_rules! x { () => {} } } }",
        &[],
        "macro_rules! make { ($n:ident) => { #[macro_export] macro_rules! $n { () => {} } \
         #[macro_export] macro_rules! x { () => {} } } }",
    );
}

#[test]
fn tools_say_nothing_about_exported_macros() {
    check_module(
        "#[macro_export] #[clippy::x] #[allow(y)] macro_rules! m { () => {} }",
        &[],
        "#[macro_export] #[allow(y)] macro_rules! m { () => {} } pub use crate::{m};",
    );
}

#[test]
fn exported_macros_in_arguments_are_imported_where_they_stand() {
    check_module(
        "mod a { cfg! { #[macro_export] macro_rules! m { () => {} } } }",
        &[],
        "mod a { cfg! { macro_rules! m { () => {} } pub(crate) use m; } } pub(crate) use self::a::m;",
    );
}

#[test]
fn a_macro_for_which_the_root_has_no_room_stays_in_the_module() {
    let exports = "#[macro_export] macro_rules! m { () => {} }";
    let own = "mod dep { macro_rules! m { () => {} } pub(crate) use m; }";
    for program in [
        exports,
        "use other::m;",
        "mod a { #[macro_export] macro_rules! m { () => {} } }",
    ] {
        check_whole(exports, program, &format!("{own} {program}"));
    }
}

#[test]
fn a_root_does_not_import_a_macro_that_it_has() {
    let exports = "#[macro_export] macro_rules! m { () => {} } pub struct S;";
    for (before, after) in [
        ("use dep::m;", ""),
        ("pub use dep::{m};", ""),
        ("use dep::{m, S};", "use crate::dep::{S};"),
        (
            "use dep::{S, m}; use dep::*;",
            "use crate::dep::{S,}; use crate::dep::*;",
        ),
        ("mod a { use dep::m; }", "mod a { use crate::dep::m; }"),
    ] {
        check_program_with(exports, before, after);
    }
    let other = "#[macro_export] macro_rules! m { () => {} } pub fn m() {}";
    check_program_with(other, "use dep::m;", "use crate::dep::m;");
}

#[test]
fn root_attributes_go_up_or_away() {
    check_whole(
        "//! Doc\n#![feature(a, b)]\n#![no_std]\n#![recursion_limit = \"9\"]\n#![deny(warnings)]\n\
         #![no_implicit_prelude]\n#![cfg_attr(x, y)] fn f() {}",
        "#![feature(b)] //! Program\n fn g() {}",
        "#![feature(b)] //! Program\n #![feature(a)] #![recursion_limit = \"9\"] \
         mod dep { #![no_implicit_prelude] fn f() {} } fn g() {}",
    );
    check_whole(
        "#![recursion_limit = \"9\"] #![no_std]",
        "#![recursion_limit = \"7\"] #![no_std]",
        "#![recursion_limit = \"7\"] #![no_std] mod dep { }",
    );
}

#[test]
fn a_crate_that_uses_std_brings_it() {
    check_whole(
        "",
        "#![no_std] #![a] fn f() {}",
        "#![a] mod dep {} fn f() {}",
    );
}

#[test]
fn crates_of_the_compiler_are_named_at_the_root_too() {
    check_whole(
        "extern crate alloc; use alloc::vec::Vec;",
        "",
        "extern crate alloc; mod dep { extern crate alloc; use alloc::vec::Vec; }",
    );
    check_whole(
        "extern crate alloc;",
        "extern crate alloc;",
        "mod dep { extern crate alloc; } extern crate alloc;",
    );
    check_whole(
        "extern crate std; extern crate libc;",
        "",
        "mod dep { extern crate std; extern crate libc; }",
    );
    check_whole(
        "#![no_std] #[macro_use] extern crate alloc; #[macro_use] extern crate std;",
        "#![no_std]",
        "#![no_std] #[macro_use] extern crate alloc; #[macro_use] extern crate std; \
         mod dep { extern crate alloc; extern crate std; }",
    );
}

#[test]
fn a_crate_by_another_name_is_found_in_the_module() {
    check_module(
        "extern crate core as std; mod a { use std::fmt; use ::std::mem; }",
        &[],
        "extern crate core as std; mod a { use crate::dep::std::fmt; use crate::dep::std::mem; }",
    );
    check_whole(
        "extern crate alloc; fn f() -> alloc::String {}",
        "mod alloc {}",
        "mod dep { extern crate alloc; fn f() -> crate::dep::alloc::String {} } mod alloc {}",
    );
}

#[test]
fn macros_of_other_crates_are_used_at_the_root() {
    check_whole(
        "#[macro_use] extern crate log;",
        "",
        "#[macro_use] extern crate log as _; mod dep { extern crate log; }",
    );
}

#[test]
fn names_of_other_crates_are_replaced() {
    for (before, after) in [
        (
            "fn f() -> libc::c { ::libc::x() }",
            "fn f() -> crate::o::c { crate::o::x() }",
        ),
        (
            "use libc::c; use ::libc::x;",
            "use crate::o::c; use crate::o::x;",
        ),
        ("use libc;", "use crate::o as libc;"),
        ("use libc as l;", "use crate::o as l;"),
        ("use libc::{self, c};", "use crate::o::{self as libc, c};"),
        (
            "use {libc::c, libc};",
            "use {crate::o::c, crate::o as libc};",
        ),
        (
            "use ::{libc::c, libc::d::{e, f}};",
            "use {crate::o::c, crate::o::d::{e, f}};",
        ),
        ("extern crate libc;", "use crate::o as libc;"),
        (
            "const _: () = { extern crate libc as _l; };",
            "const _: () = { use crate::o as _l; };",
        ),
        (
            "pub extern crate libc as l; mod a { use l::c; }",
            "pub use crate::o as l; mod a { use crate::o::c; }",
        ),
        ("impl<T> ::libc::A for T {}", "impl<T> crate::o::A for T {}"),
        (
            "impl<T: X<Vec<u8>>> ::libc::A for T {}",
            "impl<T: X<Vec<u8>>> crate::o::A for T {}",
        ),
        (
            "macro_rules! m { () => { libc::m!($x) } }",
            "macro_rules! m { () => { crate::o::m!($x) } }",
        ),
        ("#[libc::a] struct S;", "#[crate::o::a] struct S;"),
        (
            "mod m { mod libc {} } fn f() { libc::x }",
            "mod m { mod libc {} } fn f() { crate::o::x }",
        ),
        (
            "mod m { use super::*; fn f() { libc::x } }",
            "mod m { use super::*; fn f() { crate::o::x } }",
        ),
    ] {
        check_module(before, &[("libc", "crate::o")], after);
    }
}

#[test]
fn other_crates_keep_a_name_that_is_as_before() {
    let text = "extern crate libc; use libc::x; fn f() { ::libc::y() }";
    check_module(text, &[("libc", "libc")], text);
}

#[test]
fn other_crates_get_another_crates_name() {
    check_module(
        "extern crate libc; use libc::x; use ::libc::z; use {libc::a}; fn f() { libc::y(::libc::w) }",
        &[("libc", "libc2")],
        "extern crate libc2 as libc; use ::libc2::x; use ::libc2::z; use {libc2::a}; \
         fn f() { ::libc2::y(::libc2::w) }",
    );
}

#[test]
fn what_only_looks_like_a_crate_stays() {
    for text in [
        "mod libc {} fn f() { libc::x() } use libc::y;",
        "mod m { pub mod libc {} } use m::libc; fn f() { libc::x() }",
        "mod libc {} mod m { use super::*; fn f() { libc::x() } }",
        "fn f() { struct libc; libc::x() }",
        "fn f() { a::libc::x(); self.libc::<u8>(); <T>::libc::x(); A::<T>::libc::x() }",
        "struct S { libc: u8 } fn libc() { libc!(); let libc = 1; }",
        "macro_rules! m { ($libc:ident) => { $libc::x() } }",
        "mod m { use self::n::*; mod n { pub use super::*; } fn f() { super::libc::x() } }",
    ] {
        check_module(text, &[("libc", "crate::o")], text);
    }
}

#[test]
fn macros_of_a_module_are_found_at_the_root() {
    let program = single("mod log { #[macro_export] macro_rules! info { () => {} } }");
    let text =
        "#[macro_use] extern crate log; macro_rules! w { () => {} } fn f() { info!(); w!(); x!() }";
    let merged = merge(&program, "dep", text, &[("log", "crate::log")]);
    let (file, range) = merged.module;
    let expected = "mod dep { use crate::log; macro_rules! w { () => {} } \
                    fn f() { crate::info!(); w!(); x!() } }";
    assert_eq!(spaced(&merged.tree.text(file)[range]), spaced(expected));
}

#[test]
fn the_program_names_the_module() {
    for (before, after) in [
        (
            "fn f() -> dep::S { ::dep::m!(dep::x) }",
            "fn f() -> crate::dep::S { crate::dep::m!(crate::dep::x) }",
        ),
        (
            "use dep::S; use ::dep::T;",
            "use crate::dep::S; use crate::dep::T;",
        ),
        (
            "use dep; use dep::{self, S}; use dep::{self};",
            "use crate::dep::{S};",
        ),
        (
            "use {dep, std::fmt}; use dep::{self as d};",
            "use {std::fmt}; use crate::dep::{self as d};",
        ),
        (
            "use dep as d; mod a { use dep as d; }",
            "use crate::dep as d; mod a { use crate::dep as d; }",
        ),
        (
            "mod a { use dep; use dep::{self, S}; }",
            "mod a { use crate::dep; use crate::dep::{self, S}; }",
        ),
        ("extern crate dep; fn f() {}", "fn f() {}"),
        (
            "/// Doc\n#[allow(x)] pub extern crate dep; fn f() {}",
            "fn f() {}",
        ),
        (
            "mod a { extern crate dep; dep::x!(); }",
            "mod a { use crate::dep; crate::dep::x!(); }",
        ),
        (
            "extern crate dep as d; mod a { fn f() { d::x(::d::y) } }",
            "use crate::dep as d; mod a { fn f() { crate::dep::x(crate::dep::y) } }",
        ),
        ("extern crate dep as _;", ""),
        (
            "fn f() { extern crate dep as d; }",
            "fn f() { use crate::dep as d; }",
        ),
        (
            "mod a { pub use dep; } pub(crate) use dep::S;",
            "mod a { pub use crate::dep; } pub(crate) use crate::dep::S;",
        ),
        (
            "use crate::a; use a::dep::b; fn f() { a.dep::<u8>() }",
            "use crate::a; use a::dep::b; fn f() { a.dep::<u8>() }",
        ),
    ] {
        check_program(before, after);
    }
}

#[test]
fn a_module_that_others_see_is_public() {
    for (program, begins) in [
        ("pub use dep;", "pub mod dep {"),
        ("pub extern crate dep as d;", "pub mod dep {"),
        ("mod a { pub use dep::{self, S}; }", "pub mod dep {"),
        ("pub(crate) use dep;", "mod dep {"),
        ("pub use dep::S;", "mod dep {"),
    ] {
        let merged = merge(&single(program), "dep", DEP, &[]);
        let module = &merged.tree.text(merged.module.0)[merged.module.1];
        assert!(module.starts_with(begins), "of `{program}`: `{module}`");
    }
}

#[test]
fn macros_are_in_scope_where_the_program_had_them_all() {
    check_whole(
        "mod a { pub(crate) mod b { #[macro_export] macro_rules! m { () => {} } } } \
         #[macro_use] mod c { #[macro_export] macro_rules! n { () => {} } }",
        "#[macro_use] extern crate dep; fn f() { m!() }",
        "#[macro_use] mod dep { #[macro_use] mod a { #[macro_use] pub(crate) mod b { \
         #[macro_export] macro_rules! m { () => {} } } } \
         #[macro_use] mod c { #[macro_export] macro_rules! n { () => {} } } pub use crate::{m, n}; } \
         fn f() { m!() }",
    );
}

#[test]
fn a_name_that_the_root_has_already_is_not_taken() {
    for (program, name) in [
        ("mod dep {}", "dep_crate"),
        ("mod dep {} struct dep_crate;", "dep_crate2"),
        ("use other::dep;", "dep_crate"),
        ("extern crate other as dep;", "dep_crate"),
        ("fn dep() {} macro_rules! dep { () => {} }", "dep"),
        ("mod a { mod dep {} }", "dep"),
        ("use dep::dep;", "dep"),
    ] {
        assert_eq!(
            merge(&single(program), "dep", DEP, &[]).name,
            name,
            "of `{program}`"
        );
    }
    assert_eq!(merge(&single(""), "try", DEP, &[]).name, "try_crate");
    check_program(
        "mod dep {} use ::dep::S; fn f() { dep::x() } mod a { use dep; use dep::T; }",
        "mod dep {} use crate::dep_crate::S; fn f() { dep::x() } \
         mod a { use crate::dep_crate as dep; use crate::dep_crate::T; }",
    );
}

#[test]
fn a_renamed_crate_is_known_by_all_its_names() {
    let names = ["mine".to_owned(), "yours".to_owned()];
    let krate = CrateText {
        name: "dep",
        text: DEP,
        externs: &[],
    };
    let program = single("extern crate mine; mod a { use yours::S; } use mine::S;");
    let merged = merge_crate(&program, &names, &krate).expect("merged");
    let expected = "mod dep { pub struct S; } use crate::dep as mine; mod a { use crate::dep::S; } \
                    use crate::dep::S;";
    assert_eq!(
        spaced(merged.tree.text(merged.tree.root())),
        spaced(expected)
    );
    let other = single("use dep::other; use mine::S; fn f() { dep::x() }");
    let merged = merge_crate(&other, &names, &krate).expect("merged");
    assert_eq!(merged.name, "dep_crate");
}

#[test]
fn other_files_name_the_module_too() {
    let files = [
        ("src/lib.rs", "mod a; use dep;"),
        ("src/a.rs", "use dep; fn f() { dep::x() }"),
    ];
    let files = files.map(|(path, text)| (Utf8PathBuf::from(path), Arc::from(text)));
    let tree = SourceTree::from_files(Utf8Path::new("src/lib.rs"), files).expect("a root");
    let merged = merge(&tree, "dep", DEP, &[]);
    let text = |path: &str| {
        let file = merged
            .tree
            .find(Utf8Path::new(path))
            .expect("the file is there");
        spaced(merged.tree.text(file))
    };
    assert_eq!(
        text("src/a.rs"),
        spaced("use crate::dep; fn f() { crate::dep::x() }")
    );
    assert_eq!(
        text("src/lib.rs"),
        spaced("mod dep { pub struct S; } mod a;")
    );
}

#[test]
fn a_crate_that_another_one_uses_follows_it() {
    let first = merge(
        &single("use b::T;"),
        "b",
        "extern crate dep; pub use dep::S as T;",
        &[],
    );
    let second = merge(&first.tree, "dep", DEP, &[]);
    let expected = "mod dep { pub struct S; } mod b { use crate::dep; pub use crate::dep::S as T; } \
                    use crate::b::T;";
    assert_eq!(
        spaced(second.tree.text(second.tree.root())),
        spaced(expected)
    );
}

#[test]
fn what_stands_before_the_code_stays_first() {
    let merged = merge(
        &single("\u{feff}#!/run\nfn f() {}"),
        "dep",
        "\u{feff}#!/x\nfn g() {}",
        &[],
    );
    let text = merged.tree.text(merged.tree.root());
    assert!(text.starts_with("\u{feff}#!/run\n"), "`{text}`");
    assert!(!text.contains("/x"), "`{text}`");
    assert!(merged.tree.text(merged.module.0)[merged.module.1].starts_with("mod dep {"));
}

#[test]
fn brackets_that_do_not_match_and_crates_without_core_are_not_merged() {
    let merged = |program: &str, text: &str| {
        let krate = CrateText {
            name: "dep",
            text,
            externs: &[],
        };
        merge_crate(&single(program), &["dep".to_owned()], &krate)
    };
    assert!(merged("", "fn f( {}").is_none());
    assert!(merged("fn f() {}}", "").is_none());
    assert!(merged("fn f(]", "").is_none());
    assert!(merged("", "#![no_core]").is_none());
    assert!(merged("", "").is_some());
    for odd in [
        "use",
        "use crate",
        "use {",
        "extern crate",
        "#[macro_export]",
        "::dep",
        "crate ::",
        "mod",
        "#![",
    ] {
        let _ = merged(odd, odd);
        let _ = merged(&format!("{odd} ; dep::"), &format!("::{odd} ;"));
    }
}

#[test]
fn a_module_has_no_name_of_a_macro_that_it_imports_beside_an_item_of_that_name() {
    check_whole(
        "mod dep { #[macro_export] macro_rules! dep { () => {} } pub struct S; } pub use self::dep::S;",
        "fn f(_: dep::S) { dep::dep!() }",
        "mod dep_crate { mod dep { #[macro_export] macro_rules! dep { () => {} } pub struct S; } pub use self::dep::S; \
         pub use crate::{dep}; } fn f(_: crate::dep_crate::S) { crate::dep_crate::dep!() }",
    );
}
