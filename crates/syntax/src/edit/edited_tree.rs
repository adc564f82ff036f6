//! A tree of sources to which more and more edits are applied, whose places are always those of the original tree.

use super::{Edit, EditSet};
use crate::source::{FileId, SourceTree};

/// A tree of sources, and the edits of it that were accepted last.
///
/// A candidate shares the files with the last accepted one in which nothing else was edited since:
/// they are not lexed, parsed or written again.
#[derive(Debug, Clone)]
pub struct EditedTree {
    base: SourceTree,
    latest: SourceTree,
    /// The edits of the base that make `latest`, in order.
    accepted: Vec<Edit>,
}

impl EditedTree {
    /// Makes an edited tree of a base without any edit.
    #[must_use]
    pub fn new(base: SourceTree) -> Self {
        Self {
            latest: base.clone(),
            accepted: Vec::new(),
            base,
        }
    }

    /// The base with all `edits` applied, as by [`EditSet::apply`]: accepted ones only stay if they
    /// are among them.
    ///
    /// # Panics
    /// If an edit is of a file that the base does not have, or is not at the bounds of characters.
    #[must_use]
    pub fn candidate(&self, edits: &EditSet) -> SourceTree {
        edits.apply_where(&self.base, |file, edits, result| {
            let is_as_accepted = self.latest.contains(file)
                && self.accepted_in(file).iter().eq(edits.iter().copied());
            if is_as_accepted {
                result.share_file(file, &self.latest);
            }
            !is_as_accepted
        })
    }

    /// Makes a candidate the latest tree: `tree`, which is [`candidate`](Self::candidate) of `edits`.
    pub fn accept(&mut self, edits: &EditSet, tree: &SourceTree) {
        self.accepted = edits.sorted().into_iter().cloned().collect();
        self.latest = tree.clone();
    }

    fn accepted_in(&self, file: FileId) -> &[Edit] {
        let start = self.accepted.partition_point(|edit| edit.file < file);
        let end = self.accepted.partition_point(|edit| edit.file <= file);
        &self.accepted[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use std::sync::Arc;

    fn two_files() -> (SourceTree, [FileId; 2]) {
        let mut base = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from("mod b; fn f() {}"));
        let b = base.add(Utf8PathBuf::from("b.rs"), Arc::from("fn g() {} fn h() {}"));
        let a = base.root();
        (base, [a, b])
    }

    fn deletions(deleted: &[(FileId, std::ops::Range<usize>)]) -> EditSet {
        let mut edits = EditSet::new();
        for (file, range) in deleted {
            edits.add(Edit::delete(*file, range));
        }
        edits
    }

    #[test]
    fn a_candidate_is_the_base_with_the_edits() {
        let (base, [a, b]) = two_files();
        let mut tree = EditedTree::new(base.clone());
        let first = deletions(&[(a, 7..16)]);
        let candidate = tree.candidate(&first);
        assert_eq!(candidate, first.apply(&base));
        tree.accept(&first, &candidate);
        for edits in [
            deletions(&[]),
            deletions(&[(b, 0..9)]),
            deletions(&[(a, 7..16), (b, 0..9)]),
            deletions(&[(a, 0..6), (a, 7..16)]),
        ] {
            assert_eq!(tree.candidate(&edits), edits.apply(&base));
        }
    }

    #[test]
    fn files_with_the_accepted_edits_are_those_of_the_accepted_tree() {
        let (base, [a, b]) = two_files();
        let mut tree = EditedTree::new(base);
        let first = deletions(&[(a, 7..16)]);
        let accepted = tree.candidate(&first);
        tree.accept(&first, &accepted);
        let second = tree.candidate(&deletions(&[(a, 7..16), (b, 0..9)]));
        let is_shared = |file| Arc::ptr_eq(&second.shared_text(file), &accepted.shared_text(file));
        assert!(is_shared(a) && !is_shared(b));
    }

    #[test]
    fn a_file_that_is_dropped_stays_away() {
        let (base, [a, b]) = two_files();
        let mut tree = EditedTree::new(base);
        let mut edits = deletions(&[(a, 0..6), (b, 0..9)]);
        edits.drop_file(b);
        let accepted = tree.candidate(&edits);
        tree.accept(&edits, &accepted);
        assert!(!tree.candidate(&edits).contains(b));
        let without = tree.candidate(&deletions(&[(b, 0..9)]));
        assert_eq!(without.text(b), " fn h() {}");
    }
}
