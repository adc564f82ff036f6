//! Reads directories as values, so that a test can say that nothing in one has changed.

use super::PROGRAM;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of a directory, by path relative to it. Directories are there with a slash at the end.
pub(crate) type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// Reads all files below a directory.
pub(crate) fn read_tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    read_into(&mut tree, root, root);
    tree
}

fn read_into(tree: &mut Tree, root: &Path, at: &Path) {
    for path in entries(at) {
        let name = path.strip_prefix(root).expect("it is below the root");
        if path.is_dir() {
            tree.insert(name.join(""), vec![]);
            read_into(tree, root, &path);
        } else {
            tree.insert(
                name.to_owned(),
                std::fs::read(&path).expect("a file can be read"),
            );
        }
    }
}

/// Writes a file, with the directories that it is in.
pub(crate) fn write(path: &Path, text: &str) {
    let directory = path.parent().expect("a file is in a directory");
    std::fs::create_dir_all(directory).expect("a directory can be made");
    std::fs::write(path, text).expect("a file can be written");
}

/// Copies a file, or a directory without `target`.
pub(crate) fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        std::fs::copy(from, to).expect("a file can be copied");
        return;
    }
    std::fs::create_dir_all(to).expect("a directory can be made");
    for path in entries(from) {
        let name = path.file_name().expect("an entry has a name");
        if name != "target" {
            copy(&path, &to.join(name));
        }
    }
}

/// Copies the program, so that the copy can be executed at once.
///
/// Were it written by this process, a test beside this one could start a process meanwhile, which then has the file open
/// for writing: the system executes no such file.
pub(crate) fn copy_program(to: &Path) {
    let copied = Command::new("cp").arg(PROGRAM).arg(to).status();
    assert!(copied.expect("`cp` can be started").success());
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(directory);
    let entries = entries.unwrap_or_else(|error| panic!("`{}`: {error}", directory.display()));
    entries.map(|entry| entry.expect("a directory can be read").path())
}

/// The names in a directory, without those below.
pub(crate) fn names_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("the directory can be read");
    let names = entries.map(|entry| entry.expect("it can be read").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("it is UTF-8"))
        .collect();
    names.sort();
    names
}
