use super::*;

/// A crate of some files, of which the first is the root.
fn sources(files: &[(&str, &str)]) -> SourceTree {
    let root = Utf8Path::new(files[0].0);
    let files = files
        .iter()
        .map(|(path, text)| (Utf8PathBuf::from(*path), Arc::from(*text)));
    SourceTree::from_files(root, files).expect("the root is there")
}

/// A tree as paths and texts without their layout.
fn texts<'t>(files: impl Iterator<Item = (&'t Utf8Path, &'t Arc<str>)>) -> Vec<(String, String)> {
    let mut texts: Vec<_> = files
        .map(|(path, text)| (path.to_string(), reduce_syntax::spaced(text)))
        .collect();
    texts.sort();
    texts
}

fn expected_texts(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut texts: Vec<_> = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), reduce_syntax::spaced(text)))
        .collect();
    texts.sort();
    texts
}

/// The split of a crate is these fixed files and these tests, of which the first is the root; and what
/// was taken out can be put back.
#[track_caller]
fn check(files: &[(&str, &str)], test: &str, fixed: &[(&str, &str)], tests: &[(&str, &str)]) {
    let sources = sources(files);
    let split = split_unit_test(&sources, test, OtherTests::LeftOut).expect("the test is there");
    let found = texts(
        split
            .fixed
            .iter()
            .map(|(path, text)| (path.as_path(), text)),
    );
    assert_eq!(found, expected_texts(fixed));
    let found = texts(split.tests.files().map(|(_, path, text)| (path, text)));
    assert_eq!(found, expected_texts(tests));
    assert_eq!(split.tests.path(split.tests.root()), tests[0].0);
    let whole = put_back(&sources, test, &split.tests).expect("the test is there");
    if !matches!(split.place, TestPlace::Items { .. }) {
        let found = texts(whole.files().map(|(_, path, text)| (path, text)));
        assert_eq!(found, expected_texts(files));
    }
}

#[track_caller]
fn check_none(files: &[(&str, &str)], test: &str) {
    assert_eq!(
        split_unit_test(&sources(files), test, OtherTests::Kept),
        None
    );
}

const MODULE: &str = "//! Of tests.\n#![allow(unused)] use super::*; fn helper() {} #[test] fn works() { helper(); f() }";

#[test]
fn a_module_of_tests_becomes_a_file() {
    check(
        &[(
            "src/lib.rs",
            &format!(
                "pub fn f() {{}} #[cfg(test)] #[allow(x)] mod tests {{ {MODULE} }} fn g() {{}}"
            ),
        )],
        "tests::works",
        &[(
            "src/lib.rs",
            "pub fn f() {} #[path = \"cargo_reduce_tests.rs\"] #[cfg(test)] #[allow(x)] mod tests; fn g() {}",
        )],
        &[("src/cargo_reduce_tests.rs", MODULE)],
    );
}

#[test]
fn a_module_in_a_file_and_in_modules_is_found() {
    check(
        &[
            ("src/main.rs", "mod graph;"),
            (
                "src/graph.rs",
                "mod inner { #[cfg(all(test, unix))] mod deep { mod deeper { #[test] fn t() {} } } }",
            ),
        ],
        "graph::inner::deep::deeper::t",
        &[
            ("src/main.rs", "mod graph;"),
            (
                "src/graph.rs",
                "mod inner { #[path = \"cargo_reduce_tests.rs\"] #[cfg(all(test, unix))] mod deep; }",
            ),
        ],
        &[(
            "src/graph/inner/cargo_reduce_tests.rs",
            "mod deeper { #[test] fn t() {} }",
        )],
    );
}

#[test]
fn a_file_of_tests_is_taken_as_it_is() {
    check(
        &[
            ("src/lib.rs", "mod a; #[cfg(test)] mod tests;"),
            ("src/a.rs", "fn f() {}"),
            ("src/tests.rs", "#[tokio::test] async fn t() {}"),
        ],
        "tests::t",
        &[
            ("src/lib.rs", "mod a; #[cfg(test)] mod tests;"),
            ("src/a.rs", "fn f() {}"),
        ],
        &[("src/tests.rs", "#[tokio::test] async fn t() {}")],
    );
}

#[test]
fn a_file_that_says_itself_that_it_is_for_tests_is_one() {
    check(
        &[
            ("src/lib.rs", "mod checks;"),
            (
                "src/checks/mod.rs",
                "#![cfg(test)] mod a; #[test] fn t() {}",
            ),
            ("src/checks/a.rs", "fn f() {}"),
        ],
        "checks::t",
        &[("src/lib.rs", "mod checks;")],
        &[
            (
                "src/checks/mod.rs",
                "#![cfg(test)] mod a; #[test] fn t() {}",
            ),
            ("src/checks/a.rs", "fn f() {}"),
        ],
    );
}

#[test]
fn a_file_with_files_stands_beside_them() {
    check(
        &[
            ("src/lib.rs", "#[cfg(test)] mod tests;"),
            ("src/tests.rs", "mod a;"),
            ("src/tests/a.rs", "#[test] fn t() {}"),
        ],
        "tests::a::t",
        &[(
            "src/lib.rs",
            "#[path = \"tests/cargo_reduce_tests.rs\"] #[cfg(test)] mod tests;",
        )],
        &[
            ("src/tests/cargo_reduce_tests.rs", "mod a;"),
            ("src/tests/a.rs", "#[test] fn t() {}"),
        ],
    );
}

#[test]
fn a_module_with_files_stands_beside_them() {
    check(
        &[
            (
                "src/a.rs",
                "#[cfg(test)] mod tests { mod b; #[test] fn t() {} }",
            ),
            ("src/tests/b.rs", ""),
        ],
        "tests::t",
        &[(
            "src/a.rs",
            "#[path = \"tests/cargo_reduce_tests.rs\"] #[cfg(test)] mod tests;",
        )],
        &[
            (
                "src/tests/cargo_reduce_tests.rs",
                "mod b; #[test] fn t() {}",
            ),
            ("src/tests/b.rs", ""),
        ],
    );
}

#[test]
fn tests_among_other_items_are_included() {
    check(
        &[
            ("src/lib.rs", "mod a;"),
            (
                "src/a.rs",
                "#[cfg(test)] use std::fmt; fn f() {} /// It works.\n#[test] fn works() {} fn g() {}",
            ),
        ],
        "a::works",
        &[
            ("src/lib.rs", "mod a;"),
            (
                "src/a.rs",
                "fn f() {} include!(\"cargo_reduce_tests.rs\"); fn g() {}",
            ),
        ],
        &[(
            "src/cargo_reduce_tests.rs",
            "#[cfg(test)] use std::fmt; /// It works.\n#[test] fn works() {}",
        )],
    );
}

#[test]
fn tests_that_were_included_are_put_back_as_items() {
    let sources = sources(&[(
        "lib.rs",
        "#[test] fn a() {} fn f() {} #[test] fn b() {} fn g() {}",
    )]);
    let reduced = SourceTree::single("x.rs".into(), "#[test] fn b() {}".into());
    let whole = put_back(&sources, "b", &reduced).expect("the test is there");
    let text = reduce_syntax::spaced(whole.text(whole.root()));
    assert_eq!(
        text,
        reduce_syntax::spaced("fn f() {} #[test] fn b() {} fn g() {}")
    );
}

#[test]
fn tests_that_a_macro_makes_go_with_its_call() {
    check(
        &[(
            "src/lib.rs",
            "fn f() {} proptest! { #[test] fn works(a: u8) { f() } } other! { x }",
        )],
        "works",
        &[(
            "src/lib.rs",
            "fn f() {} include!(\"cargo_reduce_tests.rs\"); other! { x }",
        )],
        &[(
            "src/cargo_reduce_tests.rs",
            "proptest! { #[test] fn works(a: u8) { f() } }",
        )],
    );
}

#[test]
fn other_tests_are_left_out_unless_something_mentions_them() {
    const TESTS: &str = "use crate::b::tests::make; #[test] fn t() { make() }";
    let a = format!("#[cfg(test)] mod tests {{ {TESTS} }}");
    check(
        &[
            (
                "src/lib.rs",
                "mod a; mod b; mod c; #[cfg(test)] mod util { fn u() {} } #[test] fn lone() {}",
            ),
            ("src/a.rs", &a),
            (
                "src/b.rs",
                "#[cfg(test)] mod more { #[test] fn t() {} } \
                 #[cfg(test)] pub mod tests { pub fn make() {} #[test] fn t() {} }",
            ),
            ("src/c.rs", "fn f() {} #[cfg(test)] mod checks;"),
            (
                "src/c/checks.rs",
                "mod deep; #[tokio::test] async fn t() {}",
            ),
            ("src/c/checks/deep.rs", ""),
        ],
        "a::tests::t",
        &[
            (
                "src/lib.rs",
                "mod a; mod b; mod c; #[cfg(test)] mod util { fn u() {} }",
            ),
            (
                "src/a.rs",
                "#[path = \"cargo_reduce_tests.rs\"] #[cfg(test)] mod tests;",
            ),
            (
                "src/b.rs",
                "#[cfg(test)] pub mod tests { pub fn make() {} #[test] fn t() {} }",
            ),
            ("src/c.rs", "fn f() {}"),
        ],
        &[("src/cargo_reduce_tests.rs", TESTS)],
    );
}

#[test]
fn other_tests_stay_where_they_are_asked_for() {
    let files = [(
        "src/lib.rs",
        "mod tests { #[test] fn t() {} } #[test] fn lone() {}",
    )];
    let sources = sources(&files);
    let split = split_unit_test(&sources, "tests::t", OtherTests::Kept).expect("it is there");
    let root = &split.fixed[Utf8Path::new("src/lib.rs")];
    assert!(root.ends_with("#[test] fn lone() {}"), "{root}");
}

#[test]
fn a_name_that_is_taken_is_not_taken_again() {
    let files = [
        (
            "src/lib.rs",
            "mod cargo_reduce_tests; #[cfg(test)] mod t { #[test] fn f() {} }",
        ),
        ("src/cargo_reduce_tests.rs", ""),
    ];
    let split = split_unit_test(&sources(&files), "t::f", OtherTests::Kept).expect("it is there");
    let root = split.tests.path(split.tests.root());
    assert_eq!(root, "src/cargo_reduce_tests_2.rs");
}

#[test]
fn what_is_not_found_is_not_split() {
    check_none(&[("src/lib.rs", "#[test] fn a() {}")], "b");
    check_none(&[("src/lib.rs", "make_tests!();")], "a::b");
    check_none(&[("src/lib.rs", "fn a() {}")], "a");
    check_none(
        &[(
            "src/lib.rs",
            "#![cfg(test)] mod tests { #[test] fn t() {} }",
        )],
        "tests::t",
    );
    check_none(&[("src/lib.rs", "mod tests { fn (")], "tests::t");
}

#[test]
fn lines_of_what_stays_are_where_they_were() {
    let text =
        "#[test]\nfn lone() {\n}\nfn a() {}\nmod tests {\n#[test]\nfn t() {\n}\n}\nfn b() {}\n";
    let with_more = format!("{text}#[test]\nfn more() {{\n}}\nfn c() {{}}\n");
    for test in ["tests::t", "more"] {
        let sources = sources(&[("src/lib.rs", &with_more)]);
        let split = split_unit_test(&sources, test, OtherTests::LeftOut).expect("it is there");
        let root = &split.fixed[Utf8Path::new("src/lib.rs")];
        for name in ["fn a()", "fn b()", "fn c()"] {
            let line = |text: &str| text.lines().position(|line| line.contains(name));
            assert_eq!(line(root), line(&with_more), "{name} in\n{root}");
        }
    }
}

#[test]
fn the_place_of_a_test_is_told() {
    let place = |files: &[(&str, &str)], test: &str| {
        let split = split_unit_test(&sources(files), test, OtherTests::Kept);
        split.expect("the test is there").place
    };
    let (lib, tests) = (
        Utf8PathBuf::from("src/lib.rs"),
        Utf8PathBuf::from("src/tests.rs"),
    );
    assert_eq!(
        place(
            &[("src/lib.rs", "mod a { mod tests { #[test] fn t() {} } }")],
            "a::tests::t"
        ),
        TestPlace::Module {
            module: "a::tests".to_owned(),
            file: lib.clone()
        }
    );
    assert_eq!(
        place(
            &[("src/lib.rs", "mod tests;"), ("src/tests.rs", "")],
            "tests::t"
        ),
        TestPlace::File { file: tests }
    );
    assert_eq!(
        place(&[("src/lib.rs", "mod a { #[test] fn t() {} }")], "a::t"),
        TestPlace::Items {
            module: "a".to_owned(),
            file: lib
        }
    );
}

/// Checks that with the tests of `here` the crate `there` is these files.
#[track_caller]
fn check_shared(here: &str, there: &[(&str, &str)], test: &str, fixed: &[(&str, &str)]) {
    let here = sources(&[("src/lib.rs", here)]);
    let shared = share_unit_test(&here, &sources(there), test, OtherTests::LeftOut);
    let shared = shared.expect("the test can stand there");
    let split = split_unit_test(&here, test, OtherTests::LeftOut).expect("the test is there");
    assert_eq!(shared.tests, split.tests);
    let found = shared.fixed.iter();
    let found = texts(found.map(|(path, text)| (path.as_path(), text)));
    assert_eq!(found, expected_texts(fixed));
}

const OWN_MODULE: &str =
    "fn f() {} #[cfg(test)] mod tests { #[test] fn t() { new() } fn new() {} }";

#[test]
fn another_version_reads_the_tests_in_place_of_its_own() {
    check_shared(
        OWN_MODULE,
        &[(
            "old/src/lib.rs",
            "fn f() {} #[cfg(test)] mod tests { #[test] fn s() {} } #[test] fn lone() {}",
        )],
        "tests::t",
        &[(
            "old/src/lib.rs",
            "fn f() {} #[path = \"../../src/cargo_reduce_tests.rs\"] #[cfg(test)] mod tests;",
        )],
    );
    check_shared(
        OWN_MODULE,
        &[
            ("old/lib.rs", "fn f() {} #[cfg(test)] mod tests;"),
            ("old/tests.rs", "mod deep;"),
            ("old/tests/deep.rs", "#[test] fn t() {}"),
        ],
        "tests::t",
        &[(
            "old/lib.rs",
            "fn f() {} #[path = \"../src/cargo_reduce_tests.rs\"] #[cfg(test)] mod tests;",
        )],
    );
}

#[test]
fn a_version_without_the_module_gets_it() {
    check_shared(
        OWN_MODULE,
        &[("old/lib.rs", "fn f() {} // the end")],
        "tests::t",
        &[(
            "old/lib.rs",
            "fn f() {} // the end\n#[cfg(test)] #[path = \"../src/cargo_reduce_tests.rs\"] mod tests;",
        )],
    );
    check_shared(
        "mod a { mod b { mod tests { #[test] fn t() {} } } }",
        &[
            ("old/lib.rs", "mod a;"),
            ("old/a.rs", "mod b { fn f() {} }"),
        ],
        "a::b::tests::t",
        &[
            ("old/lib.rs", "mod a;"),
            (
                "old/a.rs",
                "mod b { fn f() {} #[cfg(test)] #[path = \"../../../src/a/b/cargo_reduce_tests.rs\"] mod tests; }",
            ),
            ("old/a/b/cargo_reduce_empty", ""),
        ],
    );
}

#[test]
fn tests_among_other_items_of_another_version_are_included() {
    let here = "mod a { fn f() {} #[cfg(test)] use x::y; #[test] fn t() { y() } }";
    check_shared(
        here,
        &[
            ("old/lib.rs", "mod a;"),
            (
                "old/a.rs",
                "#[cfg(test)] use x::y; fn f() {} #[test] fn t() {} #[test] fn other() {} fn g() {}",
            ),
        ],
        "a::t",
        &[
            ("old/lib.rs", "mod a;"),
            (
                "old/a.rs",
                "fn f() {} fn g() {} include!(\"../src/cargo_reduce_tests.rs\");",
            ),
        ],
    );
}

#[test]
fn a_test_is_not_shared_with_a_version_where_it_cannot_stand() {
    let none = |there: &str, test: &str| {
        let (here, there) = (
            sources(&[(
                "lib.rs",
                "mod a { mod checks { } #[cfg(test)] mod tests { #[test] fn t() {} } }",
            )]),
            sources(&[("old.rs", there)]),
        );
        let shared = share_unit_test(&here, &there, test, OtherTests::Kept);
        assert_eq!(shared, None, "{}", there.text(there.root()));
    };
    none("mod a {}", "a::t");
    none("mod b {}", "a::tests::t");
    none("mod a { pub mod tests {} }", "a::tests::t");
    none("mod a { #[path = \"x.rs\"] mod tests; }", "a::tests::t");
    none("mod a { fn ( }", "a::tests::t");
}
