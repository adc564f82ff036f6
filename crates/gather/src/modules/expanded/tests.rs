//! Tests of the macro calls that are replaced, and of the files that are then found.

use super::*;

/// Compares paths and texts of the files that are found; `prepare` makes `on` of `off`,
/// and nothing of what begins with `GONE`.
#[track_caller]
fn check(files: &[(&str, &str)], expected: &[(&str, &str)]) {
    let read = |path: &Utf8Path| {
        let found = files.iter().find(|(name, _)| *name == path)?;
        Some(Arc::from(found.1))
    };
    let prepare = |text: &str, _: &Utf8Path| match text.starts_with("GONE") {
        true => String::new(),
        false => text.replace("off", "on"),
    };
    let root = Utf8Path::new(files[0].0);
    let tree = collect_expanded(root, &read, &prepare).expect("the root is there");
    let found: Vec<_> = tree.files().collect();
    let found: Vec<_> = found
        .iter()
        .map(|(_, path, text)| (path.as_str(), text.trim()))
        .collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check_root(text: &str, expected: &str) {
    check(&[("lib.rs", text), ("a.rs", "")], &[("lib.rs", expected)]);
}

/// A file that is found although it stands for nothing.
const A: (&str, &str) = ("a.rs", "");

#[test]
fn a_macro_of_an_earlier_module_declares_modules() {
    check(
        &[
            (
                "src/lib.rs",
                "#[macro_use] mod start; crate_root!(); fn f() {}",
            ),
            (
                "src/start.rs",
                "macro_rules! crate_root { () => { pub mod off; mod b { mod c; } }; }",
            ),
            ("src/on.rs", "mod d;"),
            ("src/on/d.rs", "struct D;"),
            ("src/b/c.rs", "struct C;"),
            ("src/start/c.rs", ""),
        ],
        &[
            (
                "src/lib.rs",
                "#[macro_use] mod start;  pub mod on; mod b { mod c; }  fn f() {}",
            ),
            (
                "src/start.rs",
                "macro_rules! crate_root { () => { pub mod off; mod b { mod c; } }; }",
            ),
            ("src/on.rs", "mod d;"),
            ("src/on/d.rs", "struct D;"),
            ("src/b/c.rs", "struct C;"),
        ],
    );
}

#[test]
fn modules_are_those_of_the_place_of_the_call() {
    check(
        &[
            (
                "lib.rs",
                "macro_rules! m { () => { mod a; } } mod b; mod c { m! {} }",
            ),
            ("b.rs", "#[rustfmt::skip] m![];"),
            ("b/a.rs", ""),
            ("c/a.rs", ""),
            A,
        ],
        &[
            (
                "lib.rs",
                "macro_rules! m { () => { mod a; } } mod b; mod c {  mod a;  }",
            ),
            ("b.rs", "mod a;"),
            ("b/a.rs", ""),
            ("c/a.rs", ""),
        ],
    );
}

#[test]
fn bodies_call_others() {
    check(
        &[
            (
                "lib.rs",
                "mod x { macro_rules! m { () => { mod a; } } macro_rules! n { () => { crate::m!(); } } n!(); }",
            ),
            ("x/a.rs", ""),
        ],
        &[
            (
                "lib.rs",
                "mod x { macro_rules! m { () => { mod a; } } macro_rules! n { () => { crate::m!(); } }   mod a;   }",
            ),
            ("x/a.rs", ""),
        ],
    );
}

#[test]
fn a_body_without_files_is_put_in_place_at_the_root_alone() {
    check_root(
        "macro_rules! m { () => { struct A; } } m!(); mod x { m!(); }",
        "macro_rules! m { () => { struct A; } }  struct A;  mod x { m!(); }",
    );
}

#[test]
fn variables_of_inner_definitions_stay() {
    check_root(
        "macro_rules! m { () => { use $crate::x; $crate::y! { $crate::z } \
         macro_rules! n { ($a:expr) => { $crate::f($a) } } } } m!();",
        "macro_rules! m { () => { use $crate::x; $crate::y! { $crate::z } \
         macro_rules! n { ($a:expr) => { $crate::f($a) } } } }  use crate::x; crate::y! { crate::z } \
         macro_rules! n { ($a:expr) => { $crate::f($a) } }",
    );
}

#[test]
fn items_are_handed_on_with_attributes_before_each() {
    check(
        &[
            (
                "lib.rs",
                "macro_rules! m { ($($i:item)*) => { $(#[off] $i)* } } \
                 mod x { m! { /// X\nstruct X; pub mod y; } m!(); }",
            ),
            ("x/y.rs", "m! { m! { fn f() {} } }"),
        ],
        &[
            (
                "lib.rs",
                "macro_rules! m { ($($i:item)*) => { $(#[off] $i)* } } \
                 mod x { #[on] /// X\nstruct X;\n#[on] pub mod y;\n  }",
            ),
            ("x/y.rs", "#[on] fn f() {}"),
        ],
    );
    check(
        &[
            (
                "lib.rs",
                "macro_rules! m { ($($i:item)*) => { $(GONE $i)* } } n! { mod y { mod z; } m!(); } m! { mod x; }",
            ),
            ("x.rs", ""),
            ("y/z.rs", ""),
        ],
        &[
            (
                "lib.rs",
                "macro_rules! m { ($($i:item)*) => { $(GONE $i)* } } n! { mod y { mod z; } m!(); }",
            ),
            ("y/z.rs", ""),
        ],
    );
    let unchanged = |text| check_root(text, text);
    unchanged("macro_rules! m { ($($i:item)*) => { $(#[off] $i)* }; () => {} } m! { struct A; }");
    unchanged("macro_rules! m { ($($i:item)*) => { $($i)* struct B; } } m! { struct A; }");
    unchanged("macro_rules! m { ($($i:item)*) => { $(n!($i);)* } } m! { struct A; }");
    unchanged("macro_rules! m { ($($i:tt)*) => { $($i)* } } m! { struct A; }");
    unchanged("macro_rules! m { ($($i:item)*) => { $(#[off] $i)* } } m! { a }");
}

#[test]
fn other_rules_and_calls_stay() {
    let unchanged = |text| check_root(text, text);
    unchanged("m!(); macro_rules! m { () => { mod a; } }");
    unchanged("macro_rules! m { ($($x:tt)*) => {}; () => { mod a; } } m!();");
    unchanged("macro_rules! m { (x) => { mod a; } } m!();");
    unchanged("macro_rules! m { () => { mod a; } } m!(x);");
    unchanged("macro_rules! m { () => { mod a; } } #[cfg(x)] m!();");
    unchanged("macro_rules! m { () => { mod a; } } other::m!();");
    unchanged("macro_rules! m { () => { mod a; } } macro_rules! m { (x) => {} } m!();");
    unchanged("macro_rules! m { () => { 1 + 1 } } m!();");
    unchanged(
        "macro_rules! m { } m!(); macro_rules! n { () } n!(); macro_rules! o { () == () } o!();",
    );
    unchanged("macro_rules! m { () => { mod a; } } fn f() { m!(); }");
    unchanged("macro_rules! m { () => { mod a; } } fn fn m!();");
}

#[test]
fn a_later_empty_rule_and_a_later_definition_count() {
    check(
        &[
            (
                "lib.rs",
                "macro_rules! m [(x $y:tt) => []; [] => (mod a;);]; m!();",
            ),
            A,
        ],
        &[
            (
                "lib.rs",
                "macro_rules! m [(x $y:tt) => []; [] => (mod a;);]; mod a;",
            ),
            A,
        ],
    );
    check_root(
        "macro_rules! m { () => { mod a; } } macro_rules! m { () => { mod b; } } m!();",
        "macro_rules! m { () => { mod a; } } macro_rules! m { () => { mod b; } }  mod b;",
    );
}

#[test]
fn macros_that_call_themselves_come_to_an_end() {
    let once = "macro_rules! m { () => { mod a; m!(); } } m!();";
    let twice = "macro_rules! m { () => { m!(); m!(); mod a; } } m!();";
    for text in [once, twice] {
        let read = |path: &Utf8Path| (path == "lib.rs").then(|| Arc::from(text));
        let prepare = |text: &str, _: &Utf8Path| text.to_owned();
        let tree = collect_expanded(Utf8Path::new("lib.rs"), &read, &prepare);
        assert!(tree.is_some_and(|tree| tree.count_bytes() < 1 << 24));
    }
}

#[test]
fn what_stands_before_the_code_and_files_that_do_not_parse_stay() {
    check(
        &[
            (
                "lib.rs",
                "\u{feff}#!/bin/run\nmod b; macro_rules! é { () => { /* é */ mod a; use $crate::é; // end\n} } é!(); fn f() {}",
            ),
            ("b.rs", "fn f( {}"),
            A,
        ],
        &[
            (
                "lib.rs",
                "\u{feff}#!/bin/run\nmod b; macro_rules! é { () => { /* é */ mod a; use $crate::é; // end\n} }  /* é */ mod a; use crate::é; // end\n fn f() {}",
            ),
            ("b.rs", "fn f( {}"),
            A,
        ],
    );
}
