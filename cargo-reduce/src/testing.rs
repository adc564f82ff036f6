//! Directories for tests of this crate.

use camino::Utf8PathBuf;

/// Makes a directory with files, by their paths in it. It goes with the first value.
pub(crate) fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Utf8PathBuf) {
    let temp = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
    for (path, text) in files {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        std::fs::write(root.join(path), text).unwrap();
    }
    (temp, root)
}
