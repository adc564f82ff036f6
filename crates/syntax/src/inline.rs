//! A crate of several files as one: `mod x;` becomes `mod x { .. }`.

use crate::edit::{Edit, EditSet};
use crate::modules::ModuleDirectory;
use crate::parse::{ParsedFile, forget_spans, parse_file};
use crate::source::{FileId, SourceTree};
use std::sync::Arc;
use syn::spanned::Spanned;
use syn::{Item, ItemMod};

/// The crate in one file, its root. Modules whose file is not there stay as they are.
///
/// Returns `None` if there is only one file, or a file cannot be parsed, or some file is reached by
/// no `mod x;` that we can see.
#[must_use]
pub fn inline_modules(sources: &SourceTree) -> Option<SourceTree> {
    if sources.files().count() < 2 {
        return None;
    }
    let mut inliner = Inliner {
        sources,
        inlined: Vec::new(),
    };
    let text = inliner.text_of(sources.root(), false);
    forget_spans();
    let text = text?;
    (inliner.inlined.len() + 1 == sources.files().count())
        .then(|| SourceTree::single(sources.path(sources.root()).to_owned(), Arc::from(text)))
}

struct Inliner<'s> {
    sources: &'s SourceTree,
    inlined: Vec<FileId>,
}

/// A `mod x;` and its file.
struct External {
    file: FileId,
    by_path_attribute: bool,
    semicolon: std::ops::Range<usize>,
    path_attribute: Option<std::ops::Range<usize>>,
}

impl Inliner<'_> {
    fn text_of(&mut self, file: FileId, by_path_attribute: bool) -> Option<String> {
        let ParsedFile::Syntax {
            file: parsed,
            offset,
        } = parse_file(self.sources.text(file))
        else {
            return None;
        };
        let is_root = file == self.sources.root();
        let path = self.sources.path(file);
        let directory = ModuleDirectory::of_file(path, is_root, by_path_attribute);
        let mut found = Vec::new();
        self.externals(&parsed.items, &directory, &mut found);
        let mut edits = EditSet::new();
        for external in found {
            if self.inlined.contains(&external.file) {
                return None;
            }
            self.inlined.push(external.file);
            let inner = self.text_of(external.file, external.by_path_attribute)?;
            let shift = |range: &std::ops::Range<usize>| range.start + offset..range.end + offset;
            let braced = format!(" {{\n{inner}\n}}");
            edits.add(Edit::replace(file, &shift(&external.semicolon), &braced));
            if let Some(range) = &external.path_attribute {
                edits.add(Edit::delete(file, &shift(range)));
            }
        }
        let start = if is_root { 0 } else { offset };
        Some(edits.apply(self.sources).text(file)[start..].to_owned())
    }

    fn externals(&self, items: &[Item], directory: &ModuleDirectory, found: &mut Vec<External>) {
        for item in items {
            let Item::Mod(module) = item else { continue };
            match &module.content {
                Some((_, items)) => self.externals(items, &directory.inline(module), found),
                None => found.extend(self.external(module, directory)),
            }
        }
    }

    fn external(&self, module: &ItemMod, directory: &ModuleDirectory) -> Option<External> {
        let (file, by_path_attribute) = directory
            .candidates(module)
            .into_iter()
            .find_map(|(path, by_path)| Some((self.sources.find(&path)?, by_path)))?;
        let path_attribute = module.attrs.iter().find(|one| one.path().is_ident("path"));
        Some(External {
            file,
            by_path_attribute,
            semicolon: module.semi?.span().byte_range(),
            path_attribute: path_attribute.map(|one| one.span().byte_range()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::{Utf8Path, Utf8PathBuf};

    fn tree(files: &[(&str, &str)]) -> SourceTree {
        let files = files
            .iter()
            .map(|(path, text)| (Utf8PathBuf::from(*path), Arc::from(*text)));
        SourceTree::from_files(Utf8Path::new("src/lib.rs"), files).expect("the root is there")
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &str) {
        let inlined = inline_modules(&tree(files)).expect("inlined");
        let text = crate::pretty(inlined.text(inlined.root())).expect("parses");
        assert_eq!(text, crate::pretty(expected).expect("parses"));
    }

    #[test]
    fn modules_are_inlined_at_all_levels() {
        check(
            &[
                ("src/lib.rs", "pub mod a; fn f() {}"),
                ("src/a.rs", "#![allow(unused)] mod b;"),
                ("src/a/b.rs", "struct B;"),
            ],
            "pub mod a { #![allow(unused)] mod b { struct B; } } fn f() {}",
        );
    }

    #[test]
    fn a_path_attribute_goes() {
        check(
            &[
                ("src/lib.rs", "#[path = \"x/y.rs\"] #[doc(hidden)] mod a;"),
                ("src/x/y.rs", ""),
            ],
            "#[doc(hidden)] mod a {}",
        );
    }

    #[test]
    fn a_crate_of_one_file_stays() {
        assert!(inline_modules(&tree(&[("src/lib.rs", "fn f() {}")])).is_none());
    }

    #[test]
    fn a_file_that_two_modules_include_keeps_the_crate_as_it_is() {
        let files = [
            (
                "src/lib.rs",
                "#[path = \"c.rs\"] mod a; #[path = \"c.rs\"] mod b;",
            ),
            ("src/c.rs", ""),
        ];
        assert!(inline_modules(&tree(&files)).is_none());
    }
}
