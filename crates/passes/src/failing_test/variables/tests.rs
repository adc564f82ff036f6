use super::*;
use camino::Utf8PathBuf;
use reduce_syntax::SourceTree;

fn program(text: &str) -> Program {
    let path = Utf8PathBuf::from("tests/a.rs");
    Program::new(&SourceTree::single(path, Arc::from(text)))
}

/// Checks the variables that have probes, each with the statement before its probe.
#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let program = program(text);
    let probes = VariableProbes::of(&program);
    let sites = probes.sites.iter();
    let sites = sites.map(|site| (site.name.as_str(), &text[site.start.at..site.end.at]));
    assert_eq!(sites.collect::<Vec<_>>(), expected);
}

#[test]
fn what_a_statement_binds_or_changes_has_a_probe() {
    check(
        "fn f() { let (a, mut b) = g(); b.push(a); b[0].c = a; h(&mut b, &a); a += 1; }",
        &[
            ("a", "let (a, mut b) = g();"),
            ("b", "let (a, mut b) = g();"),
            ("b", "b.push(a);"),
            ("b", "b[0].c = a;"),
            ("b", "h(&mut b, &a);"),
            ("a", "a += 1;"),
        ],
    );
    check(
        "fn f() { for a in b { c.push(a); } d }",
        &[("c", "for a in b { c.push(a); }"), ("c", "c.push(a);")],
    );
}

#[test]
fn what_is_only_read_or_is_a_value_has_none() {
    check("fn f() -> u8 { g(a); assert_eq!(a, b); a.h() }", &[]);
    check("const fn f() { let a = 1; } fn g() { self.h(); }", &[]);
}

#[test]
fn probes_that_do_not_compile_are_left_out() {
    let text = "fn f() { let a = g(); let b = a; }";
    let program = program(text);
    let mut probes = VariableProbes::of(&program);
    let probed = probes.sources();
    let (idx, first) = probed.places[0].clone();
    assert!(
        program_text(&probed.sources).starts_with("fn f() { let a = g(); { #[allow(warnings)] mod")
    );
    assert!(probes.drop_broken(&probed, Some((first.file, first.range))));
    assert_eq!(probes.broken, BTreeSet::from([idx]));
    assert!(
        program_text(&probes.sources().sources).starts_with("fn f() { let a = g(); let b = a; {")
    );
}

fn program_text(sources: &SourceTree) -> &str {
    sources.text(sources.root())
}

#[test]
fn values_that_change_from_run_to_run_are_left_out() {
    let program = program("fn f() {\n    let a = 1;\n    let b = &a;\n    b.c();\n}");
    let probes = VariableProbes::of(&program);
    let told = probes.values([
        b"0 1\n1 0x12\n2 5\n2 6\n2 7\n2 8\n",
        b"0 1\n1 0x13\n2 5\n2 6\n2 7\n2 8\n",
    ]);
    let told = told.iter();
    let told = told.map(|one| {
        (
            one.line,
            one.name.as_str(),
            one.values.join(" "),
            one.is_cut,
        )
    });
    let expected = [
        (2, "a", "1".to_owned(), false),
        (4, "b", "5 6 7".to_owned(), true),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}
