//! The check that no single deletion leaves something smaller that still fails.

use reduce_syntax::{EditSet, SourceTree, build_tree, is_parsable};

/// Returns all trees that lack a single element of any list.
pub(super) fn single_deletions(tree: &SourceTree) -> Vec<SourceTree> {
    let mut found = Vec::new();
    for list in build_tree(tree).lists {
        for idx in 0..list.elements.len() {
            let mut edits = EditSet::new();
            list.remove(&[idx], &mut edits);
            found.push(edits.apply(tree));
        }
    }
    found
}

fn parses(tree: &SourceTree) -> bool {
    tree.files().all(|(_, _, text)| is_parsable(text))
}

/// Whether a tree has fewer tokens than another, or as many in fewer bytes.
fn is_smaller(one: &SourceTree, other: &SourceTree) -> bool {
    let size = |tree: &SourceTree| (tree.count_tokens(), tree.count_bytes());
    size(one) < size(other)
}

/// Checks that no single deletion leaves something smaller that parses and is interesting.
#[track_caller]
pub(super) fn check_minimal(tree: &SourceTree, is_interesting: impl Fn(&SourceTree) -> bool) {
    assert!(is_interesting(tree) && parses(tree));
    for smaller in single_deletions(tree) {
        let is_better = is_smaller(&smaller, tree) && parses(&smaller) && is_interesting(&smaller);
        assert!(!is_better, "{smaller:?}");
    }
}
