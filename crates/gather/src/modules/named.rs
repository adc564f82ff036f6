//! Finds the files that a program names, from its tokens alone: for programs on which the compiler fails, or that do not parse.
//!
//! A name that may be one of a file counts as one, so that a file too many may be found where the text means another
//! module of that name, and none is found that nothing names.

use crate::embed::included_names;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::{TokenCursor, without_dots};
use std::collections::BTreeSet;
use std::sync::Arc;
use syn::LitStr;

/// Returns the files that belong to a program, as far as `mod`, `#[path]`, `include!` and the like name them and `read` finds
/// them. A file of which `read` says that it is no text is among them; what it names is not. Paths are absolute, and those that
/// begin at the manifest begin in `package`.
#[must_use]
pub fn named_files(
    root: &Utf8Path,
    package: &Utf8Path,
    read: &dyn Fn(&Utf8Path) -> Option<Option<Arc<str>>>,
) -> BTreeSet<Utf8PathBuf> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(path) = waiting.pop() {
        if found.contains(&path) {
            continue;
        }
        let Some(text) = read(&path) else { continue };
        if let Some(text) = text.filter(|_| path == root || path.extension() == Some("rs")) {
            let named = names_in(&text, &path, path == root, package);
            waiting.extend(named.into_iter().map(|path| without_dots(&path)));
        }
        found.insert(path);
    }
    found
}

/// Lists the paths at which the files named in one file may be.
fn names_in(text: &str, path: &Utf8Path, is_root: bool, package: &Utf8Path) -> Vec<Utf8PathBuf> {
    let beside = path.parent().unwrap_or(path);
    let stem = path.file_stem().unwrap_or_default();
    let below = (!is_root && stem != "mod").then(|| beside.join(stem));
    let directories: Vec<Utf8PathBuf> = below.into_iter().chain([beside.to_owned()]).collect();
    let mut found = Vec::new();
    for include in included_names(text) {
        let inner = include.trim_start_matches('/');
        found.extend([beside.join(&include), package.join(inner)]);
    }
    let cursor = TokenCursor::new(text);
    for idx in cursor.indices() {
        let inner = modules_around(&cursor, idx);
        for name in file_names(&cursor, idx) {
            found.extend(directories.iter().map(|dir| dir.join(&inner).join(&name)));
        }
    }
    found
}

/// Lists the file names that the `mod`, `#[path]` or `include!` at the token `idx` may mean.
fn file_names(cursor: &TokenCursor<'_>, idx: usize) -> Vec<String> {
    if cursor.are(idx, &["path", "="]) && cursor.is_string(idx + 2) {
        let value = syn::parse_str::<LitStr>(cursor.word(idx + 2));
        return value.iter().map(LitStr::value).collect();
    }
    let is_module = cursor.is(idx, "mod") && cursor.is_name(idx + 1) && !cursor.is(idx + 2, "{");
    let name = cursor.word(idx + 1).trim_start_matches("r#");
    match is_module {
        true => vec![format!("{name}.rs"), format!("{name}/mod.rs")],
        false => vec![],
    }
}

/// Returns the names of the inline modules around a token, as a directory.
fn modules_around(cursor: &TokenCursor<'_>, idx: usize) -> Utf8PathBuf {
    let openers = cursor.groups_around(idx);
    let modules = openers.filter(|&opener| cursor.before(opener, 2) == "mod");
    let mut names: Vec<&str> = modules.map(|opener| cursor.before(opener, 1)).collect();
    names.reverse();
    names
        .iter()
        .map(|name| name.trim_start_matches("r#"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let read = |path: &Utf8Path| {
            let mut files = files.iter();
            let found = files.find(|(name, _)| Utf8Path::new("/p").join(name) == path);
            // A file of this name is no text.
            found.map(|(name, text)| (!name.ends_with(".bin")).then(|| Arc::from(*text)))
        };
        let root = Utf8Path::new("/p").join(files[0].0);
        let found = named_files(&root, Utf8Path::new("/p"), &read);
        let found = found.iter().map(|path| path.strip_prefix("/p").unwrap());
        let found: Vec<&str> = found.map(Utf8Path::as_str).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn modules_are_followed_in_a_text_that_does_not_parse() {
        check(
            &[
                ("src/lib.rs", "mod a; fn f( { ((( mod b { mod c; } let = ;"),
                ("src/a.rs", "pub mod r#in;"),
                ("src/a/in.rs", ""),
                ("src/b/c/mod.rs", ""),
                ("src/b.rs", ""),
                ("src/decoy.rs", "mod a;"),
            ],
            &["src/a/in.rs", "src/a.rs", "src/b/c/mod.rs", "src/lib.rs"],
        );
    }

    #[test]
    fn attributes_and_macros_name_files_too() {
        check(
            &[
                (
                    "src/main.rs",
                    "#[cfg_attr(unix, path = \"../unix.rs\")] mod os; cfg_if! { mod inner; }\n\
                     include!(\"parts/one.rs\"); const A: &[u8] = include_bytes!(\"a.bin\");\n\
                     #![doc = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/README.md\"))]",
                ),
                ("unix.rs", ""),
                ("src/inner.rs", ""),
                ("src/parts/one.rs", "mod two;"),
                ("src/parts/two.rs", ""),
                ("src/a.bin", ""),
                ("README.md", "mod decoy;"),
                ("src/decoy.rs", ""),
            ],
            &[
                "README.md",
                "src/a.bin",
                "src/inner.rs",
                "src/main.rs",
                "src/parts/one.rs",
                "src/parts/two.rs",
                "unix.rs",
            ],
        );
    }

    #[test]
    fn what_stands_in_comments_and_strings_names_nothing() {
        check(
            &[
                (
                    "lib.rs",
                    "// mod a;\nconst B: &str = \"mod b;\"; /* include!(\"c.rs\"); */",
                ),
                ("a.rs", ""),
                ("b.rs", ""),
                ("c.rs", ""),
            ],
            &["lib.rs"],
        );
    }
}
