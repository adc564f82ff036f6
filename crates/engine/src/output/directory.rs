//! The output directory: the best so far at any moment, other crashes kept aside, and at the end
//! the report and the figures. Files of others in it stay.

use super::hold::{Hold, hold};
use crate::accept::KeptSteps;
use crate::auxiliary::{AUXILIARY, is_auxiliary};
use crate::failure::{Failure, FailureKind};
use crate::live;
use crate::request::ExistingOutput;
use crate::store::{Checkpoint, Digest};
use crate::summary::Summary;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{OtherProgram, TWO_FILES};
use reduce_platform::files::make_executable;
use reduce_syntax::SourceTree;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};

/// The directory with the reductions of other crashes, in directories that are numbered from 1.
pub const OTHERS: &str = "others";

/// The names of the files that we write into the output directory. `Replace` removes these, and those that the summary there
/// names as files for rustc.
pub(super) const OURS: [&str; 11] = [
    TWO_FILES,
    "reduced.rs",
    AUXILIARY,
    "reduced",
    "report.md",
    "report.html",
    SUMMARY,
    KeptSteps::FILE,
    OutputDirectory::BISECTION_SCRIPT,
    "other-crashes",
    OTHERS,
];

/// The file with the summary of a result.
const SUMMARY: &str = "reduction.json";
/// The file with the digest of a job that has not ended.
const UNFINISHED: &str = ".unfinished-reduction";
/// The file with the last step of a job that has not ended.
const STEP: &str = ".unfinished-step";

/// Chooses the output directory of a search that begins with a step of the reduction in `earlier`: a directory in that which is
/// not there yet, or which a search has begun that has not ended.
#[must_use]
pub fn directory_from(earlier: &Utf8Path, step: u64) -> Utf8PathBuf {
    let may_be_used = |path: &Utf8PathBuf| !path.exists() || path.join(UNFINISHED).exists();
    let mut all = numbered(earlier, step);
    all.find(may_be_used)
        .expect("there are more than there can be files")
}

/// Returns the directories of searches from a step that were made already.
pub(crate) fn directories_from(earlier: &Utf8Path, step: u64) -> impl Iterator<Item = Utf8PathBuf> {
    numbered(earlier, step).take_while(|path| path.exists())
}

fn numbered(earlier: &Utf8Path, step: u64) -> impl Iterator<Item = Utf8PathBuf> {
    let earlier = earlier.to_owned();
    (1_u64..).map(move |number| {
        earlier.join(match number {
            1 => format!("from-{step}"),
            number => format!("from-{step}-{number}"),
        })
    })
}

/// Returns the names of our files that an earlier result in a directory may have.
pub(super) fn ours(path: &Utf8Path) -> Vec<String> {
    let summary = std::fs::read(path.join(SUMMARY)).ok();
    let summary = summary.and_then(|json| serde_json::from_slice::<Value>(&json).ok());
    let for_rustc = summary.and_then(|summary| summary.get("for_rustc")?.as_array().cloned());
    let for_rustc = for_rustc.unwrap_or_default();
    // A damaged summary is no reason to remove anything else.
    let is_name = |name: &&str| {
        let is_here = Utf8Path::new(name).file_name() == Some(*name);
        is_here && name.ends_with(".rs") && path.join(name).is_file()
    };
    let named = for_rustc.iter().filter_map(Value::as_str).filter(is_name);
    OURS.into_iter().chain(named).map(str::to_owned).collect()
}

#[derive(Debug)]
pub(crate) struct OutputDirectory {
    pub(super) path: Utf8PathBuf,
    pub(super) state: Mutex<State>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    /// The sources that are written in the directory now, by path below it.
    pub(super) written: BTreeMap<Utf8PathBuf, Arc<str>>,
    support: Vec<SupportFile>,
    is_support_there: bool,
    /// Support files that are in the directory and not needed any more.
    stale: Vec<Utf8PathBuf>,
}

/// A file that the compiler reads and that is not reduced: included text, a compiled dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SupportFile {
    /// The path of the original, from which the file is copied.
    pub(crate) from: Utf8PathBuf,
    /// The file's path beside the sources.
    pub(crate) to: Utf8PathBuf,
}

/// The last step of a job as it is written beside the result.
#[derive(Debug, Serialize, Deserialize)]
struct KeptStep {
    job: String,
    step: Checkpoint,
}

impl OutputDirectory {
    /// The script by which cargo-bisect-rustc finds the nightly since which a result fails.
    pub(crate) const BISECTION_SCRIPT: &str = "bisect.sh";

    /// Makes an output directory of one that exists already, for tests.
    #[cfg(test)]
    pub(crate) fn at(path: &Utf8Path) -> Self {
        Self {
            path: path.to_owned(),
            state: Mutex::default(),
        }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Checks that the directory may be used, and creates nothing yet, so that a run that fails
    /// leaves nothing behind. A directory of a job that did not end may be used by that job again:
    /// `job` is its digest, or `None` while that is not known and any unfinished job may be the
    /// one.
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
        for name in ours(path) {
            let at = path.join(&name);
            remove(&at).map_err(|error| Failure::io(&format!("remove `{at}`"), &error))?;
        }
        let output = Self {
            path: path.to_owned(),
            state: Mutex::default(),
        };
        output.write(Utf8Path::new(UNFINISHED), &hex(job))?;
        Ok(output)
    }

    /// Marks the job as ended, so that no later one goes on in its directory.
    ///
    /// # Errors
    /// Where the directory cannot be written.
    pub(crate) fn mark_finished(&self) -> Result<(), Failure> {
        self.forget_step()?;
        self.remove(Utf8Path::new(UNFINISHED))
    }

    /// Keeps the last step of the job beside the result.
    ///
    /// # Errors
    /// Where the directory cannot be written.
    pub(crate) fn keep_step(&self, job: &Digest, step: &Checkpoint) -> Result<(), Failure> {
        let kept = KeptStep {
            job: hex(job),
            step: step.clone(),
        };
        let json = serde_json::to_string(&kept).expect("texts and numbers have a JSON form");
        self.write(Utf8Path::new(STEP), &json)
    }

    /// Returns the last step of a job that was interrupted, if it was kept in the directory and can
    /// be read.
    pub(crate) fn kept_step(&self, job: &Digest) -> Option<Checkpoint> {
        let json = std::fs::read(self.path.join(STEP)).ok()?;
        let kept: KeptStep = serde_json::from_slice(&json).ok()?;
        (kept.job == hex(job)).then_some(kept.step)
    }

    /// Removes the last step of the job from the directory.
    ///
    /// # Errors
    /// Where the directory cannot be written.
    pub(crate) fn forget_step(&self) -> Result<(), Failure> {
        self.remove(Utf8Path::new(STEP))
    }

    /// Marks the directory as free for another job with the same command, because this one cannot go on.
    /// `command` may take up the directory.
    ///
    /// # Errors
    /// Where the directory cannot be written.
    pub(crate) fn leave_to(&self, command: &Digest) -> Result<(), Failure> {
        self.write(Utf8Path::new(UNFINISHED), &hex(command))
    }

    /// Removes all files that were written, and the directory where nothing else is in it, as there is
    /// no result.
    ///
    /// # Errors
    /// Where the directory cannot be written.
    pub(crate) fn discard(&self) -> Result<(), Failure> {
        for name in OURS.iter().chain(&[STEP, UNFINISHED]) {
            self.remove(Utf8Path::new(name))?;
        }
        // A directory that is not empty has files of others.
        let _ = std::fs::remove_dir(&self.path);
        Ok(())
    }

    /// Sets the files that stand beside the sources, in place of those that were set before. They
    /// are there after the next [`OutputDirectory::write_best`].
    pub(crate) fn set_support(&self, support: Vec<SupportFile>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.support != support {
            let before = std::mem::replace(&mut state.support, support);
            state.stale.extend(before.into_iter().map(|file| file.to));
            state.is_support_there = false;
        }
    }

    /// Writes a program as the best so far: `reduced.rs` for one file, else `reduced/`. Each file
    /// is replaced at once and what is not needed any more goes last, so that an interrupted write
    /// loses nothing.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn write_best(&self, tree: &SourceTree) -> Result<(), Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let _held = hold(&self.path, Hold::ToWrite);
        let is_single = state.is_single(tree);
        let files = layout(tree, is_single);
        for (path, text) in &files {
            if state.written.get(path) != Some(text) {
                self.write(path, text)?;
            }
        }
        if !is_single && !state.is_support_there {
            self.copy_support(&state.support)?;
        }
        for path in state.stale(&files) {
            self.remove(&path)?;
            self.remove_empty_parents(&path);
        }
        if is_single {
            self.remove(Utf8Path::new("reduced"))?;
        }
        state.is_support_there = !is_single;
        state.stale.clear();
        state.written = files;
        Ok(())
    }

    /// Returns the path of the file or directory that a program is written to, and its crate root
    /// as the reproducing command names it.
    pub(crate) fn place(&self, tree: &SourceTree) -> Place {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_single(tree) {
            let root = Utf8PathBuf::from("reduced.rs");
            Place {
                result: self.path.join(&root),
                root,
            }
        } else {
            let root = tree.path(tree.root()).to_owned();
            Place {
                result: self.path.join("reduced"),
                root,
            }
        }
    }

    /// Returns the paths at which the files of a program are written, relative to the output
    /// directory; that of the root comes first.
    pub(crate) fn places(&self, tree: &SourceTree) -> Vec<Utf8PathBuf> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_single = state.is_single(tree);
        live::places(tree, |path| place_of(path, is_single))
    }

    /// Keeps a candidate that crashes in another way, in a directory of its own. Returns its
    /// directory.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn keep_aside(
        &self,
        number: usize,
        tree: &SourceTree,
        (signature, arguments): (&str, &[String]),
    ) -> Result<Utf8PathBuf, Failure> {
        let directory = Utf8PathBuf::from("other-crashes").join(number.to_string());
        for (_, path, text) in tree.files() {
            self.write(&directory.join(path), text)?;
        }
        self.write(
            &directory.join(OtherProgram::SIGNATURE),
            &format!("{signature}\n"),
        )?;
        // A line of such a file is an argument.
        if arguments.iter().all(|one| !one.contains('\n')) {
            let lines: String = arguments.iter().map(|one| format!("{one}\n")).collect();
            self.write(&directory.join(OtherProgram::ARGUMENTS), &lines)?;
        }
        Ok(self.path.join(directory))
    }

    /// Writes the report, as Markdown and as a page, and the figures of the reduction.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn finish(
        &self,
        summary: &Summary,
        report: &str,
        page: &str,
    ) -> Result<(), Failure> {
        self.write(Utf8Path::new("report.md"), report)?;
        self.write(Utf8Path::new("report.html"), page)?;
        let json = serde_json::to_string_pretty(summary).expect("a summary has a JSON form");
        self.write(Utf8Path::new(SUMMARY), &(json + "\n"))
    }

    /// Keeps all steps of the search, so that another search can begin with one of them.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn keep_steps(&self, steps: &KeptSteps) -> Result<(), Failure> {
        let json = serde_json::to_string(steps).expect("texts and numbers have a JSON form");
        self.write(Utf8Path::new(KeptSteps::FILE), &json)
    }

    /// Writes another form of the result, such as a test of rustc's own, beside the result.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn write_beside(&self, name: &str, text: &str) -> Result<(), Failure> {
        self.write(Utf8Path::new(name), text)
    }

    /// Writes an executable script beside the result.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn write_script(&self, name: &str, text: &str) -> Result<(), Failure> {
        self.write_beside(name, text)?;
        let at = self.path.join(name);
        File::open(&at)
            .and_then(|file| make_executable(&file))
            .map_err(|error| Failure::io(&format!("let `{at}` be started"), &error))
    }

    fn copy_support(&self, support: &[SupportFile]) -> Result<(), Failure> {
        for SupportFile { from, to } in support {
            let to = self.path.join("reduced").join(to);
            let copied = make_parent(&to).and_then(|()| std::fs::copy(from, &to));
            copied.map_err(|error| Failure::io(&format!("copy `{from}` to `{to}`"), &error))?;
        }
        Ok(())
    }

    pub(super) fn write(&self, path: &Utf8Path, text: &str) -> Result<(), Failure> {
        let at = self.path.join(path);
        replace_file(&at, text).map_err(|error| Failure::io(&format!("write `{at}`"), &error))
    }

    /// Removes the directories above a removed file that are empty now.
    fn remove_empty_parents(&self, path: &Utf8Path) {
        for parent in path.ancestors().skip(1) {
            let is_ours = !parent.as_str().is_empty();
            if !is_ours || std::fs::remove_dir(self.path.join(parent)).is_err() {
                return;
            }
        }
    }

    fn remove(&self, path: &Utf8Path) -> Result<(), Failure> {
        let at = self.path.join(path);
        remove(&at).map_err(|error| Failure::io(&format!("remove `{at}`"), &error))
    }
}

impl State {
    /// Returns the files that were written and are neither among `files` nor support files.
    fn stale(&self, files: &BTreeMap<Utf8PathBuf, Arc<str>>) -> Vec<Utf8PathBuf> {
        let in_reduced = |path: &Utf8PathBuf| Utf8Path::new("reduced").join(path);
        let support = self.stale.iter().map(in_reduced);
        let named: Vec<Utf8PathBuf> = self
            .support
            .iter()
            .map(|file| in_reduced(&file.to))
            .collect();
        self.written
            .keys()
            .cloned()
            .chain(support)
            .filter(|path| !files.contains_key(path) && !named.contains(path))
            .collect()
    }

    pub(super) fn is_single(&self, tree: &SourceTree) -> bool {
        let own = tree.files().filter(|(_, path, _)| !is_auxiliary(path));
        self.support.is_empty() && own.count() == 1
    }
}

/// The path of a result, and its crate root relative to that path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) result: Utf8PathBuf,
    pub(crate) root: Utf8PathBuf,
}

fn layout(tree: &SourceTree, is_single: bool) -> BTreeMap<Utf8PathBuf, Arc<str>> {
    tree.files()
        .map(|(_, path, text)| (place_of(path, is_single), text.clone()))
        .collect()
}

/// Returns the path at which a file of a tree is written, relative to the output directory.
pub(super) fn place_of(path: &Utf8Path, is_single: bool) -> Utf8PathBuf {
    match is_single {
        true if is_auxiliary(path) => path.to_owned(),
        true => Utf8PathBuf::from("reduced.rs"),
        false => Utf8Path::new("reduced").join(path),
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
    let name = at.file_name().unwrap_or_default();
    let temporary = at.with_file_name(format!(".{name}.unfinished"));
    let written = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, at));
    if written.is_err() {
        // Nothing of it may have been written, as on a full disk.
        let _left = std::fs::remove_file(&temporary);
    }
    written
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

#[cfg(test)]
mod tests;
