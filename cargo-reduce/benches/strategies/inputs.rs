//! The inputs of the benchmark: packages and single files, found where the user points to.

use crate::cases::Cases;
use std::ffi::OsString;
use std::fs::{DirEntry, FileType};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// One program that crashes the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    /// The name of the input's directory, or of its file without `.rs`.
    pub(crate) name: String,
    /// The file or the directory that is copied.
    source: PathBuf,
    /// The file of a program without a manifest.
    file: Option<OsString>,
}

/// A copy that may be written to.
#[derive(Debug)]
pub(crate) struct Copy {
    /// The directory in which the program is started.
    pub(crate) directory: PathBuf,
    /// The file that it is given.
    pub(crate) file: Option<OsString>,
}

/// The inputs that were found at some places.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// In the order of the places, then by path.
    pub(crate) inputs: Vec<Input>,
    /// The paths that are no input, each with the reason.
    pub(crate) skipped: Vec<String>,
}

/// The fixtures of which something is known.
///
/// # Errors
/// Where one is not there.
pub(crate) fn fixtures(cases: &Cases) -> Result<Found, String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let input = |name: &String| {
        let file = directory.join(format!("{name}.rs"));
        let path = if file.is_file() {
            file
        } else {
            directory.join(name)
        };
        single(&path)
    };
    Ok(Found {
        inputs: cases.keys().map(input).collect::<Result<_, _>>()?,
        skipped: vec![],
    })
}

/// The inputs at some places.
///
/// # Errors
/// Where a place is neither an input nor a directory.
pub(crate) fn find_all(places: &[PathBuf]) -> Result<Found, String> {
    let mut all = Found::default();
    for place in places {
        let found = find(place)?;
        all.inputs.extend(found.inputs);
        all.skipped.extend(found.skipped);
    }
    Ok(all)
}

/// A directory is searched unless it is an input. One with a single `.rs` file is an input, unless
/// there are others in it.
fn find(place: &Path) -> Result<Found, String> {
    let own = single(place);
    if !place.is_dir() || place.join("Cargo.toml").is_file() {
        return own.map(Found::one);
    }
    let mut found = Found::default();
    for entry in entries(place)? {
        match single(&entry) {
            Ok(input) => found.inputs.push(input),
            Err(reason) => found.skipped.push(reason),
        }
    }
    match own {
        Ok(input) if found.inputs.len() == 1 => Ok(Found::one(input)),
        _ => Ok(found),
    }
}

impl Found {
    fn one(input: Input) -> Self {
        Self {
            inputs: vec![input],
            skipped: vec![],
        }
    }
}

/// A package, a directory with one `.rs` file, or such a file.
fn single(path: &Path) -> Result<Input, String> {
    let at = path.display();
    if path.join("Cargo.toml").is_file() {
        return input(path, path.file_name(), None);
    }
    if path.is_dir() {
        let files: Vec<PathBuf> = entries(path)?.into_iter().filter(|e| is_rust(e)).collect();
        return match files.as_slice() {
            [file] => input(path, path.file_name(), file.file_name()),
            files => Err(format!(
                "`{at}` has neither a `Cargo.toml` nor one `.rs` file, but {} of them",
                files.len()
            )),
        };
    }
    match is_rust(path) {
        true => input(path, path.file_stem(), path.file_name()),
        false if path.exists() => Err(format!("`{at}` is neither a directory nor a `.rs` file")),
        false => Err(format!("`{at}` is not there")),
    }
}

fn input(
    source: &Path,
    name: Option<&std::ffi::OsStr>,
    file: Option<&std::ffi::OsStr>,
) -> Result<Input, String> {
    let at = source.display();
    let absolute = source.canonicalize();
    let source = absolute.map_err(|error| format!("failed to read `{at}`: {error}"))?;
    let name = name.or(source.file_name()).unwrap_or_default();
    Ok(Input {
        name: name.to_string_lossy().into_owned(),
        file: file.map(OsString::from),
        source,
    })
}

fn is_rust(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|extension| extension == "rs")
}

/// Lists a directory, by name.
fn entries(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(directory)?;
        entries.map(|entry| Ok(entry?.path())).collect()
    };
    let at = directory.display();
    let mut paths = read().map_err(|error| format!("failed to read `{at}`: {error}"))?;
    paths.sort();
    Ok(paths)
}

impl Input {
    /// Copies it below a directory. Of a lone file nothing beside it is copied.
    ///
    /// # Errors
    /// Where something cannot be read or written.
    pub(crate) fn copy_into(&self, directory: &Path) -> io::Result<Copy> {
        let directory = directory.join(&self.name);
        match self.source.is_dir() {
            true => copy_directory(&self.source, &directory)?,
            false => {
                std::fs::create_dir_all(&directory)?;
                let name = self.file.as_deref().unwrap_or_default();
                copy_file(&self.source, &directory.join(name))?;
            }
        }
        Ok(Copy {
            directory,
            file: self.file.clone(),
        })
    }
}

fn copy_directory(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if !is_left_out(&entry, kind) {
            copy_entry(&entry, kind, &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn copy_entry(entry: &DirEntry, kind: FileType, to: &Path) -> io::Result<()> {
    if kind.is_symlink() {
        return symlink(std::fs::read_link(entry.path())?, to);
    }
    match kind.is_dir() {
        true => copy_directory(&entry.path(), to),
        false => copy_file(&entry.path(), to),
    }
}

fn is_left_out(entry: &DirEntry, kind: FileType) -> bool {
    let name = entry.file_name();
    kind.is_dir() && (name == "target" || name == ".git")
}

/// Copies a file; its owner may write to the copy.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::copy(from, to)?;
    let mut permissions = to.metadata()?.permissions();
    permissions.set_mode(permissions.mode() | 0o200);
    std::fs::set_permissions(to, permissions)
}
