//! External modules, and bytes that are not characters.

use super::{check_bytes, lists, several, single, weights, without};
use crate::builder::build_tree;
use crate::source::SourceTree;
use crate::tree::ListKind;

/// Checks for each item of the root its source text and the files that remain without it.
#[track_caller]
fn check_files(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    let sources = several(files);
    let tree = build_tree(&sources);
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    let list = lists(&tree, ListKind::Items)
        .into_iter()
        .find(|list| list.elements[0].file == sources.root())
        .expect("the root has items");
    for (idx, element) in list.elements.iter().enumerate() {
        let text = &sources.text(sources.root())[element.range.clone()];
        found.push((text, paths(&without(&sources, list, &[idx]))));
    }
    let found: Vec<(&str, Vec<&str>)> = found
        .iter()
        .map(|(text, paths)| (*text, paths.iter().map(String::as_str).collect()))
        .collect();
    let expected: Vec<(&str, Vec<&str>)> = expected
        .iter()
        .map(|(text, paths)| (*text, paths.to_vec()))
        .collect();
    assert_eq!(found, expected);
}

fn paths(sources: &SourceTree) -> Vec<String> {
    sources
        .files()
        .map(|(_, path, _)| path.to_string())
        .collect()
}

#[test]
fn a_module_goes_with_its_file_and_its_children() {
    check_files(
        &[
            ("src/lib.rs", "mod a; mod c;"),
            ("src/a.rs", "mod b;"),
            ("src/a/b.rs", ""),
            ("src/c/mod.rs", ""),
        ],
        &[
            ("mod a;", &["src/lib.rs", "src/c/mod.rs"]),
            ("mod c;", &["src/lib.rs", "src/a.rs", "src/a/b.rs"]),
        ],
    );
}

#[test]
fn an_inline_module_goes_with_the_files_in_it() {
    check_files(
        &[("lib.rs", "mod a { mod b; }"), ("a/b.rs", "struct S;")],
        &[("mod a { mod b; }", &["lib.rs"])],
    );
}

#[test]
fn a_module_with_a_path_goes_with_that_file() {
    check_files(
        &[
            ("src/lib.rs", "#[path = \"../x/y.rs\"] mod a; mod b;"),
            ("x/y.rs", "mod z;"),
            ("x/z.rs", ""),
            ("src/b.rs", ""),
        ],
        &[
            (
                "#[path = \"../x/y.rs\"] mod a;",
                &["src/lib.rs", "src/b.rs"],
            ),
            ("mod b;", &["src/lib.rs", "x/y.rs", "x/z.rs"]),
        ],
    );
}

#[test]
fn a_module_without_a_file_goes_alone() {
    check_files(
        &[("lib.rs", "#[cfg(any())] mod a;")],
        &[("#[cfg(any())] mod a;", &["lib.rs"])],
    );
}

#[test]
fn a_module_weighs_as_much_as_its_files() {
    let sources = several(&[
        ("lib.rs", "mod a; fn f() {}"),
        ("a.rs", "mod b; struct S;"),
        ("a/b.rs", "const C: u8 = 1;"),
    ]);
    // The items of the root, then those of `a.rs`, then those of `b.rs`.
    assert_eq!(
        weights(&sources, ListKind::Items),
        [3 + 6 + 7, 6, 3 + 7, 3, 7]
    );
}

#[test]
fn items_of_an_external_module_lie_below_the_module() {
    let sources = several(&[("lib.rs", "mod a;"), ("a.rs", "struct S;")]);
    let tree = build_tree(&sources);
    let depths: Vec<u32> = lists(&tree, ListKind::Items)
        .iter()
        .map(|list| list.depth)
        .collect();
    assert_eq!(depths, [0, 1]);
}

#[test]
fn a_file_below_one_that_does_not_parse_still_has_items() {
    let sources = SourceTree::from_files(
        "lib.rs".into(),
        [
            ("lib.rs".into(), "mod a; \"open".into()),
            ("a.rs".into(), "struct S;".into()),
        ],
    );
    let sources = sources.expect("the root is there");
    assert_eq!(weights(&sources, ListKind::Items), [3]);
    assert_eq!(build_tree(&sources).fallbacks.len(), 1);
}

#[test]
fn an_item_that_syn_refuses_is_one_of_the_items() {
    let sources = several(&[("lib.rs", "mod a; fn fn"), ("a.rs", "struct S;")]);
    assert_eq!(weights(&sources, ListKind::Items), [6, 2, 3]);
    let tree = build_tree(&sources);
    assert_eq!(tree.fallbacks, []);
    assert_eq!(tree.tokens_in_islands(&sources), 2);
}

#[test]
fn text_that_is_not_ascii_does_not_shift_edits() {
    check_bytes(
        "/* é€😀 */ const Ü: &str = \"é\"; struct S;",
        ListKind::Items,
        &[
            "/* é€😀 */  struct S;",
            "/* é€😀 */ const Ü: &str = \"é\"; ",
        ],
    );
    check_bytes(
        "fn f(é: u8, ü: u8) {}",
        ListKind::Parameters,
        &["fn f( ü: u8) {}", "fn f(é: u8 ) {}"],
    );
}

#[test]
fn windows_line_ends_do_not_shift_edits() {
    check_bytes(
        "/// é\r\nfn f() {}\r\n\r\nstruct S;\r\n",
        ListKind::Items,
        &["\r\n\r\nstruct S;\r\n", "/// é\r\nfn f() {}\r\n\r\n\r\n"],
    );
    check_bytes(
        "const A: &str = \"a\r\nb\";\r\nstruct S;",
        ListKind::Items,
        &["\r\nstruct S;", "const A: &str = \"a\r\nb\";\r\n"],
    );
    check_bytes("/// é\r\nstruct S;", ListKind::Attributes, &["\nstruct S;"]);
}

#[test]
fn a_shebang_line_and_a_byte_order_mark_stay() {
    check_bytes(
        "#!/usr/bin/env é\nfn f() {} struct S;",
        ListKind::Items,
        &[
            "#!/usr/bin/env é\n struct S;",
            "#!/usr/bin/env é\nfn f() {} ",
        ],
    );
    check_bytes(
        "\u{feff}fn f() {} struct S;",
        ListKind::Items,
        &["\u{feff} struct S;", "\u{feff}fn f() {} "],
    );
    check_bytes(
        "\u{feff}#!/bin/a\r\nfn f() {} struct S;",
        ListKind::Items,
        &[
            "\u{feff}#!/bin/a\r\n struct S;",
            "\u{feff}#!/bin/a\r\nfn f() {} ",
        ],
    );
}

#[test]
fn an_inner_attribute_is_no_shebang_line() {
    check_bytes("#![a]\nstruct S;", ListKind::Attributes, &["\nstruct S;"]);
}

#[test]
fn a_byte_order_mark_weighs_nothing() {
    let text = "\u{feff}fn f() {}";
    assert_eq!(single(text).count_tokens(), 6);
}

#[test]
fn calls_of_macros_in_each_other_can_be_interrupted() {
    let text = format!("fn f() {{ {}x();{} }}", "m! { ".repeat(50), " }".repeat(50));
    let sources = SourceTree::single("lib.rs".into(), text.into());
    let asked = std::rc::Rc::new(std::cell::Cell::new(0));
    let counted = asked.clone();
    // The file itself is parsed before.
    let is_over = move || counted.replace(counted.get() + 1) >= 10;
    assert!(crate::interruptible(is_over, || build_tree(&sources)).is_none());
    assert_eq!(asked.get(), 11);
}
