//! Edits that a person has made of the files that we wrote. Contents are compared, not ages: an
//! editor may write in place, or replace a file by renaming, and so do we.

use super::directory::{OutputDirectory, place_of};
use crate::failure::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::{FileId, SourceTree};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// The time for which an edited file must stay unchanged before it is read: an editor may still be
/// writing.
const QUIET: Duration = Duration::from_millis(50);
/// The largest number of times that we look whether an edited file stays unchanged.
const MOST_LOOKS: usize = 40;

/// A file of the result that somebody has changed since we wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HandEdit {
    pub(crate) file: FileId,
    /// The file's path, relative to the output directory.
    pub(crate) place: Utf8PathBuf,
    /// The contents of the edited file; whether they are text is not known.
    pub(crate) bytes: Vec<u8>,
}

impl OutputDirectory {
    /// Finds the files of the result, which is `tree`, that somebody has edited. They count as written
    /// then, so that each edit is told once. A file that is gone is no edit: an editor may be about to
    /// put another in its place.
    pub(crate) fn hand_edits(&self, tree: &SourceTree) -> Vec<HandEdit> {
        let mut edits = self.differing(tree);
        for _ in 0..MOST_LOOKS {
            if edits.is_empty() {
                return edits;
            }
            std::thread::sleep(QUIET);
            let again = self.differing(tree);
            let is_quiet = again == edits && again.iter().all(|edit| !edit.bytes.is_empty());
            edits = again;
            if is_quiet {
                break;
            }
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for edit in &edits {
            let text = String::from_utf8_lossy(&edit.bytes);
            state.written.insert(edit.place.clone(), Arc::from(text));
        }
        edits
    }

    fn differing(&self, tree: &SourceTree) -> Vec<HandEdit> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_single = state.is_single(tree);
        let edits = tree.files().filter_map(|(file, path, _)| {
            let place = place_of(path, is_single);
            let written = state.written.get(&place)?;
            let bytes = std::fs::read(self.path.join(&place)).ok()?;
            let edit = HandEdit { file, place, bytes };
            (edit.bytes != written.as_bytes()).then_some(edit)
        });
        edits.collect()
    }

    /// Keeps a copy of an edit that was rejected, beside the result and where we overwrite nothing.
    /// Returns its path.
    ///
    /// # Errors
    /// Where the disk is full or the directory is gone.
    pub(crate) fn keep_rejected(&self, edit: &HandEdit) -> Result<Utf8PathBuf, Failure> {
        let mut number = 1;
        loop {
            let at = self.path.join(name(number));
            match std::fs::read(&at) {
                Ok(bytes) if bytes == edit.bytes => return Ok(at),
                Err(_) if !at.exists() => return write(at, &edit.bytes),
                _ => number += 1,
            }
        }
    }
}

fn name(number: u32) -> String {
    match number {
        1 => "rejected-edit.rs".to_owned(),
        _ => format!("rejected-edit-{number}.rs"),
    }
}

fn write(at: Utf8PathBuf, bytes: &[u8]) -> Result<Utf8PathBuf, Failure> {
    let failed = |error| Failure::io(&format!("write `{at}`"), &error);
    std::fs::write(Utf8Path::new(&at), bytes).map_err(failed)?;
    Ok(at)
}
