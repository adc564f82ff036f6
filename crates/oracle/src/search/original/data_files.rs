//! Finds the data files of a program that is started in a directory of which there is no whole copy: those that its
//! strings name.

use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// The largest data file that is copied for a program, in bytes.
const LARGEST_DATA: u64 = 16 << 20;

/// Lists the files that string literals of a program name, and that are there below the directory in which it is started: it may
/// read them when it is run. The compiler says nothing of these. Those below `hidden` are not for programs.
pub(crate) fn data_files(
    sources: impl IntoIterator<Item = Utf8PathBuf>,
    cwd: &Utf8Path,
    hidden: &[Utf8PathBuf],
) -> BTreeSet<Utf8PathBuf> {
    let texts = sources
        .into_iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    let mut found = BTreeSet::new();
    for text in texts {
        let named = text.lines().flat_map(|line| line.split('"'));
        let there = named.filter_map(|name| data_file(name, cwd));
        found.extend(there.filter(|path| !hidden.iter().any(|place| path.starts_with(place))));
    }
    found
}

/// Returns the file of this name below a directory; `None` where there is none, or it is too large.
fn data_file(name: &str, cwd: &Utf8Path) -> Option<Utf8PathBuf> {
    let path = normal(&cwd.join(name));
    let is_below = !name.is_empty() && path != *cwd && path.starts_with(cwd);
    let metadata = is_below.then(|| path.symlink_metadata().ok()).flatten()?;
    (metadata.is_file() && metadata.len() <= LARGEST_DATA).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::files;

    #[test]
    fn files_that_strings_name_below_the_directory_are_data_unless_they_are_hidden() {
        let directory = tempfile::tempdir().unwrap();
        let cwd = Utf8Path::from_path(directory.path()).unwrap();
        let cwd = cwd.canonicalize_utf8().unwrap().join("here");
        files::make_empty(&cwd.join("inner")).unwrap();
        let there = [
            "menu.txt",
            "inner/prices",
            "unnamed",
            "../beside",
            "large",
            ".netrc",
        ];
        for name in there {
            files::write(&cwd.join(name), "x").unwrap();
        }
        let large = std::fs::File::options().write(true).open(cwd.join("large"));
        large.unwrap().set_len(LARGEST_DATA + 1).unwrap();
        let source = cwd.join("a.rs");
        let named = r#"fn f() { open("menu.txt"); open("inner/../inner/prices"); open("../beside");
            open("absent"); open("inner"); open(""); open("large"); open(".netrc"); }"#;
        files::write(&source, named).unwrap();
        let found = data_files([source], &cwd, &[cwd.join(".netrc")]);
        let found: Vec<_> = found.iter().map(|path| path.strip_prefix(&cwd)).collect();
        let expected = ["inner/prices", "menu.txt"].map(|name| Ok(Utf8Path::new(name)));
        assert_eq!(found, expected);
    }
}
