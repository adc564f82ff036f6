//! The things that have to be there where a launcher has a process run.

use super::task::Expected;
use camino::Utf8Path;

#[test]
fn a_directory_a_size_and_a_text_are_expected_as_they_are_here() {
    let temp = tempfile::tempdir().unwrap();
    let dir = Utf8Path::from_path(temp.path()).unwrap();
    let file = dir.join("file");
    std::fs::write(&file, "four").unwrap();
    let text = |text: &str| Expected::Text(*blake3::hash(text.as_bytes()).as_bytes());
    assert!(Expected::Directory.is_at(dir) && !Expected::Directory.is_at(&file));
    assert!(Expected::File(4).is_at(&file) && !Expected::File(5).is_at(&file));
    assert!(text("four").is_at(&file) && !text("five").is_at(&file));
    for expected in [Expected::Directory, Expected::File(0), text("")] {
        assert!(!expected.is_at(&dir.join("none")));
    }
}
