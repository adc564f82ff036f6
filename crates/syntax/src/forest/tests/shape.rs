//! Tests of the tree's shape, which node contains which others, and of the weights.

use super::*;
use crate::source::FileId;
use crate::tree::{Element, LastSeparator, List, SyntaxTree};

/// The tree with the text of each node, two spaces for each level.
fn outline(text: &str) -> String {
    let Case { sources, forest } = Case::new(text);
    let mut levels: Vec<usize> = Vec::new();
    let mut lines = Vec::new();
    for node in forest.nodes() {
        let level = node.parent.map_or(0, |parent| levels[parent] + 1);
        levels.push(level);
        let text = &sources.text(node.file)[node.range.clone()];
        lines.push(format!("{}{:?} `{text}`", "  ".repeat(level), node.kind));
    }
    lines.join("\n")
}

/// The outline of a program, but for the line of its file.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = outline(text);
    let found: Vec<&str> = found.lines().skip(1).map(|line| &line[2..]).collect();
    assert_eq!(found, expected);
}

#[test]
fn an_element_contains_the_node_that_it_is() {
    check(
        "const C: u8 = f(a);",
        &[
            "List(Items) `const C: u8 = f(a);`",
            "  Element(Items) `const C: u8 = f(a);`",
            "    Node(Type) `u8`",
            "    Node(Expression) `f(a)`",
            "      Node(Expression) `f`",
            "      List(Arguments) `a`",
            "        Element(Arguments) `a`",
            "          Node(Expression) `a`",
        ],
    );
}

#[test]
fn a_node_contains_the_list_that_it_is() {
    check(
        "type A = impl B + C;",
        &[
            "List(Items) `type A = impl B + C;`",
            "  Element(Items) `type A = impl B + C;`",
            "    Node(Type) `impl B + C`",
            "      List(Bounds) `B + C`",
            "        Element(Bounds) `B`",
            "        Element(Bounds) `C`",
        ],
    );
    check(
        "fn f(S(a | b): S) {}",
        &[
            "List(Items) `fn f(S(a | b): S) {}`",
            "  Element(Items) `fn f(S(a | b): S) {}`",
            "    List(Parameters) `S(a | b): S`",
            "      Element(Parameters) `S(a | b): S`",
            "        Node(Pattern) `S(a | b)`",
            "          List(Elements) `a | b`",
            "            Element(Elements) `a | b`",
            "              Node(Pattern) `a | b`",
            "                List(Elements) `a | b`",
            "                  Element(Elements) `a`",
            "                    Node(Pattern) `a`",
            "                  Element(Elements) `b`",
            "                    Node(Pattern) `b`",
            "        Node(Type) `S`",
            "    Node(Expression) `{}`",
            "      Node(BlockContents) ``",
        ],
    );
}

#[test]
fn parts_and_bodies_hang_below_what_is_around_them() {
    check(
        "fn f() -> u8 {a+b+c}",
        &[
            "List(Items) `fn f() -> u8 {a+b+c}`",
            "  Element(Items) `fn f() -> u8 {a+b+c}`",
            "    Element(Parts) `-> u8`",
            "      Element(Parts) `-> u8`",
            "        Node(Type) `u8`",
            "    Element(Bodies) `{a+b+c}`",
            "      Node(Expression) `{a+b+c}`",
            "        Node(BlockContents) `a+b+c`",
            "          List(Statements) `a+b+c`",
            "            Element(Statements) `a+b+c`",
            "              Node(Statement) `a+b+c`",
            "                Node(Expression) `a+b+c`",
            "                  Node(Expression) `a+b`",
            "                    Node(Expression) `a`",
            "                    Node(Expression) `b`",
            "                  Node(Expression) `c`",
        ],
    );
}

#[test]
fn attributes_and_wrappers_are_around_their_arguments() {
    check(
        "#![a(b, c)]",
        &[
            "Element(Attributes) `#![a(b, c)]`",
            "  List(AttributeArguments) `#![a(b, c)]`",
            "    Element(AttributeArguments) `b`",
            "    Element(AttributeArguments) `c`",
        ],
    );
}

#[test]
fn a_default_body_goes_before_it_is_emptied() {
    let text = "trait T { fn f() { a(b); } }";
    let case = Case::new(text);
    let outer = case.find("{ a(b); }", |kind| {
        kind == ForestKind::Element(ListKind::Parts)
    });
    let inner = case.find("{ a(b); }", |kind| {
        kind == ForestKind::Element(ListKind::Bodies)
    });
    assert_eq!(case.forest.nodes()[inner].parent, Some(outer));
    assert_eq!(case.forest.nodes()[outer].pruning, Pruning::Leaves(1));
    assert_eq!(case.forest.nodes()[inner].pruning, Pruning::Leaves(5));
}

#[test]
fn a_file_hangs_below_its_module() {
    let sources = several(&[
        ("src/lib.rs", "mod b { mod c; } fn f() {} mod a;"),
        ("src/a.rs", "mod d; fn g() {}"),
        ("src/a/d.rs", "fn h() {}"),
        ("src/b/c.rs", "struct S;"),
        ("src/unseen.rs", "fn i() {}"),
    ]);
    let forest = forest(&sources);
    let nodes = forest.nodes();
    let files = nodes.iter().filter(|node| node.kind == ForestKind::File);
    let mut below: Vec<(&str, &str)> = files
        .map(|node| {
            let owner = &nodes[node.parent.unwrap_or(0)];
            let text = &sources.text(owner.file)[owner.range.clone()];
            (sources.path(node.file).as_str(), text)
        })
        .collect();
    below.sort_unstable();
    let root = sources.text(sources.root());
    let expected = [
        ("src/a.rs", "mod a;"),
        ("src/a/d.rs", "mod d;"),
        ("src/b/c.rs", "mod c;"),
        ("src/lib.rs", root),
        ("src/unseen.rs", root),
    ];
    assert_eq!(below, expected);
}

#[test]
fn a_file_comes_after_what_is_in_its_module_declaration() {
    let sources = several(&[("src/lib.rs", "pub mod a;"), ("src/a.rs", "")]);
    let kinds: Vec<ForestKind> = forest(&sources)
        .nodes()
        .iter()
        .map(|node| node.kind)
        .collect();
    let expected = [
        ForestKind::File,
        ForestKind::List(ListKind::Items),
        ForestKind::Element(ListKind::Items),
        ForestKind::Element(ListKind::Parts),
        ForestKind::File,
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn weights_add_up_to_the_size_of_the_crate() {
    for sources in crates() {
        let forest = forest(&sources);
        let own: u64 = forest.nodes().iter().map(|node| node.own_weight).sum();
        assert_eq!(own, sources.count_tokens());
        assert_eq!(forest.nodes()[0].weight, own);
        assert_eq!(forest.n_left_out(), 0);
    }
}

#[test]
fn separators_and_wrappers_belong_to_their_list() {
    let case = Case::new("fn f<A, B,>(a: A,) { g(a, [1, 2], c,); }");
    let list = |kind: ListKind| case.forest.nodes()[case.list(kind)].own_weight;
    assert_eq!(list(ListKind::GenericParameters), 4);
    assert_eq!(list(ListKind::Parameters), 1);
    assert_eq!(list(ListKind::Arguments), 3);
    assert_eq!(list(ListKind::Elements), 1);
}

#[test]
fn nodes_are_in_pre_order_and_inside_their_parents() {
    for sources in crates() {
        let forest = forest(&sources);
        for (idx, node) in forest.nodes().iter().enumerate().skip(1) {
            let parent = node.parent.expect("only the first has none");
            let outer = &forest.nodes()[parent];
            assert!(parent < idx && node.end <= outer.end && idx < outer.end);
            assert!(node.weight <= outer.weight);
            let is_inside =
                outer.range.start <= node.range.start && node.range.end <= outer.range.end;
            assert!(is_inside || node.kind == ForestKind::File);
        }
    }
}

#[test]
fn the_children_of_a_list_are_its_elements() {
    for sources in crates() {
        let forest = forest(&sources);
        for node in forest.nodes() {
            let parent = node.parent.map(|parent| forest.nodes()[parent].kind);
            if let Some(ForestKind::List(kind)) = parent {
                assert_eq!(node.kind, ForestKind::Element(kind));
            }
        }
    }
}

#[test]
fn everything_is_in_the_tree_once() {
    for sources in crates() {
        let tree = build_tree(&sources);
        let n_elements: usize = tree.lists.iter().map(|list| list.elements.len()).sum();
        let n_nodes = tree.nodes.len();
        let forest = Forest::new(&sources, tree);
        let count = |is_meant: fn(ForestKind) -> bool| {
            let nodes = forest.nodes().iter();
            nodes.filter(|node| is_meant(node.kind)).count()
        };
        let found = count(|kind| matches!(kind, ForestKind::Element(_)));
        assert_eq!(found, n_elements);
        assert_eq!(count(|kind| matches!(kind, ForestKind::Node(_))), n_nodes);
    }
}

/// A list of chunks at the given bytes.
fn chunks(file: FileId, ranges: &[Range<usize>]) -> List {
    let element = |range: &Range<usize>| Element {
        file,
        range: range.clone(),
        separator: None,
        weight: 1,
        files: Vec::new(),
        stand_in: "",
        also: None,
    };
    List {
        kind: ListKind::Chunks,
        depth: 0,
        elements: ranges.iter().map(element).collect(),
        wrapper: None,
        last_separator: LastSeparator::Goes,
    }
}

#[test]
fn what_overlaps_is_left_out() {
    let sources = single_file("a b c d e");
    let lists = vec![
        chunks(sources.root(), &[0..3, 4..9]),
        chunks(sources.root(), &[2..5, 8..9]),
    ];
    let tree = SyntaxTree {
        lists,
        ..SyntaxTree::default()
    };
    let forest = Forest::new(&sources, tree);
    // The second list and its first element begin in the first element and end in the second.
    assert_eq!((prunable(&forest).len(), forest.n_left_out()), (3, 2));
    let own: Vec<u64> = forest.nodes().iter().map(|node| node.own_weight).collect();
    assert_eq!(own, [0, 0, 2, 2, 1]);
    let left = forest.edits(&[4], &[]).apply(&sources);
    assert_eq!(left.text(left.root()), "a b c d ");
}
