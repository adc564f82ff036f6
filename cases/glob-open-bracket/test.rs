//! Lists of patterns that say which files to leave out, with exceptions, as tools for versions have them.

use glob::{MatchOptions, Pattern, PatternError};
use std::path::Path;

#[derive(Debug)]
struct Rule {
    pattern: Pattern,
    is_exception: bool,
    only_directories: bool,
}

#[derive(Debug)]
struct Mistake {
    line: usize,
    error: PatternError,
}

#[derive(Debug, Default)]
struct IgnoreList {
    rules: Vec<Rule>,
}

fn options() -> MatchOptions {
    MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: false,
    }
}

impl IgnoreList {
    fn read(text: &str) -> Result<Self, Mistake> {
        let mut list = IgnoreList::default();
        for (idx, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (is_exception, rest) = match line.strip_prefix('!') {
                Some(rest) => (true, rest),
                None => (false, line),
            };
            let (only_directories, text) = match rest.strip_suffix('/') {
                Some(text) => (true, text),
                None => (false, rest),
            };
            let anywhere = format!("**/{}", text);
            let pattern = Pattern::new(if text.contains('/') { text } else { &anywhere });
            let pattern = pattern.map_err(|error| Mistake {
                line: idx + 1,
                error,
            })?;
            list.rules.push(Rule {
                pattern,
                is_exception,
                only_directories,
            });
        }
        Ok(list)
    }

    /// The last rule that fits decides.
    fn ignores(&self, path: &str) -> bool {
        let is_directory = path.ends_with('/');
        let path = Path::new(path.trim_end_matches('/'));
        let fits = |rule: &&Rule| {
            (is_directory || !rule.only_directories)
                && rule.pattern.matches_path_with(path, options())
        };
        let last = self.rules.iter().rev().find(fits);
        last.map_or(false, |rule| !rule.is_exception)
    }
}

const LIST: &str = "
# what the compiler makes
target/
*.o
*.[ch].orig

# backups, but not of notes
*~
!notes*~
log[!0-9].txt
";

#[test]
fn directories_are_left_out_and_files_of_that_name_are_not() {
    let list = IgnoreList::read(LIST).unwrap();
    assert!(list.ignores("a/b/target/"));
    assert!(!list.ignores("a/b/target"));
}

#[test]
fn exceptions_come_last() {
    let list = IgnoreList::read(LIST).unwrap();
    assert!(list.ignores("src/main.rs~"));
    assert!(!list.ignores("doc/notes.md~"));
    assert!(list.ignores("src/lex.c.orig"));
    assert!(list.ignores("logs/logx.txt"));
    assert!(!list.ignores("logs/log7.txt"));
}

#[test]
fn a_list_with_a_mistake_is_refused() {
    let list = IgnoreList::read(LIST).unwrap();
    assert_eq!(list.rules.len(), 6);
    let mistakes = [
        ("***", 1),
        ("*.o\n\nlog[0-9.txt", 3),
        ("*.a\nlib/part[!", 2),
    ];
    for (text, line) in mistakes {
        let mistake = IgnoreList::read(text).unwrap_err();
        assert_eq!(mistake.line, line, "{:?}", mistake.error);
        assert!(!mistake.error.to_string().is_empty());
    }
}
