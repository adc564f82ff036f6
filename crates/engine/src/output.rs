//! The output directory: the best so far at any moment, other crashes kept aside, and at the end
//! the report and the figures. Files of others in it stay.

use crate::failure::{Failure, FailureKind};
use crate::request::ExistingOutput;
use crate::store::Digest;
use crate::summary::Summary;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::Plan;
use reduce_syntax::SourceTree;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};

/// What we write; `Replace` removes these and nothing else.
const OURS: [&str; 5] = [
    "reduced.rs",
    "reduced",
    "report.md",
    "reduction.json",
    "other-crashes",
];

/// Holds the digest of a job that has not ended.
const UNFINISHED: &str = ".unfinished-reduction";

#[derive(Debug)]
pub(crate) struct OutputDirectory {
    path: Utf8PathBuf,
    /// What is in `reduced/` or `reduced.rs` now, by path in it.
    written: Mutex<BTreeMap<Utf8PathBuf, Arc<str>>>,
    support: Support,
}

/// Files that the compiler reads and that are not reduced: included text, compiled dependencies.
#[derive(Debug, Default)]
pub(crate) struct Support {
    /// Where they are copied from.
    pub(crate) tree: Utf8PathBuf,
    /// Paths relative to it.
    pub(crate) files: Vec<Utf8PathBuf>,
}

impl OutputDirectory {
    /// Checks that the directory may be used; makes nothing yet, so that a run that fails leaves
    /// nothing behind. A directory of a job that did not end may be used by that job again: `job`
    /// is its digest, or `None` while that is not known and any unfinished job may be the one.
    ///
    /// # Errors
    /// [`FailureKind::OutputExists`] where it is there and not empty and may not be replaced.
    pub(crate) fn check(
        path: &Utf8Path,
        existing: ExistingOutput,
        job: Option<&Digest>,
    ) -> Result<(), Failure> {
        let is_used = match path.read_dir_utf8() {
            Ok(mut entries) => entries.next().is_some(),
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(Failure::io(&format!("read `{path}`"), &error)),
        };
        if is_used && existing == ExistingOutput::Refuse && !is_unfinished(path, job) {
            return Err(Failure::new(
                FailureKind::OutputExists,
                format!("failed to write to `{path}`: it is there already"),
            )
            .hint("give another directory with `--output DIR`")
            .hint("or replace an earlier result in it with `--force`"));
        }
        Ok(())
    }

    /// Opens the directory for a job and removes an earlier result of ours.
    ///
    /// # Errors
    /// Where it cannot be made or emptied.
    pub(crate) fn open(path: &Utf8Path, job: &Digest) -> Result<Self, Failure> {
        std::fs::create_dir_all(path)
            .map_err(|error| Failure::io(&format!("make the directory `{path}`"), &error))?;
        for name in OURS {
            let at = path.join(name);
            remove(&at).map_err(|error| Failure::io(&format!("remove `{at}`"), &error))?;
        }
        let output = Self {
            path: path.to_owned(),
            written: Mutex::default(),
            support: Support::default(),
        };
        output.write(Utf8Path::new(UNFINISHED), &hex(job))?;
        Ok(output)
    }

    /// The job has ended: its directory is not taken up again.
    ///
    /// # Errors
    /// Where the directory cannot be written.
    pub(crate) fn mark_finished(&self) -> Result<(), Failure> {
        let at = self.path.join(UNFINISHED);
        remove(&at).map_err(|error| Failure::io(&format!("remove `{at}`"), &error))
    }

    /// Names the files that stand beside the sources.
    pub(crate) fn with_support(self, support: Support) -> Self {
        Self { support, ..self }
    }

    /// Writes a tree as the best so far: `reduced.rs` for one file, else `reduced/`. Returns the
    /// path. Each file is replaced at once, so that an interrupted write loses nothing.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn write_best(&self, tree: &SourceTree) -> Result<Utf8PathBuf, Failure> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let files = self.layout(tree);
        for (path, text) in &files {
            let is_there = written.get(path).is_some_and(|there| there == text);
            if !is_there {
                self.write(path, text)?;
            }
        }
        for path in written.keys().filter(|path| !files.contains_key(*path)) {
            let at = self.path.join(path);
            remove(&at).map_err(|error| Failure::io(&format!("remove `{at}`"), &error))?;
        }
        if self.is_single(tree) {
            let at = self.path.join("reduced");
            remove(&at).map_err(|error| Failure::io(&format!("remove `{at}`"), &error))?;
        } else if written.is_empty() {
            self.copy_support()?;
        }
        *written = files;
        Ok(self.result(tree))
    }

    /// Where a tree is written: a file or a directory.
    pub(crate) fn result(&self, tree: &SourceTree) -> Utf8PathBuf {
        self.path.join(if self.is_single(tree) {
            "reduced.rs"
        } else {
            "reduced"
        })
    }

    /// The directory in which the reproducing command works, and the crate root in it.
    pub(crate) fn place(&self, tree: &SourceTree) -> (Utf8PathBuf, Utf8PathBuf) {
        if self.is_single(tree) {
            (self.path.clone(), Utf8PathBuf::from("reduced.rs"))
        } else {
            (self.path.join("reduced"), tree.path(tree.root()).to_owned())
        }
    }

    /// Keeps a candidate with another crash. Returns its directory.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn keep_aside(
        &self,
        number: usize,
        tree: &SourceTree,
        signature: &str,
    ) -> Result<Utf8PathBuf, Failure> {
        let directory = Utf8PathBuf::from("other-crashes").join(number.to_string());
        for (_, path, text) in tree.files() {
            self.write(&directory.join(path), text)?;
        }
        self.write(&directory.join("signature.txt"), &format!("{signature}\n"))?;
        Ok(self.path.join(directory))
    }

    /// Writes the report and the figures.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn finish(&self, summary: &Summary, report: &str) -> Result<(), Failure> {
        self.write(Utf8Path::new("report.md"), report)?;
        let json = serde_json::to_string_pretty(summary).expect("a summary has a JSON form");
        self.write(Utf8Path::new("reduction.json"), &(json + "\n"))
    }

    fn is_single(&self, tree: &SourceTree) -> bool {
        self.support.files.is_empty() && tree.files().count() == 1
    }

    fn layout(&self, tree: &SourceTree) -> BTreeMap<Utf8PathBuf, Arc<str>> {
        let is_single = self.is_single(tree);
        let place = |path: &Utf8Path| match is_single {
            true => Utf8PathBuf::from("reduced.rs"),
            false => Utf8Path::new("reduced").join(path),
        };
        tree.files()
            .map(|(_, path, text)| (place(path), text.clone()))
            .collect()
    }

    fn copy_support(&self) -> Result<(), Failure> {
        for path in &self.support.files {
            let (from, to) = (
                self.support.tree.join(path),
                self.path.join("reduced").join(path),
            );
            let copied = make_parent(&to).and_then(|()| std::fs::copy(&from, &to));
            copied.map_err(|error| Failure::io(&format!("copy `{from}` to `{to}`"), &error))?;
        }
        Ok(())
    }

    fn write(&self, path: &Utf8Path, text: &str) -> Result<(), Failure> {
        let at = self.path.join(path);
        replace_file(&at, text).map_err(|error| Failure::io(&format!("write `{at}`"), &error))
    }
}

impl Support {
    /// The files of a plan that the sources do not contain.
    pub(crate) fn of_plan(plan: &Plan, sources: &SourceTree) -> Self {
        let is_support = |path: &&Utf8PathBuf| sources.find(path).is_none();
        let files = plan.files.iter().filter(is_support).cloned().collect();
        Self {
            tree: plan.tree.clone(),
            files,
        }
    }
}

fn is_unfinished(path: &Utf8Path, job: Option<&Digest>) -> bool {
    match std::fs::read_to_string(path.join(UNFINISHED)) {
        Ok(marker) => job.is_none_or(|job| marker == hex(job)),
        Err(_) => false,
    }
}

fn hex(digest: &Digest) -> String {
    blake3::Hash::from(*digest).to_hex().to_string()
}

fn replace_file(at: &Utf8Path, text: &str) -> io::Result<()> {
    make_parent(at)?;
    let temporary = at.with_extension("new");
    std::fs::write(&temporary, text)?;
    std::fs::rename(&temporary, at)
}

fn make_parent(at: &Utf8Path) -> io::Result<()> {
    at.parent().map_or(Ok(()), std::fs::create_dir_all)
}

fn remove(at: &Utf8Path) -> io::Result<()> {
    let removed = match at.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(at),
        Ok(_) => std::fs::remove_file(at),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
