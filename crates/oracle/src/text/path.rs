//! Removes `.` and `..` from paths.

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
