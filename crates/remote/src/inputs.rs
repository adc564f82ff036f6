//! The files of a command, as a Merkle tree: each directory is named by what is in it.

use crate::digest::Digest;
use crate::script::Made;
use crate::stamps::Stamps;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use prost::Message;
use reduce_platform::files;
use std::collections::{BTreeMap, HashMap};
use std::fs::Metadata;
use std::io;

/// The files that a command finds below its root.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    root: Directory,
    sources: HashMap<Digest, Source>,
}

/// An input that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to read `{path}`: {reason}")]
pub struct InputError {
    path: Utf8PathBuf,
    reason: String,
}

/// Where contents are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// Here.
    Contents(Vec<u8>),
    /// In a file.
    File(Utf8PathBuf),
    /// On the server, where a command has made them.
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

/// What a directory is called that leads back to one above it: it is left out.
const DEEPEST: usize = 64;

impl Inputs {
    /// Adds a directory, which may stay empty. Paths are relative to the root.
    pub fn add_directory(&mut self, at: &Utf8Path) {
        self.root.below(at);
    }

    /// Adds a file with these contents.
    pub fn add_contents(&mut self, at: &Utf8Path, contents: Vec<u8>, is_executable: bool) {
        let digest = Digest::of(&contents);
        let source = Source::Contents(contents);
        self.sources.insert(digest, source);
        self.put(at, digest, is_executable);
    }

    /// Adds what a command has made.
    pub fn add_made(&mut self, at: &Utf8Path, made: &Made) {
        self.sources.entry(made.digest).or_insert(Source::Server);
        self.put(at, made.digest, made.is_executable);
    }

    /// Adds a file or a directory with all that is in it, but for that for which `is_left_out` is true. Links to files stand
    /// for these. What is neither a file nor a directory is left out.
    ///
    /// # Errors
    /// Where something cannot be read.
    pub fn add(
        &mut self,
        at: &Utf8Path,
        path: &Utf8Path,
        is_left_out: &dyn Fn(&Utf8Path) -> bool,
        stamps: &Stamps,
    ) -> Result<(), InputError> {
        let data = path.metadata().map_err(failed(path))?;
        match data.is_dir() {
            true => self.add_all(at, path, is_left_out, stamps),
            false => self.add_file(at, path, &data, stamps),
        }
    }

    fn add_all(
        &mut self,
        at: &Utf8Path,
        path: &Utf8Path,
        is_left_out: &dyn Fn(&Utf8Path) -> bool,
        stamps: &Stamps,
    ) -> Result<(), InputError> {
        if at.components().count() > DEEPEST {
            return Ok(());
        }
        self.add_directory(at);
        for entry in path.read_dir_utf8().map_err(failed(path))? {
            let entry = entry.map_err(failed(path))?;
            let (inner, inner_at) = (entry.path(), at.join(entry.file_name()));
            if is_left_out(inner) {
                continue;
            }
            match inner.metadata() {
                Ok(data) if data.is_dir() && leads_up(inner) => {}
                Ok(data) if data.is_dir() => self.add_all(&inner_at, inner, is_left_out, stamps)?,
                Ok(data) => self.add_file(&inner_at, inner, &data, stamps)?,
                // A link that leads nowhere does so there too.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if let Ok(target) = inner.read_link_utf8() {
                        self.root.put(&inner_at, Node::Link(target.into_string()));
                    }
                }
                Err(error) => return Err(failed(inner)(error)),
            }
        }
        Ok(())
    }

    fn add_file(
        &mut self,
        at: &Utf8Path,
        path: &Utf8Path,
        data: &Metadata,
        stamps: &Stamps,
    ) -> Result<(), InputError> {
        if !data.is_file() {
            return Ok(());
        }
        let digest = stamps.digest(path, data).map_err(failed(path))?;
        let source = || Source::File(path.to_owned());
        self.sources.entry(digest).or_insert_with(source);
        self.put(at, digest, files::is_executable(data));
        Ok(())
    }

    fn put(&mut self, at: &Utf8Path, digest: Digest, is_executable: bool) {
        let node = Node::File {
            digest,
            is_executable,
        };
        self.root.put(at, node);
    }

    /// What the files are called together.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.root.digest(&mut HashMap::new())
    }

    /// The digest of the root, and where all contents are, those of directories included.
    pub(crate) fn into_tree(mut self) -> (Digest, HashMap<Digest, Source>) {
        let root = self.root.digest(&mut self.sources);
        (root, self.sources)
    }
}

impl Directory {
    /// The directory at a path, which is made where there is none.
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

/// Whether a link leads to a directory that it is in.
fn leads_up(link: &Utf8Path) -> bool {
    let is_link = link.symlink_metadata().is_ok_and(|data| data.is_symlink());
    is_link
        && match (
            link.canonicalize_utf8(),
            link.parent().map(Utf8Path::canonicalize_utf8),
        ) {
            (Ok(target), Some(Ok(parent))) => parent.starts_with(target),
            _ => true,
        }
}

fn failed(path: &Utf8Path) -> impl Fn(io::Error) -> InputError {
    let path = path.to_owned();
    move |error| InputError {
        path: path.clone(),
        reason: error.to_string(),
    }
}

impl InputError {
    /// Contents that are not what they were when their digest was taken.
    pub(crate) fn changed(path: &Utf8Path) -> Self {
        Self {
            path: path.to_owned(),
            reason: "it has changed meanwhile".to_owned(),
        }
    }

    /// A file that cannot be read any more.
    pub(crate) fn of(path: &Utf8Path, error: io::Error) -> Self {
        failed(path)(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(inputs: &Inputs) -> Digest {
        inputs.clone().into_tree().0
    }

    fn scratch() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        (dir, path)
    }

    #[test]
    fn a_tree_is_named_by_what_is_in_it_whatever_came_first() {
        let (mut one, mut two) = (Inputs::default(), Inputs::default());
        one.add_contents("a/b".into(), b"x".to_vec(), false);
        one.add_contents("a/c".into(), b"y".to_vec(), true);
        two.add_contents("a/c".into(), b"y".to_vec(), true);
        two.add_contents("a/b".into(), b"x".to_vec(), false);
        assert_eq!(root(&one), root(&two));
        two.add_contents("a/b".into(), b"x".to_vec(), true);
        assert_ne!(root(&one), root(&two));
    }

    #[test]
    fn files_of_a_directory_are_those_with_the_same_contents() {
        let (_guard, dir) = scratch();
        std::fs::create_dir_all(dir.join("inner/empty")).unwrap();
        std::fs::write(dir.join("inner/file"), "x").unwrap();
        std::fs::write(dir.join("left.out"), "y").unwrap();
        files::symlink("file".as_ref(), dir.join("inner/link").as_ref()).unwrap();
        let mut read = Inputs::default();
        let is_left_out = |path: &Utf8Path| path.extension() == Some("out");
        read.add("w".into(), &dir, &is_left_out, &Stamps::default())
            .unwrap();
        let mut written = Inputs::default();
        written.add_directory("w/inner/empty".into());
        written.add_contents("w/inner/file".into(), b"x".to_vec(), false);
        written.add_contents("w/inner/link".into(), b"x".to_vec(), false);
        assert_eq!(root(&read), root(&written));
    }

    #[test]
    fn a_link_to_a_directory_above_it_is_left_out() {
        let (_guard, dir) = scratch();
        std::fs::create_dir(dir.join("inner")).unwrap();
        files::symlink("..".as_ref(), dir.join("inner/up").as_ref()).unwrap();
        let mut inputs = Inputs::default();
        inputs
            .add("w".into(), &dir, &|_| false, &Stamps::default())
            .unwrap();
        let mut expected = Inputs::default();
        expected.add_directory("w/inner".into());
        assert_eq!(root(&inputs), root(&expected));
    }

    #[test]
    fn a_missing_file_is_named() {
        let mut inputs = Inputs::default();
        let error = inputs.add(
            "a".into(),
            "/no/such".into(),
            &|_| false,
            &Stamps::default(),
        );
        assert!(error.unwrap_err().to_string().contains("`/no/such`"));
    }
}
