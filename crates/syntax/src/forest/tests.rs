//! The tree's shape, single changes, and states of many changes.

use super::{Forest, ForestKind, ForestNode, Pruning};
use crate::builder::build_tree;
use crate::lexer::spaced;
use crate::source::SourceTree;
use crate::tree::{Category, ListKind};
use camino::{Utf8Path, Utf8PathBuf};
use std::ops::Range;
use std::sync::Arc;

mod changes;
mod shape;
mod single;
mod states;

/// Programs of one file with all kinds of lists, parts and nodes.
const SAMPLES: [&str; 6] = [
    include_str!("tests/samples/shapes.rs"),
    include_str!("tests/samples/items.rs"),
    "#![feature(a, b)] #![allow(c)] use a::b::{self, c::{d, e}}; use f::{self}; fn f() {}",
    "fn f(a: u8, (b, c): (u8, u8)) -> u8 { if a { g(1, 2, { h(); b }) } else { loop {} } }",
    "macro_rules! m { ($a:expr, $b:ty) => { f($a); }; } m! { a + b, c } fn g() { m!(1, (2, 3)); }",
    "fn this does not parse (a, b) { c; d }",
];

fn single_file(text: &str) -> SourceTree {
    SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text))
}

fn several(files: &[(&str, &str)]) -> SourceTree {
    let files = files
        .iter()
        .map(|(path, text)| (Utf8PathBuf::from(*path), Arc::from(*text)));
    SourceTree::from_files(Utf8Path::new("src/lib.rs"), files).expect("the root is there")
}

/// Every sample, and a crate of several files.
fn crates() -> Vec<SourceTree> {
    let of_files = several(&[
        (
            "src/lib.rs",
            "mod a; pub mod b { mod c; } fn f() { a::g(); }",
        ),
        ("src/a.rs", "//! Of a.\nmod d; pub fn g() -> u8 { d::h() }"),
        ("src/a/d.rs", "pub fn h() -> u8 { 1 + 2 }"),
        ("src/b/c.rs", "struct S { a: u8, b: Vec<u8> }"),
    ]);
    let samples = SAMPLES.iter().map(|text| single_file(text));
    samples.chain([of_files]).collect()
}

fn forest(sources: &SourceTree) -> Forest {
    Forest::new(sources, build_tree(sources))
}

/// The forest of a program of one file.
struct Case {
    sources: SourceTree,
    forest: Forest,
}

impl Case {
    fn new(text: &str) -> Self {
        let sources = single_file(text);
        let forest = forest(&sources);
        Self { sources, forest }
    }

    fn text(&self, range: Range<usize>) -> &str {
        &self.sources.text(self.sources.root())[range]
    }

    /// The outermost node with this text for which `is_meant` holds.
    #[track_caller]
    fn find(&self, text: &str, is_meant: impl Fn(ForestKind) -> bool) -> usize {
        let has_text =
            |idx: &usize| self.text(self.forest.nodes()[*idx].range.clone()).trim() == text;
        (0..self.forest.nodes().len())
            .filter(has_text)
            .find(|&idx| is_meant(self.forest.nodes()[idx].kind))
            .unwrap_or_else(|| panic!("there is no such `{text}`"))
    }

    #[track_caller]
    fn element(&self, text: &str) -> usize {
        self.find(text, |kind| matches!(kind, ForestKind::Element(_)))
    }

    /// The outermost list of a kind.
    #[track_caller]
    fn list(&self, kind: ListKind) -> usize {
        let mut nodes = self.forest.nodes().iter();
        nodes
            .position(|node| node.kind == ForestKind::List(kind))
            .expect("there is such a list")
    }

    #[track_caller]
    fn node(&self, text: &str, category: Category) -> usize {
        self.find(text, |kind| kind == ForestKind::Node(category))
    }

    /// Checks the program that a state leaves, layout aside.
    #[track_caller]
    fn check(&self, pruned: &[usize], hoisted: &[(usize, usize)], expected: &str) {
        let left = self.forest.edits(pruned, hoisted).apply(&self.sources);
        assert_eq!(spaced(left.text(left.root())), spaced(expected));
    }
}

/// Numbers that look random, the same in each run (xorshift64, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }

    /// Some of them, each with a chance of one in `rarity`.
    fn some<T: Clone>(&mut self, all: &[T], rarity: usize) -> Vec<T> {
        let mut chosen = all.to_vec();
        chosen.retain(|_| self.below(rarity) == 0);
        chosen
    }
}

/// All nodes that can be pruned.
fn prunable(forest: &Forest) -> Vec<usize> {
    let nodes = 0..forest.nodes().len();
    nodes
        .filter(|&idx| forest.nodes()[idx].pruning != Pruning::Never)
        .collect()
}

/// All pairs of a node and a descendant that may stand in its place.
fn hoistable(forest: &Forest) -> Vec<(usize, usize)> {
    let below = |node: usize| {
        let descendants = node + 1..forest.nodes()[node].end;
        descendants.map(move |descendant| (node, descendant))
    };
    let accepting =
        (0..forest.nodes().len()).filter(|&idx| !forest.nodes()[idx].accepts.is_empty());
    accepting
        .flat_map(below)
        .filter(|&(node, descendant)| forest.may_hoist(node, descendant))
        .collect()
}
