//! The files that a test links: `//@ aux-build: tool.rs` means `auxiliary/tool.rs` beside the test, compiled
//! as its own lines say.

use super::line::{Line, lines};
use super::{Read, of_lines};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{FileInput, LinkedFile};

/// The directory of the linked files, beside the test.
const DIRECTORY: &str = "auxiliary";

/// A file that is compiled: the one that the user named, or one that it links.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    /// The directory of the files that this file may link.
    directory: &'p Utf8Path,
    /// The files that link this file, directly or not.
    linked_by: &'p [Utf8PathBuf],
    pub(super) read: &'p Read<'p>,
}

impl<'p> Place<'p> {
    /// Returns the place of the file which the user named.
    pub(super) fn of_test(directory: &'p Utf8Path, read: &'p Read<'p>) -> Self {
        Self {
            directory,
            linked_by: &[],
            read,
        }
    }
}

/// Returns the directory of the files that a test links.
pub(super) fn directory(test: &Utf8Path) -> Utf8PathBuf {
    test.with_file_name(DIRECTORY)
}

/// Whether a line names a file that is linked.
fn is_link(line: &Line<'_>) -> bool {
    ["aux-build", "aux-crate", "proc-macro"].contains(&line.name)
}

/// Returns the files that the lines link, and a sentence for each file that is not there.
pub(super) fn links(
    lines: &[&Line<'_>],
    revision: Option<&str>,
    user: &FileInput,
    place: Place<'_>,
) -> (Vec<LinkedFile>, Vec<String>) {
    let mut found = (Vec::new(), Vec::new());
    for line in lines.iter().filter(|line| is_link(line)) {
        match link(line, revision, user, place) {
            Ok(link) => found.0.push(link),
            Err(sentence) => found.1.push(sentence),
        }
    }
    found
}

fn link(
    line: &Line<'_>,
    revision: Option<&str>,
    user: &FileInput,
    place: Place<'_>,
) -> Result<LinkedFile, String> {
    let (name, file) = named(line);
    let path = place.directory.join(file);
    let text = (place.read)(&path).filter(|_| !place.linked_by.contains(&path));
    let text = text.ok_or_else(|| {
        format!(
            "the line `{}` is not obeyed: there is no file `{path}`",
            line.text
        )
    })?;
    let crate_name = attribute(&text, "crate_name").unwrap_or_else(|| crate_name(&path));
    let is_proc_macro = line.name == "proc-macro"
        || attribute(&text, "crate_type").is_some_and(|kind| kind == "proc-macro");
    let linked_by = [place.linked_by, std::slice::from_ref(&path)].concat();
    let inner = Place {
        linked_by: &linked_by,
        ..place
    };
    let lines: Vec<Line<'_>> = lines(&text).collect();
    let file = FileInput {
        path,
        target_triple: user.target_triple.clone().filter(|_| !is_proc_macro),
        ..FileInput::default()
    };
    Ok(LinkedFile {
        extern_name: name.map_or_else(|| crate_name.clone(), str::to_owned),
        crate_name,
        is_proc_macro,
        file: of_lines(&file, &lines, revision, inner).file,
    })
}

/// Returns the name that `aux-crate: NAME=FILE` gives a crate, and the file. What stands before a
/// colon, as in `priv:NAME=FILE`, says something of the name that no crash needs.
fn named<'l>(line: &Line<'l>) -> (Option<&'l str>, &'l str) {
    let value = line
        .value
        .split_once(':')
        .map_or(line.value, |(_, value)| value);
    match value.split_once('=') {
        Some((name, file)) => (Some(name.trim()), file.trim()),
        None => (None, value),
    }
}

/// Returns rustc's name for the crate of a file.
fn crate_name(path: &Utf8Path) -> String {
    path.file_stem().unwrap_or_default().replace('-', "_")
}

/// Returns the value of `#![NAME = "VALUE"]`.
fn attribute(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let inner = line.trim().strip_prefix("#![")?.trim_start();
        let value = inner.strip_prefix(name)?.trim_start().strip_prefix('=')?;
        let value = value.trim_start().strip_prefix('"')?;
        Some(value.split_once('"')?.0.to_owned())
    })
}
