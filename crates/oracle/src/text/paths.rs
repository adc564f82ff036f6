//! Replaces directories that are named in texts.

use camino::Utf8Path;

/// Returns `text` with the directory `from` replaced by `to` wherever it stands as a whole path or
/// the beginning of one.
pub(crate) fn relocate(text: &str, from: &Utf8Path, to: &str) -> String {
    let mut moved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from.as_str()) {
        let (before, after) = (&rest[..at], &rest[at + from.as_str().len()..]);
        let is_whole = !after.starts_with(|c: char| c.is_alphanumeric() || "_-.".contains(c));
        moved.push_str(before);
        moved.push_str(if is_whole { to } else { from.as_str() });
        rest = after;
    }
    moved + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_paths_are_relocated() {
        let from = Utf8Path::new("/a/tree");
        assert_eq!(relocate("-L=/a/tree/x:/a/tree", from, "/b"), "-L=/b/x:/b");
        assert_eq!(
            relocate("/a/tree2 /a/tree-x", from, "/b"),
            "/a/tree2 /a/tree-x"
        );
    }
}
