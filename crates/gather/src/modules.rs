//! Collects a crate's files, by following each `mod x;` from the crate root.

mod declared;
mod expanded;
mod named;

use declared::declared_modules;
pub use expanded::collect_expanded;
pub use named::named_files;

use camino::Utf8Path;
use reduce_syntax::{FileId, ModuleDirectory, Parsed, SourceTree};
use std::sync::Arc;
use syn::{Item, ItemMod};

/// Collects a crate's files, following `mod x;` from the root. `read` gives a file's text, or
/// `None` where there is no such file or it is not UTF-8: such modules are left to the oracle.
///
/// Returns `None` if the root cannot be read.
#[must_use]
pub fn collect_sources(
    root: &Utf8Path,
    read: &dyn Fn(&Utf8Path) -> Option<Arc<str>>,
) -> Option<SourceTree> {
    let mut tree = SourceTree::single(root.to_owned(), read(root)?);
    let root = tree.root();
    collect_from(&mut tree, root, false, read);
    Some(tree)
}

fn collect_from(
    tree: &mut SourceTree,
    file: FileId,
    by_path_attribute: bool,
    read: &dyn Fn(&Utf8Path) -> Option<Arc<str>>,
) {
    let parsed = Parsed::new(tree.text(file));
    let Some(syntax) = parsed.file() else {
        return;
    };
    let is_root = file == tree.root();
    let directory = ModuleDirectory::of_file(tree.path(file), is_root, by_path_attribute);
    let mut candidates = Vec::new();
    visit_files(&syntax.items, &directory, &mut |module, directory| {
        candidates.extend(directory.candidates(module));
    });
    for (path, by_path_attribute) in candidates {
        if tree.find(&path).is_some() {
            continue;
        }
        if let Some(text) = read(&path) {
            let child = tree.add(path, text);
            collect_from(tree, child, by_path_attribute, read);
        }
    }
}

/// Visits each `mod x;` of `items`, also inside inline modules, with the directory in which its file is looked for.
pub(crate) fn visit_files(
    items: &[Item],
    directory: &ModuleDirectory,
    visit: &mut dyn FnMut(&ItemMod, &ModuleDirectory),
) {
    for module in declared_modules(items) {
        match &module.content {
            Some((_, items)) => visit_files(items, &directory.inline(&module), visit),
            None => visit(&module, directory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let read = |path: &Utf8Path| {
            files
                .iter()
                .find(|(name, _)| *name == path)
                .map(|(_, text)| Arc::from(*text))
        };
        let tree = collect_sources(Utf8Path::new(files[0].0), &read).expect("the root is there");
        let found: Vec<&str> = tree.files().map(|(_, path, _)| path.as_str()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn files_beside_and_below_are_found() {
        check(
            &[
                ("src/lib.rs", "mod a; mod b;"),
                ("src/a.rs", "mod c;"),
                ("src/a/c.rs", ""),
                ("src/b/mod.rs", "mod d;"),
                ("src/b/d.rs", ""),
                ("src/unrelated.rs", ""),
            ],
            &[
                "src/lib.rs",
                "src/a.rs",
                "src/a/c.rs",
                "src/b/mod.rs",
                "src/b/d.rs",
            ],
        );
    }

    #[test]
    fn inline_modules_add_a_directory() {
        check(
            &[("src/main.rs", "mod a { mod b; }"), ("src/a/b.rs", "")],
            &["src/main.rs", "src/a/b.rs"],
        );
    }

    #[test]
    fn a_path_attribute_names_the_file() {
        check(
            &[
                ("src/lib.rs", "#[path = \"../other/x.rs\"] mod a;"),
                ("other/x.rs", "mod y;"),
                ("other/y.rs", ""),
            ],
            &["src/lib.rs", "other/x.rs", "other/y.rs"],
        );
    }

    #[test]
    fn a_file_that_is_not_there_is_passed_over() {
        check(
            &[("src/lib.rs", "#[cfg(windows)] mod windows;")],
            &["src/lib.rs"],
        );
    }

    #[test]
    fn a_conditional_path_is_one_of_several() {
        check(
            &[
                (
                    "lib.rs",
                    "#[cfg_attr(unix, path = \"u.rs\")] #[cfg_attr(windows, path = \"w.rs\", cold)] mod a; \
                     #[cfg_attr(any(), allow(x))] mod b; #[cfg_attr] mod c;",
                ),
                ("a.rs", ""),
                ("b.rs", ""),
                ("c.rs", ""),
                ("u.rs", "mod d;"),
                ("d.rs", ""),
                ("w.rs", ""),
            ],
            &["lib.rs", "u.rs", "d.rs", "w.rs", "a.rs", "b.rs", "c.rs"],
        );
    }

    #[test]
    fn modules_in_calls_of_macros_are_found_and_those_in_definitions_are_not() {
        check(
            &[
                (
                    "src/lib.rs",
                    "cfg_if! { if #[cfg(a)] { #[path = \"x.rs\"] #[cold] pub(crate) mod a; mod b; } \
                     else { pub mod c { mod d; } m!(mod e {} mod f;); mod; mod mod; } } \
                     macro_rules! m { () => { mod g; } }",
                ),
                ("src/x.rs", ""),
                ("src/a.rs", ""),
                ("src/b.rs", ""),
                ("src/c/d.rs", ""),
                ("src/e.rs", ""),
                ("src/f.rs", ""),
                ("src/g.rs", ""),
            ],
            &[
                "src/lib.rs",
                "src/c/d.rs",
                "src/f.rs",
                "src/x.rs",
                "src/b.rs",
            ],
        );
    }

    #[test]
    fn modules_in_bodies_are_found_if_a_path_names_them() {
        check(
            &[
                (
                    "src/lib.rs",
                    "mod a; fn f() { { #[path = \"x.rs\"] mod b; } mod c; mod d { mod e; } }",
                ),
                (
                    "src/a.rs",
                    "impl A { fn f() { #[path = \"y.rs\"] mod b; } }",
                ),
                ("src/x.rs", ""),
                ("src/y.rs", ""),
                ("src/c.rs", ""),
                ("src/d/e.rs", ""),
            ],
            &["src/lib.rs", "src/a.rs", "src/y.rs", "src/x.rs"],
        );
    }

    #[test]
    fn raw_identifiers_name_plain_files() {
        check(
            &[("lib.rs", "mod r#type;"), ("type.rs", "")],
            &["lib.rs", "type.rs"],
        );
    }
}
