//! The files of auxiliary crates: linked crates whose text is reduced beside the program, as crates of
//! their own.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// Where the files of other crates than the crashing one are, in the tree and in the result.
pub(crate) const AUXILIARY: &str = "auxiliary";

/// Where the text of a crate of its own stands in the tree.
pub(crate) fn auxiliary_file(name: &str) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{AUXILIARY}/{name}.rs"))
}

/// Whether a file is another crate's than the crashing one's.
pub(crate) fn is_auxiliary(path: &Utf8Path) -> bool {
    path.parent() == Some(Utf8Path::new(AUXILIARY))
}

/// The crashing crate's own files, and those of other crates.
pub(crate) fn own_and_others(tree: &SourceTree) -> (SourceTree, Vec<(Utf8PathBuf, Arc<str>)>) {
    let (mut own, mut others) = (tree.clone(), Vec::new());
    for (file, path, text) in tree.files() {
        if is_auxiliary(path) && file != tree.root() {
            own.drop_file(file);
            others.push((path.to_owned(), text.clone()));
        }
    }
    (own, others)
}
