//! Removes `.` and `..` from paths, and gives them extensions.

use camino::{Utf8Path, Utf8PathBuf};

/// Returns the path with `.` and `..` taken out, without a look at the file system.
pub(crate) fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut normal = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            camino::Utf8Component::CurDir => {}
            camino::Utf8Component::ParentDir => {
                if !normal.pop() {
                    normal.push("..");
                }
            }
            component => normal.push(component.as_str()),
        }
    }
    normal
}

/// Returns a path without an extension with that of another path, if that has one.
pub(crate) fn with_extension_of(path: &Utf8Path, other: &Utf8Path) -> Utf8PathBuf {
    match other.extension() {
        Some(extension) => format!("{path}.{extension}").into(),
        None => path.to_owned(),
    }
}
