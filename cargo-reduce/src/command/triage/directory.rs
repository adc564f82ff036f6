//! The output directory of a triage. What took time is kept in it under a key that says what it depends on, so that a triage
//! that was killed, or that gets more inputs, does nothing twice.
//!
//! - `inputs.json`: all inputs that were ever given, with the keys of their looks.
//! - `looks/KEY.json`: what a look at a file has shown.
//! - `reductions/KEY`: the result of a reduction, and `KEY.json` where there can be none.
//! - `triage.json` and `triage.html`: the results.

use super::inputs::TriageInput;
use crate::error::CommandError;
use crate::exit::ExitStatus;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{Ended, Look, SUMMARY_VERSION, Summary, remove_tree};
use reduce_platform::files::replace;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// The version of the files in the directory but for the results.
const VERSION: u32 = 1;

/// The output directory of a triage.
#[derive(Debug, Clone)]
pub(super) struct TriageDirectory {
    path: Utf8PathBuf,
}

/// An input that was given, with the keys of the looks at it, by the names of toolchains.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Given {
    #[serde(flatten)]
    pub(super) input: TriageInput,
    pub(super) looks: BTreeMap<String, String>,
    /// The reason why the input could not be read this time, if it could not.
    #[serde(skip)]
    pub(super) unread: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    version: u32,
    content: T,
}

impl TriageDirectory {
    /// Opens the directory, and makes it if it is not there.
    ///
    /// # Errors
    /// Where it cannot be made, or is another one's.
    pub(super) fn open(path: Utf8PathBuf) -> Result<Self, CommandError> {
        let directory = Self { path };
        let is_empty = match directory.path.read_dir_utf8() {
            Ok(mut entries) => entries.next().is_none(),
            Err(_) => true,
        };
        if !is_empty && !directory.path.join("inputs.json").is_file() {
            let message = format!("`{}` exists and is no triage", directory.path);
            return Err(CommandError::new(ExitStatus::OutputExists, message)
                .hint("name another directory with `--output`"));
        }
        for name in ["looks", "reductions"] {
            let path = directory.path.join(name);
            std::fs::create_dir_all(&path).map_err(|error| failed("make", &path, &error))?;
        }
        Ok(directory)
    }

    /// Removes the files of an earlier triage. Other files stay, as does a directory that is none of ours.
    ///
    /// # Errors
    /// Where they cannot be removed.
    pub(super) fn remove(path: &Utf8Path) -> Result<(), CommandError> {
        if !path.join("inputs.json").is_file() {
            return Ok(());
        }
        for name in ["looks", "reductions"] {
            let path = path.join(name);
            match remove_tree(path.as_std_path()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(failed("remove", &path, &error));
                }
                _ => {}
            }
        }
        let path = path.join("inputs.json");
        std::fs::remove_file(&path).map_err(|error| failed("remove", &path, &error))
    }

    pub(super) fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Returns the inputs of earlier triages.
    pub(super) fn given(&self) -> Vec<Given> {
        self.read("inputs.json").unwrap_or_default()
    }

    pub(super) fn keep_given(&self, given: &[Given]) -> Result<(), CommandError> {
        self.keep("inputs.json", &given)
    }

    /// Returns what a look has shown, if it is known.
    pub(super) fn look(&self, key: &str) -> Option<Look> {
        self.read(&format!("looks/{key}.json"))
    }

    pub(super) fn keep_look(&self, key: &str, look: &Look) -> Result<(), CommandError> {
        self.keep(&format!("looks/{key}.json"), look)
    }

    /// Returns the path of the result of a class.
    pub(super) fn reduction(&self, key: &str) -> Utf8PathBuf {
        self.path.join("reductions").join(key)
    }

    /// Returns the result of a class, if it was reduced to the end.
    pub(super) fn summary(&self, key: &str) -> Option<Summary> {
        let text = std::fs::read_to_string(self.reduction(key).join("reduction.json")).ok()?;
        let summary: Summary = serde_json::from_str(&text).ok()?;
        let is_done = summary.version == SUMMARY_VERSION && summary.ended != Ended::Cancelled;
        is_done.then_some(summary)
    }

    /// Returns why a class can have no result, if that is known.
    pub(super) fn no_result(&self, key: &str) -> Option<String> {
        self.read(&format!("reductions/{key}.json"))
    }

    pub(super) fn keep_no_result(&self, key: &str, why: &str) -> Result<(), CommandError> {
        self.keep(&format!("reductions/{key}.json"), &why)
    }

    /// Writes a file of results.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), CommandError> {
        let path = self.path.join(name);
        replace(path.as_std_path(), text).map_err(|error| failed("write", &path, &error))
    }

    fn keep(&self, name: &str, content: &impl Serialize) -> Result<(), CommandError> {
        let versioned = Versioned {
            version: VERSION,
            content,
        };
        let text = serde_json::to_string(&versioned).expect("all keys are strings");
        self.write(name, &text)
    }

    /// Reads a file of ours; one of another version, or that is damaged, counts as not there.
    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let text = std::fs::read_to_string(self.path.join(name)).ok()?;
        let versioned: Versioned<T> = serde_json::from_str(&text).ok()?;
        (versioned.version == VERSION).then_some(versioned.content)
    }
}

fn failed(verb: &str, path: &Utf8Path, error: &io::Error) -> CommandError {
    CommandError::new(
        ExitStatus::Environment,
        format!("failed to {verb} `{path}`: {error}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::LookEnd;

    #[test]
    fn what_was_kept_is_read_and_what_is_damaged_is_not_there() {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(temp.path().join("t")).unwrap();
        let directory = TriageDirectory::open(root.clone()).unwrap();
        let look = Look {
            tokens: 3,
            seen: LookEnd::Compiles,
        };
        assert_eq!(directory.look("k"), None);
        directory.keep_look("k", &look).unwrap();
        assert_eq!(directory.look("k"), Some(look));
        std::fs::write(root.join("looks/k.json"), "{\"version\":1,").unwrap();
        assert_eq!(directory.look("k"), None);
        assert!(directory.summary("k").is_none());
    }

    #[test]
    fn a_directory_with_other_things_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
        std::fs::write(root.join("mine"), "").unwrap();
        let error = TriageDirectory::open(root).unwrap_err();
        assert_eq!(error.kind, ExitStatus::OutputExists);
    }
}
