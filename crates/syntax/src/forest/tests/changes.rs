//! Tests of the effects of pruning and hoisting, and of their composition.

use super::*;

#[test]
fn elements_of_a_list_go_with_their_separators() {
    let case = Case::new("fn f(a: A, b: B, c: C) {}");
    let [a, b, c] = ["a: A", "b: B", "c: C"].map(|text| case.element(text));
    case.check(&[b, c], &[], "fn f(a: A) {}");
    case.check(&[c, a, a], &[], "fn f(b: B) {}");
    case.check(&[a, b, c], &[], "fn f() {}");
}

#[test]
fn an_emptied_list_takes_its_wrapper_along() {
    let case = Case::new("fn f<A, B>() where A: B {}");
    let pruned = ["A", "B", "A: B"].map(|text| case.element(text));
    case.check(&pruned, &[], "fn f() {}");
}

#[test]
fn stand_ins_are_put_where_something_has_to_stand() {
    let case = Case::new("fn f(a: Vec<u8>) { b(c, d); }");
    let body = case.element("{ b(c, d); }");
    case.check(&[body], &[], "fn f(a: Vec<u8>) { loop {} }");
    let ty = case.node("Vec<u8>", Category::Type);
    case.check(&[ty], &[], "fn f(a: ()) { b(c, d); }");
    let call = case.node("b(c, d)", Category::Expression);
    case.check(&[call], &[], "fn f(a: Vec<u8>) { loop {}; }");
}

#[test]
fn a_group_of_self_is_pruned_to_its_path() {
    let case = Case::new("use a::{b::{self}, c};");
    let tree = case.node("b::{self}", Category::UseTree);
    assert_eq!(case.forest.nodes()[tree].pruning, Pruning::Leaves(1));
    case.check(&[tree], &[], "use a::{b, c};");
}

#[test]
fn the_block_of_a_function_stays_a_block() {
    let case = Case::new("fn f() { a(b, c); { d } }");
    let block = case.node("{ a(b, c); { d } }", Category::Expression);
    assert_eq!(case.forest.nodes()[block].pruning, Pruning::Never);
    let inner = case.node("{ d }", Category::Expression);
    let expression = case.node("d", Category::Expression);
    assert!(!case.forest.may_hoist(block, expression));
    case.check(&[], &[(block, inner)], "fn f() { d }");
}

#[test]
fn a_statement_becomes_what_is_in_its_block_or_an_expression() {
    let case = Case::new("fn f() { while a { b(); c(); } }");
    let statement = case.node("while a { b(); c(); }", Category::Statement);
    let contents = case.node("b(); c();", Category::BlockContents);
    case.check(&[], &[(statement, contents)], "fn f() { b(); c(); }");
    let condition = case.node("a", Category::Expression);
    case.check(&[], &[(statement, condition)], "fn f() { a; }");
    let block = case.node("{ b(); c(); }", Category::Expression);
    assert!(!case.forest.may_hoist(statement, block));
}

#[test]
fn changes_inside_what_was_hoisted_count() {
    let case = Case::new("const C: u8 = f(g(a, b, h(i)), c);");
    let whole = case.node("f(g(a, b, h(i)), c)", Category::Expression);
    let call = case.node("g(a, b, h(i))", Category::Expression);
    let (a, b, c) = (case.element("a"), case.element("b"), case.element("c"));
    let (h, i) = (
        case.node("h(i)", Category::Expression),
        case.node("i", Category::Expression),
    );
    case.check(&[a], &[(whole, call)], "const C: u8 = g(b, h(i));");
    case.check(&[c], &[(whole, call)], "const C: u8 = g(a, b, h(i));");
    case.check(&[a, b], &[(h, i), (whole, call)], "const C: u8 = g(i);");
}

#[test]
fn what_was_hoisted_is_replaced_in_turn() {
    let case = Case::new("fn f() { let x = a(b(c(1))); }");
    let statement = case.node("let x = a(b(c(1)));", Category::Statement);
    let [a, b, c] =
        ["a(b(c(1)))", "b(c(1))", "c(1)"].map(|text| case.node(text, Category::Expression));
    case.check(&[], &[(statement, a), (a, b)], "fn f() { b(c(1)); }");
    case.check(&[], &[(b, c), (statement, a), (a, b)], "fn f() { c(1); }");
    case.check(&[a], &[(statement, a)], "fn f() { loop {}; }");
    case.check(&[b], &[(statement, a)], "fn f() { a(loop {}); }");
    case.check(
        &[],
        &[(statement, a), (statement, b)],
        "fn f() { b(c(1)); }",
    );
}

#[test]
fn a_replaced_node_that_is_pruned_is_gone() {
    let case = Case::new("fn f() { while a { b(); } c(); }");
    let statement = case.node("while a { b(); }", Category::Statement);
    let contents = case.node("b();", Category::BlockContents);
    let element = case.element("while a { b(); }");
    case.check(&[element], &[(statement, contents)], "fn f() { c(); }");
    let call = case.element("b();");
    case.check(&[call], &[(statement, contents)], "fn f() { c(); }");
}

#[test]
fn a_return_type_goes_with_the_value_where_that_still_stands() {
    let case = Case::new("fn f() -> u8 { a(); { b(); c } }");
    let part = case.element("-> u8");
    case.check(&[part], &[], "fn f() { a(); }");
    let block = case.node("{ a(); { b(); c } }", Category::Expression);
    let inner = case.node("{ b(); c }", Category::Expression);
    case.check(&[part], &[(block, inner)], "fn f() { b(); c }");
}

#[test]
fn files_go_with_a_value_that_goes_with_its_return_type() {
    let sources = several(&[
        ("src/lib.rs", "fn f() -> u8 { g(); { mod m { mod n; } 1 } }"),
        ("src/m/n.rs", "struct S;"),
    ]);
    let forest = forest(&sources);
    let goes_along = |node: &ForestNode| node.also.is_some();
    let part = forest.nodes().iter().position(goes_along);
    let edits = forest.edits(&[part.expect("is there")], &[]);
    let left = edits.apply(&sources);
    assert_eq!(left.files().count(), 1);
    assert_eq!(spaced(left.text(left.root())), spaced("fn f() { g(); }"));
}

#[test]
fn files_go_with_what_they_are_below() {
    let sources = several(&[
        ("src/lib.rs", "fn f() { mod m { mod n; } g(); } mod a;"),
        ("src/m/n.rs", "struct S;"),
        ("src/a.rs", "mod b;"),
        ("src/a/b.rs", ""),
    ]);
    let forest = forest(&sources);
    let find = |kind: ListKind, text: &str| {
        let is_meant = |idx: &usize| {
            let node = &forest.nodes()[*idx];
            node.kind == ForestKind::Element(kind)
                && &sources.text(node.file)[node.range.clone()] == text
        };
        (0..forest.nodes().len()).find(is_meant).expect("is there")
    };
    let paths = |pruned: usize| {
        let left = forest.edits(&[pruned], &[]).apply(&sources);
        let mut paths: Vec<String> = left.files().map(|(_, path, _)| path.to_string()).collect();
        paths.sort_unstable();
        paths
    };
    let module = find(ListKind::Items, "mod a;");
    assert_eq!(paths(module), ["src/lib.rs", "src/m/n.rs"]);
    let statement = find(ListKind::Statements, "mod m { mod n; }");
    assert_eq!(paths(statement), ["src/a.rs", "src/a/b.rs", "src/lib.rs"]);
}

#[test]
fn files_go_with_what_is_around_what_was_hoisted() {
    let sources = several(&[
        (
            "src/lib.rs",
            "fn f() { { mod a { mod b; } { mod c { mod d; } g(); } mod e { mod f; } } }",
        ),
        ("src/a/b.rs", ""),
        ("src/c/d.rs", ""),
        ("src/e/f.rs", ""),
    ]);
    let forest = forest(&sources);
    let root = sources.text(sources.root());
    let text = |idx: usize| root[forest.nodes()[idx].range.clone()].trim();
    let is_meant = |&(node, descendant): &(usize, usize)| {
        text(node).starts_with("{ mod a") && text(descendant) == "mod c { mod d; } g();"
    };
    let pair = hoistable(&forest).into_iter().find(is_meant);
    let left = forest.edits(&[], &[pair.expect("is there")]);
    let left = left.apply(&sources);
    let mut paths: Vec<&str> = left.files().map(|(_, path, _)| path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["src/c/d.rs", "src/lib.rs"]);
}

#[test]
fn a_hoisted_module_keeps_changes_in_its_files() {
    let sources = several(&[
        ("src/lib.rs", "mod m { mod n; fn f() {} }"),
        ("src/m/n.rs", "struct S; struct T;"),
    ]);
    let forest = forest(&sources);
    let pairs = hoistable(&forest);
    let n = sources.find(Utf8Path::new("src/m/n.rs")).expect("is there");
    let in_n = |idx: &usize| {
        let node = &forest.nodes()[*idx];
        node.file == n && node.range == (0..9)
    };
    let pruned: Vec<usize> = prunable(&forest).into_iter().filter(in_n).collect();
    assert_eq!((pairs.len(), pruned.len()), (1, 1));
    let left = forest.edits(&pruned, &pairs).apply(&sources);
    assert_eq!(spaced(left.text(left.root())), "mod n ; fn f ( ) { }");
    assert_eq!(spaced(left.text(n)), "struct T ;");
}

#[test]
fn what_cannot_be_changes_nothing() {
    let case = Case::new("const C: u8 = f(1);");
    let call = case.node("f(1)", Category::Expression);
    let ty = case.node("u8", Category::Type);
    let edits = case
        .forest
        .edits(&[0, 1, ty], &[(call, ty), (call, call), (ty, call)]);
    assert!(edits.is_empty());
}

#[test]
fn classes_have_numbers_of_their_own() {
    let case = Case::new(SAMPLES[0]);
    let classes = case.forest.nodes().iter().filter_map(|node| node.class);
    let mut classes: Vec<_> = classes.collect();
    classes.sort_unstable();
    classes.dedup();
    let mut numbers: Vec<u8> = classes.iter().map(|class| class.index()).collect();
    numbers.dedup();
    assert_eq!(numbers.len(), classes.len());
    assert!(classes.len() >= 6 && numbers.iter().all(|&number| number < 64));
}

#[test]
fn what_is_put_in_place_of_a_statement_has_its_attributes() {
    let case = Case::new("fn f() { #[cfg(a)] g(b); #[cfg(a)] c.d(e); }");
    let call = case.node("g(b)", Category::Expression);
    let argument = case.node("b", Category::Expression);
    let expected = "fn f() { #[cfg(a)] b; #[cfg(a)] c.d(e); }";
    case.check(&[], &[(call, argument)], expected);
    case.node("c.d(e)", Category::Expression);
}
