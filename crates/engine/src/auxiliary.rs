//! The files of auxiliary crates: linked crates whose text is reduced beside the program, as crates of
//! their own.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// The name of the directory, in the tree and in the result, with the files of crates other than
/// the crashing one.
pub(crate) const AUXILIARY: &str = "auxiliary";

/// Returns the path in the tree of the text of an auxiliary crate.
pub(crate) fn auxiliary_file(name: &str) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{AUXILIARY}/{name}.rs"))
}

/// Whether a file belongs to an auxiliary crate instead of the crashing one.
pub(crate) fn is_auxiliary(path: &Utf8Path) -> bool {
    path.parent() == Some(Utf8Path::new(AUXILIARY))
}

/// Splits the files of a program into the crashing crate's own, and those of other crates.
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
