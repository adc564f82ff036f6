//! Compares two layouts of the same Rust files.

use crate::error::OracleError;
use crate::system::snapshot::all_files;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// The number of changed lines that are shown.
const SHOWN_LINES: usize = 40;

/// The Rust files of a directory, by their paths.
pub(crate) type Texts = BTreeMap<Utf8PathBuf, String>;

/// Reads the Rust files of a directory.
///
/// # Errors
/// [`OracleError::Io`].
pub(crate) fn texts(dir: &Utf8Path) -> Result<Texts, OracleError> {
    let files = all_files(dir, dir)?;
    let rust = files
        .into_iter()
        .filter(|path| path.extension() == Some("rs"));
    let read = rust.filter_map(|path| {
        let text = std::fs::read_to_string(dir.join(&path)).ok()?;
        Some((path, text))
    });
    Ok(read.collect())
}

/// Returns the kind of difference between two layouts; `None` where there is none. The kinds keep a
/// candidate from ending at another fault of rustfmt than that of the input.
pub(crate) fn difference(once: &Texts, again: &Texts) -> Option<&'static str> {
    if once == again {
        return None;
    }
    let as_words = |texts: &Texts| words(texts, |text| text.split_whitespace().collect::<String>());
    let as_lines = |texts: &Texts| words(texts, trimmed_lines);
    Some(match () {
        () if as_words(once) != as_words(again) => {
            "it changes more than white space the second time"
        }
        () if as_lines(once) != as_lines(again) => "it breaks lines otherwise the second time",
        () => "it indents otherwise the second time",
    })
}

fn words(texts: &Texts, form: impl Fn(&str) -> String) -> Vec<String> {
    texts.values().map(|text| form(text)).collect()
}

fn trimmed_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join("\n")
}

/// Returns the lines in which two layouts differ.
pub(crate) fn shown(once: &Texts, again: &Texts) -> String {
    let mut lines = vec![];
    for (path, text) in once {
        let other = again.get(path).map_or("", String::as_str);
        if text != other {
            lines.push(format!("{path}: formatted once, and twice:"));
            lines.extend(changed_lines(text, other));
        }
    }
    lines.truncate(SHOWN_LINES);
    lines.join("\n")
}

/// Returns the lines between those that both texts begin with and those that both end with.
fn changed_lines(once: &str, again: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (once.lines().collect(), again.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let (old, new) = (old.get(head..), new.get(head..));
    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let removed = old
        .iter()
        .take(old.len() - tail)
        .map(|line| format!("-{line}"));
    let added = new
        .iter()
        .take(new.len() - tail)
        .map(|line| format!("+{line}"));
    removed.chain(added).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Texts {
        Texts::from([("a.rs".into(), text.to_owned())])
    }

    #[track_caller]
    fn check(once: &str, again: &str, expected: Option<&str>) {
        let seen = difference(&of(once), &of(again));
        assert_eq!(seen.map(|how| how.split(' ').nth(1).unwrap()), expected);
    }

    #[test]
    fn what_differs_is_told_apart() {
        check("fn f() {}\n", "fn f() {}\n", None);
        check("a\n  b\n", "a\nb\n", Some("indents"));
        check("a\nb\n", "a b\n", Some("breaks"));
        check("a\n\nb\n", "a\nb\n", Some("breaks"));
        check("a => { b }", "a => b,", Some("changes"));
        check("{ sync}", "sync", Some("changes"));
    }

    #[test]
    fn a_file_that_is_new_is_a_difference() {
        let mut more = of("a");
        more.insert("b.rs".into(), String::new());
        assert!(difference(&of("a"), &more).is_some());
    }

    #[test]
    fn only_what_has_changed_is_shown() {
        let shown = shown(&of("a\nb\nc\n"), &of("a\nd\ne\nc\n"));
        assert_eq!(shown, "a.rs: formatted once, and twice:\n-b\n+d\n+e");
        assert_eq!(super::shown(&of("a"), &of("a")), "");
        assert_eq!(changed_lines("a\na\n", "a\n"), ["-a"]);
        assert_eq!(changed_lines("", "a\n"), ["+a"]);
    }
}
