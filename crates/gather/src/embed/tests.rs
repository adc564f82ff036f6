//! Tests of what is read, where, and in which form it then stands there.

use super::*;
use reduce_syntax::spaced;

/// Files and variables of a test; a name without a dot or slash is a variable's.
struct Fake<'f>(&'f [(&'f str, &'f str)]);

impl Readable for Fake<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        let found = self.0.iter().find(|(of, _)| *of == name)?;
        (!name.contains(['.', '/'])).then(|| found.1.to_owned())
    }

    fn file(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        let found = self.0.iter().find(|(of, _)| *of == path.as_str())?;
        Some(match found.1 {
            "LARGE" => vec![b' '; (1 << 20) + 1],
            "LARGE CODE" => [&[b' '; 2 << 20][..], b"fn f() {}"].concat(),
            "BINARY" => vec![b'a', 0xff],
            text => text.as_bytes().to_vec(),
        })
    }
}

#[track_caller]
fn check(known: &[(&str, &str)], text: &str, expected: &str) {
    let result = embedded(text, Utf8Path::new("src/a.rs"), &Fake(known));
    assert_eq!(spaced(&result), spaced(expected));
    assert!(reduce_syntax::is_parsable(&result), "{result}");
}

#[track_caller]
fn check_same(known: &[(&str, &str)], text: &str) {
    let result = embedded(text, Utf8Path::new("src/a.rs"), &Fake(known));
    assert_eq!(result, text);
}

#[test]
fn variables_become_literals() {
    let known = [("X", "1"), ("Y", "a\"b")];
    check(
        &known,
        r#"const A: &str = env!("X");"#,
        r#"const A: &str = "1";"#,
    );
    check(&known, r#"m!(env!["Y",]);"#, r##"m!(r#"a"b"#);"##);
    check(
        &known,
        r#"const A: &str = ::std::env!("X", "set X");"#,
        r#"const A: &str = "1";"#,
    );
    check(
        &known,
        r#"const A: u8 = f(core::env! { "X" });"#,
        r#"const A: u8 = f("1");"#,
    );
    check(
        &known,
        r#"const A: u8 = f(env!(concat!("X", "")));"#,
        r#"const A: u8 = f("1");"#,
    );
    check(
        &known,
        r#"fn f() { return env!("X"); }"#,
        r#"fn f() { return "1"; }"#,
    );
}

#[test]
fn what_is_not_known_stays() {
    check_same(&[], r#"const A: &str = env!("X");"#);
    check_same(
        &[("X", "1")],
        r#"m!(env!($x), $env!("X"), other::env!("X"), $crate::env!("X"), env("X"));"#,
    );
    check_same(
        &[("X", "1")],
        r#"macro_rules! env { ($x:expr) => { $x } } const A: &str = env!("X");"#,
    );
    check_same(
        &[("X", "1")],
        "const A: &str = env!(); const B: &str = env!(X, 1);",
    );
    check_same(
        &[],
        r#"include!("gone.rs"); const A: &str = include_str!("gone.md");"#,
    );
}

#[test]
fn optional_variables_are_there_or_not() {
    check(
        &[("X", "1")],
        r#"const A: B = option_env!("X"); const C: B = std::option_env!("Y"); m!(option_env!($x));"#,
        r#"const A: B = Some("1"); const C: B = None::<&'static str>; m!(option_env!($x));"#,
    );
}

#[test]
fn texts_are_joined_if_one_of_them_is_read() {
    let known = [("X", "1"), ("src/t.txt", "t")];
    check(
        &known,
        r#"const A: &str = concat!("v", env!("X"), '.', 0x10u8, -1.50, true, concat!("a", stringify!(b)),
           include_str!("t.txt"),);"#,
        r#"const A: &str = "v1.16-1.50trueabt";"#,
    );
    check_same(&known, r#"const A: &str = concat!("a", 1);"#);
    check(
        &known,
        r#"m!(concat!(env!("X"), $x, file!()));"#,
        r#"m!(concat!("1", $x, file!()));"#,
    );
}

#[test]
fn files_become_literals() {
    let known = [
        ("src/t.txt", "a\r\n"),
        ("t/b.bin", "BINARY"),
        ("src/l.txt", "LARGE"),
        ("out/x", "\"x\""),
    ];
    check(
        &known,
        r#"const A: &str = include_str!("t.txt"); const B: &[u8; 2] = include_bytes!("../t/./b.bin");"#,
        r#"const A: &str = "a\r\n"; const B: &[u8; 2] = b"a\xff";"#,
    );
    check(
        &[&known[..], &[("OUT_DIR", "out")]].concat(),
        r#"const A: &str = include_str!(concat!("../", env!("OUT_DIR"), "/x"));"#,
        r##"const A: &str = r#""x""#;"##,
    );
    check_same(
        &known,
        r#"const A: &str = include_str!("../t/b.bin"); const B: &str = include_str!("l.txt");"#,
    );
}

#[test]
fn items_are_included_with_what_they_include() {
    let known = [
        (
            "out/gen.rs",
            "\u{feff}#!/bin/run\r\n#![allow(x)]\r\n//! Docs\r\nstruct G;\r\ninclude!(\"more.in\");",
        ),
        ("out/more.in", "const M: &str = env!(\"OUT_DIR\"); // end"),
        ("OUT_DIR", "../out"),
    ];
    check(
        &known,
        r#"mod m { include!(concat!(env!("OUT_DIR"), "/gen.rs")); fn f() {} } fn g() {}"#,
        r#"mod m { struct G; const M: &str = "../out"; fn f() {} } fn g() {}"#,
    );
    check(&[("src/e.rs", "")], r#"include!("e.rs");"#, "");
}

#[test]
fn conditions_of_included_items_are_those_of_each() {
    check(
        &[("src/x.rs", "/// Docs\nstruct A; fn f() {}")],
        r#"#[cfg(x)] #[rustfmt::skip] #[cfg(y)] include!("x.rs");"#,
        "#[cfg(x)] #[cfg(y)] /// Docs\nstruct A; #[cfg(x)] #[cfg(y)] fn f() {}",
    );
}

#[test]
fn modules_of_included_items_come_along() {
    check(
        &[
            ("gen/x.rs", "mod m; mod gone;"),
            ("gen/m.rs", "const A: &str = include_str!(\"t\");"),
            ("gen/t", "t"),
        ],
        r#"include!("../gen/x.rs");"#,
        r#"mod m { const A: &str = "t"; } mod gone;"#,
    );
}

#[test]
fn a_file_that_includes_itself_keeps_that_call() {
    check_same(&[("src/a.rs", "")], r#"include!("a.rs");"#);
    check(
        &[
            ("src/b.rs", "struct B; include!(\"../src/c.rs\");"),
            ("src/c.rs", "include!(\"b.rs\");"),
        ],
        r#"include!("b.rs");"#,
        r#"struct B; include!("b.rs");"#,
    );
    check(
        &[("src/e.rs", "[1, include!(\"e.rs\")]")],
        r#"const E: u8 = include!("e.rs");"#,
        r#"const E: u8 = [1, include!("e.rs")];"#,
    );
}

#[test]
fn expressions_are_included_in_brackets_where_they_need_them() {
    let known = [
        ("src/one", "// first\n1\n// last"),
        ("src/sum", "1 + include!(\"one\")"),
        ("src/if", "if a { b } else { c }"),
    ];
    let check = |text, expected| check(&known, text, expected);
    check(r#"const A: u8 = include!("sum");"#, "const A: u8 = 1 + 1;");
    check(
        r#"const A: u8 = 2 * include!("sum");"#,
        "const A: u8 = 2 * (1 + 1);",
    );
    check(
        r#"const A: u8 = 2 * include!("one");"#,
        "const A: u8 = 2 * 1;",
    );
    check(
        r#"const A: u8 = f(include!("if"), include!("sum") as u8);"#,
        "const A: u8 = f(if a { b } else { c }, (1 + 1) as u8);",
    );
    check(
        r#"fn f() -> u8 { include!("if") }"#,
        "fn f() -> u8 { if a { b } else { c } }",
    );
    check(
        r#"fn f() { include!("if"); include!("sum"); }"#,
        "fn f() { if a { b } else { c }; 1 + 1; }",
    );
    check(
        r#"fn f() { include!("if").g(); }"#,
        "fn f() { (if a { b } else { c }).g(); }",
    );
    check(r#"fn f() { include! { "one" } g() }"#, "fn f() { 1; g() }");
}

#[test]
fn statements_are_included_in_a_block() {
    check(
        &[("src/s", "let x = 1;\nf(x); // end")],
        r#"fn f() { let y = include!("s"); }"#,
        "fn f() { let y = { let x = 1; f(x);\n}; }",
    );
    check_same(
        &[("src/s", "fn fn")],
        r#"include!("s"); fn f() { include!("s") }"#,
    );
}

#[test]
fn other_macros_and_places_keep_their_includes() {
    let known = [("src/x.rs", "1"), ("X", "x")];
    check_same(
        &known,
        r#"m! { include!("x.rs") } impl A { include!("x.rs"); } type T = include!("x.rs");"#,
    );
    check(
        &known,
        r#"macro_rules! m { () => { (include_str!("x.rs"), env!("X"), include!(concat!(env!("X"), ".rs"))) } }"#,
        r#"macro_rules! m { () => { ("1", "x", include!("x.rs")) } }"#,
    );
}

#[test]
fn documentation_that_a_macro_makes_goes() {
    check(
        &[],
        r#"#![doc = include_str!("gone.md")] #[doc = concat!("a", "b")] fn f() {} #[doc = "a!"] fn g() {}"#,
        r#"fn f() {} #[doc = "a!"] fn g() {}"#,
    );
    check(
        &[],
        r#"#![cfg_attr(x, doc = include_str!("a"))] #[cfg_attr(x, cold, doc = core::concat!(1, 2), inline)] fn f() {}"#,
        "#[cfg_attr(x, cold, inline)] fn f() {}",
    );
    check(
        &[],
        r#"m! { #[doc = include_str!("a")] struct A; }
           macro_rules! n { ($($x:expr),*) => { $(#[doc = concat!("a", $x)])* #[doc = concat!("b")] fn f() {} } }"#,
        r#"m! { struct A; }
           macro_rules! n { ($($x:expr),*) => { $(#[doc = concat!("a", $x)])* fn f() {} } }"#,
    );
    check_same(
        &[],
        "#[doc] #[doc(hidden)] #[cfg_attr(x)] #[cfg_attr] fn f() {}",
    );
}

#[test]
fn variables_become_literals_beside_what_does_not_parse() {
    let result = embedded(
        r#"fn fn { env!("X") }"#,
        Utf8Path::new("src/a.rs"),
        &Fake(&[("X", "1")]),
    );
    assert_eq!(result, r#"fn fn { "1" }"#);
}

#[test]
fn a_text_that_does_not_parse_stays() {
    check_same(&[("X", "1")], r#"fn f( { env!("X") }"#);
    check_same(&[("X", "1")], r#"env!("X"#);
}

#[test]
fn what_stands_before_the_code_stays_there() {
    check(
        &[("X", "é"), ("src/x", "fn x() {}")],
        "\u{feff}#!/bin/run\nconst A: &str = env!(\"X\"); include!(\"x\"); const B: &str = env!(\"X\");",
        "\u{feff}#!/bin/run\nconst A: &str = \"é\"; fn x() {} const B: &str = \"é\";",
    );
}

#[test]
fn deep_calls_stay_and_take_no_time() {
    let deep = format!(
        "const A: &str = {}env!(\"X\"){};",
        "concat!(".repeat(300),
        ")".repeat(300)
    );
    let result = embedded(&deep, Utf8Path::new("a.rs"), &Fake(&[("X", "1")]));
    assert!(result.contains("concat!(\"1\")"), "{result}");
}

#[test]
fn code_may_be_larger_than_other_files() {
    let known = [("src/made.rs", "LARGE CODE"), ("src/l.txt", "LARGE")];
    check(&known, r#"include!("made.rs");"#, "fn f() {}");
    check_same(&known, r#"const A: &str = include_str!("l.txt");"#);
}
