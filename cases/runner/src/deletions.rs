//! What would be lost without a guard: single deletions from a right result that keep its failure, though
//! some of them lose the bug.

use camino::Utf8PathBuf;
use reduce_syntax::{EditSet, ListKind, SourceTree, build_tree};
use std::collections::BTreeSet;

/// How many deletions keep the failure, by what the judge says of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deletions {
    /// Those after which the bug is lost: the test fails in the right package too.
    pub wrong: usize,
    /// Those after which the test still passes in the right package.
    pub harmless: usize,
}

/// The texts that a text becomes if one element of one list goes: a statement, an argument, an item.
pub fn single_deletions(text: &str) -> BTreeSet<String> {
    let sources = SourceTree::single(Utf8PathBuf::from("test.rs"), text.into());
    let tree = build_tree(&sources);
    let mut texts = BTreeSet::new();
    // A body becomes an endless loop, which is no deletion.
    let lists = tree.lists.iter();
    for list in lists.filter(|list| list.kind != ListKind::Bodies) {
        for element in 0..list.elements.len() {
            let mut edits = EditSet::new();
            list.remove(&[element], &mut edits);
            texts.insert(edits.apply(&sources).text(sources.root()).to_owned());
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_goes_by_itself() {
        let texts = single_deletions("#[test]\nfn a() { b(1); c(); }");
        let has = |part: &str| texts.iter().any(|text| text.contains(part));
        assert!(has("{ b(1); }") || has("{ b(1);  }"), "{texts:#?}");
        assert!(has("b(); c();"), "{texts:#?}");
        assert!(
            texts.iter().any(|text| !text.contains("test")),
            "{texts:#?}"
        );
    }
}
