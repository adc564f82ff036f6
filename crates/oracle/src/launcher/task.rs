//! The task of a process that the launcher starts, and its report: files in the worker's directory, which both sides
//! see.

use crate::error::OracleError;
use crate::system::files;
use crate::system::process::{Bounds, Outcome};
use crate::system::sandbox::{Places, SandboxMode};
use crate::worker::{Order, ProcessSort};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A process that is to run elsewhere.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Task {
    /// Our own executable, which keeps process groups there too.
    pub(super) executable: Utf8PathBuf,
    pub(super) program: Utf8PathBuf,
    pub(super) args: Vec<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) dir: Utf8PathBuf,
    pub(super) bounds: Bounds,
    pub(super) mode: SandboxMode,
    pub(super) sort: ProcessSort,
    pub(super) places: Places,
    /// The files and directories that have to be there as they are here. Otherwise a compiler would say that one is
    /// missing, as if that were the candidate's fault.
    pub(super) expected: BTreeMap<Utf8PathBuf, Expected>,
}

/// The file or directory that a task expects at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Expected {
    Directory,
    /// A file with so many bytes.
    File(u64),
    /// A file with this digest.
    Text([u8; 32]),
}

/// The result of a task.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Report {
    /// The process was run.
    Ran(Outcome),
    /// The process was not run, for this reason.
    Refused(String),
}

/// The files of one task.
#[derive(Debug)]
pub(super) struct TaskFiles {
    /// The task itself, until it is begun.
    pub(super) task: Utf8PathBuf,
    /// The task, once it was begun.
    pub(super) begun: Utf8PathBuf,
    /// The file of the report, which is there, and whole, once the process has ended.
    pub(super) report: Utf8PathBuf,
}

impl Task {
    pub(super) fn new(order: &Order<'_>, executable: &Utf8Path) -> Self {
        let (invocation, rights) = (order.invocation, order.rights);
        Self {
            executable: executable.to_owned(),
            program: invocation.program.to_owned(),
            args: invocation.args.to_vec(),
            env: invocation.env.clone(),
            dir: invocation.dir.to_owned(),
            bounds: invocation.bounds.clone(),
            mode: rights.mode,
            sort: rights.sort,
            places: rights.places.clone(),
            expected: expected(order),
        }
    }
}

/// Returns all paths that the process may name and that exist, with what is there.
fn expected(order: &Order<'_>) -> BTreeMap<Utf8PathBuf, Expected> {
    let places = &order.rights.places;
    let own = [order.invocation.program, order.invocation.dir];
    let all = places.reads.iter().chain(&places.writes);
    let all: BTreeSet<&Utf8Path> = all.map(Utf8PathBuf::as_path).chain(own).collect();
    let all = all.into_iter().filter(|path| path.is_absolute());
    let found = all.filter_map(|path| Some((path.to_owned(), Expected::at(path)?)));
    let mut expected: BTreeMap<_, _> = found.collect();
    // A command may have changed the candidate in an earlier call.
    if order.rights.sort == ProcessSort::Compiler {
        let texts = order.candidate.iter();
        expected.extend(texts.map(|(path, text)| {
            let digest = *blake3::hash(text.as_bytes()).as_bytes();
            (order.tree.join(path), Expected::Text(digest))
        }));
    }
    expected
}

impl Expected {
    /// Returns the thing that is at a path now.
    fn at(path: &Utf8Path) -> Option<Self> {
        let there = path.metadata().ok()?;
        match there.is_dir() {
            true => Some(Self::Directory),
            false => there.is_file().then_some(Self::File(there.len())),
        }
    }

    /// Whether the path has the expected thing.
    pub(super) fn is_at(&self, path: &Utf8Path) -> bool {
        match self {
            Self::Directory | Self::File(_) => Self::at(path).as_ref() == Some(self),
            Self::Text(digest) => {
                std::fs::read(path).is_ok_and(|text| blake3::hash(&text).as_bytes() == digest)
            }
        }
    }
}

impl TaskFiles {
    /// Returns the files that belong to the task in this file.
    pub(super) fn of(task: Utf8PathBuf) -> Self {
        Self {
            begun: task.with_extension("begun"),
            report: task.with_extension("report"),
            task,
        }
    }

    /// Begins the task by renaming its file, so that nobody else can begin it.
    ///
    /// # Errors
    /// Where it is not there, as when it was revoked.
    pub(super) fn begin(&self) -> std::io::Result<()> {
        std::fs::rename(&self.task, &self.begun)
    }

    /// Withdraws the task, so that nobody can begin it any more. Returns whether nobody has begun it and nobody will.
    pub(super) fn revoke(&self) -> bool {
        std::fs::rename(&self.task, self.task.with_extension("revoked")).is_ok()
    }

    /// Reads the report, if it is there.
    pub(super) fn read_report(&self) -> Option<Report> {
        let text = std::fs::read(&self.report).ok()?;
        serde_json::from_slice(&text).ok()
    }

    pub(super) fn remove(&self) -> Result<(), OracleError> {
        let revoked = self.task.with_extension("revoked");
        [&self.task, &self.begun, &self.report, &revoked]
            .into_iter()
            .try_for_each(|path| files::remove(path))
    }
}
