//! Lists of files with flags, and the lines at the top of a file that ask for flags.

use camino::{Utf8Path, Utf8PathBuf};

/// A file of a list, with the flags of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The path of the file or package, below the directory of the list where it is relative.
    pub path: Utf8PathBuf,
    /// The flags for the compiler.
    pub flags: Vec<String>,
}

/// The error for a line of a list that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAList {
    /// The number of the line, from 1.
    pub line: usize,
}

/// Reads a list: on each line a path, and flags for the compiler behind it, quoted as for a shell. Empty lines, and what
/// follows a `#` at the beginning of a word, are left out.
///
/// # Errors
/// Where a quotation mark is left open.
pub fn read_list(text: &str, directory: &Utf8Path) -> Result<Vec<Listed>, NotAList> {
    let mut all = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        let words = shlex::split(line).ok_or(NotAList { line: idx + 1 })?;
        let mut words = words.into_iter();
        if let Some(path) = words.next() {
            all.push(Listed {
                path: directory.join(path),
                flags: words.collect(),
            });
        }
    }
    Ok(all)
}

/// Returns the flags that comments at the top of a file ask for in the form that rustc's tests had before `//@`, and that
/// collections of crashes still have: `// compile-flags: -Zmir-opt-level=3`, `// edition:2021`, or a call of the compiler such as
/// `// rustc --crate-type lib -Zx`. Lines with `//@` are left to who compiles the file.
#[must_use]
pub fn flags_at_top(text: &str) -> Vec<String> {
    let mut flags = Vec::new();
    for line in text.lines().map(str::trim) {
        match line.strip_prefix("//") {
            Some(comment) => flags.extend(flags_in(comment.trim())),
            None if line.is_empty() || line.starts_with("#!") => {}
            None => break,
        }
    }
    flags
}

fn flags_in(comment: &str) -> Vec<String> {
    if let Some(edition) = comment.strip_prefix("edition:") {
        return vec![format!("--edition={}", edition.trim())];
    }
    if let Some(flags) = comment.strip_prefix("compile-flags:") {
        return shlex::split(flags).unwrap_or_default();
    }
    let call = comment.strip_prefix("$ ").unwrap_or(comment);
    match call.strip_prefix("rustc ").and_then(shlex::split) {
        // In a sentence about rustc the next word is no flag.
        Some(words) if words.first().is_some_and(|word| word.starts_with('-')) => {
            let is_file = |word: &String| word.ends_with(".rs") || word == "%" || word == "-";
            words.into_iter().filter(|word| !is_file(word)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_file_on_each_line() {
        let text = "a.rs\n\n# no\nsub/b.rs -Zx --cfg 'feature=\"y\"' # why\n/abs/c.rs\n";
        let listed = |path: &str, flags: &[&str]| Listed {
            path: path.into(),
            flags: flags.iter().map(|&flag| flag.to_owned()).collect(),
        };
        let expected = vec![
            listed("/l/a.rs", &[]),
            listed("/l/sub/b.rs", &["-Zx", "--cfg", "feature=\"y\""]),
            listed("/abs/c.rs", &[]),
        ];
        assert_eq!(read_list(text, "/l".into()), Ok(expected));
        assert_eq!(
            read_list("a.rs\nb.rs 'x\n", "/l".into()),
            Err(NotAList { line: 2 })
        );
    }

    #[test]
    fn comments_at_the_top_ask_for_flags() {
        let check = |text: &str, expected: &[&str]| assert_eq!(flags_at_top(text), expected);
        check(
            "// edition:2021\n#![feature(x)]\n// compile-flags: -Za -Zb=1\nfn main() {}\n// compile-flags: -Zc",
            &["--edition=2021", "-Za", "-Zb=1"],
        );
        check(
            "// $ rustc --crate-type lib -Zx crash.rs\n",
            &["--crate-type", "lib", "-Zx"],
        );
        check("// rustc crashes here\n//@ compile-flags: -Zd\n", &[]);
    }
}
