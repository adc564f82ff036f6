//! Tests of the text that remains when each single element of a list is removed, list kind by list
//! kind.

use super::build_tree;
use crate::edit::EditSet;
use crate::lexer::spaced;
use crate::source::SourceTree;
use crate::tree::{List, ListKind, SyntaxTree};
use camino::Utf8PathBuf;
use std::sync::Arc;

mod files;
mod macros;
mod parts;
mod plain;
mod separated;

fn single(text: &str) -> SourceTree {
    SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text))
}

/// A crate of these files, the root first.
fn several(files: &[(&str, &str)]) -> SourceTree {
    let mut tree = SourceTree::single(Utf8PathBuf::from(files[0].0), Arc::from(files[0].1));
    for (path, text) in &files[1..] {
        tree.add(Utf8PathBuf::from(*path), Arc::from(*text));
    }
    tree
}

/// The lists of one kind, in order of the source, outer ones first.
fn lists(tree: &SyntaxTree, kind: ListKind) -> Vec<&List> {
    let mut lists: Vec<&List> = tree.lists.iter().filter(|list| list.kind == kind).collect();
    lists.sort_by_key(|list| {
        (
            list.depth,
            list.elements[0].file,
            list.elements[0].range.start,
        )
    });
    lists
}

fn without(sources: &SourceTree, list: &List, removed: &[usize]) -> SourceTree {
    let mut edits = EditSet::new();
    list.remove(removed, &mut edits);
    edits.apply(sources)
}

/// The root's text after each single removal, in order of the source.
fn removals(text: &str, kind: ListKind) -> Vec<String> {
    let sources = single(text);
    let tree = build_tree(&sources);
    let mut found = Vec::new();
    for list in lists(&tree, kind) {
        let mut order: Vec<usize> = (0..list.elements.len()).collect();
        order.sort_by_key(|&idx| list.elements[idx].range.start);
        for idx in order {
            let left = without(&sources, list, &[idx]);
            found.push(left.text(left.root()).to_owned());
        }
    }
    found
}

/// Removing each single element of the lists of a kind leaves these texts, layout aside.
#[track_caller]
fn check(text: &str, kind: ListKind, expected: &[&str]) {
    let found: Vec<String> = removals(text, kind)
        .iter()
        .map(|text| spaced(text))
        .collect();
    let expected: Vec<String> = expected.iter().map(|text| spaced(text)).collect();
    assert_eq!(found, expected);
}

/// Checks the texts without each element of the lists of a kind, with the layout.
#[track_caller]
fn check_bytes(text: &str, kind: ListKind, expected: &[&str]) {
    assert_eq!(removals(text, kind), expected);
}

/// Removing all elements of the only list of a kind leaves this text, layout aside.
#[track_caller]
fn check_emptied(text: &str, kind: ListKind, expected: &str) {
    let sources = single(text);
    let tree = build_tree(&sources);
    let [list] = lists(&tree, kind)[..] else {
        panic!("there is one such list");
    };
    let all: Vec<usize> = (0..list.elements.len()).collect();
    let left = without(&sources, list, &all);
    assert_eq!(spaced(left.text(left.root())), spaced(expected));
}

#[track_caller]
fn weights(sources: &SourceTree, kind: ListKind) -> Vec<u64> {
    let tree = build_tree(sources);
    let elements = lists(&tree, kind)
        .into_iter()
        .flat_map(|list| &list.elements);
    elements.map(|element| element.weight).collect()
}
