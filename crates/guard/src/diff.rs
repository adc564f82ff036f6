//! Formats a single change of a file as a unified diff.

use reduce_gather::unified_diff;
use reduce_syntax::Edit;
use std::ops::Range;

/// Formats the change that an edit makes of a text, with the file's name.
pub(crate) fn unified(path: &str, text: &str, edit: &Edit) -> String {
    let before: Vec<&str> = text.split_inclusive('\n').collect();
    let changed = lines_at(text, edit.start..edit.end);
    let replaced = replaced_lines(text, edit, &before[changed.clone()]);
    let after: Vec<&str> = replaced.split_inclusive('\n').collect();
    let parts = [
        (' ', &before[..changed.start]),
        ('-', &before[changed.clone()]),
        ('+', &after[..]),
        (' ', &before[changed.end..]),
    ];
    let lines = parts.into_iter().flat_map(|(sign, lines)| {
        let lines = lines.iter();
        lines.map(move |line| (sign, line.trim_end_matches(['\r', '\n'])))
    });
    unified_diff(path, &lines.collect::<Vec<_>>()).expect("an edit changes a line")
}

/// Returns the indices of the lines that contain some of these bytes.
fn lines_at(text: &str, bytes: Range<usize>) -> Range<usize> {
    // The last byte may be in the middle of a character.
    let line = |byte: usize| {
        let before = text.as_bytes()[..byte].iter();
        before.filter(|&&one| one == b'\n').count()
    };
    let last = bytes.end.max(bytes.start + 1) - 1;
    line(bytes.start)..line(last.min(text.len())) + 1
}

/// Returns the lines that an edit changes, as they are after the change; nothing where the edit
/// leaves nothing but blanks.
fn replaced_lines(text: &str, edit: &Edit, changed: &[&str]) -> String {
    let start = text[..edit.start].rfind('\n').map_or(0, |at| at + 1);
    let end = start + changed.iter().map(|line| line.len()).sum::<usize>();
    let replaced = format!(
        "{}{}{}",
        &text[start..edit.start],
        edit.text,
        &text[edit.end..end]
    );
    match replaced.trim().is_empty() {
        true => String::new(),
        false => replaced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_syntax::SourceTree;

    const TEXT: &str = "fn f() {\n    a();\n    b();\n    c();\n    d();\n    e(1);\n}\n";

    #[track_caller]
    fn check(from: &str, to: &str, expected: &str) {
        let sources = SourceTree::single("a.rs".into(), TEXT.into());
        let start = TEXT.find(from).expect("it is in the text");
        let edit = Edit::replace(sources.root(), &(start..start + from.len()), to);
        let expected = format!("--- a/src/a.rs\n+++ b/src/a.rs\n{expected}");
        assert_eq!(unified("src/a.rs", TEXT, &edit), expected);
    }

    #[test]
    fn a_change_stands_among_the_lines_around_it() {
        check(
            "1",
            "2",
            "@@ -3,5 +3,5 @@\n     b();\n     c();\n     d();\n-    e(1);\n+    e(2);\n }\n",
        );
        check(
            "a();\n    b();",
            "b();\n    a();",
            "@@ -1,6 +1,6 @@\n fn f() {\n-    a();\n-    b();\n+    b();\n+    a();\n     c();\n     d();\n     e(1);\n",
        );
    }

    #[test]
    fn a_change_may_end_with_a_letter_of_several_bytes() {
        let text = "fn f(é: u8) -> u8 {\n    é\n}\n";
        let sources = SourceTree::single("a.rs".into(), text.into());
        let at = text.rfind('é').expect("it is in the text");
        let edit = Edit::replace(sources.root(), &(at..at + 'é'.len_utf8()), "1");
        let expected =
            "--- a/a.rs\n+++ b/a.rs\n@@ -1,3 +1,3 @@\n fn f(é: u8) -> u8 {\n-    é\n+    1\n }\n";
        assert_eq!(unified("a.rs", text, &edit), expected);
    }

    #[test]
    fn a_line_of_which_nothing_is_left_goes() {
        check(
            "a();",
            "",
            "@@ -1,5 +1,4 @@\n fn f() {\n-    a();\n     b();\n     c();\n     d();\n",
        );
    }
}
