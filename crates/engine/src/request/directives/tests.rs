//! Tests of how the lines of a file change its compilation.

use super::*;

fn file(edition: Option<&str>, rustc_args: &[&str]) -> FileInput {
    FileInput {
        path: "/crash.rs".into(),
        edition: edition.map(str::to_owned),
        rustc_args: rustc_args.iter().map(|arg| (*arg).to_owned()).collect(),
        ..FileInput::default()
    }
}

/// Reads the files that others link.
fn auxiliary(path: &Utf8Path) -> Option<String> {
    let text = match path.as_str() {
        "/auxiliary/deep/tool-box.rs" => {
            "//@ edition: 2018\n//@ aux-build: nail.rs\n//@[b] rustc-env: A=b"
        }
        "/auxiliary/nail.rs" => "#![crate_name = \"pin\"]\n//@ aux-build: nail.rs",
        "/auxiliary/old.rs" => "#![crate_type=\"proc-macro\"]",
        "/auxiliary/derive.rs" => "//@ compile-flags: -O",
        _ => return None,
    };
    Some(text.to_owned())
}

fn all(file: &FileInput, text: &str) -> Vec<Obeyed> {
    obeyed(file, text, &|path| auxiliary(path)).unwrap()
}

/// Checks the arguments of the first way to compile a file.
#[track_caller]
fn check_args(file: &FileInput, text: &str, expected: &[&str]) {
    assert_eq!(all(file, text)[0].file.rustc_args, expected, "{text}");
}

#[test]
fn edition_and_flags_are_obeyed() {
    let plain = file(None, &[]);
    check_args(&plain, "//@ edition: 2021", &["--edition=2021"]);
    check_args(&plain, "//@edition:2021", &["--edition=2021"]);
    check_args(&plain, "//@ edition: 2015..2021", &["--edition=2015"]);
    check_args(&plain, "//@ edition: 2021..", &["--edition=2021"]);
    check_args(
        &plain,
        "//@ compile-flags: -Znext-solver -O\n//@ compile-flags: --cfg 'a = \"b c\"'",
        &["-Znext-solver", "-O", "--cfg", "a = \"b c\""],
    );
    let both = "//@ edition: 2018\n//@ compile-flags: --edition=2024";
    check_args(&plain, both, &["--edition=2024"]);
}

#[test]
fn what_the_user_says_counts_more() {
    let text = "//@ edition: 2021\n//@ compile-flags: -Znext-solver -O --crate-type=lib\n";
    let user = file(Some("2024"), &["-O", "--crate-type", "bin"]);
    check_args(&user, text, &["-Znext-solver", "-O", "--crate-type", "bin"]);
    let user = file(None, &["--edition", "2024"]);
    check_args(&user, "//@ edition: 2021", &["--edition", "2024"]);
}

#[test]
fn each_revision_is_a_way_to_compile_the_file() {
    let text = "//@ revisions: old next-one both\n//@[next-one,both] compile-flags: -Znext-solver\n\
                //@[ old ] edition: 2018\n//@ compile-flags: -O\n";
    let ways = all(&file(None, &[]), text);
    let seen: Vec<_> = ways
        .iter()
        .map(|way| {
            (
                way.revision.as_deref().unwrap(),
                way.file.rustc_args.join(" "),
            )
        })
        .collect();
    let expected = [
        ("old", "--edition=2018 --cfg=old -O".to_owned()),
        ("next-one", "--cfg=next_one -Znext-solver -O".to_owned()),
        ("both", "--cfg=both -Znext-solver -O".to_owned()),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_revision_is_chosen_by_its_name_or_its_cfg() {
    let text = "//@ revisions: a b\n//@ revisions: c-d\n";
    let of = |file: &FileInput| {
        let ways = all(file, text).into_iter();
        ways.map(|way| way.file.rustc_args).collect::<Vec<_>>()
    };
    let mut named = file(None, &[]);
    named.revision = Some("b".to_owned());
    assert_eq!(of(&named), [["--cfg=b"]]);
    assert_eq!(of(&file(None, &["--cfg=b"])), [["--cfg=b"]]);
    assert_eq!(of(&file(None, &["--cfg", "c_d"])), [["--cfg", "c_d"]]);
    named.revision = Some("e".to_owned());
    assert_eq!(
        obeyed(&named, text, &|_| None),
        Err(["a", "b", "c-d"].map(str::to_owned).to_vec())
    );
    assert_eq!(obeyed(&named, "fn f() {}", &|_| None), Err(vec![]));
}

#[test]
fn variables_are_set_and_unset() {
    let text = "//@ rustc-env: A=b=c\n//@ unset-rustc-env: HOME\n//@rustc-env:D=\n//@ rustc-env:\n";
    let env = &all(&file(None, &[]), text)[0].file.env;
    let some = |value: &str| Some(value.to_owned());
    let expected = [("A", some("b=c")), ("D", some("")), ("HOME", None)];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(env, &BTreeMap::from(expected));
}

#[test]
fn linked_files_are_compiled_as_their_own_lines_say() {
    let text = "//@ revisions: b\n//@ aux-build: deep/tool-box.rs\n//@ compile-flags: -Zmain";
    let way = &all(&file(Some("2021"), &[]), text)[0];
    let [link] = way.file.links.as_slice() else {
        panic!("{way:?}");
    };
    assert_eq!(
        (&*link.extern_name, &*link.crate_name),
        ("tool_box", "tool_box")
    );
    assert_eq!(link.file.rustc_args, ["--edition=2018", "--cfg=b"]);
    assert_eq!(link.file.env["A"].as_deref(), Some("b"));
    let [inner] = link.file.links.as_slice() else {
        panic!("{link:?}");
    };
    assert_eq!(
        (&*inner.crate_name, inner.file.path.as_str()),
        ("pin", "/auxiliary/nail.rs")
    );
    assert!(inner.file.links.is_empty(), "it does not link itself");
}

#[test]
fn crates_have_the_names_that_lines_give_them() {
    let text = "//@ aux-crate: noprelude:nail_two=nail.rs\n//@ aux-build: old.rs\n//@ proc-macro: derive.rs";
    let way = &all(&file(None, &[]), text)[0];
    let links = way.file.links.iter();
    let seen: Vec<_> = links
        .map(|link| (&*link.extern_name, &*link.crate_name, link.is_proc_macro))
        .collect();
    let expected = [
        ("nail_two", "pin", false),
        ("old", "old", true),
        ("derive", "derive", true),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_linked_file_that_is_not_there_is_named() {
    let way = &all(&file(None, &[]), "//@ aux-build: gone.rs")[0];
    let expected =
        "the line `//@ aux-build: gone.rs` is not obeyed: there is no file `/auxiliary/gone.rs`";
    assert_eq!(way.unread, [expected]);
}

#[test]
fn lines_that_are_not_obeyed_are_named_with_what_does_the_same() {
    let check = |line: &str, expected: &str| {
        let sentence = format!("the line `{line}` is not read: {expected}");
        assert_eq!(all(&file(None, &[]), line)[0].unread, [sentence]);
    };
    check(
        "//@ aux-bin: tool.rs",
        "compile `auxiliary/tool.rs` and add `-- --extern NAME=PATH`",
    );
    check(
        "//@ incremental",
        "each program is compiled anew, without `-Cincremental`",
    );
}

#[test]
fn other_lines_and_other_comments_change_nothing() {
    let plain = file(None, &[]);
    let text =
        "//@ check-pass\n//@ known-bug: #123\n// edition: 2021\n//@\nfn f() {} //@ edition: 2021\n";
    let ways = all(&plain, text);
    assert_eq!((ways.len(), &ways[0].file), (1, &plain));
    assert!(ways[0].unread.is_empty() && ways[0].restrictions.is_empty());
}

#[test]
fn where_rustc_runs_the_test_is_known() {
    let text =
        "//@ only-windows\n//@ ignore-wasm (no threads)\n//@ needs-unwind\n//@ edition: 2021";
    let expected = [
        "//@ only-windows",
        "//@ ignore-wasm (no threads)",
        "//@ needs-unwind",
    ];
    assert_eq!(all(&file(None, &[]), text)[0].restrictions, expected);
}
