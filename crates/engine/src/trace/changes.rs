//! Descriptions of a candidate's changes to the best so far: their places, and the removed and the
//! inserted text.

use crate::hunks::{Hunk, hunks};
use reduce_syntax::SourceTree;
use std::ops::Range;

/// The largest number of changes of a candidate that are described.
const MOST_CHANGES: usize = 12;
/// The number of characters above which only the beginning and the end of a text are shown.
const LONGEST_TEXT: usize = 96;
/// The number of characters that are shown of a long text's end.
const END_OF_TEXT: usize = 24;

/// Describes the changes from one program to another, such as `PATH:FROM..TO "removed" ->
/// "inserted"`, with places in bytes of the first.
pub(super) fn describe_changes(before: &SourceTree, after: &SourceTree) -> Vec<String> {
    let mut told = Vec::new();
    for (_, path, text) in before.files() {
        let new = after.find(path).map(|file| after.shared_text(file));
        match new {
            None => told.push(format!("{path} goes, {} bytes", text.len())),
            Some(new) if new != *text => {
                let changes = hunks(text, &new);
                let tell = |hunk: Hunk| describe(path.as_str(), text, &new, hunk);
                told.extend(changes.into_iter().map(tell));
            }
            Some(_) => {}
        }
    }
    let is_new = |path: &camino::Utf8Path| before.find(path).is_none();
    let new = after.files().filter(|(_, path, _)| is_new(path));
    told.extend(new.map(|(_, path, text)| format!("{path} comes, {} bytes", text.len())));
    shortened(told)
}

fn describe(path: &str, before: &str, after: &str, hunk: Hunk) -> String {
    let Range { start, end } = hunk.removed.clone();
    let removed = in_line(&before[hunk.removed]);
    let inserted = in_line(&after[hunk.inserted]);
    let what = match (removed.as_str(), inserted.as_str()) {
        (removed, inserted) if removed == inserted => "in another layout".to_owned(),
        (removed, "") => format!("without {}", quoted(removed)),
        ("", inserted) => format!("with {}", quoted(inserted)),
        (removed, inserted) => format!("{} -> {}", quoted(removed), quoted(inserted)),
    };
    format!("{path}:{start}..{end} {what}")
}

/// Writes a text on one line.
fn in_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Quotes a text, shortened, and without characters that control a terminal.
fn quoted(text: &str) -> String {
    let n_chars = text.chars().count();
    if n_chars <= LONGEST_TEXT {
        return format!("{text:?}");
    }
    let begin: String = text.chars().take(LONGEST_TEXT - END_OF_TEXT).collect();
    let end: String = text.chars().skip(n_chars - END_OF_TEXT).collect();
    format!("{:?}", format!("{begin} … {end}"))
}

fn shortened(mut told: Vec<String>) -> Vec<String> {
    let n_more = told.len().saturating_sub(MOST_CHANGES);
    told.truncate(MOST_CHANGES);
    if n_more > 0 {
        told.push(format!("and {n_more} more changes"));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use std::sync::Arc;

    fn tree(files: &[(&str, &str)]) -> SourceTree {
        let files = files.iter();
        let files = files.map(|(path, text)| (Utf8PathBuf::from(path), Arc::from(*text)));
        SourceTree::from_files("lib.rs".into(), files).expect("the root is there")
    }

    #[track_caller]
    fn check(before: &[(&str, &str)], after: &[(&str, &str)], expected: &[&str]) {
        assert_eq!(describe_changes(&tree(before), &tree(after)), expected);
    }

    #[test]
    fn a_deletion_and_a_replacement_are_told_by_place_and_text() {
        check(
            &[("lib.rs", "fn a() {}\nfn b() { x }\n")],
            &[("lib.rs", "fn b() { loop {} }\n")],
            &[
                r#"lib.rs:0..10 without "fn a() {}""#,
                r#"lib.rs:19..20 "x" -> "loop {}""#,
            ],
        );
    }

    #[test]
    fn what_is_only_put_there_and_white_space_are_told_as_that() {
        check(
            &[("lib.rs", "fn a() {}\nfn b() {}\n")],
            &[("lib.rs", "fn a() {}\n\n    fn b() { c }\n")],
            &[
                "lib.rs:9..10 in another layout",
                r#"lib.rs:18..18 with "c""#,
            ],
        );
    }

    #[test]
    fn files_come_and_go() {
        check(
            &[("lib.rs", "mod a;"), ("a.rs", "fn a() {}")],
            &[("lib.rs", "mod a;"), ("b.rs", "b")],
            &["a.rs goes, 9 bytes", "b.rs comes, 1 bytes"],
        );
    }

    #[test]
    fn a_long_text_is_told_by_its_beginning_and_end() {
        let long = format!("fn f() {{ {} }}", "g(); ".repeat(100));
        let told = describe_changes(&tree(&[("lib.rs", &long)]), &tree(&[("lib.rs", "")]));
        assert_eq!(told.len(), 1);
        assert!(told[0].contains("fn f() { g(); g();") && told[0].contains(" … "));
        assert!(told[0].len() < 160, "{}", told[0]);
    }

    #[test]
    fn many_changes_are_counted() {
        let all: String = (0..40)
            .map(|number| format!("fn a{number}() {{ one(); x; }} "))
            .collect();
        let fewer: String = (0..40)
            .map(|number| format!("fn a{number}() {{ one(); }} "))
            .collect();
        let told = describe_changes(&tree(&[("lib.rs", &all)]), &tree(&[("lib.rs", &fewer)]));
        assert_eq!(told.len(), MOST_CHANGES + 1);
        assert!(told[MOST_CHANGES].ends_with("more changes"), "{told:?}");
    }
}
