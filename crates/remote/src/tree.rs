//! The files of a command, as a Merkle tree: each directory is named by what is in it.

use crate::digest::Digest;
use crate::stamps::Stamps;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use prost::Message;
use reduce_remote_protocol::{Input, InputError, Inputs};
use std::collections::{BTreeMap, HashMap};

/// The files that a command finds below its root, by their contents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    root: Directory,
    sources: HashMap<Digest, Source>,
}

/// The place from which the contents of a digest can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// The contents are these bytes in memory.
    Contents(Vec<u8>),
    /// The contents are in this file.
    File(Utf8PathBuf),
    /// The contents are on the server already, as a command has made them there.
    Server,
}

#[derive(Debug, Clone, Default)]
struct Directory(BTreeMap<String, Node>);

#[derive(Debug, Clone)]
enum Node {
    File { digest: Digest, is_executable: bool },
    Link(String),
    Directory(Directory),
}

impl Tree {
    /// Makes the tree of a command's inputs, for which only files with no remembered digest are read.
    ///
    /// # Errors
    /// Where something cannot be read.
    pub(crate) fn read(inputs: &Inputs, stamps: &Stamps) -> Result<Self, InputError> {
        let mut tree = Self::default();
        for (at, input) in inputs.iter() {
            match input {
                Input::Directory => drop(tree.root.below(at)),
                Input::Link(target) => tree.root.put(at, Node::Link(target.clone())),
                Input::File {
                    path,
                    is_executable,
                } => {
                    let source = Source::File(path.clone());
                    tree.put(at, stamps.of(path)?, *is_executable, source);
                }
                Input::Made(made) => {
                    let digest = Digest::parse(&made.digest);
                    let digest = digest.ok_or_else(|| InputError::new(at, "it has no digest"))?;
                    tree.put(at, digest, made.is_executable, Source::Server);
                }
            }
        }
        Ok(tree)
    }

    /// Adds a file with these contents.
    pub(crate) fn add_contents(&mut self, at: &Utf8Path, contents: Vec<u8>, is_executable: bool) {
        let digest = Digest::of(&contents);
        self.sources.remove(&digest);
        self.put(at, digest, is_executable, Source::Contents(contents));
    }

    fn put(&mut self, at: &Utf8Path, digest: Digest, is_executable: bool, source: Source) {
        self.sources.entry(digest).or_insert(source);
        let node = Node::File {
            digest,
            is_executable,
        };
        self.root.put(at, node);
    }

    /// Returns the digest of the root directory, and the place of all contents by their digests, those of directories included.
    pub(crate) fn into_digests(mut self) -> (Digest, HashMap<Digest, Source>) {
        let root = self.root.digest(&mut self.sources);
        (root, self.sources)
    }
}

impl Directory {
    /// Returns the directory at a path below this one, which is made if there is none.
    fn below(&mut self, at: &Utf8Path) -> &mut Self {
        let mut found = self;
        for component in at.components() {
            let Utf8Component::Normal(name) = component else {
                continue;
            };
            let node = found.0.entry(name.to_owned());
            let node = node.or_insert_with(|| Node::Directory(Self::default()));
            if !matches!(node, Node::Directory(_)) {
                *node = Node::Directory(Self::default());
            }
            let Node::Directory(inner) = node else {
                unreachable!("it was made a directory");
            };
            found = inner;
        }
        found
    }

    fn put(&mut self, at: &Utf8Path, node: Node) {
        let parent = at.parent().unwrap_or(Utf8Path::new(""));
        if let Some(name) = at.file_name() {
            self.below(parent).0.insert(name.to_owned(), node);
        }
    }

    fn digest(&self, sources: &mut HashMap<Digest, Source>) -> Digest {
        let mut message = api::Directory::default();
        for (name, node) in &self.0 {
            let name = name.clone();
            match node {
                Node::File {
                    digest,
                    is_executable,
                } => message.files.push(api::FileNode {
                    name,
                    digest: Some(digest.to_api()),
                    is_executable: *is_executable,
                    node_properties: None,
                }),
                Node::Link(target) => message.symlinks.push(api::SymlinkNode {
                    name,
                    target: target.clone(),
                    node_properties: None,
                }),
                Node::Directory(inner) => message.directories.push(api::DirectoryNode {
                    name,
                    digest: Some(inner.digest(sources).to_api()),
                }),
            }
        }
        let contents = message.encode_to_vec();
        let digest = Digest::of(&contents);
        sources.insert(digest, Source::Contents(contents));
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(tree: &Tree) -> Digest {
        tree.clone().into_digests().0
    }

    #[test]
    fn a_tree_is_named_by_what_is_in_it_whatever_came_first() {
        let (mut one, mut two) = (Tree::default(), Tree::default());
        one.add_contents("a/b".into(), b"x".to_vec(), false);
        one.add_contents("a/c".into(), b"y".to_vec(), true);
        two.add_contents("a/c".into(), b"y".to_vec(), true);
        two.add_contents("a/b".into(), b"x".to_vec(), false);
        assert_eq!(root(&one), root(&two));
        two.add_contents("a/b".into(), b"x".to_vec(), true);
        assert_ne!(root(&one), root(&two));
    }

    #[test]
    fn files_of_this_machine_are_those_with_the_same_contents() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        std::fs::create_dir_all(dir.join("inner/empty")).unwrap();
        std::fs::write(dir.join("inner/file"), "x").unwrap();
        let mut inputs = Inputs::default();
        inputs.add("w".into(), dir, &|_| false).unwrap();
        let read = Tree::read(&inputs, &Stamps::default()).unwrap();
        let mut written = Tree::default();
        written.root.below("w/inner/empty".into());
        written.add_contents("w/inner/file".into(), b"x".to_vec(), false);
        assert_eq!(root(&read), root(&written));
    }

    #[test]
    fn a_file_that_has_gone_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().join("file");
        std::fs::write(&path, "x").unwrap();
        let mut inputs = Inputs::default();
        inputs.add("w".into(), &path, &|_| false).unwrap();
        std::fs::remove_file(&path).unwrap();
        let error = Tree::read(&inputs, &Stamps::default()).unwrap_err();
        assert!(error.to_string().contains(path.as_str()), "{error}");
    }
}
