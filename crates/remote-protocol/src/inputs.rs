//! The files of a command: which there are, and where they are found. Nobody reads their contents here.

use crate::ended::Made;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files;
use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::io;

/// The files that a command finds below its root, each with its path relative to that. Of two with one path the later one counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs(Vec<(Utf8PathBuf, Input)>);

/// A file, directory or link that a command finds below its root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// A directory, which may be empty.
    Directory,
    /// A file of this machine, which is uploaded if the server does not have it.
    File {
        /// The absolute path of the file on this machine.
        path: Utf8PathBuf,
        /// Whether the file can be started as a program.
        is_executable: bool,
    },
    /// A symbolic link that leads nowhere here, with its target.
    Link(String),
    /// A file that is on the server already, as an earlier command has made it.
    Made(Made),
}

/// An input that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to read `{path}`: {reason}")]
pub struct InputError {
    path: Utf8PathBuf,
    reason: String,
}

/// The greatest depth of directories that are read, as a link in a directory may lead back to one above it.
const DEEPEST: usize = 64;

impl Inputs {
    /// Returns all inputs with their paths, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&Utf8Path, &Input)> {
        self.0.iter().map(|(at, input)| (at.as_path(), input))
    }

    /// Adds a directory to the inputs, which may stay empty. Paths are relative to the root.
    pub fn add_directory(&mut self, at: &Utf8Path) {
        self.put(at, Input::Directory);
    }

    /// Adds a file on the server that an earlier command has made.
    pub fn add_made(&mut self, at: &Utf8Path, made: &Made) {
        self.put(at, Input::Made(made.clone()));
    }

    /// Adds a file, or a directory with all that is in it, except for paths for which `is_left_out` returns true. Links
    /// to files stand for these. What is neither a file nor a directory is left out.
    ///
    /// # Errors
    /// Where something cannot be read.
    pub fn add(
        &mut self,
        at: &Utf8Path,
        path: &Utf8Path,
        is_left_out: &dyn Fn(&Utf8Path) -> bool,
    ) -> Result<(), InputError> {
        let data = path.metadata().map_err(failed(path))?;
        match data.is_dir() {
            true => self.add_all(at, path, is_left_out),
            false => {
                self.add_file(at, path, &data);
                Ok(())
            }
        }
    }

    fn add_all(
        &mut self,
        at: &Utf8Path,
        path: &Utf8Path,
        is_left_out: &dyn Fn(&Utf8Path) -> bool,
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
                Ok(data) if data.is_dir() => self.add_all(&inner_at, inner, is_left_out)?,
                Ok(data) => self.add_file(&inner_at, inner, &data),
                // A link that leads nowhere does so there too.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if let Ok(target) = inner.read_link_utf8() {
                        self.put(&inner_at, Input::Link(target.into_string()));
                    }
                }
                Err(error) => return Err(failed(inner)(error)),
            }
        }
        Ok(())
    }

    fn add_file(&mut self, at: &Utf8Path, path: &Utf8Path, data: &Metadata) {
        if data.is_file() {
            let file = Input::File {
                path: path.to_owned(),
                is_executable: files::is_executable(data),
            };
            self.put(at, file);
        }
    }

    fn put(&mut self, at: &Utf8Path, input: Input) {
        self.0.push((at.to_owned(), input));
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
    move |error| InputError::new(&path, error.to_string())
}

impl InputError {
    /// Makes the error for an input that cannot be read, with the reason.
    #[must_use]
    pub fn new(path: &Utf8Path, reason: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        (dir, path)
    }

    /// Lists the inputs that a directory gives, each with the file or target that it stands for.
    fn found(dir: &Utf8Path) -> Vec<String> {
        let mut inputs = Inputs::default();
        let is_left_out = |path: &Utf8Path| path.extension() == Some("out");
        inputs.add("w".into(), dir, &is_left_out).unwrap();
        let told = |(at, input): (&Utf8Path, &Input)| match input {
            Input::File { path, .. } => format!("{at}: {}", path.strip_prefix(dir).unwrap()),
            Input::Link(target) => format!("{at} -> {target}"),
            other => format!("{at}: {other:?}"),
        };
        let mut found: Vec<String> = inputs.iter().map(told).collect();
        found.sort();
        found
    }

    #[test]
    fn files_of_a_directory_are_found_and_links_stand_for_them() {
        let (_guard, dir) = scratch();
        std::fs::create_dir_all(dir.join("inner/empty")).unwrap();
        std::fs::write(dir.join("inner/file"), "x").unwrap();
        std::fs::write(dir.join("left.out"), "y").unwrap();
        files::symlink("file".as_ref(), dir.join("inner/link").as_ref()).unwrap();
        files::symlink("nowhere".as_ref(), dir.join("lost").as_ref()).unwrap();
        assert_eq!(
            found(&dir),
            [
                "w/inner/empty: Directory",
                "w/inner/file: inner/file",
                "w/inner/link: inner/link",
                "w/inner: Directory",
                "w/lost -> nowhere",
                "w: Directory",
            ]
        );
    }

    #[test]
    fn a_link_to_a_directory_above_it_is_left_out() {
        let (_guard, dir) = scratch();
        std::fs::create_dir(dir.join("inner")).unwrap();
        files::symlink("..".as_ref(), dir.join("inner/up").as_ref()).unwrap();
        assert_eq!(found(&dir), ["w/inner: Directory", "w: Directory"]);
    }

    #[test]
    fn a_missing_file_is_named() {
        let mut inputs = Inputs::default();
        let error = inputs.add("a".into(), "/no/such".into(), &|_| false);
        assert!(error.unwrap_err().to_string().contains("`/no/such`"));
    }
}
