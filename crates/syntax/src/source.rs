//! The source files of one crate, as a value: cheap to copy, files shared until they change.

use crate::stream::{Kept, StreamSum, TokenStream};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Names a file of a [`SourceTree`] and of all trees that were made from it by edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// The source files of one crate. Paths are relative to a root that only the oracle knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceTree {
    root: FileId,
    files: BTreeMap<FileId, SourceFile>,
}

/// A file with facts about its text, which are computed once and shared by all trees that have the file.
#[derive(Debug, Clone)]
struct SourceFile {
    path: Arc<Utf8Path>,
    text: Arc<str>,
    facts: Arc<Facts>,
}

/// The facts about a text that were computed so far.
#[derive(Debug, Default)]
struct Facts {
    sum: OnceLock<StreamSum>,
    /// The marked token stream of the text, which is computed only if another text is made from it.
    stream: OnceLock<TokenStream>,
}

impl PartialEq for SourceFile {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.text == other.text
    }
}

impl Eq for SourceFile {}

impl SourceFile {
    fn new(path: Arc<Utf8Path>, text: Arc<str>) -> Self {
        Self {
            path,
            text,
            facts: Arc::default(),
        }
    }

    fn sum(&self) -> &StreamSum {
        self.facts.sum.get_or_init(|| self.stream().sum())
    }

    fn stream(&self) -> &TokenStream {
        let lex = || TokenStream::new(&self.text);
        self.facts.stream.get_or_init(lex)
    }

    /// Replaces the text of the file by one in which the parts `kept` are unchanged. The new text's tokens are counted
    /// here, where it is known what changed.
    fn set_edited(&mut self, text: Arc<str>, kept: &[Kept]) {
        let sum = self.stream().edited(&self.text, &text, kept);
        // In this crate's tests alone: it takes as long as it took to lex each candidate.
        if cfg!(test) {
            assert_eq!(sum, TokenStream::new(&text).sum(), "of an edited text");
        }
        *self = Self::new(self.path.clone(), text);
        self.facts.sum.get_or_init(|| sum);
    }
}

impl SourceTree {
    /// Makes the sources of a crate with one file, which is its root.
    #[must_use]
    pub fn single(path: Utf8PathBuf, text: Arc<str>) -> Self {
        let root = FileId(0);
        Self {
            root,
            files: BTreeMap::from([(root, SourceFile::new(path.into(), text))]),
        }
    }

    /// Makes the sources of a crate from its files.
    ///
    /// Returns `None` if `root` is not among them.
    #[must_use]
    pub fn from_files(
        root: &Utf8Path,
        files: impl IntoIterator<Item = (Utf8PathBuf, Arc<str>)>,
    ) -> Option<Self> {
        let files: BTreeMap<Utf8PathBuf, Arc<str>> = files.into_iter().collect();
        let mut tree = Self::single(root.to_owned(), files.get(root)?.clone());
        for (path, text) in files {
            if path != root {
                tree.add(path, text);
            }
        }
        Some(tree)
    }

    /// Returns the files by their paths; [`Self::from_files`] takes them again.
    #[must_use]
    pub fn to_files(&self) -> BTreeMap<Utf8PathBuf, Arc<str>> {
        let files = self.files();
        files
            .map(|(_, path, text)| (path.to_owned(), text.clone()))
            .collect()
    }

    /// Adds a file.
    ///
    /// # Panics
    /// With more than four thousand million files.
    pub fn add(&mut self, path: Utf8PathBuf, text: Arc<str>) -> FileId {
        let last = self.files.keys().next_back().map_or(0, |id| id.0);
        let id = FileId(last.checked_add(1).expect("file ids do not run out"));
        self.files.insert(id, SourceFile::new(path.into(), text));
        id
    }

    /// The crate root.
    #[must_use]
    pub fn root(&self) -> FileId {
        self.root
    }

    /// All files, in the order in which they were found.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &Utf8Path, &Arc<str>)> {
        self.files
            .iter()
            .map(|(&id, file)| (id, &*file.path, &file.text))
    }

    /// Returns whether the file is still there.
    #[must_use]
    pub fn contains(&self, file: FileId) -> bool {
        self.files.contains_key(&file)
    }

    /// The file at a path.
    #[must_use]
    pub fn find(&self, path: &Utf8Path) -> Option<FileId> {
        self.files
            .iter()
            .find(|(_, file)| &*file.path == path)
            .map(|(&id, _)| id)
    }

    /// A file's path.
    ///
    /// # Panics
    /// If the file is not of this tree.
    #[must_use]
    pub fn path(&self, file: FileId) -> &Utf8Path {
        &self.files[&file].path
    }

    /// A file's text.
    ///
    /// # Panics
    /// If the file is not of this tree.
    #[must_use]
    pub fn text(&self, file: FileId) -> &str {
        &self.files[&file].text
    }

    /// A file's text, shared.
    ///
    /// # Panics
    /// If the file is not of this tree.
    #[must_use]
    pub fn shared_text(&self, file: FileId) -> Arc<str> {
        self.files[&file].text.clone()
    }

    /// Replaces a file's text.
    ///
    /// # Panics
    /// If the file is not of this tree.
    pub fn set_text(&mut self, file: FileId, text: Arc<str>) {
        let entry = self.files.get_mut(&file).expect("the file is of this tree");
        *entry = SourceFile::new(entry.path.clone(), text);
    }

    /// Replaces a file's text by one in which the parts `kept` are unchanged.
    pub(crate) fn set_edited(&mut self, file: FileId, text: Arc<str>, kept: &[Kept]) {
        let entry = self.files.get_mut(&file).expect("the file is of this tree");
        entry.set_edited(text, kept);
    }

    /// Replaces a file by that of another tree, which was made from the same tree as this one.
    pub(crate) fn share_file(&mut self, file: FileId, other: &Self) {
        self.files.insert(file, other.files[&file].clone());
    }

    /// Removes a file from the tree.
    pub fn drop_file(&mut self, file: FileId) {
        self.files.remove(&file);
    }

    /// The size of all files, in tokens.
    #[must_use]
    pub fn count_tokens(&self) -> u64 {
        self.files.values().map(|file| file.sum().n_tokens()).sum()
    }

    /// The size of all files in bytes: decides between trees of the same number of tokens.
    #[must_use]
    pub fn count_bytes(&self) -> u64 {
        self.files.values().map(|file| file.text.len() as u64).sum()
    }

    /// Returns whether this tree is simpler than `other`: fewer tokens, else fewer bytes, else the
    /// text that comes first (so `0` is simpler than `1`). No program has infinitely many simpler
    /// ones.
    #[must_use]
    pub fn is_simpler_than(&self, other: &Self) -> bool {
        let size = |tree: &Self| (tree.count_tokens(), tree.count_bytes());
        let texts = |tree: &Self| tree.files.values().map(|file| file.text.clone()).collect();
        let by_text = || -> std::cmp::Ordering {
            let (ours, theirs): (Vec<Arc<str>>, Vec<Arc<str>>) = (texts(self), texts(other));
            ours.cmp(&theirs)
        };
        size(self).cmp(&size(other)).then_with(by_text).is_lt()
    }

    /// Returns a digest of the token streams and paths of all files: what the compiler sees of them, apart from line
    /// numbers. The same for equal trees in whichever way they were made.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let mut files: Vec<&SourceFile> = self.files.values().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        for file in files {
            hasher.update(&(file.path.as_str().len() as u64).to_le_bytes());
            hasher.update(file.path.as_str().as_bytes());
            hasher.update(&file.sum().digest());
        }
        *hasher.finalize().as_bytes()
    }
}

/// A digest of the tokens of one text: texts that differ in comments and layout alone have the same.
#[must_use]
pub fn digest_of_tokens(text: &str) -> [u8; 32] {
    SourceTree::single(Utf8PathBuf::new(), Arc::from(text)).digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(text: &str) -> SourceTree {
        SourceTree::single(Utf8PathBuf::from("src/lib.rs"), Arc::from(text))
    }

    #[test]
    fn digest_is_of_tokens_not_of_layout() {
        assert_eq!(single("fn f(){}").digest(), single("fn f() { }").digest());
        assert_ne!(single("fn f(){}").digest(), single("fn g(){}").digest());
    }

    #[test]
    fn digest_depends_on_paths() {
        let other = SourceTree::single(Utf8PathBuf::from("src/main.rs"), Arc::from("fn f(){}"));
        assert_ne!(single("fn f(){}").digest(), other.digest());
    }

    #[test]
    fn size_is_the_sum_of_the_files() {
        let mut tree = single("fn f() {}");
        tree.add(Utf8PathBuf::from("src/a.rs"), Arc::from("struct S;"));
        assert_eq!(tree.count_tokens(), 9);
    }

    #[test]
    fn simpler_is_fewer_tokens_then_bytes_then_the_first_text() {
        let in_order = ["f(1)", "f(2)", "g(1)", "f(10)", "ff(1)", "f(1, 1)"].map(single);
        for (idx, one) in in_order.iter().enumerate() {
            for (other_idx, other) in in_order.iter().enumerate() {
                assert_eq!(one.is_simpler_than(other), idx < other_idx);
            }
        }
    }

    #[test]
    fn from_files_needs_its_root() {
        assert!(SourceTree::from_files(Utf8Path::new("a.rs"), []).is_none());
    }

    #[test]
    fn ids_stay_when_a_file_changes() {
        let mut tree = single("fn f() {}");
        let root = tree.root();
        tree.set_text(root, Arc::from("struct S;"));
        assert_eq!(tree.find(Utf8Path::new("src/lib.rs")), Some(root));
        assert_eq!(tree.count_tokens(), 3);
    }
}
