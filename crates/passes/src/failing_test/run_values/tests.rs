use super::*;
use camino::Utf8PathBuf;
use reduce_syntax::SourceTree;

fn program(text: &str) -> Program {
    Program::new(&SourceTree::single(
        Utf8PathBuf::from("tests/a.rs"),
        Arc::from(text),
    ))
}

/// Checks the expressions that have probes.
#[track_caller]
fn check_sites(text: &str, expected: &[&str]) {
    let program = program(text);
    let probes = Probes::of(&program);
    let texts = probes
        .sites
        .all
        .iter()
        .map(|site| program.text(&site.place));
    assert_eq!(texts.collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_computed_has_a_probe() {
    check_sites(
        "fn f(a: u8) { let b = a + g(1); h(&b, x.y[0]).i(c); }",
        &["a + g(1)", "a", "g(1)", "h(&b, x.y[0])", "b", "x.y[0]", "c"],
    );
    check_sites(
        "fn f() -> u8 { if a { 1 } else { b } }",
        &["if a { 1 } else { b }", "a", "b"],
    );
    check_sites("fn f() { assert_eq!(g(), 3); }", &["g()"]);
}

#[test]
fn what_is_changed_called_or_dropped_has_none() {
    check_sites("fn f() { a = b; c += d; g(&mut e); }", &["b", "d"]);
    check_sites("fn f() { a.push(1); g(); x.y.z(); }", &[]);
    check_sites(
        "fn f() { match a { b => {} } if let Some(c) = d {}; }",
        &["match a { b => {} }"],
    );
}

#[test]
fn what_the_compiler_evaluates_has_none() {
    check_sites(
        "const A: u8 = f(1); const fn f(a: u8) -> u8 { a + 1 } fn g() { let b: [u8; c + 1] = [0; d]; }",
        &[],
    );
}

/// Checks the program with literals in place of all expressions of which the values are known.
#[track_caller]
fn check_folded(text: &str, record: &str, expected: &str) {
    let program = program(text);
    let probes = Probes::of(&program);
    let mut edits = EditSet::new();
    for one in probes.foldings(&RunValues::read(record.as_bytes())) {
        edits.extend(&one);
    }
    let tree = edits.apply(program.sources());
    assert_eq!(tree.text(tree.root()), expected);
}

#[test]
fn the_outermost_expression_with_a_value_is_folded() {
    let text = "fn f(a: u8) { g(a + 1, b); }";
    // 0 is `a + 1`, 1 is `a`, 2 is `b`.
    check_folded(text, "t 1 4\nt 0 5\n", "fn f(a: u8) { g(5, b); }");
    check_folded(
        text,
        "t 1 4\nt 2 \"x y\"\n",
        "fn f(a: u8) { g(4 + 1, \"x y\"); }",
    );
}

#[test]
fn a_value_that_changes_is_none() {
    let text = "fn f(a: u8) { g(a + 1, b); }";
    check_folded(text, "t 0 5\nt 0 -\n", text);
    check_folded(text, "t 0 5\nt 0 6\n", text);
    check_folded(text, "t 0 -\nt 0 6\n", text);
}

#[test]
fn values_of_several_runs_have_to_be_the_same() {
    let mut observed = RunValues::read(b"t 0 1\nt 1 2\nt 2 3\n");
    observed.merge(RunValues::read(b"t 0 1\nt 1 9\nt 7 8\n"));
    let values: Vec<_> = observed.values.into_iter().collect();
    let value = |text: &str| Some(text.to_owned());
    assert_eq!(values, [(0, value("1")), (1, None), (2, value("3"))]);
}

#[test]
fn what_is_a_literal_already_is_not_folded() {
    let program = program("fn f() { g(vec![1,2], \"x\".to_string()); }");
    let probes = Probes::of(&program);
    let observed = RunValues::read(b"t 0 vec![1, 2]\nt 1 \"x\".to_string()\n");
    assert_eq!(probes.foldings(&observed).len(), 0);
    let other = RunValues::read(b"t 0 vec![1, 3]\n");
    assert_eq!(probes.foldings(&other).len(), 1);
    let program = self::program("fn f() { g(A(1), B::C(2)); }");
    let observed = RunValues::read(b"t 0 B::A(1)\nt 1 B::C(2)\n");
    assert_eq!(Probes::of(&program).foldings(&observed).len(), 0);
}

#[test]
fn a_literal_stands_in_parentheses_where_it_has_to() {
    let text = "fn f() { g(1).h(); }";
    check_folded(text, "t 0 -1\n", "fn f() { (-1).h(); }");
}

#[test]
fn probes_nest_and_name_the_module_of_their_file() {
    let program = program("mod m { fn f() -> u8 { g(a) } }");
    let probed = Probes::of(&program).sources();
    let text = probed.sources.text(probed.sources.root());
    let (before, _) = text
        .split_once("\n#[allow(warnings)]\nmod __reduce_values")
        .unwrap();
    let module = "self::super::__reduce_values";
    let traits = format!("use {module}::{{Copied as _, Literal as _, NoLiteral as _}};");
    let inner = format!("({{ {{ {traits} (&&{module}::Value(&a)).note(1); }} a }})");
    assert_eq!(
        before,
        format!(
            "mod m {{ fn f() -> u8 {{ (match g({inner}) {{ value => {{ {{ {traits} \
             (&&{module}::Value(&value)).note(0); }} value }} }}) }} }}"
        )
    );
}

#[test]
fn an_error_is_about_the_innermost_probe() {
    let program = program("fn f() -> u8 { g(a) } fn h() -> u8 { i() }");
    let probes = Probes::of(&program);
    let probed = probes.sources();
    let root = probed.sources.root();
    let text = probed.sources.text(root);
    let left = |error: Option<Range<usize>>| {
        let mut fewer = Probes::of(&program);
        let had_some = fewer.drop_broken(&probed, error.map(|bytes| (root, bytes)));
        assert!(had_some);
        let sites = fewer.sites.all.iter().enumerate();
        let left = sites.filter(|(idx, _)| !fewer.broken.contains(idx));
        left.map(|(_, site)| program.text(&site.place))
            .collect::<Vec<_>>()
    };
    let inner = text.find("Value(&a)").unwrap();
    assert_eq!(left(Some(inner..inner + 5)), ["g(a)", "i()"]);
    let outer = text.find("match g").unwrap();
    assert_eq!(left(Some(outer..outer + 5)), ["a", "i()"]);
    let function = text.find("fn h").unwrap();
    assert_eq!(
        left(Some(function..text.find("mod __reduce").unwrap())),
        ["g(a)", "a"]
    );
    assert_eq!(left(Some(0..2)), Vec::<&str>::new());
    assert_eq!(left(None), Vec::<&str>::new());
}

#[test]
fn probes_of_one_place_nest() {
    let program = program("fn f() { for x in a { match x { _ => g() } } }");
    let probed = Probes::of(&program).sources();
    let text = probed.sources.text(probed.sources.root());
    let module = "self::__reduce_values";
    let traits = format!("use {module}::{{Copied as _, Literal as _, NoLiteral as _}};");
    let note =
        |value: &str, idx: u32| format!("{{ {traits} (&&{module}::Value({value})).note({idx}); }}");
    let end = |idx: u32| format!(" {{ value => {{ {} value }} }})", note("&value", idx));
    let body = format!("(match {{ {module}::branch(6); g() }}{}", end(2));
    let matched = format!("(match match x {{ _ => {body} }}{}", end(1));
    let list = format!("({{ {} a }})", note("&a", 0));
    let header = format!("{module}::enter(3); for x in {list} {{ {module}::round(3);");
    let bound = note("&x", 5);
    let (before, _) = text.split_once("\n#[allow(warnings)]").unwrap();
    assert_eq!(
        before,
        format!("fn f() {{ {header} {bound} {matched} }} {module}::end(3); }}")
    );
}
